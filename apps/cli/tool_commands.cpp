// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/io/model/model_reader.h"
#include "command_line.h"
#include "commands.h"
#include "examples.h"
#include "numbers.h"

namespace backlash::cli {
namespace {

void add_solve(CommandLine& c) {
  struct Input {
    SolveArguments arguments;
    std::string problem, write, output;
    std::optional<std::string> tolerance, max_iterations, facets;
  };
  const auto input = std::make_shared<Input>();
  CLI::App* command =
      c.app.add_subcommand("solve", "Solve a stored contact problem with one or all solvers");
  command->footer(
      "Reads local problems in FCLib's HDF5 format, as FCLib and Siconos write them.\n"
      "Exit codes: 0 solved (by at least one solver, if all are asked), 1 not solved,\n"
      "2 the input is wrong.\n"
      "Example: backlash solve problem.hdf5 --solver all --tol 1e-8");
  c.values[command->add_option("PROBLEM", input->problem, "The problem, an HDF5 file")
               ->required()] = {Values::Kind::file};
  std::vector<std::string> solvers = solver_names();
  solvers.emplace_back("all");
  c.values[command
               ->add_option("--solver", input->arguments.solver,
                            solver_help("Which solver, or 'all':"))
               ->type_name("NAME")
               ->capture_default_str()] = {Values::Kind::words, solvers};
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
  c.values[command
               ->add_option("--write", input->write,
                            "Copy the problem to FILE and add the solution of the first solver in "
                            "the table that found one")
               ->type_name("FILE")] = {Values::Kind::file};
  c.values[command
               ->add_option("-o,--output", input->output,
                            "Write the impulses of all solvers to FILE, solved or not, as CSV")
               ->type_name("FILE")] = {Values::Kind::file};
  command->callback([input, &c] {
    c.run = [input] {
      SolveArguments& a = input->arguments;
      a.problem = input->problem;
      a.write = input->write;
      a.output = input->output;
      if (input->tolerance) a.tolerance = parse_positive(*input->tolerance, "--tol");
      if (input->max_iterations)
        a.max_iterations = parse_count(*input->max_iterations, 1, "--max-iterations");
      if (input->facets) a.facets = parse_count(*input->facets, 3, "--facets");
      return run_solve(a);
    };
  });
}

void add_report(CommandLine& c) {
  const auto a = std::make_shared<ReportArguments>();
  CLI::App* command =
      c.app.add_subcommand("report", "Turn a run into a page with player, plots and tables");
  command->footer(
      "The page is one file that needs no network: open it in a browser, or send it.\n"
      "Example: backlash report slider_crank-results && xdg-open slider_crank-results/report.html");
  c.values[command->add_option("RESULT", a->run, "A folder of results, or its results.h5")
               ->required()] = {Values::Kind::file};
  c.values[command
               ->add_option("-o,--output", a->page,
                            "The page; report.html beside the results if not given")
               ->type_name("FILE")] = {Values::Kind::file};
  command
      ->add_option("--show", a->shown,
                   "Channels that the page begins with; * stands for any letters")
      ->type_name("CHANNEL")
      ->delimiter(',');
  command->callback([a, &c] { c.run = [a] { return run_report(*a); }; });
}

void add_examples(CommandLine& c) {
  const auto a = std::make_shared<ExamplesArguments>();
  CLI::App* command =
      c.app.add_subcommand("examples", "List the examples, or copy one to a folder of your own");
  command->footer(
      "Example: backlash examples slider_crank && backlash run slider_crank/model.yaml");
  c.values[command->add_option("NAME", a->name, "Which to copy; without it all are listed")] = {
      Values::Kind::words, example_names()};
  c.values[command->add_option("-o,--output", a->folder, "Folder to copy it to; NAME if not given")
               ->type_name("DIR")] = {Values::Kind::folder};
  command->add_flag("-f,--force", a->force, "Replace files that are there");
  command->callback([a, &c] { c.run = [a] { return run_examples(*a); }; });
}

void add_new(CommandLine& c) {
  const auto a = std::make_shared<NewArguments>();
  CLI::App* command = c.app.add_subcommand("new", "Begin a model of your own from a template");
  command->footer("Example: backlash new --template pendulum -o pendulum.yaml");
  c.values[command->add_option("--template", a->name, "Which template; without it all are listed")
               ->type_name("NAME")] = {Values::Kind::words, template_names()};
  c.values[command->add_option("-o,--output", a->file, "The file to write; - is standard output")
               ->type_name("FILE")
               ->capture_default_str()] = {Values::Kind::file};
  command->add_flag("-f,--force", a->force, "Replace the file if it is there");
  command->callback([a, &c] { c.run = [a] { return run_new(*a); }; });
}

void add_schema(CommandLine& c) {
  CLI::App* command =
      c.app.add_subcommand("schema", "Print the JSON Schema of model files, for editors");
  command->footer(
      "Editors that speak the YAML language server take it from a first line in the model:\n"
      "# yaml-language-server: $schema=backlash.schema.json\n"
      "Example: backlash schema > backlash.schema.json");
  command->callback([&c] {
    c.run = [] {
      fmt::print("{}", model_schema());
      return int{exit_done};
    };
  });
}

void add_completions(CommandLine& c) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command =
      c.app.add_subcommand("completions", "Print a script that lets a shell complete commands");
  command->footer(
      "bash: source <(backlash completions bash)\n"
      "zsh:  source <(backlash completions zsh)\n"
      "fish: backlash completions fish | source");
  c.values[command->add_option("SHELL", *shell, "bash, zsh or fish")->required()] = {
      Values::Kind::words, shells()};
  command->callback([shell, &c] {
    c.run = [shell, &c] {
      fmt::print("{}", completion_script(*shell, describe(c)));
      return int{exit_done};
    };
  });
}

/// `backlash help COMMAND` is `backlash COMMAND --help`.
void add_help(CommandLine& c) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command = c.app.add_subcommand("help", "Say how a command is used");
  command->add_option("COMMAND", *name, "Which command; without it all are listed");
  command->callback([name, &c] {
    c.run = [name, &c] {
      std::vector<std::string> names;
      const CLI::App* asked = name->empty() ? &c.app : nullptr;
      for (const CLI::App* each : c.app.get_subcommands(nullptr)) {
        names.push_back(each->get_name());
        if (each->get_name() == *name) asked = each;
      }
      if (!asked)
        throw InputError(
            fmt::format("there is no command '{}'{}", *name, did_you_mean(*name, names)));
      const std::string program = name->empty() ? "backlash" : "backlash " + *name;
      fmt::print("{}",
                 c.app.get_formatter()->make_help(asked, program, CLI::AppFormatMode::Normal));
      return int{exit_done};
    };
  });
}

void add_doctor(CommandLine& c) {
  const auto a = std::make_shared<DoctorArguments>();
  CLI::App* command =
      c.app.add_subcommand("doctor", "Look whether the program works here, and say what it is");
  command->footer("Exit codes: 0 all is well, 1 something is not.");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_doctor(*a); }; });
}

}  // namespace

void add_tool_commands(CommandLine& command_line) {
  add_report(command_line);
  add_solve(command_line);
  add_examples(command_line);
  add_new(command_line);
  add_schema(command_line);
  add_completions(command_line);
  add_doctor(command_line);
  add_help(command_line);
}

}  // namespace backlash::cli
