// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/io/model/value.h"

namespace backlash::reading {
namespace {

struct BodySignal {
  std::string_view name;
  SignalKind kind;
  Dimension dimension;
};
constexpr BodySignal body_signals[] = {
    {"x", SignalKind::body_x, dimensions::length},
    {"y", SignalKind::body_y, dimensions::length},
    {"angle", SignalKind::body_angle, dimensions::angle},
    {"vx", SignalKind::body_vx, dimensions::velocity},
    {"vy", SignalKind::body_vy, dimensions::velocity},
    {"omega", SignalKind::body_omega, dimensions::angular_velocity},
};

using Found = std::pair<Signal, std::optional<Dimension>>;

Found joint_signal(std::string_view joint, std::string_view quantity,
                   const std::vector<CoordinateType>& coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const bool turns = coordinates[i] == CoordinateType::rotation;
    const auto is = [&](char letter) {
      return (quantity.size() == 1 && quantity[0] == letter && i == 0) ||
             quantity == letter + number;
    };
    if (is('q'))
      return {{SignalKind::joint_position, std::string(joint), static_cast<int>(i)},
              turns ? dimensions::angle : dimensions::length};
    if (is('u'))
      return {{SignalKind::joint_velocity, std::string(joint), static_cast<int>(i)},
              turns ? dimensions::angular_velocity : dimensions::velocity};
  }
  constexpr std::string_view of_position[] = {"position", "angle", "x", "travel"};
  constexpr std::string_view of_speed[] = {"speed", "velocity", "omega", "v", "rate"};
  const auto is_one_of = [&](std::span<const std::string_view> names) {
    return std::ranges::find(names, quantity) != names.end();
  };
  std::string meant = is_one_of(of_position) ? "q" : is_one_of(of_speed) ? "u" : "";
  if (!meant.empty()) meant = fmt::format("; did you mean '{}.{}'?", joint, meant);
  throw InputError(
      fmt::format("joint '{}' has {} coordinate{}; '{}' is none of its q, u, q1, u1, …{}", joint,
                  coordinates.size(), coordinates.size() == 1 ? "" : "s", quantity, meant));
}

Found body_signal(std::string_view body, std::string_view quantity) {
  for (const BodySignal& entry : body_signals)
    if (entry.name == quantity) return {{entry.kind, std::string(body), 0}, entry.dimension};
  throw InputError(
      fmt::format("body '{}' has no '{}'; it has x, y, angle, vx, vy and omega", body, quantity));
}

}  // namespace

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const auto digit = [](char c) { return '0' <= c && c <= '9'; };
  return !text.empty() && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || digit(c); });
}

void check_name(const Value& parent, const YamlEntry& entry) {
  if (is_name(entry.key)) return;
  std::string possible = entry.key;
  std::ranges::replace_if(
      possible, [](char c) { return c == '-' || c == ' ' || c == '.'; }, '_');
  const bool repeats = entry.key.find('$') != std::string::npos;
  parent.fail(
      entry,
      fmt::format("'{}' cannot be a name: a name is a letter, then letters, digits "
                  "and '_'{}{}",
                  entry.key, is_name(possible) ? fmt::format("; '{}' is", possible) : "",
                  repeats ? "; '$' belongs to the names of items with the key 'repeat'" : ""));
}

std::vector<CoordinateType> coordinate_types_of(const Names& names, std::string_view joint) {
  const auto found = names.joints.find(joint);
  return found == names.joints.end() ? std::vector<CoordinateType>()
                                     : coordinate_types(found->second);
}

std::vector<std::string> joint_names(const Names& names) {
  std::vector<std::string> list;
  for (const auto& [name, kind] : names.joints) list.push_back(name);
  return list;
}

std::string what_it_is(const Names& names, std::string_view name) {
  const auto in = [&](const std::vector<std::string>& list) {
    return std::ranges::find(list, name) != list.end();
  };
  std::string_view kind;
  if (names.joints.contains(name)) kind = "joint";
  if (in(names.bodies)) kind = "body";
  if (in(names.forces)) kind = "force";
  if (in(names.contacts)) kind = "contact";
  if (in(names.laws)) kind = "law";
  if (in(names.events)) kind = "event";
  if (in(names.profiles)) kind = "profile";
  if (names.states.contains(name)) kind = "state variable";
  if (names.parameters.contains(name)) kind = "parameter";
  if (kind.empty()) return {};
  return fmt::format("; '{}' is {} {}", name, kind == "event" ? "an" : "a", kind);
}

std::optional<Found> find_signal(const Names& names, std::string_view name) {
  if (name == "t") return Found(Signal{}, dimensions::time);
  if (const auto state = names.states.find(name); state != names.states.end())
    return Found({SignalKind::state, std::string(name)}, state->second);
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view item = name.substr(0, dot), quantity = name.substr(dot + 1);
  const bool is_body = std::ranges::find(names.bodies, item) != names.bodies.end();
  const bool of_body =
      std::ranges::find(body_signals, quantity, &BodySignal::name) != std::end(body_signals);
  if (names.joints.contains(item) && !(is_body && of_body))
    return joint_signal(item, quantity, coordinate_types_of(names, item));
  if (is_body) return body_signal(item, quantity);
  if (names.unreadable.contains(item)) throw Reported{};
  std::vector<std::string> known = joint_names(names);
  known.insert(known.end(), names.bodies.begin(), names.bodies.end());
  const std::string other = what_it_is(names, item);
  throw InputError(fmt::format("there is no joint or body '{}'{}", item,
                               other.empty() ? did_you_mean(item, known) : other));
}

std::optional<Found> find_tension_signal(const Names& names, std::string_view name) {
  if (name == "length") return Found({SignalKind::own_length, {}}, dimensions::length);
  if (name == "rate") return Found({SignalKind::own_rate, {}}, dimensions::velocity);
  return find_signal(names, name);
}

std::optional<Found> find_condition_signal(const Names& names, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return find_signal(names, name);
  const std::string item(name.substr(0, dot));
  const std::string_view quantity = name.substr(dot + 1);
  if (std::ranges::find(names.contacts, item) != names.contacts.end()) {
    if (quantity == "gap") return Found({SignalKind::contact_gap, item}, dimensions::length);
    if (quantity == "force") return Found({SignalKind::contact_force, item}, dimensions::force);
    const bool is_body = std::ranges::find(names.bodies, item) != names.bodies.end();
    if (!is_body && !names.joints.contains(item))
      throw InputError(
          fmt::format("contact '{}' has no '{}'; it has gap and force", item, quantity));
  }
  if (names.joints.contains(item)) {
    const std::vector<CoordinateType> types = coordinate_types_of(names, item);
    const bool turns = !types.empty() && types[0] == CoordinateType::rotation;
    if (quantity == "force") return Found({SignalKind::joint_force, item}, dimensions::force);
    if (quantity == "torque") return Found({SignalKind::joint_torque, item}, dimensions::torque);
    if (quantity == "load")
      return Found({SignalKind::joint_load, item}, turns ? dimensions::torque : dimensions::force);
    const std::array<std::string, 3> known{"force", "torque", "load"};
    const std::string meant = nearest_name(quantity, known);
    if (!meant.empty())
      throw InputError(
          fmt::format("joint '{0}' has no '{1}'; did you mean '{0}.{2}'?", item, quantity, meant));
  }
  const bool known = names.joints.contains(item) || names.unreadable.contains(item) ||
                     std::ranges::find(names.bodies, item) != names.bodies.end();
  if (known || !what_it_is(names, item).empty()) return find_signal(names, name);
  std::vector<std::string> items = joint_names(names);
  for (const auto& more : {names.bodies, names.contacts})
    items.insert(items.end(), more.begin(), more.end());
  throw InputError(
      fmt::format("there is no joint, body or contact '{}'{}", item, did_you_mean(item, items)));
}

}  // namespace backlash::reading
