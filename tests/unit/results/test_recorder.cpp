// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/recorder.h"

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/simulate.h"

namespace backlash {
namespace {

std::vector<double> times_of_output(double step, double every, double until) {
  const SliderCrank system;
  Moreau integrator(system, {});
  State state = slider_crank_start(system);
  Recorder recorder(system, state, every);
  simulate(integrator, state, step, until,
           [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  recorder.finish(state);
  const std::size_t columns = state_channels(system.info()).size();
  std::vector<double> times;
  const auto& states = recorder.recording().states;
  for (std::size_t i = 0; i < states.size(); i += columns) times.push_back(states[i]);
  EXPECT_EQ(recorder.recording().contacts.size(), 4 * times.size());
  return times;
}

TEST(Recorder, WritesARowAtTheStartAndThenAtMultiplesOfTheInterval) {
  const auto times = times_of_output(1e-5, 1e-4, 1e-3);
  ASSERT_EQ(times.size(), 11u);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], 1e-4 * static_cast<double>(i), 1e-15);
}

TEST(Recorder, WritesEveryStepWhenTheIntervalIsZero) {
  EXPECT_EQ(times_of_output(1e-5, 0, 1e-3).size(), 101u);
}

TEST(Recorder, TakesTheFirstStepPastAnIntervalThatIsNoMultipleOfTheStep) {
  const auto times = times_of_output(1e-5, 2.5e-5, 1e-4);
  ASSERT_EQ(times.size(), 5u);
  const double expected[] = {0, 3e-5, 5e-5, 8e-5, 1e-4};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(times[i], expected[i], 1e-15);
}

TEST(Recorder, EndsWithTheLastStateOfARunThatEndsBetween) {
  const auto times = times_of_output(1e-5, 1e-4, 2.5e-4);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_NEAR(times.back(), 2.5e-4, 1e-15);
}

StepResult result_with(ContactState before, ContactState now, double approach) {
  StepResult result;
  result.t_start = 1;
  result.step = 0.1;
  ContactOutcome outcome{
      .contact = 2, .gap = -0.1, .gap_before = 0.3, .before = before, .state = now};
  outcome.gamma_before[0] = approach;
  outcome.impulse[0] = 5;
  result.contacts = {outcome};
  return result;
}

std::vector<Event> events_of(const StepResult& result) {
  const SliderCrank system;
  std::vector<Event> events;
  append_events(system, result, slider_crank_start(system), events);
  return events;
}

TEST(Events, AnImpactHappensWhereTheGapVanishedBetweenTheMiddlesOfTwoSteps) {
  const auto events = events_of(result_with(ContactState::open, ContactState::impact, -3));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::impact);
  EXPECT_EQ(events[0].contact, 2);
  EXPECT_NEAR(events[0].t, 1.05 - 0.1 * 0.1 / (0.1 + 0.3), 1e-15);
}

TEST(Events, ChangesBetweenStickAndSlipAreEventsAtTheMiddleOfTheStep) {
  using enum ContactState;
  const auto sticks = events_of(result_with(slip, stick, 0));
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_EQ(sticks[0].kind, EventKind::stick);
  EXPECT_DOUBLE_EQ(sticks[0].t, 1.05);
  const auto slips = events_of(result_with(stick, slip, 0));
  ASSERT_EQ(slips.size(), 1u);
  EXPECT_EQ(slips[0].kind, EventKind::slip);
}

TEST(Events, AContactThatGoesOnAsBeforeOrClosesWithoutApproachIsNone) {
  using enum ContactState;
  EXPECT_TRUE(events_of(result_with(slip, slip, -1)).empty());
  EXPECT_TRUE(events_of(result_with(open, impact, 0.1)).empty());
}

TEST(Events, AContactThatPushedOnAndOpensIsReleasedButNotOneThatBounced) {
  using enum ContactState;
  StepResult result;
  result.step = 0.1;
  result.released = {{.contact = 1, .before = slip}, {.contact = 3, .before = impact}};
  const auto events = events_of(result);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::release);
  EXPECT_EQ(events[0].contact, 1);
}

}  // namespace
}  // namespace backlash
