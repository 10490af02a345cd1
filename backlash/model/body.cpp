// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/body.h"

#include <numbers>
#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// Area, its centre, and its second moment about that centre.
struct AreaProperties {
  double area = 0;             ///< [m²]
  Vec2 centre = Vec2::Zero();  ///< [m]
  double moment = 0;           ///< [m⁴]
};

AreaProperties area_of(const Circle& s) {
  const double area = std::numbers::pi * s.radius * s.radius;
  return {area, s.centre, area * s.radius * s.radius / 2};
}

/// By triangles from the first corner.
AreaProperties area_of(const Polygon& s) {
  AreaProperties sum;
  const Vec2 origin = s.corners.front();
  double moment = 0;  // about the first corner
  Vec2 first = Vec2::Zero();
  for (std::size_t i = 1; i + 1 < s.corners.size(); ++i) {
    const Vec2 a = s.corners[i] - origin, b = s.corners[i + 1] - origin;
    const double doubled = a.x() * b.y() - a.y() * b.x();
    sum.area += doubled / 2;
    first += doubled / 6 * (a + b);
    moment += doubled / 12 * (a.squaredNorm() + a.dot(b) + b.squaredNorm());
  }
  const Vec2 centre = first / sum.area;
  sum.centre = origin + centre;
  sum.moment = moment - sum.area * centre.squaredNorm();
  return sum;
}

template <class Part>
void check_names(const std::vector<Part>& parts, const std::string& item, std::string_view what) {
  std::set<std::string_view> names;
  for (const Part& part : parts) {
    if (part.name.empty()) throw InputError(fmt::format("{}: a {} has no name", item, what));
    if (!names.insert(part.name).second)
      throw InputError(fmt::format("{}: there is another {} '{}'", item, what, part.name));
  }
}

void require_finite_pose(const Pose& pose, const std::string& item) {
  require_finite(pose.p, item + ": origin");
  require_finite(pose.rotation, item + ": rotation");
}

template <class Other>
AreaProperties area_of(const Other&) {
  return {};
}

}  // namespace

void validate(const Body& body) {
  const std::string item = fmt::format("body '{}'", body.name);
  require_not_negative(body.mass, item + ": mass", "kg");
  for (const double moment : {body.inertia.xx, body.inertia.yy, body.inertia.zz})
    require_not_negative(moment, item + ": inertia", "kg m^2");
  for (const double product : {body.inertia.xy, body.inertia.xz, body.inertia.yz})
    require_finite(product, item + ": inertia");
  require_finite(body.com, item + ": com");
  check_names(body.shapes, item, "shape");
  check_names(body.frames, item, "frame");
  for (const BodyShape& shape : body.shapes) {
    const std::string part = fmt::format("{}: shape '{}'", item, shape.name);
    validate(shape.shape, part);
    require_finite_pose(shape.X_BS, part);
  }
  for (const Frame& frame : body.frames)
    require_finite_pose(frame.X_BF, fmt::format("{}: frame '{}'", item, frame.name));
  if (!body.initial) return;
  require_finite_pose(body.initial->X_WB, item + ": initial");
  require_finite(body.initial->velocity, item + ": initial velocity");
  require_finite(body.initial->angular_velocity, item + ": initial angular velocity");
}

MassProperties plate_properties(const Body& body, double area_density) {
  validate(body);
  require_positive(area_density, fmt::format("body '{}': mass per area", body.name), "kg/m²");
  MassProperties sum;
  Vec2 first = Vec2::Zero();
  double moment = 0;  // about the body's origin
  for (const BodyShape& shape : body.shapes) {
    const AreaProperties a = std::visit([](const auto& s) { return area_of(s); }, shape.shape);
    const double mass = area_density * a.area;
    const Vec2 centre = pose2(shape.X_BS).point(a.centre);
    sum.mass += mass;
    first += mass * centre;
    moment += area_density * a.moment + mass * centre.squaredNorm();
  }
  if (!(sum.mass > 0))
    throw InputError(
        fmt::format("body '{}': no circle or polygon to take the mass from", body.name));
  sum.com = first / sum.mass;
  sum.inertia = moment - sum.mass * sum.com.squaredNorm();
  return sum;
}

}  // namespace backlash
