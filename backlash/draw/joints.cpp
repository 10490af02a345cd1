// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "backlash/base/plane.h"
#include "backlash/draw/picture.h"

namespace backlash::drawing {
namespace {

constexpr SvgStyle thin{.stroke = joint_colour, .width = 1};
constexpr SvgStyle coupling{.stroke = joint_colour, .width = 1, .dashes = "5 4"};

/// Short strokes around a bearing that stands still.
void draw_ring_hatching(const Vec2& centre, double radius, Picture& picture) {
  constexpr double length = 6, spacing = 8;  // [px]
  const int strokes = std::max(8, static_cast<int>(2 * std::numbers::pi * radius / spacing));
  for (int i = 0; i < strokes; ++i) {
    const Vec2 out = unit_vector(2 * std::numbers::pi * i / strokes);
    const Vec2 foot = centre + radius * out;
    picture.svg.line(foot, foot + length * (out + 0.7 * left_of(out)).normalized(),
                     {.stroke = ground_colour, .width = 0.9});
  }
}

/// Play in true size, or exaggerated.
double shown_gap(const SceneJoint& joint, const Picture& picture) {
  return picture.state.exaggeration * joint.clearance->gap;
}

void draw_bearing(const SceneJoint& joint, Picture& picture) {
  const double radius = joint.clearance->radius;
  const Vec2 p = picture.px(joint.p), q = picture.px(joint.q);
  const double outer = picture.view.length(radius + shown_gap(joint, picture));
  if (joint.p.body == ground_body) draw_ring_hatching(p, outer, picture);
  picture.svg.circle(p, outer, thin);
  picture.svg.circle(q, picture.view.length(radius), thin);
  picture.svg.circle(q, 1.5, thin);
}

/// Both sides of a guide with play.
void draw_guide(const SceneJoint& joint, Picture& picture) {
  const SceneClearance& c = *joint.clearance;
  const Vec2 p = picture.world(joint.p), axis = picture.direction(joint.p.body, joint.axis),
             across = left_of(axis);
  const double far = picture.view.box().size().sum();
  const double middle = axis.dot(picture.view.box().centre() - p);
  const double from = std::max(c.from, middle - far), to = std::min(c.to, middle + far);
  for (const double side : {1.0, -1.0}) {
    const Vec2 wall = p + side * (c.width / 2 + shown_gap(joint, picture)) * across;
    const Vec2 a = picture.view.px(wall + from * axis), b = picture.view.px(wall + to * axis);
    draw_hatching({a, b}, picture.view.direction(-side * across), ground_colour, picture.svg);
    picture.obstacles.add_line(a, b);
  }
}

void draw_coupling(const SceneJoint& joint, Picture& picture) {
  const SceneJoint* a = find_joint(picture.scene, joint.first);
  const SceneJoint* b = find_joint(picture.scene, joint.second);
  if (!a || !b) return;
  const Vec2 from = picture.px(a->q), to = picture.px(b->q);
  picture.svg.line(from, to, coupling);
  picture.labels.push_back({0.5 * (from + to), joint.name, joint_colour, 12});
}

void draw_sliding(const SceneJoint& joint, Picture& picture) {
  const Vec2 axis = picture.direction(joint.p.body, joint.axis);
  draw_slide(picture.px(joint.q), picture.view.direction(axis), picture.svg);
}

void draw_rod(const Vec2& p, const Vec2& q, Picture& picture) {
  picture.svg.line(p, q, {.stroke = joint_colour, .width = 2});
  picture.obstacles.add_line(p, q);
  draw_pin(p, picture.svg);
  draw_pin(q, picture.svg);
}

/// A pin that could not be put together: both of its points, and what is missing between them.
void draw_open_pin(const SceneJoint& joint, Picture& picture) {
  const Vec2 p = picture.px(joint.p), q = picture.px(joint.q);
  picture.svg.line(p, q, {.stroke = contact_colour, .width = 1.2, .dashes = "4 2"});
  picture.obstacles.add_line(p, q);
  for (const ScenePoint& at : {joint.p, joint.q})
    at.body == ground_body ? draw_support(picture.px(at), picture.svg)
                           : draw_pin(picture.px(at), picture.svg);
}

void draw_symbol(const SceneJoint& joint, Picture& picture) {
  constexpr double visible = 2;  // [px]
  const Vec2 p = picture.px(joint.p), q = picture.px(joint.q);
  const bool on_ground = joint.p.body == ground_body || joint.q.body == ground_body;
  if (joint.symbol == JointSymbol::pin && (p - q).norm() > visible)
    return draw_open_pin(joint, picture);
  switch (joint.symbol) {
    case JointSymbol::none:
      return;
    case JointSymbol::pin:
      return on_ground ? draw_support(q, picture.svg) : draw_pin(q, picture.svg);
    case JointSymbol::slide:
      return draw_sliding(joint, picture);
    case JointSymbol::weld:
      return draw_weld(q, picture.svg);
    case JointSymbol::slide_and_pin:
      draw_sliding(joint, picture);
      return draw_pin(q, picture.svg);
    case JointSymbol::rod:
      return draw_rod(p, q, picture);
    case JointSymbol::coupling:
      return draw_coupling(joint, picture);
  }
}

/// A joint with play is drawn as large as it is.
void draw(const SceneJoint& joint, Picture& picture) {
  if (joint.clearance && joint.clearance->kind == SceneClearance::Kind::journal)
    return draw_bearing(joint, picture);
  if (joint.clearance && joint.clearance->kind == SceneClearance::Kind::slider)
    return draw_guide(joint, picture);
  draw_symbol(joint, picture);
}

/// Where the centre of mass of B, seen from Q, would be at the stops of a pin: rays, and the range
/// between them.
void draw_angular_stops(const SceneJoint& joint, Picture& picture) {
  constexpr double reach = 34, range = 26;  // [px]
  if (joint.symbol != JointSymbol::pin || joint.q.body == ground_body) return;
  const Vec2 at = picture.px(joint.p);
  const SceneBody& body = picture.scene.bodies[static_cast<std::size_t>(joint.q.body)];
  Vec2 arm = in_plane(body.com - joint.q.p_B);
  if (arm.isZero()) arm = Vec2(1, 0);
  const double zero = std::atan2(arm.y(), arm.x());
  const auto place = [&](double angle, double distance) {
    const Vec2 d = picture.direction(joint.p.body, in_space(unit_vector(zero + angle)));
    return Vec2(at + distance * picture.view.direction(d));
  };
  const auto draw_limit = [&](double limit, const char* name) {
    if (!std::isfinite(limit)) return;
    const Vec2 end = place(limit, reach);
    picture.svg.line(at, end, {.stroke = contact_colour, .width = 1.2, .dashes = "4 2"});
    draw_stop(end,
              picture.view.direction(
                  picture.direction(joint.p.body, in_space(left_of(unit_vector(zero + limit))))),
              picture.svg);
    picture.labels.push_back({end, joint.name + name, contact_colour, 11});
    picture.obstacles.points.push_back(end);
  };
  draw_limit(joint.lower, ".lower");
  draw_limit(joint.upper, ".upper");
  const double span = joint.upper - joint.lower;
  if (!(span < 2 * std::numbers::pi)) return;
  std::vector<Vec2> points;
  const int steps = std::max(2, static_cast<int>(std::ceil(span / 0.0873)));
  for (int i = 0; i <= steps; ++i) points.push_back(place(joint.lower + i * span / steps, range));
  picture.svg.polyline(points, {.stroke = contact_colour, .width = 1});
}

void draw_stops(const SceneJoint& joint, Picture& picture) {
  if (!joint.slides()) return draw_angular_stops(joint, picture);
  const Vec2 axis = picture.view.direction(picture.direction(joint.p.body, joint.axis));
  for (const StopPlace& stop : stops(joint)) {
    const Vec2 at = picture.px(stop.at);
    draw_stop(at, axis, picture.svg);
    picture.labels.push_back({at, stop.name, contact_colour, 11});
    picture.obstacles.points.push_back(at);
  }
}

}  // namespace

std::vector<StopPlace> stops(const SceneJoint& joint) {
  std::vector<StopPlace> places;
  const auto add = [&](const char* name, double limit) {
    if (joint.slides() && std::isfinite(limit))
      places.push_back({joint.name + name, {joint.p.body, joint.p.p_B + limit * joint.axis}});
  };
  add(".lower", joint.lower);
  add(".upper", joint.upper);
  return places;
}

void draw_joints(Picture& picture) {
  for (const SceneJoint& joint : picture.scene.joints) {
    draw(joint, picture);
    if (joint.is_coupling()) continue;
    const Vec2 at = picture.px(joint.q);
    picture.labels.push_back({at, joint.name, joint_colour, 12});
    picture.obstacles.points.push_back(at);
    if (joint.driven) draw_turning(at, picture.svg);
    draw_stops(joint, picture);
  }
}

}  // namespace backlash::drawing
