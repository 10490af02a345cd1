// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/types.h"

namespace backlash {

/// The boundary of a shape as points along it, for pictures and estimates.
struct Boundary {
  std::vector<Vec2> points{};  ///< in the frame of the shape [m]; of a half-plane: one point on it
  bool closed = false;         ///< the last is joined to the first
  bool hole = false;           ///< the material lies around it
  Vec2 normal = Vec2::Zero();  ///< of a half-plane: unit, out of the material; else zero

  bool half_plane() const { return normal.x() != 0 || normal.y() != 0; }
};

inline constexpr int boundary_points_per_turn = 72;

Boundary round_boundary(const Vec2& centre, double radius);

/// The least distance of two parallel lines that hold the points between them [m].
double least_width(const std::vector<Vec2>& points);

}  // namespace backlash
