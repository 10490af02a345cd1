// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/mechanism_builder.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/initial_motion.h"

namespace backlash {

template <class S>
int MechanismBuilder<S>::find_switch(Origin::Kind kind, const std::string& item) const {
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    if (info.switches[i].name == item && info.switches[i].kind == kind) return static_cast<int>(i);
  return -1;
}

template <class S>
int MechanismBuilder<S>::find_owner(const Joint& joint) const {
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    if (model.joints[i].name == joint.name) return static_cast<int>(i);
  return -1;
}

template <class S>
int MechanismBuilder<S>::find_load_row(const std::string& joint) const {
  int found = -1;
  for (std::size_t i = 0; i < parts.constraints.size(); ++i) {
    const Constraint<S>& row = parts.constraints[i];
    const bool driven = std::holds_alternative<DrivenCoordinate<S>>(row.kind);
    if (row.joint == joint && (row.item >= 0 || driven) && (found < 0 || !driven))
      found = static_cast<int>(i);
  }
  return found;
}

template <class S>
Ends ends_of(const MechanismBuilder<S>& builder, const Joint& joint) {
  return {builder.tree.find(builder.model, joint.body_A),
          builder.tree.find(builder.model, joint.body_B)};
}

template <class S>
ContactInfo contact_info(const MechanismBuilder<S>& builder, const std::string& name,
                         const Origin& origin, const LawUse& use, const ContactSetting& setting) {
  const NamedLaw* found = find_law(builder.model, use.law);
  if (!found) throw InputError(use.where, fmt::format("law '{}' does not exist", use.law));
  ContactInfo info{.name = name, .law = {}, .tangents = use.tangents, .origin = origin};
  if (const auto* law = std::get_if<ContactLaw>(&found->law)) {
    info.law = *law;
    if (use.tangents == 0)
      info.law.friction = info.law.static_friction = info.law.tangential_restitution = 0;
    return info;
  }
  try {
    const auto& law = std::get<CompliantDescription>(found->law);
    info.compliant = resolve(law, setting, fmt::format("contact '{}'", name));
  } catch (const InputError& error) {
    throw InputError(use.where, error.what());
  }
  if (use.tangents == 0) info.compliant->friction = Frictionless{};
  return info;
}

template <class S>
double reduced_mass(const MechanismBuilder<S>& builder, int a, int b) {
  const auto inverse = [&](int body) {
    return body < 0 ? 0 : 1 / builder.tree.bodies[static_cast<std::size_t>(body)].mass;
  };
  return 1 / (inverse(a) + inverse(b));
}

template <>
Coordinate<Plane> angle_about(const Ends& ends, const Vec3&) {
  return {.kind = Coordinate<Plane>::Kind::angle, .a = ends.a, .b = ends.b};
}
template <>
Coordinate<Space> angle_about(const Ends& ends, const Vec3& axis_A) {
  Coordinate<Space> angle{.kind = Coordinate<Space>::Kind::angle, .a = ends.a, .b = ends.b};
  angle.measure.axis_A = axis_A;
  angle.measure.zero_A = angle.measure.zero_B = axis_A.unitOrthogonal();
  return angle;
}

template <class S>
Coordinate<S> displacement_along(const Ends& ends, const Vec3& p_AP, const Vec3& p_BQ,
                                 const Vec3& axis_A) {
  return {.kind = Coordinate<S>::Kind::displacement,
          .a = ends.a,
          .b = ends.b,
          .p_AP = S::vec(p_AP),
          .p_BQ = S::vec(p_BQ),
          .axis_A = S::vec(axis_A)};
}

Vec3 left_of(const Vec3& d) { return {-d.y(), d.x(), 0}; }

namespace {

/// The angle of a joint that rotates about an axis.
Coordinate<Plane> angle_of(const MechanismBuilder<Plane>& builder, const Joint& joint) {
  return angle_about<Plane>(ends_of(builder, joint), Vec3::UnitZ());
}
Coordinate<Space> angle_of(const MechanismBuilder<Space>& builder, const Joint& joint) {
  const Frames f = frames_of(joint.kind);
  const bool planar = std::holds_alternative<Planar>(joint.kind);
  Coordinate<Space> angle =
      angle_about<Space>(ends_of(builder, joint), planar ? Vec3(Vec3::UnitZ()) : f.axis_A);
  angle.measure.zero_B = rotated(-f.rotation, angle.measure.zero_A);
  for (std::size_t i = 0; i < builder.tree.inboard_joint.size(); ++i)
    if (builder.tree.inboard_joint[i] == &joint) angle.measure.carried = static_cast<int>(i);
  return angle;
}

/// Whether a coordinate of a joint is a number of its own: not a part of a rotation in space.
bool is_single(Plane, const JointKind&, CoordinateType) { return true; }
bool is_single(Space, const JointKind& kind, CoordinateType type) {
  return type == CoordinateType::translation ||
         !(std::holds_alternative<Spherical>(kind) || std::holds_alternative<PointOnLine>(kind));
}

}  // namespace

template <class S>
Coordinate<S> coordinate_of(const MechanismBuilder<S>& builder, const std::string& name, int number,
                            const SourceLocation& where) {
  const Joint* joint = find_joint(builder.model, name);
  if (!joint) throw InputError(where, fmt::format("joint '{}' does not exist", name));
  const std::vector<CoordinateType> kinds = coordinate_types(joint->kind);
  if (number < 0 || number >= static_cast<int>(kinds.size()))
    throw InputError(where, fmt::format("joint '{}' has {} coordinates, number {} was asked for",
                                        name, kinds.size(), number + 1));
  const CoordinateType type = kinds[static_cast<std::size_t>(number)];
  if (!is_single(S{}, joint->kind, type))
    throw InputError(where, fmt::format("joint '{}' rotates in space: its rotation has no "
                                        "coordinate that could be used alone",
                                        name));
  if (type == CoordinateType::rotation) return angle_of(builder, *joint);
  const Frames f = frames_of(joint->kind);
  const bool planar = std::holds_alternative<Planar>(joint->kind);
  const Vec3 axis = planar ? Vec3(Vec3::Unit(number)) : f.axis_A;
  return displacement_along<S>(ends_of(builder, *joint), f.p_AP, f.p_BQ, axis);
}

template <class S>
void require_turns(const Coordinate<S>& coordinate, std::string_view user,
                   const SourceLocation& where) {
  if (counts_turns(coordinate)) return;
  throw InputError(
      where, fmt::format("{}: in space the angle of a joint that closes a loop, or of any joint in "
                         "absolute coordinates, is known within one turn only; use coordinates: "
                         "joint, and let another joint close the loop",
                         user));
}

template <class S>
CoupledCoordinates<S> coupling_of(const MechanismBuilder<S>& builder, const Joint& joint) {
  const auto counted = [&](const std::string& name, int number = 0) {
    const Coordinate<S> coordinate = coordinate_of(builder, name, number, joint.where);
    require_turns(coordinate, fmt::format("joint '{}', which couples '{}'", joint.name, name),
                  joint.where);
    return coordinate;
  };
  const auto coupled = [&](const std::string& first, const std::string& second, double ratio) {
    return CoupledCoordinates<S>{counted(first), counted(second), ratio};
  };
  if (const auto* gear = std::get_if<Gear>(&joint.kind))
    return coupled(gear->first, gear->second, gear->ratio);
  if (const auto* rack = std::get_if<Rack>(&joint.kind))
    return coupled(rack->pinion, rack->rack, rack->radius);
  const auto& c = std::get<Coupling>(joint.kind);
  if (c.carrier.empty())
    return {counted(c.first, c.first_coordinate), counted(c.second, c.second_coordinate), c.ratio};
  const int carrier = builder.tree.find(builder.model, c.carrier);
  const auto against_carrier = [&](const std::string& name) {
    const Joint& other = *find_joint(builder.model, name);
    const Coordinate<S> angle = angle_about<S>({carrier, ends_of(builder, other).b}, Vec3::UnitZ());
    require_turns(angle, fmt::format("joint '{}', which couples '{}'", joint.name, name),
                  joint.where);
    return angle;
  };
  return {against_carrier(c.first), against_carrier(c.second), c.ratio};
}

template <class S>
void add_contact(MechanismBuilder<S>& builder, ContactInfo info,
                 const std::type_identity_t<ContactKind<S>>& contact,
                 const ElementOwner& element_owner) {
  info.unit = is_angular<S>(contact) ? GapUnit::radian : GapUnit::metre;
  builder.info.contacts.push_back(std::move(info));
  builder.parts.contacts.push_back({contact, element_owner.item, element_owner.owner});
}

template <class S>
void add_relay(MechanismBuilder<S>& builder, RelayInfo info, const CoordinateRelay<S>& relay,
               const ElementOwner& element_owner) {
  const bool angle = relay.coordinate.kind == Coordinate<S>::Kind::angle;
  info.length = angle ? builder.info.length : 1;
  info.unit = angle ? GapUnit::radian : GapUnit::metre;
  builder.info.relays.push_back(std::move(info));
  builder.parts.relays.push_back({relay, element_owner.item, element_owner.owner});
}

template struct MechanismBuilder<Plane>;
template Ends ends_of(const MechanismBuilder<Plane>&, const Joint&);
template ContactInfo contact_info(const MechanismBuilder<Plane>&, const std::string&, const Origin&,
                                  const LawUse&, const ContactSetting&);
template double reduced_mass(const MechanismBuilder<Plane>&, int, int);
template Coordinate<Plane> displacement_along(const Ends&, const Vec3&, const Vec3&, const Vec3&);
template void require_turns(const Coordinate<Plane>&, std::string_view, const SourceLocation&);
template void require_turns(const Coordinate<Space>&, std::string_view, const SourceLocation&);
template Coordinate<Plane> coordinate_of(const MechanismBuilder<Plane>&, const std::string&, int,
                                         const SourceLocation&);
template CoupledCoordinates<Plane> coupling_of(const MechanismBuilder<Plane>&, const Joint&);
template void add_contact(MechanismBuilder<Plane>&, ContactInfo, const ContactKind<Plane>&,
                          const ElementOwner&);
template void add_relay(MechanismBuilder<Plane>&, RelayInfo, const CoordinateRelay<Plane>&,
                        const ElementOwner&);
template struct MechanismBuilder<Space>;
template Ends ends_of(const MechanismBuilder<Space>&, const Joint&);
template ContactInfo contact_info(const MechanismBuilder<Space>&, const std::string&, const Origin&,
                                  const LawUse&, const ContactSetting&);
template double reduced_mass(const MechanismBuilder<Space>&, int, int);
template Coordinate<Space> displacement_along(const Ends&, const Vec3&, const Vec3&, const Vec3&);
template Coordinate<Space> coordinate_of(const MechanismBuilder<Space>&, const std::string&, int,
                                         const SourceLocation&);
template CoupledCoordinates<Space> coupling_of(const MechanismBuilder<Space>&, const Joint&);
template void add_contact(MechanismBuilder<Space>&, ContactInfo, const ContactKind<Space>&,
                          const ElementOwner&);
template void add_relay(MechanismBuilder<Space>&, RelayInfo, const CoordinateRelay<Space>&,
                        const ElementOwner&);

}  // namespace backlash
