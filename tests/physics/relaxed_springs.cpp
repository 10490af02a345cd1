// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/models.h"

// A spring at its free length has its stiffness there, as everywhere: only a dead band has none.

namespace backlash::test::relaxed_springs {
namespace {

/// Of a bar that stands on its head, 0.5 m above its pin, and of one without gravity.
Stability stability(const std::string& spring, double gravity) {
  const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -{}]
initial: equilibrium
bodies: {{bar: {{mass: 1, inertia: 0.1, com: [0, 0.5]}}}}
joints: {{pin: {{type: revolute, between: [ground, bar]}}}}
forces: {{spring: {{{}}}}}
)",
                                                  gravity, spring));
  return assembly.report.rest->equilibrium.stability;
}

TEST(RelaxedSpring, HoldsWhatStandsOnItsHead) {
  // m g l = 4.905 N m
  EXPECT_EQ(stability("type: joint_spring, joint: pin, stiffness: 5", 9.81), Stability::stable);
  EXPECT_EQ(stability("type: joint_spring, joint: pin, stiffness: 4.8", 9.81), Stability::unstable);
  EXPECT_EQ(stability("type: torsion_spring, between: [ground, bar], stiffness: 5", 9.81),
            Stability::stable);
  const char* const beside =
      "type: spring, between: [ground, bar], at: [[0.4, 0.5], [0, 0.5]], stiffness: 30, length: "
      "0.4";
  EXPECT_EQ(stability(beside, 9.81), Stability::stable);  // 30 · 0.5² = 7.5 N m
}

TEST(RelaxedSpring, BringsBackWhatNothingElseHolds) {
  EXPECT_EQ(stability("type: joint_spring, joint: pin, stiffness: 10", 0), Stability::stable);
  EXPECT_EQ(stability("type: joint_spring, joint: pin, stiffness: 10, dead_band: 0.1", 0),
            Stability::indifferent);
}

}  // namespace
}  // namespace backlash::test::relaxed_springs
