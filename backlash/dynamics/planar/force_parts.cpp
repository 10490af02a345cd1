// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/force_parts.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::planar {
namespace {

constexpr std::size_t most_inputs = 16;  // as many as evaluate() has room for

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

Formula::Input input(const Draft& draft, const Signal& signal, const Force& force) {
  using Kind = Formula::Input::Kind;
  const auto of_joint = [&](Kind kind) {
    return Formula::Input{
        kind, coordinate(draft, JointCoordinate{signal.item, signal.coordinate}, force)};
  };
  const auto of_body = [&](Kind kind) {
    return Formula::Input{.kind = kind, .body = body(draft, signal.item)};
  };
  switch (signal.kind) {
    case SignalKind::time:
      return {};
    case SignalKind::joint_position:
      return of_joint(Kind::position);
    case SignalKind::joint_velocity:
      return of_joint(Kind::rate);
    case SignalKind::body_x:
      return of_body(Kind::x);
    case SignalKind::body_y:
      return of_body(Kind::y);
    case SignalKind::body_angle:
      return of_body(Kind::angle);
    case SignalKind::body_vx:
      return of_body(Kind::vx);
    case SignalKind::body_vy:
      return of_body(Kind::vy);
    case SignalKind::body_omega:
      return of_body(Kind::omega);
  }
  return {};
}

Formula formula(const Draft& draft, const SignalExpression& source, const Force& force) {
  if (source.signals.size() > most_inputs)
    refuse(force, fmt::format("a formula may use {} different quantities, this one uses {}",
                              most_inputs, source.signals.size()));
  Formula result{.expression = source.expression};
  for (const Signal& signal : source.signals) result.inputs.push_back(input(draft, signal, force));
  return result;
}

ForceKind make(const Draft& d, const Spring& s, const Force&) {
  return PointSpring{body(d, s.from.body), body(d, s.to.body), s.from.p_B, s.to.p_B,
                     s.stiffness,          s.length,           s.preload,  s.damping,
                     s.dead_band};
}
ForceKind make(const Draft& d, const Damper& s, const Force&) {
  PointSpring damper{body(d, s.from.body), body(d, s.to.body), s.from.p_B, s.to.p_B};
  damper.damping = s.damping;
  return damper;
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
  return BodyForce{body(d, s.at.body), s.at.p_B, formula(d, s.x, f), formula(d, s.y, f),
                   s.axes == ForceAxes::body};
}
ForceKind make(const Draft& d, const Torque& s, const Force& f) {
  const Coordinate angle{
      .kind = Coordinate::Kind::angle, .a = body(d, s.reaction), .b = body(d, s.body)};
  return CoordinateForce{angle, formula(d, s.torque, f)};
}
ForceKind make(const Draft& d, const JointForce& s, const Force& f) {
  return CoordinateForce{coordinate(d, s.on, f), formula(d, s.force, f)};
}
ForceKind make(const Draft& d, const Motor& s, const Force& f) {
  return CoordinateMotor{coordinate(d, s.on, f), s.stall_torque, s.no_load_speed,
                         formula(d, s.command, f)};
}
ForceKind make(const Draft& d, const TableForce& s, const Force& f) {
  return CoordinateTable{coordinate(d, s.on, f), input(d, s.over, f), TableFunction(s.table)};
}
ForceKind make(const Draft&, const OneWayClutch&, const Force& f) {
  refuse(f, "a clutch is a contact, not a force");
}
ForceKind make(const Draft&, const PreloadedSpring&, const Force& f) {
  refuse(f, "a preloaded spring with a dead band cannot be run yet; use a spring with a dead band");
}

}  // namespace

void add_forces(Draft& draft) {
  for (const Force& force : draft.model.forces) {
    if (!force.active) continue;
    if (const auto* clutch = std::get_if<OneWayClutch>(&force.element)) {
      if (std::isfinite(clutch->capacity))
        refuse(force,
               "a clutch that slips above its capacity cannot be run yet; delete 'capacity'");
      add_contact(draft, force.name, {}, 0,
                  OneWay{coordinate(draft, clutch->on, force), double(clutch->direction)});
      continue;
    }
    draft.parts.forces.push_back(std::visit(
        [&](const auto& element) { return make(draft, element, force); }, force.element));
  }
}

}  // namespace backlash::planar
