// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "backlash/geometry/shape_info.h"
#include "backlash/geometry/shapes/arc.h"
#include "backlash/geometry/shapes/arc_polygon.h"
#include "backlash/geometry/shapes/cam.h"
#include "backlash/geometry/shapes/capsule.h"
#include "backlash/geometry/shapes/circle.h"
#include "backlash/geometry/shapes/line.h"
#include "backlash/geometry/shapes/point.h"
#include "backlash/geometry/shapes/polygon.h"
#include "backlash/geometry/shapes/profile.h"
#include "backlash/geometry/shapes/ring.h"
#include "backlash/geometry/shapes/segment.h"

/// The outlines by which bodies touch, in the frame S of the shape [m]. A shape has material on one
/// side; normals point out of it.
namespace backlash {

/// All shapes.
using Shape = std::variant<Point, Circle, Ring, Segment, Line, Polygon, Arc, CamProfile, Capsule,
                           ArcPolygon, NurbsProfile>;

/// Throw InputError unless the numbers make sense; `item` names the shape in the message.
void validate(const Shape& shape, std::string_view item);

/// "circle", "polygon", …
std::string_view kind_name(const Shape& shape);

/// Throws InputError as validate() does.
Boundary boundary(const Shape& shape);

/// Mirrored at the x axis of its frame. Throws InputError for a shape that cannot be.
Shape mirrored(const Shape& shape);

/// Of a plate; all zero for a shape that is none.
AreaProperties area_properties(const Shape& shape);

/// The shapes that are plates: "circle or polygon".
std::string plate_kinds();

/// Of the material, where it has an end; else infinite [m].
double thickness(const Shape& shape);

}  // namespace backlash
