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

ShapeFeatures shape_features(const Shape& shape, const Pose& X_BS) {
  const TurnedPose X{pose2(X_BS), X_BS.rotation.z()};
  return std::visit([&](const auto& s) { return features(s, X); }, shape);
}

}  // namespace backlash
