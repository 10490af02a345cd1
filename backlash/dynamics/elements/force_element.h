// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "backlash/base/table.h"
#include "backlash/dynamics/elements/formula.h"

/// Applied forces of a mechanism. Each adds to the forces on the bodies; conservative ones have an
/// energy, the others a power.
namespace backlash {

/// preload − k x − c q̇ along a coordinate, x = q − rest less the dead band.
template <class S>
struct CoordinateSpring {
  Coordinate<S> coordinate{};
  double stiffness = 0, rest = 0, preload = 0, damping = 0, dead_band = 0;  ///< SI
  bool damped_in_band = true;  ///< whether c acts inside of the dead band, too
  /// 0: both ways; −1, 1: only while its elastic part, if it has one, and its sum have this sign.
  int only = 0;
};

/// The elastic part and the sum of a spring; both zero where it does not act (theory 6.20).
struct SpringStrength {
  double elastic = 0, all = 0;  ///< [N] or [N m]
  bool acts = true;
};

/// Of a spring whose elastic part is `elastic` and whose sum with the damping is `all`.
template <class Spring>
SpringStrength one_sided(const Spring& s, double elastic, double all) {
  const bool springs = s.stiffness != 0 || s.preload != 0;
  if (s.only == 0) return {elastic, all};
  if (springs && !(s.only * elastic > 0)) return {0, 0, false};
  if (!(s.only * all > 0)) return {elastic, 0, false};
  return {elastic, all};
}

/// A formula along a coordinate.
template <class S>
struct CoordinateForce {
  Coordinate<S> coordinate{};
  Formula<S> force{};
  double sign = 1;  ///< −1: of a tension, which shortens the coordinate
};

/// command · stall (1 − q̇/no-load speed) along a coordinate.
template <class S>
struct CoordinateMotor {
  Coordinate<S> coordinate{};
  double stall = 0, no_load_speed = 1;
  Formula<S> command{};
};

/// A table over one input, along a coordinate.
template <class S>
struct CoordinateTable {
  Coordinate<S> coordinate{};
  typename Formula<S>::Input over{};
  TableFunction table;
};

/// A force at a point of a body.
template <class S>
struct BodyForce {
  int body = -1;
  typename S::Vec p_B = S::Vec::Zero();               ///< [m]
  std::array<Formula<S>, S::dimension> components{};  ///< [N]
  bool in_body_axes = false;
};

/// Springs and dampers along and about the axes of a frame F on a, which hold a frame G of b.
template <class S>
struct BushingForce {
  int a = -1, b = -1;
  typename S::Vec p_AF = S::Vec::Zero(), p_BG = S::Vec::Zero();  ///< [m]
  typename S::Rotation rotation_AF{}, rotation_BG{};
  typename S::Vec stiffness = S::Vec::Zero(), damping = S::Vec::Zero();  ///< along the axes
  typename S::Angular angular_stiffness = S::no_rotation(), angular_damping = S::no_rotation();
};

template <class S>
using ForceKind = std::variant<CoordinateSpring<S>, CoordinateForce<S>, CoordinateMotor<S>,
                               CoordinateTable<S>, BodyForce<S>, BushingForce<S>>;

/// Adds the force, on each body about its reference point.
template <class S>
void add(const ForceKind<S>& force, const Motion<S>& motion, double t, std::span<Wrench<S>> forces);

/// The coordinate that it acts along; null: it acts on points.
template <class S>
const Coordinate<S>* coordinate_of(const ForceKind<S>& force);
/// Along that coordinate, on b [N] or [N m].
template <class S>
double strength(const ForceKind<S>& force, const Motion<S>& motion, double t);
/// Of one that acts on points: the force on its second body in the world's axes, and the moment
/// about the point.
template <class S>
Wrench<S> point_load(const ForceKind<S>& force, const Motion<S>& motion, double t);

template <class S>
double energy(const ForceKind<S>& force, const Motion<S>& motion);  ///< elastic [J]
/// Of the rest of the force, as the bodies move, along a motion from the same configuration [W].
template <class S>
double power(const ForceKind<S>& force, const Motion<S>& motion, const Motion<S>& along, double t);

}  // namespace backlash
