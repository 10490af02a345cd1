// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/keys.h"

#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/slips.h"

namespace backlash::reading {

using Form = ValueType::Form;

ValueType number_type(std::string phrase) {
  return {.form = Form::number, .phrase = std::move(phrase)};
}
ValueType number_type(const Dimension& dimension) {
  const std::string unit = si_unit(dimension);
  return number_type(unit.empty() ? "number"
                                  : fmt::format("{} [{}]", dimension_name(dimension), unit));
}
ValueType text_type(std::string phrase) {
  return {.form = Form::text, .phrase = std::move(phrase)};
}
ValueType flag_type() { return {.form = Form::flag, .phrase = "true or false"}; }
ValueType integer_type() { return {.form = Form::integer, .phrase = "whole number"}; }

ValueType choice_type(std::span<const std::string_view> options) {
  ValueType type{.form = Form::choice, .phrase = fmt::format("`{}`", fmt::join(options, "`, `"))};
  type.names.assign(options.begin(), options.end());
  return type;
}

ValueType list_type(ValueType part, int count, std::string phrase) {
  return {
      .form = Form::list, .phrase = std::move(phrase), .parts = {std::move(part)}, .count = count};
}

ValueType vector_type(const Dimension& dimension) {
  const ValueType part = number_type(dimension);
  return list_type(part, 2, fmt::format("[x, y], each {}", part.phrase));
}

ValueType mapping_type(std::string definition) {
  return {.form = Form::mapping,
          .phrase = fmt::format("keys of {}", definition),
          .names = {definition}};
}

ValueType items_type(ValueType part, std::string phrase) {
  return {.form = Form::items, .phrase = std::move(phrase), .parts = {std::move(part)}};
}

ValueType either_type(std::vector<ValueType> parts) {
  std::vector<std::string> phrases;
  for (const ValueType& part : parts) phrases.push_back(part.phrase);
  return {.form = Form::either,
          .phrase = fmt::format("{}", fmt::join(phrases, " or ")),
          .parts = std::move(parts)};
}

namespace {

[[noreturn]] void refuse_key(const Value& value, std::size_t index, std::span<const KnownKey> known,
                             std::string_view what) {
  const YamlEntry& entry = value.node().entries[index];
  const auto renamed = std::ranges::find(known, entry.key, &KnownKey::formerly);
  if (renamed != known.end() && !entry.key.empty())
    value.fail(entry, fmt::format("'{}' is now '{}'", entry.key, renamed->name));
  std::vector<std::string> names;
  for (const KnownKey& key : known) names.push_back(key.name);
  if (const std::string slip = slip_in_key(value.node(), index, names); !slip.empty())
    value.fail(entry, slip);
  const std::string meant = key_for(what, entry.key, names);
  std::string advice =
      meant.empty() ? did_you_mean(entry.key, names) : fmt::format("; did you mean '{}'?", meant);
  if (advice.empty()) advice = fmt::format("; its keys are {}", fmt::join(names, ", "));
  value.fail(entry, fmt::format("{} has no key '{}'{}", what, entry.key, advice));
}

}  // namespace

bool check_keys(const Value& value, std::span<const KnownKey> known, std::string_view what) {
  if (value.is_empty()) return true;
  if (!value.is_mapping())
    value.fail(fmt::format("expected the keys of {}, found {}{}", what, describe(value.node()),
                           example_of(what)));
  bool good = true;
  const std::vector<YamlEntry>& entries = value.node().entries;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (std::ranges::find(known, entries[i].key, &KnownKey::name) == known.end())
      good = value.context().attempt([&] { refuse_key(value, i, known, what); }) && good;
  return good;
}

void read_items(const Value& value, std::string_view what,
                const std::function<void(const Value&, const std::string& name)>& read) {
  if (value.is_empty()) return;
  if (!value.is_mapping())
    value.fail(fmt::format("expected a mapping: name of the {}, then its {}; found {}", what,
                           what == "quantity"    ? "formula"
                           : what == "parameter" ? "value"
                                                 : "keys",
                           describe(value.node())));
  bool good = true;
  for (const YamlEntry& entry : value.node().entries)
    good = value.context().attempt([&] {
      check_name(value, entry);
      read(value.child(entry), entry.key);
    }) && good;
  if (!good) throw Reported{};
}

void checked(const Value& value, const std::function<void()>& check) {
  try {
    check();
  } catch (const InputError& error) {
    value.fail(error.what());
  }
}

void require_one_of(const Value& value, std::span<const std::string_view> keys, Count count) {
  std::vector<std::string_view> found;
  for (const std::string_view key : keys)
    if (value.find(key)) found.push_back(key);
  if (found.size() > 1)
    value.fail(
        fmt::format("'{}' and '{}' stand side by side, expected one of them", found[0], found[1]));
  if (found.empty() && count == Count::exactly_one)
    value.fail(fmt::format("expected one of the keys '{}', found none", fmt::join(keys, "', '")));
}

ValueType point_type() {
  return either_type({vector_type(dimensions::length), text_type("name of a frame of the body")});
}

Pose read_pose(const Value& value, const std::string& body) {
  if (!value.is_scalar()) return planar_pose(value.vector(dimensions::length), 0);
  const Body* owner = find_body(value.context().model, body);
  if (owner == nullptr || value.names().unreadable.contains(body)) throw Reported{};
  if (const Frame* frame = find_frame(*owner, value.text())) return frame->X_BF;
  std::vector<std::string> frames;
  for (const Frame& frame : owner->frames) frames.push_back(frame.name);
  value.fail(fmt::format("expected a point [x, y] or a frame; body '{}' has no frame '{}'{}", body,
                         value.text(), did_you_mean(value.text(), frames)));
}

ValueType points_type() {
  return list_type(point_type(), 2,
                   "[P, Q]: a point of each body, [x, y] in its frame or a frame's name");
}

std::pair<Pose, Pose> read_points(const Value& value, const std::string& body_A,
                                  const std::string& body_B) {
  const std::string expected = fmt::format("two points, of '{}' and of '{}'", body_A, body_B);
  if (looks_like_one_point(value.node()))
    value.fail(fmt::format("expected {}: [[x, y], [x, y]], found one", expected));
  const std::vector<Value> points = value.items(2, expected);
  return {read_pose(points[0], body_A), read_pose(points[1], body_B)};
}

ValueType bodies_type() {
  return list_type(text_type("name of a body"), 2, "[A, B]: names of two bodies");
}

std::pair<std::string, std::string> read_bodies(const Value& value) {
  const std::vector<Value> names = value.items(2, "the names of two bodies");
  std::pair<std::string, std::string> bodies{names[0].reference(value.names().bodies, "body"),
                                             names[1].reference(value.names().bodies, "body")};
  if (bodies.first == bodies.second) value.fail("expected two different bodies");
  return bodies;
}

ValueType table_points_type(const std::string& phrase) {
  return list_type(list_type(number_type("number"), 2, "[x, y]"), -1, phrase);
}

Table read_table_points(const Value& value, const std::optional<Dimension>& x, const Dimension& y) {
  Table table;
  for (const Value& point : value.items(-1, "a list of points [x, y]")) {
    const std::vector<Value> parts = point.items(2, "a point [x, y]");
    table.x.push_back(x ? parts[0].number(*x) : parts[0].quantity().value);
    table.y.push_back(parts[1].number(y));
  }
  return table;
}

std::filesystem::path beside(const Value& value, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(value.where().file).parent_path();
  const std::filesystem::path path = (folder / file).lexically_normal();
  value.context().folders.require(path, file);
  return path;
}

}  // namespace backlash::reading
