// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "backlash/geometry/feature.h"
#include "backlash/geometry/pose.h"
#include "backlash/geometry/shape.h"

/// Shapes in the frame of their body, as the corners and outlines by which they touch. Computed
/// once; candidates for touching refer to them.
namespace backlash {

struct PointFeatures {
  std::vector<Corner> corners;
};
struct CircleFeatures {
  std::vector<Corner> corners;  ///< the one that it is itself
  ConvexArc outline;
};
struct RingFeatures {
  ConcaveArc outline;
};
struct SegmentFeatures {
  std::vector<Corner> corners;  ///< its ends
  Wall outline;
};
struct LineFeatures {
  HalfPlane outline;
};
struct PolygonFeatures {
  std::vector<Corner> corners;  ///< those that stick out
  Outline outline;
};
/// Arcs that do not go all the way round; those that do are circles and rings.
struct OuterArcFeatures {
  std::vector<Corner> corners;  ///< the round part, then the ends
  ConvexArc outline, open_outline;
};
struct InnerArcFeatures {
  std::vector<Corner> corners;  ///< its ends
  ConcaveArc outline;
};
struct CamFeatures {
  Cam outline;
  std::optional<double> undercut;  ///< an angle where there is no profile [rad]
};

using ShapeFeatures =
    std::variant<PointFeatures, CircleFeatures, RingFeatures, SegmentFeatures, LineFeatures,
                 PolygonFeatures, OuterArcFeatures, InnerArcFeatures, CamFeatures>;

/// Of a shape with its pose in its body.
ShapeFeatures shape_features(const Shape& shape, const Pose& X_BS);

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
ShapeBound bound_of(const ShapeFeatures& features);

}  // namespace backlash
