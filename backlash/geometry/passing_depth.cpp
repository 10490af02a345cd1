// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/passing_depth.h"

#include <algorithm>

namespace backlash {
namespace {

template <class T>
double depth_of(const CornersOn<T>& touch) {
  double smallest = INFINITY;
  for (const Corner& corner : touch.corners) smallest = std::min(smallest, corner.radius);
  return smallest + material_depth(*touch.outline);
}
double depth_of(const FaceOnCam<HalfPlane>&) { return INFINITY; }
double depth_of(const FaceOnCam<Wall>& touch) { return touch.face->length; }

double depth_of(const ProfileBoundary* profile) { return 0.5 * profile->thickness(); }
double depth_of(const Corner* corner) { return corner->radius; }
double depth_of(const HalfPlane*) { return INFINITY; }
double depth_of(const ProfileTouch& touch) {
  const double first = depth_of(touch.profile);
  const double second = std::visit([](const auto* other) { return depth_of(other); }, touch.other);
  const bool curves = std::holds_alternative<const ProfileBoundary*>(touch.other);
  return curves ? 2 * std::min(first, second) : first + second;
}

template <class T>
bool jumps(const CornersOn<T>& touch) {
  return may_jump(*touch.outline);
}
template <class Face>
bool jumps(const FaceOnCam<Face>&) {
  return false;  // where a cam lies farthest in a direction
}
bool jumps(const ProfileTouch& touch) {
  const auto* other = std::get_if<const ProfileBoundary*>(&touch.other);
  return touch.profile->hollow() || (other && (*other)->hollow());
}

double depth_of(const SharedOutline& outline) {
  if (!outline) return INFINITY;
  return std::visit([](const auto& o) { return material_depth(o); }, *outline);
}

bool is_convex(const PolygonOutline& o) { return o.convex; }
bool is_convex(const ConcaveArc&) { return false; }
bool is_convex(const Cam& o) { return !o.curve->hollow(); }
template <class T>
bool is_convex(const T&) {
  return true;
}
bool is_convex(const SharedOutline& outline) {
  return !outline || std::visit([](const auto& o) { return is_convex(o); }, *outline);
}

}  // namespace

bool bulges(const ShapeFeatures& shape) {
  if (shape.free_form) return !shape.profile->hollow();
  return is_convex(shape.outline) && is_convex(shape.faces);
}

double material_depth(const RoundCorners& o) {
  double least = INFINITY;
  for (const ConvexArc& arc : o.arcs) least = std::min(least, material_depth(arc));
  return least;
}

PassingDepth passing_depth(const Candidates& all, int candidate) {
  const Candidates::Part& part = all.find(candidate).first;
  return std::visit(
      [](const auto& touch) {
        return PassingDepth{depth_of(touch), jumps(touch)};
      },
      part.touch);
}

double least_passing_depth(const Candidates& all) {
  double least = INFINITY;
  for (const Candidates::Part& part : all.parts())
    least =
        std::min(least, std::visit([](const auto& touch) { return depth_of(touch); }, part.touch));
  return least;
}

double passing_depth_with_any(const ShapeFeatures& shape) {
  const double as_profile = shape.free_form ? depth_of(shape.profile.get()) : INFINITY;
  return std::min(
      {as_profile, depth_of(shape.outline), depth_of(shape.faces), depth_of(shape.round)});
}

}  // namespace backlash
