// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

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
};

/// Rates of the rows, or the rates of these rates while u̇ = 0: of the normal and the tangents.
using RowRates = std::array<double, 3>;

/// The rates of the rates [m/s²] of bodies that touch in the plane (theory 7.21); `motion` has
/// accelerations.
RowRates rate_biases(const ContactKinematics<Plane>& at, int a, int b, const Motion<Plane>& motion);

}  // namespace backlash
