// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/base/plane.h"
#include "backlash/draw/scene.h"

namespace backlash::drawing {
namespace {

constexpr SvgStyle thin{.stroke = joint_colour, .width = 1};
constexpr SvgStyle coupling{.stroke = joint_colour, .width = 1, .dashes = "5 4"};

/// Where a joint's name is written: Q of its body B.
Vec2 place(const Joint& joint, const Scene& scene) {
  return std::visit(
      [&](const auto& kind) -> Vec2 {
        if constexpr (requires { kind.p_BQ; })
          return scene.px(joint.body_B, kind.p_BQ);
        else
          return scene.view.px(scene.view.box().centre());
      },
      joint.kind);
}

void draw_bearing(const Joint& joint, const Revolute& j, const RevoluteClearance& c, Scene& scene) {
  const Vec2 p = scene.px(joint.body_A, j.p_AP), q = scene.px(joint.body_B, j.p_BQ);
  scene.svg.circle(p, scene.view.length(c.journal_radius + c.gap), thin);
  scene.svg.circle(q, scene.view.length(c.journal_radius), thin);
  scene.svg.circle(q, 1.5, thin);
}

/// Both sides of a guide with play, in true size.
void draw_guide(const Joint& joint, const Prismatic& j, const PrismaticClearance& c, Scene& scene) {
  const Pose2& X_WA = scene.poses.at(joint.body_A);
  const Vec2 p = X_WA.point(in_plane(j.p_AP)), axis = X_WA.direction(in_plane(j.axis_A)),
             across = left_of(axis);
  const double far = scene.view.box().size().sum();
  const double middle = axis.dot(scene.view.box().centre() - p);
  const double from = std::max(c.guide_from, middle - far), to = std::min(c.guide_to, middle + far);
  for (const double side : {1.0, -1.0}) {
    const Vec2 wall = p + side * (c.width / 2 + c.gap) * across;
    const Vec2 a = scene.view.px(wall + from * axis), b = scene.view.px(wall + to * axis);
    draw_hatching({a, b}, scene.view.direction(-side * across), ground_colour, scene.svg);
    scene.obstacles.add_line(a, b);
  }
}

void draw_coupling(const std::string& first, const std::string& second, const Joint& joint,
                   Scene& scene) {
  const Joint* a = find_joint(scene.model, first);
  const Joint* b = find_joint(scene.model, second);
  if (!a || !b) return;
  const Vec2 from = place(*a, scene), to = place(*b, scene);
  scene.svg.line(from, to, coupling);
  scene.labels.push_back({0.5 * (from + to), joint.name, joint_colour, 12});
}

void draw_coupling(const Joint& joint, Scene& scene) {
  if (const auto* gear = std::get_if<Gear>(&joint.kind))
    draw_coupling(gear->first, gear->second, joint, scene);
  if (const auto* rack = std::get_if<Rack>(&joint.kind))
    draw_coupling(rack->pinion, rack->rack, joint, scene);
}

/// Its points P and Q in the picture.
struct JointEnds {
  Vec2 p = Vec2::Zero(), q = Vec2::Zero();
};

JointEnds ends_of(const Joint& joint, const Scene& scene) {
  JointEnds ends;
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.p_AP; })
          ends = {scene.px(joint.body_A, kind.p_AP), scene.px(joint.body_B, kind.p_BQ)};
      },
      joint.kind);
  return ends;
}

void draw_sliding(const Joint& joint, const Vec2& at, Scene& scene) {
  const Vec2 axis = scene.poses.at(joint.body_A).direction(in_plane(*sliding_axis(joint.kind)));
  draw_slide(at, scene.view.direction(axis), scene.svg);
}

void draw_rod(const JointEnds& ends, Scene& scene) {
  scene.svg.line(ends.p, ends.q, {.stroke = joint_colour, .width = 2});
  scene.obstacles.add_line(ends.p, ends.q);
  draw_pin(ends.p, scene.svg);
  draw_pin(ends.q, scene.svg);
}

void draw_symbol(const Joint& joint, Scene& scene) {
  const JointEnds ends = ends_of(joint, scene);
  const bool on_ground = joint.body_A == ground_name || joint.body_B == ground_name;
  switch (joint_info(joint.kind).symbol) {
    case JointSymbol::none:
      return;
    case JointSymbol::pin:
      return on_ground ? draw_support(ends.q, scene.svg) : draw_pin(ends.q, scene.svg);
    case JointSymbol::slide:
      return draw_sliding(joint, ends.q, scene);
    case JointSymbol::weld:
      return draw_weld(ends.q, scene.svg);
    case JointSymbol::slide_and_pin:
      draw_sliding(joint, ends.q, scene);
      return draw_pin(ends.q, scene.svg);
    case JointSymbol::rod:
      return draw_rod(ends, scene);
    case JointSymbol::coupling:
      return draw_coupling(joint, scene);
  }
}

/// A joint with play is drawn in true size.
void draw(const Joint& joint, Scene& scene) {
  if (joint.clearance) {
    if (const auto* journal = std::get_if<RevoluteClearance>(&*joint.clearance))
      return draw_bearing(joint, std::get<Revolute>(joint.kind), *journal, scene);
    if (const auto* slider = std::get_if<PrismaticClearance>(&*joint.clearance))
      return draw_guide(joint, std::get<Prismatic>(joint.kind), *slider, scene);
  }
  draw_symbol(joint, scene);
}

void draw_stops(const Joint& joint, Scene& scene) {
  for (const StopPlace& stop : stops(joint)) {
    const Pose2& X_WA = scene.poses.at(joint.body_A);
    const Vec2 at = scene.view.px(X_WA.point(stop.p_A));
    draw_stop(at, scene.view.direction(X_WA.direction(stop.axis_A)), scene.svg);
    scene.labels.push_back({at, stop.name, contact_colour, 11});
    scene.obstacles.points.push_back(at);
  }
}

}  // namespace

std::vector<StopPlace> stops(const Joint& joint) {
  std::vector<StopPlace> places;
  const Vec3* axis = sliding_axis(joint.kind);
  if (!axis || !joint.limits) return places;
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.p_AP; }) {
          const auto add = [&](const char* name, double limit) {
            if (std::isfinite(limit))
              places.push_back(
                  {joint.name + name, in_plane(kind.p_AP + limit * *axis), in_plane(*axis)});
          };
          add(".lower", joint.limits->lower);
          add(".upper", joint.limits->upper);
        }
      },
      joint.kind);
  return places;
}

void draw_joints(Scene& scene) {
  for (const Joint& joint : scene.model.joints) {
    draw(joint, scene);
    if (joint.body_A.empty()) continue;
    const Vec2 at = place(joint, scene);
    scene.labels.push_back({at, joint.name, joint_colour, 12});
    scene.obstacles.points.push_back(at);
    if (joint.drive) draw_turning(at, scene.svg);
    draw_stops(joint, scene);
  }
}

}  // namespace backlash::drawing
