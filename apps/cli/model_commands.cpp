// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>

#include "command_line.h"
#include "commands.h"
#include "numbers.h"

namespace backlash::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 done, 1 the run failed (what was computed is on disk), 2 the input is wrong.\n";

/// Times on the command line, as they are written.
struct Times {
  std::string step, until, every;

  void put_into(std::optional<double>& step_s, std::optional<double>& until_s,
                std::optional<double>& every_s) const {
    if (!step.empty()) step_s = parse_positive(step, "--step");
    if (!until.empty()) until_s = parse_positive(until, "--until");
    if (!every.empty()) every_s = every == "step" ? 0 : parse_positive(every, "--every");
  }
};

void add_times(CLI::App& command, Times& times) {
  command.add_option("--step", times.step, "Length of a step [s]")->type_name("S");
  command.add_option("--until", times.until, "End of the run [s]")->type_name("S");
  command
      .add_option("--every", times.every,
                  "Time between two rows of output [s], or 'step' for each step")
      ->type_name("S");
}

void add_model(CommandLine& c, CLI::App& command, ModelArguments& model) {
  c.values[command.add_option("MODEL", model.file, "The model, a YAML file")->required()] = {
      Values::Kind::file};
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

void add_method(CommandLine& c, CLI::App& command, std::optional<std::string>& method) {
  c.values[command.add_option("--method", method, "Method of integration: moreau or compliant")
               ->type_name("NAME")] = {Values::Kind::words, {"moreau", "compliant"}};
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
  command.add_flag("--force", output.force, "Replace results that are in the folder");
  command.add_flag("--quiet", output.quiet, "Print no summary and no progress");
  command.add_flag("--json", output.json, "Print the summary as JSON");
}

void add_run(CommandLine& c) {
  struct Input {
    RunArguments arguments;
    Times times;
  };
  const auto input = std::make_shared<Input>();
  RunArguments& a = input->arguments;
  CLI::App* command = c.app.add_subcommand("run", "Run a model");
  command->footer(std::string("Options go before what the model says.\n") + exit_codes +
                  "Example: backlash run model.yaml --set c='0.5 mm' --step 1e-6 -o results");
  add_model(c, *command, a.model);
  add_output(c, *command, a.output, "Folder for the results; <model>-results if not said");
  add_method(c, *command, a.method);
  c.values[command->add_option("--solver", a.solver, solver_help())->type_name("NAME")] = {
      Values::Kind::words, solver_names()};
  add_times(*command, input->times);
  command->callback([input, &c] {
    c.run = [input] {
      RunArguments& arguments = input->arguments;
      input->times.put_into(arguments.step, arguments.until, arguments.every);
      return run_run(arguments);
    };
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
  add_method(c, *command, a->method);
  c.values[command->add_option("--draw", a->drawing, "Draw the mechanism at its start")
               ->type_name("FILE.svg")] = {Values::Kind::file};
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_check(*a); }; });
}

void add_demo(CommandLine& c) {
  struct Input {
    DemoArguments arguments;
    Times times;
    std::string tolerance;
  };
  const auto input = std::make_shared<Input>();
  DemoArguments& a = input->arguments;
  CLI::App* command = c.app.add_subcommand("demo", "Run a built-in mechanism");
  command->footer(std::string(exit_codes) +
                  "Example: backlash demo slider-crank --solver lemke --step 1e-6 -o results");
  c.values[command->add_option("NAME", a.name, "Which mechanism:" + list_demos())->required()] = {
      Values::Kind::words, demo_names()};
  c.values[command->add_option("--solver", a.solver, solver_help())
               ->type_name("NAME")
               ->capture_default_str()] = {Values::Kind::words, solver_names()};
  add_times(*command, input->times);
  c.values[command
               ->add_option("--force-velocity", a.force_velocity,
                            "Velocity at which forces are evaluated: midpoint (predicted, second "
                            "order in free flight) or start (as the papers print it)")
               ->type_name("WHICH")
               ->capture_default_str()] = {Values::Kind::words, {"midpoint", "start"}};
  command->add_option("--tol", input->tolerance, "Tolerance on the solver's relative residual")
      ->type_name("X")
      ->default_str("1e-12");
  add_output(c, *command, a.output, "Folder for the results; without it none are written");
  command->callback([input, &c] {
    c.run = [input] {
      DemoArguments& arguments = input->arguments;
      input->times.put_into(arguments.step, arguments.until, arguments.every);
      if (!input->tolerance.empty())
        arguments.tolerance = parse_positive(input->tolerance, "--tol");
      return run_demo(arguments);
    };
  });
}

}  // namespace

void add_model_commands(CommandLine& command_line) {
  add_run(command_line);
  add_check(command_line);
  add_demo(command_line);
}

}  // namespace backlash::cli
