// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/draft.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::planar {
namespace {

[[noreturn]] void refuse(const SourceLocation& where, const std::string& what) {
  throw InputError(fmt::format("{}: {}", to_string(where), what));
}

}  // namespace

int Draft::find_switch(const std::string& force) const {
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    if (info.switches[i].name == force) return static_cast<int>(i);
  return -1;
}

int Draft::find_owner(const Joint& joint) const {
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    if (model.joints[i].name == joint.name) return static_cast<int>(i);
  return -1;
}

Ends ends_of(const Draft& draft, const Joint& joint) {
  return {draft.tree.find(draft.model, joint.body_A), draft.tree.find(draft.model, joint.body_B)};
}

ContactInfo contact_info(const Draft& draft, const std::string& name, const LawUse& use,
                         const ContactSetting& setting) {
  const NamedLaw* found = find_law(draft.model, use.law);
  if (!found) refuse(use.where, fmt::format("law '{}' does not exist", use.law));
  ContactInfo info{name, {}, use.tangents};
  if (const auto* law = std::get_if<ContactLaw>(&found->law)) {
    info.law = *law;
    if (use.tangents == 0) info.law.friction = info.law.tangential_restitution = 0;
    return info;
  }
  try {
    const auto& law = std::get<CompliantDescription>(found->law);
    info.compliant = resolve(law, setting, fmt::format("contact '{}'", name));
  } catch (const InputError& error) {
    refuse(use.where, error.what());
  }
  if (use.tangents == 0) info.compliant->friction = Frictionless{};
  return info;
}

double reduced_mass(const Draft& draft, int a, int b) {
  const auto inverse = [&](int body) {
    return body < 0 ? 0 : 1 / draft.tree.bodies[static_cast<std::size_t>(body)].mass;
  };
  return 1 / (inverse(a) + inverse(b));
}

Coordinate angle_between(const Ends& ends, double zero) {
  return {.kind = Coordinate::Kind::angle, .a = ends.a, .b = ends.b, .zero = zero};
}

Vec2 left_of(const Vec2& d) { return {-d.y(), d.x()}; }

Coordinate coordinate_of(const Draft& draft, const std::string& name, int number,
                         const SourceLocation& where) {
  const Joint* joint = find_joint(draft.model, name);
  if (!joint) refuse(where, fmt::format("joint '{}' does not exist", name));
  const std::vector<Freedom> kinds = freedoms(joint->kind);
  if (number < 0 || number >= static_cast<int>(kinds.size()))
    refuse(where, fmt::format("joint '{}' has {} coordinates, number {} was asked for", name,
                              kinds.size(), number + 1));
  const Ends ends = ends_of(draft, *joint);
  if (kinds[static_cast<std::size_t>(number)] == Freedom::rotation) return angle_between(ends, 0);
  Coordinate way{.kind = Coordinate::Kind::way, .a = ends.a, .b = ends.b};
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

void add_contact(Draft& draft, const ContactInfo& info, const ContactKind& contact,
                 const Belonging& belonging) {
  draft.info.contacts.push_back(info);
  draft.parts.contacts.push_back({contact, belonging.item, belonging.owner});
}

void add_relay(Draft& draft, const std::string& name, RelayLaw law, const CoordinateRelay& relay,
               const Belonging& belonging) {
  const bool turns = relay.coordinate.kind == Coordinate::Kind::angle;
  draft.info.relays.push_back({name, turns ? draft.info.length : 1, law});
  draft.parts.relays.push_back({relay, belonging.item, belonging.owner});
}

}  // namespace backlash::planar
