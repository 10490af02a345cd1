// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <Eigen/Geometry>

#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/nurbs/pair_rates.h"
#include "backlash/geometry/nurbs/pair_tracking.h"
#include "backlash/geometry/pose2.h"
#include "unit/geometry/nurbs/cam_profiles.h"
#include "unit/geometry/nurbs/plates.h"

namespace backlash::test {
namespace {

/// A motion with velocities and accelerations, as poses at a time.
template <int D>
struct Path {
  nurbs::PoseD<D> X;
  FrameMotion<D> motion;
  nurbs::PoseD<D> at(double t) const;
};

template <>
Pose2 Path<2>::at(double t) const {
  const Vec2 p = Vec2(X.x, X.y) + t * motion.v + t * t / 2 * motion.a;
  const double turn = t * motion.w + t * t / 2 * motion.alpha;
  return lying_at(p.x(), p.y(), std::atan2(X.s, X.c) + turn);
}

/// To the second order: the rotation vector t w + t²/2 α in the world.
template <>
Pose3 Path<3>::at(double t) const {
  const Vec3 turn = t * motion.w + t * t / 2 * motion.alpha;
  Pose3 out = X;
  out.p += t * motion.v + t * t / 2 * motion.a;
  if (turn.norm() > 0)
    out.R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * X.R;
  return out;
}

/// ġ and g̈ of a pair that is followed along two paths, by differences.
template <int D, class GapAt>
void expect_rates(const PairRates<D>& rates, GapAt gap_at, double tolerance) {
  ASSERT_TRUE(rates.regular);
  const double h = 1e-4;
  const double before = gap_at(-h), now = gap_at(0), after = gap_at(h);
  EXPECT_NEAR(rates.gap_rate, (after - before) / (2 * h), tolerance * 1e-2);
  EXPECT_NEAR(rates.gap_acceleration, (after - 2 * now + before) / (h * h), tolerance);
}

TEST(PairRates, OfCurvesAreTheDerivativesOfTheGapOpenTouchingAndOverlapping) {
  const Profile a{NurbsCurve<2>(cam_1())}, b{NurbsCurve<2>(cam_2())};
  for (const double lift : {0.05, 0.0, -0.004})
    for (double angle = 0; angle < 6; angle += 0.5) {
      Path<2> A{lying_at(-0.01, 0.3, angle), {{0.3, -0.2}, 1.7, {1, -9}, 4}};
      const Path<2> B{lying_at(0, 0, 0.2 * angle), {{-0.1, 0.05}, -0.8, {0.5, 0.2}, -3}};
      const double gap = closest<2>({a, A.X}, {b, B.X}).pair.gap;
      const FacingPair<2> start = closest<2>({a, A.X}, {b, B.X}).pair;
      A.X.x += (gap - lift) * start.n_W.x();
      A.X.y += (gap - lift) * start.n_W.y();
      FacingPair<2> pair = start;
      ASSERT_TRUE(follow<2>({a, A.X}, {b, B.X}, pair));
      EXPECT_NEAR(pair.gap, lift, 1e-14);
      const PairRates<2> rates = pair_rates<2>({a, A.X}, A.motion, {b, B.X}, B.motion, pair);
      expect_rates(
          rates,
          [&](double t) {
            FacingPair<2> moved = pair;
            EXPECT_TRUE(follow<2>({a, A.at(t)}, {b, B.at(t)}, moved));
            return moved.gap;
          },
          2e-4);
      const double h = 1e-5;
      FacingPair<2> next = pair, last = pair;
      ASSERT_TRUE(follow<2>({a, A.at(h)}, {b, B.at(h)}, next));
      ASSERT_TRUE(follow<2>({a, A.at(-h)}, {b, B.at(-h)}, last));
      EXPECT_NEAR((next.A.parameters[0] - last.A.parameters[0]) / (2 * h), rates.parameters_A[0],
                  1e-4 * (1 + std::abs(rates.parameters_A[0])));
      EXPECT_NEAR(((next.n_W - last.n_W) / (2 * h) - rates.n_rate).norm(), 0, 1e-5);
    }
}

TEST(PairRates, OfACornerAndACurveAreTheDerivativesOfTheGap) {
  const Profile square(NurbsCurve<2>({.degree = 1,
                                      .points = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}},
                                      .ends = SplineEnds::closed}));
  const Profile disk(NurbsCurve<2>(circle_curve({0, 0}, 0.5)));
  const Path<2> A{lying_at(0, 0, 0), {{0.3, -0.2}, 0.7, {1, -2}, 1}};
  const Path<2> B{lying_at(2, 2.5, 0.3), {{-0.5, 0.4}, -0.8, {0.5, 0.2}, -3}};
  for (const bool swap : {false, true}) {
    const Placed<2> a{square, A.X}, b{disk, B.X};
    const FacingPair<2> pair = swap ? closest(b, a).pair : closest(a, b).pair;
    const auto gap_at = [&](double t) {
      const Placed<2> at{square, A.at(t)}, bt{disk, B.at(t)};
      return swap ? closest(bt, at).pair.gap : closest(at, bt).pair.gap;
    };
    expect_rates(swap ? pair_rates(b, B.motion, a, A.motion, pair)
                      : pair_rates(a, A.motion, b, B.motion, pair),
                 gap_at, 1e-5);
  }
}

TEST(PairRates, OfACurveAndADiskAreTheDerivativesOfTheGap) {
  const Profile a{NurbsCurve<2>(cam_2())};
  const Path<2> A{lying_at(0, 0, 0.4), {{0.3, -0.2}, 1.7, {1, -9}, 4}};
  for (const double y : {0.2, 0.12}) {
    const Path<2> B{lying_at(0.03, y, 0), {{-0.1, 0.05}, 0, {0.5, 0.2}, 0}};
    const auto ball_at = [&](double t) { return SolidBall<2>{{B.at(t).x, B.at(t).y}, 0.02}; };
    const FacingPair<2> pair = closest<2>({a, A.X}, ball_at(0)).pair;
    expect_rates(
        pair_rates<2>({a, A.X}, A.motion, ball_at(0), B.motion, pair),
        [&](double t) {
          return closest<2>({a, A.at(t)}, ball_at(t)).pair.gap;
        },
        1e-5);
  }
}

TEST(PairRates, OfSurfacesAreTheDerivativesOfTheGap) {
  const SurfaceBoundary torus(torus_surface(2, 0.5));
  const SurfaceBoundary egg(surface_of_revolution(
      [] {
        NurbsCurveData<2> half = circular_arc({0, 0}, 1, -std::acos(0.0), 2 * std::acos(0.0));
        for (Vec2& p : half.points) p.y() *= 1.7;
        half.points.front().x() = half.points.back().x() = 0;
        return NurbsCurve<2>(half);
      }(),
      full_turn));
  Pose3 X;
  X.R = Eigen::AngleAxisd(0.9, Vec3(1, -0.4, 0.5).normalized()).toRotationMatrix();
  for (const double lift : {0.3, 0.0, -0.05}) {
    X.p = {2.1, 1.2, 2.2};
    const FacingPair<3> start = closest<3>({torus}, {egg, X}).pair;
    X.p += (lift - start.gap) * start.n_W;
    FacingPair<3> pair = start;
    ASSERT_TRUE(follow<3>({torus}, {egg, X}, pair));
    EXPECT_NEAR(pair.gap, lift, 1e-13);
    const Path<3> A{{}, {{0.1, 0.2, -0.3}, {0.4, -0.2, 0.5}, {1, -2, 0.5}, {0.3, 0.2, -0.6}}};
    const Path<3> B{X, {{-0.3, 0.1, 0.2}, {-0.6, 0.3, 0.8}, {0.2, 0.1, -1}, {-0.5, 0.9, 0.4}}};
    expect_rates(
        pair_rates<3>({torus, A.X}, A.motion, {egg, B.X}, B.motion, pair),
        [&](double t) {
          FacingPair<3> moved = pair;
          EXPECT_TRUE(follow<3>({torus, A.at(t)}, {egg, B.at(t)}, moved));
          return moved.gap;
        },
        1e-4);
  }
}

TEST(PairRates, OfACurveAndALineAreTheDerivativesOfTheGap) {
  const Profile a{NurbsCurve<2>(cam_2())};
  const Path<2> A{lying_at(0.02, 0.1, 0.4), {{0.3, -0.2}, 1.7, {1, -9}, 4}};
  for (const double y : {-0.2, 0.02}) {
    const Path<2> B{lying_at(0.01, y, 0.2), {{-0.1, 0.05}, -0.6, {0.5, 0.2}, 2}};
    const auto line_at = [&](double t) {
      const Pose2 X = B.at(t);
      return HalfSpace<2>{{X.x, X.y}, X.direction(Vec2(0, 1))};
    };
    const FacingPair<2> pair = closest<2>({a, A.X}, line_at(0)).pair;
    expect_rates(
        pair_rates<2>({a, A.X}, A.motion, line_at(0), B.motion, pair),
        [&](double t) {
          return closest<2>({a, A.at(t)}, line_at(t)).pair.gap;
        },
        1e-5);
  }
}

TEST(PairRates, OfASurfaceAndABallAPointAndAPlaneAreTheDerivativesOfTheGap) {
  const SurfaceBoundary torus(torus_surface(2, 0.5));
  Path<3> A{{}, {{0.1, 0.2, -0.3}, {0.4, -0.2, 0.5}, {1, -2, 0.5}, {0.3, 0.2, -0.6}}};
  A.X.R = Eigen::AngleAxisd(0.9, Vec3(1, -0.4, 0.5).normalized()).toRotationMatrix();
  Path<3> B{{}, {{-0.3, 0.1, 0.2}, {-0.6, 0.3, 0.8}, {0.2, 0.1, -1}, {-0.5, 0.9, 0.4}}};
  for (const double radius : {0.3, 0.0})
    for (const double out : {0.6, 0.5 + radius, 0.4}) {  // apart, touching, overlapping
      B.X.p = A.X.R * Vec3(2 + out * std::cos(0.7), 0, out * std::sin(0.7));
      const auto ball_at = [&](double t) { return SolidBall<3>{B.at(t).p, radius}; };
      const FacingPair<3> pair = closest<3>({torus, A.X}, ball_at(0)).pair;
      EXPECT_NEAR(pair.gap, out - 0.5 - radius, 1e-13);
      FrameMotion<3> motion = B.motion;
      motion.w = motion.alpha = Vec3::Zero();
      expect_rates(
          pair_rates<3>({torus, A.X}, A.motion, ball_at(0), motion, pair),
          [&](double t) {
            return closest<3>({torus, A.at(t)}, ball_at(t)).pair.gap;
          },
          1e-4);
    }
  B.X.R = Eigen::AngleAxisd(0.4, Vec3(0.3, 1, 0.2).normalized()).toRotationMatrix();
  for (const double down : {4.0, 1.8}) {
    B.X.p = {0.1, 0.2, -down};
    const auto plane_at = [&](double t) {
      const Pose3 X = B.at(t);
      return HalfSpace<3>{X.p, X.direction(Vec3(0, 0, 1))};
    };
    const FacingPair<3> pair = closest<3>({torus, A.X}, plane_at(0)).pair;
    expect_rates(
        pair_rates<3>({torus, A.X}, A.motion, plane_at(0), B.motion, pair),
        [&](double t) {
          return closest<3>({torus, A.at(t)}, plane_at(t)).pair.gap;
        },
        1e-4);
  }
}

TEST(PairRates, OfTwoEdgesAreTheDerivativesOfTheGap) {
  const SurfaceBoundary plate{NurbsSurface(square_plate())};
  const EdgeOverEdge edges(0.8, 0.7, 0.4);
  const Path<3> A{{}, {{0.1, 0.2, -0.3}, {0.4, -0.2, 0.5}, {1, -2, 0.5}, {0.3, 0.2, -0.6}}};
  const Path<3> B{edges.X, {{-0.3, 0.1, 0.2}, {-0.6, 0.3, 0.8}, {0.2, 0.1, -1}, {-0.5, 0.9, 0.4}}};
  const FacingPair<3> pair = closest<3>({plate}, {plate, edges.X}).pair;
  ASSERT_EQ(pair.A.part, BoundaryPoint::Part::edge);
  expect_rates(
      pair_rates<3>({plate, A.X}, A.motion, {plate, B.X}, B.motion, pair),
      [&](double t) {
        FacingPair<3> moved = pair;
        EXPECT_TRUE(follow<3>({plate, A.at(t)}, {plate, B.at(t)}, moved));
        return moved.gap;
      },
      1e-4);
}

TEST(PairTracking, OfSurfacesSeesTheClosestPlaceJumpToTheOtherSide) {
  // A torus that tilts above a ball: the side that is nearer changes.
  const SurfaceBoundary torus(torus_surface(2, 0.5)), ball(sphere_surface(0.5));
  Pose3 below;
  below.p = {0.03, 0.02, -2};
  PairTracking<3> tracking;
  Vec3 last = Vec3::Zero();
  int jumps = 0;
  for (int k = 0; k < 5; ++k) {
    Pose3 X;
    X.R = Eigen::AngleAxisd(0.11 - 0.05 * k, Vec3::UnitY()).toRotationMatrix();
    update_pairs<3>({torus, X}, {ball, below}, {.reach = 3, .margin = 0.3}, tracking);
    const auto nearest = std::ranges::min_element(
        tracking.pairs, {}, [](const KeyedPair<3>& known) { return known.pair.gap; });
    ASSERT_NE(nearest, tracking.pairs.end());
    const Vec3 at = X.local_point(nearest->pair.p_WA);
    const bool jumped = k > 0 && (at - last).norm() > 1;
    if (jumped || k == 0) {
      EXPECT_NEAR(nearest->pair.gap, closest<3>({torus, X}, {ball, below}).pair.gap, 1e-12) << k;
    }
    jumps += jumped;
    last = at;
  }
  EXPECT_GE(jumps, 1);
}

TEST(PairTracking, KeepsKeysWhileACamRollsRoundAnother) {
  const Profile a{NurbsCurve<2>(cam_1())}, b{NurbsCurve<2>(cam_2())};
  PairTracking<2> tracking;
  const TrackingOptions options{.reach = 0.02, .margin = 0.02};
  int steps = 0;
  for (double t = 0; t < 6.3; t += 1e-3, ++steps) {
    const Placed<2> A{a, lying_at(0.19 * std::sin(t), 0.19 * std::cos(t), 2 * t)}, B{b};
    update_pairs(A, B, options, tracking);
    const Distance<2> truth = closest(A, B);
    double gap = INFINITY;
    for (const KeyedPair<2>& known : tracking.pairs) gap = std::min(gap, known.pair.gap);
    if (truth.pair.gap < options.reach) {
      ASSERT_NEAR(gap, truth.pair.gap, 1e-13) << t;
    } else {
      ASSERT_GE(gap, options.reach) << t;
    }
  }
  EXPECT_LT(tracking.searches, steps / 10);
}

TEST(PairTracking, SeesTheClosestPlaceJumpToAnotherLobe) {
  // A wheel of five lobes turns in front of a small disk: the nearest lobe changes at each valley.
  NurbsCurveData<2> data{.degree = 3, .ends = SplineEnds::periodic};
  for (int i = 0; i < 20; ++i)
    data.points.push_back((i % 4 < 2 ? 1.2 : 0.7) * unit_vector(full_turn * i / 20));
  const Profile wheel{NurbsCurve<2>(data)}, disk(NurbsCurve<2>(circle_curve({0, 0}, 0.6)));
  PairTracking<2> tracking;
  int most = 0, changes = 0, nearest = -1;
  for (double angle = 0; angle < full_turn; angle += 0.005) {
    const Placed<2> A{wheel, lying_at(0, 0, angle)}, B{disk, lying_at(1.7, 0, 0)};
    update_pairs(A, B, {.reach = 0.5, .margin = 0.1}, tracking);
    const Distance<2> truth = closest(A, B);
    double gap = INFINITY;
    int key = -1;
    for (const KeyedPair<2>& known : tracking.pairs)
      if (known.pair.gap < gap) {
        gap = known.pair.gap;
        key = known.key;
      }
    if (truth.pair.gap < 0.5) {
      ASSERT_NEAR(gap, truth.pair.gap, 1e-13) << angle;
    }
    most = std::max(most, static_cast<int>(tracking.pairs.size()));
    changes += key != nearest;
    nearest = key;
  }
  EXPECT_GE(most, 2);
  EXPECT_GE(changes, 5);
}

TEST(PairTracking, LosesAPairThatCeasesToBeAMinimum) {
  const Profile square(NurbsCurve<2>({.degree = 1,
                                      .points = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}},
                                      .ends = SplineEnds::closed}));
  const Profile disk(NurbsCurve<2>(circle_curve({0, 0}, 0.5)));
  FacingPair<2> pair = closest<2>({square}, {disk, lying_at(0.9, 1.6, 0)}).pair;
  EXPECT_EQ(pair.A.part, BoundaryPoint::Part::facet);
  EXPECT_FALSE(follow<2>({square}, {disk, lying_at(1.1, 1.6, 0)}, pair));
  pair = closest<2>({square}, {disk, lying_at(1.1, 1.6, 0)}).pair;
  EXPECT_EQ(pair.A.part, BoundaryPoint::Part::vertex);
  EXPECT_TRUE(follow<2>({square}, {disk, lying_at(1.05, 1.6, 0)}, pair));
  EXPECT_NEAR(pair.gap, std::hypot(0.05, 0.6) - 0.5, 1e-15);
  EXPECT_FALSE(follow<2>({square}, {disk, lying_at(0.95, 1.6, 0)}, pair));
}

}  // namespace
}  // namespace backlash::test
