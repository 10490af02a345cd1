// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "backlash/study/converge.h"

namespace backlash {
namespace {

/// Refined options of the runs that came to their end.
std::vector<double> steps_of(const ConvergeOutcome& outcome) {
  std::vector<double> steps;
  for (const ConvergeLevel& level : outcome.levels)
    if (level.status == "done") steps.push_back(level.h);
  return steps;
}

/// What changed a number when the step was refined, as a part of its scale.
ChartSeries changes_of(const RefinedQuantity& quantity, const std::vector<double>& steps) {
  ChartSeries series{.name = quantity.name, .marks = true};
  for (std::size_t k = 0; k + 1 < quantity.values.size(); ++k) {
    series.x.push_back(steps[k]);
    series.y.push_back(std::abs(quantity.values[k + 1] - quantity.values[k]) / quantity.scale);
  }
  return series;
}

double last_change(const RefinedQuantity& quantity) {
  const std::size_t n = quantity.values.size();
  return n < 2 ? 0 : std::abs(quantity.values[n - 1] - quantity.values[n - 2]) / quantity.scale;
}

bool has_changes(const RefinedQuantity& quantity) {
  return quantity.estimate.verdict != Convergence::exact && last_change(quantity) > 0;
}

/// Those that change the most, if there are many.
std::vector<const RefinedQuantity*> shown_quantities(const ConvergeOutcome& outcome) {
  constexpr std::size_t most = 6;
  std::vector<const RefinedQuantity*> shown;
  for (const RefinedQuantity& quantity : outcome.quantities)
    if (has_changes(quantity)) shown.push_back(&quantity);
  std::ranges::stable_sort(shown, std::greater{},
                           [](const RefinedQuantity* q) { return last_change(*q); });
  shown.resize(std::min(shown.size(), most));
  return shown;
}

/// Where numbers are to come to.
ChartSeries tolerance_line(const ConvergeOutcome& outcome, const std::vector<double>& steps) {
  const double tolerance = outcome.options.tolerance;
  return {.name = fmt::format("tolerance {:g}", tolerance),
          .x = {steps.back(), steps.front()},
          .y = {tolerance, tolerance}};
}

}  // namespace

ChartPage converge_charts(const ConvergeOutcome& outcome) {
  const std::vector<double> steps = steps_of(outcome);
  ChartPage page{.title = outcome.title, .height = 380};
  page.notes.push_back(fmt::format("method {}: what each number changes by when {} is refined",
                                   outcome.method, outcome.refined.key));
  if (steps.size() < 2) return page;
  const ChartAxis h{
      .name = outcome.refined.key, .unit = outcome.refined.unit, .scale = AxisScale::logarithmic};
  Chart changes{
      .x = h,
      .y = {
          .name = "change, as a part of the range", .unit = "-", .scale = AxisScale::logarithmic}};
  for (const RefinedQuantity* quantity : shown_quantities(outcome))
    changes.series.push_back(changes_of(*quantity, steps));
  changes.series.push_back(tolerance_line(outcome, steps));
  page.charts.push_back(std::move(changes));
  if (!outcome.parted()) return page;
  Chart times{.x = h, .y = {.name = "agreement with the next run until t", .unit = "s"}};
  ChartSeries least{.name = "in all channels", .marks = true};
  for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
    double until = INFINITY;
    for (const Agreement& agreement : outcome.agreements)
      until = std::min(until, agreement.until[k]);
    least.x.push_back(steps[k]);
    least.y.push_back(until);
  }
  times.series.push_back(std::move(least));
  page.charts.push_back(std::move(times));
  return page;
}

}  // namespace backlash
