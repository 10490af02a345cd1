// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/io/hdf5_file.h"
#include "backlash/solvers/solver_table.h"
#include "commands.h"
#include "numbers.h"

/// The program `backlash`. Each subcommand has one function here, which says how its arguments are
/// written, and one in commands.h, which does the work. CLI11 stays in this file: it takes long to
/// compile.
namespace backlash::cli {
namespace {

using Run = std::function<int()>;  ///< what to do once everything is parsed; gives the exit code

std::string solver_help() {
  std::string text = "Which solver, or 'all':";
  for (const SolverEntry& solver : solver_table())
    text += fmt::format("\n  {}: {}", solver.name, solver.summary);
  return text;
}

void add_solve(CLI::App& app, Run& run) {
  struct Input {
    SolveArguments arguments;
    std::string problem, write;
    std::optional<std::string> tolerance, max_iterations, facets;
  };
  const auto input = std::make_shared<Input>();
  CLI::App* command =
      app.add_subcommand("solve", "Solve a stored contact problem with one or all solvers");
  command->footer(
      "Reads local problems in FCLib's HDF5 format, as FCLib and Siconos write them.\n"
      "Exit codes: 0 solved (by at least one solver, if all are asked), 1 not solved,\n"
      "2 the input is wrong.\n"
      "Example: backlash solve problem.hdf5 --solver all --tol 1e-8");
  command->add_option("PROBLEM", input->problem, "The problem, an HDF5 file")->required();
  command->add_option("--solver", input->arguments.solver, solver_help())
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--tol", input->tolerance, "Tolerance on the residual over the norm of q")
      ->type_name("X")
      ->default_str("1e-10");
  command->add_option("--max-iterations", input->max_iterations, "Iterations, sweeps or pivots")
      ->type_name("N")
      ->default_str("10000");
  command
      ->add_option("--facets", input->facets,
                   "Sides of the polyhedral friction cone, where a solver needs one")
      ->type_name("N")
      ->default_str("8");
  command->add_flag("--warm-start", input->arguments.warm_start,
                    "Begin with the first guess that the file holds");
  command->add_flag("--json", input->arguments.json, "Print JSON, with the impulses");
  command
      ->add_option("--write", input->write,
                   "Copy the problem to FILE and add the solution of the first solver in the "
                   "table that found one")
      ->type_name("FILE");
  command->callback([input, &run] {
    run = [input] {
      SolveArguments& a = input->arguments;
      a.problem = input->problem;
      a.write = input->write;
      if (input->tolerance) a.tolerance = parse_positive(*input->tolerance, "--tol");
      if (input->max_iterations)
        a.max_iterations = parse_count(*input->max_iterations, 1, "--max-iterations");
      if (input->facets) a.facets = parse_count(*input->facets, 3, "--facets");
      return run_solve(a);
    };
  });
}

/// "step" or a time.
double parse_every(const std::string& text) {
  return text == "step" ? 0 : parse_positive(text, "--every");
}

/// Options of all commands that run a mechanism.
void add_output(CLI::App& command, OutputArguments& output, const char* folder_help) {
  command.add_option("-o,--output", output.folder, folder_help)->type_name("DIR");
  command
      .add_option("--format", output.formats,
                  "What to write: csv (states.csv, contacts.csv, events.csv), hdf5 (results.h5)")
      ->type_name("LIST")
      ->capture_default_str();
  command.add_flag("--steps", output.steps, "Write every step too, as a table of its own");
  command.add_flag("--force", output.force, "Replace results that are in the folder");
  command.add_flag("--quiet", output.quiet, "Print no summary and no progress");
  command.add_flag("--json", output.json, "Print the summary as JSON");
}

void add_demo(CLI::App& app, Run& run) {
  struct Input {
    DemoArguments arguments;
    std::string step, until, every, tolerance;
  };
  const auto input = std::make_shared<Input>();
  DemoArguments& a = input->arguments;
  CLI::App* command = app.add_subcommand("demo", "Run a built-in mechanism");
  command->footer(
      "Exit codes: 0 done, 1 the run failed (what was computed is on disk), 2 the input is wrong.\n"
      "Example: backlash demo slider-crank --solver lemke --step 1e-6 -o results");
  command->add_option("NAME", a.name, "Which mechanism:" + list_demos())->required();
  command->add_option("--solver", a.solver, solver_help())
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--step", input->step, "Length of a step [s]")->type_name("S");
  command->add_option("--until", input->until, "End of the run [s]")->type_name("S");
  command
      ->add_option("--every", input->every,
                   "Time between two rows of output [s], or 'step' for each step")
      ->type_name("S");
  command
      ->add_option("--force-velocity", a.force_velocity,
                   "Velocity at which forces are evaluated: midpoint (predicted, second order in "
                   "free flight) or start (as the papers print it)")
      ->type_name("WHICH")
      ->capture_default_str();
  command->add_option("--tol", input->tolerance, "Tolerance on the solver's relative residual")
      ->type_name("X")
      ->default_str("1e-12");
  add_output(*command, a.output, "Folder for the results; without it none are written");
  command->callback([input, &run] {
    run = [input] {
      DemoArguments& arguments = input->arguments;
      if (!input->step.empty()) arguments.step = parse_positive(input->step, "--step");
      if (!input->until.empty()) arguments.until = parse_positive(input->until, "--until");
      if (!input->every.empty()) arguments.every = parse_every(input->every);
      if (!input->tolerance.empty())
        arguments.tolerance = parse_positive(input->tolerance, "--tol");
      return run_demo(arguments);
    };
  });
}

void add_run(CLI::App& app, Run& run) {
  struct Input {
    RunArguments arguments;
    std::string step, until, every;
  };
  const auto input = std::make_shared<Input>();
  RunArguments& a = input->arguments;
  CLI::App* command = app.add_subcommand("run", "Run a model");
  command->footer(
      "Options go before what the model says.\n"
      "Exit codes: 0 done, 1 the run failed (what was computed is on disk), 2 the input is wrong.\n"
      "Example: backlash run model.yaml --set c='0.5 mm' --step 1e-6 -o results");
  command->add_option("MODEL", a.model, "The model, a YAML file")->required();
  command->add_option("--set", a.set, "Give a parameter of the model another value; repeatable")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_output(*command, a.output, "Folder for the results; <model>-results if not said");
  command->add_option("--method", a.method, "Method of integration: moreau")->type_name("NAME");
  command->add_option("--solver", a.solver, solver_help())->type_name("NAME");
  command->add_option("--step", input->step, "Length of a step [s]")->type_name("S");
  command->add_option("--until", input->until, "End of the run [s]")->type_name("S");
  command
      ->add_option("--every", input->every,
                   "Time between two rows of output [s], or 'step' for each step")
      ->type_name("S");
  command->add_option("--law", a.laws)
      ->group("")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);  // not there yet: refused with a hint
  command->callback([input, &run] {
    run = [input] {
      RunArguments& arguments = input->arguments;
      if (!input->step.empty()) arguments.step = parse_positive(input->step, "--step");
      if (!input->until.empty()) arguments.until = parse_positive(input->until, "--until");
      if (!input->every.empty()) arguments.every = parse_every(input->every);
      return run_run(arguments);
    };
  });
}

/// All subcommands, in the order of the help.
void add_commands(CLI::App& app, Run& run) {
  add_run(app, run);
  add_demo(app, run);
  add_solve(app, run);
}

int report(std::string_view complaint, ExitCode code) {
  std::fflush(stdout);
  fmt::print(stderr, "backlash: {}\n", complaint);
  return code;
}

/// CLI11 would only say that a subcommand is missing.
void require_known_command(const CLI::App& app, std::string_view word) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == word) return;
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw InputError(fmt::format("there is no command '{}'; there are: {}", word, names));
}

int run_program(int argc, char** argv) {
  CLI::App app("Backlash simulates mechanisms whose parts touch.", "backlash");
  app.set_version_flag("--version", fmt::format("backlash {}", version()));
  app.require_subcommand(1);
  app.footer("'backlash COMMAND --help' says more about a command.");
  Run run;
  add_commands(app, run);
  if (argc > 1 && argv[1][0] != '-') require_known_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return report(fmt::format("{} (see 'backlash --help')", error.what()), exit_wrong_input);
  }
  const int code = run();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return report("what it has to say cannot be written to standard output", exit_failed);
  return code;
}

}  // namespace
}  // namespace backlash::cli

int main(int argc, char** argv) {
  using namespace backlash;
  leave_hdf5_at_exit();
  try {
    return cli::run_program(argc, argv);
  } catch (const InputError& error) {
    return cli::report(error.what(), cli::exit_wrong_input);
  } catch (const std::bad_alloc&) {
    return cli::report("there is not enough memory for this", cli::exit_failed);
  } catch (const std::exception& error) {
    return cli::report(error.what(), cli::exit_failed);
  }
}
