// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include "backlash/scene/scene_items.h"

namespace backlash::scene_items {
namespace {

/// What looks for places in a scene.
struct Places {
  const Model& model;
  const Scene& scene;

  ScenePoint point(const Attachment& at) const { return {index_of(scene, at.body), at.p_B}; }
  ScenePoint centre(const std::string& body) const {
    const Body* found = find_body(model, body);
    return {index_of(scene, body), found ? found->com : Vec3(Vec3::Zero())};
  }
};

SceneForce between(ForceShape shape, const Attachment& from, const Attachment& to,
                   const Places& places) {
  return {.shape = shape, .p = places.point(from), .q = places.point(to)};
}

/// Along the axis of a joint, or about its pin.
SceneForce at_joint(const JointCoordinate& on, ForceSymbol symbol, const Places& places) {
  const bool spring = symbol == ForceSymbol::spring;
  SceneForce force{.shape = spring ? ForceShape::spiral : ForceShape::turn};
  const SceneJoint* joint = find_joint(places.scene, on.joint);
  if (!joint) return force;
  force.p = joint->p;
  force.q = joint->q;
  if (!joint->slides() || on.coordinate != 0) return force;
  force.shape = spring ? ForceShape::axial_spring : ForceShape::axial_force;
  force.direction = joint->axis;
  force.axes = joint->p.body;
  return force;
}

SceneForce at_centre(const std::string& body, const Places& places) {
  return {.shape = ForceShape::turn, .q = places.centre(body)};
}

SceneForce on_target(const JointCoordinate& on, ForceSymbol symbol, const Places& places) {
  return at_joint(on, symbol, places);
}
SceneForce on_target(const BodyAngle& on, ForceSymbol, const Places& places) {
  return at_centre(on.body_B, places);
}
SceneForce on_target(const std::array<Attachment, 2>& on, ForceSymbol, const Places& places) {
  return between(ForceShape::spring, on[0], on[1], places);
}
template <class... Targets>
SceneForce on_target(const std::variant<Targets...>& on, ForceSymbol symbol, const Places& places) {
  return std::visit([&](const auto& target) { return on_target(target, symbol, places); }, on);
}

/// Whatever acts on a coordinate of a joint, or on the angle of two bodies.
template <class Element>
requires requires(const Element& e) { e.on; }
SceneForce force_of(const Element& e, const Places& places) {
  return on_target(e.on, e.info().symbol, places);
}
SceneForce force_of(const Spring& e, const Places& places) {
  return between(ForceShape::spring, e.from, e.to, places);
}
SceneForce force_of(const Damper& e, const Places& places) {
  return between(ForceShape::damper, e.from, e.to, places);
}
SceneForce force_of(const Tension& e, const Places& places) {
  return between(ForceShape::spring, e.from, e.to, places);
}
SceneForce force_of(const Bushing& e, const Places& places) {
  return {.shape = ForceShape::bushing,
          .p = {index_of(places.scene, e.body_A), e.X_AF.p},
          .q = {index_of(places.scene, e.body_B), e.X_BG.p}};
}
SceneForce force_of(const Torque& e, const Places& places) { return at_centre(e.body, places); }

/// The value of a formula that asks for the time only, at t [s]; else zero.
double at_time(const SignalExpression& e, double t) {
  if (e.expression.is_constant()) return e.expression.constant();
  for (const Signal& signal : e.signals)
    if (signal.kind != SignalKind::time) return 0;
  return e.expression(std::vector<double>(e.signals.size(), t));
}

/// The direction at the start, or when a force that is zero there first has one; zero: not known.
Vec3 first_direction(const PointForce& e, double until) {
  constexpr int tries = 100;
  for (int i = 0; i <= tries; ++i) {
    const double t = until * i / tries;
    const Vec3 force(at_time(e.x, t), at_time(e.y, t), at_time(e.z, t));
    if (force.allFinite() && force.norm() > 0) return force.normalized();
  }
  return Vec3::Zero();
}

SceneForce force_of(const PointForce& e, const Places& places) {
  SceneForce force{.shape = ForceShape::arrow, .p = places.point(e.at), .q = places.point(e.at)};
  force.direction = first_direction(e, places.model.simulation.until);
  if (e.axes == ForceAxes::body) force.axes = force.q.body;
  return force;
}

}  // namespace

void add_forces(const Model& model, Scene& scene) {
  for (const Force& force : model.forces) {
    SceneForce made = std::visit(
        [&](const auto& element) {
          return force_of(element, Places{model, scene});
        },
        force.element);
    made.name = force.name;
    scene.forces.push_back(std::move(made));
  }
}

}  // namespace backlash::scene_items
