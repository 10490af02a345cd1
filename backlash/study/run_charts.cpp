// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/run_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace backlash {
namespace {

std::string option_text(const RunDescription& run, const std::string& name) {
  const auto found = std::ranges::find(run.options, name, &NamedValue::name);
  if (found == run.options.end()) return {};
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, found->value);
}

/// The chart of a unit, which is begun if there is none yet.
Chart& chart_of_unit(ChartPage& page, const std::string& unit) {
  for (Chart& chart : page.charts)
    if (chart.y.unit == unit) return chart;
  page.charts.push_back({.y = {.unit = unit}});
  return page.charts.back();
}

/// y over its own time, or against x at its times.
ChartSeries curve(const Series& y, const std::optional<Series>& x, const RunChartOptions& options) {
  ChartSeries curve{.name = y.name};
  const bool same_rows = x && x->t.size() == y.t.size() && x->t == y.t;
  for (Eigen::Index i = 0; i < y.t.size(); ++i) {
    if (options.time && (y.t[i] < options.time->first || y.t[i] > options.time->second)) continue;
    curve.x.push_back(!x ? y.t[i] : same_rows ? x->values[i] : value_at(*x, y.t[i]));
    curve.y.push_back(y.values[i]);
  }
  return curve;
}

/// Over the time a line at each impact; against a channel a point on each curve.
void mark_impacts(const Results& results, const std::vector<Series>& drawn,
                  const std::optional<Series>& x, const RunChartOptions& options, Chart& chart) {
  for (const RunEvent& impact : list_events(results, "impact")) {
    if (options.time && (impact.t < options.time->first || impact.t > options.time->second))
      continue;
    if (!x) {
      chart.marks.push_back({.x = impact.t});
      continue;
    }
    for (const Series& series : drawn)
      if (std::ranges::find(chart.series, series.name, &ChartSeries::name) != chart.series.end())
        chart.marks.push_back({.x = value_at(*x, impact.t), .y = value_at(series, impact.t)});
  }
}

std::string quantity_of(const std::string& name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

std::string common_name(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  const auto same_quantity = [&](const std::string& name) {
    return quantity_of(name) == quantity_of(names.front());
  };
  if (std::ranges::all_of(names, same_quantity)) return quantity_of(names.front());
  std::string common = names.front();
  for (const std::string& name : names)
    common.erase(std::ranges::mismatch(common, name).in1, common.end());
  if (common.find('.') == std::string::npos) return "";
  if (common.back() == '.') common.pop_back();
  return common;
}

double value_at(const Series& series, double t) {
  const auto begin = series.t.begin(), end = series.t.end();
  const auto next = std::lower_bound(begin, end, t);
  if (next == end) return NAN;
  const Eigen::Index i = next - begin;
  if (*next == t) return series.values[i];
  if (i == 0) return NAN;
  const double share = (t - series.t[i - 1]) / (series.t[i] - series.t[i - 1]);
  return series.values[i - 1] + share * (series.values[i] - series.values[i - 1]);
}

std::vector<std::string> run_notes(const Results& results) {
  std::vector<std::string> notes;
  std::string method = option_text(results.run, "method");
  for (const char* key : {"solver", "step", "integrator", "relative_tolerance"})
    if (const std::string text = option_text(results.run, key); !text.empty())
      method += fmt::format(", {} {}{}", key, text,
                            key == std::string_view("step") && text != "auto" ? " s" : "");
  if (!method.empty()) notes.push_back("method " + method);
  if (results.partial())
    notes.push_back(fmt::format("{}: results end at t = {:g} s",
                                results.status == "running" ? "the run was killed, or goes on"
                                                            : "the run " + results.status,
                                results.t_end()));
  return notes;
}

ChartPage run_charts(const Results& results, const std::vector<std::string>& channels,
                     const RunChartOptions& options) {
  ChartPage page{.title = results.run.title, .notes = run_notes(results)};
  std::optional<Series> x;
  if (options.against) x = find_series(results, *options.against);
  std::vector<Series> drawn;
  for (const std::string& channel : channels) {
    drawn.push_back(find_series(results, channel));
    chart_of_unit(page, drawn.back().unit).series.push_back(curve(drawn.back(), x, options));
  }
  for (Chart& chart : page.charts) {
    std::vector<std::string> names;
    for (const ChartSeries& series : chart.series) names.push_back(series.name);
    chart.y.name = common_name(names);
    chart.x.name = x ? x->name : "t";
    chart.x.unit = x ? x->unit : "s";
    chart.equal_scale = options.equal_scale;
    if (!x && options.time) chart.x.range = options.time;
    if (options.impacts) mark_impacts(results, drawn, x, options, chart);
    if (&chart == &page.charts.front()) chart.marks_name = "impacts";
  }
  return page;
}

}  // namespace backlash
