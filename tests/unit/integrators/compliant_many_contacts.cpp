// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test {
namespace {

constexpr double gravity = 9.81;  // [m/s²]

/// How far a ball is from the floor at first [m].
double gap(int ball) { return 0.01 + 0.003 * ball; }

/// Balls side by side above a floor.
std::string falling_balls(int count) {
  std::string bodies, contacts;
  for (int i = 0; i < count; ++i) {
    bodies += fmt::format(
        "  ball{}: {{mass: 1, inertia: 0.01, shape: {{circle: 0.1}}, initial: {{position: [{}, "
        "{}]}}}}\n",
        i, i, 0.1 + gap(i));
    contacts += fmt::format("  c{}: {{between: [ground.floor, ball{}], law: steel}}\n", i, i);
  }
  return fmt::format(R"(
gravity: [0, -{}]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
{}contacts:
{}laws: {{steel: {{model: hertz, stiffness: 1e9 N/m^1.5}}}}
)",
                     gravity, bodies, contacts);
}

TEST(Compliant, MissesNoContactHoweverManyThereAre) {
  const int count = 60;
  const Assembly assembly = assembled(falling_balls(count));
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::rk4}) {
    SCOPED_TRACE(name(method));
    const CompliantOptions options{.integrator = method,
                                   .relative_tolerance = 1e-11,
                                   .position_tolerance = 1e-13,
                                   .speed_tolerance = 1e-11,
                                   .step = 1e-3};
    Compliant integrator(*assembly.system, options);
    State state = assembly.start;
    std::vector<std::vector<double>> hits(count);
    const RunSummary summary = simulate(
        integrator, state, 0.21, [](double) { return INFINITY; },
        [&](const State&, const StepResult& result) {
          for (const ContactOutcome& c : result.contacts)
            if (is_impact(c)) hits[static_cast<std::size_t>(c.key.pair)].push_back(c.t);
        });
    EXPECT_EQ(summary.status, StepStatus::done);
    for (int i = 0; i < count; ++i) {
      const double flight = std::sqrt(2 * gap(i) / gravity);
      const std::vector<double>& found = hits[static_cast<std::size_t>(i)];
      ASSERT_GE(found.size(), 3 * flight < 0.2 ? 2u : 1u) << i;
      EXPECT_NEAR(found[0], flight, 1e-9) << i;
    }
  }
}

}  // namespace
}  // namespace backlash::test
