// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/scene/exaggerate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "backlash/draw/drawing.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/scene/build_scene.h"

namespace backlash::test_exaggerate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A crank on a pin with play, displaced in it, and a rod that hangs on the crank by an ideal pin.
constexpr const char* worn = R"(backlash: 1
bodies:
  crank: {mass: 1, inertia: 0.01, com: [0.1, 0]}
  rod: {mass: 1, inertia: 0.01, com: [0.1, 0]}
joints:
  main: {type: revolute, between: [ground, crank], clearance: {gap: 0.3 mm, journal_radius: 5 mm, law: steel}}
  knee: {type: revolute, between: [crank, rod], at: [[0.2, 0], [0, 0]], initial: {angle: 40 deg}}
laws: {steel: {restitution: 0.3}}
simulation: {until: 1}
)";

struct Drawn {
  Model model = parse_model(worn, "worn.yaml");
  Assembly assembly = assemble(model);
  Scene scene = build_scene(model, assembly.system->info());
  SceneState state = scene_state(*assembly.system, assembly.start, 1e-3);

  Drawn() {
    for (Pose3& pose : state.poses) pose.p += Vec3(0.2e-3, -0.1e-3, 0);
  }

  Vec3 displacement(const SceneState& at, const char* joint) const {
    const SceneJoint* found = find_joint(scene, joint);
    return at.world(found->q) - at.world(found->p);
  }
};

TEST(Exaggerated, PlayIsMultipliedAndIdealJointsStayTogether) {
  const Drawn drawn;
  const Vec3 e = drawn.displacement(drawn.state, "main");
  ASSERT_GT(e.norm(), 1e-4);
  const SceneState moved = exaggerated(drawn.scene, drawn.state, 50);
  EXPECT_EQ(moved.exaggeration, 50);
  EXPECT_LT((drawn.displacement(moved, "main") - 50 * e).norm(), 1e-8);
  EXPECT_LT(drawn.displacement(moved, "knee").norm(), 1e-6);
}

TEST(Exaggerated, ByOneNothingMoves) {
  const Drawn drawn;
  const SceneState same = exaggerated(drawn.scene, drawn.state, 1);
  for (std::size_t i = 0; i < same.poses.size(); ++i)
    EXPECT_EQ(same.poses[i].p, drawn.state.poses[i].p);
}

TEST(Exaggerated, AGuideTiltsAsItShould) {
  const Model model = parse_model(R"(backlash: 1
bodies: {slider: {mass: 1, inertia: 0.01}}
joints:
  guide: {type: prismatic, between: [ground, slider], axis: [1, 0], clearance: {length: 0.1, width: 0.05, gap: 1 mm, law: steel}}
laws: {steel: {restitution: 0.3}}
simulation: {until: 1}
)",
                                  "guide.yaml");
  const Assembly assembly = assemble(model);
  const Scene scene = build_scene(model, assembly.system->info());
  SceneState state = scene_state(*assembly.system, assembly.start, 1e-3);
  state.poses[0].p = Vec3(0.3, 0.2e-3, 0);
  state.poses[0].R = Eigen::AngleAxisd(0.002, Vec3::UnitZ()).toRotationMatrix();
  const SceneState moved = exaggerated(scene, state, 20);
  EXPECT_NEAR(moved.poses[0].p.y(), 20 * 0.2e-3, 1e-9);
  EXPECT_NEAR(moved.poses[0].p.x(), 0.3, 1e-9);
  EXPECT_NEAR(std::asin(moved.poses[0].R(1, 0)), 20 * 0.002, 1e-9);
}

TEST(Drawing, SaysThatPlayIsExaggerated) {
  const Drawn drawn;
  const auto svg = [&](double factor) {
    return mechanism_drawing(drawn.model, *drawn.assembly.system, drawn.assembly.start, factor);
  };
  EXPECT_THAT(svg(50), HasSubstr("clearances drawn 50 times as large"));
  EXPECT_THAT(svg(1), Not(HasSubstr("times as large")));
}

}  // namespace
}  // namespace backlash::test_exaggerate
