// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contact that lasts for a million steps: errors are no larger in the last tenth of them than in
// the first. In absolute coordinates, whose steps cost more, for 200,000 where that is enough.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/lasting_models.h"
#include "support/models.h"

namespace backlash::test::lasting_contact_million {
namespace {

constexpr int million = 1000000;

/// One error of a run: its envelope, and what of it is round-off.
struct Error {
  const char* what;
  double round_off = 0;
  double early = 0, late = 0;
};

/// Takes so many steps; `measure(state, result, add)` calls add(i, error) for each of the errors.
template <class Measure>
void expect_no_growth(const Assembly& assembly, double step, std::vector<Error> errors,
                      Measure measure, int steps = million) {
  Moreau integrator(*assembly.system, {.step = step});
  State state = assembly.start;
  for (int k = 0; k < steps; ++k) {
    const StepResult& result = integrator.step(state, {.until = INFINITY});
    ASSERT_EQ(result.status, StepStatus::done) << state.t;
    if (k < steps / 100 || (k >= steps / 10 && k < 9 * (steps / 10))) continue;
    measure(state, result, [&](std::size_t i, double error) {
      double& worst = k < steps / 10 ? errors[i].early : errors[i].late;
      worst = std::max(worst, std::abs(error));
    });
  }
  for (const Error& error : errors) {
    fmt::print("{:<10}{:9.1e}{:9.1e}\n", error.what, error.early, error.late);
    EXPECT_LE(error.late, 1.01 * error.early + error.round_off) << error.what;
  }
}

/// The force and the energy beside those of a pendulum that is where it is, and the gap.
void expect_pendulum(const lasting::Pendular& mechanism, double step) {
  const Assembly assembly = assembled(mechanism.text);
  const System& system = *assembly.system;
  const double before = energy_ledger(system, assembly.start).mechanical();
  const auto rate = [&](double angle) {  // by the energy that it began with
    const lasting::Swing& s = mechanism.start;
    return std::sqrt(std::max(
        0.0, s.rate * s.rate + 2 * mechanism.stiffness * (std::cos(angle) - std::cos(s.angle))));
  };
  expect_no_growth(assembly, step, {{"energy"}, {"force"}, {"depth"}},
                   [&](const State& state, const StepResult& result, auto add) {
                     ASSERT_EQ(result.contacts.size(), mechanism.contacts);
                     add(0, energy_ledger(system, state).mechanical() - before);
                     const BodyMotion body = motion_of(system, state);
                     const Vec3 p = body.p_W, v = body.v_W;
                     const double angle = std::atan2(p.x(), -p.y());
                     const double turn = p.cross(v).z() / p.squaredNorm();
                     const double middle = angle - step / 2 * turn -
                                           step * step / 8 * mechanism.stiffness * std::sin(angle);
                     const auto expected = mechanism.forces({middle, rate(middle)});
                     for (std::size_t i = 0; i < mechanism.contacts; ++i) {
                       add(1, result.contacts[i].impulse[0] / step - expected[i]);
                       add(2, std::min(0.0, result.contacts[i].gap));
                     }
                   });
}

TEST(MillionSteps, OfABeadThatLoopsInARing) { expect_pendulum(lasting::bead(), 2e-4); }
TEST(MillionSteps, OfADiscThatRollsInARing) { expect_pendulum(lasting::disc(), 1e-4); }
TEST(MillionSteps, OfARodBetweenTwoPointsOfARing) { expect_pendulum(lasting::rod(), 5e-4); }

/// Beside the speed, place and force of the closed form: speed and place as parts of them, the
/// force of the one at the start, for that of a bead that friction slows becomes as small as
/// round-off.
void expect_journal(const lasting::Journal& shaft, double step) {
  const Assembly assembly = lasting::circling(shaft, "joint");
  const double first = shaft.force(shaft.speed_at(0));
  expect_no_growth(assembly, step, {{"speed", 1e-12}, {"force", 1e-10}, {"radius", 1e-12}},
                   [&](const State& state, const StepResult& result, auto add) {
                     ASSERT_EQ(result.contacts.size(), 1u);
                     add(0, state.u.head<2>().norm() / shaft.speed_at(state.t) - 1);
                     const double force = shaft.force(shaft.speed_at(state.t - step / 2));
                     add(1, (result.contacts[0].impulse[0] / step - force) / first);
                     add(2, state.q.head<2>().norm() / shaft.play - 1);
                   });
}

TEST(MillionSteps, OfAJournalThatCirclesInItsBearing) { expect_journal({}, 1e-5); }
TEST(MillionSteps, OfABeadThatFrictionSlows) {
  expect_journal({.friction = 0.2, .radius = 0}, 1e-5);
}

struct Choice {
  const char* coordinates;
  int steps;
};
constexpr Choice choices[] = {{"joint", million}, {"absolute", million / 5}};

Assembly with(const char* coordinates, const std::string& text) {
  return assembled(text + lasting::in_coordinates(coordinates));
}

TEST(MillionSteps, OfAFlatFollowerOnAnEccentricDisc) {
  const lasting::Follower cam;
  const double step = 1e-4;
  for (const auto& [coordinates, steps] : choices) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = with(coordinates, cam.text());
    expect_no_growth(
        assembly, step, {{"lift", 1e-14}, {"force", 1e-9}},
        [&](const State& state, const StepResult& result, auto add) {
          ASSERT_EQ(result.contacts.size(), 1u);
          const double lift = motion_of(*assembly.system, state, 1).p_W.y();
          add(0, lift - cam.lift(state.t));
          add(1, result.contacts[0].impulse[0] / step - cam.force(state.t - step / 2));
        },
        steps);
  }
}

/// As many steps as it takes the slope to rise to 99 % of what friction holds.
TEST(MillionSteps, OfABlockOnASlopeThatRises) {
  const lasting::RisingSlope slope;
  const double step = 0.99 * slope.last_angle() / slope.omega / million;
  for (const char* coordinates : {"joint"}) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = with(coordinates, slope.text());
    expect_no_growth(assembly, step, {{"along", 1e-11}, {"depth", 1e-11}},
                     [&](const State& state, const StepResult& result, auto add) {
                       for (const ContactOutcome& contact : result.contacts)
                         ASSERT_EQ(contact.state, ContactState::stick) << state.t;
                       const double alpha = slope.omega * state.t;
                       const Vec3 p = motion_of(*assembly.system, state, 1).p_W;
                       add(0, p.x() * std::cos(alpha) + p.y() * std::sin(alpha));
                       add(1, p.y() * std::cos(alpha) - p.x() * std::sin(alpha) - slope.h);
                     });
  }
}

TEST(MillionSteps, OfADampedWheelOnItsBelt) {
  const lasting::DampedWheel wheel;
  const double step = 1e-4;
  for (const char* coordinates : {"joint"}) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = with(coordinates, wheel.text());
    expect_no_growth(assembly, step, {{"rate", 1e-12 * wheel.rate()}, {"friction", 1e-9}},
                     [&](const State& state, const StepResult& result, auto add) {
                       add(0, motion_of(*assembly.system, state, 2).w_W.z() - wheel.rate());
                       add(1, std::abs(result.contacts[0].impulse[1]) / step - wheel.friction());
                     });
  }
}

/// The angle of the rocker beside that of the ideal one, which is bounded by the play, and how deep
/// the journal is.
TEST(MillionSteps, OfAFourBarWithAPlay) {
  const double play = 1e-4;
  for (const char* coordinates : {"joint", "absolute"}) {  // 13 turns: more than one in a tenth
    SCOPED_TRACE(coordinates);
    const Assembly assembly = with(coordinates, lasting::four_bar(play));
    expect_no_growth(assembly, 2e-5, {{"rocker"}, {"depth", 1e-11}},
                     [&](const State& state, const StepResult& result, auto add) {
                       const double rocker = motion_of(*assembly.system, state, 2).angle;
                       add(0, rocker - lasting::ideal_rocker(1 + 4 * state.t));
                       for (const ContactOutcome& contact : result.contacts)
                         add(1, std::min(0.0, contact.gap));
                     });
  }
}

TEST(MillionSteps, OfAParallelogramThroughItsFlatPositions) {
  for (const auto& [coordinates, steps] : choices) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly = assembled(flat_parallelogram(coordinates));
    const double before = energy_ledger(*assembly.system, assembly.start).mechanical();
    expect_no_growth(
        assembly, 1e-4, {{"energy"}, {"coupler", 1e-10}},
        [&](const State& state, const StepResult&, auto add) {
          add(0, energy_ledger(*assembly.system, state).mechanical() - before);
          add(1, motion_of(*assembly.system, state, 2).angle);
        },
        steps);
  }
}

}  // namespace
}  // namespace backlash::test::lasting_contact_million
