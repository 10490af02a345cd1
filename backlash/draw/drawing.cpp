// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/draw/scene.h"

namespace backlash {
namespace drawing {
namespace {

constexpr std::array<std::string_view, 8> palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#a07800", "#56b4e9", "#6a51a3", "#8c564b"};

/// Half of the guide's length that is drawn where it has no ends [m].
double long_enough(const View& view) { return view.box().size().sum(); }

void draw_half_plane(const Boundary& edge, const Pose2& X_WS, std::string_view colour,
                     Scene& scene) {
  const Vec2 p = X_WS.point(edge.points.front()), n = X_WS.direction(edge.normal);
  const Vec2 along(-n.y(), n.x());
  const Vec2 middle = p + along * along.dot(scene.view.box().centre() - p);
  const Vec2 a = scene.view.px(middle - long_enough(scene.view) * along);
  const Vec2 b = scene.view.px(middle + long_enough(scene.view) * along);
  draw_hatching({a, b}, scene.view.direction(n), colour, scene.svg);
  scene.obstacles.add_line(a, b);
}

void draw_shape(const BodyShape& shape, const Pose2& X_WB, std::string_view colour, Scene& scene) {
  const Pose2 X_WS = X_WB * pose2(shape.X_BS);
  const Boundary edge = boundary(shape.shape);
  if (edge.half_plane()) return draw_half_plane(edge, X_WS, colour, scene);
  std::vector<Vec2> points;
  for (const Vec2& p : edge.points) points.push_back(scene.view.px(X_WS.point(p)));
  const SvgStyle style{.stroke = colour,
                       .width = 1.6,
                       .fill = edge.closed && !edge.hole ? colour : "none",
                       .fill_opacity = 0.13};
  for (std::size_t i = edge.closed ? 0 : 1; i < points.size(); ++i)
    scene.obstacles.add_line(points[(i + points.size() - 1) % points.size()], points[i]);
  if (points.size() == 1)
    scene.svg.circle(points.front(), 2, {.stroke = colour, .width = 1, .fill = colour});
  else if (edge.closed)
    scene.svg.polygon(points, style);
  else
    scene.svg.polyline(points, style);
}

/// Points by which a body is held or touched, each once.
std::vector<Vec2> single_points(const Model& model, const std::string& body) {
  std::vector<Vec2> points;
  const auto add = [&](const std::string& name, const Vec2& p) {
    if (name == body && std::ranges::find(points, p) == points.end()) points.push_back(p);
  };
  for (const Joint& joint : model.joints)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.p_AP; }) {
            add(joint.body_A, in_plane(kind.p_AP));
            add(joint.body_B, in_plane(kind.p_BQ));
          }
        },
        joint.kind);
  if (const Body* owner = find_body(model, body))
    for (const BodyShape& shape : owner->shapes)
      if (const auto* point = std::get_if<Point>(&shape.shape))
        add(body, pose2(shape.X_BS).point(point->p));
  return points;
}

/// A bar, or a plate, through the points that hold the body.
void draw_link(const Body& body, std::string_view colour, Scene& scene) {
  std::vector<Vec2> points = single_points(scene.model, body.name);
  const Vec2 com = in_plane(body.com);
  if (points.size() == 1 && points.front() != com) points.push_back(com);
  if (points.size() < 2) return;
  Vec2 middle = Vec2::Zero();
  for (const Vec2& p : points) middle += p / static_cast<double>(points.size());
  std::ranges::sort(points, {}, [&](const Vec2& p) {
    return std::atan2(p.y() - middle.y(), p.x() - middle.x());
  });
  std::vector<Vec2> drawn;
  for (const Vec2& p : points) drawn.push_back(scene.px(body.name, p));
  scene.svg.line(drawn.front(), scene.px(body.name, body.com),
                 {.stroke = colour, .width = 1.2, .stroke_opacity = 0.5});
  const SvgStyle bar{.stroke = colour, .width = 7, .stroke_opacity = 0.35};
  if (drawn.size() == 2)
    scene.svg.line(drawn[0], drawn[1], bar), scene.obstacles.add_line(drawn[0], drawn[1]);
  else
    scene.svg.polygon(drawn, {.stroke = colour,
                              .width = 3,
                              .fill = colour,
                              .fill_opacity = 0.13,
                              .stroke_opacity = 0.5});
}

void draw_bodies(Scene& scene) {
  const Model& model = scene.model;
  for (const BodyShape& shape : model.ground.shapes) draw_shape(shape, {}, ground_colour, scene);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const std::string_view colour = palette[i % palette.size()];
    draw_link(body, colour, scene);
    for (const BodyShape& shape : body.shapes)
      draw_shape(shape, scene.poses.at(body.name), colour, scene);
    const Vec2 com = scene.px(body.name, body.com);
    draw_centre_of_mass(com, colour, scene.svg);
    scene.labels.push_back({com, body.name, colour, 14});
    scene.obstacles.points.push_back(com);
  }
}

void draw_contacts(Scene& scene) {
  const Configuration c = configuration(scene.system, scene.state);
  const double reach = std::min(scene.view.box().size().norm(), scene.system.info().reach);
  std::vector<ContactFrame> contacts;
  scene.system.find_contacts(c, reach, scene.state.contacts, contacts);
  struct Family {
    double nearest = INFINITY;
    Vec2 at = Vec2::Zero();
    std::vector<Label> labels{};
  };
  std::map<std::string, Family> families;  // of one pair of shapes, or one clearance
  for (const ContactFrame& contact : contacts) {
    if (contact.n_W.isZero()) continue;  // on a coordinate: drawn with its joint
    const double gap = contact.gap;
    const Vec2 at = scene.view.px(contact.p_WB.head<2>());
    const Vec2 normal(contact.n_W.x(), -contact.n_W.y());
    const std::string name = scene.system.contact_name(contact.key);
    draw_touch(at, normal, scene.svg);
    scene.obstacles.points.push_back(at);
    const auto pair = static_cast<std::size_t>(contact.key.pair);
    Family& family = families[scene.system.info().contacts[pair].origin.item];
    family.labels.push_back({at, name, contact_colour, 11});
    if (gap >= family.nearest) continue;
    family.nearest = gap;
    family.at = at;
  }
  constexpr std::size_t few = 6;  // more of one family are called by one name
  for (const auto& [name, family] : families)
    if (family.labels.size() > few)
      scene.labels.push_back({family.at, name, contact_colour, 11});
    else
      scene.labels.insert(scene.labels.end(), family.labels.begin(), family.labels.end());
}

void draw_points(Scene& scene) {
  for (const OutputPoint& point : scene.model.output.points) {
    const Vec2 at = scene.px(point.at.body, point.at.p_B);
    draw_cross(at, scene.svg);
    scene.labels.push_back({at, point.name, "#7a2ca0", 11});
    scene.obstacles.points.push_back(at);
  }
}

/// All that is to be seen.
Box extent(const Model& model, const std::map<std::string, Pose2>& poses) {
  Box box;
  const auto include = [&](const std::string& body, const Vec2& p_B) {
    const auto pose = poses.find(body);
    if (pose != poses.end()) box.include(pose->second.point(p_B));
  };
  const auto include_shapes = [&](const Body& body) {
    for (const BodyShape& shape : body.shapes)
      if (const Boundary edge = boundary(shape.shape); !edge.half_plane())
        for (const Vec2& p : edge.points) include(body.name, pose2(shape.X_BS).point(p));
  };
  for (const Body& body : model.bodies) {
    include(body.name, in_plane(body.com));
    for (const Vec2& p : single_points(model, body.name)) include(body.name, p);
    include_shapes(body);
  }
  include_shapes(model.ground);
  for (const Vec2& p : single_points(model, model.ground.name)) include(model.ground.name, p);
  for (const Joint& joint : model.joints)
    for (const auto& stop : stops(joint)) include(joint.body_A, stop.p_A);
  for (const OutputPoint& point : model.output.points)
    include(point.at.body, in_plane(point.at.p_B));
  for (const Force& force : model.forces)
    std::visit(
        [&](const auto& element) {
          if constexpr (requires { element.from.p_B; }) {
            include(element.from.body, in_plane(element.from.p_B));
            include(element.to.body, in_plane(element.to.p_B));
          }
        },
        force.element);
  for (const BodyShape& shape : model.ground.shapes)
    if (const Boundary edge = boundary(shape.shape); edge.half_plane()) {
      const Pose2 X_BS = pose2(shape.X_BS);
      const Vec2 p = X_BS.point(edge.points.front()), n = X_BS.direction(edge.normal);
      const Vec2 centre = box.empty() ? p : box.centre();
      box.include(centre - n * n.dot(centre - p));
    }
  return box;
}

std::map<std::string, Pose2> poses_of(const System& system, const State& state) {
  std::map<std::string, Pose2> poses{{std::string(ground_name), {}}};
  const Configuration c = configuration(system, state);
  for (std::size_t i = 0; i < system.info().bodies.size(); ++i) {
    const BodyMotion m = system.body_motion(c, state.u, static_cast<int>(i));
    poses[system.info().bodies[i]] = pose2(planar_pose(in_plane(m.p_W), m.angle));
  }
  return poses;
}

}  // namespace
}  // namespace drawing

std::string mechanism_drawing(const Model& model, const System& system, const State& state) {
  using namespace drawing;
  validate(state, system.info());
  const auto poses = poses_of(system, state);
  for (const Body& body : model.bodies)
    if (!poses.contains(body.name))
      throw InputError(fmt::format("drawing: the system '{}' has no body '{}', which the model has",
                                   system.info().name, body.name));
  const View view(extent(model, poses));
  Svg svg(view.whole().x(), view.whole().y(), model.title);
  Scene scene{model, system, state, poses, view, svg};
  svg.text({view.corner().x() + 40, 24}, model.title, {.size = 16, .weight = "bold"});
  draw_axes(view, svg);
  svg.begin_clip(view.corner(), view.size());
  draw_bodies(scene);
  draw_forces(scene);
  draw_joints(scene);
  draw_contacts(scene);
  draw_points(scene);
  draw_labels(scene.labels, scene.obstacles, view, svg);
  svg.end_clip();
  return svg.finish();
}

}  // namespace backlash
