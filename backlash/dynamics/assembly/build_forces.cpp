// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_forces.h"

#include <array>
#include <cmath>

#include "backlash/dynamics/assembly/build_formulas.h"

namespace backlash::planar {
namespace {

int body(const MechanismBuilder& builder, const std::string& name) {
  return builder.tree.find(builder.model, name);
}

Coordinate coordinate(const MechanismBuilder& builder, const JointCoordinate& on,
                      const Force& force) {
  return coordinate_of(builder, on.joint, on.coordinate, force.where);
}
Coordinate coordinate(const MechanismBuilder& builder, const AngleTarget& on, const Force& force) {
  if (const auto* joint = std::get_if<JointCoordinate>(&on))
    return coordinate(builder, *joint, force);
  const auto& angle = std::get<BodyAngle>(on);
  return {.kind = Coordinate::Kind::angle,
          .a = body(builder, angle.body_A),
          .b = body(builder, angle.body_B)};
}

/// The distance of two points of bodies.
Coordinate distance(const MechanismBuilder& d, const Attachment& from, const Attachment& to) {
  return {.kind = Coordinate::Kind::distance,
          .a = body(d, from.body),
          .b = body(d, to.body),
          .p_AP = from.p_B,
          .p_BQ = to.p_B};
}

ForceKind make(const MechanismBuilder& d, const Spring& s, const Force&) {
  return CoordinateSpring{
      distance(d, s.from, s.to), s.stiffness, s.length, -s.preload, s.damping, s.dead_band};
}
ForceKind make(const MechanismBuilder& d, const Damper& s, const Force&) {
  return CoordinateSpring{.coordinate = distance(d, s.from, s.to), .damping = s.damping};
}
ForceKind make(const MechanismBuilder& d, const TorsionSpring& s, const Force& f) {
  return CoordinateSpring{
      coordinate(d, s.on, f), s.stiffness, s.angle, s.preload, s.damping, s.dead_band};
}
ForceKind make(const MechanismBuilder& d, const Bushing& s, const Force&) {
  return BushingForce{body(d, s.body_A), body(d, s.body_B), s.X_AF.p,    s.X_BG.p,
                      s.X_AF.angle,      s.X_BG.angle,      s.stiffness, s.damping};
}
ForceKind make(const MechanismBuilder& d, const PointForce& s, const Force& f) {
  return BodyForce{body(d, s.at.body), s.at.p_B, formula_of(d, s.x, f.where),
                   formula_of(d, s.y, f.where), s.axes == ForceAxes::body};
}
ForceKind make(const MechanismBuilder& d, const Torque& s, const Force& f) {
  const Coordinate angle{
      .kind = Coordinate::Kind::angle, .a = body(d, s.reaction), .b = body(d, s.body)};
  return CoordinateForce{angle, formula_of(d, s.torque, f.where)};
}
ForceKind make(const MechanismBuilder& d, const JointForce& s, const Force& f) {
  return CoordinateForce{coordinate(d, s.on, f), formula_of(d, s.force, f.where)};
}
ForceKind make(const MechanismBuilder& d, const Motor& s, const Force& f) {
  return CoordinateMotor{coordinate(d, s.on, f), s.stall_torque, s.no_load_speed,
                         formula_of(d, s.command, f.where)};
}
ForceKind make(const MechanismBuilder& d, const TableForce& s, const Force& f) {
  return CoordinateTable{coordinate(d, s.on, f), input_of(d, s.over, f.where),
                         TableFunction(s.table)};
}

/// Forces in h: one element each.
template <class Element>
void add(MechanismBuilder& builder, const Element& element, const Force& force, int item) {
  builder.parts.forces.push_back({make(builder, element, force), item});
}

/// Without limit it is a contact that is always closed, and takes part in impacts.
void add(MechanismBuilder& builder, const OneWayClutch& clutch, const Force& force, int item) {
  const Coordinate along = coordinate(builder, clutch.on, force);
  if (std::isinf(clutch.capacity))
    add_contact(builder, {force.name, {}, 0}, OneWay{along, double(clutch.direction)},
                {.item = item});
  else
    add_relay(builder, force.name, RelayLaw::clutch,
              {.coordinate = along, .strength = clutch.capacity, .sign = double(clutch.direction)},
              {.item = item});
}

Coordinate coordinate(const MechanismBuilder& builder, const std::array<Attachment, 2>& ends,
                      const Force&) {
  return distance(builder, ends[0], ends[1]);
}

/// The preload at each edge of the dead band (theory 3.9), and what grows beyond.
void add(MechanismBuilder& builder, const PreloadedSpring& s, const Force& force, int item) {
  const Coordinate along =
      std::visit([&](const auto& on) { return coordinate(builder, on, force); }, s.on);
  CoordinateRelay preload{
      .coordinate = along, .strength = s.preload, .edge = s.rest, .rest = s.rest};
  if (s.dead_band == 0) {
    add_relay(builder, force.name, RelayLaw::preload, preload, {.item = item});
  } else {
    preload.strength = s.preload / 2;
    for (const double side : {-1.0, 1.0}) {
      preload.edge = s.rest + side * s.dead_band;
      add_relay(builder, force.name + (side < 0 ? ".lower" : ".upper"), RelayLaw::preload, preload,
                {.item = item});
    }
  }
  builder.parts.forces.push_back({CoordinateSpring{.coordinate = along,
                                                   .stiffness = s.stiffness,
                                                   .rest = s.rest,
                                                   .damping = s.damping,
                                                   .dead_band = s.dead_band,
                                                   .damped_in_band = false},
                                  item});
}

}  // namespace

void add_forces(MechanismBuilder& builder) {
  for (const ModelEvent& event : builder.model.events)
    for (const ForceSwitch& action : event.switches)
      if (builder.find_switch(action.force) < 0)
        builder.info.switches.push_back(
            {action.force, find_force(builder.model, action.force)->active});
  for (const Force& force : builder.model.forces) {
    const int item = builder.find_switch(force.name);
    if (!force.active && item < 0) continue;
    std::visit([&](const auto& element) { add(builder, element, force, item); }, force.element);
  }
}

}  // namespace backlash::planar
