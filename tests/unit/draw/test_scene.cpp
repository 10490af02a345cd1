// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/scene/scene.h"

#include <filesystem>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/draw/drawing.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/io/results/results_folder.h"
#include "backlash/io/results/scene_at.h"
#include "backlash/io/results/scene_json.h"
#include "backlash/run/run.h"
#include "backlash/scene/build_scene.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::filesystem::path example(const std::string& name) {
  return std::filesystem::path(source_folder()) / "examples" / name / "model.yaml";
}

Scene scene_of(const Model& model) { return build_scene(model, assemble(model).system->info()); }

TEST(Scene, OfEveryExampleIsReadBackAsItWasWritten) {
  const std::filesystem::path examples = example("x").parent_path().parent_path();
  int seen = 0;
  for (const auto& folder : std::filesystem::directory_iterator(examples)) {
    if (!folder.is_directory()) continue;
    SCOPED_TRACE(folder.path().string());
    const Scene scene = scene_of(read_model(folder.path() / "model.yaml"));
    EXPECT_FALSE(scene.empty());
    EXPECT_EQ(parse_scene(scene_json(scene)), scene);
    ++seen;
  }
  EXPECT_GE(seen, 15);
}

TEST(Scene, HoldsRoundShapesAndPlayInTrueSize) {
  const Model model = parse_model(R"(backlash: 1
bodies:
  wheel: {mass: 1, inertia: 1, shape: {circle: 0.3}}
  block: {mass: 1, inertia: 1}
joints:
  hub: {type: revolute, between: [ground, wheel], clearance: {gap: 0.01, journal_radius: 0.1, law: soft}}
  rail: {type: prismatic, between: [ground, block], axis: [0, 1],
         clearance: {gap: 0.02, length: 0.4, width: 0.2, law: soft}}
forces:
  coil: {type: spring, between: [wheel, block], at: [[0.3, 0], [0, 0.1]], stiffness: 3, length: 1}
laws: {soft: {}}
output: {points: {rim: {body: wheel, at: [0.3, 0]}}}
)",
                                  "model.yaml");
  const Scene scene = scene_of(model);
  ASSERT_EQ(scene.outlines.size(), 2u);
  EXPECT_EQ(scene.outlines[0].kind, OutlineKind::arc);
  EXPECT_EQ(scene.outlines[0].radius, 0.3);
  EXPECT_NEAR(scene.outlines[0].to - scene.outlines[0].from, 2 * std::numbers::pi, 1e-15);
  EXPECT_EQ(scene.outlines[1].body, 1);  // the slider, which has no shape: length along the axis
  EXPECT_NEAR(scene.outlines[1].points[0].cwiseAbs().x(), 0.1, 1e-15);
  EXPECT_NEAR(scene.outlines[1].points[0].cwiseAbs().y(), 0.2, 1e-15);
  EXPECT_EQ(find_joint(scene, "hub")->clearance->gap, 0.01);
  EXPECT_EQ(find_joint(scene, "hub")->clearance->radius, 0.1);
  EXPECT_EQ(find_joint(scene, "rail")->axis, Vec3(0, 1, 0));
  EXPECT_EQ(scene.forces[0].p, (ScenePoint{0, Vec3(0.3, 0, 0)}));
  EXPECT_EQ(scene.forces[0].q, (ScenePoint{1, Vec3(0, 0.1, 0)}));
  EXPECT_EQ(find_origin(scene, "rail.3")->item, "rail");
  EXPECT_EQ(find_origin(scene, "rail.3")->play, 0.02);
  EXPECT_EQ(find_origin(scene, "railing"), nullptr);
  EXPECT_EQ(scene.marks[0].name, "rim");
}

TEST(Scene, ThatIsDamagedIsRefused) {
  const std::string good = scene_json({.title = "t", .bodies = {{.name = "a"}}});
  EXPECT_EQ(parse_scene(good).bodies[0].name, "a");
  EXPECT_THAT([&] { parse_scene(good.substr(0, good.size() / 2)); },
              ThrowsMessage<InputError>(HasSubstr("the scene cannot be read")));
  EXPECT_THAT([] { parse_scene(R"({"version": 99})"); },
              ThrowsMessage<InputError>(HasSubstr("has version 99; this program knows 1")));
  Scene wrong{.bodies = {{.name = "a"}}};
  wrong.marks = {{.name = "m", .at = {.body = 1}}};
  EXPECT_THAT([&] { parse_scene(scene_json(wrong)); },
              ThrowsMessage<InputError>(HasSubstr("names a body number 1, and has 1")));
}

/// Writes all that is recorded into a folder.
class FolderObserver final : public RunRecorder {
 public:
  explicit FolderObserver(std::filesystem::path folder) : path_(std::move(folder)) {}
  void begin(const RunStart& start) override {
    folder_.emplace(path_, start.system.info(), start.description,
                    ResultsFolder::Options{.recorded = start.recorded});
    RunRecorder::begin(start);
  }
  void end(const State& state, const StepResult* failure) override {
    RunRecorder::end(state, failure);
    folder_->write(recording());
  }
  void finish(const RunReport& report) { folder_->finish(report); }

 private:
  std::filesystem::path path_;
  std::optional<ResultsFolder> folder_;
};

TEST(Scene, OfAResultIsDrawnWithoutItsModel) {
  Model model = read_model(example("slider_crank"));
  model.simulation.until = 0.01;
  const TemporaryFolder folder;
  FolderObserver observer(folder.path());
  observer.finish(run(model, {}, observer).report);
  const Results results = read_results(folder / "results.h5");
  const Assembly assembly = assemble(model);
  EXPECT_EQ(results.run.scene, build_scene(model, assembly.system->info()));
  EXPECT_EQ(mechanism_drawing(results.run.scene, scene_at(results, 0)),
            mechanism_drawing(model, *assembly.system, assembly.start));
  // Between two rows, here 1e-4 s apart, the crank goes on turning.
  const Vector angle = results.states.column("crank.angle");
  const Pose3 half = scene_at(results, 0.00505).pose(0);
  EXPECT_NEAR(std::atan2(half.R(1, 0), half.R(0, 0)), 0.5 * (angle[50] + angle[51]), 1e-9);
  EXPECT_THAT([&] { scene_at(results, 0.02); },
              ThrowsMessage<InputError>(HasSubstr("outside of the run, which goes from 0 s to")));
}

/// A lever whose roller, spring and point lie away from its pin.
TEST(Scene, ConnectsABodyWithAllPointsThatItUses) {
  const Model model = parse_model(R"(backlash: 1
bodies:
  lever: {mass: 1, inertia: 0.01, com: [0, -0.05], shapes: {roller: {circle: 0.01, at: [0.1, 0]}}}
joints: {pin: {type: revolute, between: [ground, lever]}}
forces: {pull: {type: spring, between: [ground, lever], at: [[0, 1], [-0.2, 0]], stiffness: 100, length: 0.1}}
output: {points: {tip: {body: lever, at: [0, 0.3]}}}
simulation: {until: 1}
)",
                                  "lever.yaml");
  const Assembly assembly = assemble(model);
  const Scene scene = build_scene(model, assembly.system->info());
  const auto has_bar_to = [&](const Vec3& p) {
    return std::ranges::any_of(scene.outlines, [&](const SceneOutline& outline) {
      return outline.is_link() && outline.body == 0 &&
             std::ranges::any_of(outline.points, [&](const Vec3& q) { return q.isApprox(p); });
    });
  };
  for (const Vec3& p : {Vec3(0, -0.05, 0), Vec3(0.1, 0, 0), Vec3(-0.2, 0, 0), Vec3(0, 0.3, 0)})
    EXPECT_TRUE(has_bar_to(p)) << p.transpose();
}

TEST(Scene, KnowsStopsOfPinsAndTheDirectionOfForcesThatComeLater) {
  const Model model = parse_model(R"(backlash: 1
bodies: {arm: {mass: 1, inertia: 0.01, com: [0.1, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], limits: {lower: -30 deg, upper: 60 deg, law: soft}}}
forces: {push: {type: force, body: arm, at: [0.1, 0], force: [0, 50 N/s*t]}}
laws: {soft: {restitution: 0}}
simulation: {until: 1}
)",
                                  "arm.yaml");
  const Assembly assembly = assemble(model);
  const Scene scene = build_scene(model, assembly.system->info());
  EXPECT_NEAR(scene.joints.at(0).upper, std::numbers::pi / 3, 1e-12);
  EXPECT_TRUE(scene.forces.at(0).direction.isApprox(Vec3(0, 1, 0)));
  const std::string svg = mechanism_drawing(model, *assembly.system, assembly.start);
  EXPECT_THAT(svg, ::testing::HasSubstr("pin.lower"));
  EXPECT_THAT(svg, ::testing::HasSubstr("pin.upper"));
}

}  // namespace
}  // namespace backlash
