// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Impacts of mechanisms whose gaps curve on the way of a step (theory 12.19).
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test::optimisation_curved_gaps {
namespace {

/// A driven compressor whose piston has play in its guide, and hits one side or the other flat, two
/// corners at a time.
Model compressor(const char* method, double step) {
  return parse_model(fmt::format(R"(
backlash: 1
parameters: {{r: 50 mm, l: 200 mm, w: 60}}
gravity: [0, -9.81]
bodies:
  crank: {{mass: 1, inertia: 2e-3}}
  rod: {{mass: 0.4, inertia: 1.5e-3, com: [l/2, 0]}}
  piston: {{mass: 0.5, inertia: 2e-4}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{speed: w}}}}
  B: {{type: revolute, between: [crank, rod], at: [[r, 0], [0, 0]], initial: {{speed: -w*(1+r/l)}}}}
  C: {{type: revolute, between: [rod, piston], at: [[l, 0], [0, 0]], initial: {{speed: w*r/l}}}}
  G: {{type: prismatic, between: [ground, piston], axis: [1, 0],
      clearance: {{length: 60 mm, width: 40 mm, gap: 0.1 mm, law: dead}}}}
laws: {{dead: {{restitution: 0, friction: 0.05}}}}
simulation: {{method: {}, step: {}, until: 0.31}}
)",
                                 method, step),
                     "compressor.yaml");
}

struct Rattle {
  std::vector<double> speeds{};  ///< of approach, one per impact of a corner [m/s]
  long rests = 0;
  double peak = 0;  ///< of a corner that carries [N]
};

Rattle rattle(const char* method, double step) {
  RunRecorder recorder;
  const RunOutcome outcome = run(compressor(method, step), {}, recorder);
  EXPECT_EQ(outcome.report.status, RunStatus::done);
  Rattle found{.peak = outcome.report.loads.contact.force.value};
  for (const Event& event : recorder.recording().events) {
    if (event.kind == EventKind::impact) found.speeds.push_back(-event.gamma_n_before);
    found.rests += event.kind == EventKind::rest;
  }
  return found;
}

/// All impacts are found as such, also where the rows at the end of a step say that bodies go
/// apart: the second step of one is no load that lasts.
TEST(OptimisationCurvedGaps, PistonThatRattlesHitsAsOftenAsByMoreausSteps) {
  const Rattle reference = rattle("moreau", 2e-5);
  double errors[2] = {};
  for (int i = 0; i < 2; ++i) {
    const Rattle found = rattle("optimisation", i == 0 ? 1e-4 : 2.5e-5);
    EXPECT_EQ(found.rests, reference.rests);
    EXPECT_NEAR(found.peak, reference.peak, 0.02 * reference.peak);
    ASSERT_EQ(found.speeds.size(), reference.speeds.size());
    for (std::size_t k = 0; k < found.speeds.size(); ++k)
      errors[i] = std::max(errors[i], std::abs(found.speeds[k] - reference.speeds[k]));
  }
  EXPECT_LT(errors[1], 0.5 * errors[0]);
}

}  // namespace
}  // namespace backlash::test::optimisation_curved_gaps
