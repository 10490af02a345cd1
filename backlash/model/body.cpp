// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/body.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

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

/// No rotation has a negative kinetic energy: all principal minors are non-negative.
void require_positive_semidefinite(const InertiaTensor& J, const std::string& item) {
  const double scale = std::max({J.xx, J.yy, J.zz});
  const double round_off = 1e-12 * scale * scale;
  const double minors[] = {J.xx * J.yy - J.xy * J.xy, J.xx * J.zz - J.xz * J.xz,
                           J.yy * J.zz - J.yz * J.yz};
  const double det =
      J.xx * minors[2] - J.xy * (J.xy * J.zz - J.yz * J.xz) + J.xz * (J.xy * J.yz - J.yy * J.xz);
  if (std::min({minors[0], minors[1], minors[2]}) >= -round_off && det >= -round_off * scale)
    return;
  throw InputError(fmt::format(
      "{}: inertia must not be negative about any axis; of xx {}, yy {}, zz {}, xy {}, xz {}, yz "
      "{} [kg m^2] the products are too large",
      item, J.xx, J.yy, J.zz, J.xy, J.xz, J.yz));
}

}  // namespace

void validate(const Body& body) {
  const std::string item = fmt::format("body '{}'", body.name);
  require_not_negative(body.mass, item + ": mass", "kg");
  for (const double moment : {body.inertia.xx, body.inertia.yy, body.inertia.zz})
    require_not_negative(moment, item + ": inertia", "kg m^2");
  for (const double product : {body.inertia.xy, body.inertia.xz, body.inertia.yz})
    require_finite(product, item + ": inertia");
  require_positive_semidefinite(body.inertia, item);
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
    const AreaProperties a = area_properties(shape.shape);
    const double mass = area_density * a.area;
    const Vec2 centre = pose2(shape.X_BS).point(a.centre);
    sum.mass += mass;
    first += mass * centre;
    moment += area_density * a.moment + mass * centre.squaredNorm();
  }
  if (!(sum.mass > 0))
    throw InputError(
        fmt::format("body '{}': no {} to take the mass from", body.name, plate_kinds()));
  sum.com = first / sum.mass;
  sum.inertia = moment - sum.mass * sum.com.squaredNorm();
  return sum;
}

}  // namespace backlash
