// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/run/reach_watch.h"
#include "support/models.h"

/// Steps that are so short that the end of a run is out of reach.
namespace backlash::test_reach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double until = 1;

class Reach : public ::testing::Test {
 protected:
  SimulationOptions simulation(const std::string& method, Options options) {
    options.push_back({.key = "max_steps", .value = 1e5});
    return {.method = method, .options = std::move(options), .until = until};
  }

  /// Steps that are taken until the watch has seen enough; `most` if it has not.
  long steps_seen(ReachWatch& watch, double step, long most, double t = 0) {
    State state;
    StepResult result;
    for (long k = 1; k <= most; ++k) {
      result.t_start = t;
      result.step = step;
      state.t = t += step;
      if (!watch.accepts(state, result)) return k;
    }
    return most;
  }

  const Assembly assembly_ = test::assembled(test::two_stops);
  const SystemInfo& info_ = assembly_.system->info();
};

TEST_F(Reach, EndsWhereMoreStepsAreLeftThanAreAllowedForTwoWindows) {
  for (const auto& [method, option] :
       {std::pair{"moreau", Option{.key = "step", .value = "auto"}},
        {"compliant", {.key = "integrator", .value = "adams"}},
        {"optimisation", {.key = "step_control", .value = "free"}}}) {
    SCOPED_TRACE(method);
    const SimulationOptions chosen = simulation(method, {option});
    ReachWatch too_short(info_, chosen, 0);
    EXPECT_EQ(steps_seen(too_short, 0.9e-5, 10000), 4000);  // 1.1e5 steps are left
    EXPECT_THAT(too_short.describe(*assembly_.system, {}, {}),
                AllOf(HasSubstr("out of reach: at steps of 9e-06 s the end at 1 s is 1.1e+05 steps "
                                "away, more than max_steps (100000)"),
                      HasSubstr("no contact acts")));
    ReachWatch long_enough(info_, chosen, 0);
    EXPECT_EQ(steps_seen(long_enough, 1.1e-5, 10000), 10000);
  }
}

/// A bounce that comes to rest takes short steps for a while.
TEST_F(Reach, ForgetsShortStepsThatArePast) {
  const SimulationOptions chosen = simulation("moreau", {{.key = "step", .value = "auto"}});
  ReachWatch watch(info_, chosen, 0);
  double t = 0;
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(steps_seen(watch, 1e-9, 2000, t), 2000);
    t += 2000e-9;
    EXPECT_EQ(steps_seen(watch, 1e-4, 2000, t), 2000);
    t += 2000e-4;
  }
}

/// Equal steps are what was asked for, unless they are divided.
TEST_F(Reach, JudgesEqualStepsWhereTheyAreDivided) {
  const double step = 1e-6;
  const SimulationOptions chosen = simulation("optimisation", {{.key = "step", .value = step}});
  ReachWatch whole(info_, chosen, step), divided(info_, chosen, step);
  EXPECT_EQ(steps_seen(whole, step, 10000), 10000);
  EXPECT_EQ(steps_seen(divided, step / 4, 10000), 4000);
}

/// As `moreau` takes them, which has no option of how many may be left.
TEST_F(Reach, JudgesEqualStepsOfMoreausWhereBodiesKeepThemShort) {
  const double step = 1e-4;
  const SimulationOptions chosen{
      .method = "moreau", .options = {{.key = "step", .value = step}}, .until = until};
  ReachWatch whole(info_, chosen, step), divided(info_, chosen, step);
  EXPECT_EQ(steps_seen(whole, step, 9000), 9000);
  EXPECT_EQ(steps_seen(divided, 1e-10, 200'000), 100'000);  // a thousandth of 1e8
}

/// Landings of many short steps, between flights of long ones.
TEST_F(Reach, WaitsForAThousandthOfTheStepsThatMayBeLeft) {
  const SimulationOptions chosen{.method = "compliant", .until = 100};
  ReachWatch watch(info_, chosen, 0);
  double t = 0;
  for (int landing = 0; landing < 10; ++landing) {
    EXPECT_EQ(steps_seen(watch, 1e-8, 50'000, t), 50'000);
    t += 50'000e-8;
    EXPECT_EQ(steps_seen(watch, 1e-3, 2000, t), 2000);
    t += 2;
  }
  EXPECT_EQ(steps_seen(watch, 1e-8, 200'000, t), 100'000);
}

/// The end is as far away as whoever wrote the model thought it could be.
TEST_F(Reach, WhereAnEventMayEndTheRunLooksForAPaceThatFalls) {
  const Assembly stopping = test::assembled(std::string(test::two_stops) +
                                            "events: {far: {when: rail.q - 1, stop: true}}\n");
  const SimulationOptions chosen = simulation("moreau", {{.key = "step", .value = "auto"}});
  ReachWatch watch(stopping.system->info(), chosen, 0);
  EXPECT_EQ(steps_seen(watch, 1e-6, 20'000), 20'000);
  EXPECT_EQ(steps_seen(watch, 0.9e-9, 20'000, 0.02), 4000);
}

TEST_F(Reach, NamesTheContactThatComesAndGoesAndTheOneThatIsDeep) {
  const SimulationOptions chosen = simulation("compliant", {});
  ReachWatch watch(info_, chosen, 0);
  StepResult result;
  State state;
  for (int k = 0; k < 4000; ++k) {
    result.contacts = {{.key = {1, 0}, .gap = -1e-9, .state = ContactState::impact}};
    result.contacts[0].gamma_before[0] = k % 10 == 0 ? -1 : 0;
    result.contacts[0].impulse[0] = 1;
    result.t_start = state.t;
    state.t += 1e-9;
    watch.accepts(state, result);
  }
  EXPECT_THAT(watch.describe(*assembly_.system, result, {}),
              AllOf(HasSubstr("contacts come and go, 'rail"), HasSubstr("in the last 2000 steps")));
  result.contacts[0].gap = -10;
  EXPECT_THAT(watch.describe(*assembly_.system, result, {}),
              AllOf(HasSubstr("contact 'rail"), HasSubstr("overlaps by 10 m"),
                    HasSubstr("begin without overlap")));
}

}  // namespace
}  // namespace backlash::test_reach
