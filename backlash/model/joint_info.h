// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace backlash {

/// What a joint sets free.
enum class CoordinateType { translation, rotation };

/// What a joint holds where it closes a loop (theory 6.8). P is a point of A and Q of B.
enum class Hold {
  points,    ///< P and Q coincide
  line,      ///< Q stays on the line through P along the axis
  height,    ///< Q stays in the plane through P across A's z; in the plane it does anyway
  axes,      ///< the axes stay parallel; in the plane they do anyway
  rotation,  ///< B keeps its rotation against A
  distance,  ///< Q keeps its distance from P
  ratio      ///< the coordinates of two other joints keep their ratio
};

/// How a joint is drawn.
enum class JointSymbol { none, pin, slide, weld, slide_and_pin, rod, coupling };

/// What a kind of joint says of itself; its data say the rest: points `p_AP` and `p_BQ`, an axis
/// `axis_A`, a kept `rotation`, and the numbers of numbers().
struct JointInfo {
  std::string_view name;  ///< in the file
  std::vector<CoordinateType> coordinates{};
  std::vector<Hold> holds{};
  JointSymbol symbol = JointSymbol::none;
  bool in_space_only = false;
};

}  // namespace backlash
