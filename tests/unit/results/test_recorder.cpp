// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/recorder.h"

#include <array>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/systems/planar_body.h"

namespace backlash {
namespace {

std::vector<double> times_of_output(double step, double every, double until) {
  const SliderCrank system;
  Moreau integrator(system, {.step = step});
  State state = slider_crank_start(system);
  Recorder recorder(system, state, {.every = every});
  simulate(integrator, state, until,
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

TEST(Recorder, WritesRowsWithinStepsIfTheIntervalIsNoMultipleOfTheStep) {
  for (const double step : {1e-5, 7e-5}) {
    const auto times = times_of_output(step, 2.5e-5, 1e-4);
    ASSERT_EQ(times.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(times[i], 2.5e-5 * double(i), 1e-15);
  }
}

/// A body thrown upwards, on a floor or above it: its height in rows at multiples of `every`.
std::vector<std::array<double, 3>> rows_of_a_throw(double height, double speed, double step,
                                                   double every, double until) {
  test::PlanarBodyData data;
  data.touches = {{.name = "floor", .law = {.restitution = 0.5}, .tangents = 0}};
  const test::PlanarBody body(data);
  State state = initial_state(body, 0, Vec3(0, height, 0), Vec3(0, speed, 0));
  Moreau integrator(body, {.step = step});
  Recorder recorder(body, state, {.every = every});
  simulate(integrator, state, until,
           [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  const std::size_t columns = state_channels(body.info()).size();
  std::vector<std::array<double, 3>> rows;
  const auto& states = recorder.recording().states;
  for (std::size_t i = 0; i < states.size(); i += columns)
    rows.push_back({states[i], states[i + 2], states[i + 5]});
  return rows;
}

TEST(Recorder, TellsMeanAndPeakOfAContactsForceAndItsImpactsApart) {
  // It falls from 2 mm on a floor that it does not leave, and is then pulled by its weight alone.
  test::PlanarBodyData data{.mass = 2};
  data.touches = {{.name = "floor", .tangents = 0}};
  const test::PlanarBody body(data);
  State state = initial_state(body, 0, Vec3(0, 2e-3, 0), Vec3(0, 0, 0));
  Moreau integrator(body, {.step = 1e-4});
  Recorder recorder(body, state, {.every = 1e-2});
  simulate(integrator, state, 0.1,
           [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  const double weight = 2 * 9.81, v = std::sqrt(2 * 9.81 * 2e-3), landed = v / 9.81;
  double impacts = 0;
  for (const ContactRow& row : recorder.recording().contacts) {
    SCOPED_TRACE(row.t);
    impacts += row.impact_n;
    if (row.t < landed) {
      EXPECT_EQ(row.force[0], 0);
      EXPECT_EQ(row.peak_n, 0);
    } else if (row.t > landed + 1e-2) {
      EXPECT_NEAR(row.force[0], weight, 1e-6);
      EXPECT_NEAR(row.peak_n, weight, 1e-3);
      EXPECT_NEAR(row.impulse[0], weight * 1e-2, 1e-7);
      EXPECT_EQ(row.impact_n, 0);
    } else {  // the row in which it lands: for a part of it only
      EXPECT_NEAR(row.force[0], weight * (row.t - landed) / 1e-2, 0.03 * weight);
      EXPECT_NEAR(row.impulse[0] - row.impact_n, 1e-2 * row.force[0], 1e-12);
    }
  }
  EXPECT_NEAR(impacts, 2 * v, 2 * weight * 1e-4);
}

TEST(Recorder, DividesImpulsesOfAContactAmongTheRowsOfAStep) {
  test::PlanarBodyData data{.mass = 2};
  data.touches = {{.name = "floor", .tangents = 0}};
  const test::PlanarBody body(data);
  State state = initial_state(body, 0, Vec3(0, -1e-9, 0), Vec3(0, 0, 0));
  Moreau integrator(body, {.step = 1e-2});
  Recorder recorder(body, state, {.every = 3e-3});
  simulate(integrator, state, 0.3,
           [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  const double weight = 2 * 9.81;
  for (const ContactRow& row : recorder.recording().contacts) {
    if (row.t < 3.5e-2) continue;
    EXPECT_NEAR(row.force[0], weight, 1e-4) << row.t;  // as it lands
    EXPECT_NEAR(row.impulse[0], row.force[0] * 3e-3, 1e-12) << row.t;
  }
}

TEST(Recorder, FollowsAParabolaWithinSteps) {
  for (const auto& [t, y, v] : rows_of_a_throw(0, 3, 1e-2, 3e-3, 0.5)) {
    EXPECT_NEAR(v, 3 - 9.81 * t, 1e-12);
    EXPECT_NEAR(y, 3 * t - 9.81 * t * t / 2, 1e-12);
  }
}

TEST(Recorder, TurnsInTheMiddleOfAStepInWhichBodiesMeet) {
  // It falls 4 mm at 1 m/s in 10 ms steps: it is on the floor in the middle of the first.
  const auto rows = rows_of_a_throw(4e-3, -1, 1e-2, 1e-3, 1e-2);
  ASSERT_EQ(rows.size(), 11u);
  const double v = rows.back()[2];
  EXPECT_NEAR(v, 0.5, 1e-12);
  for (const auto& [t, y, speed] : rows) {
    EXPECT_NEAR(speed, t < 4.99e-3 ? -1 : v, 1e-12) << t;
    EXPECT_NEAR(y, t < 4.99e-3 ? 4e-3 - t : -1e-3 + v * (t - 5e-3), 1e-12) << t;
  }
}

TEST(Recorder, EndsWithTheLastStateOfARunThatEndsBetween) {
  const auto times = times_of_output(1e-5, 1e-4, 2.5e-4);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_NEAR(times.back(), 2.5e-4, 1e-15);
}

TEST(Recorder, WritesNoTimeTwiceHoweverManyStepsAddUpToIt) {
  const auto times = times_of_output(1e-5, 3e-5, 0.05);
  ASSERT_EQ(times.size(), 1668u);  // 0, 3e-5, …, 0.04998 + the end
  for (std::size_t i = 0; i + 1 < times.size(); ++i)
    EXPECT_NEAR(times[i], 3e-5 * static_cast<double>(i), 1e-10);
}

TEST(Recorder, GivesEveryStepARowIfAskedForAlsoOneThatFailed) {
  const SliderCrank system;
  Moreau integrator(system, {.step = 1e-5});
  State state = slider_crank_start(system);
  Recorder recorder(system, state, {.every = 1, .steps = true});
  simulate(integrator, state, 1e-3,
           [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  StepResult failure;
  failure.status = StepStatus::contact_not_solved;
  failure.t_start = 1e-3;
  failure.step = 2e-5;
  recorder.observe_failure(failure);
  const auto& steps = recorder.recording().steps;
  ASSERT_EQ(steps.size(), 101u);
  EXPECT_EQ(steps[0].t, 1e-5);
  EXPECT_EQ(steps[0].step, 1e-5);
  EXPECT_TRUE(steps[99].accepted);
  EXPECT_FALSE(steps[100].accepted);
  EXPECT_EQ(steps[100].t, 1e-3 + 2e-5);
}

StepResult result_with(ContactState before, ContactState now, double approach) {
  StepResult result;
  result.t_start = 1;
  result.step = 0.1;
  ContactOutcome outcome{.key = {.pair = 2}, .gap = -0.1, .before = before, .state = now};
  outcome.gamma_before[0] = approach;
  outcome.impulse[0] = 5;
  result.contacts = {outcome};
  return result;
}

std::vector<Event> events_of(const StepResult& result) {
  const SliderCrank system;
  std::vector<Event> events;
  ContactDirectory directory(system);
  for (int i = 0; i < 4; ++i) directory.number({.pair = i});
  EventFinder finder;
  finder.append(system, result, slider_crank_start(system), directory, events);
  finder.finish(events);
  return events;
}

TEST(Events, AnImpactHappensWhenTheIntegratorSays) {
  StepResult result = result_with(ContactState::open, ContactState::impact, -3);
  result.contacts[0].t = 1.02;
  const auto events = events_of(result);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::impact);
  EXPECT_EQ(events[0].contact, 2);
  EXPECT_EQ(events[0].t, 1.02);
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

TEST(Events, OfAStepThatFindsThemLaterAreSortedIn) {
  using enum ContactState;
  const SliderCrank system;
  std::vector<Event> events{{.t = 0.9, .point = {}}, {.t = 1.04, .point = {}}};
  ContactDirectory directory(system);
  StepResult result = result_with(slip, stick, 0);
  result.contacts[0].t = 0.95;
  EventFinder finder;
  finder.append(system, result, slider_crank_start(system), directory, events);
  finder.finish(events);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].kind, EventKind::stick);
  EXPECT_EQ(events[1].t, 0.95);
  EXPECT_EQ(events[2].t, 1.04);
}

TEST(Events, AreNotWrittenBeforeThoseThatWereWritten) {
  using enum ContactState;
  const SliderCrank system;
  State state = slider_crank_start(system);
  Recorder recorder(system, state, {.every = 10});
  StepResult result = result_with(slip, stick, 0);
  state.t = 1.1;
  recorder.observe(state, result);
  recorder.recording().clear();
  result.contacts[0].t = 1.01;
  recorder.observe(state, result);
  ASSERT_EQ(recorder.recording().events.size(), 1u);
  EXPECT_EQ(recorder.recording().events[0].t, 1.05);
}

TEST(Events, AContactThatBeginsToLastRests) {
  using enum ContactState;
  for (const ContactState before : {open, impact}) {
    const auto events = events_of(result_with(before, slip, 0));
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, EventKind::rest);
  }
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
  result.released = {{.key = {.pair = 1}, .before = slip}, {.key = {.pair = 3}, .before = impact}};
  const auto events = events_of(result);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::release);
  EXPECT_EQ(events[0].contact, 1);
}

}  // namespace
}  // namespace backlash
