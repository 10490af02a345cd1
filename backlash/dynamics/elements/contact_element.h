// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "backlash/dynamics/kernel/coordinate.h"
#include "backlash/geometry/closest_points.h"

/// One contact of a planar mechanism: its gap, and the directions in which it pushes.
namespace backlash::planar {

/// The journal of b, a circle around Q, in the bearing of a, a hole around P.
struct JournalInBearing {
  int a = -1, b = -1;
  Vec2 p_AP = Vec2::Zero(), p_BQ = Vec2::Zero();  ///< [m]
  double gap = 0;                                 ///< radial, when centred [m]
  double journal_radius = 0;                      ///< [m]
};

/// A corner of the slider b against one side of the straight guide of a. Beyond the guide's ends
/// there is nothing to touch.
struct CornerInGuide {
  int a = -1, b = -1;
  Vec2 p_AP = Vec2::Zero();                ///< a point on the guide's middle line [m]
  Vec2 axis_A = Vec2::UnitX();             ///< unit, along the guide
  double half_width = 0;                   ///< of the guide [m]
  double side = 1;                         ///< +1: the side that the axis has on its left
  Vec2 p_BC = Vec2::Zero();                ///< the corner [m]
  double from = -INFINITY, to = INFINITY;  ///< ends of the guide, along the axis from P [m]
};

/// An end of the guide of a against the face of the slider b, where the slider reaches beyond it.
struct GuideEndOnSlider {
  int a = -1, b = -1;
  Vec2 p_AE = Vec2::Zero();                ///< the end of the guide's side [m]
  Vec2 p_BQ = Vec2::Zero();                ///< middle of the slider [m]
  Vec2 axis_B = Vec2::UnitX();             ///< unit, along the slider
  double half_length = 0, half_width = 0;  ///< of the slider [m]
  double side = 1;                         ///< +1: the face on the left of the axis
};

/// A stop on a coordinate: it may not fall below (sign +1) or rise above (−1) the limit.
struct Stop {
  Coordinate coordinate{};
  double limit = 0;  ///< [m] or [rad]
  double sign = 1;
};

/// Lets a coordinate change in one direction only: always closed.
struct OneWay {
  Coordinate coordinate{};
  double sign = 1;
};

/// A flank of a gear or rack with play: the coupled coordinates may be off by the gap to each side.
struct ToothFlank {
  CoupledCoordinates coupling{};
  double gap = 0;   ///< in the second coordinate [m] or [rad]
  double sign = 1;  ///< +1: touched where the second lags behind, −1: where it leads
};

/// A feature of a shape of a against one of a shape of b.
struct ShapeContact {
  int a = -1, b = -1;
  FeaturePair pair;
  FeatureBound A{}, B{};  ///< circles around the two
};

using ContactKind = std::variant<JournalInBearing, CornerInGuide, GuideEndOnSlider, ShapeContact,
                                 Stop, OneWay, ToothFlank>;

/// Of a corner from its side of the guide.
struct SideDistance {
  double depth;  ///< as if the guide had no ends [m]
  bool beside;   ///< the guide, not beyond its ends
};
SideDistance distance_to_side(const CornerInGuide& corner, const Motion& motion);

/// Where two bodies touch or would, with the directions of the rows.
struct ContactKinematics {
  Vec2 p_WA = Vec2::Zero(), p_WB = Vec2::Zero();  ///< [m]
  Vec2 n_W = Vec2::Zero();                        ///< unit, from a into b; zero for a coordinate
  Vec2 t_W = Vec2::Zero();
  double gap = 0;  ///< [m]; of a stop on an angle and of a gear's teeth [rad]
};

/// Nothing where there is nothing to touch: beyond the end of a guide. Not beyond the reach [m]
/// either.
std::optional<ContactKinematics> touch(const ContactKind& contact, const Motion& motion,
                                       double reach = INFINITY);

/// The normal row and, if W has two columns, the tangent, for bodies that touch like this.
void write_rows(const ContactKind& contact, const ContactKinematics& at, const Motion& motion,
                MatrixRef W);

/// What the contact does to the bodies by its forces [N] (or a moment [N m]).
Loads loads(const ContactKind& contact, const ContactKinematics& at, const Motion& motion,
            double normal, double tangential);

/// The rates of the rows [m/s]: normal, tangential.
std::array<double, 2> rates(const ContactKind& contact, const ContactKinematics& at,
                            const Motion& motion);

/// Whether the gap is an angle.
bool is_angular(const ContactKind& contact);

}  // namespace backlash::planar
