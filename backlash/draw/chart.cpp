// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/draw/chart_axis.h"
#include "backlash/draw/svg.h"
#include "backlash/draw/thinning.h"

namespace backlash {
namespace {

constexpr double tick_size = 12, label_size = 13, title_size = 15;  ///< of letters [px]
constexpr double room = 12, legend_line = 18, sample = 30;          ///< [px]
constexpr const char* ink = "#222222";
constexpr const char* grid = "#dddddd";
constexpr const char* mark_colour = "#999999";

/// How one of several curves looks. The colours are those of Okabe and Ito, which differ for all
/// common kinds of colour blindness; dashes and marks tell curves apart in black and white.
struct CurveStyle {
  const char* colour;
  const char* dashes;
};
constexpr std::array<CurveStyle, 7> curve_styles{{{"#0072b2", ""},
                                                  {"#d55e00", "8 5"},
                                                  {"#009e73", "1.5 4.5"},
                                                  {"#cc79a7", "10 4.5 1.5 4.5"},
                                                  {"#000000", "14 6"},
                                                  {"#e69f00", "5 4.5"},
                                                  {"#56b4e9", "10 4.5 1.5 4.5 1.5 4.5"}}};

const CurveStyle& curve_style(std::size_t i) { return curve_styles[i % curve_styles.size()]; }

/// Curves that are drawn later are thinner, so that one shows the one that it covers.
SvgStyle line_style(std::size_t i, std::size_t count) {
  const double wider = 0.55 * static_cast<double>(std::min<std::size_t>(count - 1 - i, 2));
  return {.stroke = curve_style(i).colour, .width = 1.5 + wider, .dashes = curve_style(i).dashes};
}

/// Grows to hold all values that an axis can show.
struct Extent {
  double low = INFINITY, high = -INFINITY;

  void include(double value, AxisScale scale) {
    if (!std::isfinite(value) || (scale == AxisScale::logarithmic && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

bool in_range(const ChartAxis& axis, double value) {
  return !axis.range || (axis.range->first <= value && value <= axis.range->second);
}

Extent extent_x(const Chart& chart) {
  Extent extent;
  for (const ChartSeries& series : chart.series)
    for (const double x : series.x) extent.include(x, chart.x.scale);
  return extent;
}

/// Of what is shown along x.
Extent extent_y(const Chart& chart) {
  Extent extent;
  for (const ChartSeries& series : chart.series)
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      if (!in_range(chart.x, series.x[i])) continue;
      const double error = series.error.empty() ? 0 : series.error[i];
      if (chart.y.scale == AxisScale::linear || series.y[i] > error)
        extent.include(series.y[i] - error, chart.y.scale);
      extent.include(series.y[i] + error, chart.y.scale);
    }
  return extent;
}

std::pair<double, double> shown_values(Extent extent, const ChartAxis& axis) {
  if (!extent.empty()) return {extent.low, extent.high};
  if (axis.scale == AxisScale::logarithmic)
    throw InputError(fmt::format(
        "'{}' has no positive value, and a logarithmic axis shows no others", axis.name));
  return {0, 1};
}

/// Words of the legend, each with the look of its curve.
struct LegendEntry {
  std::string words{};
  std::size_t series = 0;
  bool impacts = false;
  Vec2 at = Vec2::Zero();  ///< left end of the sample [px]
};

/// Where a chart lies on the page.
struct PlotArea {
  double left = 0, right = 0, top = 0, bottom = 0;  ///< of the axes [px]
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// In lines above the axes; `height` grows by what they need. One curve that the axis names needs
/// none.
std::vector<LegendEntry> make_legend(const Chart& chart, const PlotArea& area, double& height) {
  std::vector<LegendEntry> legend;
  const bool needed =
      chart.series.size() > 1 || (chart.series.size() == 1 && chart.series[0].name != chart.y.name);
  if (needed)
    for (std::size_t i = 0; i < chart.series.size(); ++i)
      if (!chart.series[i].name.empty())
        legend.push_back({.words = chart.series[i].name, .series = i});
  if (!chart.marks.empty() && !chart.marks_name.empty())
    legend.push_back({.words = chart.marks_name, .impacts = true});
  if (legend.empty()) return legend;
  Vec2 at(area.left, height + 12);
  for (LegendEntry& entry : legend) {
    const double width = sample + 6 + text_width(entry.words, tick_size) + 18;
    if (at.x() > area.left && at.x() + width > area.right)
      at = Vec2(area.left, at.y() + legend_line);
    entry.at = at;
    at.x() += width;
  }
  height = at.y() + 8;
  return legend;
}

void draw_mark(const Vec2& p, std::size_t series, Svg& svg) {
  const SvgStyle style{.stroke = curve_style(series).colour,
                       .width = 1.4,
                       .fill = series % 2 ? "#ffffff" : curve_style(series).colour};
  constexpr double r = 3.2;
  const std::array<Vec2, 4> square{p + Vec2(-r, -r), p + Vec2(r, -r), p + Vec2(r, r),
                                   p + Vec2(-r, r)};
  const std::array<Vec2, 3> triangle{p + Vec2(-r, r), p + Vec2(r, r), p + Vec2(0, -1.2 * r)};
  const std::array<Vec2, 4> diamond{p + Vec2(-1.3 * r, 0), p + Vec2(0, -1.3 * r),
                                    p + Vec2(1.3 * r, 0), p + Vec2(0, 1.3 * r)};
  switch (series % 4) {
    case 0:
      return svg.circle(p, r, style);
    case 1:
      return svg.polygon(square, style);
    case 2:
      return svg.polygon(triangle, style);
    default:
      return svg.polygon(diamond, style);
  }
}

/// On a curve.
void draw_place(const Vec2& p, Svg& svg) {
  svg.circle(p, 2.6, {.stroke = ink, .width = 1, .fill = "#ffffff"});
}

void draw_legend(const std::vector<LegendEntry>& legend, const Chart& chart, Svg& svg) {
  for (const LegendEntry& entry : legend) {
    const Vec2 middle(entry.at.x(), entry.at.y() - 4);
    if (entry.impacts && chart.marks.front().y) {
      draw_place(middle + Vec2(sample / 2, 0), svg);
    } else if (entry.impacts) {
      svg.line(middle + Vec2(sample / 2, -7), middle + Vec2(sample / 2, 7),
               {.stroke = mark_colour, .width = 1.2});
    } else {
      const ChartSeries& series = chart.series[entry.series];
      if (series.line)
        svg.line(middle, middle + Vec2(sample, 0), line_style(entry.series, chart.series.size()));
      if (series.marks) draw_mark(middle + Vec2(sample / 2, 0), entry.series, svg);
    }
    svg.text(entry.at + Vec2(sample + 6, 0), entry.words, {.colour = ink, .size = tick_size});
  }
}

enum class XNumbers { shown, hidden };

void draw_axes(const PlotArea& f, const AxisMap& x, const AxisMap& y, XNumbers numbers, Svg& svg) {
  const SvgStyle grid_line{.stroke = grid, .width = 0.8}, axis{.stroke = ink, .width = 1};
  for (std::size_t i = 0; i < x.ticks.at.size(); ++i) {
    const double px = x.px_of_shown(x.ticks.at[i]);
    svg.line({px, f.top}, {px, f.bottom}, grid_line);
    svg.line({px, f.bottom}, {px, f.bottom + 5}, axis);
    if (numbers == XNumbers::shown)
      svg.text({px, f.bottom + 19}, x.ticks.labels[i],
               {.colour = ink, .size = tick_size, .anchor = "middle"});
  }
  for (std::size_t i = 0; i < y.ticks.at.size(); ++i) {
    const double px = y.px_of_shown(y.ticks.at[i]);
    svg.line({f.left, px}, {f.right, px}, grid_line);
    svg.line({f.left - 5, px}, {f.left, px}, axis);
    svg.text({f.left - 8, px + 4}, y.ticks.labels[i],
             {.colour = ink, .size = tick_size, .anchor = "end"});
  }
  for (const double value : x.ticks.minor)
    svg.line({x.px_of_shown(value), f.bottom}, {x.px_of_shown(value), f.bottom + 3}, axis);
  for (const double value : y.ticks.minor)
    svg.line({f.left - 3, y.px_of_shown(value)}, {f.left, y.px_of_shown(value)}, axis);
  if (numbers == XNumbers::shown)
    svg.text({f.left + f.width() / 2, f.bottom + 40}, x.label,
             {.colour = ink, .size = label_size, .anchor = "middle"});
}

void draw_border(const PlotArea& f, Svg& svg) {
  const std::array<Vec2, 4> box{Vec2(f.left, f.top), Vec2(f.right, f.top), Vec2(f.right, f.bottom),
                                Vec2(f.left, f.bottom)};
  svg.polygon(box, {.stroke = ink, .width = 1});
}

/// A curve piece by piece; a point alone is a dot.
void draw_pieces(std::span<const Vec2> points, const SvgStyle& style, Svg& svg) {
  std::vector<Vec2> piece;
  const auto end_piece = [&] {
    if (piece.size() == 1) svg.circle(piece[0], 1.8, {.stroke = "none", .fill = style.stroke});
    if (piece.size() > 1) svg.polyline(piece, style);
    piece.clear();
  };
  for (const Vec2& p : points)
    if (std::isfinite(p.x()) && std::isfinite(p.y()))
      piece.push_back(p);
    else
      end_piece();
  end_piece();
}

/// Points that are too near to the last one to be seen apart are left out, for curves that go to
/// and fro.
std::vector<Vec2> without_doubles(const std::vector<Vec2>& points) {
  constexpr double apart = 0.1;  // [px]
  std::vector<Vec2> kept;
  for (const Vec2& p : points)
    if (kept.empty() || !((p - kept.back()).squaredNorm() < apart * apart)) kept.push_back(p);
  return kept;
}

/// The axes of a chart with their numbers, before its place is known.
struct ChartAxes {
  AxisMap x, y;
};

void draw_series(const ChartSeries& series, std::size_t number, std::size_t count,
                 const ChartAxes& axes, Svg& svg) {
  const AxisMap &x = axes.x, &y = axes.y;
  std::vector<Vec2> points(series.x.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool log_x = x.scale == AxisScale::logarithmic, log_y = y.scale == AxisScale::logarithmic;
    const bool shown = !(log_x && series.x[i] <= 0) && !(log_y && series.y[i] <= 0);
    points[i] = shown ? Vec2(x.px(series.x[i]), y.px(series.y[i])) : Vec2(NAN, NAN);
  }
  for (std::size_t i = 0; i < series.error.size(); ++i) {
    const double low = series.y[i] - series.error[i], high = series.y[i] + series.error[i];
    if (!std::isfinite(points[i].y()) || !(high > low)) continue;
    const double bottom = y.scale == AxisScale::logarithmic && low <= 0 ? y.start : y.px(low);
    const double px = points[i].x(), top = y.px(high);
    const SvgStyle bar{.stroke = curve_style(number).colour, .width = 1.1};
    svg.line({px, bottom}, {px, top}, bar);
    svg.line({px - 4, top}, {px + 4, top}, bar);
    svg.line({px - 4, bottom}, {px + 4, bottom}, bar);
  }
  if (series.line) {
    std::vector<Vec2> drawn;
    if (std::ranges::is_sorted(series.x))
      for (const std::size_t i : thinned(points, 0.5)) drawn.push_back(points[i]);
    else
      drawn = without_doubles(points);
    draw_pieces(drawn, line_style(number, count), svg);
  }
  if (series.marks)
    for (const Vec2& p : points)
      if (std::isfinite(p.x()) && std::isfinite(p.y())) draw_mark(p, number, svg);
}

/// At marks without a place on a curve.
void draw_lines(const Chart& chart, const PlotArea& area, const ChartAxes& axes, Svg& svg) {
  double last = -INFINITY;
  for (const ChartMark& mark : chart.marks) {
    const double px = axes.x.px(mark.x);
    if (mark.y || !(std::abs(px - last) >= 0.7)) continue;  // or two lines that would be one
    svg.line({px, area.top}, {px, area.bottom}, {.stroke = mark_colour, .width = 0.7});
    last = px;
  }
}

ChartAxes make_axes(const Chart& chart, double width, double height) {
  return {make_axis(chart.x, shown_values(extent_x(chart), chart.x), width, 85),
          make_axis(chart.y, shown_values(extent_y(chart), chart.y), height, 42)};
}

/// Widen the shorter of the two so that a length is equally long along both.
void equalise(ChartAxes& axes, const PlotArea& f) {
  const double a = axes.x.unit.factor / axes.y.unit.factor;  // of one value in both units
  const double scale_x = f.width() / (axes.x.high - axes.x.low) * a;
  const double scale_y = f.height() / (axes.y.high - axes.y.low);
  const auto widen = [](AxisMap& axis, double times, double length, double spacing) {
    const double middle = 0.5 * (axis.low + axis.high), half = 0.5 * times * (axis.high - axis.low);
    axis.low = middle - half;
    axis.high = middle + half;
    axis.ticks = linear_ticks(axis.low, axis.high, std::max(2, static_cast<int>(length / spacing)));
  };
  if (scale_x > scale_y)
    widen(axes.x, scale_x / scale_y, f.width(), 85);
  else
    widen(axes.y, scale_y / scale_x, f.height(), 42);
}

double widest_label(const Ticks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.labels)
    width = std::max(width, text_width(label, tick_size));
  return width;
}

/// In smaller letters if it is long, and cut if it is longer.
void draw_title(const std::string& title, const Vec2& at, double width, Svg& svg) {
  constexpr double bold = 1.12, least = 11;  // wider letters; least size [px]
  const double size = std::clamp(width / (bold * text_width(title, 1) + 1e-9), least, title_size);
  std::string words = title;
  while (words.size() > 1 && bold * text_width(words, size) > width) {
    while (words.size() > 1 && (static_cast<unsigned char>(words.back()) & 0xC0) == 0x80)
      words.pop_back();
    words.pop_back();
  }
  svg.text(at, words == title ? words : words + "…",
           {.colour = ink, .size = size, .weight = "bold"});
}

bool same_x(const std::vector<Chart>& charts) {
  return std::ranges::all_of(charts, [&](const Chart& chart) {
    const Extent a = extent_x(chart), b = extent_x(charts.front());
    return chart.x.name == charts.front().x.name && chart.x.scale == charts.front().x.scale &&
           chart.x.range == charts.front().x.range && a.low == b.low && a.high == b.high;
  });
}

/// Draws one chart at the height that is reached, and moves that.
void draw_chart(const Chart& chart, PlotArea area, double inner_height, XNumbers numbers,
                double& height, Svg& svg) {
  const std::vector<LegendEntry> legend = make_legend(chart, area, height);
  area.top = height + 6;
  area.bottom = area.top + inner_height;
  ChartAxes axes = make_axes(chart, area.width(), area.height());
  if (chart.equal_scale) equalise(axes, area);
  axes.x.start = area.left;
  axes.x.end = area.right;
  axes.y.start = area.bottom;
  axes.y.end = area.top;
  draw_axes(area, axes.x, axes.y, numbers, svg);
  svg.text({18, area.top + area.height() / 2}, axes.y.label,
           {.colour = ink, .size = label_size, .anchor = "middle", .turned = -90});
  draw_legend(legend, chart, svg);
  svg.begin_clip({area.left, area.top}, {area.width(), area.height()});
  draw_lines(chart, area, axes, svg);
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    draw_series(chart.series[i], i, chart.series.size(), axes, svg);
  for (const ChartMark& mark : chart.marks)
    if (mark.y) draw_place({axes.x.px(mark.x), axes.y.px(*mark.y)}, svg);
  svg.end_clip();
  draw_border(area, svg);
  height = area.bottom + (numbers == XNumbers::shown ? 48 : 8);
}

}  // namespace

std::string chart_svg(const ChartPage& page) {
  double left = 0;
  for (const Chart& chart : page.charts)
    left = std::max(left, widest_label(make_axes(chart, page.width, page.height).y.ticks));
  PlotArea area{.left = left + 44, .right = page.width - room - 6};
  const bool shared = page.charts.size() > 1 && same_x(page.charts);
  Svg body;
  double height = room;
  if (!page.title.empty())
    draw_title(page.title, {area.left, height += title_size}, area.width(), body);
  for (const std::string& note : page.notes)
    body.text({area.left, height += 17}, note, {.colour = "#555555", .size = tick_size});
  if (height > room) height += 8;
  for (std::size_t i = 0; i < page.charts.size(); ++i) {
    const bool numbers = !shared || i + 1 == page.charts.size();
    draw_chart(page.charts[i], area, page.height - 70, numbers ? XNumbers::shown : XNumbers::hidden,
               height, body);
  }
  return body.finish(page.width, height + 4, page.title.empty() ? "chart" : page.title);
}

}  // namespace backlash
