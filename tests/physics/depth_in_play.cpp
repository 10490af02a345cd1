// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "crank_rocker.h"
#include "support/models.h"
#include "support/runs.h"

// A contact that lasts stays on its surface, however far a journal goes round in one step (theory
// 4.12): no deeper at the ends of steps than a thousandth of the play.

namespace backlash::test::depth_in_play {
namespace {

struct Depth {
  double deepest = 0;  ///< of contacts that last, at the ends of steps, as a part of their play
  double turn = 0;     ///< the farthest that a normal turns in a step in which its contact lasts
};

Depth depth_of(const std::string& text, double step, double until) {
  const Assembly assembly = assembled(text);
  const System& system = *assembly.system;
  Depth depth;
  double last_angle = NAN;
  run(system, assembly.start, step, until, {}, [&](const State& state, const StepResult& result) {
    const Configuration end = configuration(system, state);
    bool any = false;
    for (const ContactOutcome& contact : result.contacts) {
      if (!lasts(contact.before) || !lasts(contact.state)) continue;
      ContactFrame frame;
      ASSERT_TRUE(system.find_contact(end, contact.key, frame));
      const double play = system.info().contacts[static_cast<std::size_t>(contact.key.pair)].play;
      depth.deepest = std::max(depth.deepest, -frame.gap / play);
      const double angle = std::atan2(frame.n_W[1], frame.n_W[0]);
      const double turn = std::abs(std::remainder(angle - last_angle, 2 * M_PI));
      depth.turn = std::fmax(depth.turn, turn);
      last_angle = angle;
      any = true;
    }
    if (!any) last_angle = NAN;
  });
  return depth;
}

/// At 900 rpm, with 50 µm in a pin and 200 µm in the guide: in steps of 0.1 ms its journal is swung
/// round by up to half a radian, and falls through a third of its play.
constexpr const char* slider_crank = R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 0.3, inertia: 1e-4, com: [0.02, 0]}
  rod: {mass: 0.2, inertia: 5e-4, com: [0.08, 0]}
  slider: {mass: 0.4, inertia: 2e-4}
joints:
  main: {type: revolute, between: [ground, crank], drive: {speed: 900 rpm}}
  big: {type: revolute, between: [crank, rod], at: [[0.05, 0], [0, 0]],
        clearance: {gap: 0.05 mm, journal_radius: 8 mm, law: steel}}
  small: {type: revolute, between: [rod, slider], at: [[0.16, 0], [0, 0]]}
  guide: {type: prismatic, between: [ground, slider],
          clearance: {gap: 0.2 mm, length: 60 mm, width: 40 mm, law: steel}}
  place: {type: free, between: [ground, slider], initial: {position: [0.21, 0]}}
laws: {steel: {restitution: 0.3, friction: 0.1}}
)";

TEST(DepthInPlay, OfAJournalThatFallsThroughAGoodPartOfItInAStepIsAThousandthOfItAfterwards) {
  for (const char* coordinates : {"joint", "absolute"})
    for (const double step : {1e-4, 5e-5}) {
      SCOPED_TRACE(fmt::format("{}, {} s", coordinates, step));
      const std::string text =
          fmt::format("{}simulation: {{coordinates: {}}}\n", slider_crank, coordinates);
      const Depth depth = depth_of(text, step, 2);
      EXPECT_LT(depth.deepest, 1e-3);
      if (step == 1e-4) {
        EXPECT_GT(depth.turn, 0.3);
      }
    }
}

TEST(DepthInPlay, OfAJournalThatIsSwungRoundIsAThousandthOfIt) {
  for (const char* coordinates : {"joint", "absolute"})
    for (const double step : {1e-4, 5e-5, 2e-5}) {
      SCOPED_TRACE(fmt::format("{}, {} s", coordinates, step));
      const std::string text =
          fmt::format("{}simulation: {{coordinates: {}}}\n", crank_rocker, coordinates);
      const Depth depth = depth_of(text, step, 2);
      EXPECT_LT(depth.deepest, 1e-3);
      if (step == 1e-4) {
        EXPECT_GT(depth.turn, 0.15);
      }
    }
}

}  // namespace
}  // namespace backlash::test::depth_in_play
