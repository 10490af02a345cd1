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
  double deepest = 0;  ///< of contacts that last, at the ends of steps [m]
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
      depth.deepest = std::max(depth.deepest, -frame.gap);
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

constexpr double play = 2e-4;  // of the crank and rocker [m]

TEST(DepthInPlay, OfAJournalThatIsSwungRoundIsAThousandthOfIt) {
  for (const char* coordinates : {"joint", "absolute"})
    for (const double step : {1e-4, 5e-5, 2e-5}) {
      SCOPED_TRACE(fmt::format("{}, {} s", coordinates, step));
      const std::string text =
          fmt::format("{}simulation: {{coordinates: {}}}\n", crank_rocker, coordinates);
      const Depth depth = depth_of(text, step, 2);
      EXPECT_LT(depth.deepest, 1e-3 * play);
      if (step == 1e-4) {
        EXPECT_GT(depth.turn, 0.15);
      }
    }
}

}  // namespace
}  // namespace backlash::test::depth_in_play
