// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/results/recorder.h"
#include "support/models.h"
#include "support/runs.h"

// A contact that goes from one place of a profile to the next, from an arc to the corner at its
// end, goes on: nothing opens, no force is lost, neither in the step nor in what is reported of it.

namespace backlash::test::handed_over_places {
namespace {

constexpr double friction = 0.15, width = 0.04, speed = 20 * M_PI;

/// A Reuleaux triangle that turns about a corner lifts a flat yoke, which a spring presses on it.
Assembly yoke(const char* joint_friction = "") {
  return assembled(fmt::format(R"yaml(
parameters: {{w: {}, sp: {}}}
gravity: [0, -9.81]
bodies:
  cam: {{mass: 0.5, inertia: 1e-4, shape: {{outline: {{path: [{{to: [0, 0], radius: w}}, {{to: [w, 0], radius: w}},
        {{to: [w/2, w*sqrt(0.75)], radius: w}}]}}}}}}
  yoke: {{mass: 1, inertia: 1e-3, shape: {{line: {{normal: [0, -1]}}}}}}
joints:
  axle: {{type: revolute, between: [ground, cam], drive: {{speed: sp}}, initial: {{angle: 100 deg}}}}
  guide: {{type: prismatic, between: [ground, yoke], axis: [0, 1]{},
          initial: {{position: "w*cos(10 deg)", speed: "-w*sin(10 deg)*sp"}}}}
forces:
  spring: {{type: joint_spring, joint: guide, stiffness: 2000, preload: -300}}
contacts:
  top: {{between: [cam, yoke], law: steel}}
laws: {{steel: {{restitution: 0.1, friction: {}}}}}
)yaml",
                               width, speed, joint_friction, friction));
}

TEST(HandedOverPlaces, KeepTheirForcesInReactions) {
  const Assembly assembly = yoke();
  State before = assembly.start;
  for (const double step : {1e-3, 1e-4}) {
    before = assembly.start;
    run(*assembly.system, assembly.start, step, 0.2, {},
        [&](const State& state, const StepResult& result) {
          double N = 0, T = 0;
          for (const ContactOutcome& contact : result.contacts) {
            N += contact.impulse[0] / step;
            T += contact.impulse[1] / step;
          }
          Outputs outputs = outputs_of(*assembly.system, before, state);
          EXPECT_NEAR(std::abs(outputs["guide.fx"]), std::abs(T), 1e-9 * N) << state.t;
          before = state;
        });
  }
}

TEST(HandedOverPlaces, GoOnWithoutAnOpenStep) {
  // On an arc whose centre is at the angle φ the height is w (1 + sin φ), and the force
  // m g + F0 + k w + (k − m ω²) w sin φ: most at φ = −90°, where the corner at the axis follows.
  const Assembly assembly = yoke();
  const double highest = 9.81 + 300 + speed * speed * width;
  double most = 0;
  int open = 0;
  run(*assembly.system, assembly.start, 1e-4, 0.2, {},
      [&](const State& state, const StepResult& result) {
        double N = 0;
        for (const ContactOutcome& contact : result.contacts) N += contact.impulse[0] / 1e-4;
        most = std::max(most, N);
        open += N == 0 && state.t > 1e-3;
      });
  EXPECT_EQ(open, 0);
  EXPECT_LT(most, 1.01 * highest);
}

TEST(HandedOverPlaces, HaveRowsWithAllOfTheirImpulse) {
  const Assembly assembly = yoke();
  Recorder recorder(*assembly.system, assembly.start, {.every = 1e-3});
  double pushed = 0, recorded = 0;
  const State end = run(*assembly.system, assembly.start, 1e-4, 0.2, {},
                        [&](const State& state, const StepResult& result) {
                          for (const ContactOutcome& contact : result.contacts)
                            pushed += contact.impulse[0];
                          recorder.observe(state, result);
                        });
  recorder.finish(end);
  for (const ContactRow& row : recorder.recording().contacts) recorded += row.impulse[0];
  EXPECT_NEAR(recorded, pushed, 1e-12 * pushed);
}

/// μ N of a guide follows its load through the places: as in absolute coordinates.
TEST(HandedOverPlaces, LoadTheFrictionOfJoints) {
  const Assembly assembly = yoke(", friction: {coefficient: 0.1, length: 200 mm}");
  State before = assembly.start;
  int loaded = 0;
  run(*assembly.system, assembly.start, 1e-4, 0.2, {},
      [&](const State& state, const StepResult& result) {
        double T = 0;
        for (const ContactOutcome& contact : result.contacts) T += contact.impulse[1] / 1e-4;
        const Outputs outputs = outputs_of(*assembly.system, before, state);
        before = state;
        if (std::abs(state.u[1]) < 1e-3) return;  // it may stick
        EXPECT_GE(std::abs(outputs.at("guide.fy")), 0.1 * std::abs(T) * (1 - 1e-6));
        ++loaded;
      });
  EXPECT_GT(loaded, 1000);
}

}  // namespace
}  // namespace backlash::test::handed_over_places
