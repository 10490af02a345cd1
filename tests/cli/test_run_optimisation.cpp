// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/io/results/results_file.h"
#include "cli/run_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash::test_run {
namespace {

using ::testing::HasSubstr;

/// A drive that pushes a block through a stop: from 10.5 ms on no motion fulfils both.
constexpr const char* contradiction = R"(
backlash: 1
bodies: {block: {mass: 1, inertia: 1}}
joints:
  rail: {type: prismatic, between: [ground, block], drive: {speed: 1}, limits: {upper: 10.5 mm, law: dead}}
laws: {dead: {restitution: 0}}
simulation: {method: optimisation, step: 1e-3, until: 0.1}
)";

TEST(RunOptimisation, EndsWithCodeOneWhereNoMotionFulfilsAllConditionsAndKeepsWhatItHas) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", contradiction);
  const ProgramResult result = run({folder / "model.yaml", "-o", folder / "out"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("the optimiser found no motion that fulfils all conditions"));
  EXPECT_THAT(result.err, HasSubstr("ipopt: "));
  EXPECT_THAT(result.err, HasSubstr("rail.upper"));
  const Results results = read_results(folder / "out/results.h5");
  EXPECT_EQ(results.status, "failed");
  EXPECT_GE(results.states.column("t").size(), 11);
}

/// The root of a negative number from 50 ms on.
constexpr const char* rootless = R"(
backlash: 1
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.01, shape: {circle: 0.1}, initial: {position: [0, HEIGHT]}}
forces: {pull: {type: force, body: ball, force: [0, -10*sqrt(1 - t/0.05)]}}
contacts: {floor: {between: [ground.floor, ball], law: dead}}
laws: {dead: {restitution: 0}}
simulation: {method: optimisation, step: 1e-3, until: 0.3}
)";

/// A force that is no number is none that a motion could balance, though no maximum shows it.
TEST(RunOptimisation, EndsWhereAForceIsNotFinite) {
  const TemporaryFolder folder;
  for (const char* height : {"0.1", "5"}) {  // on the floor, and in the air
    SCOPED_TRACE(height);
    std::string model = rootless;
    model.replace(model.find("HEIGHT"), 6, height);
    write_file(folder / "model.yaml", model);
    const ProgramResult result = run({folder / "model.yaml", "-o", folder / "out", "--force"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("the step from t = 0.05 s"));
    EXPECT_THAT(result.err, HasSubstr("is not finite (ball.u1)"));
    EXPECT_EQ(read_results(folder / "out/results.h5").states.column("t").size(), 51);
  }
}

TEST(RunOptimisation, RefusesLawsThatItDoesNotHave) {
  const TemporaryFolder folder;
  const ProgramResult result = run({source_folder() + "/examples/falling_ball/model.yaml",
                                    "--method", "optimisation", "-o", folder / "out"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("its law is compliant"));
}

}  // namespace
}  // namespace backlash::test_run
