// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/results/recorder.h"
#include "support/lasting_models.h"
#include "support/models.h"
#include "support/runs.h"
#include "support/systems/planar_body.h"

/// Steps of the length that the motion needs (theory 4.16 to 4.18).
namespace backlash::test::automatic_steps {
namespace {

constexpr double g = 9.81;

MoreauOptions automatic(double tolerance = 1e-7) {
  return {.automatic_step = true, .step_tolerance = tolerance};
}

/// A body above a floor that throws it back.
PlanarBody ball(double restitution) {
  PlanarBodyData data;
  data.touches = {{.name = "floor", .law = {.restitution = restitution}, .tangents = 0}};
  return PlanarBody(data);
}

/// The height of a ball that fell from h, at a time before it comes to rest.
double height(double h, double restitution, double t) {
  const double fall = std::sqrt(2 * h / g);
  if (t < fall) return h - g * t * t / 2;
  double v = restitution * g * fall, since = t - fall;
  for (; since > 2 * v / g; v *= restitution) since -= 2 * v / g;
  return v * since - g * since * since / 2;
}

TEST(AutomaticSteps, FollowABouncingBallThroughItsImpacts) {
  const double h = 0.5, restitution = 0.7, until = 1.2;
  const PlanarBody system = ball(restitution);
  for (const double tolerance : {1e-6, 1e-8}) {
    Moreau integrator(system, automatic(tolerance));
    State state = initial_state(system, 0, Vec3(0, h, 0), Vec3::Zero());
    int impacts = 0;
    double longest_impact = 0;
    const RunSummary summary =
        simulate(integrator, state, until, [&](const State& now, const StepResult& result) {
          if (std::ranges::any_of(result.contacts, is_impact)) {
            ++impacts;
            longest_impact = std::max(longest_impact, result.step);
          }
          // Each impact is off by its tolerance, and the time of all that follow with it.
          EXPECT_NEAR(now.q[1], height(h, restitution, now.t), 20 * (impacts + 1) * tolerance);
        });
    EXPECT_GE(impacts, 3);
    EXPECT_EQ(summary.impacts, impacts);
    EXPECT_LT(longest_impact, 1e2 * tolerance);
    EXPECT_EQ(summary.largest_step, 1e-3);
    EXPECT_LT(summary.steps, 1200 + 20 * impacts);
  }
}

TEST(AutomaticSteps, OfABallThatBouncesForEverComeToAnEnd) {
  const PlanarBody system = ball(0.5);
  Moreau integrator(system, automatic());
  State state = initial_state(system, 0, Vec3(0, 0.1, 0), Vec3::Zero());
  const double rest = std::sqrt(2 * 0.1 / g) * (1 + 2 * 0.5 / (1 - 0.5));  // the sum of all flights
  const RunSummary summary = simulate(integrator, state, 2 * rest);
  EXPECT_EQ(summary.status, StepStatus::done);
  EXPECT_NEAR(state.q[1], 0, 1e-6);
  EXPECT_NEAR(state.u[1], 0, 1e-9);
  EXPECT_LT(summary.steps, 1e3 * 2 * rest + 400);
}

TEST(AutomaticSteps, ThatAreRejectedLeaveTheStateAsItWas) {
  const PlanarBody system = ball(0.7);
  Moreau integrator(system, automatic());
  State state = initial_state(system, 0, Vec3(0, 0.5, 0), Vec3::Zero());
  int rejected = 0;
  while (state.t < 1.4) {
    State before = state;
    const StepResult& result = integrator.step(state, {.until = 1.4});
    ASSERT_EQ(result.status, StepStatus::done);
    if (result.rejected.empty()) continue;
    ++rejected;
    Moreau at_once(system, automatic());
    at_once.step(before, result.step);
    EXPECT_TRUE(before.q == state.q && before.u == state.u);
    ASSERT_EQ(before.contacts.size(), state.contacts.size());
    for (std::size_t i = 0; i < before.contacts.size(); ++i) {
      EXPECT_EQ(before.contacts[i].key, state.contacts[i].key);
      EXPECT_EQ(before.contacts[i].state, state.contacts[i].state);
      EXPECT_EQ(before.contacts[i].impulse, state.contacts[i].impulse);
    }
  }
  EXPECT_GE(rejected, 3);
}

/// A block that a force pushes which grows steadily: its velocity is a parabola, which the
/// trapezoidal rule makes Δt³/12 times the jerk of the way too much in a step.
TEST(AutomaticSteps, OfAForceThatGrowsAreAsLongAsTheirErrorInClosedFormAllows) {
  const double mass = 2, growth = 3, jerk = growth / mass, until = 10;
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
forces: {push: {type: joint_force, joint: rail, force: 3*t}}
)");
  for (const double tolerance : {1e-5, 1e-7}) {
    MoreauOptions options = automatic(tolerance);
    options.max_step = 1;
    Moreau integrator(*assembly.system, options);
    State state = assembly.start;
    const double allowed = tolerance * assembly.system->info().length;
    double sum = 0;
    const RunSummary summary =
        simulate(integrator, state, until, [&](const State&, const StepResult& result) {
          const double error = std::pow(result.step, 3) * jerk / 12;
          EXPECT_LE(error, allowed * (1 + 1e-6));
          sum += error;
        });
    EXPECT_NEAR(state.q[0], jerk * until * until * until / 6 + sum, 1e-9);
    EXPECT_GT(std::pow(2 * summary.largest_step, 3) * jerk / 12, allowed);  // not twice as long
    EXPECT_LT(summary.steps, 1.1 * until / summary.largest_step + 20);
  }
}

/// A bead falls into a ring and slides on with what it has along it, as a pendulum that keeps its
/// energy. Nothing is known of the error of the first step after the landing: in free flight steps
/// were as long as they may be.
TEST(AutomaticSteps, AreShortWhereALandingBeginsAMotionThatNeedsIt) {
  const double c = 0.5, x = 0.3, y = -0.4;  // of the ring, and where the bead lands [m]
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
laws: {soft: {restitution: 0, friction: 0}}
bodies:
  ground: {shapes: {guide: {ring: 0.5}}}
  bead: {mass: 1, inertia: 1e-3, shape: {point: [0, 0]}, initial: {position: [0.3, 0]}}
contacts: {touch: {between: [ground.guide, bead], law: soft}}
)");
  const double along = std::sqrt(-2 * g * y) * x / c, energy = along * along / 2 + g * y;
  for (const double tolerance : {1e-6, 1e-8}) {
    MoreauOptions options = automatic(tolerance);
    options.max_step = 0.02;
    Moreau integrator(*assembly.system, options);
    State state = assembly.start;
    int since = 0;  // the landing
    simulate(integrator, state, 0.5, [&](const State& now, const StepResult&) {
      if (now.contacts.empty() || ++since > 4) return;
      const double found = energy_ledger(*assembly.system, now).mechanical();
      EXPECT_NEAR(found, energy, 10 * tolerance) << since;
    });
    EXPECT_GT(since, 4);
  }
}

/// A bead that loops in a ring for a minute: steps that follow each change of its acceleration
/// would make energy in each turn.
TEST(AutomaticSteps, OfAMotionThatComesBackMakeNoEnergyThatGrows) {
  const Assembly assembly = assembled(lasting::bead().text);
  Moreau integrator(*assembly.system, automatic());
  State state = assembly.start;
  const double before = energy_ledger(*assembly.system, state).mechanical();
  double early = 0, late = 0;
  const RunSummary summary =
      simulate(integrator, state, 60, [&](const State& now, const StepResult&) {
        double& worst = now.t < 6 ? early : late;
        const double made = energy_ledger(*assembly.system, now).mechanical() - before;
        worst = std::max(worst, std::abs(made));
      });
  EXPECT_EQ(summary.largest_step, 1e-3);
  EXPECT_LT(summary.steps, 60 / 0.4e-3);  // a good part of them is as long
  EXPECT_LT(late, 1.05 * early);
  EXPECT_LT(late, 1e-4 * before);
}

/// θ1 of the slider-crank at 0.1 s, and how many steps were tried for it.
struct Crank {
  double angle = 0;
  double tries = 0;
};

Crank crank_after(const MoreauOptions& options) {
  const SliderCrank system;
  Moreau integrator(system, options);
  State state = slider_crank_start(system);
  const RunSummary summary = simulate(integrator, state, 0.1);
  EXPECT_EQ(summary.status, StepStatus::done);
  return {state.q[0], static_cast<double>(summary.steps + summary.rejected_steps)};
}

/// Geometric mean of error × tries: what of the error is left per unit of work.
double error_by_work(const std::vector<MoreauOptions>& all, double reference) {
  double sum = 0;
  for (const MoreauOptions& options : all) {
    const Crank found = crank_after(options);
    sum += std::log(std::abs(found.angle - reference) * found.tries);
  }
  return std::exp(sum / static_cast<double>(all.size()));
}

TEST(AutomaticSteps, OfTheSliderCrankHaveLessThanAThirdOfTheErrorOfAsManyEqualOnes) {
  const double reference = crank_after({.step = 1e-7}).angle;
  std::vector<MoreauOptions> equal, chosen;
  for (const double step : {5e-5, 3e-5, 2e-5, 1.5e-5, 1e-5, 7e-6}) equal.push_back({.step = step});
  for (const double tolerance : {1e-6, 1e-7, 3e-8, 1e-8}) chosen.push_back(automatic(tolerance));
  const double ratio = error_by_work(equal, reference) / error_by_work(chosen, reference);
  RecordProperty("error by work, equal over automatic", std::to_string(ratio));
  EXPECT_GT(ratio, 3);
}

/// A four-bar with play in one pin, driven at 300 rpm.
std::string rattling_four_bar(double play) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  crank: {{mass: 0.3, inertia: 2e-4, com: [0.05, 0]}}
  coupler: {{mass: 0.6, inertia: 5e-3, com: [0.15, 0]}}
  rocker: {{mass: 0.5, inertia: 3e-3, com: [0.12, 0]}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{angle: 31.4*t}}}}
  B: {{type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]]}}
  C: {{type: revolute, between: [coupler, rocker], at: [[0.3, 0], [0.25, 0]],
      clearance: {{gap: {}, journal_radius: 10 mm, law: steel}}}}
  D: {{type: revolute, between: [ground, rocker], at: [[0.28, 0], [0, 0]], initial: {{guess: 1.9}}}}
laws: {{steel: {{restitution: 0.3, friction: 0.05}}}}
)",
                     play);
}

TEST(AutomaticSteps, KeepAJournalInAPlayThatIsSmallBesideTheWayOfALongStep) {
  for (const double play : {2e-4, 1e-5, 1e-6}) {
    const Assembly assembly = assembled(rattling_four_bar(play));
    Moreau integrator(*assembly.system, automatic());
    State state = assembly.start;
    const RunSummary summary = simulate(integrator, state, 0.05);
    EXPECT_EQ(summary.status, StepStatus::done);
    EXPECT_LT(summary.deepest.of_play, 0.1) << play;
    Moreau equal(*assembly.system, {.step = 1e-4});
    state = assembly.start;
    if (play == 1e-6) {
      EXPECT_GT(simulate(equal, state, 0.05).deepest.of_play, 1);
    }
  }
}

TEST(AutomaticSteps, LeaveRowsAtTheTimesThatWereAskedFor) {
  const PlanarBody system = ball(0.7);
  Moreau integrator(system, automatic());
  State state = initial_state(system, 0, Vec3(0, 0.5, 0), Vec3::Zero());
  const double every = 3.7e-4;
  Recorder recorder(system, state, {.every = every, .steps = true});
  simulate(integrator, state, 0.6,
           [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  const std::size_t columns = state_channels(system.info()).size();
  const std::vector<double>& rows = recorder.recording().states;
  for (std::size_t i = 0; i * columns < rows.size(); ++i) {
    const double t = every * static_cast<double>(i);
    EXPECT_NEAR(rows[i * columns], t, 1e-12);
    EXPECT_NEAR(rows[i * columns + 2], height(0.5, 0.7, t), 1e-5);
  }
  double t = 0;
  int rejected = 0;
  for (const StepRow& step : recorder.recording().steps) {
    rejected += !step.accepted;
    EXPECT_NEAR(step.t - step.step, t, 1e-12);  // a try begins where the last step ended
    if (step.accepted) t = step.t;
  }
  EXPECT_GT(rejected, 0);
}

TEST(AutomaticSteps, MeetTheConditionOfAnEvent) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
forces: {push: {type: joint_force, joint: rail, force: 3}}
events: {far: {when: rail.q - 0.1, deactivate: [push]}}
)");
  Moreau integrator(*assembly.system, automatic());
  State state = assembly.start;
  simulate(integrator, state, 1);
  EXPECT_NEAR(state.u[0], std::sqrt(2 * 1.5 * 0.1), 1.5 * 1e-6);  // as long too fast as it was late
}

}  // namespace
}  // namespace backlash::test::automatic_steps
