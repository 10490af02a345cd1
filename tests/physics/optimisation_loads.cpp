// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Peaks of steps by optimisation: without impacts, which take two steps, and without steps whose
// forces are off (theory 12.17).
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test::optimisation_loads {
namespace {

constexpr double g = 9.81;

/// A pin drives a yoke of the mass m by ω with the radius r, and with play: its largest lasting
/// force is m r ω², its largest torque half of m r² ω², and it hits the yoke twice a turn.
TEST(OptimisationLoads, LeaveOutBothStepsOfAPlasticImpact) {
  const double m = 1.5, r = 0.04, w = 30;
  for (const double h : {4e-4, 2e-4, 1e-4}) {
    SCOPED_TRACE(h);
    RunRecorder recorder;
    const RunReport report = run(parse_model(fmt::format(R"(backlash: 1
parameters: {{r: {}, rp: 8 mm, c: 0.2 mm, w: {}}}
bodies:
  crank: {{mass: 0.5, inertia: 1e-3, shape: {{circle: rp, at: [r, 0]}}}}
  yoke:
    mass: {}
    inertia: 1e-3
    shapes:
      left: {{line: {{point: [-rp-c, 0], normal: [1, 0]}}}}
      right: {{line: {{point: [rp+c, 0], normal: [-1, 0]}}}}
joints:
  main: {{type: revolute, between: [ground, crank], drive: {{speed: w}}}}
  rail: {{type: prismatic, between: [ground, yoke], axis: [1, 0], initial: {{position: r+c}}}}
laws: {{p: {{restitution: 0}}}}
contacts: {{L: {{between: [crank, yoke.left], law: p}}, R: {{between: [crank, yoke.right], law: p}}}}
simulation: {{method: optimisation, optimiser: slsqp, step: {}, until: 0.45}}
)",
                                                         r, w, m, h),
                                             "yoke.yaml"),
                                 {}, recorder)
                                 .report;
    EXPECT_GE(report.run.impacts, 4);
    ASSERT_EQ(report.loads.drives.size(), 1u);
    EXPECT_NEAR(report.loads.contact.force.value, m * r * w * w, m * r * w * w * w * h);
    EXPECT_NEAR(std::abs(report.loads.drives[0].load.value), m * r * r * w * w / 2,
                m * r * r * w * w * w * h);
  }
}

/// A ball falls and stays: what stops it in two steps is the impact's, with the weight of these
/// steps, and what remains is its weight.
TEST(OptimisationLoads, GiveTheImpactAllOfItsImpulse) {
  const double m = 2, h = 1e-3, until = 0.2;
  RunRecorder recorder;
  const RunReport report = run(parse_model(fmt::format(R"(backlash: 1
gravity: [0, -{}]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  ball: {{mass: {}, inertia: 0.1, shape: {{circle: 0.1}}, initial: {{position: [0, 0.15]}}}}
laws: {{p: {{restitution: 0}}}}
contacts: {{hit: {{between: [ball, ground.floor], law: p}}}}
simulation: {{method: optimisation, step: {}, until: {}}}
output: {{every: step}}
)",
                                                       g, m, h, until),
                                           "ball.yaml"),
                               {}, recorder)
                               .report;
  double impact = 0, impulse = 0, over = 0;
  for (const ContactRow& row : recorder.recording().contacts) {
    impact += row.impact_n;
    impulse += row.impulse[0];
    if (row.impact_n > 0) over = row.t;
  }
  EXPECT_EQ(report.run.impacts, 1);
  EXPECT_NEAR(impulse, m * g * until, 1e-11);
  EXPECT_NEAR(impact, m * g * over, 1e-11);  // all that gravity gave until it is over
  EXPECT_NEAR(report.run.hardest.impulse, impact, 1e-11);
  EXPECT_NEAR(report.loads.contact.force.value, m * g, 1e-8);
}

/// A table moves as A cos ωt, a block lies on it: while it is short of a quarter of a turn, its
/// force m (g − A ω² cos ωt) grows, and the first step, with half of the acceleration, has more.
TEST(OptimisationLoads, LeaveOutTheFirstStep) {
  const double m = 2, M = 3, A = 0.01, w = 20, h = 1e-3, until = 0.015;
  RunRecorder recorder;
  const RunReport report = run(parse_model(fmt::format(R"(backlash: 1
gravity: [0, -{}]
bodies:
  table: {{mass: {}, inertia: 1, shapes: {{top: {{line: {{normal: [0, 1]}}}}}}}}
  block: {{mass: {}, inertia: 0.1, shape: {{circle: 0.1}}}}
joints:
  lift: {{type: prismatic, between: [ground, table], axis: [0, 1], drive: {{position: '{}*cos({}*t)'}}}}
  guide: {{type: prismatic, between: [ground, block], axis: [0, 1], initial: {{position: {}}}}}
laws: {{p: {{restitution: 0}}}}
contacts: {{lie: {{between: [table, block], law: p}}}}
simulation: {{method: optimisation, step: {}, until: {}}}
output: {{every: step}}
)",
                                                       g, M, m, A, w, 0.1 + A, h, until),
                                           "table.yaml"),
                               {}, recorder)
                               .report;
  // As implicit Euler's method has the acceleration in the last step.
  const double a = -A * (2 - 2 * std::cos(w * h)) / (h * h) * std::cos(w * (until - h));
  EXPECT_NEAR(report.loads.contact.force.value, m * (g + a), 1e-7);
  ASSERT_EQ(report.loads.drives.size(), 1u);
  EXPECT_NEAR(std::abs(report.loads.drives[0].load.value), (m + M) * (g + a), 1e-7);
  EXPECT_NEAR(report.loads.contact.force.t, until, 1e-12);
  double impulse = 0;
  for (const ContactRow& row : recorder.recording().contacts) impulse += row.impulse[0];
  const double speed = A * (std::cos(w * until) - std::cos(w * (until - h))) / h;
  EXPECT_NEAR(impulse, m * (g * until + speed), 1e-11);  // which has the first step in it
}

/// m v̇ = −c v in steps in which the damper stops the cart at once: u_n = u_A / (1 + c h/m), and
/// what the cart loses is the work of the damper, to the last digit.
TEST(OptimisationLoads, OfAStiffDamperBalanceTheEnergy) {
  const double m = 2, c = 1e5, h = 1e-3, v = 3;
  RunRecorder recorder;
  const RunOutcome outcome = run(parse_model(fmt::format(R"(backlash: 1
bodies: {{cart: {{mass: {}, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], initial: {{speed: {}}}}}}}
forces: {{d: {{type: joint_spring, joint: rail, stiffness: 0, damping: {}}}}}
simulation: {{method: optimisation, step: {}, until: 5e-3}}
)",
                                                         m, v, c, h),
                                             "cart.yaml"),
                                 {}, recorder);
  const RunReport& report = outcome.report;
  EXPECT_EQ(report.status, RunStatus::done) << report.message;
  EXPECT_TRUE(report.run_warnings.empty());
  EXPECT_NEAR(outcome.end.u[0], v / std::pow(1 + c * h / m, 5), 1e-12);
  EXPECT_NEAR(report.end.applied, -0.5 * m * v * v, 1e-6);
  EXPECT_NEAR(report.end.kinetic - report.end.applied, 0.5 * m * v * v, 1e-14);
}

}  // namespace
}  // namespace backlash::test::optimisation_loads
