// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>

#include "backlash/dynamics/elements/planar_contact.h"
#include "backlash/dynamics/kernel/coordinate.h"

/// One contact of a mechanism: its gap, and the directions in which it pushes.
namespace backlash {

/// A stop on a coordinate: it may not fall below (sign +1) or rise above (−1) the limit.
template <class S>
struct Stop {
  Coordinate<S> coordinate{};
  double limit = 0;  ///< [m] or [rad]
  double sign = 1;
};

/// Lets a coordinate change in one direction only: always closed.
template <class S>
struct OneWay {
  Coordinate<S> coordinate{};
  double sign = 1;
};

/// A flank of a gear or rack with play: the coupled coordinates may be off by the gap to each side.
template <class S>
struct ToothFlank {
  CoupledCoordinates<S> coupling{};
  double gap = 0;   ///< in the second coordinate [m] or [rad]
  double sign = 1;  ///< +1: touched where the second lags behind, −1: where it leads
};

/// All kinds of contact: of bodies a and b that touch, and limits of coordinates.
template <class S>
struct ContactKinds;
template <>
struct ContactKinds<Plane> {
  using Kind = std::variant<JournalInBearing, CornerInGuide, GuideEndOnSlider, ShapeContact,
                            Stop<Plane>, OneWay<Plane>, ToothFlank<Plane>>;
};
template <>
struct ContactKinds<Space> {
  using Kind = std::variant<Stop<Space>, OneWay<Space>, ToothFlank<Space>>;
};
template <class S>
using ContactKind = typename ContactKinds<S>::Kind;

/// Forces along the rows: normal, tangents.
using RowForces = std::array<double, 3>;

/// Nothing where there is nothing to touch, and beyond the reach [m].
template <class S>
std::optional<ContactKinematics<S>> touch(const ContactKind<S>& contact, const Motion<S>& motion,
                                          double reach = INFINITY);

/// The normal row and, as far as W has columns, the tangents, for bodies that touch like this.
template <class S>
void write_rows(const ContactKind<S>& contact, const ContactKinematics<S>& at,
                const Motion<S>& motion, MatrixRef W);

/// What the contact does to the bodies by the forces along its rows [N] (or a moment [N m]).
template <class S>
Loads<S> loads(const ContactKind<S>& contact, const ContactKinematics<S>& at,
               const Motion<S>& motion, const RowForces& forces);

/// The rates of the rows [m/s].
template <class S>
RowRates rates(const ContactKind<S>& contact, const ContactKinematics<S>& at,
               const Motion<S>& motion);

/// The rates of these rates while u̇ = 0 [m/s²]; `motion` has accelerations.
template <class S>
RowRates rate_biases(const ContactKind<S>& contact, const ContactKinematics<S>& at,
                     const Motion<S>& motion);

/// Whether the gap is an angle.
template <class S>
bool is_angular(const ContactKind<S>& contact);

}  // namespace backlash
