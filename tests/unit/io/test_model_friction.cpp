// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/io/model/law_overrides.h"
#include "support/model_error.h"
#include "support/models.h"

namespace backlash::test::model_friction {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string model(std::string_view joint, std::string_view law = "{}") {
  return fmt::format(R"(backlash: 1
bodies: {{a: {{mass: 1, inertia: 1}}}}
laws: {{steel: {}}}
joints:
  j: {}
)",
                     law, joint);
}
std::string revolute(std::string_view friction, std::string_view more = "") {
  return model(
      fmt::format("{{type: revolute, between: [ground, a], friction: {}{}}}", friction, more));
}
std::string prismatic(std::string_view friction) {
  return model(fmt::format("{{type: prismatic, between: [ground, a], friction: {}}}", friction));
}

TEST(ModelFriction, OfJointsIsReadWithOneCoefficientOrTwo) {
  const auto read = [](const std::string& text) {
    return *parse_model(text, "m.yaml").joints[0].friction;
  };
  const JointFriction one = read(revolute("{coefficient: 0.1, radius: 8 mm, strength: 2 N mm}"));
  EXPECT_EQ(one.friction, 0.1);
  EXPECT_EQ(one.static_friction, 0);
  EXPECT_DOUBLE_EQ(one.radius, 8e-3);
  EXPECT_DOUBLE_EQ(one.strength, 2e-3);
  const JointFriction two = read(prismatic("{static: 0.2, kinetic: 0.15, length: 60 mm}"));
  EXPECT_EQ(two.friction, 0.15);
  EXPECT_EQ(two.static_friction, 0.2);
  EXPECT_DOUBLE_EQ(two.length, 60e-3);
}

TEST(ModelFriction, OfLawsIsReadWithTwoCoefficients) {
  const char* joint = "{type: revolute, between: [ground, a]}";
  const Model rigid =
      parse_model(model(joint, "{friction: {static: 0.2, kinetic: 0.15}}"), "m.yaml");
  const auto& law = std::get<ContactLaw>(rigid.laws[0].law);
  EXPECT_EQ(law.friction, 0.15);
  EXPECT_EQ(law.static_friction, 0.2);
  const Model soft = parse_model(
      model(joint,
            "{model: kelvin-voigt, stiffness: 1e6, damping: 10, friction: {static: 0.2, "
            "kinetic: 0.15}, friction_speed: 2 mm/s}"),
      "m.yaml");
  const auto step = std::get<AdamsStep>(std::get<CompliantDescription>(soft.laws[0].law).friction);
  EXPECT_EQ(step.static_friction, 0.2);
  EXPECT_EQ(step.kinetic_friction, 0.15);
  EXPECT_DOUBLE_EQ(step.stiction_speed, 2e-3);
  EXPECT_DOUBLE_EQ(step.friction_speed, 4e-3);
}

TEST(ModelFriction, SaysWhatIsWrongWithThatOfAJoint) {
  const auto error = [](const std::string& text) { return model_error(text); };
  EXPECT_THAT(error(revolute("{}")),
              HasSubstr("joints.j.friction: missing key: friction needs 'strength' or "
                        "'coefficient', {coefficient: 0.1, radius: 10 mm}"));
  EXPECT_THAT(
      error(revolute("{coefficient: 0.1}")),
      HasSubstr("joints.j.friction: missing key 'radius': a coefficient of friction needs it"));
  EXPECT_THAT(
      error(prismatic("{coefficient: 0.1}")),
      HasSubstr("joints.j.friction: missing key 'length': a coefficient of friction needs it"));
  EXPECT_THAT(error(prismatic("{coefficient: 0.1, radius: 1}")), HasSubstr("radius"));
  EXPECT_THAT(error(revolute("{coefficient: -0.1, radius: 1}")),
              HasSubstr("joints.j.friction.coefficient: must be zero or positive, found -0.1"));
  EXPECT_THAT(error(revolute("{coefficient: 0.1, radius: 0}")),
              HasSubstr("joints.j.friction.radius: must be positive, found 0"));
  EXPECT_THAT(error(revolute("{static: 0.1, radius: 1}")),
              HasSubstr("'static' and 'kinetic' go together, found 'static' alone"));
  EXPECT_THAT(error(revolute("{kinetic: 0.1, radius: 1}")),
              HasSubstr("'static' and 'kinetic' go together, found 'kinetic' alone"));
  EXPECT_THAT(error(revolute("{coefficient: 0.1, static: 0.2, kinetic: 0.1, radius: 1}")),
              HasSubstr("'coefficient'"));
  EXPECT_THAT(error(revolute("{static: 0.1, kinetic: 0.2, radius: 1}")),
              HasSubstr("static must not be below kinetic, 0.2, is 0.1"));
  EXPECT_THAT(
      error(revolute("{strength: 1, radius: 1}")),
      HasSubstr(
          "joints.j.friction.radius: goes with a coefficient of friction, and there is none"));
  EXPECT_THAT(
      error(revolute("{coefficient: 0.1, radius: 1}", ", clearance: {gap: 1 mm, law: steel}")),
      HasSubstr("has a coefficient, but the joint has a clearance, whose law has the friction"));
  EXPECT_THAT(error(revolute("0.1")), HasSubstr("friction: {coefficient: 0.1, radius: 10 mm}"));
}

TEST(ModelFriction, SaysWhatIsWrongWithThatOfALaw) {
  const auto error = [](std::string_view law) {
    return model_error(model("{type: revolute, between: [ground, a]}", law));
  };
  EXPECT_THAT(error("{friction: {static: 0.2}}"),
              HasSubstr("laws.steel.friction: missing key 'kinetic': a friction needs it"));
  EXPECT_THAT(
      error("{friction: {static: 0.1, kinetic: 0.2}}"),
      HasSubstr(
          "laws.steel.friction: the friction: static must not be below kinetic, 0.2, is 0.1"));
  EXPECT_THAT(error("{friction: {static: 0.1, dynamic: 0.2}}"), HasSubstr("dynamic"));
}

TEST(ModelFriction, ThatDependsOnTheStepIsNotForTheMethodOptimisation) {
  const Assembly loaded = assembled(R"(
bodies: {a: {mass: 1, inertia: 1}}
joints: {j: {type: revolute, between: [ground, a], friction: {coefficient: 0.1, radius: 1}}}
)");
  EXPECT_THAT(
      [&] { Optimisation(*loaded.system, {}); },
      ThrowsMessage<InputError>(HasSubstr("'j.friction' grows with what the joint carries")));
  const Assembly sticking = assembled(R"(
bodies: {ground: {shape: {line: {normal: [0, 1]}}}, a: {mass: 1, inertia: 1, shape: {circle: 1}, initial: {position: [0, 1.1]}}}
contacts: {c: {between: [a, ground], law: steel}}
laws: {steel: {friction: {static: 0.2, kinetic: 0.1}}}
)");
  EXPECT_THAT([&] { Optimisation(*sticking.system, {}); },
              ThrowsMessage<InputError>(HasSubstr("larger while it sticks (static)")));
}

}  // namespace
}  // namespace backlash::test::model_friction
