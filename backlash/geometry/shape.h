// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/base/table.h"
#include "backlash/base/types.h"

/// The outlines by which bodies touch, in the frame S of the shape [m]. A shape has material on one
/// side; normals point out of it.
namespace backlash {

struct Point {
  Vec2 p = Vec2::Zero();  ///< [m]
};

/// A disk, touched from outside.
struct Circle {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]
};

/// A round hole (a bearing), touched from inside.
struct Ring {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]
};

/// A wall from a to b: material on the left of a → b, as in a polygon; the normal points right.
struct Segment {
  Vec2 a = Vec2::Zero();  ///< [m]
  Vec2 b = Vec2::Zero();  ///< [m]
};

/// A half-plane.
struct Line {
  Vec2 point = Vec2::Zero();    ///< on the boundary [m]
  Vec2 normal = Vec2::UnitY();  ///< unit, out of the material
};

/// A simple polygon, convex or not: material on the left of each side, corners counter-clockwise.
struct Polygon {
  std::vector<Vec2> corners{};  ///< [m]
};

/// On which side of a round curve the material is.
enum class ArcSide {
  outside,  ///< the arc is touched from outside, as a disk
  inside    ///< the arc is touched from inside, as a hole
};

/// Part of a circle, counter-clockwise from `from` to `to`.
struct Arc {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]
  double from = 0;             ///< [rad]
  double to = 0;               ///< [rad], in (from, from + 2π]
  ArcSide side = ArcSide::outside;
};

/// What the function of a cam means: ρ(φ) = base + f(φ) is, for the direction φ in the cam's frame,
enum class CamFunction {
  radius,  ///< the distance of the profile from the centre in the direction φ (point follower)
  flat,    ///< the distance of the tangent whose normal has the direction φ (flat follower)
  roller   ///< the distance of the roller's centre, less its radius (roller follower)
};

/// A cam: closed profile around a centre, touched from outside.
struct CamProfile {
  Vec2 centre = Vec2::Zero();  ///< [m]
  double base = 0;             ///< [m]; 0: f is the whole radius
  std::variant<Expression, Table> function =
      0.0;  ///< f(φ) [m], of period 2π; variable 0 is φ [rad]
  CamFunction meaning = CamFunction::radius;
  double roller_radius = 0;  ///< with CamFunction::roller: of the roller that f belongs to [m]
};

/// All shapes. A new one is added here and in the functions below.
using Shape = std::variant<Point, Circle, Ring, Segment, Line, Polygon, Arc, CamProfile>;

/// Throw InputError unless the numbers make sense; `item` names the shape in the message.
void validate(const Shape& shape, std::string_view item);

/// "circle", "polygon", …
std::string_view kind_name(const Shape& shape);

/// A rectangle of these sides, which must be positive, with its middle at the origin [m].
Polygon box(double length, double width);

/// Twice the signed area, > 0 if counter-clockwise [m²].
double doubled_area(const Polygon& polygon);

}  // namespace backlash
