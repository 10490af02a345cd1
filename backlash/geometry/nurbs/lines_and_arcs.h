// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "backlash/geometry/nurbs/nurbs_curve.h"

/// Closed paths of straight sides and arcs, counter-clockwise, as curves.
namespace backlash {

/// A point of a path, and the side that leads to it from the point before; to the first point one
/// leads from the last.
struct PathPoint {
  Vec2 p = Vec2::Zero();  ///< [m]
  double radius =
      0;  ///< of an arc of half a turn at most: > 0 bulges, < 0 is hollow [m]; 0: straight
};

/// The path with its mirror image at the x axis before it: as a whole tooth from the half of it
/// that is left of its middle.
std::vector<PathPoint> with_mirror_image(std::span<const PathPoint> half);

/// As many copies of the path around the origin, each turned against the last by a whole turn over
/// their number.
std::vector<PathPoint> rotated_copies(std::span<const PathPoint> path, int copies);

/// The closed curve of degree 2, exactly (theory 11.8); its parameter grows by one on each side, on
/// arcs of more than a quarter turn by two. Throws InputError naming `item` where sides are
/// missing, do not fit their radius, or meet each other, and for paths that run clockwise.
NurbsCurveData<2> lines_and_arcs(std::span<const PathPoint> path, std::string_view item);

}  // namespace backlash
