// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "support/models.h"
#include "support/runs.h"

/// Rows of loops that hold what is held already.
namespace backlash::test {
namespace {

constexpr double mass = 1, inertia = 1e-3, torque = 0.01, speed = 12;

struct Hub {
  double x, y;  ///< of the axle, in the wheel's frame, whose origin is its centre of mass [m]
  double inertia_about() const { return inertia + mass * (x * x + y * y); }
};

/// Two wheels on one axle, each with a bearing of its own on the ground, and a bearing with
/// friction between them.
Assembly wheels_on_one_axle(const Hub& a, const Hub& b, double at) {
  return assembled(fmt::format(R"(
bodies:
  a: {{mass: 1, inertia: 1e-3}}
  b: {{mass: 1, inertia: 1e-3}}
joints:
  A: {{type: revolute, between: [ground, a], at: [[{4}, {4}], [{0}, {1}]]}}
  B: {{type: revolute, between: [ground, b], at: [[{4}, {4}], [{2}, {3}]], initial: {{speed: 12}}}}
  R: {{type: revolute, between: [a, b], at: [[{0}, {1}], [{2}, {3}]], friction: {{strength: 0.01}}}}
)",
                               a.x, a.y, b.x, b.y, at));
}

/// The friction between them acts on both alike: J_A ω_A + J_B ω_B stays, until they turn together.
/// The rows of the bearing between them are zero, or round-off, which is no singular position.
TEST(IdleRows, OfABearingBetweenTwoWheelsOnOneAxleDoNotDisturbThem) {
  const std::pair<Hub, Hub> pairs[] = {{{0, 0}, {0, 0}}, {{0.013, -0.027}, {-0.11, 0.23}}};
  for (const auto& [a, b] : pairs) {
    SCOPED_TRACE(a.x);
    const Assembly wheels = wheels_on_one_axle(a, b, a.x == 0 ? 0 : 0.3141);
    EXPECT_EQ(wheels.report.dofs, 2);
    const double J_A = a.inertia_about(), J_B = b.inertia_about();
    const double together = J_B * speed / (J_A + J_B);
    const double until = 1.2 * J_A * together / torque;
    for (const double step : {1e-3, 1e-4}) {
      const State end = run(*wheels.system, wheels.start, step, until);
      EXPECT_NEAR(end.u[0], together, 1e-9 * speed);
      EXPECT_NEAR(end.u[1], together, 1e-9 * speed);
    }
    Compliant compliant(*wheels.system, {});
    State state = wheels.start;
    EXPECT_EQ(simulate(compliant, state, 0.5 * until).status, StepStatus::done);
    EXPECT_NEAR(state.u[0], torque / J_A * 0.5 * until, 1e-5 * speed);
    EXPECT_NEAR(J_A * state.u[0] + J_B * state.u[1], J_B * speed, 1e-9 * J_B * speed);
  }
}

}  // namespace
}  // namespace backlash::test
