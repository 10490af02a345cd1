// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/distance.h"

namespace backlash {

/// An angular velocity: a number in the plane, a vector in space [rad/s].
template <int D>
struct AngularOf {
  using Type = Vec3;
  static Vec3 zero() { return Vec3::Zero(); }
};
template <>
struct AngularOf<2> {
  using Type = double;
  static double zero() { return 0; }
};

/// How a body's frame moves, in the world.
template <int D>
struct FrameMotion {
  using Angular = typename AngularOf<D>::Type;
  nurbs::VecD<D> v = nurbs::VecD<D>::Zero();  ///< of the origin [m/s]
  Angular w = AngularOf<D>::zero();           ///< [rad/s]
  nurbs::VecD<D> a = nurbs::VecD<D>::Zero();  ///< of the origin [m/s²]
  Angular alpha = AngularOf<D>::zero();       ///< [rad/s²]
};

/// How a pair moves with its bodies (theory 11.18 to 11.20). With the accelerations that the bodies
/// have while u̇ = 0, `gap_acceleration` is the bias of the contact's normal row.
template <int D>
struct PairRates {
  bool regular = false;         ///< false: the equations of the pair are singular, the rest unset
  double gap_rate = 0;          ///< ġ [m/s]
  double gap_acceleration = 0;  ///< g̈ [m/s²]
  nurbs::VecD<D> n_rate = nurbs::VecD<D>::Zero();        ///< of the normal [1/s]
  std::array<double, 2> parameters_A{}, parameters_B{};  ///< rates of the parameters [1/s]
  nurbs::VecD<D> slip_A = nurbs::VecD<D>::Zero(), slip_B = slip_A;  ///< of the points on bodies
};

template <int D>
PairRates<D> pair_rates(const Placed<D>& A, const FrameMotion<D>& motion_A, const Placed<D>& B,
                        const FrameMotion<D>& motion_B, const FacingPair<D>& pair);

/// The same where B is a ball, `motion_B` being that of its centre.
template <int D>
PairRates<D> pair_rates(const Placed<D>& A, const FrameMotion<D>& motion_A, const SolidBall<D>& B,
                        const FrameMotion<D>& motion_B, const FacingPair<D>& pair);

/// The same where B is a half-space, `motion_B` being that of its body at the point of its
/// boundary.
template <int D>
PairRates<D> pair_rates(const Placed<D>& A, const FrameMotion<D>& motion_A, const HalfSpace<D>& B,
                        const FrameMotion<D>& motion_B, const FacingPair<D>& pair);

}  // namespace backlash
