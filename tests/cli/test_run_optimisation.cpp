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
  EXPECT_THAT(result.err, ::testing::ContainsRegex("where it ended .* is (off by )?[^ ]+ (m|N)"));
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr("nan")));  // the drive had no load
  const Results results = read_results(folder / "out/results.h5");
  EXPECT_EQ(results.status, "failed");
  EXPECT_GE(results.states.column("t").size(), 11);
}

TEST(RunOptimisation, SaysWhereALawStandsThatItDoesNotHave) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(backlash: 1
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 1, inertia: 1e-3, shape: {circle: 20 mm}, initial: {position: [0, 0.12]}}
contacts:
  c: {between: [ground, ball], law: rough}
laws: {rough: {restitution: 0.5, friction: {static: 0.3, kinetic: 0.2}}}
simulation: {method: optimisation, until: 1}
)");
  const ProgramResult result = run({folder / "model.yaml", "-o", folder / "out"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("model.yaml:6:6: contact 'c': its law is of friction"));
  EXPECT_THAT(result.err, HasSubstr("(law 'rough')"));
}

/// Rows closer than steps: implicit Euler's steps go straight, also those in which bodies meet.
TEST(RunOptimisation, WritesRowsWithinStepsOnTheWayOfTheStep) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
gravity: [0, -10]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 1, inertia: 1e-3, shape: {circle: 20 mm}, initial: {position: [0, 0.12]}}
contacts: {c: {between: [ground, ball], law: l}}
laws: {l: {restitution: 0.5}}
simulation: {method: optimisation, optimiser: slsqp, step: 5 ms, until: 0.3}
output: {every: 1 ms}
)");
  ASSERT_EQ(run({folder / "model.yaml", "-o", folder / "out", "--quiet"}).exit_code, 0);
  const auto y = read_results(folder / "out/results.h5").states.column("ball.y");
  ASSERT_EQ(y.size(), 301);
  for (Eigen::Index k = 0; k < y.size(); ++k)
    EXPECT_GE(y[k], 0.02 - 1e-12) << k;  // it never sinks in
  for (Eigen::Index k = 0; k + 5 < y.size(); k += 5)
    for (Eigen::Index i = 1; i < 5; ++i)
      EXPECT_NEAR(y[k + i] - y[k], 0.2 * static_cast<double>(i) * (y[k + 5] - y[k]), 1e-5) << k;
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

/// A box that bounces; in its flight there is no impact that could leave a residual, so that a run
/// that is resumed there has the bits of one without a break.
TEST(RunOptimisation, HasResidualsInStepsWithImpactsAlone) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.15]},
        initial: {position: [0, 0.2], angle: 0.3, velocity: [2, 0], speed: 3}}
contacts: {hit: {between: [ground.floor, box], law: hard}}
laws: {hard: {restitution: 0.6, friction: 0.3}}
simulation: {method: optimisation, step: 1e-3, optimiser: slsqp, until: 0.3}
)");
  ASSERT_EQ(run({folder / "model.yaml", "--steps", "-o", folder / "out"}).exit_code, 0);
  const Results results = read_results(folder / "out/results.h5");
  const auto impacts = static_cast<Eigen::Index>(list_events(results, "impact").size());
  ASSERT_EQ(impacts, 2);
  const Vector residual = results.steps.column("residual");
  EXPECT_LE((residual.array() != 0).count(), impacts);
}

TEST(RunOptimisation, RefusesLawsThatItDoesNotHave) {
  const TemporaryFolder folder;
  const ProgramResult result = run({source_folder() + "/examples/falling_ball/model.yaml",
                                    "--method", "optimisation", "-o", folder / "out"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("its law is compliant"));
}

/// Two balls with a law, and what the simulation says.
std::string two_balls(const std::string& law, const std::string& simulation) {
  return "backlash: 1\n"
         "bodies:\n"
         "  left: {mass: 1, inertia: 1, shape: {circle: 0.1}}\n"
         "  right: {mass: 1, inertia: 1, shape: {circle: 0.1}, initial: {position: [1, 0]}}\n"
         "contacts: {hit: {between: [left, right], law: steel}}\n"
         "laws: {steel: {" +
         law +
         "}}\n"
         "simulation: {method: optimisation, until: 0.01" +
         simulation + "}\n";
}

TEST(RunOptimisation, SaysWhatIsWrongAndWhere) {
  struct BadInput {
    std::string law, simulation, message;
  };
  const BadInput all[] = {
      {"restitution: 0.5, impact: poisson", "", "of two phases (impact: poisson)"},
      {"restitution: 0.5, impact: stronge", "", "of two phases (impact: stronge)"},
      {"restitution: 0", ", step_control: free, min_step: 1e-3, max_step: 1e-4",
       "model.yaml:7:95: simulation.max_step: max_step must be at least min_step, 0.001 s"},
      {"restitution: 0", ", step: auto",
       "model.yaml:7:55: simulation.step: 'step: auto' is for the method moreau"},
      {"restitution: 0", ", iterations: 5",
       "has no key 'iterations'; did you mean 'optimiser_iterations'?"},
  };
  const TemporaryFolder folder;
  for (const BadInput& bad : all) {
    SCOPED_TRACE(bad.message);
    write_file(folder / "model.yaml", two_balls(bad.law, bad.simulation));
    const ProgramResult result = run({folder / "model.yaml", "-o", folder / "out"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(bad.message));
  }
}

}  // namespace
}  // namespace backlash::test_run
