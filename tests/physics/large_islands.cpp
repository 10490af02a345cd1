// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Rows that act on each other, many and few (theory 4.10): what is kept as factors gives what the
// matrix gives, and mechanisms side by side do not feel each other.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::large_islands {
namespace {

/// A chain of links that starts at these angles between them [rad]; `play` is added to each joint.
std::string chain(int links, double first, double even, double odd, const std::string& play,
                  const std::string& coordinates) {
  std::string bodies, joints;
  for (int i = 1; i <= links; ++i) {
    bodies += fmt::format("  b{}: {{mass: 0.1, inertia: 1e-4, com: [0.05, 0]}}\n", i);
    joints += fmt::format(
        "  j{}: {{type: revolute, between: [{}, b{}], at: [[{}, 0], [0, 0]], "
        "initial: {{angle: {} rad}}{}}}\n",
        i, i == 1 ? "ground" : fmt::format("b{}", i - 1), i, i == 1 ? 0.0 : 0.1,
        i == 1  ? first
        : i % 2 ? odd
                : even,
        play);
  }
  return fmt::format(
      "gravity: [0, -9.81]\nlaws: {{steel: {{friction: 0.1}}, smooth: {{restitution: "
      "0}}}}\nbodies:\n{}"
      "joints:\n{}simulation: {{coordinates: {}}}\n",
      bodies, joints, coordinates);
}

/// Largest distance of bodies of the same number.
double difference(const System& a, const State& at_a, const System& b, const State& at_b) {
  double most = 0;
  for (std::size_t i = 0; i < a.info().bodies.size(); ++i) {
    const int body = static_cast<int>(i);
    most = std::max(most, (motion_of(a, at_a, body).p_W - motion_of(b, at_b, body).p_W).norm());
  }
  return most;
}

TEST(LargeIsland, OfLoopRowsMovesAsTheSameChainInJointCoordinates) {
  constexpr int links = 30;  // 60 rows
  const Assembly joint = assembled(chain(links, 0.3, -0.2, 0.3, "", "joint"));
  const Assembly absolute = assembled(chain(links, 0.3, -0.2, 0.3, "", "absolute"));
  ASSERT_EQ(absolute.system->info().bilaterals.size(), 2u * links);
  const auto error = [&](double step) {
    const State a = run(*joint.system, joint.start, step, 0.1);
    const State b = run(*absolute.system, absolute.start, step, 0.1);
    Vector errors(2 * links);
    absolute.system->bilateral_errors(configuration(*absolute.system, b), errors);
    EXPECT_LT(errors.cwiseAbs().maxCoeff(), 1e-10);
    return difference(*joint.system, a, *absolute.system, b);
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

TEST(LargeIsland, OfContactsIsSolvedAsItsMatrixIs) {
  const Assembly assembly =
      assembled(chain(40, -1.5, 0.01, -0.02,
                      ", clearance: {gap: 2 um, journal_radius: 5 mm, law: steel}", "joint"));
  const System& system = *assembly.system;
  Moreau as_factors(system, {.step = 1e-4}), as_matrix(system, {.step = 1e-4, .solver = "newton"});
  std::size_t most = 0;
  for (State state = assembly.start; state.t < 0.0999;) {
    State other = state;
    const StepResult& result = as_factors.step(state, {});
    ASSERT_EQ(result.status, StepStatus::done);
    ASSERT_EQ(as_matrix.step(other, {}).status, StepStatus::done);
    most = std::max(most, result.contacts.size());
    EXPECT_LT((state.u - other.u).cwiseAbs().maxCoeff(), 1e-12);  // of 1 rad/s
  }
  EXPECT_EQ(most, 40u);  // two rows each: more than a matrix is kept for
}

/// Where its journals land depends on the step, and with it the motion by some per cent: what
/// counts is the root mean square over several steps, which vanishes with the play.
TEST(SmallPlay, OfAChainMovesAsIdealPinsDoEvenIfAStepIsLongBesideIt) {
  constexpr int links = 10, runs = 10;
  const auto final = [](const std::string& play, double step, long& impacts) {
    const Assembly assembly = assembled(chain(links, -1.5, 0.01, -0.02, play, "joint"));
    const auto count = [&](const State&, const StepResult& result) {
      for (const ContactOutcome& contact : result.contacts) impacts += is_impact(contact);
    };
    const State end = run(*assembly.system, assembly.start, step, 0.1, {}, count);
    return motion_of(*assembly.system, end, 1).w_W.z();
  };
  long none = 0;
  const double ideal = final("", 1e-4, none);
  const auto deviation = [&](const std::string& play, double step) {
    double squares = 0;
    for (int k = 0; k < runs; ++k) {
      long impacts = 0;
      const double error = final(play, step * (1 - 0.02 * k), impacts) / ideal - 1;
      squares += error * error;
      EXPECT_LT(impacts, 3000);  // of 1e4 and 1e5 contacts in all steps: no rattle
    }
    return std::sqrt(squares / runs);
  };
  for (const double step : {1e-4, 1e-5}) {
    SCOPED_TRACE(step);
    EXPECT_LT(deviation(", clearance: {gap: 2 um, law: smooth}", step), 0.12);
    EXPECT_LT(deviation(", clearance: {gap: 0.1 um, law: smooth}", step), 0.05);  // 0.03 of many
  }
}

/// A four-bar and a pendulum with friction in its pin, called by a letter, at that height [m].
std::string machine(const std::string& a, double y, std::string& joints) {
  joints += fmt::format(R"(
  {0}1: {{type: revolute, between: [ground, {0}crank], at: [[0, {1}], [0, 0]], initial: {{angle: 1.1, speed: 3}}}}
  {0}2: {{type: revolute, between: [{0}crank, {0}coupler], at: [[0.2, 0], [0, 0]]}}
  {0}3: {{type: revolute, between: [ground, {0}rocker], at: [[0.6, {1}], [0, 0]]}}
  {0}4: {{type: revolute, between: [{0}coupler, {0}rocker], at: [[0.6, 0], [0.4, 0]]}}
  {0}5: {{type: revolute, between: [ground, {0}arm], at: [[2, {1}], [0, 0]], friction: {{strength: 0.05 N m}}}})",
                        a, y);
  std::string bodies;
  for (const char* name : {"crank", "coupler", "rocker", "arm"})
    bodies += fmt::format("  {}{}: {{mass: 0.5, inertia: 0.01, com: [0.1, 0]}}\n", a, name);
  return bodies;
}

TEST(Islands, OfMechanismsSideBySideDoNotFeelEachOther) {
  std::string joints;
  const std::string alone = machine("a", 0, joints);
  const auto model = [](const std::string& bodies, const std::string& all) {
    return "gravity: [0, -9.81]\nbodies:\n" + bodies + "joints:" + all + "\n";
  };
  const Assembly one = assembled(model(alone, joints));
  std::string all = joints, bodies = alone;
  for (const auto& [name, y] : {std::pair("b", 1.0), {"c", 2.0}, {"d", 3.0}})
    bodies += machine(name, y, all);
  const Assembly four = assembled(model(bodies, all));
  const State by_itself = run(*one.system, one.start, 1e-3, 0.5);
  const State together = run(*four.system, four.start, 1e-3, 0.5);
  for (int body = 0; body < 4; ++body) {
    const BodyMotion a = motion_of(*one.system, by_itself, body);
    for (int copy = 0; copy < 4; ++copy) {
      const BodyMotion b = motion_of(*four.system, together, 4 * copy + body);
      EXPECT_LT((a.p_W + copy * Vec3::UnitY() - b.p_W).norm(), 1e-11) << body << copy;
      EXPECT_NEAR(a.angle, b.angle, 1e-11);
    }
  }
}

}  // namespace
}  // namespace backlash::test::large_islands
