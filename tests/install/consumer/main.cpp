// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>

#include "backlash/base/version.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"

int main() {
  const backlash::SliderCrank system;
  backlash::Moreau integrator(system, {.step = 1e-5});
  backlash::State state = backlash::slider_crank_start(system);
  const backlash::RunSummary run = backlash::simulate(integrator, state, 1e-2);
  std::cout << "built against Backlash " << backlash::version() << ": " << run.impacts
            << " impacts\n";
  return run.status == backlash::StepStatus::done && run.impacts > 0 ? 0 : 1;
}
