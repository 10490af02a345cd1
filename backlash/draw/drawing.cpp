// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/drawing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "backlash/base/plane.h"
#include "backlash/draw/picture.h"
#include "backlash/scene/build_scene.h"
#include "backlash/scene/exaggerate.h"

namespace backlash {
namespace drawing {
namespace {

std::string_view colour_of(int body, const Picture& picture) {
  if (body == ground_body) return ground_colour;
  return picture.scene.bodies[static_cast<std::size_t>(body)].colour;
}

void draw_half_plane(const SceneOutline& edge, Picture& picture) {
  const View& view = picture.view;
  const double far = view.box().size().sum();  // long enough
  const Vec2 p = picture.world({edge.body, edge.points.front()});
  const Vec2 n = picture.direction(edge.body, edge.normal), along = left_of(n);
  const Vec2 middle = p + along * along.dot(view.box().centre() - p);
  const Vec2 a = view.px(middle - far * along), b = view.px(middle + far * along);
  draw_hatching({a, b}, view.direction(n), colour_of(edge.body, picture), picture.svg);
  picture.obstacles.add_line(a, b);
}

/// Points along an outline that is no half-plane, in the world.
std::vector<Vec2> points_of(const SceneOutline& outline, const SceneState& state) {
  std::vector<Vec2> points;
  const auto add = [&](const Vec3& p_B) {
    points.push_back(in_plane(state.world({outline.body, p_B})));
  };
  if (outline.kind == OutlineKind::arc) {
    const int steps =
        std::max(2, static_cast<int>(std::ceil((outline.to - outline.from) / 0.0873)));
    for (int i = outline.closed ? 1 : 0; i <= steps; ++i)
      add(outline.points.front() +
          outline.radius *
              in_space(unit_vector(outline.from + i * (outline.to - outline.from) / steps)));
  } else {
    for (const Vec3& p : outline.points) add(p);
  }
  return points;
}

SvgStyle style_of(const SceneOutline& outline, std::string_view colour) {
  SvgStyle style{.stroke = colour,
                 .width = 1.6,
                 .fill = outline.filled ? colour : "none",
                 .fill_opacity = 0.13};
  if (!outline.is_link()) return style;
  style.width = outline.closed ? 3 : 7;
  style.stroke_opacity = outline.closed ? 0.5 : 0.35;
  return style;
}

void draw_outline(const SceneOutline& outline, Picture& picture) {
  if (outline.kind == OutlineKind::half_plane) return draw_half_plane(outline, picture);
  std::vector<Vec2> points = points_of(outline, picture.state);
  for (Vec2& p : points) p = picture.view.px(p);
  for (std::size_t i = outline.closed ? 0 : 1; i < points.size(); ++i)
    picture.obstacles.add_line(points[(i + points.size() - 1) % points.size()], points[i]);
  const std::string_view colour = colour_of(outline.body, picture);
  const SvgStyle style = style_of(outline, colour);
  if (points.size() == 1)
    picture.svg.circle(points.front(), 2, {.stroke = colour, .width = 1, .fill = colour});
  else if (outline.kind == OutlineKind::arc && outline.closed)
    picture.svg.circle(picture.px({outline.body, outline.points.front()}),
                       picture.view.length(outline.radius), style);
  else if (outline.closed)
    picture.svg.polygon(points, style);
  else
    picture.svg.polyline(points, style);
}

void draw_centres(Picture& picture) {
  for (std::size_t i = 0; i < picture.scene.bodies.size(); ++i) {
    const SceneBody& body = picture.scene.bodies[i];
    const Vec2 com = picture.px({static_cast<int>(i), body.com});
    draw_centre_of_mass(com, body.colour, picture.svg);
    picture.labels.push_back({com, body.name, body.colour, 14});
    picture.obstacles.points.push_back(com);
  }
}

/// The candidate points of an open contact: B's, and A's facing it across the gap.
void draw_facing_points(const SceneTouch& touch, Picture& picture) {
  const Vec2 b = picture.view.px(in_plane(touch.p_W)),
             a = picture.view.px(in_plane(touch.p_W - touch.gap * touch.n_W));
  constexpr double visible = 4;  // [px]
  if (!((a - b).norm() > visible)) return;
  picture.svg.line(a, b, {.stroke = contact_colour, .width = 0.8, .dashes = "3 3"});
  picture.svg.circle(a, 2.6, {.stroke = contact_colour, .width = 1.2, .fill = "#ffffff"});
  picture.obstacles.points.push_back(a);
}

/// At the start, too, where nothing has pushed yet.
bool touches(const SceneTouch& touch) {
  constexpr double hair = 1e-9;  // [m, rad]
  return touch.state != ContactState::open || touch.gap <= hair;
}

/// Contacts of one pair of shapes, or one clearance.
struct Family {
  const SceneTouch* nearest = nullptr;
  std::vector<const SceneTouch*> touches{};
};

std::map<std::string, Family> families_of(const Picture& picture) {
  std::map<std::string, Family> families;
  for (const SceneTouch& touch : picture.state.touches) {
    if (touch.n_W.isZero()) continue;  // on a coordinate: drawn with its joint
    const SceneContact* origin = find_origin(picture.scene, touch.name);
    Family& family = families[origin ? origin->item : touch.name];
    family.touches.push_back(&touch);
    if (!family.nearest || touch.gap < family.nearest->gap) family.nearest = &touch;
  }
  return families;
}

void draw_contact(const SceneTouch& touch, DrawingDetail detail, Picture& picture) {
  if (detail == DrawingDetail::labelled && touch.gap > 0) draw_facing_points(touch, picture);
  const Vec2 at = picture.view.px(in_plane(touch.p_W));
  draw_touch(at, Vec2(touch.n_W.x(), -touch.n_W.y()), picture.svg);
  picture.obstacles.points.push_back(at);
}

/// Of each family those that are near, and at least the nearest; in small pictures those that
/// touch.
void draw_contacts(DrawingDetail detail, Picture& picture) {
  constexpr double near = 0.05;   // of the picture
  constexpr std::size_t few = 6;  // more of one family are called by one name
  const double reach = near * picture.view.box().size().norm();
  for (const auto& [name, family] : families_of(picture)) {
    std::vector<const SceneTouch*> shown;
    for (const SceneTouch* touch : family.touches)
      if (touches(*touch) ||
          (detail == DrawingDetail::labelled && (touch == family.nearest || touch->gap <= reach)))
        shown.push_back(touch);
    const auto label = [&](const SceneTouch& touch, const std::string& words) {
      picture.labels.push_back({picture.view.px(in_plane(touch.p_W)), words, contact_colour, 11});
    };
    for (const SceneTouch* touch : shown) draw_contact(*touch, detail, picture);
    if (shown.size() > few)
      label(*family.nearest, name);
    else
      for (const SceneTouch* touch : shown) label(*touch, touch->name);
  }
}

void draw_marks(Picture& picture) {
  for (const SceneMark& mark : picture.scene.marks) {
    const Vec2 at = picture.px(mark.at);
    draw_cross(at, picture.svg);
    picture.labels.push_back({at, mark.name, "#7a2ca0", 11});
    picture.obstacles.points.push_back(at);
  }
}

}  // namespace
}  // namespace drawing

drawing::Box scene_extent(const Scene& scene, const SceneState& state) {
  using namespace drawing;
  Box box;
  const auto include = [&](const ScenePoint& point) { box.include(in_plane(state.world(point))); };
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    include({static_cast<int>(i), scene.bodies[i].com});
  for (const SceneOutline& outline : scene.outlines)
    if (outline.kind != OutlineKind::half_plane)
      for (const Vec2& p : points_of(outline, state)) box.include(p);
  for (const SceneJoint& joint : scene.joints) {
    if (joint.is_coupling()) continue;
    include(joint.p);
    include(joint.q);
    for (const StopPlace& stop : stops(joint)) include(stop.at);
  }
  for (const SceneMark& mark : scene.marks) include(mark.at);
  for (const SceneForce& force : scene.forces)
    if (force.shape == ForceShape::spring || force.shape == ForceShape::damper) {
      include(force.p);
      include(force.q);
    }
  for (const SceneOutline& outline : scene.outlines)
    if (outline.kind == OutlineKind::half_plane && outline.body == ground_body) {
      const Vec2 p = in_plane(outline.points.front()), n = in_plane(outline.normal);
      const Vec2 centre = box.empty() ? p : box.centre();
      box.include(centre - n * n.dot(centre - p));
    }
  return box;
}

void draw_scene(const Scene& scene, const SceneState& state, DrawingDetail detail,
                const drawing::View& view, Svg& svg) {
  using namespace drawing;
  Picture picture{scene, state, view, svg};
  svg.begin_clip(view.corner(), view.size());
  for (const SceneOutline& outline : scene.outlines) draw_outline(outline, picture);
  const bool labelled = detail == DrawingDetail::labelled;
  if (labelled) draw_centres(picture);
  draw_forces(picture);
  draw_joints(picture);
  draw_contacts(detail, picture);
  if (labelled) draw_marks(picture);
  if (labelled) draw_labels(picture.labels, picture.obstacles, view, svg);
  svg.end_clip();
}

std::string mechanism_drawing(const Scene& scene, const SceneState& state) {
  const drawing::View view(scene_extent(scene, state));
  Svg svg(view.whole().x(), view.whole().y(), scene.title);
  svg.text({view.corner().x() + 40, 24}, scene.title, {.size = 16, .weight = "bold"});
  draw_axes(view, svg);
  draw_scene(scene, state, DrawingDetail::labelled, view, svg);
  if (state.exaggeration != 1)
    svg.text({view.corner().x() + view.size().x() - 8, view.corner().y() + view.size().y() - 8},
             fmt::format("clearances drawn {:g} times as large", state.exaggeration),
             {.size = 11, .anchor = "end"});
  return svg.finish();
}

std::string mechanism_drawing(const Model& model, const System& system, const State& state,
                              double exaggeration) {
  validate(state, system.info());
  const Scene scene = build_scene(model, system.info());
  SceneState moved = scene_state(system, state, -INFINITY);  // where the bodies are
  const double size = drawing::View(scene_extent(scene, moved)).box().size().norm();
  moved = scene_state(system, state, std::min(size, system.info().reach));
  return mechanism_drawing(scene, exaggerated(scene, moved, exaggeration));
}

}  // namespace backlash
