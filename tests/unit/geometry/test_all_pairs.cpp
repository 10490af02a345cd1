// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/closest_points.h"
#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

/// A pair of specimens that can touch, with poses of the shapes in their bodies.
struct Couple {
  Specimen a, b;
  AnglePose X_AS{{0.3, -0.1}, 0.4}, X_BS{{-0.2, 0.15}, -1.1};
  std::vector<FeaturePair> pairs{};
  std::string name() const { return a.name + " and " + b.name; }
};

/// Profiles meet the outlines of polygons, arcs and the like as curves, and so do cams: one of each
/// way of touching is enough here, and does not take as long.
bool too_many(const Specimen& a, const Specimen& b, const std::vector<FeaturePair>& pairs) {
  const auto is_curve = [](const Specimen& s) {
    return !std::holds_alternative<Point>(s.shape) && !std::holds_alternative<Circle>(s.shape) &&
           !std::holds_alternative<Line>(s.shape) && s.name != "egg" && s.name != "bean";
  };
  return profile_touch(candidates(*pairs[0].A, *pairs[0].B)) && (is_curve(a) || is_curve(b));
}

std::vector<Couple> couples() {
  std::vector<Couple> out;
  for (const Specimen& a : all_specimens())
    for (const Specimen& b : all_specimens()) {
      Couple c{a, b};
      try {
        c.pairs = feature_pairs(a.shape, c.X_AS, b.shape, c.X_BS);
      } catch (const InputError&) {
        continue;
      }
      if (!too_many(a, b, c.pairs)) out.push_back(c);
    }
  return out;
}

struct Motion {
  AnglePose X;
  Vec2 v;    ///< of the origin
  double w;  ///< angular velocity

  AnglePose at(double t) const { return {X.p + t * v, X.angle + t * w}; }
  Vec2 velocity(const Vec2& p_W) const {
    const Vec2 r = p_W - X.p;
    return v + w * Vec2(-r.y(), r.x());
  }
};

Motion random_motion(Dice& dice) { return {dice.pose(1.7), dice.vector(1), dice(-1, 1)}; }

/// Derivative from one side, of second order in `step`.
double one_sided(const FeaturePair& pair, const Motion& A, const Motion& B, double step) {
  const auto gap = [&](double t) {
    return closest_points(pair, pose2(A.at(t)), pose2(B.at(t))).gap;
  };
  return (-3 * gap(0) + 4 * gap(step) - gap(2 * step)) / (2 * step);
}

TEST(AllPairs, HaveTheNormalVelocityOfTheirPointsAsTheRateOfTheirGap) {
  constexpr double step = 1e-6;
  for (const Couple& couple : couples()) {
    SCOPED_TRACE(couple.name());
    Dice dice(1);
    int wrong = 0, closed_ones = 0, all = 0;
    for (int k = 0; k < 60; ++k) {
      const Motion A = random_motion(dice), B = random_motion(dice);
      for (const FeaturePair& pair : couple.pairs) {
        const ClosestPoints c = closest_points(pair, pose2(A.X), pose2(B.X));
        ++all;
        if (!std::isfinite(c.gap)) continue;  // profiles: no such pair of points, or too deep
        const double rate = c.n_W.dot(B.velocity(c.p_WB) - A.velocity(c.p_WA));
        const double error = std::min(std::abs(one_sided(pair, A, B, step) - rate),
                                      std::abs(one_sided(pair, A, B, -step) - rate));
        if (error > 1e-6 * (1 + std::abs(rate))) ++wrong;
        if (c.gap < 0) ++closed_ones;
      }
    }
    EXPECT_EQ(wrong, 0) << "of " << all;
    EXPECT_GT(closed_ones, 0);
    EXPECT_LT(closed_ones, all);
  }
}

TEST(AllPairs, MeasureTheGapAlongAUnitNormalBetweenTheirPoints) {
  for (const Couple& couple : couples()) {
    SCOPED_TRACE(couple.name());
    Dice dice(2);
    for (int k = 0; k < 40; ++k)
      for (const ClosestPoints& c : evaluated(couple.pairs, dice.pose(2), dice.pose(2))) {
        if (!std::isfinite(c.gap)) continue;
        EXPECT_NEAR(c.n_W.norm(), 1, 1e-12);
        EXPECT_NEAR(c.n_W.dot(c.p_WB - c.p_WA), c.gap, 1e-12);
        EXPECT_LT((c.p_WB - c.p_WA - c.gap * c.n_W).norm(), 1e-9);
      }
  }
}

bool less(const ClosestPoints& a, const ClosestPoints& b) {
  const auto key = [](const ClosestPoints& c) {
    return std::tuple(std::round(c.gap * 1e8), std::round(c.p_WA.x() * 1e8),
                      std::round(c.p_WA.y() * 1e8));
  };
  return key(a) < key(b);
}

TEST(AllPairs, AreTheSameAfterAnExchangeButForTheSignOfTheNormal) {
  for (const Couple& couple : couples()) {
    SCOPED_TRACE(couple.name());
    const std::vector<FeaturePair> exchanged =
        feature_pairs(couple.b.shape, couple.X_BS, couple.a.shape, couple.X_AS);
    ASSERT_EQ(exchanged.size(), couple.pairs.size());
    Dice dice(3);
    for (int k = 0; k < 40; ++k) {
      const AnglePose X_WA = dice.pose(2), X_WB = dice.pose(2);
      std::vector<ClosestPoints> there = evaluated(couple.pairs, X_WA, X_WB);
      std::vector<ClosestPoints> back = evaluated(exchanged, X_WB, X_WA);
      for (ClosestPoints& c : back) c = {c.p_WB, c.p_WA, -c.n_W, c.gap};
      std::sort(there.begin(), there.end(), less);
      std::sort(back.begin(), back.end(), less);
      for (std::size_t i = 0; i < there.size(); ++i) {
        if (!std::isfinite(there[i].gap) && !std::isfinite(back[i].gap)) continue;
        EXPECT_NEAR(there[i].gap, back[i].gap, 1e-10);
        EXPECT_LT((there[i].n_W - back[i].n_W).norm(), 1e-7);
        EXPECT_LT((there[i].p_WA - back[i].p_WA).norm(), 1e-7);
        EXPECT_LT((there[i].p_WB - back[i].p_WB).norm(), 1e-7);
      }
    }
  }
}

TEST(AllPairs, MoveWithACommonRigidMotion) {
  for (const Couple& couple : couples()) {
    SCOPED_TRACE(couple.name());
    Dice dice(4);
    for (int k = 0; k < 40; ++k) {
      const AnglePose X_WA = dice.pose(2), X_WB = dice.pose(2), X = dice.pose(5);
      const std::vector<ClosestPoints> here = evaluated(couple.pairs, X_WA, X_WB);
      const std::vector<ClosestPoints> there = evaluated(couple.pairs, X * X_WA, X * X_WB);
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (!std::isfinite(here[i].gap) && !std::isfinite(there[i].gap)) continue;
        EXPECT_NEAR(here[i].gap, there[i].gap, 1e-10);
        EXPECT_LT((X * here[i].p_WA - there[i].p_WA).norm(), 1e-7);
        EXPECT_LT((X * here[i].p_WB - there[i].p_WB).norm(), 1e-7);
        EXPECT_LT((rotated(X.angle, here[i].n_W) - there[i].n_W).norm(), 1e-7);
      }
    }
  }
}

/// How far apart two boxes are, each in its own frame, along the axes of A's.
double distance_of_boxes(const ShapeBound& a, const AnglePose& X_WA, const ShapeBound& b,
                         const AnglePose& X_WB) {
  const auto inverse = [](const AnglePose& X) {
    return AnglePose{rotated(-X.angle, Vec2(-X.p)), -X.angle};
  };
  const AnglePose X_AB = inverse(X_WA) * X_WB;
  Vec2 low(INFINITY, INFINITY), high = -low;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      const Vec2 corner = X_AB * Vec2(b.centre + Vec2(x * b.half.x(), y * b.half.y()));
      low = low.cwiseMin(corner);
      high = high.cwiseMax(corner);
    }
  const Vec2 apart =
      (low - a.centre - a.half).cwiseMax(a.centre - a.half - high).cwiseMax(Vec2::Zero());
  return apart.norm();
}

TEST(AllPairs, HaveNoSmallerGapThanTheDistanceOfTheCirclesAndBoxesAroundThemIfApart) {
  for (const Couple& couple : couples()) {
    SCOPED_TRACE(couple.name());
    Dice dice(5);
    const ShapeBound a = couple.pairs[0].A->bound, b = couple.pairs[0].B->bound;
    if (!a.finite() || !b.finite()) continue;
    int apart = 0;
    for (int k = 0; k < 40; ++k) {
      const AnglePose X_WA = dice.pose(4), X_WB = dice.pose(4);
      const double distance =
          std::max((X_WA * a.centre - X_WB * b.centre).norm() - a.radius - b.radius,
                   distance_of_boxes(a, X_WA, b, X_WB));
      if (distance <= 0) continue;
      ++apart;
      for (const ClosestPoints& c : evaluated(couple.pairs, X_WA, X_WB))
        EXPECT_TRUE(c.gap >= distance - 1e-9);
    }
    EXPECT_GT(apart, 5);
  }
}

/// Whether a candidate was found. Of profiles that touch in several places on the same two parts it
/// depends on what else is within reach which of these is called the first one.
bool is_among(std::span<const NearCandidate> found, std::size_t count, int candidate, double gap,
              const Candidates& all) {
  const int parts = profile_touch(all) && all.count() > 1 ? all.count() / 4 : all.count();
  return std::ranges::any_of(found.first(count), [&](const NearCandidate& near) {
    return near.candidate % parts == candidate % parts &&
           std::abs(near.closest.gap - gap) <= (profile_touch(all) ? 1e-12 : 1e-14);
  });
}

TEST(AllPairs, AreFoundNearWhereTheirGapIsWithinReachAndNowhereElse) {
  for (const Couple& couple : couples()) {
    SCOPED_TRACE(couple.name());
    const Candidates all = candidates(*couple.pairs[0].A, *couple.pairs[0].B);
    ASSERT_EQ(static_cast<std::size_t>(all.count()), couple.pairs.size());
    std::vector<NearCandidate> found(couple.pairs.size());
    Dice dice(6);
    for (int k = 0; k < 60; ++k) {
      const AnglePose X_WA = dice.pose(2), X_WB = dice.pose(2);
      const double reach = k % 3 == 0 ? INFINITY : k % 3 == 1 ? 0.2 : -0.05;
      const std::size_t count = find_near(all, pose2(X_WA), pose2(X_WB), reach, found);
      if (count > 0 && std::isnan(found[0].closest.gap)) continue;  // profiles that are too deep
      std::size_t next = 0;
      for (const FeaturePair& pair : couple.pairs) {
        const double gap = closest_points(pair, pose2(X_WA), pose2(X_WB)).gap;
        if (gap > reach || gap == INFINITY) continue;
        ASSERT_LT(next, count);
        EXPECT_TRUE(is_among(found, count, pair.candidate, gap, all)) << gap;
        ++next;
      }
      EXPECT_EQ(next, count);
    }
  }
}

std::string refusal(const Shape& a, const Shape& b) {
  try {
    feature_pairs(a, {}, b, {});
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST(AllPairs, AreRefusedWithBothKindsAndAnAdviceWhereTheyCannotTouch) {
  const Shape point = Point{}, ring = Ring{{0, 0}, 1}, line = Line{}, cam = CamProfile{{0, 0}, 1},
              shell = Arc{{0, 0}, 1, 0, 1, ArcSide::inside};
  using testing::AllOf, testing::HasSubstr;
  EXPECT_THAT(refusal(point, point), AllOf(HasSubstr("'point' and 'point'"), HasSubstr("circle")));
  EXPECT_THAT(refusal(ring, line), AllOf(HasSubstr("'ring' and 'line'"), HasSubstr("segment")));
  EXPECT_THAT(refusal(line, ring), AllOf(HasSubstr("'line' and 'ring'"), HasSubstr("segment")));
  EXPECT_THAT(refusal(line, line), AllOf(HasSubstr("'line' and 'line'"), HasSubstr("polygon")));
  EXPECT_THAT(refusal(ring, ring), AllOf(HasSubstr("'ring' and 'ring'"), HasSubstr("circle")));
  EXPECT_THAT(refusal(shell, ring), AllOf(HasSubstr("'arc' and 'ring'"), HasSubstr("outside")));
  EXPECT_THAT(refusal(shell, shell), AllOf(HasSubstr("'arc' and 'arc'"), HasSubstr("outside")));
  const Shape sawtooth =
      CamProfile{{0, 0}, 0.05, of_angle("0.017*(mod(6*phi, 2*pi)/(2*pi))"), CamFunction::flat};
  for (const Shape& other : {Shape(box(1, 1)), ring, shell, Shape(egg()), cam}) {
    EXPECT_THAT(refusal(other, sawtooth), HasSubstr("the cam has no profile near"));
    EXPECT_THAT(refusal(sawtooth, other), HasSubstr("the cam has no profile near"));
  }
}

TEST(AllPairs, OfOtherKindsAreSupported) {
  const std::set<std::string> refused = {"point point", "ring ring", "ring line", "line ring",
                                         "line line"};
  for (const Specimen& a : all_specimens())
    for (const Specimen& b : all_specimens()) {
      const std::string kinds =
          std::string(kind_name(a.shape)) + " " + std::string(kind_name(b.shape));
      if (a.name == "shell" || b.name == "shell" || refused.contains(kinds)) continue;
      EXPECT_NO_THROW(feature_pairs(a.shape, {}, b.shape, {})) << a.name << " and " << b.name;
    }
}

TEST(AllPairs, RefuseACircleThatDoesNotFitIntoItsRing) {
  const Shape ring = Ring{{0, 0}, 0.01}, circle = Circle{{0, 0}, 0.0105};
  EXPECT_THAT(refusal(circle, ring), testing::HasSubstr("radius 0.0105 m does not fit"));
  const Shape capsule = Capsule{{0, 0}, {0.001, 0}, 0.011};
  EXPECT_THAT(refusal(ring, capsule), testing::HasSubstr("radius 0.011 m does not fit"));
}

}  // namespace
}  // namespace backlash::test
