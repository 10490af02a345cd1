// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <optional>

#include "backlash/draw/scene.h"

namespace backlash::drawing {
namespace {

/// Ends of an element that acts along a line.
struct Ends {
  Vec2 a = Vec2::Zero(), b = Vec2::Zero();  ///< [px]
};

Ends ends(const Attachment& from, const Attachment& to, const Scene& scene) {
  return {scene.px(from.body, from.p_B), scene.px(to.body, to.p_B)};
}

/// The points P and Q of a joint, and its axis if it slides.
struct JointPlace {
  Ends ends{};
  std::optional<Vec2> axis{};  ///< unit, in the picture
};

JointPlace place_of(const JointCoordinate& on, const Scene& scene) {
  const Joint* joint = find_joint(scene.model, on.joint);
  JointPlace place;
  if (!joint) return place;
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.p_AP; })
          place.ends = {scene.px(joint->body_A, kind.p_AP), scene.px(joint->body_B, kind.p_BQ)};
      },
      joint->kind);
  const Vec3* axis = sliding_axis(joint->kind);
  if (axis && on.coordinate == 0)
    place.axis = scene.view.direction(scene.poses.at(joint->body_A).direction(in_plane(*axis)));
  return place;
}

/// Below this there is no room between P and Q, and the element is drawn beside the joint.
constexpr double room = 30;  // [px]

/// Where an element along the axis of a joint is drawn.
Ends along_axis(const JointPlace& place) {
  if ((place.ends.b - place.ends.a).norm() > room) return place.ends;
  return {place.ends.b - 55 * *place.axis, place.ends.b};
}

void label(const Vec2& at, const std::string& name, Scene& scene) {
  scene.labels.push_back({at, name, force_colour, 12});
}

void label(const Ends& s, const std::string& name, Scene& scene) {
  scene.obstacles.add_line(s.a, s.b);
  label(0.5 * (s.a + s.b), name, scene);
}

void draw(const Spring& e, const std::string& name, Scene& scene) {
  const Ends s = ends(e.from, e.to, scene);
  draw_spring(s.a, s.b, scene.svg);
  label(s, name, scene);
}

void draw(const Damper& e, const std::string& name, Scene& scene) {
  const Ends s = ends(e.from, e.to, scene);
  draw_damper(s.a, s.b, scene.svg);
  label(s, name, scene);
}

/// An elastic element on a coordinate of a joint.
void draw_joint_spring(const JointCoordinate& on, const std::string& name, Scene& scene) {
  const JointPlace place = place_of(on, scene);
  if (!place.axis) {
    draw_spiral(place.ends.b, scene.svg);
    return label(place.ends.b, name, scene);
  }
  const Ends s = along_axis(place);
  draw_spring(s.a, s.b, scene.svg);
  label(s, name, scene);
}

/// Whatever pushes along, or turns about, a coordinate of a joint.
void draw_joint_force(const JointCoordinate& on, const std::string& name, Scene& scene) {
  const JointPlace place = place_of(on, scene);
  if (!place.axis) {
    draw_turning(place.ends.b, scene.svg);
    return label(place.ends.b, name, scene);
  }
  const Vec2 beside = place.ends.b + 15 * Vec2(place.axis->y(), -place.axis->x());
  draw_arrow(beside - 50 * *place.axis, beside - 6 * *place.axis, scene.svg);
  scene.obstacles.add_line(beside - 50 * *place.axis, beside);
  label(beside - 30 * *place.axis, name, scene);
}

void draw_at_body(const std::string& body, const std::string& name, Scene& scene) {
  const Body* found = find_body(scene.model, body);
  const Vec2 at = scene.px(body, found ? found->com : Vec3(Vec3::Zero()));
  draw_turning(at, scene.svg);
  label(at, name, scene);
}

/// Whatever acts on a coordinate of a joint, or on the angle of two bodies.
template <class Element>
requires requires(const Element& e) { e.on; }
void draw(const Element& e, const std::string& name, Scene& scene) {
  const bool spring = e.info().symbol == ForceSymbol::spring;
  const auto at_joint = [&](const JointCoordinate& on) {
    spring ? draw_joint_spring(on, name, scene) : draw_joint_force(on, name, scene);
  };
  if constexpr (requires { e.on.joint; }) {
    at_joint(e.on);
  } else if (const auto* on = std::get_if<JointCoordinate>(&e.on)) {
    at_joint(*on);
  } else if (const auto* bodies = std::get_if<BodyAngle>(&e.on)) {
    draw_at_body(bodies->body_B, name, scene);
  }
}

void draw(const Bushing& e, const std::string& name, Scene& scene) {
  const Vec2 at = scene.px(e.body_B, e.X_BG.p);
  scene.svg.circle(at, 9, {.stroke = force_colour, .width = 1.4, .dashes = "3 2"});
  label(at, name, scene);
}

/// The value of a formula that asks for the time only, at the start.
std::optional<double> at_start(const SignalExpression& e, double t) {
  if (e.expression.is_constant()) return e.expression.constant();
  for (const Signal& signal : e.signals)
    if (signal.kind != SignalKind::time) return std::nullopt;
  return e.expression(std::vector<double>(e.signals.size(), t));
}

void draw(const PointForce& e, const std::string& name, Scene& scene) {
  const Vec2 at = scene.px(e.at.body, e.at.p_B);
  const auto x = at_start(e.x, scene.state.t), y = at_start(e.y, scene.state.t);
  Vec2 direction(x.value_or(0), y.value_or(0));
  if (e.axes == ForceAxes::body) direction = scene.poses.at(e.at.body).direction(direction);
  if (direction.norm() > 0 && direction.allFinite())
    draw_arrow(at, at + 50 * scene.view.direction(direction), scene.svg);
  else  // its direction is not known, or it is none at the start
    scene.svg.circle(at, 7, {.stroke = force_colour, .width = 1.4});
  label(at, name, scene);
}

void draw(const Torque& e, const std::string& name, Scene& scene) {
  draw_at_body(e.body, name, scene);
}
void draw(const PreloadedSpring& e, const std::string& name, Scene& scene) {
  if (const auto* points = std::get_if<std::array<Attachment, 2>>(&e.on))
    return draw(Spring{.from = (*points)[0], .to = (*points)[1]}, name, scene);
  draw<PreloadedSpring>(e, name, scene);
}

}  // namespace

void draw_forces(Scene& scene) {
  for (const Force& force : scene.model.forces)
    std::visit([&](const auto& element) { draw(element, force.name, scene); }, force.element);
}

}  // namespace backlash::drawing
