// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

// Mechanisms with closed loops, in both kinds of coordinates.

namespace backlash::test {
namespace {

struct Loop {
  const char* name;
  std::string text;
  double step;   ///< [s]
  double until;  ///< [s], of short runs
};

const Loop loops[] = {{"four_bar", R"yaml(
gravity: [0, -9.81]
parameters: {b: sqrt(0.13), c: sqrt(0.1), beta: "atan2(0.2, 0.3)", gamma: "atan2(0.3, -0.1)"}
bodies:
  crank: {mass: 0.2, inertia: 1.7e-4, com: [0.05, 0]}
  coupler: {mass: 0.7, inertia: 7.1e-3, com: [b/2, 0]}
  rocker: {mass: 0.5, inertia: 2.6e-3, com: [c/2, 0]}
joints:
  A: {type: revolute, between: [ground, crank], initial: {angle: pi/2, speed: 20}}
  B: {type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]], initial: {angle: beta - pi/2}}
  C: {type: revolute, between: [coupler, rocker], at: [[b, 0], [c, 0]], initial: {angle: gamma - beta}}
  D: {type: revolute, between: [ground, rocker], at: [[0.4, 0], [0, 0]]}
)yaml",
                       1e-4, 0.5},
                      {"parallelogram", R"(
gravity: [0, -9.81]
bodies:
  left: {mass: 0.5, inertia: 3.75e-3, com: [0.15, 0]}
  middle: {mass: 0.5, inertia: 3.75e-3, com: [0.15, 0]}
  right: {mass: 0.5, inertia: 3.75e-3, com: [0.15, 0]}
  coupler: {mass: 1, inertia: 5.3e-2, com: [0.4, 0]}
joints:
  A: {type: revolute, between: [ground, left], initial: {angle: -60 deg, speed: 2}}
  B: {type: revolute, between: [left, coupler], at: [[0.3, 0], [0, 0]], initial: {angle: 60 deg, speed: -2}}
  C: {type: revolute, between: [ground, middle], at: [[0.4, 0], [0, 0]], initial: {angle: -60 deg}}
  D: {type: revolute, between: [middle, coupler], at: [[0.3, 0], [0.4, 0]]}
  E: {type: revolute, between: [ground, right], at: [[0.8, 0], [0, 0]], initial: {angle: -60 deg}}
  F: {type: revolute, between: [right, coupler], at: [[0.3, 0], [0.8, 0]]}
)",
                       1e-4, 0.5},
                      {"slider_crank", ideal_slider_crank(50), 2e-5, 0.1},
                      {"geared_rack", R"(
gravity: [0, -9.81]
bodies:
  one: {mass: 1, inertia: 2e-3, com: [0.01, 0]}
  two: {mass: 2, inertia: 8e-3, com: [0, 0.02]}
  rack: {mass: 3, inertia: 1e-2}
joints:
  a: {type: revolute, between: [ground, one], initial: {speed: 30}}
  b: {type: revolute, between: [ground, two], at: [[0.15, 0], [0, 0]]}
  rail: {type: prismatic, between: [ground, rack], axis: [0, 1], at: [[0.25, 0], [0, 0]]}
  mesh: {type: gear, joints: [a, b], ratio: -0.5}
  teeth: {type: rack, pinion: b, rack: rail, radius: 0.1}
forces: {spring: {type: joint_spring, joint: rail, stiffness: 500}}
)",
                       1e-4, 0.5},
                      {"scotch_yoke", R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 1e-3, com: [0.05, 0]}
  yoke: {mass: 2, inertia: 1e-2}
joints:
  pin: {type: revolute, between: [ground, crank], initial: {angle: 30 deg, speed: 15}}
  slot: {type: point_on_line, between: [yoke, crank], at: [[0, 0], [0.1, 0]], axis: [0, 1]}
  rail: {type: prismatic, between: [ground, yoke], initial: {position: 0.1*cos(30 deg)}}
)",
                       1e-4, 0.5}};

/// How a test is named that runs it.
void PrintTo(const Loop& loop, std::ostream* out) { *out << loop.name; }

Assembly assembled_loop(const Loop& loop, Coordinates coordinates) {
  const char* name = coordinates == Coordinates::joint ? "joint" : "absolute";
  return assembled(fmt::format("{}simulation: {{coordinates: {}}}\n", loop.text, name));
}

/// How far the loops are open, as a part of the model's length.
double opening(const System& system, const State& state) {
  Vector errors(static_cast<Eigen::Index>(system.info().bilaterals.size()));
  system.bilateral_errors(configuration(system, state), errors);
  double most = 0;
  for (Eigen::Index i = 0; i < errors.size(); ++i)
    most = std::max(
        most, std::abs(errors[i]) * system.info().bilaterals[static_cast<std::size_t>(i)].length);
  return most / system.info().length;
}

/// What a run of many steps did to the loops and to the energy.
struct Drift {
  double opening = 0;  ///< largest, of every eighth step
  double imbalance =
      0;  ///< at the end, as a part of the energy at the start and of the kinetic one
  State end{};
};

Drift drift_of(const Assembly& assembly, double step, double until) {
  const System& system = *assembly.system;
  const EnergyLedger start = energy_ledger(system, assembly.start);
  Drift drift;
  long steps = 0;
  drift.end =
      run(system, assembly.start, step, until, {}, [&](const State& state, const StepResult&) {
        if (++steps % 8 == 0) drift.opening = std::max(drift.opening, opening(system, state));
      });
  drift.imbalance = std::abs(energy_imbalance(start, energy_ledger(system, drift.end))) /
                    (std::abs(start.mechanical()) + start.kinetic);
  return drift;
}

class ClosedLoop : public ::testing::TestWithParam<Loop> {};

TEST_P(ClosedLoop, StaysClosedAndKeepsItsEnergyToSecondOrderInBothCoordinates) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    const Assembly assembly = assembled_loop(GetParam(), coordinates);
    EXPECT_EQ(assembly.report.dofs, 1);
    const Drift coarse = drift_of(assembly, 2 * GetParam().step, GetParam().until);
    const Drift fine = drift_of(assembly, GetParam().step, GetParam().until);
    EXPECT_LT(coarse.opening, 1e-10);
    EXPECT_LT(fine.opening, 1e-10);
    EXPECT_LT(fine.imbalance, 1e-4);
    // Second order, unless there is nothing left but round-off.
    if (fine.imbalance > 1e-11) {
      EXPECT_NEAR(std::log2(coarse.imbalance / fine.imbalance), 2, 0.4);
    }
  }
}

TEST_P(ClosedLoop, MovesTheSameInBothCoordinatesToSecondOrder) {
  const auto difference = [](double step) {
    double most = 0;
    Vec3 places[2][8];
    for (const int k : {0, 1}) {
      const Assembly assembly =
          assembled_loop(GetParam(), k == 0 ? Coordinates::joint : Coordinates::absolute);
      const State end = run(*assembly.system, assembly.start, step, GetParam().until);
      const int bodies = static_cast<int>(assembly.system->info().bodies.size());
      for (int body = 0; body < bodies; ++body) {
        const BodyMotion motion = motion_of(*assembly.system, end, body);
        places[k][body] = motion.p_W + Vec3(0, 0, motion.angle);
        if (k == 1) most = std::max(most, (places[1][body] - places[0][body]).norm());
      }
    }
    return most;
  };
  const double coarse = difference(2 * GetParam().step), fine = difference(GetParam().step);
  EXPECT_LT(fine, 1e-3);
  if (fine > 1e-10) {
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.4);
  }
}

/// docs/verification/loops.md has its figures.
TEST_P(ClosedLoop, StaysClosedOverAMillionSteps) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    const Assembly assembly = assembled_loop(GetParam(), coordinates);
    const Drift drift = drift_of(assembly, GetParam().step, 1e6 * GetParam().step);
    fmt::print("{:<14}{:<10}{:9.1e}{:10.1e}\n", GetParam().name,
               coordinates == Coordinates::joint ? "joint" : "absolute", drift.opening,
               drift.imbalance);
    EXPECT_LT(drift.opening, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(, ClosedLoop, ::testing::ValuesIn(loops),
                         [](const auto& loop) { return std::string(loop.param.name); });

}  // namespace
}  // namespace backlash::test
