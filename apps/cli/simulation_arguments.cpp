// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "simulation_arguments.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"

namespace backlash::cli {
namespace {

[[noreturn]] void refuse_foreign(const std::string& key, const IntegratorEntry& method) {
  for (const IntegratorEntry& other : integrator_table())
    if (find_option(other.options, key))
      throw InputError(fmt::format(
          "{}: an option of the method {}, and the method is {}; leave it out, or choose "
          "--method {}",
          command_line_name(key), other.name, method.name, other.name));
  throw InputError(fmt::format("{}: no method has this option", command_line_name(key)));
}

double parse_time(const std::string& text, const std::string& name) {
  return parse_quantity(text, "s", {NumberRange::Kind::positive}, name);
}

Coordinates parse_coordinates(const std::string& text) {
  if (text == "joint") return Coordinates::joint;
  if (text == "absolute") return Coordinates::absolute;
  throw InputError(fmt::format("--coordinates: '{}', expected joint or absolute", text));
}

}  // namespace

void apply(const SimulationArguments& arguments, SimulationOptions& simulation,
           OutputOptions& output) {
  const IntegratorEntry& method = find_integrator(arguments.method.value_or(simulation.method));
  simulation.method = method.name;
  Options said;
  for (const auto& [key, text] : arguments.options) {
    const OptionInfo* info = find_option(method.options, key);
    if (!info) refuse_foreign(key, method);
    said.push_back(parse_option(*info, text));
    set_option(simulation.options, said.back());
  }
  simulation.options = applicable(method.options, simulation.options);
  for (const Option& option : said) set_option(simulation.options, option);
  check_options(method.name, method.options, simulation.options);
  if (arguments.until) simulation.until = parse_time(*arguments.until, "--until");
  if (arguments.every)
    output.every = *arguments.every == "step" ? 0 : parse_time(*arguments.every, "--every");
  if (arguments.energy_error)
    simulation.energy_error = parse_quantity(*arguments.energy_error, "",
                                             {NumberRange::Kind::positive}, "--energy-error");
  if (arguments.coordinates) simulation.coordinates = parse_coordinates(*arguments.coordinates);
  if (arguments.initial_penetration)
    simulation.initial_penetration =
        parse_quantity(*arguments.initial_penetration, "m", {NumberRange::Kind::not_negative},
                       "--initial-penetration");
  output.where = arguments.every ? SourceLocation{.path = "--every"} : output.where;
}

}  // namespace backlash::cli
