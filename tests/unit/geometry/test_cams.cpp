// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/cam_profile.h"
#include "backlash/geometry/closest_points.h"
#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

/// A cycloidal lift by L over β = π, and back: (φ/β − sin(2π φ/β)/2π) L.
const double L = 0.012, base = 0.04;
Expression cycloid() {
  return of_angle(
      "if(phi < pi, 0.012*(phi/pi - sin(2*phi)/(2*pi)), "
      "0.012*((2*pi - phi)/pi + sin(2*phi)/(2*pi)))");
}
double lift(double phi) { return L * (phi / pi - std::sin(2 * phi) / (2 * pi)); }  // φ < π
double lift_slope(double phi) { return L / pi * (1 - std::cos(2 * phi)); }

CamProfile cam(CamFunction meaning, double roller_radius = 0) {
  return {{0, 0}, base, cycloid(), meaning, roller_radius};
}

/// A follower above the cam, which has turned by −φ: its direction φ points up.
AnglePose turned(double phi) { return {{0, 0}, pi / 2 - phi}; }

double only_gap(const std::vector<ClosestPoints>& all) {
  EXPECT_EQ(all.size(), 1u);
  return all.at(0).gap;
}

const Line down{{0, 0}, {0, -1}};  // a flat face that looks down

TEST(FlatCam, LiftsALongFaceByItsFunctionAndTouchesAsideByItsSlope) {
  for (const double phi : {0.3, 1.0, 2.2, 3.0}) {
    const double y = 0.055;
    const std::vector<ClosestPoints> c =
        contacts(down, {{0.1, y}, 0}, cam(CamFunction::flat), turned(phi));
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].gap, y - base - lift(phi), 1e-14);
    EXPECT_LT((c[0].p_WB - Vec2(-lift_slope(phi), base + lift(phi))).norm(), 1e-14);
    EXPECT_LT((c[0].n_W - Vec2(0, -1)).norm(), 1e-14);
  }
}

TEST(FlatCam, TouchesAShortFaceOnlyWhereThatIs) {
  const double phi = 1.2, y = base + lift(phi) - 1e-4, aside = lift_slope(phi);
  const Shape flat = cam(CamFunction::flat);
  const Segment face{{-0.02, 0}, {0.02, 0}};  // normal down
  EXPECT_EQ(closed(contacts(face, {{0, y}, 0}, flat, turned(phi))).size(), 1u);
  const Segment right{{0.01, 0}, {0.02, 0}};
  for (const ClosestPoints& c : contacts(right, {{0, y + 1e-3}, 0}, flat, turned(phi)))
    EXPECT_GT(c.gap, 0);
  EXPECT_GT(aside, 0);
}

TEST(FlatCam, TouchesTheEndOfAShortFaceAsAPoint) {
  const double phi = 1.2;
  const Shape flat = cam(CamFunction::flat);
  const Segment face{{0.02, 0}, {0.05, 0}};  // beyond the place where a long face would touch
  const ClosestPoints point = closest(contacts(Point{{0.02, 0.036}}, {}, flat, turned(phi)));
  const ClosestPoints end = closest(contacts(face, {{0, 0.036}, 0}, flat, turned(phi)));
  EXPECT_NEAR(end.gap, point.gap, 1e-14);
  EXPECT_LT((end.n_W - point.n_W).norm(), 1e-14);
}

TEST(FlatCam, IsTheSameProfileForAPointOnItsNormal) {
  const CamCurve curve(cam(CamFunction::flat));
  for (const double phi : {0.3, 1.0, 2.2, 3.0, 4.0, 6.0})
    for (const double distance : {-0.002, 0.0, 0.003, 0.2}) {
      const Vec2 n(std::cos(phi), std::sin(phi)), t(-n.y(), n.x());
      const Jet h = curve.function(phi);
      const CamPoint c = curve.closest_to_point((h.value + distance) * n + h.first * t);
      EXPECT_NEAR(c.distance, distance, 1e-14);
      EXPECT_LT((c.normal - n).norm(), 1e-12);
    }
}

TEST(RadiusCam, HasAPointOfItsProfileAtDistanceZeroAndThoseOfTheNormalAtTheirs) {
  const CamCurve curve(cam(CamFunction::radius));
  for (const double phi : {0.3, 1.0, 2.2, 3.0})
    for (const double distance : {-0.002, 0.0, 0.003, 0.2}) {
      const double R = base + lift(phi), slope = lift_slope(phi);
      const Vec2 e(std::cos(phi), std::sin(phi)), t(-e.y(), e.x());
      const Vec2 n = (R * e - slope * t).normalized();
      const CamPoint c = curve.closest_to_point(R * e + distance * n);
      EXPECT_NEAR(c.distance, distance, 1e-14);
      EXPECT_LT((c.normal - n).norm(), 1e-12);
      EXPECT_LT((c.p - R * e).norm(), 1e-12);
    }
}

TEST(RadiusCam, LiftsAPointFollowerByItsFunction) {
  for (const double phi : {0.3, 1.0, 2.2, 3.0}) {
    const Point tip{{0, base + lift(phi)}};
    const ClosestPoints c = closest(contacts(tip, {}, cam(CamFunction::radius), turned(phi)));
    EXPECT_NEAR(c.gap, 0, 1e-14);
    const double pressure_angle = std::atan(lift_slope(phi) / (base + lift(phi)));
    EXPECT_NEAR(-c.n_W.y(), std::cos(pressure_angle), 1e-12);
  }
}

TEST(RadiusCam, ThatIsEccentricIsACircle) {
  const double R = 0.05, e = 0.01;
  const Shape eccentric =
      CamProfile{{0, 0}, 0, of_angle("0.01*cos(phi) + sqrt(0.05^2 - (0.01*sin(phi))^2)")};
  Dice dice(1);
  for (int k = 0; k < 200; ++k) {
    const Vec2 p = dice.vector(0.2);
    const double expected = (p - Vec2(e, 0)).norm() - R;
    EXPECT_NEAR(only_gap(contacts(Point{p}, {}, eccentric)), expected, 1e-13);
    EXPECT_NEAR(only_gap(contacts(Circle{p, 0.02}, {}, eccentric)), expected - 0.02, 1e-13);
    const double angle = dice(-pi, pi);
    const Line line{p, {std::cos(angle), std::sin(angle)}};
    EXPECT_NEAR(only_gap(contacts(line, {}, eccentric)), line.normal.dot(Vec2(e, 0) - p) - R,
                1e-13);
  }
}

TEST(RollerCam, LiftsTheCentreOfItsRollerByItsFunction) {
  const double r = 0.01;
  for (const double phi : {0.3, 1.0, 2.2, 3.0}) {
    const Circle roller{{0, base + lift(phi) + r}, r};
    const ClosestPoints c = closest(contacts(roller, {}, cam(CamFunction::roller, r), turned(phi)));
    EXPECT_NEAR(c.gap, 0, 1e-14);
    const double pressure_angle = std::atan(lift_slope(phi) / (base + lift(phi) + r));
    EXPECT_NEAR(-c.n_W.y(), std::cos(pressure_angle), 1e-12);
  }
}

TEST(RollerCam, IsTheInnerParallelOfItsPitchCurveForOtherRollersToo) {
  const double r = 0.01;
  const Shape rolled = cam(CamFunction::roller, r);
  Dice dice(2);
  for (int k = 0; k < 100; ++k) {
    const AnglePose X = {rotated(dice(-pi, pi), Vec2(0.07, 0)), 0};
    const double point = only_gap(contacts(Point{}, X, rolled));
    EXPECT_NEAR(only_gap(contacts(Circle{{0, 0}, r}, X, rolled)), point - r, 1e-14);
    EXPECT_NEAR(only_gap(contacts(Circle{{0, 0}, 0.5 * r}, X, rolled)), point - 0.5 * r, 1e-14);
  }
}

TEST(Cam, ThatDropsAtOnceIsFollowedByALongFace) {
  const Expression saw = of_angle("0.017*(mod(6*phi, 2*pi)/(2*pi))");
  const Shape sawtooth = CamProfile{{0, 0}, 0.05, saw, CamFunction::flat};
  const double phi = 0.4;
  EXPECT_NEAR(only_gap(contacts(down, {{0, 0.1}, 0}, sawtooth, turned(phi))),
              0.05 - 0.017 * 6 * phi / (2 * pi), 1e-14);
  EXPECT_THAT([&] { feature_pairs(Point{}, {}, sawtooth, {}); },
              testing::ThrowsMessage<InputError>(testing::AllOf(
                  testing::HasSubstr("'point' and 'cam'"), testing::HasSubstr("use a line"))));
}

TEST(Cam, WithARollerThatIsTooLargeForItIsRefused) {
  const Expression bumps = of_angle("0.005*cos(6*phi)");
  const auto rolled = [&](double r) {
    return CamProfile{{0, 0}, 0.04, bumps, CamFunction::roller, r};
  };
  EXPECT_NO_THROW(feature_pairs(Circle{{0, 0}, 0.005}, {}, rolled(0.005), {}));
  EXPECT_THROW(feature_pairs(Circle{{0, 0}, 0.03}, {}, rolled(0.03), {}), InputError);
}

TEST(Cam, WithKinksIsTouchedAtTheirCorners) {
  Table star;  // four corners, at the odd multiples of 45°
  for (int i = 0; i <= 8; ++i) {
    star.x.push_back(i * pi / 4);
    star.y.push_back(i % 2 == 0 ? 1 : std::sqrt(2.0));
  }
  star.extension = Extension::periodic;
  const Shape kinked = CamProfile{{0, 0}, 0, star};
  for (const Vec2& e : {Vec2(0.4, 0.25), Vec2(0.2, 0.2), Vec2(0.021, 0.03)}) {
    const ClosestPoints c = closest(contacts(Point{Vec2(1, 1) + e}, {}, kinked));
    EXPECT_NEAR(c.gap, e.norm(), 1e-12);
    EXPECT_LT((c.p_WB - Vec2(1, 1)).norm(), 1e-12);
    EXPECT_LT((c.n_W + e.normalized()).norm(), 1e-12);
  }
  const Line aslant{{3, 3}, -Vec2(1, 1).normalized()};
  EXPECT_NEAR(only_gap(contacts(aslant, {}, kinked)), 2 * std::sqrt(2.0), 1e-12);
}

/// The same circle as a cam with each meaning of its function.
std::vector<CamProfile> eccentric_circles() {
  return {{{0, 0}, 0, of_angle("0.1*cos(phi) + sqrt(0.5^2 - (0.1*sin(phi))^2)")},
          {{0, 0}, 0, of_angle("0.5 + 0.1*cos(phi)"), CamFunction::flat},
          {{0, 0},
           0,
           of_angle("0.1*cos(phi) + sqrt(0.7^2 - (0.1*sin(phi))^2) - 0.2"),
           CamFunction::roller,
           0.2}};
}

TEST(Cam, MeetsWhatIsNoFollowerAsACurve) {
  const Circle circle{{0.1, 0}, 0.5};
  const Shape others[] = {egg(), bean(), box(1.4, 0.8), Capsule{{-0.6, 0.1}, {0.5, 0.3}, 0.35},
                          Ring{{0, 0}, 3}};
  for (const CamProfile& cam : eccentric_circles())
    for (const Shape& other : others) {
      SCOPED_TRACE(kind_name(other));
      const auto pairs = feature_pairs(cam, {}, other, {});
      const auto exchanged_pairs = feature_pairs(other, {}, cam, {});
      Dice dice(4);
      int compared = 0;
      for (int k = 0; k < 40; ++k) {
        const AnglePose X_WA = dice.pose(1.2), X_WB = dice.pose(1.2);
        const ClosestPoints should = closest(contacts(circle, X_WA, other, X_WB));
        if (!(should.gap > -0.2)) continue;  // too deep for a single way out
        const ClosestPoints is = closest(evaluated(pairs, X_WA, X_WB));
        EXPECT_NEAR(is.gap, should.gap, 1e-11);
        if (compared % 4 == 0) {
          EXPECT_NEAR(closest(evaluated(exchanged_pairs, X_WB, X_WA)).gap, should.gap, 1e-11);
        }
        EXPECT_LT((is.n_W - should.n_W).norm(), 1e-8);
        EXPECT_NEAR(is.radius_A, 0.5, 1e-6);
        ++compared;
      }
      EXPECT_GT(compared, 10);
    }
}

TEST(Cam, AndAnotherMeetAsCirclesDo) {
  const std::vector<CamProfile> cams = eccentric_circles();
  const Circle circle{{0.1, 0}, 0.5};
  Dice dice(5);
  for (int k = 0; k < 40; ++k) {
    const AnglePose X_WA = dice.pose(1), X_WB = dice.pose(1);
    const double should = closest(contacts(circle, X_WA, circle, X_WB)).gap;
    if (should < -0.5) continue;
    EXPECT_NEAR(closest(contacts(cams[static_cast<std::size_t>(k % 3)], X_WA, cams[0], X_WB)).gap,
                should, 1e-11);
  }
}

TEST(Cam, AsACurveIsOffByRoundOffButForItsKinks) {
  Table star;  // four corners, at the odd multiples of 45°
  for (int i = 0; i <= 8; ++i) {
    star.x.push_back(i * pi / 4);
    star.y.push_back(i % 2 == 0 ? 1 : std::sqrt(2.0));
  }
  star.extension = Extension::periodic;
  const CamProfile smooth[] = {cam(CamFunction::radius),
                               cam(CamFunction::flat),
                               cam(CamFunction::roller, 0.01),
                               {{0, 0}, 0.8, wave_table()},
                               {{0, 0}, 0, star}};
  for (const CamProfile& s : smooth) {
    const CamCurve exact(s);
    const NurbsCurve<2> curve(cam_profile(exact));
    for (int i = 0; i < 5000; ++i) {
      const double angle = 2 * pi * (i + 0.31) / 5000;
      EXPECT_LT((curve.at(angle).p - exact.profile_point(angle).p).norm(),
                2e-12 * exact.largest_radius())
          << angle;
    }
  }
}

}  // namespace
}  // namespace backlash::test
