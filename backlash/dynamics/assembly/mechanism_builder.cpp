// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/mechanism_builder.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::planar {
namespace {

[[noreturn]] void fail(const SourceLocation& where, const std::string& what) {
  throw InputError(fmt::format("{}: {}", to_string(where), what));
}

}  // namespace

int MechanismBuilder::find_switch(const std::string& force) const {
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    if (info.switches[i].name == force) return static_cast<int>(i);
  return -1;
}

int MechanismBuilder::find_owner(const Joint& joint) const {
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    if (model.joints[i].name == joint.name) return static_cast<int>(i);
  return -1;
}

Ends ends_of(const MechanismBuilder& builder, const Joint& joint) {
  return {builder.tree.find(builder.model, joint.body_A),
          builder.tree.find(builder.model, joint.body_B)};
}

ContactInfo contact_info(const MechanismBuilder& builder, const std::string& name,
                         const LawUse& use, const ContactSetting& setting) {
  const NamedLaw* found = find_law(builder.model, use.law);
  if (!found) fail(use.where, fmt::format("law '{}' does not exist", use.law));
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
    fail(use.where, error.what());
  }
  if (use.tangents == 0) info.compliant->friction = Frictionless{};
  return info;
}

double reduced_mass(const MechanismBuilder& builder, int a, int b) {
  const auto inverse = [&](int body) {
    return body < 0 ? 0 : 1 / builder.tree.bodies[static_cast<std::size_t>(body)].mass;
  };
  return 1 / (inverse(a) + inverse(b));
}

Coordinate angle_between(const Ends& ends, double zero) {
  return {.kind = Coordinate::Kind::angle, .a = ends.a, .b = ends.b, .zero = zero};
}

Coordinate coordinate_of(const MechanismBuilder& builder, const std::string& name, int number,
                         const SourceLocation& where) {
  const Joint* joint = find_joint(builder.model, name);
  if (!joint) fail(where, fmt::format("joint '{}' does not exist", name));
  const std::vector<CoordinateType> kinds = coordinate_types(joint->kind);
  if (number < 0 || number >= static_cast<int>(kinds.size()))
    fail(where, fmt::format("joint '{}' has {} coordinates, number {} was asked for", name,
                            kinds.size(), number + 1));
  const Ends ends = ends_of(builder, *joint);
  if (kinds[static_cast<std::size_t>(number)] == CoordinateType::rotation)
    return angle_between(ends, 0);
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

CoupledCoordinates coupling_of(const MechanismBuilder& builder, const Joint& joint) {
  const auto coupled = [&](const std::string& first, const std::string& second, double ratio) {
    return CoupledCoordinates{coordinate_of(builder, first, 0, joint.where),
                              coordinate_of(builder, second, 0, joint.where), ratio};
  };
  if (const auto* gear = std::get_if<Gear>(&joint.kind))
    return coupled(gear->first, gear->second, gear->ratio);
  const auto& rack = std::get<Rack>(joint.kind);
  return coupled(rack.pinion, rack.rack, rack.radius);
}

void add_contact(MechanismBuilder& builder, const ContactInfo& info, const ContactKind& contact,
                 const ElementOwner& element_owner) {
  builder.info.contacts.push_back(info);
  builder.parts.contacts.push_back({contact, element_owner.item, element_owner.owner});
}

void add_relay(MechanismBuilder& builder, const std::string& name, RelayLaw law,
               const CoordinateRelay& relay, const ElementOwner& element_owner) {
  const bool turns = relay.coordinate.kind == Coordinate::Kind::angle;
  builder.info.relays.push_back({name, turns ? builder.info.length : 1, law});
  builder.parts.relays.push_back({relay, element_owner.item, element_owner.owner});
}

}  // namespace backlash::planar
