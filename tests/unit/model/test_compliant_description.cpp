// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/compliant_description.h"

#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/laws/free_impact.h"
#include "backlash/laws/hysteresis.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Material steel = *find_material("steel");

CompliantDescription of_model(std::string_view model) {
  CompliantDescription law{.model = std::string(model), .stiffness = 1e9};
  if (model == impact_model) {
    law.damping = 100;
    law.depth = 1e-4;
  } else if (model == formula_model) {
    law.stiffness.reset();
    law.force = parse_expression("1e9*delta", force_variables);
  } else if (model != "hertz") {
    law.restitution = 0.6;
  }
  return law;
}

TEST(AllCompliantModels, AreAcceptedAndPush) {
  for (const std::string_view model : compliant_models()) {
    SCOPED_TRACE(model);
    const CompliantDescription law = of_model(model);
    EXPECT_NO_THROW(validate(law, "law"));
    const CompliantLaw resolved = resolve(law, {.mass = 2}, "contact");
    EXPECT_GT(normal_force(resolved.normal, 1e-4, 0, 1), 0);
  }
}

TEST(AllCompliantModels, TellWhatTheyDeliverAsAFreeImpactDoes) {
  for (const std::string_view model : compliant_models()) {
    SCOPED_TRACE(model);
    const CompliantDescription law = of_model(model);
    const std::optional<double> told = delivered_restitution(law);
    EXPECT_EQ(told.has_value(), model != impact_model && model != formula_model);
    if (!told) continue;
    const CompliantLaw resolved = resolve(law, {.mass = 2}, "contact");
    EXPECT_NEAR(free_impact(resolved.normal, 2, 0.3).restitution, *told, 1e-14);
  }
}

TEST(CompliantDescription, HasTheHertzStiffnessOfItsMaterialsAndTheRadiiOfTheContact) {
  CompliantDescription law{.model = "hertz", .material = std::array{steel, steel}};
  const CompliantLaw resolved = resolve(law, {-0.010, 0.0095}, "contact");
  EXPECT_EQ(std::get<HystereticForce>(resolved.normal).stiffness,
            hertz_stiffness(steel, steel, -0.010, 0.0095));
  EXPECT_THAT(
      [&] {
        resolve(law, {0.1, std::nullopt}, "contact 'cam'");
      },
      ThrowsMessage<InputError>(HasSubstr("contact 'cam': what touches has no constant "
                                          "radius")));
  EXPECT_THAT(
      [&] {
        resolve(law, {flat, 0.0}, "contact 'box'");
      },
      ThrowsMessage<InputError>(HasSubstr("contact 'box': a corner has no radius")));
  const ContactSetting rounded{flat, 0.0, 1, "clearance.corner_radius"};
  EXPECT_THAT([&] { resolve(law, rounded, "contact 'guide.1'"); },
              ThrowsMessage<InputError>(
                  HasSubstr("contact 'guide.1': Hertz' stiffness needs clearance.corner_radius")));
}

TEST(Anagnostopoulos, TakesTheMassOfTheLawOrElseOfTheContact) {
  CompliantDescription law = of_model(anagnostopoulos_model);
  const auto damping = [&](double mass) {
    return std::get<KelvinVoigt>(resolve(law, {.mass = mass}, "contact").normal).damping;
  };
  EXPECT_EQ(damping(2), anagnostopoulos(0.6, 1e9, 2).damping);
  EXPECT_THAT([&] { damping(0); }, ThrowsMessage<InputError>(HasSubstr("give 'mass'")));
  law.mass = 3;
  EXPECT_EQ(damping(2), anagnostopoulos(0.6, 1e9, 3).damping);
}

TEST(RegularisedFriction, IsCoulombsBeyondItsSpeedAndNoneWithoutFriction) {
  EXPECT_TRUE(std::holds_alternative<Frictionless>(regularised_friction(0, 1e-3)));
  const FrictionForce law = regularised_friction(0.3, 1e-3);
  for (const double v : {1e-3, 1.5e-3, 2e-3, 3.0})
    EXPECT_NEAR(friction(law, v, 10, 0).force, -3, 1e-14);
}

TEST(CompliantDescription, RefusesWhatMakesNoSenseByName) {
  const auto said = [](CompliantDescription law) -> std::string {
    try {
      validate(law, "law 'steel'");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said({.model = "flores", .stiffness = 1}),
            "law 'steel': the law flores needs a restitution");
  EXPECT_EQ(said({.model = "hertz"}), "law 'steel': the law hertz needs a stiffness");
  EXPECT_EQ(said({.model = "flors", .stiffness = 1}),
            "law 'steel': there is no compliant law 'flors'; did you mean 'flores'?");
  EXPECT_EQ(said({.model = "hertz", .stiffness = 1, .material = std::array{steel, steel}}),
            "law 'steel': give a stiffness or a material, not both");
  EXPECT_THAT(said({.model = "hertz", .material = std::array{steel, steel}, .exponent = 2}),
              HasSubstr("law 'steel': exponent must be 1.5 with a material"));
  EXPECT_THAT(said({.model = "hertz", .material = std::array{steel, Material{}}}),
              HasSubstr("law 'steel': material: E must be positive"));
  EXPECT_EQ(said({.model = "anagnostopoulos", .restitution = 0, .stiffness = 1}),
            "law 'steel': restitution must lie in (0, 1] - with the law anagnostopoulos, is 0");
  EXPECT_THAT(said({.model = "impact", .stiffness = 1}), HasSubstr("law 'steel': depth"));
  EXPECT_THAT(said({.model = "hertz", .stiffness = 1, .slowest_entry = 0}),
              HasSubstr("law 'steel': slowest entry"));
}

}  // namespace
}  // namespace backlash
