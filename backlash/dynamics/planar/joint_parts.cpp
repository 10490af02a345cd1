// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/joint_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::planar {
namespace {

[[noreturn]] void refuse(const SourceLocation& where, const std::string& what) {
  throw InputError(fmt::format("{}: {}", to_string(where), what));
}

Vec2 left_of(const Vec2& d) { return {-d.y(), d.x()}; }

Coordinate angle_between(int a, int b, double zero) {
  return {.kind = Coordinate::Kind::angle, .a = a, .b = b, .zero = zero};
}

struct Ends {
  int a = -1, b = -1;
};

Ends ends_of(const Draft& draft, const Joint& joint) {
  return {draft.tree.find(draft.model, joint.body_A), draft.tree.find(draft.model, joint.body_B)};
}

void add_constraint(Draft& draft, const Joint& joint, const std::string& suffix, double length,
                    const ConstraintKind& kind) {
  const std::string name = fmt::format("{}.{}", joint.name, suffix);
  draft.parts.constraints.push_back({name, joint.name, length, kind});
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
  const auto [a, b] = ends_of(draft, joint);
  add_constraint(draft, joint, "angle", draft.info.length,
                 KeptCoordinate{angle_between(a, b, angle)});
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
/// What a gear or a rack couples.
CoupledCoordinates coupling_of(const Draft& draft, const Joint& joint) {
  const auto coupled = [&](const std::string& first, const std::string& second, double ratio) {
    return CoupledCoordinates{coordinate_of(draft, first, 0, joint.where),
                              coordinate_of(draft, second, 0, joint.where), ratio};
  };
  if (const auto* gear = std::get_if<Gear>(&joint.kind))
    return coupled(gear->first, gear->second, gear->ratio);
  const auto& rack = std::get<Rack>(joint.kind);
  return coupled(rack.pinion, rack.rack, rack.radius);
}

void close(Draft& draft, const Joint& joint, const Gear&) {
  add_constraint(draft, joint, "ratio", draft.info.length, coupling_of(draft, joint));
}
void close(Draft& draft, const Joint& joint, const Rack&) {
  add_constraint(draft, joint, "ratio", 1, coupling_of(draft, joint));
}

/// The four corners of a slider, numbered as in paper 001: 1 and 2 on the left of the axis, 1 and 3
/// at the end that the axis comes from.
void add_guide(Draft& draft, const Joint& joint, const Prismatic& j, const PrismaticClearance& c) {
  const auto [a, b] = ends_of(draft, joint);
  const ContactLaw law = law_of(draft.model, c.law, joint.where);
  const Vec2 axis_B = rotated(-j.angle, j.axis_A), across_B = left_of(axis_B);
  int number = 0;
  for (const double side : {1.0, -1.0})
    for (const double end : {-1.0, 1.0}) {
      CornerInGuide corner{.a = a, .b = b, .p_AP = j.p_AP, .axis_A = j.axis_A};
      corner.half_width = c.width / 2 + c.gap;
      corner.side = side;
      corner.p_BC = j.p_BQ + end * c.length / 2 * axis_B + side * c.width / 2 * across_B;
      corner.from = c.guide_from;
      corner.to = c.guide_to;
      add_contact(draft, {fmt::format("{}.{}", joint.name, ++number), law}, corner);
    }
  for (const double side : {1.0, -1.0})
    for (const double end : {c.guide_from, c.guide_to}) {
      if (!std::isfinite(end)) continue;
      GuideEndOnSlider corner{.a = a, .b = b};
      corner.p_AE = j.p_AP + end * j.axis_A + side * (c.width / 2 + c.gap) * left_of(j.axis_A);
      corner.p_BQ = j.p_BQ;
      corner.axis_B = axis_B;
      corner.half_length = c.length / 2;
      corner.half_width = c.width / 2;
      corner.side = side;
      add_contact(draft, {fmt::format("{}.{}", joint.name, ++number), law}, corner);
    }
}

/// The law of a contact that has no tangent to rub along.
ContactLaw without_friction(ContactLaw law) {
  law.friction = law.tangential_restitution = 0;
  return law;
}

/// The two flanks of a tooth: 1 is touched where the second coordinate lags behind, 2 where it
/// leads.
void add_teeth(Draft& draft, const Joint& joint, const ToothClearance& c) {
  const ContactLaw law = without_friction(law_of(draft.model, c.law, joint.where));
  const CoupledCoordinates coupling = coupling_of(draft, joint);
  add_contact(draft, {joint.name + ".1", law, 0}, ToothFlank{coupling, c.gap, 1});
  add_contact(draft, {joint.name + ".2", law, 0}, ToothFlank{coupling, c.gap, -1});
}

void add_clearance(Draft& draft, const Joint& joint) {
  const auto [a, b] = ends_of(draft, joint);
  if (const auto* c = std::get_if<RevoluteClearance>(&*joint.clearance)) {
    const auto& j = std::get<Revolute>(joint.kind);
    add_contact(draft, {joint.name + ".1", law_of(draft.model, c->law, joint.where)},
                JournalInBearing{a, b, j.p_AP, j.p_BQ, c->gap, c->journal_radius});
  } else if (const auto* p = std::get_if<PrismaticClearance>(&*joint.clearance)) {
    add_guide(draft, joint, std::get<Prismatic>(joint.kind), *p);
  } else {
    add_teeth(draft, joint, std::get<ToothClearance>(*joint.clearance));
  }
}

void add_limits(Draft& draft, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(draft, joint.name, 0, joint.where);
  const ContactLaw stop = without_friction(law_of(draft.model, joint.limits->law, joint.where));
  const bool lower = std::isfinite(joint.limits->lower), upper = std::isfinite(joint.limits->upper);
  if (lower)
    add_contact(draft, {joint.name + ".lower", stop, 0}, Stop{coordinate, joint.limits->lower, 1});
  if (upper)
    add_contact(draft, {joint.name + ".upper", stop, 0}, Stop{coordinate, joint.limits->upper, -1});
}

void add_friction(Draft& draft, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(draft, joint.name, 0, joint.where);
  add_relay(draft, joint.name + ".friction", RelayLaw::friction,
            {.coordinate = coordinate, .strength = joint.friction->strength});
}

void add_drive(Draft& draft, const Joint& joint) {
  const Coordinate coordinate = coordinate_of(draft, joint.name, 0, joint.where);
  const bool turns = coordinate.kind == Coordinate::Kind::angle;
  add_constraint(draft, joint, "drive", turns ? draft.info.length : 1,
                 DrivenCoordinate{coordinate, joint.drive->position});
}

}  // namespace

ContactLaw law_of(const Model& model, const std::string& name, const SourceLocation& where) {
  const NamedLaw* law = find_law(model, name);
  if (!law) refuse(where, fmt::format("law '{}' does not exist", name));
  return std::get<ContactLaw>(law->law);
}

Coordinate coordinate_of(const Draft& draft, const std::string& name, int number,
                         const SourceLocation& where) {
  const Joint* joint = find_joint(draft.model, name);
  if (!joint) refuse(where, fmt::format("joint '{}' does not exist", name));
  const std::vector<Freedom> kinds = freedoms(joint->kind);
  if (number < 0 || number >= static_cast<int>(kinds.size()))
    refuse(where, fmt::format("joint '{}' has {} coordinates, number {} was asked for", name,
                              kinds.size(), number + 1));
  const auto [a, b] = ends_of(draft, *joint);
  if (kinds[static_cast<std::size_t>(number)] == Freedom::rotation) return angle_between(a, b, 0);
  Coordinate way{.kind = Coordinate::Kind::way, .a = a, .b = b};
  std::visit(
      [&](const auto& j) {
        if constexpr (requires { j.p_AP; }) {
          way.p_AP = j.p_AP;
          way.p_BQ = j.p_BQ;
        }
        if constexpr (requires { j.axis_A; }) way.axis_A = j.axis_A;
      },
      joint->kind);
  if (std::holds_alternative<Planar>(joint->kind) && number == 1) way.axis_A = Vec2::UnitY();
  return way;
}

int Draft::find_switch(const std::string& force) const {
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    if (info.switches[i].name == force) return static_cast<int>(i);
  return -1;
}

void add_contact(Draft& draft, const ContactInfo& info, const ContactKind& contact, int item) {
  draft.info.contacts.push_back(info);
  draft.parts.contacts.push_back({contact, item});
}

void add_relay(Draft& draft, const std::string& name, RelayLaw law, const CoordinateRelay& relay,
               int item) {
  const bool turns = relay.coordinate.kind == Coordinate::Kind::angle;
  draft.info.relays.push_back({name, turns ? draft.info.length : 1, law});
  draft.parts.relays.push_back({relay, item});
}

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
