// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "backlash/dynamics/contact_frame.h"
#include "backlash/dynamics/kernel/motion.h"

namespace backlash {

/// Where two bodies a and b touch or would, with the directions of the rows: rows, loads and rates
/// of a contact follow from it.
template <class S>
struct ContactKinematics {
  typename S::Vec p_WA = S::Vec::Zero(), p_WB = S::Vec::Zero();  ///< [m]
  typename S::Vec n_W = S::Vec::Zero();  ///< unit, from a into b; zero for a coordinate
  std::array<typename S::Vec, S::tangents> t_W{};
  double gap = 0;  ///< [m]; of a stop on an angle and of a gear's teeth [rad]
  /// Radii of curvature at the points: > 0 bulges, 0 is a corner, < 0 a hollow, infinite flat [m].
  double radius_A = INFINITY, radius_B = INFINITY;
  std::array<double, 2> parameters{};  ///< of profiles: where on the curve of a and of b
};

inline Vec3 to_space(const PlainVec2& v) { return {v.x(), v.y(), 0}; }
inline const Vec3& to_space(const Vec3& v) { return v; }

/// The same as System has it, and back.
template <class S>
ContactFrame contact_frame(const ContactKey& key, const ContactKinematics<S>& at,
                           const BlockList& blocks) {
  ContactFrame frame{.key = key,
                     .gap = at.gap,
                     .p_WA = to_space(at.p_WA),
                     .p_WB = to_space(at.p_WB),
                     .n_W = to_space(at.n_W),
                     .parameters = {at.parameters[0], at.parameters[1]},
                     .radii = {at.radius_A, at.radius_B},
                     .blocks = blocks};
  for (std::size_t i = 0; i < at.t_W.size(); ++i) frame.t_W[i] = to_space(at.t_W[i]);
  return frame;
}

template <class S>
ContactKinematics<S> kinematics_of(const ContactFrame& frame) {
  ContactKinematics<S> at;
  at.p_WA = S::vec(frame.p_WA);
  at.p_WB = S::vec(frame.p_WB);
  at.n_W = S::vec(frame.n_W);
  for (std::size_t i = 0; i < at.t_W.size(); ++i) at.t_W[i] = S::vec(frame.t_W[i]);
  at.gap = frame.gap;
  at.radius_A = frame.radii[0];
  at.radius_B = frame.radii[1];
  return at;
}

/// Rates of the rows, or the rates of these rates while u̇ = 0: of the normal and the tangents.
using RowRates = std::array<double, 3>;

/// The rates of the rates [m/s²] of bodies that touch in the plane (theory 7.21); `motion` has
/// accelerations.
RowRates rate_biases(const ContactKinematics<Plane>& at, int a, int b, const Motion<Plane>& motion);

}  // namespace backlash
