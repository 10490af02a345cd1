// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "command_line.h"
#include "commands.h"

namespace backlash::cli {
namespace {

void add_plot(CommandLine& c) {
  const auto a = std::make_shared<PlotArguments>();
  CLI::App* command =
      c.app.add_subcommand("plot", "Draw channels of a result as SVG or PNG, or list them");
  command->footer(
      "Without channels, lists those that there are. Channels may have * for any letters, and "
      "those "
      "of one\nunit share a chart.\n"
      "Exit codes: 0 done, 2 the input is wrong.\n"
      "Example: backlash plot slider_crank-results 'guide.*.gap' slider.vy --impacts -o gaps.png");
  c.values[command
               ->add_option("RESULT", a->result,
                            "Folder of a run, its results.h5, or one of its CSV files")
               ->required()] = {Values::Kind::file};
  command->add_option("CHANNEL", a->channels, "What to draw, such as slider.x or guide.1.gap");
  command->add_option("--against", a->against, "A channel in the place of the time")
      ->type_name("CHANNEL");
  c.values[command
               ->add_option("-o,--output", a->output,
                            "The picture, .svg or .png; - is SVG on standard output; "
                            "<first channel>.svg if not given")
               ->type_name("FILE")] = {Values::Kind::file};
  command->add_option("--from", a->from, "Begin of the time that is shown [s]")->type_name("TIME");
  command->add_option("--to", a->to, "End of the time that is shown [s]")->type_name("TIME");
  c.values[command->add_option("--log", a->log, "Logarithmic axes: x, y or xy")
               ->type_name("AXES")] = {Values::Kind::words, {"x", "y", "xy"}};
  command->add_flag("--impacts", a->impacts, "Mark impacts");
  command->add_flag("--equal", a->equal, "As long along x as along y, for orbits");
  command->add_option("--title", a->title, "In the place of the title of the model")
      ->type_name("TEXT");
  command
      ->add_option("--size", a->size, "Width and height of a chart in pixels, 760x300 if not given")
      ->type_name("WxH");
  command
      ->add_option("--snapshots", a->snapshots,
                   "Draw the mechanism at these times instead [s]: 0,0.01,0.02")
      ->type_name("T1,T2,...");
  command
      ->add_option("--exaggerate", a->exaggerate,
                   "Draw play in joints so many times as large in snapshots")
      ->type_name("FACTOR")
      ->needs("--snapshots");
  command->callback([a, &c] { c.run = [a] { return run_plot(*a); }; });
}

void add_info(CommandLine& c) {
  const auto a = std::make_shared<InfoArguments>();
  CLI::App* command = c.app.add_subcommand("info", "Say what a result holds, and where it is from");
  command->footer(
      "Exit codes: 0 done, 2 the input is wrong.\n"
      "Example: backlash info slider_crank-results");
  c.values[command
               ->add_option("RESULT", a->run,
                            "Folder of a run, its results.h5, or one of its CSV files")
               ->required()] = {Values::Kind::file};
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_info(*a); }; });
}

void add_compare(CommandLine& c) {
  const auto a = std::make_shared<CompareArguments>();
  CLI::App* command = c.app.add_subcommand(
      "compare", "Lay several runs, or several methods on one model, side by side");
  command->footer(
      "The first run is what the others are compared with.\n"
      "Exit codes: 0 done, 1 a run did not come to its end (what there is is compared), 2 the "
      "input is "
      "wrong.\n"
      "Example: backlash compare a-results b-results -o comparison.html\n"
      "Example: backlash compare model.yaml --solvers lemke,gauss-seidel --variant step=1e-6");
  c.values[command
               ->add_option("RUN", a->inputs,
                            "Folders or results.h5 of two or more runs, or one model file")
               ->required()] = {Values::Kind::file};
  c.values[command
               ->add_option("--methods", a->methods,
                            "Methods to run the model with: moreau,compliant")
               ->type_name("LIST")] = {Values::Kind::words, method_names()};
  c.values[command
               ->add_option("--solvers", a->solvers,
                            "Solvers of the contact problems: lemke,newton")
               ->type_name("LIST")] = {Values::Kind::words, solver_names()};
  command
      ->add_option("--variant", a->variants,
                   "Options of one more run of the model: method=moreau,step=1e-6; repeatable")
      ->type_name("KEY=VALUE,...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_overrides(*command, a->model);
  add_times(*command, a->simulation);
  command
      ->add_option(
          "--channel", a->channels,
          "What to compare, such as slider.x or 'guide.*.gap'; repeatable; the motion of all "
          "bodies if not given")
      ->type_name("CHANNEL")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--allowed-difference", a->tolerance,
                   "Part of the range of a channel by which runs may differ and still agree")
      ->type_name("SHARE")
      ->default_str("0.01");
  command
      ->add_option(
          "--impact-time", a->impact_time,
          "How far apart an impact may be in two runs [s]; a thousandth of the time, or two "
          "rows, if not given")
      ->type_name("TIME");
  c.values[command
               ->add_option("-o,--output", a->output,
                            "The comparison as a page, .html, or as .json")
               ->type_name("FILE")] = {Values::Kind::file};
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_compare(*a); }; });
}

void add_converge(CommandLine& c) {
  const auto a = std::make_shared<ConvergeArguments>();
  CLI::App* command = c.app.add_subcommand(
      "converge", "Run a model with finer and finer steps, and say which numbers converge");
  command->footer(
      "Halves the step, or divides the tolerance of a method with variable steps by ten, until "
      "the\n"
      "numbers are known; begins with the step of the model, or a hundred times its tolerance.\n"
      "Exit codes: 0 all numbers converge, 1 some do not or a run failed, 2 the input is wrong.\n"
      "Example: backlash converge model.yaml --channel slider.x --until 0.02 -o convergence.svg");
  add_model(c, *command, a->model);
  add_method(c, *command, a->simulation);
  command
      ->add_option("--channel", a->channels,
                   "What to look at, such as slider.x or '*.angle'; repeatable; positions of all "
                   "bodies if not given")
      ->type_name("CHANNEL")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--allowed-error", a->tolerance,
                   "Error that a number may have, as a part of the range of its channel")
      ->type_name("SHARE")
      ->default_str("1e-3");
  command->add_option("--levels", a->levels, "Runs at most; each costs twice the one before")
      ->type_name("N")
      ->default_str("8");
  command
      ->add_option("--first-impacts", a->impacts, "Times of the first impacts of so many contacts")
      ->type_name("N")
      ->default_str("3");
  c.values[command->add_option("-o,--output", a->output, "A log-log picture, .svg or .png")
               ->type_name("FILE")] = {Values::Kind::file};
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &c] { c.run = [a] { return run_converge(*a); }; });
}

}  // namespace

void add_result_commands(CommandLine& command_line) {
  add_info(command_line);
  add_plot(command_line);
  add_compare(command_line);
  add_converge(command_line);
}

}  // namespace backlash::cli
