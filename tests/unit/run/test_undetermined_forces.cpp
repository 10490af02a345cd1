// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contacts that hold in more ways than the motion determines (theory 4.28): since when a run says.

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/io/results/summary.h"
#include "backlash/run/run.h"

namespace backlash::test {
namespace {

using ::testing::HasSubstr;

/// A block that slides at first, on its two corners.
RunOutcome sliding_block(double friction, double speed) {
  RunObserver nobody;
  return run(parse_model(fmt::format(R"(backlash: 1
gravity: [0, -10]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  block: {{mass: 2, inertia: 0.1, shape: {{box: [0.4, 0.1]}}, initial: {{position: [0, 0.05], velocity: [{}, 0]}}}}
contacts: {{foot: {{between: [block, ground.floor], law: rough}}}}
laws: {{rough: {{friction: {}}}}}
simulation: {{step: 1e-3, until: 0.5}}
)",
                                     speed, friction),
                         "block.yaml"),
             {}, nobody);
}

TEST(UndeterminedForces, AreThoseOfTwoFeetFromWhenTheyStickOn) {
  const double friction = 0.4, speed = 1, stop = speed / (friction * 10);
  const RunOutcome outcome = sliding_block(friction, speed);
  EXPECT_NEAR(outcome.report.run.undetermined.t, stop, 5e-3);
  EXPECT_THAT(outcome.report.undetermined_at, HasSubstr("foot"));
  EXPECT_THAT(summary_json(outcome.description, outcome.report),
              HasSubstr("\"undetermined_forces\": {"));
}

TEST(UndeterminedForces, AreNoneWhileFeetSlide) {
  EXPECT_TRUE(std::isnan(sliding_block(0.1, 1).report.run.undetermined.t));
  EXPECT_TRUE(std::isnan(sliding_block(0, 0).report.run.undetermined.t));
}

}  // namespace
}  // namespace backlash::test
