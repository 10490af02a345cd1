// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "backlash/geometry/feature.h"
#include "backlash/geometry/outline.h"
#include "backlash/geometry/pose.h"
#include "backlash/geometry/profile_boundary.h"
#include "backlash/geometry/shape.h"

/// Shapes in the frame of their body, as the corners and outlines by which they touch. Computed
/// once; candidates for touching refer to them.
namespace backlash {

/// A circle and a box around a shape and around what counts as its inside, both around one centre
/// in the frame of its body [m]. Of a half-plane: a point on its boundary.
struct ShapeBound {
  Vec2 centre = Vec2::Zero();
  Vec2 half = Vec2::Zero();    ///< of the box' sides, along the body's axes
  double radius = 0;           ///< of the circle; infinite for a line and for a ring
  Vec2 normal = Vec2::Zero();  ///< of a half-plane: out of it; else zero

  bool finite() const { return radius < INFINITY; }
  bool half_plane() const { return normal.x() != 0 || normal.y() != 0; }
};

inline ShapeBound round_bound(const Vec2& centre, double radius) {
  return {centre, {radius, radius}, radius};
}
ShapeBound bound_around(std::span<const Vec2> points);

/// How a shape touches others; what it has not is null. feature_pairs.cpp says which of it counts
/// between two shapes.
struct ShapeFeatures {
  std::vector<Corner> corners{};  ///< by which it touches outlines of others; round ones first
  SharedOutline outline{};        ///< all of it; null if it does not answer for its own ends
  SharedOutline faces{};          ///< the part of it that is no corner
  SharedOutline round{};          ///< its round corners, as corners of others meet them
  ShapeBound bound{};
  SharedProfile profile{};  ///< all of it as a curve, for profiles of others; null: it has none
  bool free_form = false;   ///< touches as a profile whatever it meets
};

/// A pose in the plane with its angle.
struct TurnedPose {
  Pose2 X;
  double angle;  ///< [rad]

  Vec2 operator*(const Vec2& p_S) const { return X.point(p_S); }
};

/// A curve given in the frame of the shape, as a boundary in that of its body.
SharedProfile shared_profile(NurbsCurveData<2> curve, const TurnedPose& X);

/// Of a shape with its pose in its body.
ShapeFeatures shape_features(const Shape& shape, const Pose& X_BS);

}  // namespace backlash
