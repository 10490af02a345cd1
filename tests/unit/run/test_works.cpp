// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/recorded_run.h"

namespace backlash::test::works {
namespace {

/// A torque c tⁿ turns a wheel: ω = c tⁿ⁺¹/((n + 1) J), a polynomial that the integrator follows in
/// few, long steps; its work is J ω²/2.
TEST(Works, OfTorquesThatGrowWithTheTimeAreWhatTheWheelHas) {
  for (const int n : {0, 1, 2}) {
    SCOPED_TRACE(n);
    const RecordedRun run = recorded_run(fmt::format(R"(backlash: 1
bodies: {{wheel: {{mass: 1, inertia: 0.02}}}}
joints: {{shaft: {{type: revolute, between: [ground, wheel]}}}}
forces: {{motor: {{type: joint_force, joint: shaft, force: 10*t^{}}}}}
simulation: {{method: compliant, until: 0.5}}
output: {{every: 0.25}}
)",
                                                     n));
    EXPECT_EQ(run.report.status, RunStatus::done) << run.report.message;
    const double speed = 10 * std::pow(0.5, n + 1) / ((n + 1) * 0.02);
    const double energy = 0.5 * 0.02 * speed * speed;
    EXPECT_NEAR(run.at("shaft.u", 2), speed, 1e-6 * speed);
    EXPECT_NEAR(run.at("energy.applied_work", 2), energy, 1e-4 * energy);
  }
}

}  // namespace
}  // namespace backlash::test::works
