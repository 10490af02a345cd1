// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "backlash/draw/chart.h"
#include "backlash/study/compare.h"

namespace backlash {
namespace {

std::string html(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else
      result.push_back(c);
  }
  return result;
}

constexpr const char* style = R"(<style>
body { font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; color: #222; background: #fff; max-width: 62rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; text-align: right; }
th { border-bottom: 1px solid #222; font-weight: 600; } td { border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; } .differs { font-weight: 700; }
.differs::after { content: " ✗"; } .same::after { content: " ✓"; } p.note { color: #555; }
svg { max-width: 100%; height: auto; display: block; }
</style>)";

/// "0.064 %", "104 %"
std::string percent_text(double share) {
  return share < 1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string time_text(double t) { return fmt::format("{:.5g} s", t); }

std::string row_of(const SeriesDifference& d) {
  const std::string unit = d.unit == "-" ? "" : " " + d.unit;
  return fmt::format(
      "<tr><td>{}</td><td>{:.3g}{}</td><td>{}</td><td>{}</td><td>{:.3g}{}</td>"
      "<td class=\"{}\">{}</td></tr>\n",
      html(d.channel), d.max, unit, percent_text(d.max / d.scale), time_text(d.t_max), d.rms, unit,
      d.agree() ? "same" : "differs", d.agree() ? "never" : time_text(d.t_disagree));
}

std::string impacts_text(const ImpactMatch& m) {
  if (m.reference + m.other == 0) return "<p>Neither run has impacts.</p>\n";
  std::string text =
      fmt::format("<p>Hard impacts with a partner: {} of {} in the first run, {} of {} in this one",
                  m.matched_reference, m.reference, m.matched_other, m.other);
  if (m.matched_reference + m.matched_other > 0)
    text += fmt::format(
        "; partners are at most {:.3g} s apart, and their speeds of approach differ by at most "
        "{}",
        m.largest_shift, percent_text(m.largest_speed_difference));
  if (!m.all())
    text += fmt::format("; the first without one is at {}", time_text(m.t_first_unmatched));
  return text + ".</p>\n";
}

std::string section(const RunComparison& run, const Comparison& c) {
  std::string text = fmt::format("<h2>{} beside {}</h2>\n", html(run.name), html(c.reference));
  text +=
      run.agree_until < c.t_end
          ? fmt::format("<p>They agree until {} within {:g} % of the range of each channel.</p>\n",
                        time_text(run.agree_until), 100 * c.tolerance)
          : fmt::format(
                "<p>They agree to the end, {}, within {:g} % of the range of each "
                "channel.</p>\n",
                time_text(c.t_end), 100 * c.tolerance);
  text += impacts_text(run.impacts);
  text +=
      "<table><tr><th>channel</th><th>largest difference</th><th>of the range</th><th>at</th>"
      "<th>RMS</th><th>disagrees from</th></tr>\n";
  for (const SeriesDifference& d : run.differences) text += row_of(d);
  return text + "</table>\n";
}

/// The largest difference of any run, as a part of the range.
double worst_of(const Comparison& c, std::size_t channel) {
  double worst = 0;
  for (const RunComparison& run : c.runs)
    worst = std::max(worst, run.differences[channel].rms / run.differences[channel].scale);
  return worst;
}

ChartSeries curve_of(const std::string& name, const Series& series, const Comparison& c) {
  ChartSeries curve{.name = name};
  for (Eigen::Index i = 0; i < series.t.size(); ++i)
    if (c.t_start <= series.t[i] && series.t[i] <= c.t_end) {
      curve.x.push_back(series.t[i]);
      curve.y.push_back(series.values[i]);
    }
  return curve;
}

/// All runs in one chart, and below it how far each is from the first.
std::string charts_of(std::span<const ComparedRun> runs, const std::string& channel,
                      const Comparison& c) {
  const ChartAxis t{.name = "t", .unit = "s", .range = std::pair(c.t_start, c.t_end)};
  const Series first = find_series(runs.front().results, channel);
  Chart values{.x = t, .y = {.name = channel, .unit = first.unit}};
  Chart differences{.x = t, .y = {.name = "difference", .unit = first.unit}};
  values.series.push_back(curve_of(runs.front().name, first, c));
  for (const ComparedRun& run : runs.subspan(1)) {
    const Series other = find_series(run.results, channel);
    values.series.push_back(curve_of(run.name, other, c));
    differences.series.push_back(
        curve_of(run.name + " − " + runs.front().name, difference_series(first, other), c));
  }
  return chart_svg({.title = channel, .charts = {values, differences}, .height = 270});
}

}  // namespace

std::string comparison_page(std::span<const ComparedRun> runs, const Comparison& c) {
  constexpr std::size_t most_charts = 8;
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}: "
      "comparison</title>\n{1}"
      "</head><body>\n<h1>{0}: runs side by side</h1>\n",
      html(c.title), style);
  for (const std::string& note : c.notes)
    text += fmt::format("<p class=\"note\">{}</p>\n", html(note));
  text += fmt::format(
      "<p>From {} to {}. Two runs disagree where a channel differs by more than {:g} % of its "
      "range in the first "
      "run for longer than {:g} s; impacts are partners within the same time.</p>\n",
      time_text(c.t_start), time_text(c.t_end), 100 * c.tolerance, c.impact_time);
  for (const RunComparison& run : c.runs) text += section(run, c);
  std::vector<std::size_t> order(c.channels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return worst_of(c, i); });
  text += order.size() > most_charts
              ? fmt::format("<h2>The {} channels that differ most</h2>\n", most_charts)
              : "<h2>Channels</h2>\n";
  order.resize(std::min(order.size(), most_charts));
  for (const std::size_t i : order) text += charts_of(runs, c.channels[i], c);
  return text + "</body></html>\n";
}

}  // namespace backlash
