// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/kernel/tree.h"

/// What the sources of the tree share: places of the bodies in the cache, and screws.
namespace backlash::planar {

/// What the cache holds of each body, in the world's axes.
struct Place {
  double c, s;          ///< cosine and sine of the body's angle; these four: Tree::placement()
  double x, y;          ///< its origin [m]
  double angle;         ///< [rad]
  double ref_x, ref_y;  ///< reference: the joint's point on the body [m]
  double com_x, com_y;  ///< from the reference to the centre of mass [m]
  double arm_x, arm_y;  ///< from the parent's reference to this one [m]
  double unused;
};
static_assert(sizeof(Place) == 12 * sizeof(double));

inline constexpr Place ground{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

inline const Place* places(const Vector& cache) {
  return reinterpret_cast<const Place*>(cache.data());
}

/// Moves a velocity to a reference that lies at (x, y) from the old one.
inline Screw shifted_velocity(const Screw& v, double x, double y) {
  return {v.turn, v.x - v.turn * y, v.y + v.turn * x};
}

/// Adds a force about a reference that lies at (x, y) from the sum's.
inline void add_shifted_force(const Screw& f, double x, double y, Screw& sum) {
  sum.turn += f.turn + x * f.y - y * f.x;
  sum.x += f.x;
  sum.y += f.y;
}

inline double dot(const Screw& a, const Screw& b) {
  return a.turn * b.turn + a.x * b.x + a.y * b.y;
}

inline const Place& parent_place(const Vector& cache, const TreeBody& body) {
  return body.parent < 0 ? ground : places(cache)[body.parent];
}

/// Axis of a prismatic joint in the world.
inline Screw world_axis(const TreeBody& body, const Place& parent) {
  const double x = body.axis_P.x(), y = body.axis_P.y();
  return {0, parent.c * x - parent.s * y, parent.s * x + parent.c * y};
}

/// Direction of the joint's dof number k.
inline Screw joint_direction(const TreeBody& body, const Place& parent, int k = 0) {
  if (body.kind == TreeJointKind::free) {
    if (k == 0) return {0, parent.c, parent.s};
    if (k == 1) return {0, -parent.s, parent.c};
    return {1, 0, 0};
  }
  return body.kind == TreeJointKind::revolute ? Screw{body.sense, 0, 0} : world_axis(body, parent);
}

}  // namespace backlash::planar
