// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/geometry/nurbs/conics.h"
#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

NurbsProfile round_profile(const Vec2& centre, double radius) {
  return {circle_curve(centre, radius)};
}

/// A pair of shapes with the memory of one that looks at it again and again.
struct Watched {
  Watched(const Shape& A, const Shape& B)
      : pairs(feature_pairs(A, {}, B, {})), all(candidates(*pairs[0].A, *pairs[0].B)) {}

  std::vector<NearCandidate> near(const AnglePose& X_WA, const AnglePose& X_WB, double reach,
                                  std::span<const KnownPlace> known = {}) {
    std::vector<NearCandidate> found(static_cast<std::size_t>(all.count()));
    found.resize(find_near(all, pose2(X_WA), pose2(X_WB), reach, {known, memory}, found));
    return found;
  }

  std::vector<FeaturePair> pairs;
  Candidates all;
  ProfileMemory memory{};
};

TEST(ProfileTouch, OfCirclesIsThatOfCircles) {
  const Circle a{{0.2, 0.1}, 0.5}, b{{-0.1, 0.3}, 0.7};
  const Shape others[] = {b,
                          round_profile(b.centre, b.radius),
                          Line{{0, 0.2}, Vec2(0.6, 0.8)},
                          Point{{0.3, 0}},
                          Ring{{0, 0}, 3},
                          Segment{{-4, 0}, {4, 0.5}},
                          Capsule{{-2, 0}, {2, 0.3}, 0.2}};
  const Shape plain[] = {b, b, others[2], others[3], others[4], others[5], others[6]};
  Dice dice(11);
  for (std::size_t i = 0; i < std::size(others); ++i) {
    SCOPED_TRACE(i);
    for (int k = 0; k < 50; ++k) {
      const AnglePose X_WA = dice.pose(1), X_WB = dice.pose(1);
      const ClosestPoints is =
          closest(contacts(round_profile(a.centre, a.radius), X_WA, others[i], X_WB));
      const ClosestPoints should = closest(contacts(a, X_WA, plain[i], X_WB));
      if (should.gap < -0.3) continue;  // too deep for a single way out
      EXPECT_NEAR(is.gap, should.gap, 1e-13);
      EXPECT_LT((is.p_WA - should.p_WA).norm(), 1e-11);
      EXPECT_LT((is.p_WB - should.p_WB).norm(), 1e-11);
      EXPECT_LT((is.n_W - should.n_W).norm(), 1e-11);
      EXPECT_NEAR(is.radius_A, should.radius_A, 1e-11);
      if (std::isfinite(should.radius_B)) {
        EXPECT_NEAR(is.radius_B, should.radius_B, 1e-10);
      }
      EXPECT_EQ(std::isfinite(is.radius_B), std::isfinite(should.radius_B));
    }
  }
}

TEST(ProfileTouch, RestsOnTheTwoSidesOfAHollowAtOnceEachWithItsName) {
  // A disk too large for the hollow of the bean, lowered into it.
  Watched pair(bean(), Circle{{0, 0}, 0.5});
  const std::vector<NearCandidate> found = pair.near({}, {{0, 0.95}, 0}, 0.2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0].candidate, found[1].candidate);
  EXPECT_NEAR(found[0].closest.gap, found[1].closest.gap, 1e-12);  // by symmetry
  EXPECT_NEAR(found[0].closest.p_WA.x(), -found[1].closest.p_WA.x(), 1e-12);
}

TEST(ProfileTouch, KeepsNamesWhereverPlacesMove) {
  // A small disk is led through the hollow, in contact, from one side to the other and back.
  Watched pair(bean(), Circle{{0, 0}, 0.05});
  std::vector<KnownPlace> known;
  int first = -1;
  Watched scout(bean(), Circle{{0, 0}, 0.05});
  double y = 0.6;
  for (int k = 0; k <= 200; ++k) {
    const double x = 0.3 * std::cos(2 * pi * k / 200);
    for (int i = 0; i < 20; ++i) {  // down until it touches
      const std::vector<NearCandidate> below = scout.near({}, {{x, y}, 0}, 1);
      ASSERT_FALSE(below.empty());
      y -= below[0].closest.gap;
    }
    const std::vector<NearCandidate> found = pair.near({}, {{x, y}, 0}, 1e-3, known);
    ASSERT_EQ(found.size(), 1u) << k;
    if (k == 0) first = found[0].candidate;
    EXPECT_EQ(found[0].candidate, first) << k;
    known = {{found[0].candidate, found[0].closest.parameters}};
  }
  EXPECT_LT(pair.memory.searches, 120);
  EXPECT_EQ(pair.memory.jumps, 0);
}

TEST(ProfileTouch, NamesAPlaceThatJumpsAnew) {
  Watched pair(bean(), Circle{{0, 0}, 0.05});
  const std::vector<NearCandidate> left = pair.near({}, {{-0.6, 0.58}, 0}, 0.2);
  ASSERT_EQ(left.size(), 1u);
  const KnownPlace known[] = {{left[0].candidate, left[0].closest.parameters}};
  const std::vector<NearCandidate> below = pair.near({}, {{0, -0.6}, 0}, 0.2, known);
  ASSERT_EQ(below.size(), 1u);
  EXPECT_NE(below[0].candidate, left[0].candidate);
}

/// Whether the outlines of two closed shapes, as polygons, have some corner in the other.
bool overlap(const Shape& A, const Shape& B, const AnglePose& X_AB) {
  const auto is_inside = [](const std::vector<Vec2>& polygon, const Vec2& p) {
    bool odd = false;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 a = polygon[i] - p, b = polygon[(i + 1) % polygon.size()] - p;
      if ((a.y() > 0) != (b.y() > 0) && a.x() - a.y() * (b.x() - a.x()) / (b.y() - a.y()) > 0)
        odd = !odd;
    }
    return odd;
  };
  const Pose2 X = pose2(X_AB);
  const std::vector<Vec2> a = boundary(A).points;
  std::vector<Vec2> b = boundary(B).points;
  for (Vec2& p : b) p = X.point(p);
  return std::ranges::any_of(b, [&](const Vec2& p) { return is_inside(a, p); }) ||
         std::ranges::any_of(a, [&](const Vec2& p) { return is_inside(b, p); });
}

TEST(ProfileTouch, FindsWhenFollowedWhatItFindsFromNothing) {
  const Shape others[] = {egg(),
                          bean(),
                          Circle{{0.1, 0}, 0.4},
                          Line{{0, -1}, Vec2(0, 1)},
                          l_shape(),
                          NurbsProfile{{.points = {{-1, 0}, {-0.3, 0.5}, {0.4, -0.6}, {1, 0.2}}}}};
  const bool closed[] = {true, true, true, false, true, false};
  for (std::size_t i = 0; i < std::size(others); ++i) {
    SCOPED_TRACE(i);
    Watched pair(bean(), others[i]);
    const double reach = 0.15;
    int too_deep = 0;
    for (int k = 0; k <= 500; ++k) {
      const double s = 2 * pi * k / 500;
      const AnglePose X{{1.6 * std::cos(s) + 0.3, 1.4 * std::sin(s)}, 3 * s};
      const std::vector<NearCandidate> followed = pair.near({}, X, reach);
      Watched fresh(bean(), others[i]);
      const std::vector<NearCandidate> found = fresh.near({}, X, reach);
      if (closed[i]) {  // what overlaps is told, also where it is too deep, and nothing else
        const auto deeper = [&](double depth) {
          return std::ranges::any_of(
              found, [&](const NearCandidate& c) { return !(c.closest.gap > -depth); });
        };
        const bool true_overlap = overlap(bean(), others[i], X);
        EXPECT_TRUE(deeper(-0.02) || !true_overlap) << k;
        EXPECT_TRUE(true_overlap || !deeper(0.01)) << k;
      }
      if (!found.empty() && std::isnan(found[0].closest.gap)) {  // too deep
        // One that comes from behind an open curve is told with the next search.
        EXPECT_TRUE(!closed[i] || (followed.size() == 1 && std::isnan(followed[0].closest.gap)));
        ++too_deep;
        continue;
      }
      ASSERT_EQ(followed.size(), found.size()) << k;
      for (std::size_t j = 0; j < found.size(); ++j) {
        EXPECT_EQ(followed[j].candidate, found[j].candidate) << k;
        EXPECT_NEAR(followed[j].closest.gap, found[j].closest.gap, 1e-13) << k;
      }
    }
    EXPECT_LT(too_deep, 150);
  }
}

/// A blade with a thickness of about a hundredth of its length.
NurbsProfile thin_blade() {
  const double a = 0.03, b = 3e-4;
  return {{.degree = 3,
           .points = {{a, 0.7 * b}, {0, b}, {-a, 0.7 * b}, {-a, -0.7 * b}, {0, -b}, {a, -0.7 * b}},
           .ends = SplineEnds::periodic}};
}

/// Turning blades fly towards each other in long steps: Newton's method slips to their far sides,
/// which face each other as near ones do, and overlap by all that is between.
TEST(ProfileTouch, OfFastThinBladesDoesNotSlipToTheirFarSides) {
  Dice dice(3);
  const auto compare = [](Watched& pair, Watched fresh, const AnglePose& A, const AnglePose& B) {
    const std::vector<NearCandidate> found = fresh.near(A, B, 1e-3);
    const std::vector<NearCandidate> followed = pair.near(A, B, 1e-3);
    if (!found.empty() && !(found[0].closest.gap > 0)) return false;
    EXPECT_EQ(followed.size(), found.size());
    for (std::size_t i = 0; i < std::min(found.size(), followed.size()); ++i)
      EXPECT_NEAR(followed[i].closest.gap, found[i].closest.gap, 1e-13);
    return true;
  };
  const Shape partners[] = {thin_blade(), Circle{{0, 0}, 1e-4}};
  for (const Shape& partner : partners)
    for (int flight = 0; flight < 60; ++flight) {
      SCOPED_TRACE(flight);
      Watched pair(thin_blade(), partner);
      const AnglePose A = dice.pose(0), B = dice.pose(0.03);
      const double speed_A = dice(-500, 500), speed_B = dice(-500, 500);
      for (double t = 0; t < 0.03; t += 1e-4) {
        const AnglePose X_WA{{5 * t, 0}, A.angle + speed_A * t};
        const AnglePose X_WB{{0.08, B.p.y()}, B.angle + speed_B * t};
        if (!compare(pair, Watched(thin_blade(), partner), X_WA, X_WB)) break;
      }
    }
}

/// Cubic, with straight stretches from −4 mm to 4 mm below and above.
NurbsProfile rounded_block() {
  return {{.degree = 3,
           .points = {{-8e-3, 0},
                      {-4e-3, 0},
                      {0, 0},
                      {4e-3, 0},
                      {8e-3, 0},
                      {12e-3, 5e-3},
                      {8e-3, 10e-3},
                      {4e-3, 10e-3},
                      {0, 10e-3},
                      {-4e-3, 10e-3},
                      {-8e-3, 10e-3},
                      {-12e-3, 5e-3}},
           .ends = SplineEnds::periodic}};
}

/// Straight stretches of smooth curves lie on flats with both ends, also when tilted a little: the
/// one with the place beside its end that touches first.
TEST(ProfileTouch, OfStraightStretchesIsThatOfTheirEnds) {
  const Shape floors[] = {Line{{0, 0}, Vec2(0, 1)}, Polygon{{{-1, -1}, {1, -1}, {1, 0}, {-1, 0}}},
                          Segment{{1, 0}, {-1, 0}}};
  for (std::size_t i = 0; i < std::size(floors); ++i)
    for (const double tilt : {0.0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3})
      for (const double sign : {1.0, -1.0}) {
        SCOPED_TRACE(testing::Message() << i << ", tilt " << sign * tilt);
        Watched pair(rounded_block(), floors[i]);
        const double height = 1e-6;
        const auto found = pair.near({{0, height}, sign * tilt}, {}, 1e-4);
        ASSERT_EQ(found.size(), 2u);
        EXPECT_NE(found[0].candidate, found[1].candidate);
        double left = 1, right = -1, least = 1;
        for (const NearCandidate& c : found) {
          left = std::min(left, c.closest.p_WA.x());
          right = std::max(right, c.closest.p_WA.x());
          least = std::min(least, c.closest.gap);
        }
        // Beyond the ends, at 4 mm, the slope is c s²/2 with c = 5 mm/(4 mm)³: the lowest point is
        // at s = √(2 tilt/c), lower than the end by ⅔ tilt s.
        const double c = 5e-3 / std::pow(4e-3, 3), s = std::sqrt(2 * tilt / c);
        EXPECT_NEAR(least, height - tilt * (4e-3 + 2.0 / 3 * s), 1e-11 + 0.02 * tilt * s);
        EXPECT_NEAR(std::max(right, -left), 4e-3 + s, 2e-6 + 0.05 * s);
        EXPECT_NEAR(std::min(right, -left), 4e-3, 1e-8);
      }
}

/// A blade whose flanks have no curvature in the middle.
TEST(ProfileTouch, OfAPlaceWithoutCurvatureIsItself) {
  const NurbsProfile blade{{.degree = 3,
                            .points = {{0.15e-3, 6e-3},
                                       {-0.15e-3, 6e-3},
                                       {-0.15e-3, 0},
                                       {-0.15e-3, -6e-3},
                                       {0.15e-3, -6e-3},
                                       {0.15e-3, 0}},
                            .ends = SplineEnds::periodic}};
  const double gap = 1e-6;
  const Shape partners[] = {Line{{0, 0}, Vec2(-1, 0)},
                            Polygon{{{0, -12e-3}, {0.2e-3, -12e-3}, {0.2e-3, 12e-3}, {0, 12e-3}}},
                            Segment{{0, 12e-3}, {0, -12e-3}},
                            Capsule{{1e-3, -12e-3}, {1e-3, 12e-3}, 1e-3}, blade};
  for (std::size_t i = 0; i < std::size(partners); ++i)
    for (const double tilt : {0.0, 1e-9, 1e-6, 1e-3}) {
      SCOPED_TRACE(testing::Message() << i << ", tilt " << tilt);
      Watched pair(blade, partners[i]);
      const double half = i == 4 ? 0.15e-3 : 0;
      for (const double g : {gap, -gap}) {
        const auto found = pair.near({{-0.15e-3 - g, 0}, tilt}, {{half, 0}, 0}, 1e-4);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_NEAR(found[0].closest.gap, g, 1e-11 + 3e-3 * tilt);
      }
    }
}

/// How often a pair has another number of places than in the pose before; in each pose it must have
/// those that a search from nothing finds.
template <class PoseAt>
int places_born_or_lost(const Shape& A, const Shape& B, int poses, PoseAt pose_at) {
  Watched pair(A, B);
  int changes = 0;
  std::size_t before = 0;
  for (int k = 0; k < poses; ++k) {
    const std::vector<NearCandidate> followed = pair.near({}, pose_at(k), 0.1);
    const std::vector<NearCandidate> found = Watched(A, B).near({}, pose_at(k), 0.1);
    EXPECT_EQ(followed.size(), found.size()) << k;
    changes += k > 0 && found.size() != before;
    before = found.size();
  }
  EXPECT_LT(pair.memory.searches, poses / 2);
  return changes;
}

/// A roller crosses a valley that is narrower than itself: a second side is beneath it from where
/// its centre is beyond the centres of curvature, and no longer after.
TEST(ProfileTouch, KnowsPlacesFromWhereTheyAreBorn) {
  const NurbsProfile valley{{.degree = 2, .points = {{2, 4}, {0, -4}, {-2, 4}}}};  // y = x²
  const auto across = [](int k) { return AnglePose{{-0.25 + 1e-3 * k, 0.63}, 1e-3 * k}; };
  EXPECT_EQ(places_born_or_lost(valley, Circle{{0, 0}, 0.6}, 500, across), 2);
  EXPECT_EQ(places_born_or_lost(valley, round_profile({0, 0}, 0.6), 500, across), 2);
  // A small roller comes to a ramp: its side begins at a hollow corner.
  const NurbsProfile ramp{{.degree = 1, .points = {{1, 0.6}, {0, 0}, {-1, 0}}}};
  const auto along = [](int k) { return AnglePose{{-0.1 + 5e-4 * k, 0.06}, 1e-3 * k}; };
  EXPECT_EQ(places_born_or_lost(ramp, Circle{{0, 0}, 0.05}, 300, along), 2);
  EXPECT_EQ(places_born_or_lost(ramp, round_profile({0, 0}, 0.05), 300, along), 2);
  // A bean that rolls on a line stands on one side of its hollow, then on both.
  const auto turned = [](int k) {
    const double angle = 2e-3 * k;
    return AnglePose{{-0.6 * std::cos(angle), -0.6 * std::sin(angle)}, angle + pi / 2};
  };
  EXPECT_GE(places_born_or_lost(bean(), Line{{0, 0}, Vec2(0, 1)}, 3100, turned), 2);
}

TEST(ProfileTouch, OfAnOpenCurveHasItsEndsAsCorners) {
  const NurbsProfile wall{line_curve<2>({0, 0}, {1, 0})};  // material above, as of a segment
  const Shape disk = Circle{{0, 0}, 0.2};
  for (const Vec2& at : {Vec2(-0.15, -0.2), Vec2(0.5, -0.3), Vec2(1.3, -0.1)}) {
    const ClosestPoints is = closest(contacts(wall, {}, disk, {at, 0}));
    const ClosestPoints should = closest(contacts(Segment{{0, 0}, {1, 0}}, {}, disk, {at, 0}));
    EXPECT_NEAR(is.gap, should.gap, 1e-15);
    EXPECT_EQ(is.radius_A, should.radius_A);
    EXPECT_LT((is.p_WA - should.p_WA).norm(), 1e-15);
  }
  EXPECT_EQ(closed(contacts(wall, {{0, 0.001}, 3.14159265358979}, Line{})).size(), 0u);
  // Laid flat on a line it rests on both ends.
  const std::vector<ClosestPoints> flat =
      closed(contacts(wall, {{0, -1e-3}, 0}, Line{{0, 0}, Vec2(0, 1)}));
  EXPECT_EQ(flat.size(), 2u);
}

/// y = x²/(2 R) with the material beneath: its smallest radius of curvature is R.
NurbsProfile groove(double R) {
  return {{.degree = 2, .points = {{2, 2 / R}, {0, -2 / R}, {-2, 2 / R}}}};
}

/// The least distance of a point from y = x²/(2 R), by looking ever closer.
double distance_from_groove(double R, const Vec2& p) {
  const auto distance = [&](double x) { return std::hypot(x - p.x(), x * x / (2 * R) - p.y()); };
  double best = 0;
  for (double width = 1; width > 1e-9; width *= 0.1) {
    const double around = best;
    for (int i = -100; i <= 100; ++i)
      if (const double x = around + 0.01 * width * i; distance(x) < distance(best)) best = x;
  }
  return distance(best);
}

/// The minimum of the distance is of fourth order where the centre is that of the curvature.
TEST(ProfileTouch, OfADiskInAHollowOfItsOwnRadiusIsOnePlace) {
  const double R = 0.5;
  for (const Shape& disk : {Shape(Circle{{0, 0}, R}), Shape(round_profile({0, 0}, R))})
    for (const double x : {0.0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3})
      for (const double lift : {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-4, -1e-9, -1e-6}) {
        SCOPED_TRACE(testing::Message() << "x " << x << ", lifted by " << lift);
        const Vec2 centre(x, R + lift);
        Watched pair(groove(R), disk);
        const std::vector<NearCandidate> near = pair.near({}, {centre, 0.3}, 1e-3);
        ASSERT_GE(near.size(), 1u);
        EXPECT_LE(near.size(), 3u);
        double least = INFINITY;
        for (const NearCandidate& found : near) least = std::min(least, found.closest.gap);
        EXPECT_NEAR(least, distance_from_groove(R, centre) - R, 1e-14);
      }
}

/// A small disk passes the centre of curvature of an elliptic hole's end, a²/b = 1/4 from it.
TEST(ProfileTouch, IsAsFarAsItIsAtTheCentreOfAHollow) {
  NurbsCurveData<2> ellipse = circle_curve({0, 0}, 1);
  for (Vec2& p : ellipse.points) p = Vec2(0.5 * p.x(), -p.y());  // clockwise: material outside
  for (const double off : {0.0, 1e-9, 1e-7, 1e-6, -1e-7}) {
    const std::vector<NearCandidate> near =
        Watched(NurbsProfile{ellipse}, Circle{{0, 0}, 0.2}).near({}, {{0, -0.75 + off}, 0}, 0.1);
    ASSERT_GE(near.size(), 1u);
    EXPECT_NEAR(near[0].closest.gap, 0.05 + off, 1e-13 + 10 * off * off);
  }
}

/// All of an arc is as near as the rest: its ends stand for it.
TEST(ProfileTouch, OfADiskInASeatOfItsOwnRadiusIsAtTheEnds) {
  const double w = std::sqrt(0.5);
  const NurbsProfile seat{
      {.degree = 2, .points = {{w, -w}, {0, -1 / w}, {-w, -w}}, .weights = {1, w, 1}}};
  for (const double less : {0.0, 0.01})
    for (const Shape& disk :
         {Shape(Circle{{0, 0}, 1 - less}), Shape(round_profile({0, 0}, 1 - less))}) {
      Watched pair(seat, disk);
      const std::vector<NearCandidate> near = pair.near({}, {}, 0.1);
      ASSERT_EQ(near.size(), 2u) << less;
      for (const NearCandidate& found : near) {
        EXPECT_NEAR(found.closest.gap, less, 1e-15);
        EXPECT_NEAR(std::abs(found.closest.n_W.x()), w, 1e-8);
        EXPECT_NEAR(found.closest.n_W.y(), w, 1e-8);
      }
      const std::vector<NearCandidate> lower = pair.near({}, {{0, -1e-6}, 0}, less);
      ASSERT_EQ(lower.size(), 1u);
      EXPECT_NEAR(lower[0].closest.gap, less - 1e-6, 1e-15);
      EXPECT_NEAR(lower[0].closest.n_W.y(), 1, 1e-9);
    }
}

/// Points over knots of a circle whose weights have seven digits: its tangents turn there by 1e-8,
/// and the foot is on neither of the pieces that meet.
TEST(ProfileTouch, HasItsFeetAtKnotsToo) {
  NurbsCurveData<2> circle = circle_curve({0, 0}, 1);
  for (double& weight : circle.weights) weight = weight < 1 ? 0.7071068 : 1;
  for (Vec2& p : circle.points) p = Vec2(p.x() + 1e-8 * p.y(), p.y());
  for (const double angle : {0.0, 0.3, pi / 2})
    for (int quarter = 0; quarter < 4; ++quarter)
      for (int k = -20; k <= 20; ++k)
        for (const double far : {1.1, 2.0, 50.0}) {
          const double at = quarter * pi / 2 + 1e-9 * k;
          const Vec2 centre = far * Vec2(std::cos(at + angle), std::sin(at + angle));
          const auto near = Watched(NurbsProfile{circle}, Circle{{0, 0}, 0.1})
                                .near({.angle = angle}, {centre, 0}, 100);
          ASSERT_GE(near.size(), 1u) << quarter << " " << k << " " << far;
          EXPECT_NEAR(near[0].closest.gap, far - 1.1, 2e-7);
        }
}

TEST(ProfileTouch, OfConcentricCirclesIsNoNumber) {
  const std::vector<ClosestPoints> c =
      contacts(round_profile({0, 0}, 1), {}, round_profile({0, 0}, 0.5));
  EXPECT_TRUE(std::isnan(c[0].gap));
}

TEST(ProfileTouch, HasTheAreaOfItsCurve) {
  const AreaProperties area = area_properties(Shape(round_profile({0.3, -0.2}, 0.5)));
  EXPECT_NEAR(area.area, pi * 0.25, 1e-12);
  EXPECT_LT((area.centre - Vec2(0.3, -0.2)).norm(), 1e-12);
  EXPECT_NEAR(area.moment, pi * 0.0625 / 2, 1e-12);
  EXPECT_EQ(area_properties(Shape(NurbsProfile{line_curve<2>({0, 0}, {1, 0})})).area, 0);
}

}  // namespace
}  // namespace backlash::test
