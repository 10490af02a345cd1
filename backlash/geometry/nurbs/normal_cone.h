// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "backlash/geometry/nurbs/bezier.h"

/// What contains the normals of a piece of a curve in the plane (theory 11.31).
namespace backlash::nurbs {

/// Half of the opening of a cone of directions, below a right angle.
struct HalfAngle {
  double cosine = 1, sine = 0;
};

/// Directions that differ from the axis by at most a half angle; or any direction.
struct NormalCone {
  Vec2 axis = Vec2::UnitX();
  HalfAngle half{};
  bool any = true;
};

/// What contains the normals of a piece: those of the legs of its control polygon.
NormalCone normal_cone(const PieceView<1>& piece);

/// With all directions that differ from those by an angle of this sine at most.
inline NormalCone widened(const NormalCone& cone, double sine) {
  const double cosine = std::sqrt(1 - std::min(1.0, sine * sine));
  const HalfAngle half{cone.half.cosine * cosine - cone.half.sine * sine,
                       cone.half.sine * cosine + cone.half.cosine * sine};
  return {cone.axis, half, cone.any || !(half.cosine > 0)};
}

}  // namespace backlash::nurbs
