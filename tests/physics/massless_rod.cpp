// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/last_step.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::massless_rod {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double g = 9.81, pi = std::numbers::pi;

/// The force along the first rod of a mechanism over its last step [N].
double tension(const System& system, const State& before, const State& now) {
  return outputs_of(system, before, now).at("link.tension");
}

/// A bob on a rod of length l from the ground, at rest at an angle from hanging.
Assembly pendulum(double l, double angle, const char* coordinates = "joint") {
  return assembled(fmt::format(R"(
gravity: [0, -{}]
bodies: {{bob: {{mass: 2, inertia: 0.3, initial: {{position: [{}, {}]}}}}}}
joints: {{link: {{type: rod, between: [ground, bob], length: {}}}}}
simulation: {{coordinates: {}}}
)",
                               g, l * std::sin(angle), -l * std::cos(angle), l, coordinates));
}

TEST(Rod, CarriesABobAsAPendulumWhoseHalfPeriodIsTheEllipticIntegral) {
  const double l = 0.7, angle = 1.1;
  const double half = 2 * std::sqrt(l / g) * std::comp_ellint_1(std::sin(angle / 2));
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = pendulum(l, angle, coordinates);
    EXPECT_EQ(assembly.report.dofs, 2);  // the bob may turn
    EXPECT_EQ(assembly.report.dofs_by_counting, 2);
    const auto error = [&](int steps) {
      const State end = run(*assembly.system, assembly.start, half / steps, half);
      const Vec3 p = motion_of(*assembly.system, end).p_W;
      EXPECT_NEAR(p.norm(), l, 1e-10);
      return (p - Vec3(-l * std::sin(angle), -l * std::cos(angle), 0)).norm() +
             std::abs(motion_of(*assembly.system, end).v_W.norm());
    };
    EXPECT_LT(error(2000), 1e-4);
    EXPECT_GT(observed_order(error, 1000, 2000), 1.8);
  }
}

TEST(Rod, PullsAtAPendulumAtRestByItsPartOfTheWeight) {
  const double angle = 1.1;
  const Assembly assembly = pendulum(0.7, angle);
  State state = assembly.start;
  Moreau integrator(*assembly.system, {.step = 1e-5});
  integrator.step(state, {});
  EXPECT_NEAR(tension(*assembly.system, assembly.start, state), 2 * g * std::cos(angle), 1e-6);
}

TEST(Rod, PushesABobThatStandsOnIt) {
  const Assembly assembly = pendulum(0.7, pi);
  State state = assembly.start;
  Moreau integrator(*assembly.system, {.step = 1e-5});
  integrator.step(state, {});
  EXPECT_NEAR(tension(*assembly.system, assembly.start, state), -2 * g, 1e-6);
}

TEST(Rod, HoldsTwoMassesThatSpinByTheReducedMassTimesTheAcceleration) {
  const double m1 = 1, m2 = 3, l = 0.5, omega = 8, reduced = m1 * m2 / (m1 + m2);
  const Assembly assembly =
      assembled(fmt::format(R"(
bodies:
  a: {{mass: {}, inertia: 0.1, initial: {{position: [0, 0], velocity: [0, {}]}}}}
  b: {{mass: {}, inertia: 0.1, initial: {{position: [{}, 0], velocity: [0, {}]}}}}
joints: {{link: {{type: rod, between: [a, b], length: {}}}}}
)",
                            m1, -omega * l * m2 / (m1 + m2), m2, l, omega * l * m1 / (m1 + m2), l));
  State before = assembly.start, now = assembly.start;
  run(*assembly.system, assembly.start, 1e-4, 0.2, {}, [&](const State& state, const StepResult&) {
    std::swap(before, now);
    now = state;
  });
  EXPECT_NEAR(tension(*assembly.system, before, now), reduced * l * omega * omega, 1e-4);
}

TEST(Rod, LeavesABobInSpaceOnItsCone) {
  const double m = 2, l = 0.7, alpha = 0.6, omega = std::sqrt(g / (l * std::cos(alpha)));
  const double r = l * std::sin(alpha);
  Model model{.title = "conical pendulum", .space = ModelSpace::space};
  model.gravity = Vec3(0, 0, -g);
  model.bodies = {{.name = "bob",
                   .mass = m,
                   .inertia = {.xx = 0.1, .yy = 0.2, .zz = 0.3},
                   .initial = InitialMotion{.X_WB = {Vec3(r, 0, -l * std::cos(alpha))},
                                            .velocity = Vec3(0, omega * r, 0)}}};
  model.joints = {{.name = "link", .body_A = "ground", .body_B = "bob", .kind = Rod{.length = l}}};
  const Assembly assembly = assemble(model);
  EXPECT_EQ(assembly.report.dofs, 5);
  State before = assembly.start, now = assembly.start;
  run(*assembly.system, assembly.start, 1e-4, 0.5, {}, [&](const State& state, const StepResult&) {
    std::swap(before, now);
    now = state;
  });
  const Vec3 p = motion_of(*assembly.system, now).p_W;
  const Vec3 expected(r * std::cos(omega * 0.5), r * std::sin(omega * 0.5), -l * std::cos(alpha));
  EXPECT_LT((p - expected).norm(), 1e-6);
  EXPECT_NEAR(tension(*assembly.system, before, now), m * g / std::cos(alpha), 1e-4);
}

Vec3 start_at(const char* at, const char* length) {
  const Assembly assembly = assembled(
      fmt::format("bodies: {{bob: {{mass: 2, inertia: 0.3}}}}\n"
                  "joints: {{link: {{type: rod, between: [ground, bob], at: {}, length: {}}}}}\n",
                  at, length));
  return motion_of(*assembly.system, assembly.start).p_W;
}

TEST(Rod, MovesABodyWithoutAPlaceByTheLeastFromTheOrigin) {
  EXPECT_LT(start_at("[[0, 1], [0, 0]]", "1").norm(), 1e-12);
  const Vec3 towards = Vec3(1, 2, 0) * (1 - 0.5 / std::sqrt(5));
  EXPECT_LT((start_at("[[1, 2], [0, 0]]", "0.5") - towards).norm(), 1e-12);
}

TEST(Rod, WhoseEndsWouldCoincideBeginsAlongTheFirstAxis) {
  EXPECT_LT((start_at("[[0, 0], [0, 0]]", "0.5") - Vec3(0.5, 0, 0)).norm(), 1e-12);
}

TEST(Rod, NeedsALengthAndTakesNothingThatNeedsACoordinate) {
  const auto with = [](const std::string& keys) {
    return [=] {
      assembled(
          "bodies: {bob: {mass: 2, inertia: 0.3}}\n"
          "joints: {link: {type: rod, between: [ground, bob], " +
          keys + "}}\n");
    };
  };
  EXPECT_THAT(with("length: 0"), ThrowsMessage<InputError>(HasSubstr("length")));
  EXPECT_THAT(with("at: [[0, 0], [1, 0]]"),
              ThrowsMessage<InputError>(HasSubstr("missing key 'length'")));
  EXPECT_THAT(with("length: 1, friction: {strength: 1}"),
              ThrowsMessage<InputError>(HasSubstr("friction")));
  Model model = parse_model("backlash: 1\nbodies: {bob: {mass: 2, inertia: 0.3}}\n", "model.yaml");
  model.joints = {
      {.name = "link", .body_A = "ground", .body_B = "bob", .kind = Rod{.length = NAN}}};
  EXPECT_THAT([&] { assemble(model); },
              ThrowsMessage<InputError>(HasSubstr("joint 'link': length must be positive")));
}

}  // namespace
}  // namespace backlash::test::massless_rod
