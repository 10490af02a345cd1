// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_forces.h"

#include <array>
#include <cmath>

#include "backlash/dynamics/assembly/build_formulas.h"

namespace backlash {
namespace {

template <class S>
int body(const MechanismBuilder<S>& builder, const std::string& name) {
  return builder.tree.find(builder.model, name);
}

template <class S>
Coordinate<S> coordinate(const MechanismBuilder<S>& builder, const JointCoordinate& on,
                         const Force& force) {
  return coordinate_of(builder, on.joint, on.coordinate, force.where);
}
template <class S>
Coordinate<S> coordinate(const MechanismBuilder<S>& builder, const AngleTarget& on,
                         const Force& force) {
  if (const auto* joint = std::get_if<JointCoordinate>(&on))
    return coordinate(builder, *joint, force);
  const auto& angle = std::get<BodyAngle>(on);
  return angle_about<S>({body(builder, angle.body_A), body(builder, angle.body_B)}, angle.axis_A);
}

/// The distance of two points of bodies.
template <class S>
Coordinate<S> distance(const MechanismBuilder<S>& d, const Attachment& from, const Attachment& to) {
  return {.kind = Coordinate<S>::Kind::distance,
          .a = body(d, from.body),
          .b = body(d, to.body),
          .p_AP = S::vec(from.p_B),
          .p_BQ = S::vec(to.p_B)};
}

/// Of the strength along the distance that acts alone: a tension shortens it.
int sign_of(TensionSides acts) {
  if (acts == TensionSides::both) return 0;
  return acts == TensionSides::pulling ? -1 : 1;
}

template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const Spring& s, const Force&) {
  return CoordinateSpring<S>{.coordinate = distance(d, s.from, s.to),
                             .stiffness = s.stiffness,
                             .rest = s.length,
                             .preload = -s.preload,
                             .damping = s.damping,
                             .dead_band = s.dead_band,
                             .only = sign_of(s.acts)};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const Damper& s, const Force&) {
  return CoordinateSpring<S>{
      .coordinate = distance(d, s.from, s.to), .damping = s.damping, .only = sign_of(s.acts)};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const Tension& s, const Force& f) {
  using Input = typename Formula<S>::Input;
  CoordinateForce<S> force{distance(d, s.from, s.to), formula_of(d, s.tension, f.where), -1};
  for (std::size_t i = 0; i < s.tension.signals.size(); ++i) {
    const SignalKind kind = s.tension.signals[i].kind;
    if (kind == SignalKind::own_length)
      force.force.inputs[i] = Input{Input::Kind::position, force.coordinate};
    if (kind == SignalKind::own_rate)
      force.force.inputs[i] = Input{Input::Kind::rate, force.coordinate};
  }
  return force;
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const TorsionSpring& s, const Force& f) {
  return CoordinateSpring<S>{
      coordinate(d, s.on, f), s.stiffness, s.angle, s.preload, s.damping, s.dead_band};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const Bushing& s, const Force&) {
  return BushingForce<S>{.a = body(d, s.body_A),
                         .b = body(d, s.body_B),
                         .p_AF = S::vec(s.X_AF.p),
                         .p_BG = S::vec(s.X_BG.p),
                         .rotation_AF = S::rotation(s.X_AF.rotation),
                         .rotation_BG = S::rotation(s.X_BG.rotation),
                         .stiffness = S::vec(s.stiffness),
                         .damping = S::vec(s.damping),
                         .angular_stiffness = S::angular(s.angular_stiffness),
                         .angular_damping = S::angular(s.angular_damping)};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const PointForce& s, const Force& f) {
  BodyForce<S> force{.body = body(d, s.at.body), .p_B = S::vec(s.at.p_B)};
  const SignalExpression* components[] = {&s.x, &s.y, &s.z};
  for (std::size_t k = 0; k < force.components.size(); ++k)
    force.components[k] = formula_of(d, *components[k], f.where);
  force.in_body_axes = s.axes == ForceAxes::body;
  return force;
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const Torque& s, const Force& f) {
  const Coordinate<S> angle = angle_about<S>({body(d, s.reaction), body(d, s.body)}, s.axis_A);
  return CoordinateForce<S>{angle, formula_of(d, s.torque, f.where)};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const JointForce& s, const Force& f) {
  return CoordinateForce<S>{coordinate(d, s.on, f), formula_of(d, s.force, f.where)};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const Motor& s, const Force& f) {
  return CoordinateMotor<S>{coordinate(d, s.on, f), s.ratio * s.stall_torque,
                            s.no_load_speed / s.ratio, formula_of(d, s.command, f.where)};
}
template <class S>
ForceKind<S> make(const MechanismBuilder<S>& d, const TableForce& s, const Force& f) {
  return CoordinateTable<S>{coordinate(d, s.on, f), input_of(d, s.over, f.where),
                            TableFunction(s.table)};
}

/// What its columns begin with: its name, unless a joint has the same.
template <class S>
std::string column_name(const MechanismBuilder<S>& builder, const Force& force) {
  return find_joint(builder.model, force.name) ? "forces." + force.name : force.name;
}

/// Forces in h: one element each.
template <class S, class Element>
void add(MechanismBuilder<S>& builder, const Element& element, const Force& force, int item) {
  double factor = 1;
  if constexpr (std::is_same_v<Element, Motor>) factor = 1 / element.ratio;
  builder.parts.force_outputs.push_back(
      {column_name(builder, force), static_cast<int>(builder.parts.forces.size()), factor});
  builder.parts.forces.push_back({make(builder, element, force), item});
  builder.parts.force_names.push_back(force.name);
}

/// Who turns a set-valued force, and its place in Parts::joints, for output.
template <class S>
ElementOwner own_output(MechanismBuilder<S>& builder, const Force& force,
                        const Coordinate<S>& along, int item) {
  using Kind = typename Coordinate<S>::Kind;
  const auto owner =
      static_cast<int>(builder.model.joints.size() + builder.set_valued_forces.size());
  builder.set_valued_forces.push_back({.name = column_name(builder, force),
                                       .reaction = along.kind == Kind::angle ? ReactionKind::torque
                                                   : along.kind == Kind::displacement
                                                       ? ReactionKind::force
                                                       : ReactionKind::tension,
                                       .kind = Origin::Kind::force});
  return {.item = item, .owner = owner};
}

/// Without limit it is a contact that is always closed, and takes part in impacts.
template <class S>
void add(MechanismBuilder<S>& builder, const OneWayClutch& clutch, const Force& force, int item) {
  const Coordinate<S> along = coordinate(builder, clutch.on, force);
  const Origin origin{force.name, Origin::Kind::force};
  if (std::isinf(clutch.capacity))
    add_contact(
        builder,
        {.name = force.name, .law = {}, .tangents = 0, .origin = origin, .always_closed = true},
        OneWay<S>{along, double(clutch.direction)}, own_output(builder, force, along, item));
  else
    add_relay<S>(
        builder, {.name = force.name, .law = RelayLaw::clutch, .origin = origin},
        {.coordinate = along, .strength = clutch.capacity, .sign = double(clutch.direction)},
        own_output(builder, force, along, item));
}

template <class S>
void add(MechanismBuilder<S>& builder, const TorqueLimiter& limiter, const Force& force, int item) {
  const Coordinate<S> along = coordinate(builder, limiter.on, force);
  add_relay<S>(builder, {.name = force.name, .origin = {force.name, Origin::Kind::force}},
               {.coordinate = along, .strength = limiter.limit},
               own_output(builder, force, along, item));
}

template <class S>
Coordinate<S> coordinate(const MechanismBuilder<S>& builder, const std::array<Attachment, 2>& ends,
                         const Force&) {
  return distance(builder, ends[0], ends[1]);
}

/// The preload at each edge of the dead band (theory 3.9), and what grows beyond.
template <class S>
void add(MechanismBuilder<S>& builder, const PreloadedSpring& s, const Force& force, int item) {
  const Coordinate<S> along =
      std::visit([&](const auto& on) { return coordinate(builder, on, force); }, s.on);
  const ElementOwner owner = own_output(builder, force, along, item);
  CoordinateRelay<S> preload{
      .coordinate = along, .strength = s.preload, .edge = s.rest, .rest = s.rest};
  if (s.dead_band == 0) {
    add_relay<S>(
        builder,
        {.name = force.name, .law = RelayLaw::preload, .origin = {force.name, Origin::Kind::force}},
        preload, owner);
  } else {
    preload.strength = s.preload / 2;
    for (const double side : {-1.0, 1.0}) {
      preload.edge = s.rest + side * s.dead_band;
      add_relay<S>(builder,
                   {.name = force.name + (side < 0 ? ".lower" : ".upper"),
                    .law = RelayLaw::preload,
                    .origin = next_origin(builder.info.relays, force.name, Origin::Kind::force)},
                   preload, owner);
    }
  }
  builder.parts.forces.push_back({CoordinateSpring<S>{.coordinate = along,
                                                      .stiffness = s.stiffness,
                                                      .rest = s.rest,
                                                      .damping = s.damping,
                                                      .dead_band = s.dead_band,
                                                      .damped_in_band = false},
                                  item, owner.owner});
  builder.parts.force_names.push_back(force.name);
}

}  // namespace

template <class S>
void add_forces(MechanismBuilder<S>& builder) {
  for (const Force& force : builder.model.forces) {
    const int item = builder.find_switch(Origin::Kind::force, force.name);
    if (!force.active && item < 0) continue;
    std::visit([&](const auto& element) { add(builder, element, force, item); }, force.element);
  }
}

template void add_forces(MechanismBuilder<Plane>&);
template void add_forces(MechanismBuilder<Space>&);

}  // namespace backlash
