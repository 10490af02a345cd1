// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Driven mechanisms whose contacts last for many turns, beside hand calculations: forces, events
// and the energy that friction takes, at three steps each.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/lasting_models.h"
#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::lasting_contact_turns {
namespace {

using lasting::g;
const char* const choices[] = {"joint", "absolute"};

/// A roller on an eccentric disc: the line of their middles, as long as both radii, is the normal.
struct RollerOnEccentric {
  double distance = 0.04, e = 0.008, omega = 40, m = 0.4, stiffness = 1500, rest = 0.02;

  double lift(double angle) const {
    return e * std::sin(angle) + std::sqrt(distance * distance - std::pow(e * std::cos(angle), 2));
  }
  /// By differences of order 4.
  double acceleration(double angle) const {
    constexpr double h = 4e-3;
    return omega * omega / (12 * h * h) *
           (16 * (lift(angle + h) + lift(angle - h)) - lift(angle + 2 * h) - lift(angle - 2 * h) -
            30 * lift(angle));
  }
  double force(double t) const {
    const double angle = omega * t, y = lift(angle);
    const double along = (y - e * std::sin(angle)) / distance;  // cosine of the pressure angle
    return (m * (acceleration(angle) + g) + stiffness * (y - rest)) / along;
  }
  std::string text() const {
    return fmt::format(R"(
gravity: [0, -{}]
bodies:
  cam: {{mass: 1, inertia: 1e-3, shape: {{circle: 30 mm, at: [{}, 0]}}}}
  roller: {{mass: {}, inertia: 1e-4, shape: {{circle: 10 mm}}}}
joints:
  shaft: {{type: revolute, between: [ground, cam], drive: {{speed: {}}}}}
  guide: {{type: prismatic, between: [ground, roller], axis: [0, 1], initial: {{position: {}, speed: {}}}}}
forces: {{spring: {{type: joint_spring, joint: guide, stiffness: {}, rest: {}}}}}
contacts: {{touch: {{between: [cam, roller], law: hard}}}}
laws: {{hard: {{restitution: 0.3, friction: 0}}}}
)",
                       g, e, m, omega, lift(0), e * omega, stiffness, rest);
  }
};

TEST(LastingContactTurns, RollerOnAnEccentricHasTheForceOfItsSpringAndItsInertia) {
  const RollerOnEccentric cam;
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = assembled(cam.text() + lasting::in_coordinates(coordinates));
    std::array<double, 3> error{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double step = 4e-4 / std::pow(2, k);
      run(*assembly.system, assembly.start, step, 4, {},
          [&](const State& state, const StepResult& result) {
            ASSERT_EQ(result.contacts.size(), 1u) << "open at " << state.t;
            EXPECT_FALSE(is_impact(result.contacts[0])) << state.t;
            if (state.t < 0.01) return;
            const double force = result.contacts[0].impulse[0] / step;
            error[k] = std::max(error[k], std::abs(force - cam.force(state.t - step / 2)));
          });
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
    EXPECT_NEAR(std::log2(error[1] / error[2]), 2, 0.1);
    EXPECT_LT(error[2], 2e-4);
  }
}

/// A block on a table that moves to and fro by A (1 − cos ωt), faster than friction can follow: in
/// each half of a period it slips once, until both are as fast again, and sticks to its end.
struct ShakenTable {
  double A = 0.01, omega = 20, mu = 0.3, m = 2;

  double period() const { return 2 * M_PI / omega; }
  double slips_until(double from) const {  ///< the phase at which both are as fast again
    const double start = A * omega * std::sin(from), rate = mu * g / omega;
    double a = from + 0.5, b = from + M_PI;  // between is one root
    const auto ahead = [&](double x) {
      return A * omega * std::sin(x) - start + rate * (x - from);
    };
    for (int i = 0; i < 60; ++i) {
      const double middle = (a + b) / 2;
      (ahead(middle) < 0 ? a : b) = middle;
    }
    return a;
  }
  /// What friction takes in a period in which it has moved like that from the start on [J].
  double dissipated() const {
    const double from = std::acos(-mu * g / (A * omega * omega));  // the table slows down too fast
    const double to = slips_until(from), rate = mu * g / omega;
    const double of_table = A * (std::cos(from) - std::cos(to));
    const double of_block =
        (A * omega * std::sin(from) * (to - from) - rate * (to - from) * (to - from) / 2) / omega;
    return 2 * mu * m * g * std::abs(of_block - of_table);
  }
  std::string text() const {
    return fmt::format(R"(
gravity: [0, -{}]
bodies:
  table: {{mass: 1, inertia: 1, shape: {{line: {{normal: [0, 1]}}}}}}
  block: {{mass: {}, inertia: 0.01, shape: {{box: [0.2, 0.1]}}, initial: {{position: [0, 0.05]}}}}
joints: {{rail: {{type: prismatic, between: [ground, table], drive: {{position: {}*(1 - cos({}*t))}}}}}}
contacts: {{feet: {{between: [table, block], law: rough}}}}
laws: {{rough: {{restitution: 0, friction: {}}}}}
)",
                       g, m, A, omega, mu);
  }
};

TEST(LastingContactTurns, BlockOnAShakenTableSlipsTwiceAPeriodWhateverTheStep) {
  const ShakenTable table;
  constexpr int first = 10, periods = 40;  // by the first ones the start is forgotten
  for (const char* coordinates : choices)
    for (const double step : {1e-3, 2e-4, 1e-4}) {
      SCOPED_TRACE(fmt::format("{}, {} s", coordinates, step));
      const Assembly assembly = assembled(table.text() + lasting::in_coordinates(coordinates));
      int slips = 0, sticks = 0;
      double lost = 0;
      run(*assembly.system, assembly.start, step, periods * table.period(), {},
          [&](const State& state, const StepResult& result) {
            if (state.t < first * table.period()) return;
            for (const ContactOutcome& contact : result.contacts) {
              EXPECT_FALSE(is_impact(contact)) << state.t;
              slips += contact.before == ContactState::stick && contact.state == ContactState::slip;
              sticks +=
                  contact.before == ContactState::slip && contact.state == ContactState::stick;
              lost += contact.loss;
            }
          });
      const int expected = 2 * 2 * (periods - first);  // of both corners
      EXPECT_NEAR(slips, expected, 2);  // the last one may end in the first of these periods
      EXPECT_NEAR(sticks, expected, 2);
      EXPECT_NEAR(lost, (periods - first) * table.dissipated(), 2e-3 * (step / 1e-3) * lost);
    }
}

/// A blade that hangs on a turning arm by a pin with play: r away from the axis when it has swung
/// out.
TEST(LastingContactTurns, BladeOnATurningArmIsHeldByTheForceThatItsCircleTakes) {
  constexpr double m = 0.5, omega = 60, arm = 0.2, com = 0.05, play = 1e-4;
  for (const char* coordinates : choices)
    for (const double step : {4e-5, 2e-5, 1e-5}) {
      SCOPED_TRACE(fmt::format("{}, {} s", coordinates, step));
      const Assembly assembly = assembled(fmt::format(
          R"(
bodies:
  arm: {{mass: 1, inertia: 1e-2}}
  blade: {{mass: {}, inertia: 1e-3, com: [{}, 0], initial: {{position: [{}, 0], velocity: [0, {}], speed: {}, angle: 5 deg}}}}
joints:
  hub: {{type: revolute, between: [ground, arm], drive: {{speed: {}}}}}
  pin: {{type: revolute, between: [arm, blade], at: [[{}, 0], [0, 0]], clearance: {{gap: {}, law: hard}}}}
forces: {{drag: {{type: damper, between: [arm, blade], at: [[{}, 0.05], [0.05, 0]], damping: 60}}}}
laws: {{hard: {{restitution: 0.2, friction: 0}}}}
simulation: {{coordinates: {}}}
)",
          m, com, arm, arm * omega, omega, omega, arm, play, arm, coordinates));
      double force = 0;
      int late = 0;
      run(*assembly.system, assembly.start, step, 1.5, {},
          [&](const State& state, const StepResult& result) {
            ASSERT_LE(result.contacts.size(), 1u);
            if (state.t < 1) return;
            late += result.contacts.empty() || is_impact(result.contacts[0]);
            force = result.contacts.empty() ? 0 : result.contacts[0].impulse[0] / step;
          });
      const double expected = m * omega * omega * (arm + com + play);
      EXPECT_EQ(late, 0);
      EXPECT_NEAR(force, expected, 0.4 * std::pow(omega * step, 2) * expected);
    }
}

}  // namespace
}  // namespace backlash::test::lasting_contact_turns
