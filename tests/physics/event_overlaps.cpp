// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/integrators/integrator_table.h"
#include "support/built_methods.h"
#include "support/recorded_run.h"

/// Contacts that events turn on while their bodies overlap (theory 4.42).
namespace backlash::test::event_overlaps {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

struct Outcome {
  RunReport report;
  std::vector<Event> events;
};

Outcome run_text(const std::string& text) {
  RunRecorder recorder;
  RunReport report = run(parse_model(text, "model.yaml"), {}, recorder).report;
  return {std::move(report), recorder.recording().events};
}

constexpr double g = 10, t_on = 0.18;

/// A ball that falls into a floor which is turned on at 0.18 s.
std::string ball(const std::string& on, const std::string& law, const std::string& options) {
  return fmt::format(R"(backlash: 1
gravity: [0, -10]
bodies:
  ball: {{mass: 1, inertia: 0.01, shape: {{circle: 0.1}}, initial: {{position: [0, 0.2]}}}}
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
laws: {{law: {}}}
contacts: {{floor: {{between: [ground, ball], law: law, active: false}}}}
events: {{on: {{{}, activate: [floor]}}}}
simulation: {{until: 0.4, {}}}
)",
                     law, on, options);
}

TEST(EventOverlap, IsWarnedOfWithTheEventTheContactAndTheDepth) {
  const double step = 1e-3;
  for (const IntegratorEntry& method : integrator_table()) {
    if (!is_built(method)) continue;
    SCOPED_TRACE(std::string(method.name));
    const bool compliant = method.name == "compliant";
    const bool implicit = method.name == "optimisation";  // which falls with the speed of the end
    const double depth = 0.5 * g * t_on * (t_on + (implicit ? step : 0)) - 0.1;
    const std::string text = fmt::format(
        "contact 'floor' overlapped by {:.3g} m when event 'on' turned it on at t = 0.18 s", depth);
    const Outcome run =
        run_text(ball("at: 0.18 s",
                      compliant ? "{model: kelvin-voigt, stiffness: 1e4 N/m, damping: 10 N s/m}"
                                : "{restitution: 0, friction: 0}",
                      fmt::format("method: {}{}", method.name,
                                  method.name == "optimisation" ? ", step: 1e-3" : "")));
    EXPECT_THAT(run.report.run_warnings, Contains(HasSubstr(text)));
  }
}

TEST(EventOverlap, IsNotWarnedOfWhereBodiesAreApartOrRestOnEachOther) {
  const Outcome apart = run_text(ball("at: 0.1 s", "{restitution: 0, friction: 0}", "step: 1e-3"));
  EXPECT_THAT(apart.report.run_warnings, Each(Not(HasSubstr("overlapped"))));
  const Outcome resting = run_text(R"(backlash: 1
gravity: [0, -10]
bodies:
  ball: {mass: 1, inertia: 0.01, shape: {circle: 0.1}, initial: {position: [0, 0.2]}}
  ground: {shape: {line: {normal: [0, 1]}}}
laws: {law: {restitution: 0, friction: 0}}
contacts: {floor: {between: [ground, ball], law: law}}
events: {off: {at: 0.3 s, deactivate: [floor]}, on: {at: 0.3 s, activate: [floor]}}
simulation: {until: 0.4, step: 1e-3}
)");
  EXPECT_THAT(resting.report.run_warnings, Each(Not(HasSubstr("overlapped"))));
}

/// The ball lands at once and is lifted by the depth, which is the event's doing.
TEST(EventOverlap, IsBookedWithSwitchingByMoreau) {
  for (const double step : {1e-3, 1e-4}) {
    SCOPED_TRACE(step);
    const Outcome run = run_text(
        ball("at: 0.18 s", "{restitution: 0, friction: 0}", fmt::format("step: {}", step)));
    ASSERT_EQ(run.report.status, RunStatus::done) << run.report.message;
    // The floor stops it in the middle of the step.
    const double depth = 0.5 * g * t_on * t_on - 0.1 + 0.5 * step * g * t_on;
    EXPECT_NEAR(run.report.end.switching, g * depth, 1e-9);
    EXPECT_NEAR(run.report.made_by_method(), 0, 1e-3 * g * depth);
  }
}

/// With restitution it bounces inside, and rests later: then the method has made that energy, and
/// says why.
TEST(EventOverlap, IsNamedAsTheCauseOfEnergyThatItTakesLater) {
  const Outcome run = run_text(ball("at: 0.18 s", "{restitution: 0.1, friction: 0}", "step: 1e-3"));
  std::string all = run.report.message;
  for (const std::string& warning : run.report.run_warnings) all += "\n" + warning;
  EXPECT_THAT(all, AllOf(HasSubstr("when event 'on' turned it on at t = 0.18 s"),
                         Not(HasSubstr("shorter steps make less"))));
}

TEST(EventOverlap, HasTheEventBeforeTheImpactThatItMakesPossible) {
  for (const char* options :
       {"step: 1e-3", "step: 1e-4", "step: auto", "method: optimisation, step: 1e-3"}) {
    SCOPED_TRACE(options);
    if (std::string(options).find("optimisation") != std::string::npos &&
        !is_built(find_integrator("optimisation")))
      continue;
    const Outcome run = run_text(ball("at: 0.18 s", "{restitution: 0.5, friction: 0}", options));
    ASSERT_GE(run.events.size(), 2u);
    EXPECT_EQ(run.events[0].kind, EventKind::switched);
    EXPECT_EQ(run.events[0].t, t_on);
    EXPECT_EQ(run.events[1].kind, EventKind::impact);
    EXPECT_GE(run.events[1].t, t_on);
  }
}

}  // namespace
}  // namespace backlash::test::event_overlaps
