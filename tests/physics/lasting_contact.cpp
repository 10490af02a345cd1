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

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/lasting_models.h"
#include "support/models.h"
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
Errors run(const Assembly& assembly, double step, double until, Judge judge) {
  Moreau integrator(*assembly.system, {.step = step});
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

const char* const choices[] = {"joint", "absolute"};

TEST(LastingContact, KeepsAJournalCirclingInItsBearingWithTheForceThatThisTakes) {
  const lasting::Journal shaft;
  const double play = shaft.play, v0 = shaft.speed;
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    std::array<Errors, 3> found;
    for (std::size_t k = 0; k < 3; ++k)
      found[k] = run(lasting::circling(shaft, coordinates), 4e-5 / std::pow(2, k), 0.1,
                     [=](const State& state, double force, Errors& e) {
                       const double angle = shaft.angle_at(state.t);
                       const Vec2 place = play * Vec2(std::cos(angle), std::sin(angle));
                       e.position = std::max(e.position, (state.q.head<2>() - place).norm());
                       e.gap = std::max(e.gap, std::abs(state.q.head<2>().norm() - play));
                       e.speed = std::max(e.speed, std::abs(state.u.head<2>().norm() - v0));
                       e.force = std::max(e.force, std::abs(force - shaft.force(v0)));
                     });
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(order(found[k].position, found[k + 1].position), 2, 0.05);
      EXPECT_NEAR(order(found[k].force, found[k + 1].force), 2, 0.05);
      EXPECT_GT(order(found[k].gap, found[k + 1].gap), 2.9);
    }
    EXPECT_LT(found[2].force, 4e-6 * shaft.force(v0));
    EXPECT_LT(found[2].gap, 1e-9 * play);
    EXPECT_LT(found[2].speed, 1e-5 * v0);
  }
}

TEST(LastingContact, SlowsABeadInARingAsFrictionDoes) {
  const lasting::Journal bead{.friction = 0.2, .radius = 0};
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    std::array<Errors, 3> found;
    for (std::size_t k = 0; k < 3; ++k) {
      const double step = 4e-5 / std::pow(2, k);
      found[k] = run(lasting::circling(bead, coordinates), step, 0.1,
                     [=](const State& state, double force, Errors& e) {
                       const double angle = bead.angle_at(state.t), v = bead.speed_at(state.t);
                       const double expected = bead.force(bead.speed_at(state.t - step / 2));
                       const Vec2 place = bead.play * Vec2(std::cos(angle), std::sin(angle));
                       e.position = std::max(e.position, (state.q.head<2>() - place).norm());
                       e.gap = std::max(e.gap, std::abs(state.q.head<2>().norm() - bead.play));
                       e.speed = std::max(e.speed, std::abs(state.u.head<2>().norm() - v));
                       e.force = std::max(e.force, std::abs(force - expected));
                     });
    }
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(order(found[k].position, found[k + 1].position), 2, 0.15);
      EXPECT_NEAR(order(found[k].speed, found[k + 1].speed), 2, 0.15);
      EXPECT_NEAR(order(found[k].force, found[k + 1].force), 2, 0.15);
    }
    EXPECT_LT(found[2].gap, 1e-6 * bead.play);
  }
}

TEST(LastingContact, KeepsAFlatFollowerOnAnEccentricDiscWithTheForceOfItsSpring) {
  const lasting::Follower cam;
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = assembled(cam.text() + lasting::in_coordinates(coordinates));
    std::array<Errors, 3> found;
    for (std::size_t i = 0; i < 3; ++i) {
      const double step = 4e-4 / std::pow(2, i);
      found[i] = run(assembly, step, 2, [&](const State& state, double force, Errors& e) {
        const double lift = motion_of(*assembly.system, state, 1).p_W.y();
        e.position = std::max(e.position, std::abs(lift - cam.lift(state.t)));
        e.force = std::max(e.force, std::abs(force - cam.force(state.t - step / 2)));
      });
    }
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GT(order(found[i].position, found[i + 1].position), 1.9);
      EXPECT_NEAR(order(found[i].force, found[i + 1].force), 2, 0.1);
    }
    EXPECT_LT(found[2].force, 1e-3);
    EXPECT_LT(found[2].position, 1e-9);  // the disc is driven: this is the gap
  }
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
