// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Thin parts that fly and spin do not pass through thin ones between two steps (theory 4.20).
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/built_methods.h"
#include "support/models.h"

namespace backlash::test::spinning_blade {
namespace {

constexpr double step = 1e-3, until = 0.012;
constexpr double speed = 100, start = -0.55;  // its middle is where the pin is after 5.5 ms

/// Blades, 40 mm long and 0.2 mm thick.
const std::vector<std::string>& blades() {
  static const std::vector<std::string> all{
      "profile: blade", "capsule: {from: [-20 mm, 0], to: [20 mm, 0], radius: 0.1 mm}",
      "box: [40 mm, 0.2 mm]",
      "polygon: [[-20 mm, -0.1 mm], [20 mm, -0.1 mm], [20 mm, 0.1 mm], [-20 mm, 0.1 mm]]",
      "outline: {path: [[-20 mm, -0.1 mm], [20 mm, -0.1 mm], [20 mm, 0.1 mm], [-20 mm, 0.1 mm]]}"};
  return all;
}

/// A blade whose middle flies through the middle of a pin with a radius of 0.1 mm, spinning.
Assembly spinning(const std::string& blade, double angular, const std::string& law) {
  return assembled(fmt::format(R"(
profiles:
  blade: {{periodic: true, points: [[-20 mm, -0.1 mm], [-10 mm, -0.1 mm], [0 mm, -0.1 mm], [10 mm, -0.1 mm], [20 mm, -0.1 mm], [20 mm, 0 mm], [20 mm, 0.1 mm], [10 mm, 0.1 mm], [0 mm, 0.1 mm], [-10 mm, 0.1 mm], [-20 mm, 0.1 mm], [-20 mm, 0 mm]]}}
bodies:
  ground: {{shape: {{circle: 0.1 mm}}}}
  blade: {{mass: 0.01, inertia: 1.3e-6, shape: {{{}, angle: 90 deg}}, initial: {{position: [{}, 0], velocity: [{}, 0], speed: {}}}}}
laws: {{hit: {{{}}}}}
contacts: {{touch: {{between: [ground, blade], law: hit}}}}
)",
                               blade, start, speed, angular, law));
}

int impacts(Integrator& integrator, const Assembly& assembly) {
  State state = assembly.start;
  int count = 0;
  const RunSummary summary =
      simulate(integrator, state, until, [&](const State&, const StepResult& result) {
        for (const ContactOutcome& contact : result.contacts)
          count += contact.state == ContactState::impact;
      });
  EXPECT_EQ(summary.status, StepStatus::done);
  return count;
}

/// Calls run(assembly) for every blade at angular speeds in which it meets the pin with its tip,
/// its side, and turning to it.
template <class Run>
void expect_impacts(const std::string& law, double between, Run run) {
  for (const std::string& blade : blades())
    for (double angular = 280; angular <= 330; angular += between) {
      SCOPED_TRACE(fmt::format("{} at {} rad/s", blade, angular));
      EXPECT_GE(run(spinning(blade, angular, law)), 1);
    }
}

TEST(SpinningBlade, MeetsAPinInEqualSteps) {
  expect_impacts("restitution: 1", 5, [](const Assembly& assembly) {
    Moreau integrator(*assembly.system, {.step = step});
    return impacts(integrator, assembly);
  });
}

TEST(SpinningBlade, MeetsAPinInAutomaticSteps) {
  expect_impacts("restitution: 1", 5, [](const Assembly& assembly) {
    Moreau integrator(*assembly.system, {.automatic_step = true, .max_step = step});
    return impacts(integrator, assembly);
  });
}

TEST(SpinningBlade, MeetsAPinThatIsCompliant) {
  expect_impacts("model: calibrated, restitution: 1, stiffness: 1e13 N/m^1.5", 25,
                 [](const Assembly& assembly) {
                   Compliant integrator(*assembly.system, {});
                   return impacts(integrator, assembly);
                 });
}

TEST(SpinningBlade, MeetsAPinInStepsByOptimisation) {
  if (!is_built(find_integrator("optimisation"))) GTEST_SKIP() << "built without Ipopt";
  expect_impacts("restitution: 1", 25, [](const Assembly& assembly) {
    Optimisation integrator(*assembly.system, {.step = step});
    return impacts(integrator, assembly);
  });
}

/// A segment is met from one side alone: that is turned forwards when its middle reaches the pin.
TEST(SpinningBlade, OfOneSideMeetsAPinInFrontOfIt) {
  for (double angular = -240; angular <= 240; angular += 30) {
    SCOPED_TRACE(angular);
    const Assembly assembly =
        spinning("segment: [[-20 mm, 0], [20 mm, 0]]", angular, "restitution: 1");
    Moreau equal(*assembly.system, {.step = step});
    EXPECT_GE(impacts(equal, assembly), 1);
    Moreau automatic(*assembly.system, {.automatic_step = true, .max_step = step});
    EXPECT_GE(impacts(automatic, assembly), 1);
  }
}

}  // namespace
}  // namespace backlash::test::spinning_blade
