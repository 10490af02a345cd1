// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/joint_parts.h"

#include <cmath>

#include <fmt/format.h>

namespace backlash::planar {
namespace {

void add_constraint(Draft& draft, const Joint& joint, const std::string& suffix, double length,
                    const ConstraintKind& kind) {
  const std::string name = fmt::format("{}.{}", joint.name, suffix);
  draft.parts.constraints.push_back({name, joint.name, length, kind, draft.find_owner(joint)});
  draft.info.bilaterals.push_back({name, length});
}

void add_coincidence(Draft& draft, const Joint& joint, const Vec2& p_AP, const Vec2& p_BQ) {
  const auto [a, b] = ends_of(draft, joint);
  add_constraint(draft, joint, "x", 1, CoincidentPoints{a, b, p_AP, p_BQ, Vec2::UnitX()});
  add_constraint(draft, joint, "y", 1, CoincidentPoints{a, b, p_AP, p_BQ, Vec2::UnitY()});
}

void add_line(Draft& draft, const Joint& joint, const Vec2& p_AP, const Vec2& p_BQ,
              const Vec2& axis_A) {
  const auto [a, b] = ends_of(draft, joint);
  add_constraint(draft, joint, "across", 1,
                 KeptCoordinate{{Coordinate::Kind::way, a, b, p_AP, p_BQ, left_of(axis_A)}});
}

/// Angles count turns; the one that is kept is the nearest to where the bodies are at the start.
void add_kept_angle(Draft& draft, const Joint& joint, double angle) {
  add_constraint(draft, joint, "angle", draft.info.length,
                 KeptCoordinate{angle_between(ends_of(draft, joint), angle)});
}

/// Rows of an ideal joint outside of the tree.
void close(Draft& draft, const Joint& joint, const Revolute& j) {
  add_coincidence(draft, joint, j.p_AP, j.p_BQ);
}
void close(Draft& draft, const Joint& joint, const Prismatic& j) {
  add_line(draft, joint, j.p_AP, j.p_BQ, j.axis_A);
  add_kept_angle(draft, joint, j.angle);
}
void close(Draft& draft, const Joint& joint, const Fixed& j) {
  add_coincidence(draft, joint, j.p_AP, j.p_BQ);
  add_kept_angle(draft, joint, j.angle);
}
void close(Draft& draft, const Joint& joint, const PointOnLine& j) {
  add_line(draft, joint, j.p_AP, j.p_BQ, j.axis_A);
}
void close(Draft&, const Joint&, const Planar&) {}
void close(Draft& draft, const Joint& joint, const Gear&) {
  add_constraint(draft, joint, "ratio", draft.info.length, coupling_of(draft, joint));
}
void close(Draft& draft, const Joint& joint, const Rack&) {
  add_constraint(draft, joint, "ratio", 1, coupling_of(draft, joint));
}

void add_limits(Draft& draft, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(draft, joint.name, 0, joint.where);
  const bool turns = coordinate.kind == Coordinate::Kind::angle;
  const ContactSetting setting{.mass = turns ? 0 : reduced_mass(draft, coordinate.a, coordinate.b)};
  const auto stop = [&](const char* suffix) {
    return contact_info(draft, joint.name + suffix, {joint.limits->law, joint.where, 0}, setting);
  };
  const bool lower = std::isfinite(joint.limits->lower), upper = std::isfinite(joint.limits->upper);
  const Belonging own{.owner = draft.find_owner(joint)};
  if (lower) add_contact(draft, stop(".lower"), Stop{coordinate, joint.limits->lower, 1}, own);
  if (upper) add_contact(draft, stop(".upper"), Stop{coordinate, joint.limits->upper, -1}, own);
}

void add_friction(Draft& draft, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(draft, joint.name, 0, joint.where);
  add_relay(draft, joint.name + ".friction", RelayLaw::friction,
            {.coordinate = coordinate, .strength = joint.friction->strength},
            {.owner = draft.find_owner(joint)});
}

void add_drive(Draft& draft, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(draft, joint.name, 0, joint.where);
  const bool turns = coordinate.kind == Coordinate::Kind::angle;
  add_constraint(draft, joint, "drive", turns ? draft.info.length : 1,
                 DrivenCoordinate{coordinate, joint.drive->position});
}

}  // namespace

void add_joints(Draft& draft) {
  for (const Joint* joint : draft.tree.others) {
    if (joint->clearance) {
      add_clearance(draft, *joint);
      continue;
    }
    const std::size_t before = draft.parts.constraints.size();
    std::visit([&](const auto& kind) { close(draft, *joint, kind); }, joint->kind);
    if (draft.parts.constraints.size() > before) draft.loops.push_back(joint->name);
  }
  for (const Joint& joint : draft.model.joints) {
    if (joint.limits) add_limits(draft, joint);
    if (joint.friction) add_friction(draft, joint);
    if (joint.drive) add_drive(draft, joint);
  }
}

}  // namespace backlash::planar
