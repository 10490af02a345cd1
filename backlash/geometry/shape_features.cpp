// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape_features.h"

#include <algorithm>

namespace backlash {

ShapeBound bound_around(std::span<const Vec2> points) {
  Vec2 low = points.front(), high = points.front();
  for (const Vec2& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  ShapeBound bound{0.5 * (low + high), 0.5 * (high - low)};
  for (const Vec2& p : points) bound.radius = std::max(bound.radius, (p - bound.centre).norm());
  return bound;
}

SharedProfile shared_profile(NurbsCurveData<2> curve, const TurnedPose& X) {
  for (Vec2& p : curve.points) p = X * p;
  return std::make_shared<const ProfileBoundary>(NurbsCurve<2>(std::move(curve)));
}

ShapeFeatures shape_features(const Shape& shape, const Pose& X_BS) {
  const TurnedPose X{pose2(X_BS), X_BS.rotation.z()};
  return std::visit(
      [&](const auto& s) {
        ShapeFeatures own = features(s, X);
        if constexpr (requires { curve_of(s); })
          if (!own.profile) own.profile = shared_profile(curve_of(s), X);
        return own;
      },
      shape);
}

}  // namespace backlash
