// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contact that lasts, by the contact scheme `lasting` (theory 4.11): closed forms, with the order
// in which position, velocity and force come to them.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "support/systems/ball_on_table.h"

namespace backlash::test::lasting_contact {
namespace {

/// What is known of a run: the largest errors after its first hundredth.
struct Errors {
  double position = 0;  ///< [m]
  double speed = 0;     ///< [m/s]
  double force = 0;     ///< mean of each step [N]
  double gap = 0;       ///< at the end of a step [m]
  int impacts = 0;
};

/// Runs a model with one contact; `judge(state, step, force, errors)` compares.
template <class Judge>
Errors run(const std::string& text, double step, double until, Judge judge) {
  const Assembly assembly = assemble(parse_model(text, "lasting.yaml"));
  Moreau integrator(*assembly.system, {.step = step, .contact_scheme = ContactScheme::lasting});
  State state = assembly.start;
  Errors errors;
  const auto observe = [&](const State& now, const StepResult& result) {
    for (const ContactOutcome& contact : result.contacts)
      if (is_impact(contact)) ++errors.impacts;
    if (now.t < 0.01 * until) return;
    ASSERT_EQ(result.contacts.size(), 1u) << "open at t = " << now.t;
    judge(now, result.contacts[0].impulse[0] / step, errors);
  };
  const RunSummary summary = simulate(integrator, state, until, observe);
  EXPECT_EQ(summary.status, StepStatus::done);
  EXPECT_EQ(errors.impacts, 0);
  return errors;
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

constexpr double mass = 2, play = 1e-3, v0 = 0.5;  // [kg, m, m/s]

std::string journal(double friction, double radius) {
  return fmt::format(
      "backlash: 1\nlaws:\n  hard: {{restitution: 0.5, friction: {}}}\n"
      "bodies:\n  shaft: {{mass: {}, inertia: 0.01, initial: {{position: [{}, 0], velocity: [0, "
      "{}]}}}}\n"
      "joints:\n  pin: {{type: revolute, between: [ground, shaft], at: [[0, 0], [0, 0]], "
      "clearance: {{gap: {}, journal_radius: {}, law: hard}}}}\n"
      "simulation: {{coordinates: absolute}}\n",
      friction, mass, play, v0, play, radius);
}

TEST(LastingContact, KeepsAJournalCirclingInItsBearingWithTheForceThatThisTakes) {
  std::array<Errors, 3> found;
  for (std::size_t k = 0; k < 3; ++k)
    found[k] = run(journal(0, 0.01), 4e-5 / std::pow(2, k), 0.1,
                   [](const State& state, double force, Errors& e) {
                     const double angle = v0 / play * state.t;
                     const Vec2 place = play * Vec2(std::cos(angle), std::sin(angle));
                     e.position = std::max(e.position, (state.q.head<2>() - place).norm());
                     e.gap = std::max(e.gap, std::abs(state.q.head<2>().norm() - play));
                     e.speed = std::max(e.speed, std::abs(state.u.head<2>().norm() - v0));
                     e.force = std::max(e.force, std::abs(force - mass * v0 * v0 / play));
                   });
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(order(found[k].position, found[k + 1].position), 2, 0.05);
    EXPECT_NEAR(order(found[k].force, found[k + 1].force), 2, 0.05);
    EXPECT_GT(order(found[k].gap, found[k + 1].gap), 2.9);
  }
  EXPECT_LT(found[2].force, 4e-6 * mass * v0 * v0 / play);
  EXPECT_LT(found[2].gap, 1e-9 * play);
  EXPECT_LT(found[2].speed, 1e-5 * v0);
}

TEST(LastingContact, SlowsABeadInARingAsFrictionDoes) {
  constexpr double mu = 0.2;
  std::array<Errors, 3> found;
  for (std::size_t k = 0; k < 3; ++k) {
    const double step = 4e-5 / std::pow(2, k);
    found[k] = run(journal(mu, 0), step, 0.1, [=](const State& state, double force, Errors& e) {
      const auto speed = [](double t) { return v0 / (1 + mu * v0 * t / play); };
      const double angle = std::log(1 + mu * v0 * state.t / play) / mu;
      const Vec2 place = play * Vec2(std::cos(angle), std::sin(angle));
      const double v = speed(state.t - step / 2);
      e.position = std::max(e.position, (state.q.head<2>() - place).norm());
      e.speed = std::max(e.speed, std::abs(state.u.head<2>().norm() - speed(state.t)));
      e.force = std::max(e.force, std::abs(force - mass * v * v / play));
    });
  }
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(order(found[k].position, found[k + 1].position), 2, 0.15);
    EXPECT_NEAR(order(found[k].speed, found[k + 1].speed), 2, 0.15);
    EXPECT_NEAR(order(found[k].force, found[k + 1].force), 2, 0.15);
  }
  EXPECT_LT(found[2].gap, 1e-6 * play);
}

TEST(LastingContact, KeepsAFlatFollowerOnAnEccentricDiscWithTheForceOfItsSpring) {
  constexpr double m = 0.5, g = 9.81, k = 2000, e = 0.01, omega = 30, F0 = 20, r = 0.03;
  const std::string text = fmt::format(
      "backlash: 1\ngravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0}}\n"
      "bodies:\n  cam: {{mass: 1, inertia: 1e-3, shape: {{circle: {}, at: [{}, 0]}}}}\n"
      "  follower: {{mass: {}, inertia: 1e-3, shape: {{line: {{point: [0, 0], normal: [0, "
      "-1]}}}}}}\n"
      "joints:\n  shaft: {{type: revolute, between: [ground, cam], at: [[0, 0], [0, 0]], "
      "drive: {{speed: {}}}}}\n"
      "  guide: {{type: prismatic, between: [ground, follower], at: [[0, 0], [0, 0]], axis: [0, "
      "1], "
      "initial: {{position: {}, speed: {}}}}}\n"
      "forces:\n  spring: {{type: joint_spring, joint: guide, stiffness: {}, rest: {}}}\n"
      "contacts:\n  touch: {{between: [cam, follower], law: hard}}\n",
      g, r, e, m, omega, r, e * omega, k, r - e - F0 / k);
  std::array<Errors, 3> found;
  for (std::size_t i = 0; i < 3; ++i) {
    const double step = 4e-4 / std::pow(2, i);
    found[i] = run(text, step, 2, [=](const State& state, double force, Errors& errors) {
      const double lift = r + e * std::sin(omega * state.t);
      const double phase = std::sin(omega * (state.t - step / 2));
      const double expected = F0 + m * g + k * e * (1 + phase) - m * e * omega * omega * phase;
      errors.position = std::max(errors.position, std::abs(state.q[1] - lift));
      errors.force = std::max(errors.force, std::abs(force - expected));
    });
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(order(found[i].position, found[i + 1].position), 1.9);
    EXPECT_NEAR(order(found[i].force, found[i + 1].force), 2, 0.1);
  }
  EXPECT_LT(found[2].force, 1e-3);
  EXPECT_LT(found[2].position, 1e-9);  // the disc is driven: this is the gap
}

TEST(PlasticImpact, EndsInRestWhereverInItsStepAndHoweverShortTheStep) {
  const BallOnTable ball({.mass = 2});
  for (const double step : {1e-3, 1e-4, 1e-5, 1e-6})
    for (int i = 0; i < 8; ++i) {
      const double height = 1e-3 + 3e-6 * i, v = std::sqrt(2 * 9.81 * height);
      SCOPED_TRACE(fmt::format("step {} from {}", step, height));
      State state = initial_state(ball, 0, Vector::Constant(1, height), Vector::Zero(1));
      Moreau integrator(ball, {.step = step});
      int impacts = 0;
      double highest = 0;
      simulate(integrator, state, 0.025, [&](const State& now, const StepResult& result) {
        for (const ContactOutcome& contact : result.contacts) impacts += is_impact(contact);
        if (impacts > 0) highest = std::max(highest, now.u[0]);
      });
      EXPECT_EQ(impacts, 1);
      EXPECT_LT(highest, 9.81 * step + 1e-12 * v);
      EXPECT_NEAR(state.q[0], 0, 1e-9);
    }
}

}  // namespace
}  // namespace backlash::test::lasting_contact
