// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "conformance/integrator_variants.h"
#include "support/models.h"
#include "support/systems/ball_on_table.h"
#include "support/systems/pinned_crank.h"

namespace backlash::test {
namespace {

std::string bouncing(std::string_view law) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  ball: {{mass: 1, inertia: 0.1, shape: {{circle: 0.1}}, initial: {{position: [0, 0.3]}}}}
contacts: {{hit: {{between: [ball, ground.floor], law: rubber}}}}
laws: {{rubber: {{{}}}}}
)",
                     law);
}

/// An undamped oscillator with the frequency 20 rad/s, 0.1 m from its rest.
constexpr const char* oscillator = R"(
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {position: 0.1}}}
forces: {spring: {type: torsion_spring, joint: rail, stiffness: 800}}
)";

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> list;
  const auto add = [&](std::string name, std::unique_ptr<System> system, State start, double until,
                       double step) {
    list.push_back({std::move(name), std::move(system), std::move(start), until, step});
  };
  const auto add_model = [&](std::string name, std::string_view text, double until, double step) {
    Assembly assembly = assembled(text);
    add(std::move(name), std::move(assembly.system), std::move(assembly.start), until, step);
  };
  add_model("oscillator", oscillator, 0.5, 1e-3);
  add_model("four bodies in a loop", ideal_slider_crank(30), 0.05, 1e-4);
  add_model("bouncing ball", bouncing("restitution: 0.7, friction: 0.2"), 0.6, 1e-3);
  add_model("bouncing ball, compliant",
            bouncing("model: calibrated, stiffness: 1e7 N/m^1.5, restitution: 0.7"), 0.6, 1e-5);
  add_model("rattling linkage", rattling_linkage("restitution: 0.5, friction: 0.1"), 0.02, 1e-5);
  add_model("rattling linkage, compliant",
            rattling_linkage("model: calibrated, stiffness: 1e8 N/m^1.5, restitution: 0.5"), 0.01,
            2e-6);
  auto crank = std::make_unique<SliderCrank>();
  State start = slider_crank_start(*crank);
  add("hand-derived slider-crank", std::move(crank), std::move(start), 0.01, 1e-5);
  auto cam = std::make_unique<CamFollower>();
  start = cam_follower_start(*cam);
  add("hand-derived cam-follower", std::move(cam), std::move(start), 0.05, 1e-4);
  auto ball = std::make_unique<BallOnTable>(
      BallOnTableData{.amplitude = 0.01, .frequency = 50, .law = {.restitution = 0.5}});
  start = initial_state(*ball, 0, Vector::Constant(1, 0.1), Vector::Zero(1));
  add("ball on a moving table", std::move(ball), std::move(start), 0.5, 1e-3);
  auto pinned = std::make_unique<PinnedCrank>(
      PinnedCrankData{.gravity = 9.81, .floor = 0.0452, .law = {.restitution = 0.5}});
  start = pinned->start(0.5, 0);
  add("pinned crank", std::move(pinned), std::move(start), 0.3, 1e-3);
  return list;
}

/// Calls check(variant, mechanism) for all that go together.
template <class Check>
void for_every_pair(Check check) {
  for_every_pair(mechanisms(), 4, check);
}

TEST(EveryIntegrator, EndsWhereTheRunEndsAndGoesNeverBeyond) {
  for_every_pair([](const Variant& variant, const Mechanism& m) {
    const auto integrator = make(variant, m);
    State state = m.start;
    const double end = until(variant, m);
    double t = state.t;
    const RunSummary summary =
        simulate(*integrator, state, end, [&](const State& now, const StepResult& result) {
          EXPECT_EQ(result.t_start, t);
          EXPECT_GT(now.t, t);
          EXPECT_LE(now.t, end);
          EXPECT_NEAR(now.t - t, result.step, 1e-9 * result.step + 1e-15);
          t = now.t;
        });
    EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
    EXPECT_EQ(state.t, end);
    if (integrator->equal_step() > 0) {
      EXPECT_EQ(integrator->equal_step(), m.step);
    }
  });
}

TEST(EveryIntegrator, MeetsTheTimeAtWhichAStateIsDueOrPassesItWithTheStepsThatItAlwaysTakes) {
  for_every_pair([](const Variant& variant, const Mechanism& m) {
    const double end = until(variant, m), every = end / 37.3;
    std::set<double> ends;
    State undisturbed = m.start, state = m.start;
    const auto one = make(variant, m), other = make(variant, m);
    simulate(*one, undisturbed, end,
             [&](const State& now, const StepResult&) { ends.insert(now.t); });
    double due = every;
    simulate(
        *other, state, end, [&](double) { return due; },
        [&](const State& now, const StepResult& result) {
          if (now.t < due) return;
          if (now.t > due) {
            EXPECT_TRUE(other->equal_step() > 0 || variant.has("step", "auto") ||
                        variant.has_free_steps());
            EXPECT_TRUE(ends.contains(now.t));
            EXPECT_LT(now.t - due, result.step * (1 + 1e-9));
          }
          due = every * (std::floor(now.t / every * (1 + 1e-12)) + 1);
        });
    EXPECT_EQ(state.t, undisturbed.t);
    EXPECT_LT((state.q - undisturbed.q).norm(), 1e-12 * (1 + undisturbed.q.norm()));
    EXPECT_LT((state.u - undisturbed.u).norm(), 1e-9 * (1 + undisturbed.u.norm()));
  });
}

TEST(EveryIntegrator, BalancesTheEnergy) {
  for_every_pair([](const Variant& variant, const Mechanism& m) {
    if (!variant.is_crude()) expect_balance(variant, m, 0.02);
  });
}

TEST(EveryIntegrator, GoesOnFromASavedState) {
  for_every_pair([](const Variant& variant, const Mechanism& m) {
    if (!variant.is_crude()) expect_restart(variant, m, 60);
  });
}

TEST(EveryIntegrator, ComesCloserToTheOscillationInClosedFormTheFinerItsStepsAre) {
  const Assembly assembly = assembled(oscillator);
  const double omega = 20, until = 0.5;
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.name());
    const auto error = [&](double step, double tolerance) {
      Options chosen = variant.with_step(step);
      if (find_option(variant.method->options, "relative_tolerance"))
        set_option(chosen, "relative_tolerance", tolerance);
      if (variant.has("step", "auto")) set_option(chosen, "step_tolerance", tolerance);
      const auto integrator = variant.method->make(*assembly.system, chosen);
      State state = assembly.start;
      simulate(*integrator, state, until);
      return std::hypot(state.q[0] - 0.1 * std::cos(omega * until),
                        state.u[0] / omega + 0.1 * std::sin(omega * until));
    };
    const double shorter = variant.damps() ? 0.02 : 1;
    const double coarse = error(4e-3 * shorter, 1e-5), fine = error(1e-3 * shorter, 1e-9);
    const bool first_order = variant.name().find("start") != std::string::npos || variant.damps();
    EXPECT_LT(fine, 1e-3);
    EXPECT_LT(fine, coarse * (first_order ? 0.3 : 0.1));
  }
}

}  // namespace
}  // namespace backlash::test
