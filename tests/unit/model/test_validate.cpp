// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/model/model.h"

namespace backlash {
namespace {

/// A block on a guide with a spring.
Model right_model() {
  Model model;
  model.bodies = {{.name = "block", .mass = 1, .inertia = {.zz = 1}}};
  model.joints = {{.name = "guide", .body_A = "ground", .body_B = "block", .kind = Prismatic{}}};
  model.laws = {{.name = "steel", .law = ContactLaw{}}};
  model.forces = {{.name = "spring", .element = TorsionSpring{.on = JointCoordinate{"guide"}}}};
  return model;
}

template <class Change>
std::string error_after(Change change) {
  Model model = right_model();
  change(model);
  try {
    validate(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ValidateModel, ModelsMadeByProgramsAreCheckedLikeFiles) {
  EXPECT_EQ(error_after([](Model&) {}), "accepted");
  EXPECT_EQ(error_after([](Model& m) { m.joints[0].body_B = "blok"; }),
            "joint 'guide': there is no body 'blok'; did you mean 'block'?");
  EXPECT_EQ(error_after([](Model& m) { m.bodies.push_back(m.bodies[0]); }),
            "there is another body 'block'");
  EXPECT_EQ(error_after([](Model& m) { m.bodies[0].mass = -1; }),
            "body 'block': mass must be zero or positive and finite [kg], is -1");
  EXPECT_EQ(error_after([](Model& m) { m.joints[0].limits = Limits{.lower = 0, .law = "stel"}; }),
            "joint 'guide': there is no law 'stel'; did you mean 'steel'?");
  EXPECT_EQ(
      error_after([](Model& m) { m.joints[0].clearance = RevoluteClearance{.law = "steel"}; }),
      "joint 'guide': clearance does not fit a prismatic joint");
  EXPECT_EQ(error_after([](Model& m) { m.forces[0].element = JointForce{.on = {"gide"}}; }),
            "force 'spring': there is no joint 'gide'; did you mean 'guide'?");
  EXPECT_EQ(error_after([](Model& m) { m.output.points = {{.name = "block", .at = {"block"}}}; }),
            "point 'block' has the name of a body: their columns would be called the same");
}

TEST(ValidateModel, AnInertiaIsNotNegativeAboutAnyAxis) {
  const auto error_with = [](const InertiaTensor& inertia) {
    return error_after([&](Model& m) { m.bodies[0].inertia = inertia; });
  };
  EXPECT_EQ(error_with({.xx = 2, .yy = 2, .zz = 2, .xy = 1.9}), "accepted");
  EXPECT_EQ(error_with({.xx = 1, .yy = 1, .zz = 2, .xy = 1}), "accepted");  // a needle's, at 45°
  for (const InertiaTensor& wrong :
       {InertiaTensor{.xx = 1, .yy = 1, .zz = 1, .xy = 1.1},
        InertiaTensor{.xx = 1, .yy = 1, .zz = 1, .xy = 0.9, .xz = 0.9, .yz = -0.9}})
    EXPECT_THAT(error_with(wrong),
                ::testing::HasSubstr("body 'block': inertia must not be negative about any axis"));
}

TEST(ValidateModel, AnErrorSaysWhereTheItemStands) {
  EXPECT_EQ(error_after([](Model& m) {
              m.bodies[0].mass = -1;
              m.bodies[0].where = {"m.yaml", 3, 5, "bodies.block"};
            }),
            "m.yaml:3:5: bodies.block: body 'block': mass must be zero or positive and finite "
            "[kg], is -1");
}

}  // namespace
}  // namespace backlash
