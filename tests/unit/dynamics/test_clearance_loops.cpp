// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Loops that close through clearance joints: where they begin, and what of them is refused.

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "support/models.h"
#include "support/refusal.h"

namespace backlash {
namespace {

using test::refusal;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A four-bar whose crank stands at 90 degrees; `play` are further keys of its joints B, C and D.
struct FourBarJoints {
  std::string B{}, C{}, D{};
};
std::string four_bar(const FourBarJoints& play, const std::string& simulation) {
  return fmt::format(R"(
parameters: {{b: sqrt(0.13), c: sqrt(0.1)}}
bodies:
  crank: {{mass: 0.2, inertia: 1.7e-4, com: [0.05, 0]}}
  coupler: {{mass: 0.7, inertia: 7.1e-3, com: [b/2, 0]}}
  rocker: {{mass: 0.5, inertia: 2.6e-3, com: [c/2, 0]}}
joints:
  A: {{type: revolute, between: [ground, crank], initial: {{angle: 90 deg, speed: 20}}}}
  B: {{type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]]{}}}
  C: {{type: revolute, between: [coupler, rocker], at: [[b, 0], [c, 0]]{}}}
  D: {{type: revolute, between: [ground, rocker], at: [[0.4, 0], [0, 0]]{}}}
laws: {{steel: {{restitution: 0.5}}}}
simulation: {}
)",
                     play.B, play.C, play.D, simulation);
}
const std::string pin_play = ", clearance: {gap: 0.1 mm, journal_radius: 10 mm, law: steel}";

/// Angles and angular velocities of crank, coupler and rocker at the start.
std::vector<double> four_bar_start(const Assembly& assembly) {
  std::vector<double> values;
  for (int body = 0; body < 3; ++body) {
    const BodyMotion m = test::motion_of(*assembly.system, assembly.start, body);
    values.insert(values.end(), {std::remainder(m.angle, 2 * std::numbers::pi), m.w_W.z()});
  }
  return values;
}

/// How far the middles of all journals and bearings are apart [m], and how fast they part [m/s].
double largest_offset(const Assembly& assembly) {
  const System& system = *assembly.system;
  const Configuration c = configuration(system, assembly.start);
  std::vector<ContactFrame> frames;
  system.find_contacts(c, 1, {}, frames);
  std::vector<ContactVelocity> velocities(frames.size());
  system.write_contact_velocities(c, assembly.start.u, frames, velocities);
  double largest = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double play = system.info().contacts[static_cast<std::size_t>(frames[i].key.pair)].play;
    largest = std::max({largest, std::abs(frames[i].gap - play), std::abs(velocities[i][0])});
  }
  return largest;
}

TEST(ClearanceLoops, LoopsCloseThroughClearancesAsIfTheyWereIdeal) {
  for (const char* simulation : {"{coordinates: joint}", "{coordinates: absolute}"}) {
    const std::string up = ", initial: {guess: 1.5}";
    const std::vector<double> ideal =
        four_bar_start(test::assembled(four_bar({"", "", up}, simulation)));
    // By hand: B at (0, 0.1), C at (0.3, 0.3), and the speeds from v_C = v_B + ω × r.
    const double expected[] = {std::numbers::pi / 2,  20,       std::atan2(0.2, 0.3), -20.0 / 11,
                               std::atan2(0.3, -0.1), 60.0 / 11};
    const FourBarJoints plays[] = {{"", pin_play, up},
                                   {pin_play, "", up},
                                   {"", "", up + pin_play},
                                   {pin_play, pin_play, up + pin_play}};
    for (const FourBarJoints& play : plays) {
      const Assembly assembly = test::assembled(four_bar(play, simulation));
      const std::vector<double> start = four_bar_start(assembly);
      for (std::size_t i = 0; i < start.size(); ++i) {
        EXPECT_NEAR(start[i], ideal[i], 1e-12);
        EXPECT_NEAR(start[i], expected[i], 1e-12);
      }
      EXPECT_LT(largest_offset(assembly), 1e-12);
    }
  }
}

TEST(ClearanceLoops, OneGuessChoosesTheBranchWhicheverJointItIsOf) {
  // The other branch: C mirrored at the line from B to D.
  const Vec2 B(0, 0.1), D(0.4, 0), C(0.3, 0.3), along = (D - B).normalized();
  const Vec2 mirrored = B + 2 * along.dot(C - B) * along - (C - B);
  const double coupler = std::atan2((mirrored - B).y(), (mirrored - B).x()),
               rocker = std::atan2((mirrored - D).y(), (mirrored - D).x());
  const auto guess = [](double angle) { return fmt::format(", initial: {{guess: {}}}", angle); };
  const FourBarJoints guesses[] = {{guess(coupler - std::numbers::pi / 2 + 0.3), pin_play, ""},
                                   {pin_play, guess(rocker - coupler - 0.3), ""},
                                   {pin_play, pin_play, guess(rocker + 0.3)},
                                   {"", "", guess(rocker + 0.3)}};
  for (const char* simulation : {"{coordinates: joint}", "{coordinates: absolute}"})
    for (const FourBarJoints& joints : guesses) {
      const std::vector<double> start =
          four_bar_start(test::assembled(four_bar(joints, simulation)));
      EXPECT_NEAR(start[0], std::numbers::pi / 2, 1e-12);
      EXPECT_NEAR(start[2], coupler, 1e-12);
      EXPECT_NEAR(start[4], rocker, 1e-12);
    }
}

TEST(ClearanceLoops, AGuessBesideAValueOrADriveIsRefused) {
  EXPECT_THAT(refusal(four_bar({", initial: {guess: 1, angle: 2}", pin_play, ""}, "{}")),
              HasSubstr("joint 'B': initial guess is 1, but its value is given as 2"));
  EXPECT_THAT(refusal(four_bar({"", pin_play, ", initial: {guess: 1}, drive: {speed: 1}"}, "{}")),
              HasSubstr("joint 'D': initial guess is 1, but a drive says where the joint starts"));
}

TEST(ClearanceLoops, WhatWasGivenStaysOffTheCentreOfAPlay) {
  // Journal C 0.05 mm off the middle of its bearing, by an angle of the rocker.
  const double off = 0.05e-3 / std::sqrt(0.1);
  const std::string coupler = ", initial: {angle: \"atan2(0.2, 0.3) - 90 deg\", speed: 3}";
  const std::string rocker =
      fmt::format(", initial: {{angle: \"atan2(0.3, -0.1) + {}\", speed: 0}}", off);
  const std::vector<double> start =
      four_bar_start(test::assembled(four_bar({coupler, pin_play, rocker}, "{}")));
  EXPECT_NEAR(start[3], 23, 1e-12);
  EXPECT_NEAR(start[4], std::atan2(0.3, -0.1) + off, 1e-12);
  EXPECT_NEAR(start[5], 0, 1e-12);
}

TEST(ClearanceLoops, OverlapBeyondThePlayIsRefusedWhateverPenetrationIsAllowed) {
  const std::string given = ", initial: {angle: 60 deg}";
  for (const char* simulation : {"{}", "{initial_penetration: 1}"})
    EXPECT_THAT(refusal(four_bar({given, pin_play, given}, simulation)),
                AllOf(HasSubstr("model.yaml:11:6: joints.C: contact 'C.1' overlaps by "),
                      HasSubstr("more than the play of 0.0001 m that the joint has"),
                      HasSubstr("leave out the initial values that may give way")));
}

TEST(ClearanceLoops, PlayClosesALoopThatIsTooShortForIdealJoints) {
  // Stretched out, 0.08 mm are missing, which two plays of 0.1 mm have together.
  const char* text = R"(
bodies:
  left: {{mass: 1, inertia: 0.1}}
  right: {{mass: 1, inertia: 0.1}}
joints:
  A: {{type: revolute, between: [ground, left], initial: {{guess: 0.01}}}}
  B: {{type: revolute, between: [left, right], at: [[1, 0], [-1, 0]], clearance: {{gap: {0}, law: steel}}}}
  C: {{type: revolute, between: [right, ground], at: [[0, 0], [2.00008, 0]], clearance: {{gap: {0}, law: steel}}}}
laws: {{steel: {{}}}}
)";
  EXPECT_EQ(refusal(fmt::format(fmt::runtime(text), "0.1 mm")), "accepted");
  EXPECT_THAT(refusal(fmt::format(fmt::runtime(text), "0.03 mm")), HasSubstr("overlaps by"));
}

}  // namespace
}  // namespace backlash
