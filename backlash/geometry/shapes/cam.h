// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "backlash/base/expression.h"
#include "backlash/base/table.h"
#include "backlash/geometry/shape_info.h"

namespace backlash {

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

  static constexpr std::string_view name = "cam";
  static ShapeKeys<CamProfile> keys();
};

void check(const CamProfile& s, std::string_view item);
ShapeFeatures features(const CamProfile& s, const TurnedPose& X);
Boundary boundary_of(const CamProfile& s);

}  // namespace backlash
