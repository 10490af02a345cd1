// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"
#include "support/observed_order.h"

namespace backlash::test {
namespace {

/// A mass on a rail that is pulled by x, which obeys ẋ = −x − u: with u̇ = x a damped swing,
/// x(t) = e^{−t/2} (cos ωt − sin ωt/(2ω)), ω² = 3/4.
TEST(StateVariable, IsOfFirstOrderInTheStepAsAnOptimisation) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
states: {x: {rate: -x - rail.u, initial: 1}}
forces: {pull: {type: joint_force, joint: rail, force: x}}
)");
  const double until = 2, omega = std::sqrt(0.75);
  const double exact =
      std::exp(-until / 2) * (std::cos(omega * until) - std::sin(omega * until) / (2 * omega));
  const auto error = [&](int steps) {
    OptimisationOptions options;
    options.step = until / steps;
    Optimisation integrator(*assembly.system, options);
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, until).status, StepStatus::done)
        << integrator.last_result().trouble;
    EXPECT_TRUE(integrator.last_result().rejected.empty());
    return std::abs(state.q[1] - exact);
  };
  EXPECT_LT(error(1600), 1e-3);
  EXPECT_NEAR(observed_order(error, 400, 800), 1, 0.1);
  EXPECT_NEAR(observed_order(error, 800, 1600), 1, 0.1);
}

/// ẋ = 1 − √x from an empty tank, y + ln(1 − y) = −t/2 with y = √x; and a tank that stays empty,
/// where neither its rate nor its force has a finite slope.
TEST(StateVariable, MayBeginWhereFormulasHaveNoFiniteSlopeAsAnOptimisation) {
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block]}}
states: {x: {rate: 1 - sqrt(x), initial: 0}, empty: {rate: -sqrt(empty), initial: 0}}
forces: {pull: {type: joint_force, joint: rail, force: 2 + sqrt(empty)}}
)");
  OptimisationOptions options;
  options.step = 1e-3;
  Optimisation integrator(*assembly.system, options);
  State state = assembly.start;
  ASSERT_EQ(simulate(integrator, state, 1.0).status, StepStatus::done)
      << integrator.last_result().trouble;
  const double y = std::sqrt(state.q[1]);
  EXPECT_NEAR(y + std::log(1 - y), -0.5, 2e-3);
  EXPECT_EQ(state.q[2], 0);
  EXPECT_NEAR(state.u[0], 2, 1e-12);
}

}  // namespace
}  // namespace backlash::test
