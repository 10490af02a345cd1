// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/force_parts.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/planar/formula_parts.h"

namespace backlash::planar {
namespace {

[[noreturn]] void refuse(const Force& force, const std::string& what) {
  throw InputError(fmt::format("{}: {}", to_string(force.where), what));
}

int body(const Draft& draft, const std::string& name) { return draft.tree.find(draft.model, name); }

Coordinate coordinate(const Draft& draft, const JointCoordinate& on, const Force& force) {
  return coordinate_of(draft, on.joint, on.coordinate, force.where);
}
Coordinate coordinate(const Draft& draft, const AngleTarget& on, const Force& force) {
  if (const auto* joint = std::get_if<JointCoordinate>(&on))
    return coordinate(draft, *joint, force);
  const auto& angle = std::get<BodyAngle>(on);
  return {.kind = Coordinate::Kind::angle,
          .a = body(draft, angle.body_A),
          .b = body(draft, angle.body_B)};
}

/// The distance of two points of bodies.
Coordinate distance(const Draft& d, const Attachment& from, const Attachment& to) {
  return {.kind = Coordinate::Kind::distance,
          .a = body(d, from.body),
          .b = body(d, to.body),
          .p_AP = from.p_B,
          .p_BQ = to.p_B};
}

ForceKind make(const Draft& d, const Spring& s, const Force&) {
  return CoordinateSpring{
      distance(d, s.from, s.to), s.stiffness, s.length, -s.preload, s.damping, s.dead_band};
}
ForceKind make(const Draft& d, const Damper& s, const Force&) {
  return CoordinateSpring{.coordinate = distance(d, s.from, s.to), .damping = s.damping};
}
ForceKind make(const Draft& d, const TorsionSpring& s, const Force& f) {
  return CoordinateSpring{
      coordinate(d, s.on, f), s.stiffness, s.angle, s.preload, s.damping, s.dead_band};
}
ForceKind make(const Draft& d, const Bushing& s, const Force&) {
  return BushingForce{body(d, s.body_A), body(d, s.body_B), s.X_AF.p,    s.X_BG.p,
                      s.X_AF.angle,      s.X_BG.angle,      s.stiffness, s.damping};
}
ForceKind make(const Draft& d, const PointForce& s, const Force& f) {
  return BodyForce{body(d, s.at.body), s.at.p_B, formula_of(d, s.x, f.where),
                   formula_of(d, s.y, f.where), s.axes == ForceAxes::body};
}
ForceKind make(const Draft& d, const Torque& s, const Force& f) {
  const Coordinate angle{
      .kind = Coordinate::Kind::angle, .a = body(d, s.reaction), .b = body(d, s.body)};
  return CoordinateForce{angle, formula_of(d, s.torque, f.where)};
}
ForceKind make(const Draft& d, const JointForce& s, const Force& f) {
  return CoordinateForce{coordinate(d, s.on, f), formula_of(d, s.force, f.where)};
}
ForceKind make(const Draft& d, const Motor& s, const Force& f) {
  return CoordinateMotor{coordinate(d, s.on, f), s.stall_torque, s.no_load_speed,
                         formula_of(d, s.command, f.where)};
}
ForceKind make(const Draft& d, const TableForce& s, const Force& f) {
  return CoordinateTable{coordinate(d, s.on, f), input_of(d, s.over, f.where),
                         TableFunction(s.table)};
}
ForceKind make(const Draft&, const OneWayClutch&, const Force& f) {
  refuse(f, "a clutch is a contact, not a force");
}
ForceKind make(const Draft&, const PreloadedSpring&, const Force& f) {
  refuse(f, "a preloaded spring with a dead band cannot be run yet; use a spring with a dead band");
}

}  // namespace

void add_forces(Draft& draft) {
  for (const ModelEvent& event : draft.model.events)
    for (const ForceSwitch& action : event.switches)
      if (draft.find_switch(action.force) < 0)
        draft.info.switches.push_back(
            {action.force, find_force(draft.model, action.force)->active});
  for (const Force& force : draft.model.forces) {
    const int item = draft.find_switch(force.name);
    if (!force.active && item < 0) continue;
    if (const auto* clutch = std::get_if<OneWayClutch>(&force.element)) {
      if (std::isfinite(clutch->capacity))
        refuse(force,
               "a clutch that slips above its capacity cannot be run yet; delete 'capacity'");
      add_contact(draft, {force.name, {}, 0},
                  OneWay{coordinate(draft, clutch->on, force), double(clutch->direction)}, item);
      continue;
    }
    draft.parts.forces.push_back(
        {std::visit([&](const auto& element) { return make(draft, element, force); },
                    force.element),
         item});
  }
}

}  // namespace backlash::planar
