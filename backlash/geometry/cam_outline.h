// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "backlash/geometry/cam_curve.h"
#include "backlash/geometry/feature.h"
#include "backlash/geometry/pose2.h"

namespace backlash {

/// A cam with its place in its body.
struct Cam {
  std::shared_ptr<const CamCurve> curve;
  Pose2 place{};
  std::optional<double> undercut{};  ///< an angle where there is no profile [rad]
};

/// (theory 7.13, 7.15)
inline Foot foot(const Cam& o, const Corner& corner) {
  const CamPoint c = o.curve->closest_to_point(o.place.local_point(corner.p));
  const Vec2 n = o.place.direction(c.normal);
  return {o.place.point(c.p), n, c.distance, touches(corner, n, c.distance), c.radius};
}
inline EnclosingCircle circle_around(const Cam& o) {
  return {{o.place.x, o.place.y}, o.curve->largest_radius()};
}
inline std::optional<double> touch_radius(const Cam&) { return std::nullopt; }

}  // namespace backlash
