// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <memory>
#include <span>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"
#include "command_line.h"
#include "commands.h"

namespace backlash::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 done, 1 the run failed (what was computed is on disk), 2 the input is wrong.\n";

std::string method_help() {
  std::string text = "Method of integration:";
  for (const IntegratorEntry& method : integrator_table())
    text += fmt::format("\n  {}: {}", method.name, method.summary);
  return text;
}

std::string option_help(const OptionInfo& option) {
  if (option.key == "solver") return solver_help("Which solver of the contact problems:");
  std::string text = option.meaning;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  if (!option.unit.empty()) text += fmt::format(" [{}]", option.unit);
  if (!option.choices.empty()) text += fmt::format(": {}", fmt::join(option.choices, ", "));
  const auto& [key, choice] = option.only_with;
  if (!key.empty()) text += fmt::format("; with {} {}", command_line_name(key), choice);
  return text;
}

Values option_values(const OptionInfo& option) {
  if (option.kind == OptionInfo::Kind::choice) return {Values::Kind::words, option.choices};
  if (option.kind == OptionInfo::Kind::flag) return {Values::Kind::words, {"true", "false"}};
  return {};
}

/// "moreau and compliant".
std::string methods_with(const std::string& key, std::span<const IntegratorEntry> methods) {
  std::string names;
  for (const IntegratorEntry& method : methods)
    if (find_option(method.options, key)) names += (names.empty() ? "" : " and ") + method.name;
  return names;
}

/// The options of these methods, and when the run ends and is recorded.
void add_simulation(CommandLine& c, CLI::App& command, std::span<const IntegratorEntry> methods,
                    SimulationArguments& arguments) {
  add_times(command, arguments);
  command
      .add_option("--energy-error", arguments.energy_error,
                  "Part of the energy at hand; a method that makes or loses more of it fails")
      ->type_name("SHARE");
  for (const IntegratorEntry& method : methods)
    for (const OptionInfo& option : method.options) {
      const std::string option_name = command_line_name(option.key);
      if (command.get_option_no_throw(option_name)) continue;
      CLI::Option* added = command.add_option_function<std::string>(
          option_name,
          [&arguments, key = option.key](const std::string& text) {
            arguments.options.emplace_back(key, text);
          },
          option_help(option));
      added->type_name(option.kind == OptionInfo::Kind::choice ? "NAME" : "VALUE")
          ->default_str(option.fallback)
          ->group(fmt::format("Options of the method {}", methods_with(option.key, methods)));
      c.values[added] = option_values(option);
    }
}

/// Options of all commands that run a mechanism.
void add_output(CommandLine& c, CLI::App& command, OutputArguments& output,
                const char* folder_help) {
  c.values[command.add_option("-o,--output", output.folder, folder_help)->type_name("DIR")] = {
      Values::Kind::folder};
  c.values[command
               .add_option("--format", output.formats,
                           "What to write: csv (states.csv, contacts.csv, events.csv), hdf5 "
                           "(results.h5)")
               ->type_name("LIST")
               ->capture_default_str()] = {Values::Kind::words, {"csv", "hdf5", "csv,hdf5"}};
  command.add_flag("--steps", output.steps, "Write every step too, as a table of its own");
  command.add_flag("-f,--force", output.force, "Replace results that are in the folder");
  command.add_flag("-q,--quiet", output.quiet, "Print no summary and no progress");
  command
      .add_flag("-v,--verbose", output.verbose,
                "Print every option, parameter, joint and count in the summary")
      ->excludes("--quiet");
  command.add_flag("--json", output.json, "Print the summary as JSON");
}

void add_run(CommandLine& c) {
  const auto a = std::make_shared<RunArguments>();
  CLI::App* command = c.app.add_subcommand("run", "Run a model");
  command->footer(std::string("Options go before what the model says; numbers may have units as "
                              "there: --step '10 us'.\n") +
                  exit_codes +
                  "Example: backlash run model.yaml --set c='0.5 mm' --step 1e-6 -o results");
  add_model(c, *command, a->model);
  command->get_option("MODEL")->required(false);
  c.values[command
               ->add_option(
                   "--resume", a->resume,
                   "Go on with the run in this folder that was killed or interrupted, with "
                   "the model and the options that it had")
               ->type_name("DIR")] = {Values::Kind::folder};
  add_output(c, *command, a->output, "Folder for the results; <model>-results if not given");
  add_method(c, *command, a->simulation);
  command->callback([a, &c] {
    a->output.command = c.call;
    c.run = [a] { return run_run(*a); };
  });
}

void add_check(CommandLine& c) {
  const auto a = std::make_shared<CheckArguments>();
  CLI::App* command =
      c.app.add_subcommand("check", "Say what is wrong or suspicious about a model, and draw it");
  command->footer(
      "Looks at joints, masses, parameters and the start, and at the first steps.\n"
      "Exit codes: 0 the model can run (there may be warnings), 2 it cannot.\n"
      "Example: backlash check model.yaml --draw model.svg");
  add_model(c, *command, a->model);
  add_method(c, *command, a->simulation);
  c.values[command->add_option("--draw", a->drawing, "Draw the mechanism at its start")
               ->type_name("FILE.svg")] = {Values::Kind::file};
  command->add_option("--exaggerate", a->exaggerate, "Draw play in joints so many times as large")
      ->type_name("FACTOR")
      ->needs("--draw");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_check(*a); }; });
}

void add_equilibrium(CommandLine& c) {
  const auto a = std::make_shared<EquilibriumArguments>();
  CLI::App* command = c.app.add_subcommand(
      "equilibrium", "Say where a model rests, and what its contacts carry there");
  command->footer(
      "From the start that the model gives, whether or not it says initial: equilibrium.\n"
      "Exit codes: 0 found, 2 the input is wrong, or there is no equilibrium.\n"
      "Example: backlash equilibrium model.yaml --set k='20 N/mm'");
  add_model(c, *command, a->model);
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_equilibrium(*a); }; });
}

void add_cam(CommandLine& c) {
  const auto a = std::make_shared<CamArguments>();
  CLI::App* command = c.app.add_subcommand(
      "cam", "Say what a cam does to its follower: lift, pressure angle, force, lift-off");
  command->footer(
      "Turns the cam once with the follower on it, without friction. The cam is a body on a "
      "revolute joint,\nthe follower one on a prismatic or revolute joint, both to the ground.\n"
      "Exit codes: 0 done, 2 the input is wrong, or the follower loses the cam.\n"
      "Example: backlash cam model.yaml --speed '2400 rpm' --width '12 mm' -o cam.csv");
  add_model(c, *command, a->model);
  command->add_option("--contact", a->contact, "Name of the contact, if there are several")
      ->type_name("NAME");
  command
      ->add_option("--speed", a->speed,
                   "Of the cam [rad/s]; the one it has at the start if not given")
      ->type_name("SPEED");
  command->add_option("--width", a->width, "Of the line of contact, for Hertz' pressure [m]")
      ->type_name("LENGTH");
  command
      ->add_option("--modulus", a->modulus,
                   "E* of the two materials [Pa]; that of steel on steel, 113.7 GPa, if not given")
      ->type_name("MODULUS")
      ->needs("--width");
  command->add_option("--points", a->points, "Of the turn")
      ->type_name("COUNT")
      ->capture_default_str();
  c.values[command->add_option("-o,--output", a->output, "Write all points as CSV")
               ->type_name("FILE.csv")] = {Values::Kind::file};
  c.values[command->add_option("--draw", a->drawing, "Draw charts over the angle")
               ->type_name("FILE.svg")] = {Values::Kind::file};
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_cam(*a); }; });
}

void add_demo(CommandLine& c) {
  const auto a = std::make_shared<DemoArguments>();
  CLI::App* command = c.app.add_subcommand("demo", "Run a built-in mechanism");
  command->footer(std::string(exit_codes) +
                  "Example: backlash demo slider-crank --solver lemke --step 1e-6 -o results");
  c.values[command->add_option("NAME", a->name, "Which mechanism:" + list_demos())->required()] = {
      Values::Kind::words, demo_names()};
  add_simulation(c, *command, integrator_table().first(1), a->simulation);
  add_output(c, *command, a->output, "Folder for the results; without it none are written");
  command->callback([a, &c] {
    a->output.command = c.call;
    c.run = [a] { return run_demo(*a); };
  });
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const IntegratorEntry& method : integrator_table()) names.push_back(method.name);
  return names;
}

void add_times(CLI::App& command, SimulationArguments& arguments) {
  command.add_option("--until", arguments.until, "End of the run [s]")->type_name("TIME");
  command
      .add_option("--every", arguments.every,
                  "Time between two rows of output [s], or 'step' for each step")
      ->type_name("TIME");
}

void add_model(CommandLine& c, CLI::App& command, ModelArguments& model) {
  c.values[command.add_option("MODEL", model.file, "The model, a YAML file; - is standard input")
               ->required()] = {Values::Kind::file};
  add_overrides(command, model);
  c.values[command
               .add_option("--allow-include", model.include_from,
                           "A folder that the model may read other files from, besides its own; "
                           "repeatable")
               ->type_name("DIR")
               ->expected(1)
               ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)] = {Values::Kind::folder};
}

void add_overrides(CLI::App& command, ModelArguments& model) {
  command.add_option("--set", model.set, "Give a parameter of the model another value; repeatable")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--law", model.laws,
                  "Exchange a law of the model for another one, by its name or with its keys: "
                  "steel='{restitution: 0.4}'; repeatable")
      ->type_name("NAME=LAW")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_method(CommandLine& c, CLI::App& command, SimulationArguments& arguments) {
  c.values[command
               .add_option("--coordinates", arguments.coordinates,
                           "joint: along a tree of the joints; absolute: three for each body")
               ->type_name("NAME")] = {Values::Kind::words, {"joint", "absolute"}};
  command
      .add_option("--initial-penetration", arguments.initial_penetration,
                  "Deeper overlap at the start is an error [m]")
      ->type_name("LENGTH");
  c.values[command.add_option("--method", arguments.method, method_help())->type_name("NAME")] = {
      Values::Kind::words, method_names()};
  add_simulation(c, command, integrator_table(), arguments);
}

void add_model_commands(CommandLine& command_line) {
  add_run(command_line);
  add_check(command_line);
  add_equilibrium(command_line);
  add_cam(command_line);
  add_demo(command_line);
}

}  // namespace backlash::cli
