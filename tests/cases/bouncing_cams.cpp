// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "cases/example.h"
#include "support/paths.h"

// Paper 003: two cams of arbitrary form. The reference states are those of an independent program.

namespace backlash::test::bouncing_cams {
namespace {

const char* const file = "bouncing_cams/model.yaml";

const Vec3 at_half(-0.046453263564, 0.181666723025, 1.682100710286);
const Vec3 at_end(-0.3173867195, -0.5207599039, 2.1066333424);

TEST(BouncingCams, StartAsFarApartAsTheyShould) {
  const Example cams(file);
  std::vector<ContactFrame> frames;
  cams.system().find_contacts(configuration(cams.system(), cams.assembly.start), INFINITY, {},
                              frames);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_NEAR(frames[0].gap, 0.0636189172272948, 1e-15);
  EXPECT_NEAR(frames[0].parameters[0], 3.12400277, 1e-8);  // the reference counts from 3
  EXPECT_NEAR(frames[0].parameters[1], 1.08368099, 1e-8);
}

TEST(BouncingCams, BounceThreeTimesAndAreWhereTheyShouldBe) {
  const Example cams(file);
  Vec3 half = Vec3::Zero();
  const auto due = [](double t) { return t < 0.5 ? 0.5 : INFINITY; };
  const ExampleRun run =
      attempt(cams, compliant_options(cams), 1, due, [&](const State& state, const StepResult&) {
        if (state.t == 0.5) half = state.q;
      });
  EXPECT_EQ(run.summary.status, StepStatus::done);
  EXPECT_LT((half - at_half).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((Vec3(run.end.q) - at_end).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(run.times(EventKind::impact, cams.contact("cams")).size(), 3u);
  EXPECT_LT(run.imbalance(), 1e-8);
}

TEST(BouncingCams, ConvergeCleanlyBecauseTheKinksOfTheForceAreLocated) {
  const Example cams(file);
  CompliantOptions options = compliant_options(cams);
  double before = 1;
  for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
    options.relative_tolerance = tolerance;
    options.position_tolerance = options.angle_tolerance = 1e-2 * tolerance;
    options.speed_tolerance = options.angular_speed_tolerance = tolerance;
    const ExampleRun end = run(cams, options, 1, [](const State&, const StepResult&) {});
    const double error = (Vec3(end.end.q) - at_end).norm();
    EXPECT_LT(error, 0.2 * before);
    before = error;
  }
  EXPECT_LT(before, 2e-10);
}

TEST(BouncingCams, BounceWithRestitutionToo) {
  Model model = read_model(source_folder() + "/examples/" + std::string(file), {},
                           {{parse_law_override("rubber={restitution: 0.9}")}});
  model.simulation.method = "moreau";
  model.simulation.options = {};
  const Example cams(model);
  const auto rest = [&](double step) {
    const ExampleRun end = run(cams, step, 0.5);
    EXPECT_EQ(end.times(EventKind::impact, cams.contact("cams")).size(), 2u);
    EXPECT_LT(end.imbalance(), 1e-9);
    // What impacts take is ½ (1 − ε²) of the energy of the normal velocity, and nothing else is
    // lost.
    double lost = 0;
    for (const Event& event : end.events) lost += event.energy_loss;
    EXPECT_NEAR(end.before.mechanical() - end.after.mechanical(), lost, 1e-9);
    return Vec3(end.end.q);
  };
  const Vec3 fine = rest(1e-5);
  EXPECT_LT((rest(4e-5) - fine).norm(), 5e-4);
  EXPECT_LT((rest(4e-4) - fine).norm(), 5e-3);
}

}  // namespace
}  // namespace backlash::test::bouncing_cams
