// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "backlash/dynamics/elements/contact_kinematics.h"
#include "backlash/geometry/closest_points.h"

/// What touches in the plane: each kind says where, by touch().
namespace backlash {

/// The journal of b, a circle around Q, in the bearing of a, a hole around P.
struct JournalInBearing {
  int a = -1, b = -1;
  PlainVec2 p_AP{}, p_BQ{};   ///< [m]
  double gap = 0;             ///< radial, when centred [m]
  double journal_radius = 0;  ///< [m]
};

/// A corner of the slider b against one side of the straight guide of a. Beyond the guide's ends
/// there is nothing to touch.
struct CornerInGuide {
  int a = -1, b = -1;
  PlainVec2 p_AP{};                        ///< a point on the guide's middle line [m]
  PlainVec2 axis_A = PlainVec2::UnitX();   ///< unit, along the guide
  double half_width = 0;                   ///< of the guide [m]
  double side = 1;                         ///< +1: the side that the axis has on its left
  PlainVec2 p_BC{};                        ///< the corner [m]
  double from = -INFINITY, to = INFINITY;  ///< ends of the guide, along the axis from P [m]
};

/// An end of the guide of a against the face of the slider b, where the slider reaches beyond it.
struct GuideEndOnSlider {
  int a = -1, b = -1;
  PlainVec2 p_AE{};                        ///< the end of the guide's side [m]
  PlainVec2 p_BQ{};                        ///< middle of the slider [m]
  PlainVec2 axis_B = PlainVec2::UnitX();   ///< unit, along the slider
  double half_length = 0, half_width = 0;  ///< of the slider [m]
  double side = 1;                         ///< +1: the face on the left of the axis
};

/// A candidate for touching of a shape of a and one of b.
struct ShapeContact {
  int a = -1, b = -1;
  const ShapeFeatures *A = nullptr, *B = nullptr;
  int candidate = 0;
};

/// Nothing where there is nothing to touch: beyond the end of a guide. Not beyond the reach [m]
/// either.
using PlanarTouch = std::optional<ContactKinematics<Plane>>;
PlanarTouch touch(const JournalInBearing& contact, const Motion<Plane>& motion, double reach);
PlanarTouch touch(const CornerInGuide& contact, const Motion<Plane>& motion, double reach);
PlanarTouch touch(const GuideEndOnSlider& contact, const Motion<Plane>& motion, double reach);
PlanarTouch touch(const ShapeContact& contact, const Motion<Plane>& motion, double reach);

/// What rows are made of, from the closest points of two features.
ContactKinematics<Plane> kinematics_of(const ClosestPoints& closest);

/// How a contact changes while its bodies move (theory 7.20).
struct ContactDrift {
  double w_n;               ///< angular velocity of its normal [rad/s]
  double along_A, along_B;  ///< how fast its points move along the boundaries, in the direction t
};
/// Of bodies that turn by w_A and w_B and slide on each other, t·(v_B − v_A) [m/s].
ContactDrift contact_drift(const ContactKinematics<Plane>& at, double slip, double w_A, double w_B);

/// Of a corner from its side of the guide.
struct SideDistance {
  double depth;  ///< as if the guide had no ends [m]
  bool beside;   ///< the guide, not beyond its ends
};
inline SideDistance distance_to_side(const CornerInGuide& k, const Motion<Plane>& m) {
  PlainVec2 corner = m.pose(k.b).point(k.p_BC);
  if (k.a >= 0) corner = m.pose(k.a).local_point(corner);
  const PlainVec2 d = corner - k.p_AP;
  const double along = k.axis_A.dot(d);
  return {k.half_width - k.side * Plane::cross(k.axis_A, d), along >= k.from && along <= k.to};
}

/// Whether touch() would find nothing, where this is known at little cost: contacts are open most
/// of the time.
inline bool is_far(const CornerInGuide& k, const Motion<Plane>& m, double reach) {
  return distance_to_side(k, m).depth > reach;
}
inline bool is_far(const JournalInBearing& k, const Motion<Plane>& m, double reach) {
  constexpr double but_for_round_off = 1 - 1e-12;
  const PlainVec2 offset = m.pose(k.b).point(k.p_BQ) - m.pose(k.a).point(k.p_AP);
  const double room = k.gap - reach;
  return room > 0 && offset.squaredNorm() < but_for_round_off * room * room;
}

}  // namespace backlash
