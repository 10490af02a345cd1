// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>

#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/sections.h"
#include "backlash/io/model/slips.h"

namespace backlash::reading {
namespace {

constexpr std::size_t max_parameters =
    10'000;                             ///< more are a program's, and better in its formulas
constexpr std::size_t max_chain = 100;  ///< parameters of parameters of …

/// A value from outside the file, as a node of its own.
YamlNode outside_node(const Override& value) {
  YamlNode node{.kind = YamlNode::Kind::scalar, .text = value.text};
  node.file =
      std::make_shared<const std::string>(fmt::format("--set {}={}", value.name, value.text));
  return node;
}

/// Evaluates parameters in the order in which they need each other.
class Parameters {
 public:
  explicit Parameters(const Value& section) : section_(section), context_(section.context()) {
    if (section.node().entries.size() > max_parameters)
      section.fail(fmt::format("{} parameters, at most {} are read", section.node().entries.size(),
                               max_parameters));
    const auto& entries = section.node().entries;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (read(entries[i].key, [&] {
            const std::string slip = slip_in_key(section.node(), i, {});
            if (!slip.empty()) section.fail(entries[i], slip);
            check_name(section, entries[i]);
            check_free(entries[i]);
          }))
        nodes_.emplace(entries[i].key, entries[i].value.get());
    for (const Override& value : context_.overrides) add_override(value);
  }

  void evaluate_all() {
    context_.prepare_parameter = [this](std::string_view name) { prepare(name); };
    for (const YamlEntry& entry : section_.node().entries) {
      chain_.clear();
      read(entry.key, [&] { prepare(entry.key); });
    }
    context_.prepare_parameter = {};
    if (!context_.names.unreadable.empty()) throw Reported{};
    for (const YamlEntry& entry : section_.node().entries)
      context_.model.parameters.push_back(parameter(entry));
  }

  /// Reads again, now that it is known what events set.
  void read_all_again() {
    for (const YamlEntry& entry : section_.node().entries)
      if (!context_.names.unreadable.contains(entry.key))
        read(entry.key, [&] { value_of(entry.key).quantity(); });
  }

 private:
  /// Who uses a parameter that has an error is not at fault.
  bool read(const std::string& name, const std::function<void()>& step) {
    const bool good = context_.attempt(step);
    if (!good) context_.names.unreadable.insert(name);
    return good;
  }

  void check_free(const YamlEntry& entry) const {
    if (entry.key == "e")
      section_.fail(entry, "'e' is Euler's number 2.718… in formulas; choose another name");
    const std::vector<std::string_view> taken = expression_function_names();
    if (std::ranges::find(taken, entry.key) != taken.end() || entry.key == "t" ||
        entry.key == "phi")
      section_.fail(
          entry,
          fmt::format("'{}' has a meaning in formulas already; choose another name", entry.key));
  }

  void add_override(const Override& value) {
    if (!nodes_.contains(value.name)) {
      std::vector<std::string> known;
      for (const auto& [name, node] : nodes_) known.push_back(name);
      throw InputError(fmt::format("--set {}={}: there is no parameter '{}'{}", value.name,
                                   value.text, value.name, did_you_mean(value.name, known)));
    }
    outside_[value.name] = outside_node(value);
  }

  Value value_of(std::string_view name) const {
    const auto outside = outside_.find(name);
    const YamlNode& node = outside == outside_.end() ? *nodes_.find(name)->second : outside->second;
    return {node, context_, fmt::format("parameters.{}", name)};
  }

  Value value_in_file(std::string_view name) const {
    return {*nodes_.find(name)->second, context_, fmt::format("parameters.{}", name)};
  }

  /// Evaluates the parameter, if there is one of that name and it was not evaluated before.
  void prepare(std::string_view name) {
    if (!nodes_.contains(name) || context_.names.parameters.contains(name)) return;
    if (context_.names.unreadable.contains(name)) throw Reported{};
    const Value value = value_of(name);
    const auto begun = std::ranges::find(chain_, name);
    if (begun != chain_.end()) context_.names.unreadable.insert(begun, chain_.end());
    if (begun != chain_.end())
      value.fail(fmt::format("the parameters depend on each other in a circle: {} → {}",
                             fmt::join(begun, chain_.end(), " → "), name));
    if (chain_.size() >= max_chain) {
      context_.names.unreadable.insert(chain_.begin(), chain_.end());  // each is tried once
      value.fail(fmt::format("more than {} parameters depend on each other in a row", max_chain));
    }
    chain_.emplace_back(name);
    const Value::Quantity quantity = value.quantity();
    const bool replaced = outside_.contains(name);
    std::optional<Dimension> dimension = quantity.dimension;
    if (replaced) check_replacement(name, quantity, dimension);
    chain_.pop_back();
    context_.names.parameters[std::string(name)] = {quantity.value, dimension};
  }

  /// A value from outside means what the file's value means, and a number alone is not mistaken
  /// for one in the file's unit.
  void check_replacement(std::string_view name, const Value::Quantity& found,
                         std::optional<Dimension>& dimension) {
    const Value::Quantity before = value_in_file(name).quantity();
    const Value value = value_of(name);
    if (before.dimension && found.dimension && !backlash::fits(*found.dimension, *before.dimension))
      value.fail(fmt::format("expected {}, found {} ({})", dimension_phrase(*before.dimension),
                             value.node().text, dimension_name(*found.dimension)));
    if (before.scaled && found.bare && found.value != 0)
      value.fail(fmt::format(
          "expected a value with its unit, as {} in the file; {} alone would mean {} {}",
          nodes_.find(name)->second->text, value.node().text, value.node().text,
          before.dimension ? si_unit(*before.dimension) : "SI"));
    const Dimension lead = dimensions::length / dimensions::angle;
    if (before.dimension == lead && found.dimension == dimensions::length)
      value.fail(fmt::format("expected a length per angle, as {} in the file, found {} (length)",
                             nodes_.find(name)->second->text, value.node().text));
    if (!dimension) dimension = before.dimension;
  }

  Parameter parameter(const YamlEntry& entry) const {
    const Names::ParameterValue& found = context_.names.parameters.find(entry.key)->second;
    return {.name = entry.key,
            .value = found.value,
            .text = value_of(entry.key).node().text,
            .unit = found.dimension ? si_unit(*found.dimension) : "",
            .where = value_in_file(entry.key).where()};
  }

  const Value& section_;
  Context& context_;
  std::map<std::string, const YamlNode*, std::less<>> nodes_{};
  std::map<std::string, YamlNode, std::less<>> outside_{};
  std::vector<std::string> chain_{};
};

}  // namespace

void read_parameters(const Value& value) {
  if (!value.is_empty() && !value.is_mapping())
    value.fail(
        fmt::format("expected a mapping of names and values, found {}", describe(value.node())));
  const auto evaluate = [&] { Parameters(value).evaluate_all(); };
  if (value.context().attempt(evaluate)) return;
  for (const YamlEntry& entry : value.node().entries)  // who uses one is not at fault
    if (!value.names().parameters.contains(entry.key))
      value.context().names.unreadable.insert(entry.key);
  throw Reported{};
}

void refuse_following_parameters(const Value& value) {
  if (value.is_mapping() && !value.names().set_by_events.empty())
    Parameters(value).read_all_again();
}

}  // namespace backlash::reading
