// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

constexpr std::string_view coordinate_choices[] = {"joint", "absolute"};

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const IntegratorEntry& entry : integrator_table()) names.push_back(entry.name);
  return names;
}

/// The keys that all methods have.
const Keys<SimulationOptions>& common_keys() {
  using S = SimulationOptions;
  static const Keys<S> keys{
      fallback(integrator_table().front().name,
               Key<S>{{"method", choice_type(method_names()), "how steps are taken"},
                      [](const Value& v, S& s) {
                        s.method = integrator_table()[v.choice(method_names())].name;
                      }}),
      fallback("1", number_key("until", &S::until, dim::time, positive, "when the run ends")),
      fallback("joint", Key<S>{{"coordinates", choice_type(coordinate_choices),
                                "along a tree of the joints, or three for each body"},
                               [](const Value& v, S& s) {
                                 s.coordinates = Coordinates(v.choice(coordinate_choices));
                               }}),
      fallback("1e-6",
               number_key("initial_penetration", &S::initial_penetration, dim::length, not_negative,
                          "deeper overlap at the start is an error; an angle counts by its arc at "
                          "the size of the "
                          "model")),
      fallback("0.1", number_key("energy_error", &S::energy_error, dim::none, positive,
                                 "part of the energy at hand; a method that makes or loses more "
                                 "of it fails")),
  };
  return keys;
}

ValueType type_of(const OptionInfo& option) {
  const std::vector<std::string_view> choices(option.choices.begin(), option.choices.end());
  switch (option.kind) {
    case OptionInfo::Kind::number:
      if (!choices.empty())
        return either_type({number_type(dimension_of(option)), choice_type(choices)});
      return number_type(dimension_of(option));
    case OptionInfo::Kind::integer:
      return integer_type();
    case OptionInfo::Kind::flag:
      return flag_type();
    case OptionInfo::Kind::choice:
      break;
  }
  return choice_type(choices);
}

/// `auto`, say, in the place of a number, where only another method has such a word.
void refuse_foreign_word(const OptionInfo& option, const Value& v) {
  if (option.kind != OptionInfo::Kind::number || !v.is_scalar() ||
      std::ranges::find(option.choices, v.text()) != option.choices.end())
    return;
  for (const IntegratorEntry& entry : integrator_table()) {
    const OptionInfo* other = find_option(entry.options, option.key);
    if (other && std::ranges::find(other->choices, v.text()) != other->choices.end())
      v.fail(
          fmt::format("'{}: {}' is for the method {}; give a number with a unit, or choose "
                      "method: {}",
                      option.key, v.text(), entry.name, entry.name));
  }
}

Key<SimulationOptions> key_of(const OptionInfo& option) {
  const auto& [key, choice] = option.only_with;
  const std::string doc =
      key.empty() ? option.meaning : fmt::format("with `{}: {}`: {}", key, choice, option.meaning);
  return {{.name = option.key,
           .type = type_of(option),
           .doc = doc,
           .fallback = option.fallback,
           .formerly = option.formerly},
          [&option](const Value& v, SimulationOptions& s) {
            refuse_foreign_word(option, v);
            set_option(s.options, {option.key, read_option(option, v), v.where()});
          }};
}

Keys<SimulationOptions> keys_of(const IntegratorEntry& method) {
  Keys<SimulationOptions> keys = common_keys();
  for (const OptionInfo& option : method.options) keys.push_back(key_of(option));
  return keys;
}

/// Another method that has an option of that key, or had one; or null.
const IntegratorEntry* other_method_with(const std::string& key, const IntegratorEntry& method) {
  for (const IntegratorEntry& entry : integrator_table())
    for (const OptionInfo& option : entry.options)
      if (&entry != &method && (option.key == key || option.formerly == key)) return &entry;
  return nullptr;
}

bool has_option(const IntegratorEntry& method, const std::string& key) {
  return std::ranges::any_of(method.options, [&](const OptionInfo& option) {
    return option.key == key || option.formerly == key;
  });
}

/// Options of other methods are errors; but a file that chooses another method than the file that
/// it includes puts aside what that file says of its own.
YamlNode without_foreign_options(const Value& value, const IntegratorEntry& method) {
  YamlNode kept = value.node();
  const YamlEntry* choice = find_entry(value.node(), "method");
  std::erase_if(kept.entries, [&](const YamlEntry& entry) {
    const IntegratorEntry* other = other_method_with(entry.key, method);
    if (!other || has_option(method, entry.key)) return false;
    if (choice && *choice->value->file != *entry.value->file) return true;
    value.fail(entry, fmt::format("'{}' is an option of the method {}, and the method is {}; "
                                  "remove it, or choose method: {}",
                                  entry.key, other->name, method.name, other->name));
  });
  return kept;
}

/// The same for options that another choice, or the method itself, leaves without a use.
void check_uses(const IntegratorEntry& method, const std::optional<Value>& chosen_method,
                Options& chosen) {
  const std::string method_file = chosen_method ? chosen_method->where().file : "";
  std::erase_if(chosen, [&, all = chosen](const Option& option) {
    const OptionInfo* info = find_option(method.options, option.key);
    if (applies(*info, method.options, all)) return false;
    const Option* choice = find_option(all, info->only_with.key);
    const std::string& file = choice ? choice->where.file : method_file;
    return !file.empty() && file != option.where.file;
  });
  check_options(method.name, method.options, chosen);
}

}  // namespace

void read_simulation(const Value& value) {
  SimulationOptions& options = value.context().model.simulation;
  options.where = value.where();
  const std::optional<Value> choice = value.is_mapping() ? value.find("method") : std::nullopt;
  const IntegratorEntry& method =
      integrator_table()[choice ? choice->choice(method_names()) : std::size_t{0}];
  const YamlNode own = without_foreign_options(value, method);
  read_mapping(Value(own, value.context(), value.path()), keys_of(method),
               fmt::format("simulation with the method {}", method.name), options);
  check_uses(method, choice, options.options);
}

std::vector<DefinitionInfo> simulation_definitions() {
  DefinitionInfo simulation{.name = "simulation",
                            .doc = "How the motion is computed.",
                            .selector = "method",
                            .fallback = integrator_table().front().name};
  for (const IntegratorEntry& method : integrator_table())
    simulation.variants.push_back(info(method.name, keys_of(method)));
  return {simulation};
}

}  // namespace backlash::reading
