// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_joints.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/dynamics/assembly/initial_motion.h"

namespace backlash {
namespace {

template <class S>
void add_constraint(MechanismBuilder<S>& builder, const Joint& joint, const std::string& suffix,
                    GapUnit unit, const ConstraintKind<S>& kind) {
  const std::string name = fmt::format("{}.{}", joint.name, suffix);
  const double length = unit == GapUnit::radian ? builder.info.length : 1;
  builder.parts.constraints.push_back({name, joint.name, length, kind, builder.find_owner(joint)});
  const bool driven = std::holds_alternative<DrivenCoordinate<S>>(kind);
  builder.info.bilaterals.push_back(
      {name, length,
       next_origin(builder.info.bilaterals, joint.name,
                   driven ? Origin::Kind::drive : Origin::Kind::joint),
       unit});
}

template <class S>
void add_coincidence(MechanismBuilder<S>& builder, const Joint& joint, const Frames& f) {
  constexpr const char* names[] = {"x", "y", "z"};
  const auto [a, b] = ends_of(builder, joint);
  for (int k = 0; k < S::dimension; ++k)
    add_constraint<S>(builder, joint, names[k], GapUnit::metre,
                      CoincidentPoints<S>{a, b, S::vec(f.p_AP), S::vec(f.p_BQ), S::unit(k)});
}

/// Q stays where it is along a direction of A.
template <class S>
void add_across(MechanismBuilder<S>& builder, const Joint& joint, const std::string& suffix,
                const Frames& f, const Vec3& direction_A) {
  add_constraint<S>(builder, joint, suffix, GapUnit::metre,
                    KeptCoordinate<S>{displacement_along<S>(ends_of(builder, joint), f.p_AP, f.p_BQ,
                                                            direction_A)});
}

/// Q stays on the line through P along the axis.
void add_line(MechanismBuilder<Plane>& builder, const Joint& joint, const Frames& f) {
  add_across(builder, joint, "across", f, left_of(f.axis_A));
}
void add_line(MechanismBuilder<Space>& builder, const Joint& joint, const Frames& f) {
  const Vec3 across = f.axis_A.unitOrthogonal();
  add_across(builder, joint, "across1", f, across);
  add_across(builder, joint, "across2", f, f.axis_A.cross(across));
}

/// A direction of A and one of B stay perpendicular.
void add_perpendicular(MechanismBuilder<Space>& builder, const Joint& joint,
                       const std::string& suffix, const Vec3& d_A, const Vec3& d_B) {
  const auto [a, b] = ends_of(builder, joint);
  add_constraint<Space>(builder, joint, suffix, GapUnit::radian,
                        PerpendicularDirections<Space>{a, b, d_A, d_B});
}

/// B keeps its rotation against A. In the plane angles count turns; the one that is kept is the
/// nearest to where the bodies are at the start.
void add_kept_rotation(MechanismBuilder<Plane>& builder, const Joint& joint, const Frames& f) {
  Coordinate<Plane> angle = angle_about<Plane>(ends_of(builder, joint), Vec3::UnitZ());
  angle.zero = f.rotation.z();
  add_constraint<Plane>(builder, joint, "angle", GapUnit::radian, KeptCoordinate<Plane>{angle});
}
void add_kept_rotation(MechanismBuilder<Space>& builder, const Joint& joint, const Frames& f) {
  constexpr const char* names[] = {"angle1", "angle2", "angle3"};
  for (int k = 0; k < 3; ++k)
    add_perpendicular(builder, joint, names[k], Vec3::Unit((k + 1) % 3),
                      rotated(-f.rotation, Vec3::Unit((k + 2) % 3)));
}

/// An axis of B stays parallel to one of A; in the plane it always is.
void add_parallel_axes(MechanismBuilder<Plane>&, const Joint&, const Vec3&, const Vec3&) {}
void add_parallel_axes(MechanismBuilder<Space>& builder, const Joint& joint, const Vec3& axis_A,
                       const Vec3& axis_B) {
  const Vec3 across = axis_A.unitOrthogonal();
  add_perpendicular(builder, joint, "tilt1", across, axis_B);
  add_perpendicular(builder, joint, "tilt2", axis_A.cross(across), axis_B);
}

/// Q keeps its distance from P.
template <class S>
void add_distance(MechanismBuilder<S>& builder, const Joint& joint, const Frames& f) {
  const auto [a, b] = ends_of(builder, joint);
  add_constraint<S>(builder, joint, "distance", GapUnit::metre,
                    KeptCoordinate<S>{{.kind = Coordinate<S>::Kind::distance,
                                       .a = a,
                                       .b = b,
                                       .p_AP = S::vec(f.p_AP),
                                       .p_BQ = S::vec(f.p_BQ),
                                       .zero = f.distance}});
}

template <class S>
void add_ratio(MechanismBuilder<S>& builder, const Joint& joint) {
  const CoupledCoordinates<S> coupling = coupling_of(builder, joint);
  const bool angle = coupling.second.kind == Coordinate<S>::Kind::angle;
  add_constraint<S>(builder, joint, "ratio", angle ? GapUnit::radian : GapUnit::metre, coupling);
}

/// Rows of an ideal joint outside of the tree (theory 6.8).
template <class S>
void close(MechanismBuilder<S>& builder, const Joint& joint) {
  const Frames f = frames_of(joint.kind);
  for (const Hold hold : joint_info(joint.kind).holds) {
    switch (hold) {
      case Hold::points:
        add_coincidence(builder, joint, f);
        break;
      case Hold::line:
        add_line(builder, joint, f);
        break;
      case Hold::height:
        if (S::dimension == 3) add_across(builder, joint, "height", f, Vec3::UnitZ());
        break;
      case Hold::axes:
        add_parallel_axes(builder, joint, f.turning_A, f.turning_B);
        break;
      case Hold::rotation:
        add_kept_rotation(builder, joint, f);
        break;
      case Hold::distance:
        add_distance(builder, joint, f);
        break;
      case Hold::ratio:
        add_ratio(builder, joint);
        break;
    }
  }
}

template <class S>
void add_limits(MechanismBuilder<S>& builder, const Joint& joint) {
  const Coordinate<S> coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  const bool angle = coordinate.kind == Coordinate<S>::Kind::angle;
  const ContactSetting setting{.mass =
                                   angle ? 0 : reduced_mass(builder, coordinate.a, coordinate.b)};
  const auto stop = [&](const char* suffix, Origin::Kind kind) {
    return contact_info(builder, joint.name + suffix, {joint.name, kind},
                        {joint.limits->law, joint.where, 0}, setting);
  };
  const bool within_a_turn =
      joint.limits->lower > -std::numbers::pi && joint.limits->upper < std::numbers::pi;
  if (!within_a_turn)
    require_turns(coordinate, fmt::format("limits of joint '{}'", joint.name), joint.where);
  const bool lower = std::isfinite(joint.limits->lower), upper = std::isfinite(joint.limits->upper);
  const ElementOwner own{.owner = builder.find_owner(joint)};
  if (lower)
    add_contact(builder, stop(".lower", Origin::Kind::lower_limit),
                Stop<S>{coordinate, joint.limits->lower, 1}, own);
  if (upper)
    add_contact(builder, stop(".upper", Origin::Kind::upper_limit),
                Stop<S>{coordinate, joint.limits->upper, -1}, own);
}

template <class S>
void add_friction(MechanismBuilder<S>& builder, const Joint& joint) {
  const Coordinate<S> coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  add_relay<S>(builder,
               {.name = joint.name + ".friction",
                .origin = {joint.name, Origin::Kind::friction},
                .friction = joint.friction->friction,
                .static_friction = joint.friction->static_friction},
               {.coordinate = coordinate,
                .strength = joint.friction->strength,
                .radius = joint.friction->radius,
                .length = joint.friction->length},
               {.owner = builder.find_owner(joint)});
}

template <class S>
void add_drive(MechanismBuilder<S>& builder, const Joint& joint) {
  const Coordinate<S> coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  const bool angle = coordinate.kind == Coordinate<S>::Kind::angle;
  add_constraint<S>(builder, joint, "drive", angle ? GapUnit::radian : GapUnit::metre,
                    DrivenCoordinate<S>{coordinate, joint.drive->position});
  builder.parts.constraints.back().item = builder.find_switch(Origin::Kind::drive, joint.name);
}

/// Holds the coordinate where it is when an event turns it on.
template <class S>
void add_lock(MechanismBuilder<S>& builder, const Joint& joint, int item) {
  const Coordinate<S> coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  const bool angle = coordinate.kind == Coordinate<S>::Kind::angle;
  add_constraint<S>(builder, joint, "lock", angle ? GapUnit::radian : GapUnit::metre,
                    KeptCoordinate<S>{coordinate});
  builder.parts.constraints.back().item = item;
}

}  // namespace

template <class S>
void add_joints(MechanismBuilder<S>& builder) {
  for (const Joint* joint : builder.tree.loop_joints) {
    if (joint->clearance) {
      add_clearance(builder, *joint);
      continue;
    }
    const std::size_t before = builder.parts.constraints.size();
    close(builder, *joint);
    if (builder.parts.constraints.size() > before) builder.loops.push_back(joint->name);
  }
  for (const Joint& joint : builder.model.joints) {
    if (joint.limits) add_limits(builder, joint);
    if (joint.friction) add_friction(builder, joint);
    if (joint.drive) add_drive(builder, joint);
    const int lock = builder.find_switch(Origin::Kind::joint, joint.name);
    if (lock >= 0) add_lock(builder, joint, lock);
  }
}

template <class S>
void close_clearances(MechanismBuilder<S>& builder) {
  for (const Joint* joint : builder.tree.loop_joints)
    if (joint->clearance && !std::holds_alternative<ToothClearance>(*joint->clearance))
      close(builder, *joint);
}

template <class S>
void hold_guesses(MechanismBuilder<S>& builder) {
  for (const Joint& joint : builder.model.joints) {
    const std::optional<double>& guess = joint.initial[0].guess;
    if (!guess) continue;
    Coordinate<S> coordinate = coordinate_of(builder, joint.name, 0, joint.where);
    const bool angle = coordinate.kind == Coordinate<S>::Kind::angle;
    coordinate.zero += *guess;
    add_constraint<S>(builder, joint, "guess", angle ? GapUnit::radian : GapUnit::metre,
                      KeptCoordinate<S>{coordinate});
  }
}

template void add_joints(MechanismBuilder<Plane>&);
template void add_joints(MechanismBuilder<Space>&);
template void close_clearances(MechanismBuilder<Plane>&);
template void close_clearances(MechanismBuilder<Space>&);
template void hold_guesses(MechanismBuilder<Plane>&);
template void hold_guesses(MechanismBuilder<Space>&);

}  // namespace backlash
