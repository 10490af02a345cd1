// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "backlash/base/plane.h"
#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/nurbs/facing_pieces.h"
#include "backlash/geometry/nurbs/nurbs_curve.h"
#include "unit/geometry/nurbs/uniform.h"

namespace backlash::test {
namespace {

using nurbs::BezierPieces;
using nurbs::NormalCone;
using std::numbers::pi;

Vec2 normal_at(const BezierPieces<2, 1>& pieces, int i, double t) {
  return right_of(nurbs::vec<2>(pieces.at_piece(i, {t}).d[0])).normalized();
}

/// An open rational curve that bends to and fro.
NurbsCurve<2> bent_curve(int degree, Uniform& random) {
  NurbsCurveData<2> data{.degree = degree};
  for (int i = 0; i < degree + 6; ++i) {
    data.points.emplace_back(i + random(-0.3, 0.3), random(-1, 1));
    data.weights.push_back(random(0.3, 3));
  }
  return NurbsCurve<2>(data);
}

/// (theory 11.31)
TEST(NormalCone, HoldsAllNormalsOfItsPiece) {
  Uniform random{std::mt19937(11)};
  int narrow = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const NurbsCurve<2> curve = bent_curve(1 + trial % 5, random);
    const BezierPieces<2, 1>& pieces = curve.pieces();
    for (int i = 0; i < pieces.count(); ++i) {
      const NormalCone cone = pieces.normals(i);
      if (cone.any) continue;
      ++narrow;
      for (int k = 0; k <= 100; ++k)
        EXPECT_GE(cone.axis.dot(normal_at(pieces, i, 0.01 * k)), cone.half.cosine);
    }
  }
  EXPECT_GT(narrow, 400);
}

TEST(NormalCone, OfAnArcIsAsWideAsTheArcAndOfALineHasOneDirection) {
  const NurbsCurve<2> arc(circular_arc({0, 0}, 2, 0.3, 1));
  const NormalCone cone = arc.pieces().normals(0);
  EXPECT_NEAR((cone.axis - unit_vector(0.8)).norm(), 0, 1e-12);
  EXPECT_NEAR(cone.half.sine, std::sin(0.5), 2e-6);
  const NurbsCurve<2> line(line_curve<2>(Vec2(1, 0), Vec2(-1, 0)));
  EXPECT_NEAR(line.pieces().normals(0).half.sine, 0, 2e-6);
  EXPECT_NEAR(line.pieces().normals(0).axis.y(), 1, 1e-12);
}

/// (theory 11.32) An arc of 1 rad at the top of a disk, and one of another disk above it at an
/// angle, turned by some more.
TEST(FacingPieces, AreThoseWhoseNormalsCanOpposeEachOtherAlongTheLineBetween) {
  const NurbsCurve<2> arc(circular_arc({0, 0}, 1, pi / 2 - 0.5, 1));
  const BezierPieces<2, 1>& pieces = arc.pieces();
  const NormalCone cone = pieces.normals(0);
  const auto may_face = [&](double distance, double aside, double turn, double reach) {
    const Vec2 centre = distance * unit_vector(pi / 2 - aside);
    const Pose2 X{std::cos(pi - turn), std::sin(pi - turn), centre.x(), centre.y()};
    const Vec2 d = X.point(pieces.centre(0)) - pieces.centre(0);
    return nurbs::may_oppose(cone, cone, X) &&
           nurbs::may_face({d, d.norm(), 2 * pieces.radius(0), reach}, cone, cone, X);
  };
  EXPECT_TRUE(may_face(8, 0.0, 0.0, 10));
  EXPECT_TRUE(may_face(8, 0.4, 0.4, 10));
  EXPECT_TRUE(may_face(8, 0.0, 0.5, 10));
  EXPECT_FALSE(may_face(8, 0.0, 1.1, 10));  // normals differ by 0.1 rad at least
  EXPECT_FALSE(may_face(8, 0.9, 0.9, 10));  // the line lies aside of all normals of the first
  EXPECT_FALSE(may_face(8, 0.0, 0.0, 1));   // 6 m apart, out of reach
  EXPECT_TRUE(may_face(-8, 0.0, 0.0, 1));   // the same, behind each other
  EXPECT_TRUE(may_face(1.9, 0.0, 0.0, 0));  // overlapping
}

}  // namespace
}  // namespace backlash::test
