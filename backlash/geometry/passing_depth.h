// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/closest_points.h"

/// How deep shapes may overlap until what pushes them apart would push them through (theory 7.27).
/// Lengths [m]; infinite: as deep as you like.
namespace backlash {

// How deep a point may be in the material of an outline and still be nearest to where it came in.
inline double material_depth(const HalfPlane&) { return INFINITY; }
inline double material_depth(const Wall& o) { return o.length; }
inline double material_depth(const PolygonOutline& o) { return 0.5 * o.thickness; }
inline double material_depth(const ConvexArc& o) {
  return o.range.all() ? o.radius : o.radius * std::min(1.0, 1 - o.range.cosine);
}
double material_depth(const RoundCorners& o);
inline double material_depth(const ConcaveArc& o) { return o.range.all() ? INFINITY : o.radius; }
inline double material_depth(const Cam& o) { return o.curve->smallest_radius(); }
inline double material_depth(const Bar& o) { return o.radius; }

// Whether its closest place may be elsewhere as soon as something has moved a little: it is hollow.
inline bool may_jump(const HalfPlane&) { return false; }
inline bool may_jump(const Wall&) { return false; }
inline bool may_jump(const PolygonOutline&) { return false; }  // its pieces bulge
inline bool may_jump(const ConvexArc&) { return false; }
inline bool may_jump(const RoundCorners&) { return false; }
inline bool may_jump(const ConcaveArc& o) { return !o.range.all(); }
inline bool may_jump(const Cam& o) { return o.curve->hollow(); }
inline bool may_jump(const Bar&) { return false; }

/// Whether a shape is convex, so that a plane between it and another one keeps the two apart.
bool bulges(const ShapeFeatures& shape);

/// How two features touch.
struct PassingDepth {
  double depth = INFINITY;
  bool may_jump = false;  ///< they may meet in a place that was not there before
};

/// Of one candidate of two shapes.
PassingDepth passing_depth(const Candidates& all, int candidate);

/// Of all candidates of two shapes, the least.
double least_passing_depth(const Candidates& all);

/// Of this shape and any other, at least.
double passing_depth_with_any(const ShapeFeatures& shape);

}  // namespace backlash
