// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/compliant.h"

#include "step_allocations.h"
#include "support/models.h"

namespace backlash::test {
namespace {

TEST_F(Allocation, DoesNotHappenInTheStepsOfCompliantContactAfterTheFirstOnes) {
  const Assembly assembly = assembled(
      rattling_linkage("model: lankarani-nikravesh, stiffness: 1e9 N/m^1.5, restitution: 0.97"));
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf, OdeMethod::rk4})
    for (const Onset onset : {Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none}) {
      if (method == OdeMethod::rk4 && onset == Onset::procedure_2) continue;
      SCOPED_TRACE(std::string(name(method)) + ", " + std::string(name(onset)));
      Compliant integrator(*assembly.system,
                           {.integrator = method, .onset = onset, .step = 1e-6, .max_step = 1e-5});
      State state = assembly.start;
      Taken taken;
      long impacts = 0;
      while (state.t < 0.02) {
        const long before = heap_allocations();
        const StepResult& result = integrator.step(state, {.due = state.t + 4e-6, .until = 1});
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

TEST_F(Allocation, DoesNotHappenWhereCompliantLoopsPassSingularPositions) {
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = assembled(flat_parallelogram(coordinates));
    Compliant integrator(*assembly.system, {});
    State state = assembly.start;
    long blocks = 0;
    while (state.t < 5) {
      const long before = heap_allocations();
      const StepResult& result = integrator.step(state, {.due = 5, .until = 5});
      ASSERT_EQ(result.status, StepStatus::done) << name(result.status) << " at " << state.t;
      if (state.t > 1) blocks += heap_allocations() - before;
    }
    EXPECT_EQ(blocks, 0);
  }
}

}  // namespace
}  // namespace backlash::test
