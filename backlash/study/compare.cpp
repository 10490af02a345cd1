// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/compare.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/study/motion_channels.h"
#include "backlash/study/run_charts.h"

namespace backlash {
namespace {

bool has_channel(const Results& results, const std::string& name) {
  return std::ranges::any_of(list_channels(results),
                             [&](const Channel& channel) { return channel.name == name; });
}

/// Those of the first run that all have. What a user names must be in all.
void choose_channels(std::span<const ComparedRun> runs, const CompareOptions& options,
                     Comparison& out) {
  const Results& first = runs.front().results;
  const bool asked = !options.channels.empty();
  constexpr MotionKind kind = MotionKind::positions_and_velocities;
  std::vector<std::string> wanted =
      asked ? match_channels(first, options.channels) : motion_channels(first, kind);
  if (wanted.empty()) wanted = body_channels(first, kind);  // nothing moves
  for (const std::string& name : wanted) {
    const auto lacks = std::ranges::find_if(
        runs, [&](const ComparedRun& run) { return !has_channel(run.results, name); });
    if (lacks == runs.end()) {
      out.channels.push_back(name);
      continue;
    }
    out.left_out.push_back(name);
    if (asked && options.channels.size() == wanted.size()) find_series(lacks->results, name);
  }
  if (out.channels.empty())
    throw InputError(
        fmt::format("'{}' and the others share no channel to compare", runs.front().name));
}

double longest_row(const Results& results) {
  const Vector t = results.states.column("t");
  double longest = 0;
  for (Eigen::Index i = 1; i < t.size(); ++i) longest = std::max(longest, t[i] - t[i - 1]);
  return longest;
}

void find_common_time(std::span<const ComparedRun> runs, const CompareOptions& options,
                      Comparison& out) {
  out.t_start = -INFINITY;
  out.t_end = INFINITY;
  double row = 0;
  for (const ComparedRun& run : runs) {
    out.t_start = std::max(out.t_start, run.results.states.values(0, 0));
    out.t_end = std::min(out.t_end, run.results.t_end());
    row = std::max(row, longest_row(run.results));
  }
  if (!(out.t_start < out.t_end)) throw InputError("the runs have no time in common");
  out.impact_time = std::isnan(options.impact_time)
                        ? std::max(1e-3 * (out.t_end - out.t_start), 2 * row)
                        : options.impact_time;
}

std::vector<RunEvent> impacts_until(const Results& results, double t_end) {
  std::vector<RunEvent> impacts = list_events(results, "impact");
  std::erase_if(impacts, [&](const RunEvent& impact) { return impact.t > t_end; });
  return impacts;
}

std::vector<Series> all_series(const Results& results, const std::vector<std::string>& channels) {
  std::vector<Series> series;
  for (const std::string& name : channels) series.push_back(find_series(results, name));
  return series;
}

RunComparison compare_with(const std::vector<Series>& reference, const ComparedRun& first,
                           const ComparedRun& other, const Comparison& out) {
  RunComparison found{.name = other.name, .agree_until = out.t_end};
  for (const Series& series : reference) {
    const SeriesDifference d =
        difference(series, find_series(other.results, series.name),
                   {.tolerance = out.tolerance, .impact_time = out.impact_time},
                   least_scale(reference, series.unit));
    found.agree_until = std::fmin(found.agree_until, d.t_disagree);
    found.differences.push_back(d);
  }
  found.impacts = match_impacts(impacts_until(first.results, out.t_end),
                                impacts_until(other.results, out.t_end), out.impact_time);
  return found;
}

}  // namespace

Comparison compare_runs(std::span<const ComparedRun> runs, const CompareOptions& options) {
  if (runs.size() < 2) throw InputError("a comparison needs at least two runs");
  Comparison out{.title = runs.front().results.run.title,
                 .reference = runs.front().name,
                 .tolerance = options.tolerance};
  choose_channels(runs, options, out);
  find_common_time(runs, options, out);
  for (const ComparedRun& run : runs)
    out.notes.push_back(fmt::format("{}: {}", run.name, fmt::join(run_notes(run.results), "; ")));
  for (const ComparedRun& run : runs)
    if (run.results.run.title != runs.front().results.run.title)
      out.notes.push_back(fmt::format("{}: another model, '{}'", run.name, run.results.run.title));
  const std::vector<Series> reference = all_series(runs.front().results, out.channels);
  for (const ComparedRun& run : runs.subspan(1))
    out.runs.push_back(compare_with(reference, runs.front(), run, out));
  return out;
}

}  // namespace backlash
