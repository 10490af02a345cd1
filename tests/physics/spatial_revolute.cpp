// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Revolute joints in space that are outside of the tree: their angle is known within a turn.

#include <gmock/gmock.h>

#include <Eigen/Geometry>

#include "backlash/base/expression.h"
#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::spatial_revolute {
namespace {

/// A crank of 0.3 m about an oblique axis, whose revolute joint is outside of the tree.
Model driven_crank() {
  Model model{.title = "crank", .space = ModelSpace::space};
  model.simulation.coordinates = Coordinates::absolute;
  model.bodies = {{.name = "crank", .mass = 1, .inertia = {.xx = 0.01, .yy = 0.01, .zz = 0.01}}};
  const Vec3 axis = Vec3(0.6, 0, 0.8);
  model.joints = {{.name = "R",
                   .body_A = "ground",
                   .body_B = "crank",
                   .kind = Revolute{.p_BQ = 0.3 * Vec3::UnitY(), .axis_A = axis, .axis_B = axis}}};
  return model;
}

/// A drive needs no more.
TEST(SpatialRevolute, OutsideOfTheTreeIsDrivenThroughManyTurns) {
  constexpr std::string_view variables[] = {"t"};
  constexpr double speed = 12, until = 3;
  Model model = driven_crank();
  model.joints[0].drive = Drive{parse_expression("12*t", variables)};
  const Assembly crank = assemble(model);
  const Vec3 start = motion_of(*crank.system, crank.start, 0).p_W;
  const State end = run(*crank.system, crank.start, 1e-3, until);
  const Vec3 turned = Eigen::AngleAxisd(speed * until, Vec3(0.6, 0, 0.8)) * start;
  EXPECT_LT((motion_of(*crank.system, end, 0).p_W - turned).norm(), 1e-9);
}

/// Limits, springs and gears would have to know the turns.
TEST(SpatialRevolute, OutsideOfTheTreeRefusesWhatNeedsItsTurns) {
  Model model = driven_crank();
  model.laws = {{.name = "hard"}};
  model.joints[0].limits = Limits{.lower = -1, .upper = 5, .law = "hard"};
  EXPECT_THAT([&] { assemble(model); },
              ::testing::ThrowsMessage<InputError>(::testing::AllOf(
                  ::testing::HasSubstr("limits of joint 'R'"),
                  ::testing::HasSubstr("known within one turn only; use coordinates: joint"))));
  model.joints[0].limits->upper = 2;
  EXPECT_NO_THROW(assemble(model));
  model.simulation.coordinates = Coordinates::joint;
  model.joints[0].limits->upper = 5;
  EXPECT_NO_THROW(assemble(model));
  model.joints[0].limits.reset();
  model.forces = {
      {.name = "s", .element = TorsionSpring{.on = JointCoordinate{"R"}, .stiffness = 1}}};
  EXPECT_TRUE(assemble(model).report.warnings.empty());
  model.simulation.coordinates = Coordinates::absolute;
  EXPECT_THAT(assemble(model).report.warnings,
              ::testing::ElementsAre(::testing::HasSubstr("force 's' acts on an angle in space")));
}

}  // namespace
}  // namespace backlash::test::spatial_revolute
