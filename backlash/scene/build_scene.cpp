// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/scene/build_scene.h"

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/scene/scene_items.h"

namespace backlash {
namespace scene_items {
namespace {

/// Told apart by those who do not see all colours (Okabe and Ito), and on white and black.
constexpr std::array<std::string_view, 8> palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#a07800", "#56b4e9", "#6a51a3", "#8c564b"};

std::vector<SceneBody> bodies_of(const Model& model, const SystemInfo& info) {
  std::vector<SceneBody> bodies;
  for (std::size_t i = 0; i < info.bodies.size(); ++i) {
    const Body* body = find_body(model, info.bodies[i]);
    bodies.push_back({.name = info.bodies[i],
                      .com = body ? body->com : Vec3(Vec3::Zero()),
                      .colour = std::string(palette[i % palette.size()])});
  }
  for (const Body& body : model.bodies)
    if (std::ranges::find(info.bodies, body.name) == info.bodies.end())
      throw InputError(fmt::format("drawing: the system '{}' has no body '{}', which the model has",
                                   info.name, body.name));
  return bodies;
}

bool turns_in_plane(const Pose& X) { return X.rotation.x() == 0 && X.rotation.y() == 0; }

SceneOutline arc(const Vec2& centre, double radius, double from, double to) {
  return {.kind = OutlineKind::arc,
          .points = {in_space(centre)},
          .closed = to - from >= 2 * std::numbers::pi,
          .radius = radius,
          .from = from,
          .to = to};
}

/// Round shapes as they are, others along their boundary; in the shape's frame.
SceneOutline outline_of(const Shape& shape, const Pose& X_BS) {
  constexpr double turn = 2 * std::numbers::pi;
  const Boundary edge = boundary(shape);
  SceneOutline outline{.closed = edge.closed};
  for (const Vec2& p : edge.points) outline.points.push_back(in_space(p));
  if (edge.half_plane()) {
    outline.kind = OutlineKind::half_plane;
    outline.normal = in_space(edge.normal);
  } else if (turns_in_plane(X_BS)) {
    if (const auto* circle = std::get_if<Circle>(&shape))
      outline = arc(circle->centre, circle->radius, 0, turn);
    if (const auto* ring = std::get_if<Ring>(&shape))
      outline = arc(ring->centre, ring->radius, 0, turn);
    if (const auto* part = std::get_if<Arc>(&shape))
      outline = arc(part->centre, part->radius, part->from, part->to);
  }
  outline.filled = outline.closed && !edge.hole;
  return outline;
}

void add_shapes(const Body& body, int index, Scene& scene) {
  for (const BodyShape& shape : body.shapes) {
    SceneOutline outline = outline_of(shape.shape, shape.X_BS);
    outline.name = shape.name.empty() ? std::string(kind_name(shape.shape)) : shape.name;
    outline.body = index;
    for (Vec3& p : outline.points) p = shape.X_BS * p;
    outline.normal = rotated(shape.X_BS.rotation, outline.normal);
    outline.from += shape.X_BS.rotation.z();
    outline.to += shape.X_BS.rotation.z();
    scene.outlines.push_back(std::move(outline));
  }
}

/// Points by which a body is held or touched, each once.
std::vector<Vec3> holding_points(const Model& model, const Body& body) {
  std::vector<Vec3> points;
  const auto add = [&](const std::string& name, const Vec3& p) {
    if (name == body.name && std::ranges::find(points, p) == points.end()) points.push_back(p);
  };
  for (const Joint& joint : model.joints)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.p_AP; }) {
            add(joint.body_A, kind.p_AP);
            add(joint.body_B, kind.p_BQ);
          }
        },
        joint.kind);
  for (const BodyShape& shape : body.shapes)
    if (const auto* point = std::get_if<Point>(&shape.shape))
      add(body.name, shape.X_BS * in_space(point->p));
  return points;
}

/// A bar, or a plate, through the points that hold the body.
void add_link(const Model& model, const Body& body, int index, Scene& scene) {
  std::vector<Vec3> points = holding_points(model, body);
  if (points.size() == 1 && points.front() != body.com) points.push_back(body.com);
  if (points.size() < 2) return;
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
  std::ranges::sort(points, {}, [&](const Vec3& p) {
    return std::atan2(p.y() - middle.y(), p.x() - middle.x());
  });
  const bool plate = points.size() > 2;
  scene.outlines.push_back(
      {.body = index, .points = std::move(points), .closed = plate, .filled = plate});
}

/// A rectangle of a body's x-y plane, with a hair of room around it.
struct Area {
  Vec2 low = Vec2::Constant(INFINITY), high = Vec2::Constant(-INFINITY);  ///< [m]

  explicit Area(const SceneOutline& outline) {
    const Vec2 around = Vec2::Constant(outline.radius);
    for (const Vec3& p : outline.points) {
      low = low.cwiseMin(in_plane(p) - around);
      high = high.cwiseMax(in_plane(p) + around);
    }
    const Vec2 hair = Vec2::Constant(1e-9 + 1e-6 * (high - low).norm());
    low -= hair;
    high += hair;
  }
  bool contains(const Vec3& p) const {
    return (in_plane(p).array() >= low.array()).all() &&
           (in_plane(p).array() <= high.array()).all();
  }
};

/// Points that forces and outputs use of a body, and its centre of mass.
std::vector<Vec3> used_points(const Model& model, const Body& body, int index, const Scene& scene) {
  std::vector<Vec3> points{body.com};
  for (const SceneForce& force : scene.forces)
    for (const ScenePoint& point : {force.p, force.q})
      if (point.body == index) points.push_back(point.p_B);
  for (const OutputPoint& point : model.output.points)
    if (point.at.body == body.name) points.push_back(point.at.p_B);
  return points;
}

const Vec3& nearest_of(const std::vector<Vec3>& points, const Vec3& p) {
  return *std::ranges::min_element(points, {}, [&](const Vec3& q) { return (q - p).norm(); });
}

/// Bars from what holds the body to the shapes and points that would seem to hang in the air.
void add_struts(const Model& model, const Body& body, int index, Scene& scene) {
  std::vector<Vec3> roots = holding_points(model, body);
  if (roots.empty()) roots.push_back(body.com);
  std::vector<Area> areas;
  std::vector<SceneOutline> struts;
  const auto add = [&](const Vec3& to) {
    struts.push_back({.body = index, .points = {nearest_of(roots, to), to}});
  };
  for (const SceneOutline& outline : scene.outlines) {
    if (outline.body != index || outline.kind == OutlineKind::half_plane) continue;
    areas.emplace_back(outline);
    const bool held =
        std::ranges::any_of(roots, [&](const Vec3& root) { return areas.back().contains(root); });
    if (!held && !outline.is_link()) add(nearest_of(outline.points, roots.front()));
  }
  for (const Vec3& point : used_points(model, body, index, scene))
    if (std::ranges::none_of(areas, [&](const Area& area) { return area.contains(point); }) &&
        std::ranges::find(roots, point) == roots.end())
      add(point);
  scene.outlines.insert(scene.outlines.end(), struts.begin(), struts.end());
}

/// What contacts come from, each once.
std::vector<SceneContact> contacts_of(const SystemInfo& info) {
  std::vector<SceneContact> contacts;
  for (const ContactInfo& contact : info.contacts) {
    const Origin& origin = contact.origin;
    SceneContact made{.item = origin.item.empty() ? contact.name : origin.item,
                      .kind = origin.kind,
                      .unit = contact.unit,
                      .play = contact.play};
    if (contacts.empty() || !(contacts.back() == made)) contacts.push_back(std::move(made));
  }
  return contacts;
}

}  // namespace

int index_of(const Scene& scene, const std::string& body) {
  const auto found = std::ranges::find(scene.bodies, body, &SceneBody::name);
  return found == scene.bodies.end() ? ground_body : static_cast<int>(found - scene.bodies.begin());
}

}  // namespace scene_items

Scene build_scene(const Model& model, const SystemInfo& info) {
  using namespace scene_items;
  Scene scene{.title = model.title, .bodies = bodies_of(model, info)};
  add_shapes(model.ground, ground_body, scene);
  for (const Body& body : model.bodies) {
    const int index = index_of(scene, body.name);
    add_link(model, body, index, scene);
    add_shapes(body, index, scene);
  }
  add_joints(model, scene);
  add_forces(model, scene);
  for (const Body& body : model.bodies) add_struts(model, body, index_of(scene, body.name), scene);
  scene.contacts = contacts_of(info);
  for (const OutputPoint& point : model.output.points)
    scene.marks.push_back({point.name, {index_of(scene, point.at.body), point.at.p_B}});
  return scene;
}

}  // namespace backlash
