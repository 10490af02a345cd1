// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/picture.h"

namespace backlash::drawing {
namespace {

/// Ends of an element that acts along a line.
struct Ends {
  Vec2 a = Vec2::Zero(), b = Vec2::Zero();  ///< [px]
};

Ends ends(const SceneForce& force, const Picture& picture) {
  return {picture.px(force.p), picture.px(force.q)};
}

/// Below this there is no room between P and Q, and the element is drawn beside the joint.
constexpr double room = 30;  // [px]

Vec2 direction(const SceneForce& force, const Picture& picture) {
  return picture.view.direction(picture.direction(force.axes, force.direction));
}

/// Where an element along the axis of a joint is drawn.
Ends along_axis(const SceneForce& force, const Picture& picture) {
  const Ends points = ends(force, picture);
  if ((points.b - points.a).norm() > room) return points;
  return {points.b - 55 * direction(force, picture), points.b};
}

void label(const Vec2& at, const SceneForce& force, Picture& picture) {
  picture.labels.push_back({at, force.name, force_colour, 12});
}

void label(const Ends& s, const SceneForce& force, Picture& picture) {
  picture.obstacles.add_line(s.a, s.b);
  label(0.5 * (s.a + s.b), force, picture);
}

void draw_axial_force(const SceneForce& force, Picture& picture) {
  const Vec2 axis = direction(force, picture);
  const Vec2 beside = picture.px(force.q) + 15 * Vec2(axis.y(), -axis.x());
  draw_arrow(beside - 50 * axis, beside - 6 * axis, picture.svg);
  picture.obstacles.add_line(beside - 50 * axis, beside);
  label(beside - 30 * axis, force, picture);
}

void draw_point_force(const SceneForce& force, Picture& picture) {
  const Vec2 at = picture.px(force.q);
  const Vec2 d = picture.direction(force.axes, force.direction);
  if (d.norm() > 0)
    draw_arrow(at, at + 50 * picture.view.direction(d), picture.svg);
  else  // its direction is not known, or it is none at the start
    picture.svg.circle(at, 7, {.stroke = force_colour, .width = 1.4});
  label(at, force, picture);
}

void draw(const SceneForce& force, Picture& picture) {
  const Vec2 at = picture.px(force.q);
  const Ends s =
      force.shape == ForceShape::axial_spring ? along_axis(force, picture) : ends(force, picture);
  switch (force.shape) {
    case ForceShape::spring:
    case ForceShape::axial_spring:
      draw_spring(s.a, s.b, picture.svg);
      return label(s, force, picture);
    case ForceShape::damper:
      draw_damper(s.a, s.b, picture.svg);
      return label(s, force, picture);
    case ForceShape::axial_force:
      return draw_axial_force(force, picture);
    case ForceShape::spiral:
      draw_spiral(at, picture.svg);
      return label(at, force, picture);
    case ForceShape::turn:
      draw_turning(at, picture.svg);
      return label(at, force, picture);
    case ForceShape::arrow:
      return draw_point_force(force, picture);
    case ForceShape::bushing:
      picture.svg.circle(at, 9, {.stroke = force_colour, .width = 1.4, .dashes = "3 2"});
      return label(at, force, picture);
  }
}

}  // namespace

void draw_forces(Picture& picture) {
  for (const SceneForce& force : picture.scene.forces) draw(force, picture);
}

}  // namespace backlash::drawing
