// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant.h"

#include "step_allocations.h"
#include "support/models.h"

namespace backlash::test {
namespace {

TEST_F(Allocation, DoesNotHappenInTheStepsOfCompliantContactAfterTheFirstOnes) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 0.3, inertia: 1e-4, com: [0.025, 0]}
  rod: {mass: 0.2, inertia: 3e-4, com: [0.06, 0]}
  slider: {mass: 0.1, inertia: 1e-4}
joints:
  main: {type: revolute, between: [ground, crank], drive: {speed: 50}}
  big: {type: revolute, between: [crank, rod], at: [[0.05, 0], [0, 0]],
        initial: {angle: 0, speed: -50*(1 + 0.05/0.12)},
        clearance: {gap: 0.2 mm, journal_radius: 10 mm, law: steel}}
  small: {type: revolute, between: [rod, slider], at: [[0.12, 0], [0, 0]],
          initial: {angle: 0, speed: 50*0.05/0.12},
          clearance: {gap: 0.2 mm, journal_radius: 10 mm, law: steel}}
  guide: {type: prismatic, between: [ground, slider], initial: {position: 0.17}}
laws: {steel: {model: lankarani-nikravesh, stiffness: 1e9 N/m^1.5, restitution: 0.97}}
)");
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf, OdeMethod::rk4})
    for (const Onset onset : {Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none}) {
      if (method == OdeMethod::rk4 && onset == Onset::procedure_2) continue;
      SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(onset)));
      Compliant integrator(
          *assembly.system,
          {.integrator = method, .onset = onset, .step = 1e-6, .longest_step = 1e-5});
      State state = assembly.start;
      Taken taken;
      long impacts = 0;
      while (state.t < 0.02) {
        const long before = heap_allocations();
        const StepResult& result = integrator.step(state, state.t + 4e-6, 1);
        const long blocks = heap_allocations() - before;
        ASSERT_EQ(result.status, StepStatus::done) << name(result.status) << " at " << state.t;
        if (state.t < 0.008) continue;
        for (const ContactOutcome& contact : result.contacts) impacts += is_impact(contact);
        if (blocks == 0) continue;
        if (taken.steps == 0) taken.first = result.t_start;
        taken.blocks += blocks;
        ++taken.steps;
      }
      EXPECT_GT(impacts, 0);
      EXPECT_EQ(taken.blocks, 0) << "in " << taken.steps << " steps, first at t = " << taken.first;
    }
}

}  // namespace
}  // namespace backlash::test
