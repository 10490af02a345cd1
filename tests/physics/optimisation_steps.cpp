// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test {
namespace {

constexpr double g = 9.81;  // [m/s²]

OptimisationOptions with_step(double step, Optimiser optimiser = Optimiser::ipopt) {
  OptimisationOptions options;
  options.warm_start = WarmStart::point;  // the optimiser in every step
  options.step = step;
  options.optimiser = optimiser;
  return options;
}

State run_optimisation(const Assembly& assembly, const OptimisationOptions& options, double until) {
  Optimisation integrator(*assembly.system, options);
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, until);
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  return state;
}

State run_moreau(const Assembly& assembly, double step, double until) {
  Moreau integrator(*assembly.system, {.step = step});
  State state = assembly.start;
  EXPECT_EQ(simulate(integrator, state, until).status, StepStatus::done);
  return state;
}

std::string block_on_incline(double slope, double friction) {
  return fmt::format(R"(
gravity: [{}, {}]
bodies:
  ground: {{shapes: {{slope: {{line: {{normal: [0, 1]}}}}}}}}
  block: {{mass: 1, inertia: 0.001, shape: {{box: [0.1, 0.04]}}, initial: {{position: [0, 0.02]}}}}
contacts: {{foot: {{between: [block, ground.slope], law: wood}}}}
laws: {{wood: {{restitution: 0, friction: {}}}}}
)",
                     g * std::sin(slope), -g * std::cos(slope), friction);
}

TEST(OptimisationStep, LetsABlockSlideDownAnInclineAsCoulombSays) {
  const double slope = 0.5, friction = 0.2, until = 0.1, h = 1e-3;
  const Assembly assembly = assembled(block_on_incline(slope, friction));
  const double a = g * (std::sin(slope) - friction * std::cos(slope));
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp}) {
    const State end = run_optimisation(assembly, with_step(h, optimiser), until);
    EXPECT_NEAR(end.u[0], a * until, 1e-11);
    EXPECT_NEAR(end.q[0], a * until * (until + h) / 2, 1e-12);  // implicit Euler, exactly
    EXPECT_NEAR(end.q[1], 0.02, 1e-15);
  }
}

TEST(OptimisationStep, HoldsABlockByFrictionWhereItIsEnough) {
  const Assembly assembly = assembled(block_on_incline(0.3, 0.35));
  const State end = run_optimisation(assembly, with_step(1e-3), 0.1);
  EXPECT_LT(end.u.cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_NEAR(end.q[0], 0, 1e-15);
}

/// Both methods converge to one motion, at first order; the linkage rattles with friction.
TEST(OptimisationStep, ComesToTheMotionOfMoreausStepWithFriction) {
  const Assembly assembly = assembled(rattling_linkage("restitution: 0, friction: 0.2"));
  const double until = 0.006;
  const State reference = run_moreau(assembly, 1e-7, until);
  const double coarse = (run_optimisation(assembly, with_step(2e-5), until).q - reference.q).norm();
  const OptimisationOptions short_steps = with_step(5e-6, Optimiser::slsqp);  // takes a tenth
  const double fine = (run_optimisation(assembly, short_steps, until).q - reference.q).norm();
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(fine, 0.5 * coarse);
}

TEST(OptimisationStep, StopsASlidingBlockAndKeepsItThere) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  block: {mass: 1, inertia: 0.001, shape: {box: [0.1, 0.04]},
          initial: {position: [0, 0.02], velocity: [0.2, 0]}}
contacts: {foot: {between: [block, ground.floor], law: wood}}
laws: {wood: {restitution: 0, friction: 0.3}}
)");
  const double h = 1e-3, distance = 0.2 * 0.2 / (2 * 0.3 * g);
  const State end = run_optimisation(assembly, with_step(h), 0.1);
  EXPECT_EQ(std::abs(end.u[0]) < 1e-14, true);
  EXPECT_NEAR(end.q[0], distance, 0.2 * h);
}

TEST(OptimisationStep, HoldsLoopsAndGapsAsPositions) {
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = assembled(flat_parallelogram(coordinates));
    Optimisation integrator(*assembly.system, with_step(2e-3));
    State state = assembly.start;
    Vector errors(static_cast<Eigen::Index>(assembly.system->info().bilaterals.size()));
    double worst = 0;
    const RunSummary summary = simulate(integrator, state, 0.3, [&](const State& now, const auto&) {
      assembly.system->bilateral_errors(configuration(*assembly.system, now), errors);
      worst = std::max(worst, errors.cwiseAbs().maxCoeff());
    });
    EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
    EXPECT_LT(worst, 1e-12);
  }
}

TEST(OptimisationStep, BouncesByTheRestitutionOfTheLawOrNotAtAll) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.3]}}
contacts: {hit: {between: [ball, ground.floor], law: rubber}}
laws: {rubber: {restitution: 0.6}}
)");
  const double fall = std::sqrt(2 * 0.2 / g), speed = g * fall;
  OptimisationOptions options = with_step(1e-5);
  const double after = fall + 1e-3;
  EXPECT_NEAR(run_optimisation(assembly, options, after).u[1], 0.6 * speed - g * 1e-3, 1e-3);
  options.impacts = Impacts::plastic;
  EXPECT_NEAR(run_optimisation(assembly, options, after).u[1], 0, 1e-11);  // ε q/h
}

TEST(OptimisationStep, HasDryFrictionInJointsClutchesAndOneWayClutches) {
  const Assembly assembly = assembled(R"(
bodies: {wheel: {mass: 1, inertia: 0.5}, flywheel: {mass: 1, inertia: 2}}
joints:
  axle: {type: revolute, between: [ground, wheel], friction: {strength: 3}, initial: {speed: 4}}
  shaft: {type: revolute, between: [ground, flywheel], initial: {speed: 1}}
forces:
  pawl: {type: one_way_clutch, joint: shaft, free: counter-clockwise}
  brake: {type: torque, body: flywheel, torque: -5}
)");
  const State sliding = run_optimisation(assembly, with_step(1e-2), 0.1);
  EXPECT_NEAR(sliding.u[0], 4 - 3 / 0.5 * 0.1, 1e-12);
  EXPECT_NEAR(sliding.u[1], 1 - 5.0 / 2 * 0.1, 1e-12);
  const State stopped = run_optimisation(assembly, with_step(1e-2), 1);
  EXPECT_NEAR(stopped.u[0], 0, 1e-13);
  EXPECT_NEAR(stopped.u[1], 0, 1e-13);
}

/// Friction that a drive overcomes from the first step on: the motion without contacts, in which
/// friction holds, does not exist.
TEST(OptimisationStep, DrivesAJointAgainstItsFriction) {
  for (const char* motion : {"speed: 10", "angle: 1 - cos(10*t)", "angle: cos(10*t) - 1"})
    for (const double strength : {1.0, 0.0})
      for (const WarmStart warm_start : {WarmStart::point, WarmStart::active_set}) {
        SCOPED_TRACE(fmt::format("{}, {} N m", motion, strength));
        const Assembly assembly = assembled(fmt::format(R"(
bodies: {{crank: {{mass: 1, inertia: 4e-3, com: [0.1, 0]}}}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{{}}}, friction: {{strength: {}}}}}
)",
                                                        motion, strength));
        OptimisationOptions options = with_step(1e-3);
        options.warm_start = warm_start;
        const double start_speed = std::abs(assembly.start.u[0]);
        const EnergyLedger before = energy_ledger(*assembly.system, assembly.start);
        const State end = run_optimisation(assembly, options, 0.05);
        const EnergyLedger after = energy_ledger(*assembly.system, end);
        // Impulses do the work of the mean velocity of a step, whose way is that of the last one.
        const double way = std::abs(end.q[0]) - 0.5e-3 * (std::abs(end.u[0]) - start_speed);
        EXPECT_NEAR(after.relays, -strength * way, 1e-9);
        EXPECT_NEAR(made_by_method(before, after) / after.mechanical(), 0, 0.1);  // of order 1
      }
}

/// Two equal pins where one would do: each takes half.
TEST(OptimisationStep, SharesTheForceOfRedundantRowsEqually) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies: {block: {mass: 2, inertia: 1}}
joints:
  rail: {type: prismatic, between: [ground, block], axis: [0, 1], limits: {lower: 0, law: dead}}
  twin: {type: prismatic, between: [ground, block], axis: [0, 1], limits: {lower: 0, law: dead}}
laws: {dead: {restitution: 0}}
)");
  Optimisation integrator(*assembly.system, with_step(1e-3));
  State state = assembly.start;
  const StepResult& result = integrator.step(state, {});
  ASSERT_EQ(result.status, StepStatus::done) << result.trouble;
  ASSERT_EQ(result.contacts.size(), 2u);
  for (const ContactOutcome& contact : result.contacts)
    EXPECT_NEAR(contact.impulse[0] / result.step, 2 * g / 2, 1e-9);
}

TEST(OptimisationStep, SaysWhatIsViolatedWhereNoMotionFulfilsAllConditions) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints:
  rail: {type: prismatic, between: [ground, block], drive: {speed: 1},
         limits: {upper: 0.0105, law: dead}}
laws: {dead: {restitution: 0}}
)");
  Optimisation integrator(*assembly.system, with_step(1e-3));
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, 0.1);
  EXPECT_EQ(summary.status, StepStatus::optimum_not_found);
  EXPECT_NEAR(state.t, 0.0105, 1e-6);  // steps were divided
  EXPECT_FALSE(integrator.last_result().rejected.empty());
  EXPECT_THAT(integrator.last_result().trouble, ::testing::HasSubstr("rail"));
  EXPECT_THAT(integrator.last_result().trouble, ::testing::HasSubstr("ipopt: "));
}

/// A block that an oscillating force drags to and fro: it sticks, slides and turns. Steps that go
/// on as the last one are solved without the optimiser, and nothing else changes.
TEST(OptimisationStep, IsTheSameWhereTheLastActiveSetIsTriedFirst) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  block: {mass: 2, inertia: 0.01, shape: {box: [0.2, 0.1]}, initial: {position: [0, 0.05]}}
contacts: {c: {between: [ground.floor, block], law: wood}}
laws: {wood: {restitution: 0, friction: 0.3}}
forces: {drag: {type: force, body: block, force: [9*sin(40*t), 0]}}
)");
  struct Row {
    State state;
    std::vector<double> impulses;
  };
  const auto rows_of = [&](WarmStart warm_start, long& iterations, int& optimised) {
    OptimisationOptions options = with_step(1e-3);
    options.warm_start = warm_start;
    Optimisation integrator(*assembly.system, options);
    State state = assembly.start;
    std::vector<Row> rows;
    const RunSummary summary =
        simulate(integrator, state, 0.4, [&](const State& now, const StepResult& result) {
          rows.push_back({now, {}});
          for (const ContactOutcome& contact : result.contacts)
            for (const double impulse : contact.impulse) rows.back().impulses.push_back(impulse);
          iterations += result.iterations;
          optimised += result.iterations > 0;
        });
    EXPECT_EQ(summary.status, StepStatus::done);
    return rows;
  };
  long iterations = 0, all_iterations = 0;
  int optimised = 0, all_optimised = 0;
  const std::vector<Row> rows = rows_of(WarmStart::active_set, iterations, optimised),
                         all = rows_of(WarmStart::point, all_iterations, all_optimised);
  ASSERT_EQ(rows.size(), all.size());
  double fastest = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    ASSERT_LT((rows[k].state.q - all[k].state.q).norm(), 1e-12) << k;
    ASSERT_LT((rows[k].state.u - all[k].state.u).norm(), 1e-11) << k;
    ASSERT_EQ(rows[k].impulses.size(), all[k].impulses.size()) << k;
    for (std::size_t i = 0; i < rows[k].impulses.size(); ++i)
      ASSERT_NEAR(rows[k].impulses[i], all[k].impulses[i], 1e-10) << k;
    fastest = std::max(fastest, std::abs(rows[k].state.u[0]));
  }
  EXPECT_GT(fastest, 0.01);  // it slides
  EXPECT_EQ(all_optimised, 400);
  EXPECT_LT(optimised, 40);  // where it begins or ends to slide
}

}  // namespace
}  // namespace backlash::test
