// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/cam_design.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/expression.h"
#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double pi = std::numbers::pi;
const FollowerLoad load{.mass = 0.3, .stiffness = 2e4, .preload = 150};

Expression of_phi(std::string_view formula) {
  const std::string_view phi = "phi";
  return parse_expression(formula, {&phi, 1});
}

/// A lift that rises and falls over 100° each, around the direction of the follower at θ = 90°.
const char* const lift_formula = "0.01*(poly_345((phi + 1.75)/1.75) - poly_345((phi + 0)/1.75))";
double wrapped(double phi) { return phi - 2 * pi * std::floor((phi + pi) / (2 * pi)); }

/// The lift has the period 2π as cams want it, written for φ in −π … π.
CamProfile cam(CamFunction meaning, double roller = 0) {
  return {.base = 0.05,
          .function = of_phi("0.01*(poly_345((mod(phi + pi, 2*pi) - pi + 1.75)/1.75) - "
                             "poly_345((mod(phi + pi, 2*pi) - pi)/1.75))"),
          .meaning = meaning,
          .roller_radius = roller};
}

void expect_lift(const CamDesign& design) {
  const Expression lift = of_phi(lift_formula);
  for (const CamDesignPoint& point : design.points) {
    const Jet f = lift.jet(wrapped(pi / 2 - point.angle));  // the follower stands at 90°
    EXPECT_NEAR(point.lift, f.value, 1e-13) << point.angle;
    EXPECT_NEAR(point.slope, -f.first, 1e-11) << point.angle;
    EXPECT_NEAR(point.bend, f.second, 1e-9) << point.angle;
  }
}

TEST(CamDesign, GivesTheLiftThatAFlatFollowerWasMeantToHave) {
  const CamDesign design = design_cam({cam(CamFunction::flat), Line{{0, 0}, {0, -1}}}, load, 100);
  expect_lift(design);
  const Expression lift = of_phi(lift_formula);
  for (const CamDesignPoint& point : design.points) {
    const Jet f = lift.jet(wrapped(pi / 2 - point.angle));
    EXPECT_NEAR(point.pressure_angle, 0, 1e-7);
    EXPECT_NEAR(point.cam_radius, 0.05 + f.value + f.second, 1e-9);
  }
}

TEST(CamDesign, GivesTheLiftAndPressureAngleOfARoller) {
  const double r = 0.012;
  const CamDesign design =
      design_cam({cam(CamFunction::roller, r), Circle{.radius = r}}, load, 100);
  expect_lift(design);
  for (const CamDesignPoint& point : design.points)
    EXPECT_NEAR(std::tan(point.pressure_angle), std::abs(point.slope) / point.position, 1e-9);
}

TEST(CamDesign, KnowsAnEccentricDiskInClosedForm) {
  const double R = 0.03, e = 0.008, r = 0.01, a = R + r, omega = 150;
  const Circle disk{.centre = {e, 0}, .radius = R};
  const HertzLine steel{.modulus = 115e9, .width = 0.012};
  const CamDesign flat = design_cam({disk, Line{{0, 0}, {0, -1}}}, load, omega, steel);
  const CamDesign roller = design_cam({disk, Circle{.radius = r}}, load, omega, steel);
  for (const CamDesignPoint& point : flat.points) {
    EXPECT_NEAR(point.position, R + e * std::sin(point.angle), 1e-15);
    EXPECT_NEAR(point.bend, -e * std::sin(point.angle), 1e-14);
    const double lift = e * (1 + std::sin(point.angle));
    const double force = -0.3 * omega * omega * e * std::sin(point.angle) + 150 + 2e4 * lift;
    EXPECT_NEAR(point.force, force, 1e-9);
    const double pressure = force > 0 ? std::sqrt(force * 115e9 / (pi * 0.012 * R)) : 0;
    EXPECT_NEAR(point.pressure, pressure, 1e-6 * 1e9);
  }
  for (const CamDesignPoint& point : roller.points) {
    const double c = std::cos(point.angle), s = std::sin(point.angle);
    const double root = std::sqrt(a * a - e * e * c * c);
    EXPECT_NEAR(point.position, e * s + root, 1e-14);
    EXPECT_NEAR(std::sin(point.pressure_angle), std::abs(e * c) / a, 1e-7);
    const double first = e * c + e * e * c * s / root;
    EXPECT_NEAR(point.slope, first, 1e-13);
    const double second = -e * s + e * e * (c * c - s * s) / root -
                          e * e * c * s * e * e * c * s / (root * root * root);
    EXPECT_NEAR(point.bend, second, 1e-12);
    EXPECT_EQ(point.cam_radius, R);
    const double lift = point.position - (a - e);
    const double force = (0.3 * omega * omega * second + 150 + 2e4 * lift) * a / root;
    EXPECT_NEAR(point.force, force, 1e-9);
    const double bend = 1 / R + 1 / r;
    const double pressure = force > 0 ? std::sqrt(force * 115e9 * bend / (pi * 0.012)) : 0;
    EXPECT_NEAR(point.pressure, pressure, 1e-6 * 1e9);
  }
  // The force is least at the top: −m ω² e + preload + k 2e = 0.
  EXPECT_NEAR(flat.lift_off_speed, std::sqrt((150 + 2e4 * 2 * e) / (0.3 * e)), 1e-9);
  EXPECT_NEAR(flat.lift_off_angle, pi / 2, 1e-12);
  EXPECT_NEAR(flat.lift, 2 * e, 1e-15);
}

TEST(CamDesign, SaysWhatIsWrong) {
  const Circle disk{.radius = 0.03};
  EXPECT_THAT(
      [&] {
        design_cam({disk, Line{{0, 0}, {0, -1}}}, {.mass = 0}, 1);
      },
      ThrowsMessage<InputError>(HasSubstr("mass of the follower")));
  EXPECT_THAT(
      [&] {
        design_cam({disk, Line{{0, 0}, {0, 1}}}, load, 1);
      },
      ThrowsMessage<InputError>(HasSubstr("does not come down on the cam")));
  EXPECT_THAT(
      [&] {
        design_cam({Point{}, Point{}}, load, 1);
      },
      ThrowsMessage<InputError>(HasSubstr("cannot touch each other")));
}

}  // namespace
}  // namespace backlash
