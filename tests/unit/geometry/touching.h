// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/geometry/closest_points.h"

/// Specimens of all shapes, and candidates for touching evaluated at poses.
namespace backlash::test {

constexpr double pi = std::numbers::pi;

/// A formula of φ.
inline Expression of_angle(std::string_view text) {
  constexpr std::string_view variables[] = {"phi"};
  return parse_expression(text, variables);
}

struct Specimen {
  std::string name;
  Shape shape;
};

inline std::vector<Specimen> specimens(std::type_identity<Point>) {
  return {{"point", Point{{0.1, -0.2}}}};
}
inline std::vector<Specimen> specimens(std::type_identity<Circle>) {
  return {{"circle", Circle{{0.2, 0.1}, 0.5}}};
}
inline std::vector<Specimen> specimens(std::type_identity<Ring>) {
  return {{"ring", Ring{{0.1, 0.3}, 3}}};
}
inline std::vector<Specimen> specimens(std::type_identity<Segment>) {
  return {{"segment", Segment{{-0.7, 0.2}, {0.9, -0.3}}}};
}
inline std::vector<Specimen> specimens(std::type_identity<Line>) {
  return {{"line", Line{{0.1, 0.2}, Vec2(0.6, 0.8)}}};
}
inline Polygon l_shape() { return {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}; }
inline std::vector<Specimen> specimens(std::type_identity<Polygon>) {
  return {{"box", box(1.4, 0.8)},
          {"triangle", Polygon{{{-0.5, -0.4}, {0.9, -0.2}, {0.1, 0.7}}}},
          {"L", l_shape()}};
}
inline std::vector<Specimen> specimens(std::type_identity<Arc>) {
  return {{"cap", Arc{{0.1, 0}, 0.8, 0.3, 2.0, ArcSide::outside}},
          {"three quarters", Arc{{0.1, 0}, 0.6, -1.0, 3.7, ArcSide::outside}},
          {"shell", Arc{{0, 0.2}, 1.5, 3.3, 6.1, ArcSide::inside}},
          {"whole arc", Arc{{0.1, 0}, 0.8, 0.5, 0.5 + 2 * pi, ArcSide::outside}}};
}
inline Table wave_table() {
  Table table;
  for (int i = 0; i <= 24; ++i) {
    table.x.push_back(2 * pi * i / 24);
    table.y.push_back(0.1 * std::cos(2 * pi * (i % 24) / 24));
  }
  table.interpolation = Interpolation::cubic;
  table.extension = Extension::periodic;
  return table;
}
inline std::vector<Specimen> specimens(std::type_identity<CamProfile>) {
  const Expression lift = of_angle("0.08*(1 - cos(2*phi)) + 0.05*sin(phi)");
  const Vec2 centre(0.1, -0.1);
  return {{"radius cam", CamProfile{centre, 0.8, lift, CamFunction::radius}},
          {"flat cam", CamProfile{centre, 0.8, lift, CamFunction::flat}},
          {"roller cam", CamProfile{centre, 0.8, lift, CamFunction::roller, 0.3}},
          {"table cam", CamProfile{centre, 0.8, wave_table(), CamFunction::radius}}};
}

inline std::vector<Specimen> specimens(std::type_identity<Capsule>) {
  return {{"capsule", Capsule{{-0.6, 0.1}, {0.5, 0.3}, 0.35}},
          {"thin capsule", Capsule{{0.2, -0.5}, {-0.1, 0.8}, 0.2}}};
}

/// Convex, and rational.
inline NurbsProfile egg() {
  return {{.degree = 3,
           .points = {{0.85, 0},
                      {0.55, 0.45},
                      {0, 0.55},
                      {-0.45, 0.45},
                      {-0.6, 0},
                      {-0.45, -0.45},
                      {0, -0.55},
                      {0.55, -0.45}},
           .weights = {2, 1, 1, 1, 1, 1, 1, 1},
           .ends = SplineEnds::periodic}};
}
/// With a hollow above.
inline NurbsProfile bean() {
  return {{.degree = 3,
           .points = {{0.9, 0.1},
                      {0.7, 0.8},
                      {0.2, 0.2},
                      {-0.2, 0.2},
                      {-0.7, 0.8},
                      {-0.9, 0.1},
                      {-0.5, -0.6},
                      {0.5, -0.6}},
           .ends = SplineEnds::periodic}};
}
/// A tooth with a rounded tip and a hollow flank.
inline ArcPolygon tooth() {
  return {.path = {{{-0.8, -0.6}}, {{0.8, -0.6}}, {{0.3, 0.4}, -1.2}, {{-0.3, 0.4}, 0.35}}};
}
/// A star of three round arms.
inline ArcPolygon star() {
  return {
      .path = {{{0.8, -0.25}}, {{0.8, 0.25}, 0.3}, {{0.2, 0.35}}}, .mirrored = false, .copies = 3};
}
inline std::vector<Specimen> specimens(std::type_identity<ArcPolygon>) {
  return {{"tooth", tooth()}, {"star", star()}};
}
inline std::vector<Specimen> specimens(std::type_identity<NurbsProfile>) {
  return {{"egg", egg()}, {"bean", bean()}};
}

template <std::size_t... I>
std::vector<Specimen> all_specimens(std::index_sequence<I...>) {
  std::vector<Specimen> out;
  const auto add = [&](std::vector<Specimen> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  (add(specimens(std::type_identity<std::variant_alternative_t<I, Shape>>{})), ...);
  return out;
}

/// At least one of each kind: a new shape without specimens does not compile.
inline std::vector<Specimen> all_specimens() {
  return all_specimens(std::make_index_sequence<std::variant_size_v<Shape>>{});
}

/// A pose in the plane.
struct AnglePose {
  Vec2 p = Vec2::Zero();
  double angle = 0;

  operator Pose() const { return planar_pose(p, angle); }
  friend Vec2 operator*(const AnglePose& X, const Vec2& q) { return X.p + rotated(X.angle, q); }
  friend AnglePose operator*(const AnglePose& X, const AnglePose& Y) {
    return {X * Y.p, X.angle + Y.angle};
  }
};

/// Numbers that are the same in each run.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double operator()(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  Vec2 vector(double size) { return {(*this)(-size, size), (*this)(-size, size)}; }
  AnglePose pose(double size) { return {vector(size), (*this)(-pi, pi)}; }

 private:
  std::mt19937 engine_;
};

inline std::vector<ClosestPoints> evaluated(const std::vector<FeaturePair>& pairs,
                                            const AnglePose& X_WA, const AnglePose& X_WB) {
  std::vector<ClosestPoints> out;
  for (const FeaturePair& pair : pairs)
    out.push_back(closest_points(pair, pose2(X_WA), pose2(X_WB)));
  return out;
}

/// All candidates of two shapes whose bodies are at these poses.
inline std::vector<ClosestPoints> contacts(const Shape& A, const AnglePose& X_WA, const Shape& B,
                                           const AnglePose& X_WB = {}) {
  return evaluated(feature_pairs(A, {}, B, {}), X_WA, X_WB);
}

inline ClosestPoints closest(const std::vector<ClosestPoints>& all) {
  return *std::min_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.gap < b.gap; });
}

/// Those with a gap below a bound.
inline std::vector<ClosestPoints> closed(const std::vector<ClosestPoints>& all, double below = 0) {
  std::vector<ClosestPoints> out;
  for (const ClosestPoints& c : all)
    if (c.gap <= below) out.push_back(c);
  return out;
}

}  // namespace backlash::test
