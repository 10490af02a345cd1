// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>

#include "backlash/geometry/cam_curve.h"
#include "backlash/geometry/closest_points.h"
#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

/// A shape that surrounds its material, with many points of its boundary.
struct Solid {
  std::string name;
  Shape shape;
  std::vector<Vec2> boundary;
  std::function<bool(const Vec2&)> contains;
};

Solid solid(std::string name, const Circle& s) {
  Solid out{
      std::move(name), s, {}, [s](const Vec2& p) { return (p - s.centre).norm() < s.radius; }};
  for (int i = 0; i < 400; ++i)
    out.boundary.push_back(s.centre + rotated(2 * pi * i / 400, Vec2(s.radius, 0)));
  return out;
}

bool surrounds(const std::vector<Vec2>& corners, const Vec2& p) {
  double turned = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 a = corners[i] - p, b = corners[(i + 1) % corners.size()] - p;
    turned += std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
  }
  return turned > pi;
}

Solid solid(std::string name, const Polygon& s) {
  Solid out{std::move(name), s, {}, [s](const Vec2& p) { return surrounds(s.corners, p); }};
  for (std::size_t i = 0; i < s.corners.size(); ++i) {
    const Vec2 a = s.corners[i], b = s.corners[(i + 1) % s.corners.size()];
    for (int k = 0; k < 80; ++k) out.boundary.push_back(a + (b - a) * k / 80.0);
  }
  return out;
}

Solid solid(std::string name, const CamProfile& s) {
  const CamCurve curve(s);
  const auto radius = [curve](double angle) { return curve.function(angle).value; };
  Solid out{std::move(name), s, {}, [s, radius](const Vec2& p) {
              const Vec2 r = p - s.centre;
              return r.norm() < radius(std::atan2(r.y(), r.x()));
            }};
  for (int i = 0; i < 400; ++i)
    out.boundary.push_back(s.centre + rotated(2 * pi * i / 400, Vec2(radius(2 * pi * i / 400), 0)));
  return out;
}

Solid solid(std::string name, const Capsule& s) {
  const Vec2 d = s.b - s.a;
  const Vec2 out = s.radius * Vec2(d.y(), -d.x()).normalized();
  Solid solid{std::move(name), s, {}, [s, d](const Vec2& p) {
                const double t = std::clamp(d.dot(p - s.a) / d.squaredNorm(), 0.0, 1.0);
                return (p - s.a - t * d).norm() < s.radius;
              }};
  for (int i = 0; i < 100; ++i) {
    solid.boundary.push_back(s.a + d * i / 100.0 + out);
    solid.boundary.push_back(s.a + d * i / 100.0 - out);
    solid.boundary.push_back(s.b + rotated(pi * i / 100, out));
    solid.boundary.push_back(s.a - rotated(pi * i / 100, out));
  }
  return solid;
}

std::vector<Solid> solids() {
  Polygon hexagon, cross{{{-0.2, -0.8},
                          {0.2, -0.8},
                          {0.2, -0.2},
                          {0.9, -0.2},
                          {0.9, 0.2},
                          {0.2, 0.2},
                          {0.2, 0.8},
                          {-0.2, 0.8},
                          {-0.2, 0.2},
                          {-0.9, 0.2},
                          {-0.9, -0.2},
                          {-0.2, -0.2}}};
  for (int i = 0; i < 6; ++i) hexagon.corners.push_back(rotated(i * pi / 3, Vec2(0.6, 0)));
  return {solid("circle", Circle{{0.1, 0.2}, 0.4}),
          solid("box", box(1.4, 0.8)),
          solid("hexagon", hexagon),
          solid("L", l_shape()),
          solid("cross", cross),
          solid("capsule", Capsule{{-0.5, 0.1}, {0.6, 0.3}, 0.25}),
          solid("cam", CamProfile{{0, 0}, 0.6, of_angle("0.1*sin(2*phi) + 0.05*cos(3*phi)")})};
}

double distance(const std::vector<Vec2>& a, const Vec2& p) {
  double least = INFINITY;
  for (const Vec2& q : a) least = std::min(least, (p - q).norm());
  return least;
}

struct Truth {
  double apart = INFINITY;  ///< of the boundaries
  double depth = 0;         ///< of what lies in the other
};

/// By trying all points of the two boundaries.
Truth truth(const Solid& A, const AnglePose& X_BA, const Solid& B) {
  Truth t;
  std::vector<Vec2> moved;
  for (const Vec2& p : A.boundary) moved.push_back(X_BA * p);
  for (const Vec2& p : moved) {
    const double d = distance(B.boundary, p);
    t.apart = std::min(t.apart, d);
    if (B.contains(p)) t.depth = std::max(t.depth, d);
  }
  for (const Vec2& p : B.boundary)
    if (A.contains(rotated(-X_BA.angle, p - X_BA.p)))
      t.depth = std::max(t.depth, distance(moved, p));
  return t;
}

TEST(SolidShapes, HaveTheTrueDistanceAsTheirLeastGapAndOverlapWhenOneIsInTheOther) {
  constexpr double resolution = 0.02, shallow = 0.06;
  for (const Solid& A : solids())
    for (const Solid& B : solids()) {
      if (A.name == "cam" && B.name != "circle") continue;
      if (B.name == "cam" && A.name != "circle") continue;
      SCOPED_TRACE(A.name + " on " + B.name);
      const std::vector<FeaturePair> pairs = feature_pairs(A.shape, {}, B.shape, {});
      Dice dice(7);
      int apart = 0, overlapping = 0;
      for (int k = 0; k < 25; ++k) {
        const AnglePose X_BA = dice.pose(1.6);
        const Truth t = truth(A, X_BA, B);
        const double gap = closest(evaluated(pairs, X_BA, {})).gap;
        if (t.depth == 0 && t.apart > resolution) {
          EXPECT_NEAR(gap, t.apart, resolution);
          ++apart;
        } else if (t.depth > 0 && t.depth < shallow) {
          EXPECT_LT(gap, 0) << t.depth << " at " << X_BA.p.transpose() << ", " << X_BA.angle;
          EXPECT_GT(gap, -3 * t.depth - resolution)
              << t.depth << " at " << X_BA.p.transpose() << ", " << X_BA.angle;
          ++overlapping;
        }
      }
      EXPECT_GT(apart, 0);
    }
}

}  // namespace
}  // namespace backlash::test
