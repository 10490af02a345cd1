// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

const Keys<StateVariable>& state_keys() {
  static const Keys<StateVariable> keys{
      required(Key<StateVariable>{
          {"rate", number_type("formula, as of a force"), "by which it changes, per second"},
          [](const Value& v, StateVariable& state) {
            const auto& dimension = v.names().states.find(state.name)->second;
            state.rate =
                dimension ? v.signal_formula(*dimension / dimensions::time) : v.signal_formula();
          }}),
      fallback("0", Key<StateVariable>{{"initial", number_type("number with or without unit"),
                                        "what it is at the start; its unit is that of the state"},
                                       [](const Value& v, StateVariable& state) {
                                         const Value::Quantity found = v.quantity();
                                         state.initial = found.value;
                                         if (found.dimension)
                                           state.unit = si_unit(*found.dimension);
                                       }}),
  };
  return keys;
}

/// Its name stands alone in formulas.
void check_free(const Value& section, const YamlEntry& entry) {
  const std::vector<std::string_view> taken = expression_function_names();
  const bool used = std::ranges::find(taken, entry.key) != taken.end();
  if (used || entry.key == "t" || entry.key == "phi")
    section.fail(entry, fmt::format("'{}' has a meaning in formulas already; choose another name",
                                    entry.key));
  if (section.names().parameters.contains(entry.key))
    section.fail(entry, fmt::format("'{}' is the name of a parameter; choose another", entry.key));
}

/// What formulas need to know of states before any of them is read.
void read_dimensions(const Value& section) {
  for (const YamlEntry& entry : section.node().entries) {
    const std::optional<Value> initial = section.child(entry).find("initial");
    if (initial)
      section.context().attempt(
          [&] { section.context().names.states[entry.key] = initial->quantity().dimension; });
  }
}

}  // namespace

void read_states(const Value& value) {
  if (value.is_mapping()) {
    for (const YamlEntry& entry : value.node().entries) check_free(value, entry);
    read_dimensions(value);
  }
  read_items(value, "state", [&](const Value& item, const std::string& name) {
    StateVariable state{.name = name, .where = item.where()};
    read_mapping(item, state_keys(), "a state", state);
    value.context().model.states.push_back(std::move(state));
  });
}

std::vector<DefinitionInfo> state_definitions() {
  return {{"state",
           "A number that changes by a rate of its own while the mechanism moves: the current of a "
           "motor, the integral of a controller, wear.",
           {info("state", state_keys())}}};
}

}  // namespace backlash::reading
