// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "backlash/draw/chart.h"

/// How the numbers of an axis are shown.
namespace backlash {

/// Values as they are shown: (value − offset) · factor.
struct ShownUnit {
  double factor = 1, offset = 0;
  std::string unit{};         ///< "mm", "10⁶ rad/s"; empty: a pure number
  std::string offset_text{};  ///< " − 0.12 m"; empty: none

  double operator()(double value) const { return (value - offset) * factor; }
};

/// A unit in which the values of a range have few digits: with a prefix, a power of ten where no
/// prefix is usual, and less a common offset where they hardly differ.
ShownUnit shown_unit(const std::string& unit, double low, double high);

struct Ticks {
  std::vector<double> at{};
  std::vector<std::string> labels{};  ///< as many, some may be empty
  std::vector<double> minor{};
};

/// About so many: steps of 1, 2 or 5 times a power of ten.
Ticks linear_ticks(double low, double high, int count);

/// Powers of ten, each or every few; within a decade 1, 2 and 5 of it.
Ticks logarithmic_ticks(double low, double high, int count);

/// "10⁻³".
std::string power_of_ten(int exponent);

/// The axis of a chart, from values to pixels.
struct AxisMap {
  AxisScale scale = AxisScale::linear;
  ShownUnit unit{};
  double low = 0, high = 1;   ///< as shown
  double start = 0, end = 1;  ///< [px]
  Ticks ticks{};
  std::string label{};

  double px_of_shown(double shown) const {
    const auto f = [&](double v) { return scale == AxisScale::linear ? v : std::log10(v); };
    return start + (end - start) * (f(shown) - f(low)) / (f(high) - f(low));
  }
  double px(double value) const { return px_of_shown(unit(value)); }
};

/// `values`: the least and the largest that are shown, in SI; `length`: of the axis [px];
/// `spacing`: of its labels [px].
AxisMap make_axis(const ChartAxis& axis, std::pair<double, double> values, double length,
                  double spacing);

/// How wide a text is, about [px].
double text_width(const std::string& text, double size);

}  // namespace backlash
