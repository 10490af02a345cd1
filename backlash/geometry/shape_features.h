// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "backlash/geometry/feature.h"
#include "backlash/geometry/pose.h"
#include "backlash/geometry/shape.h"

/// Shapes in the frame of their body, and the corners and outlines by which they touch.
namespace backlash {

/// Arcs that do not go all the way round; those that do are circles and rings.
struct OuterArc : Arc {};
struct InnerArc : Arc {};

using PlacedShape =
    std::variant<Point, Circle, Ring, Segment, Line, Polygon, OuterArc, InnerArc, Cam>;

PlacedShape placed(const Shape& shape, const Pose& X_BS);

std::vector<Corner> corners(const Point& shape);
std::vector<Corner> corners(const Circle& shape);
std::vector<Corner> corners(const Segment& shape);   ///< its ends
std::vector<Corner> corners(const Polygon& shape);   ///< those that stick out
std::vector<Corner> corners(const OuterArc& shape);  ///< the round part and the ends
std::vector<Corner> corners(const InnerArc& shape);  ///< its ends

HalfPlane outline(const Line& shape);
Wall outline(const Segment& shape);
ConvexArc outline(const Circle& shape);
ConvexArc outline(const OuterArc& shape, ArcEnds answer);
ConcaveArc outline(const Ring& shape);
ConcaveArc outline(const InnerArc& shape);
std::vector<OutlinePiece> pieces(const Polygon& shape);

}  // namespace backlash
