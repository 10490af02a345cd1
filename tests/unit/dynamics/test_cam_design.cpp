// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/cam_design.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/base/expression.h"
#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test::cam_design {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double pi = std::numbers::pi, mass = 0.3, stiffness = 2e4, preload = 150;

/// A cam about the origin, and a follower above it that a spring presses down.
Model valve(const std::string& cam, const std::string& follower, double start, double damping = 0) {
  return parse_model(fmt::format(R"(backlash: 1
bodies:
  wheel: {{mass: 1, inertia: 1e-3, shape: {}}}
  valve: {{mass: {}, inertia: 1e-3, shape: {}}}
joints:
  axle: {{type: revolute, between: [ground, wheel], initial: {{speed: 100}}}}
  guide: {{type: prismatic, between: [ground, valve], axis: [0, 1], initial: {{position: {}}}}}
forces:
  spring: {{type: joint_spring, joint: guide, stiffness: {}, preload: {}, damping: {}}}
contacts: {{tip: {{between: [wheel, valve], law: steel}}}}
laws: {{steel: {{restitution: 0.1, friction: 0.1}}}}
)",
                                 cam, mass, follower, start, stiffness, -preload, damping),
                     "valve.yaml");
}

/// The spring's force at the position: its length zero is at the joint's zero.
double pressing(double position) { return preload + stiffness * position; }

const char* const plate = "{line: {normal: [0, -1]}}";
const char* const roller = "{circle: 0.012}";

Expression of_phi(std::string_view formula) {
  const std::string_view phi = "phi";
  return parse_expression(formula, {&phi, 1});
}

/// A lift that rises and falls over 100° each, around the direction of the follower at θ = 90°.
const char* const lift_formula = "0.01*(poly_345((phi + 1.75)/1.75) - poly_345((phi + 0)/1.75))";
double wrapped(double phi) { return phi - 2 * pi * std::floor((phi + pi) / (2 * pi)); }

/// The lift has the period 2π as cams want it, written for φ in −π … π.
std::string cam(const std::string& follower) {
  return "{cam: {base: 0.05, lift: \"0.01*(poly_345((mod(phi + pi, 2*pi) - pi + 1.75)/1.75) - "
         "poly_345((mod(phi + pi, 2*pi) - pi)/1.75))\", follower: " +
         follower + "}}";
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
  const CamDesign design = design_cam(valve(cam("flat"), plate, 0.061));
  EXPECT_EQ(design.speed, 100);
  EXPECT_EQ(design.cam, "axle");
  EXPECT_EQ(design.follower, "guide");
  expect_lift(design);
  const Expression lift = of_phi(lift_formula);
  for (const CamDesignPoint& point : design.points) {
    const Jet f = lift.jet(wrapped(pi / 2 - point.angle));
    EXPECT_NEAR(point.pressure_angle, 0, 1e-7);
    EXPECT_NEAR(point.cam_radius, 0.05 + f.value + f.second, 1e-9);
    EXPECT_EQ(point.follower_radius, INFINITY);
  }
}

TEST(CamDesign, GivesTheLiftAndPressureAngleOfARoller) {
  const CamDesign design = design_cam(valve(cam("roller, roller_radius: 0.012"), roller, 0.073));
  expect_lift(design);
  for (const CamDesignPoint& point : design.points)
    EXPECT_NEAR(std::tan(point.pressure_angle), std::abs(point.slope) / point.position, 1e-9);
}

TEST(CamDesign, KnowsAnEccentricDiskInClosedForm) {
  const double R = 0.03, e = 0.008, r = 0.012, a = R + r, omega = 150;
  const char* const disk = "{circle: 0.03, at: [0.008, 0]}";
  const CamQuestion question{.speed = omega, .hertz = {.modulus = 115e9, .width = 0.012}};
  const CamDesign flat = design_cam(valve(disk, plate, 0.04), question);
  const CamDesign round = design_cam(valve(disk, roller, 0.05), question);
  for (const CamDesignPoint& point : flat.points) {
    EXPECT_NEAR(point.position, R + e * std::sin(point.angle), 1e-14);
    EXPECT_NEAR(point.bend, -e * std::sin(point.angle), 1e-14);
    const double force =
        -mass * omega * omega * e * std::sin(point.angle) + pressing(point.position);
    EXPECT_NEAR(point.force, force, 1e-9);
    const double pressure = force > 0 ? std::sqrt(force * 115e9 / (pi * 0.012 * R)) : 0;
    EXPECT_NEAR(point.pressure, pressure, 1e-6 * 1e9);
  }
  for (const CamDesignPoint& point : round.points) {
    const double c = std::cos(point.angle), s = std::sin(point.angle);
    const double root = std::sqrt(a * a - e * e * c * c);
    EXPECT_NEAR(point.position, e * s + root, 1e-14);
    EXPECT_NEAR(std::sin(point.pressure_angle), std::abs(e * c) / a, 1e-7);
    EXPECT_NEAR(point.slope, e * c + e * e * c * s / root, 1e-13);
    const double second = -e * s + e * e * (c * c - s * s) / root -
                          e * e * c * s * e * e * c * s / (root * root * root);
    EXPECT_NEAR(point.bend, second, 1e-12);
    EXPECT_EQ(point.cam_radius, R);
    EXPECT_EQ(point.follower_radius, r);
    const double force = (mass * omega * omega * second + pressing(point.position)) * a / root;
    EXPECT_NEAR(point.force, force, 1e-9);
    const double pressure =
        force > 0 ? std::sqrt(force * 115e9 * (1 / R + 1 / r) / (pi * 0.012)) : 0;
    EXPECT_NEAR(point.pressure, pressure, 1e-6 * 1e9);
  }
  // The force is least at the top: −m ω² e + F(R + e) = 0.
  EXPECT_NEAR(flat.lift_off_speed, std::sqrt(pressing(R + e) / (mass * e)), 1e-9);
  EXPECT_NEAR(flat.lift_off_angle, pi / 2, 1e-12);
  EXPECT_NEAR(flat.lift, 2 * e, 1e-14);
}

/// An arm on an axis whose roller lies on an eccentric disk: the roller's distance from the disk's
/// centre is R + r. Lift by the cosine rule, force by moments; its derivatives by differences.
TEST(CamDesign, KnowsAnArmThatRocks) {
  const double R = 0.03, e = 0.008, a = R + 0.01, arm = 0.06, d = 0.07, J = 4e-4, omega = 80;
  const Model model = parse_model(R"(backlash: 1
bodies:
  wheel: {mass: 1, inertia: 1e-3, shape: {circle: 0.03, at: [0.008, 0]}}
  arm: {mass: 0.2, inertia: 4e-4, shape: {circle: 0.01, at: [0.06, 0]}}
joints:
  axle: {type: revolute, between: [ground, wheel], drive: {speed: 80}}
  pin: {type: revolute, between: [ground, arm], at: [[-0.07, 0], [0, 0]], initial: {angle: 0.7}}
forces:
  spring: {type: joint_spring, joint: pin, stiffness: 30, preload: -5}
contacts: {tip: {between: [arm, wheel], law: steel}}
laws: {steel: {restitution: 0}}
)",
                                  "arm.yaml");
  const auto angle_of =
      [&](double theta) {  // arm above the line from its axis to the disk's centre
        const double x = d + e * std::cos(theta), y = e * std::sin(theta), l = std::hypot(x, y);
        return std::atan2(y, x) + std::acos((arm * arm + l * l - a * a) / (2 * arm * l));
      };
  const CamDesign design = design_cam(model, {.points = 90});
  EXPECT_EQ(design.cam, "axle");
  EXPECT_EQ(design.unit, GapUnit::radian);
  for (const CamDesignPoint& point : design.points) {
    const double t = point.angle, h = 1e-4, phi = angle_of(t);
    EXPECT_NEAR(point.position, phi, 1e-13);
    EXPECT_NEAR(point.slope, (angle_of(t + h) - angle_of(t - h)) / (2 * h), 1e-8);
    const double bend = (angle_of(t + h) - 2 * phi + angle_of(t - h)) / (h * h);
    EXPECT_NEAR(point.bend, bend, 1e-6);
    const double nx = (-d + arm * std::cos(phi) - e * std::cos(t)) / a,
                 ny = (arm * std::sin(phi) - e * std::sin(t)) / a;
    const double lever = arm * (std::cos(phi) * ny - std::sin(phi) * nx);
    EXPECT_NEAR(point.force, (J * omega * omega * bend + 5 + 30 * phi) / lever, 1e-4);
    // The roller's contact point moves about the arm's axis.
    const double px = arm * std::cos(phi) - 0.01 * nx, py = arm * std::sin(phi) - 0.01 * ny;
    EXPECT_NEAR(std::cos(point.pressure_angle), lever / std::hypot(px, py), 1e-9);
  }
}

/// A damper holds the falling follower back: F = m s″ ω² + c s′ ω + …
TEST(CamDesign, CountsADamperIntoTheSpeedOfLiftOff) {
  const double R = 0.03, e = 0.008, c = 40;
  const char* const disk = "{circle: 0.03, at: [0.008, 0]}";
  double expected = INFINITY;
  for (double t = 0; t < 2 * pi; t += 1e-3) {
    const double inertia = -mass * e * std::sin(t), viscous = c * e * std::cos(t),
                 rest = pressing(R + e * std::sin(t));
    const double root = viscous * viscous - 4 * inertia * rest;
    if (inertia >= 0 || root < 0) continue;
    expected = std::min(expected, (-viscous - std::sqrt(root)) / (2 * inertia));
  }
  EXPECT_NEAR(design_cam(valve(disk, plate, 0.04, c)).lift_off_speed, expected, 1e-4 * expected);
  EXPECT_LT(expected, 0.999 * design_cam(valve(disk, plate, 0.04)).lift_off_speed);
}

/// A square seen by a flat follower that lies on its corners: the lift |sin| has kinks there.
TEST(CamDesign, FindsCornersOfTheLift) {
  const CamDesign square = design_cam(valve("{box: [0.04, 0.04]}", plate, 0.03));
  ASSERT_TRUE(square.corner_angle);
  EXPECT_NEAR(std::remainder(*square.corner_angle, pi / 2), 0, 2 * pi / 720);
  EXPECT_FALSE(design_cam(valve("{circle: 0.03, at: [0.008, 0]}", plate, 0.04)).corner_angle);
  EXPECT_FALSE(design_cam(valve(cam("flat"), plate, 0.061)).corner_angle);
}

TEST(CamDesign, SaysWhatIsWrong) {
  const char* const disk = "{circle: 0.03}";
  EXPECT_THAT([&] { design_cam(valve(disk, plate, 0.04), {.contact = "top"}); },
              ThrowsMessage<InputError>(HasSubstr("no contact 'top' in the model; did you mean")));
  EXPECT_THAT([&] { design_cam(valve(disk, "{circle: 0.01, at: [1, 0]}", 0.04)); },
              ThrowsMessage<InputError>(HasSubstr("does not come down on it")));
  EXPECT_THAT([&] { design_cam(valve(disk, plate, 0.04), {.points = 0}); },
              ThrowsMessage<InputError>(HasSubstr("points")));
  Model loose = valve(disk, plate, 0.04);
  loose.joints.pop_back();
  loose.forces.clear();
  EXPECT_THAT([&] { design_cam(loose); },
              ThrowsMessage<InputError>(HasSubstr("'valve' is neither cam nor follower")));
  Model still = valve(disk, plate, 0.04);
  still.joints.front().kind = Prismatic{};
  EXPECT_THAT([&] { design_cam(still); }, ThrowsMessage<InputError>(HasSubstr("turns")));
  Model driven = valve(disk, plate, 0.04);
  driven.joints.back().drive = Drive{of_phi("0.04")};
  EXPECT_THAT([&] { design_cam(driven); },
              ThrowsMessage<InputError>(HasSubstr("has a drive or moves other joints")));
}

}  // namespace
}  // namespace backlash::test::cam_design
