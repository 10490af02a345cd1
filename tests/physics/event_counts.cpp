// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/results/event.h"
#include "crank_rocker.h"
#include "support/models.h"

/// Events are of the motion, not of the steps: as many are found at every step that is short enough
/// to tell them apart (theory 4.23). docs/verification/lasting_contact.md has the numbers.
namespace backlash::test::event_counts {
namespace {

/// How often each kind of event was written.
struct Counts {
  int impacts = 0, rests = 0, releases = 0, sticks = 0, slips = 0;
  double lost_in_bounces = 0;  ///< energy of impacts and rests, as events tell it [J]
  double impact_loss = 0;      ///< the same by the ledger [J]

  bool operator==(const Counts& other) const {
    const auto numbers = [](const Counts& c) {
      return std::array{c.impacts, c.rests, c.releases, c.sticks, c.slips};
    };
    return numbers(*this) == numbers(other);
  }
};

void PrintTo(const Counts& c, std::ostream* out) {
  *out << fmt::format("{} impacts, {} rest, {} release, {} stick, {} slip", c.impacts, c.rests,
                      c.releases, c.sticks, c.slips);
}

Counts count_events(const System& system, State state, double step, double until) {
  Moreau integrator(system, {.step = step});
  ContactDirectory directory(system);
  EventFinder finder;
  std::vector<Event> events;
  const RunSummary summary =
      simulate(integrator, state, until, [&](const State& now, const StepResult& result) {
        finder.append(system, result, now, directory, events);
      });
  finder.finish(events);
  EXPECT_EQ(summary.status, StepStatus::done);
  Counts counts{.impact_loss = integrator.memory().impact_loss(state.z)};
  for (const Event& event : events) {
    counts.impacts += event.kind == EventKind::impact;
    counts.rests += event.kind == EventKind::rest;
    counts.releases += event.kind == EventKind::release;
    counts.sticks += event.kind == EventKind::stick;
    counts.slips += event.kind == EventKind::slip;
    if (event.kind == EventKind::impact || event.kind == EventKind::rest)
      counts.lost_in_bounces += event.energy_loss;
  }
  EXPECT_EQ(counts.impacts, summary.impacts);
  return counts;
}

Counts count_events(const std::string& text, double step, double until) {
  const Assembly assembly = assembled(text);
  return count_events(*assembly.system, assembly.start, step, until);
}

/// A flat valve with friction on an eccentric at 300 rpm that it never leaves, from the bottom of
/// its lift on.
const char* const valve = R"(
gravity: [0, -9.81]
bodies:
  cam: {mass: 1, inertia: 1e-4, com: [0.008, 0], shapes: {disc: {circle: 0.02, at: [0.008, 0]}}}
  valve: {mass: 0.2, inertia: 1e-4, shapes: {face: {line: {normal: [0, -1]}}}}
joints:
  axle: {type: revolute, between: [ground, cam], initial: {angle: -90 deg}, drive: {speed: 300 rpm}}
  guide: {type: prismatic, between: [ground, valve], at: [[0, 0.012], [0, 0]], axis: [0, 1]}
forces: {spring: {type: joint_spring, joint: guide, stiffness: 2000, preload: -40}}
contacts: {touch: {between: [cam.disc, valve.face], law: steel}}
laws: {steel: {restitution: 0.3, friction: 0.1}}
)";

TEST(EventCounts, OfAValveThatStaysOnItsCamAreOneRest) {
  for (const double step : {1e-4, 1e-5, 1e-6})
    EXPECT_EQ(count_events(valve, step, 0.2), (Counts{.rests = 1})) << step;
}

/// A saw-toothed wheel of 12 teeth at 60 rpm under a pawl that a spring presses on it.
std::string ratchet() {
  std::string corners;
  for (int tooth = 0; tooth < 12; ++tooth)
    corners +=
        fmt::format("{}[r*cos({}*s), r*sin({}*s)], [(r-d)*cos({}*s+0.02), (r-d)*sin({}*s+0.02)]",
                    tooth == 0 ? "" : ", ", tooth, tooth, tooth, tooth);
  return fmt::format(R"(
parameters: {{r: 0.05, d: 0.008, s: 2*pi/12}}
gravity: [0, -9.81]
bodies:
  wheel: {{mass: 0.8, inertia: 1e-3, shapes: {{teeth: {{polygon: [{}]}}}}}}
  pawl: {{mass: 0.05, inertia: 2e-5, com: [0.02, 0], shapes: {{tip: {{circle: 0.002, at: [0.045, 0]}}}}}}
joints:
  axle: {{type: revolute, between: [ground, wheel], drive: {{speed: -60 rpm}}}}
  pivot: {{type: revolute, between: [ground, pawl], at: [[-0.045, 0.056], [0, 0]], initial: {{angle: 0.02}}}}
forces: {{spring: {{type: joint_spring, joint: pivot, stiffness: 0.2, preload: -0.05}}}}
contacts: {{touch: {{between: [wheel.teeth, pawl.tip], law: steel}}}}
laws: {{steel: {{restitution: 0.3, friction: 0.1}}}}
)",
                     corners);
}

/// As many at two short steps; and all energy of the impacts is in the events.
void expect_alike(const Counts& coarse, const Counts& fine) {
  EXPECT_EQ(coarse, fine);
  EXPECT_GT(fine.impacts, 0);
  EXPECT_GT(fine.rests, 0);
  EXPECT_NEAR(fine.lost_in_bounces, fine.impact_loss, 1e-3 * fine.impact_loss);
}

TEST(EventCounts, OfARatchetDoNotDependOnTheStep) {
  expect_alike(count_events(ratchet(), 1e-5, 0.25), count_events(ratchet(), 2e-6, 0.25));
}

TEST(EventCounts, OfAFourBarWithPlayDoNotDependOnTheStep) {
  expect_alike(count_events(crank_rocker, 1e-5, 0.28), count_events(crank_rocker, 2e-6, 0.28));
}

/// A block that rocks to rest from an angle, on corners that stick.
std::string rocking_block(double b, double h) {
  return fmt::format(R"(
parameters: {{b: {}, h: {}, a: 0.05}}
gravity: [0, -9.81]
bodies:
  block: {{mass: 1, inertia: (b^2+h^2)/3, shape: {{box: [2*b, 2*h]}},
          initial: {{angle: a, position: [b*cos(a) - h*sin(a), h*cos(a) + b*sin(a)]}}}}
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
laws: {{sticks: {{restitution: 0, friction: 0.8}}}}
contacts: {{feet: {{between: [block, ground], law: sticks}}}}
)",
                     b, h);
}

/// Each impact is slower by r = 1 − 1.5 sin²α, for ever: those down to a hundredth of the first are
/// impacts, and the corner on which the block turns is released at each.
TEST(EventCounts, OfABlockThatRocksToRestEnd) {
  const double b = 0.02, h = 0.06, r = 1 - 1.5 * b * b / (b * b + h * h);
  const int impacts = static_cast<int>(std::ceil(std::log(0.01) / std::log(r)));
  const Counts coarse = count_events(rocking_block(b, h), 1e-5, 1.5);
  const Counts fine = count_events(rocking_block(b, h), 2e-6, 1.5);
  EXPECT_EQ(coarse.impacts, impacts);
  EXPECT_EQ(fine.impacts, impacts);
  EXPECT_NEAR(coarse.releases, fine.releases, 2);
  EXPECT_NEAR(coarse.rests, fine.rests, 2);
  EXPECT_EQ(fine.rests, fine.releases + 2);  // at the end both corners rest
}

TEST(EventCounts, OfABlockAtRestAreNone) {
  const Counts rocked = count_events(rocking_block(0.02, 0.08), 1e-4, 2.2);
  const Counts rested = count_events(rocking_block(0.02, 0.08), 1e-4, 4.4);
  EXPECT_EQ(rocked, rested);
}

TEST(EventCounts, OfTheSliderCrankDoNotDependOnTheStep) {
  const SliderCrank crank;
  const State start = slider_crank_start(crank);
  expect_alike(count_events(crank, start, 1e-5, 0.1), count_events(crank, start, 1e-6, 0.1));
}

}  // namespace
}  // namespace backlash::test::event_counts
