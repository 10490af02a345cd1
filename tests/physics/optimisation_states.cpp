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

}  // namespace
}  // namespace backlash::test
