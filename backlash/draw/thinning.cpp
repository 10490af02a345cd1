// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/thinning.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace backlash {
namespace {

/// What is kept of points that follow each other in one column.
class Column {
 public:
  void begin(std::size_t i) { kept_ = {i, i, i, i}; }

  void add(std::size_t i, std::span<const Vec2> points) {
    if (points[i].y() < points[kept_[1]].y()) kept_[1] = i;
    if (points[i].y() > points[kept_[2]].y()) kept_[2] = i;
    kept_[3] = i;
  }

  void end(std::vector<std::size_t>& indices) {
    std::sort(kept_.begin(), kept_.end());
    for (const std::size_t i : kept_)
      if (indices.empty() || indices.back() < i) indices.push_back(i);
  }

 private:
  std::array<std::size_t, 4> kept_{};  ///< first, lowest, highest, last
};

}  // namespace

std::vector<std::size_t> thinned(std::span<const Vec2> points, double column) {
  std::vector<std::size_t> indices;
  Column open;
  double number = NAN;  // of the open column; NaN: there is none
  bool broken = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i].x()) || !std::isfinite(points[i].y())) {
      if (!std::isnan(number)) open.end(indices);
      number = NAN;
      if (!broken) indices.push_back(i);
      broken = true;
      continue;
    }
    broken = false;
    const double here = std::floor(points[i].x() / column);
    if (here == number) {
      open.add(i, points);
      continue;
    }
    if (!std::isnan(number)) open.end(indices);
    open.begin(i);
    number = here;
  }
  if (!std::isnan(number)) open.end(indices);
  return indices;
}

}  // namespace backlash
