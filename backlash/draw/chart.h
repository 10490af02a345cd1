// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Charts as SVG: curves over axes with names and units, to be read on screen, on paper and by
/// people who see few colours. Curves differ by colour and by dashes.
namespace backlash {

enum class AxisScale { linear, logarithmic };

struct ChartAxis {
  std::string name{};
  std::string unit{};  ///< SI; values are shown in mm, kN, … where that reads better; "-": none
  AxisScale scale = AxisScale::linear;
  std::optional<std::pair<double, double>> range{};  ///< in SI; without it all values are shown
};

struct ChartSeries {
  std::string name{};               ///< for the legend
  std::vector<double> x{}, y{};     ///< of one size; NaN breaks the line
  std::vector<double> error{};      ///< y ± error as bars; empty: none
  bool line = true, marks = false;  ///< what is drawn
};

/// A place on the x axis, or on the curves where there is a y.
struct ChartMark {
  double x = 0;
  std::optional<double> y{};
};

/// Axes and what is drawn in them.
struct Chart {
  ChartAxis x{}, y{};
  std::vector<ChartSeries> series{};
  std::vector<ChartMark> marks{};  ///< such as impacts
  std::string marks_name{};        ///< for the legend
  bool equal_scale = false;        ///< a length along x is as long along y: for orbits
};

/// A page of charts, one below the other.
struct ChartPage {
  std::string title{};
  std::vector<std::string> notes{};  ///< lines below the title
  std::vector<Chart> charts{};
  double width = 760;   ///< [px]
  double height = 300;  ///< of each chart [px]
};

/// The SVG text. Long curves are thinned to what the picture can show, every extremum kept. Where
/// all charts of a page have the same x axis, its numbers stand below the last one. Throws
/// InputError if there is nothing to show on a logarithmic axis.
std::string chart_svg(const ChartPage& page);

}  // namespace backlash
