// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_joints.h"

#include <cmath>

#include <fmt/format.h>

namespace backlash::planar {
namespace {

void add_constraint(MechanismBuilder& builder, const Joint& joint, const std::string& suffix,
                    double length, const ConstraintKind& kind) {
  const std::string name = fmt::format("{}.{}", joint.name, suffix);
  builder.parts.constraints.push_back({name, joint.name, length, kind, builder.find_owner(joint)});
  builder.info.bilaterals.push_back({name, length});
}

void add_coincidence(MechanismBuilder& builder, const Joint& joint, const Vec2& p_AP,
                     const Vec2& p_BQ) {
  const auto [a, b] = ends_of(builder, joint);
  add_constraint(builder, joint, "x", 1, CoincidentPoints{a, b, p_AP, p_BQ, Vec2::UnitX()});
  add_constraint(builder, joint, "y", 1, CoincidentPoints{a, b, p_AP, p_BQ, Vec2::UnitY()});
}

void add_line(MechanismBuilder& builder, const Joint& joint, const Vec2& p_AP, const Vec2& p_BQ,
              const Vec2& axis_A) {
  const auto [a, b] = ends_of(builder, joint);
  add_constraint(builder, joint, "across", 1,
                 KeptCoordinate{{Coordinate::Kind::way, a, b, p_AP, p_BQ, left_of(axis_A)}});
}

/// Angles count turns; the one that is kept is the nearest to where the bodies are at the start.
void add_kept_angle(MechanismBuilder& builder, const Joint& joint, double angle) {
  add_constraint(builder, joint, "angle", builder.info.length,
                 KeptCoordinate{angle_between(ends_of(builder, joint), angle)});
}

/// Rows of an ideal joint outside of the tree.
void close(MechanismBuilder& builder, const Joint& joint, const Revolute& j) {
  add_coincidence(builder, joint, j.p_AP, j.p_BQ);
}
void close(MechanismBuilder& builder, const Joint& joint, const Prismatic& j) {
  add_line(builder, joint, j.p_AP, j.p_BQ, j.axis_A);
  add_kept_angle(builder, joint, j.angle);
}
void close(MechanismBuilder& builder, const Joint& joint, const Fixed& j) {
  add_coincidence(builder, joint, j.p_AP, j.p_BQ);
  add_kept_angle(builder, joint, j.angle);
}
void close(MechanismBuilder& builder, const Joint& joint, const PointOnLine& j) {
  add_line(builder, joint, j.p_AP, j.p_BQ, j.axis_A);
}
void close(MechanismBuilder&, const Joint&, const Planar&) {}
void close(MechanismBuilder& builder, const Joint& joint, const Gear&) {
  add_constraint(builder, joint, "ratio", builder.info.length, coupling_of(builder, joint));
}
void close(MechanismBuilder& builder, const Joint& joint, const Rack&) {
  add_constraint(builder, joint, "ratio", 1, coupling_of(builder, joint));
}

void add_limits(MechanismBuilder& builder, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  const bool turns = coordinate.kind == Coordinate::Kind::angle;
  const ContactSetting setting{.mass =
                                   turns ? 0 : reduced_mass(builder, coordinate.a, coordinate.b)};
  const auto stop = [&](const char* suffix) {
    return contact_info(builder, joint.name + suffix, {joint.limits->law, joint.where, 0}, setting);
  };
  const bool lower = std::isfinite(joint.limits->lower), upper = std::isfinite(joint.limits->upper);
  const ElementOwner own{.owner = builder.find_owner(joint)};
  if (lower) add_contact(builder, stop(".lower"), Stop{coordinate, joint.limits->lower, 1}, own);
  if (upper) add_contact(builder, stop(".upper"), Stop{coordinate, joint.limits->upper, -1}, own);
}

void add_friction(MechanismBuilder& builder, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  add_relay(builder, joint.name + ".friction", RelayLaw::friction,
            {.coordinate = coordinate, .strength = joint.friction->strength},
            {.owner = builder.find_owner(joint)});
}

void add_drive(MechanismBuilder& builder, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(builder, joint.name, 0, joint.where);
  const bool turns = coordinate.kind == Coordinate::Kind::angle;
  add_constraint(builder, joint, "drive", turns ? builder.info.length : 1,
                 DrivenCoordinate{coordinate, joint.drive->position});
}

}  // namespace

void add_joints(MechanismBuilder& builder) {
  for (const Joint* joint : builder.tree.loop_joints) {
    if (joint->clearance) {
      add_clearance(builder, *joint);
      continue;
    }
    const std::size_t before = builder.parts.constraints.size();
    std::visit([&](const auto& kind) { close(builder, *joint, kind); }, joint->kind);
    if (builder.parts.constraints.size() > before) builder.loops.push_back(joint->name);
  }
  for (const Joint& joint : builder.model.joints) {
    if (joint.limits) add_limits(builder, joint);
    if (joint.friction) add_friction(builder, joint);
    if (joint.drive) add_drive(builder, joint);
  }
}

}  // namespace backlash::planar
