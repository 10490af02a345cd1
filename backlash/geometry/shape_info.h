// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "backlash/base/types.h"
#include "backlash/geometry/boundary.h"
#include "backlash/geometry/nurbs/nurbs_curve.h"
#include "backlash/geometry/shape_key.h"

/// What each shape S says of itself, in its file in shapes/; the rest follows from the list in
/// shape.h.
///
///     static constexpr std::string_view name;                          // in messages
///     static ShapeKeys<S> keys();                                      // in the model file
///     void check(const S&, std::string_view item);                     // throws InputError
///     ShapeFeatures features(const S&, const TurnedPose& X_BS);        // how it touches
///     Boundary boundary_of(const S&);                                  // how it looks
///     AreaProperties area_of(const S&);                                // if it is a plate
///     double thickness_of(const S&);                                   // if not from its boundary
///     NurbsCurveData<2> curve_of(const S&);                            // how profiles meet it
///     S mirrored_of(const S&);                                         // at the x axis, if it can
///     be
namespace backlash {

struct ShapeFeatures;  // shape_features.h
struct TurnedPose;

/// Area, its centre, and its second moment about that centre.
struct AreaProperties {
  double area = 0;             ///< [m²]
  Vec2 centre = Vec2::Zero();  ///< [m]
  double moment = 0;           ///< [m⁴]
};

}  // namespace backlash
