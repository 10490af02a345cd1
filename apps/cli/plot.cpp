// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/draw/chart.h"
#include "backlash/io/model/option_text.h"
#include "backlash/study/run_charts.h"
#include "backlash/study/snapshots.h"
#include "commands.h"
#include "numbers.h"
#include "picture_file.h"
#include "trial_reading.h"

namespace backlash::cli {
namespace {

int print_channels(const Results& results) {
  for (const Channel& channel : list_channels(results))
    fmt::print("{:<40} {}\n", channel.name, channel.unit);
  return exit_done;
}

/// "800x300".
std::pair<double, double> parse_size(const std::string& text) {
  const std::size_t between = text.find('x');
  const auto side = [&](const std::string& part) {
    return parse_quantity(part, "", {NumberRange::Kind::positive}, "--size");
  };
  if (between == std::string::npos)
    throw InputError(
        fmt::format("--size: found '{}', expected width and height in pixels, as 760x300", text));
  const std::pair<double, double> size{side(text.substr(0, between)),
                                       side(text.substr(between + 1))};
  if (size.first < 240 || size.second < 160 || size.first > 10000 || size.second > 10000)
    throw InputError(
        fmt::format("--size: found '{}', expected from 240x160 to 10000x10000 pixels", text));
  return size;
}

double parse_instant(const std::string& text, const std::string& option) {
  return parse_quantity(text, "s", {}, option);
}

/// The part of the time that is shown, if the user says it.
std::optional<std::pair<double, double>> shown_time(const PlotArguments& a,
                                                    const Results& results) {
  if (!a.from && !a.to) return {};
  const double from = a.from ? parse_instant(*a.from, "--from") : results.states.values(0, 0);
  const double to = a.to ? parse_instant(*a.to, "--to") : results.t_end();
  if (!(from < to))
    throw InputError(fmt::format("--from {} s and --to {} s leave no time to show", from, to));
  if (to < results.states.values(0, 0) || from > results.t_end())
    throw InputError(fmt::format("the run has no rows from {} s to {} s: it goes from {} s to {} s",
                                 from, to, results.states.values(0, 0), results.t_end()));
  return std::pair(from, to);
}

void set_log_axes(const std::string& axes, ChartPage& page) {
  if (axes.find_first_not_of("xy") != std::string::npos)
    throw InputError(fmt::format("--log: found '{}', expected x, y or xy", axes));
  for (Chart& chart : page.charts) {
    if (axes.find('x') != std::string::npos) chart.x.scale = AxisScale::logarithmic;
    if (axes.find('y') != std::string::npos) chart.y.scale = AxisScale::logarithmic;
  }
}

/// `slider.x.svg` in the current folder, if nobody says where to.
std::filesystem::path output_of(const PlotArguments& a, const std::string& first_channel) {
  if (!a.output.empty()) return a.output;
  std::string name = first_channel;
  std::ranges::replace(name, '/', '_');
  return name + ".svg";
}

int write_snapshots(const PlotArguments& a, const Results& results) {
  if (!a.channels.empty())
    throw InputError("--snapshots draws the mechanism, not channels: leave one of them out");
  std::vector<double> times;
  std::istringstream parts(*a.snapshots);
  for (std::string part; std::getline(parts, part, ',');)
    times.push_back(parse_instant(part, "--snapshots"));
  if (times.empty()) throw InputError("--snapshots: expected times as 0,0.01,0.02");
  SnapshotOptions options{.title = a.title.value_or(results.run.title)};
  if (a.size) options.width = parse_size(*a.size).first;
  if (a.exaggerate) options.exaggeration = parse_exaggeration(*a.exaggerate);
  const std::filesystem::path file = a.output.empty() ? "snapshots.svg" : a.output;
  write_picture(file, snapshots_svg(results, times, options));
  if (file != "-") fmt::print("{}\n", file.string());
  return exit_done;
}

}  // namespace

int run_plot(const PlotArguments& a) {
  if (!a.output.empty()) require_picture_name(a.output);
  const Results results = read_run_after_trial(a.result);
  if (a.snapshots) return write_snapshots(a, results);
  if (a.channels.empty()) return print_channels(results);
  const std::vector<std::string> channels = match_channels(results, a.channels);
  RunChartOptions options{.against = a.against,
                          .time = shown_time(a, results),
                          .impacts = a.impacts,
                          .equal_scale = a.equal};
  ChartPage page = run_charts(results, channels, options);
  if (a.title) page.title = *a.title;
  if (a.size) std::tie(page.width, page.height) = parse_size(*a.size);
  set_log_axes(a.log, page);
  const std::filesystem::path file = output_of(a, channels.front());
  write_picture(file, chart_svg(page));
  if (file != "-") fmt::print("{}\n", file.string());
  return exit_done;
}

}  // namespace backlash::cli
