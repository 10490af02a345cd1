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
  command->callback([a, &c] { c.run = [a] { return run_plot(*a); }; });
}

}  // namespace

void add_result_commands(CommandLine& command_line) { add_plot(command_line); }

}  // namespace backlash::cli
