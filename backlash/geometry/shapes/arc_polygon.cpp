// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/arc_polygon.h"

#include <algorithm>

#include "backlash/geometry/shape_features.h"
#include "backlash/geometry/shapes/polygon.h"
#include "backlash/geometry/shapes/profile.h"

namespace backlash {
namespace {

std::vector<PathPoint> whole_path(const ArcPolygon& s) {
  const std::vector<PathPoint> path = s.mirrored ? with_mirror_image(s.path) : s.path;
  return s.copies > 1 ? rotated_copies(path, s.copies) : path;
}

NurbsProfile profile_of(const ArcPolygon& s, std::string_view item = ArcPolygon::name) {
  return {lines_and_arcs(whole_path(s), item)};
}

bool is_straight(const ArcPolygon& s) {
  return std::ranges::all_of(s.path, [](const PathPoint& point) { return point.radius == 0; });
}

Polygon polygon_of(const ArcPolygon& s) {
  Polygon polygon;
  for (const PathPoint& point : whole_path(s)) polygon.corners.push_back(point.p);
  return polygon;
}

}  // namespace

ShapeKeys<ArcPolygon> ArcPolygon::keys() {
  constexpr int most_copies = 10'000;
  const ShapeKeys<ArcPolygon> keys{
      {.name = "path",
       .value = PathValue<ArcPolygon>{[](ArcPolygon& s, std::vector<PathPoint> path) {
         s.path = std::move(path);
       }},
       .meaning = "counter-clockwise; sides lead from point to point, and from the last one to the "
                  "first: straight, or arcs of half a turn at most whose radius is positive where "
                  "they bulge and negative where they are hollow",
       .needed = true},
      {.name = "mirrored",
       .value = FlagValue<ArcPolygon>{&ArcPolygon::mirrored},
       .meaning = "the path is the half above the x axis, its mirror image is the other",
       .fallback = "false"},
      {.name = "copies",
       .value = CountValue<ArcPolygon>{&ArcPolygon::copies, 1, most_copies},
       .meaning = "of the path, and its mirror image, around the origin: teeth",
       .fallback = "1"}};
  return {{.name = "outline",
           .value = MappingValue<ArcPolygon>{.item = "an outline",
                                             .description = "A closed path of lines and arcs.",
                                             .keys = keys},
           .meaning = "a closed path of lines and arcs"}};
}

void check(const ArcPolygon& s, std::string_view item) { check(profile_of(s, item), item); }

/// It touches as the profile that it is, or in a fraction of the time as a polygon.
ShapeFeatures features(const ArcPolygon& s, const TurnedPose& X) {
  return is_straight(s) ? features(polygon_of(s), X) : features(profile_of(s), X);
}

Boundary boundary_of(const ArcPolygon& s) {
  return is_straight(s) ? boundary_of(polygon_of(s)) : boundary_of(profile_of(s));
}

NurbsCurveData<2> curve_of(const ArcPolygon& s) { return profile_of(s).curve; }

AreaProperties area_of(const ArcPolygon& s) { return area_of(profile_of(s)); }

/// The side that led to a point leads away from it.
ArcPolygon mirrored_of(const ArcPolygon& s) {
  const std::vector<PathPoint> path = whole_path(s);
  ArcPolygon other;
  for (std::size_t i = path.size(); i-- > 0;)
    other.path.push_back({mirrored(path[i].p), path[(i + 1) % path.size()].radius});
  return other;
}

}  // namespace backlash
