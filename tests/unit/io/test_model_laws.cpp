// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test_model_laws {
namespace {

/// A model of one body with these laws.
std::string with_laws(const std::string& laws) {
  return "backlash: 1\nparameters: {K: 2e9 N/m^1.5, k: 7}\nbodies: {b: {mass: 1}}\nlaws:\n" + laws;
}

CompliantDescription law_of(const std::string& keys) {
  const Model model = parse_model(with_laws("  steel: " + keys + "\n"), "m.yaml");
  return std::get<CompliantDescription>(find_law(model, "steel")->law);
}

std::string error_of(const std::string& keys) {
  try {
    law_of(keys);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ModelLaws, AreCompliantWithAModel) {
  const CompliantDescription law =
      law_of("{model: lankarani-nikravesh, restitution: 0.9, stiffness: 6.6e10 N/m^1.5}");
  EXPECT_EQ(law.model, "lankarani-nikravesh");
  EXPECT_EQ(law.restitution, 0.9);
  EXPECT_EQ(law.stiffness, 6.6e10);
  EXPECT_TRUE(law.stiffness_has_unit);
  EXPECT_EQ(law.exponent, 1.5);
  EXPECT_EQ(law.slowest_entry, 1e-4);
  EXPECT_TRUE(std::holds_alternative<Frictionless>(law.friction));
}

TEST(ModelLaws, TakeTheirExponentFromTheUnitOfTheStiffnessUnlessItIsSaid) {
  const auto exponent = [](const std::string& keys) {
    return law_of("{model: hertz, " + keys + "}").exponent;
  };
  EXPECT_EQ(exponent("stiffness: 1e9 N/m"), 1);
  EXPECT_EQ(exponent("stiffness: 1e9 N/m^2.2"), 2.2);
  EXPECT_EQ(exponent("stiffness: 1e9"), 1.5);
  EXPECT_EQ(exponent("stiffness: K"), 1.5);
  EXPECT_EQ(exponent("stiffness: 1e9, exponent: 2"), 2);
  EXPECT_EQ(exponent("stiffness: 1e9 N/m^2, exponent: 2"), 2);
  EXPECT_EQ(error_of("{model: hertz, stiffness: 1e9 N/m, exponent: 1.5}"),
            "m.yaml:5:36: laws.steel.stiffness: expected a Hertz stiffness, found 1e9 N/m "
            "(stiffness)");
  EXPECT_EQ(error_of("{model: hertz, stiffness: 1e9 kg}"),
            "m.yaml:5:36: laws.steel.stiffness: expected a Hertz stiffness, found 1e9 kg (mass)");
  EXPECT_EQ(error_of("{model: kelvin-voigt, stiffness: 1e9 N/m^1.5, damping: 1}"),
            "m.yaml:5:43: laws.steel.stiffness: expected a stiffness, found 1e9 N/m^1.5 (Hertz "
            "stiffness)");
}

TEST(ModelLaws, ConvertAStiffnessByThePowerOfItsUnit) {
  const double found = *law_of("{model: hertz, stiffness: 3 N/mm^1.5}").stiffness;
  EXPECT_NEAR(found, 3 * std::pow(1e3, 1.5), 1e-9 * found);
}

TEST(ModelLaws, RememberWhetherTheStiffnessHadAUnit) {
  const auto has_unit = [](const std::string& value) {
    return law_of("{model: hertz, stiffness: " + value + "}").stiffness_has_unit;
  };
  EXPECT_TRUE(has_unit("2*K"));
  EXPECT_FALSE(has_unit("3e9"));
  EXPECT_FALSE(has_unit("2*k"));
}

TEST(ModelLaws, KnowMaterialsByNameAndByTheirNumbers) {
  const auto materials = [](const std::string& value) {
    return *law_of("{model: hertz, material: " + value + "}").material;
  };
  EXPECT_EQ(materials("steel")[1].elasticity, 207e9);
  EXPECT_EQ(materials("[steel, brass]")[0].elasticity, 207e9);
  EXPECT_EQ(materials("[steel, {E: 3 GPa, nu: 0.4}]")[1].elasticity, 3e9);
  EXPECT_EQ(materials("[steel, {E: 3 GPa, nu: 0.4}]")[1].poisson, 0.4);
  EXPECT_EQ(error_of("{model: hertz, material: [steel, stel]}"),
            "m.yaml:5:43: laws.steel.material[2]: there is no material 'stel'; did you mean "
            "'steel'?");
  EXPECT_EQ(error_of("{model: hertz, material: [steel]}"),
            "m.yaml:5:35: laws.steel.material: expected one or two materials, found a list of 1");
  EXPECT_EQ(error_of("{model: hertz, material: {E: 3 GPa}}"),
            "m.yaml:5:35: laws.steel.material: missing key 'nu': a material needs it (Poisson's "
            "ratio)");
  EXPECT_EQ(error_of("{model: hertz, material: {E: 3 GPa, nu: 0.6}}"),
            "m.yaml:5:50: laws.steel.material.nu: must be in [0, 0.5], found 0.6");
}

TEST(ModelLaws, ReadTheOtherModels) {
  const CompliantDescription impact =
      law_of("{model: impact, stiffness: 1e8 N/m^1.5, damping: 200, depth: 1 mm}");
  EXPECT_EQ(impact.damping, 200);
  EXPECT_EQ(impact.depth, 1e-3);
  const CompliantDescription damped =
      law_of("{model: kelvin-voigt, stiffness: 1 kN/mm, damping: 2 kN s/m}");
  EXPECT_EQ(damped.stiffness, 1e6);
  EXPECT_EQ(damped.damping, 2e3);
  const CompliantDescription massive =
      law_of("{model: anagnostopoulos, stiffness: 1e6, restitution: 0.5, mass: 3 g}");
  EXPECT_EQ(massive.mass, 3e-3);
  const CompliantDescription formula =
      law_of("{model: expression, force: \"K*delta^1.5 + 20 N s/m*ddelta\", slowest_entry: 1 m/s}");
  EXPECT_NEAR(normal_force(ForceFormula{formula.force}, 1e-4, 3, 1), 2e9 * 1e-6 + 60, 1e-9);
  EXPECT_EQ(formula.slowest_entry, 1);
}

TEST(ModelLaws, ReadFrictionAsANumberOrAsAModel) {
  const auto friction = [](const std::string& keys) {
    return law_of("{model: hertz, stiffness: K, " + keys + "}").friction;
  };
  const auto step = std::get<AdamsStep>(friction("friction: 0.2"));
  EXPECT_EQ(step.static_friction, 0.2);
  EXPECT_EQ(step.kinetic_friction, 0.2);
  EXPECT_EQ(step.stiction_speed, 1e-3);
  EXPECT_EQ(std::get<AdamsStep>(friction("friction: 0.2, friction_speed: 5 mm/s")).stiction_speed,
            5e-3);
  EXPECT_TRUE(std::holds_alternative<Frictionless>(friction("friction: 0")));
  EXPECT_EQ(
      std::get<Threlfall>(friction("friction: {model: threlfall, friction: 0.2, speed: 1}")).speed,
      1);
  EXPECT_EQ(std::get<Ambrosio>(friction("friction: {model: ambrosio, friction: 0.2, lower_speed: "
                                        "0, higher_speed: 1 mm/s}"))
                .higher_speed,
            1e-3);
  EXPECT_EQ(std::get<BengisuAkay>(friction("friction: {model: bengisu-akay, static_friction: 0.3, "
                                           "kinetic_friction: 0.2, speed: 1e-3, decay: 10 s/m}"))
                .decay,
            10);
  EXPECT_EQ(std::get<AdamsStep>(friction("friction: {model: adams-step, static_friction: 0.3, "
                                         "kinetic_friction: 0.2, stiction_speed: 1e-3, "
                                         "friction_speed: 1e-2}"))
                .friction_speed,
            1e-2);
  EXPECT_EQ(std::get<LuGre>(friction("friction: {model: lugre, static_friction: 0.3, "
                                     "kinetic_friction: 0.2, stribeck_speed: 1e-3, stiffness: "
                                     "10/(1 mm)}"))
                .stiffness,
            1e4);
}

TEST(ModelLaws, SayWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("{model: flores, restitution: 0, stiffness: K}"),
            "m.yaml:5:39: laws.steel.restitution: law 'steel': restitution must lie in (0, 1] - "
            "with the law flores, is 0");
  EXPECT_EQ(error_of("{model: hertz, restitution: 0.9, stiffness: K}"),
            "m.yaml:5:38: laws.steel.restitution: law 'steel': restitution must be 1 with the law "
            "hertz, which loses nothing, is 0.9");
  EXPECT_EQ(error_of("{model: flores, restitution: 1.2, stiffness: K}"),
            "m.yaml:5:39: laws.steel.restitution: must be in [0, 1], found 1.2");
  EXPECT_EQ(error_of("{model: flores, stiffness: K}"),
            "m.yaml:5:10: laws.steel: missing key 'restitution': a law of model flores needs it "
            "(that is asked for; `check` says what is delivered)");
  EXPECT_EQ(
      error_of("{model: flores, restitution: 0.5}"),
      "m.yaml:5:10: laws.steel: expected one of the keys 'stiffness', 'material', found none");
  EXPECT_EQ(error_of("{model: hertz, stiffness: K, material: steel}"),
            "m.yaml:5:10: laws.steel: 'stiffness' and 'material' stand side by side, expected one "
            "of them");
  EXPECT_EQ(
      error_of("{model: hertz, stiffness: K, impact: poisson}"),
      "m.yaml:5:39: laws.steel: a law of model hertz has no key 'impact'; its keys are model, "
      "restitution, exponent, stiffness, material, slowest_entry, friction, friction_speed");
  EXPECT_EQ(error_of("{model: kelvin-voigt, stiffness: 1e6}"),
            "m.yaml:5:10: laws.steel: expected one of the keys 'damping', 'restitution', found "
            "none");
  EXPECT_EQ(error_of("{model: anagnostopoulos, stiffness: 1, restitution: 0}"),
            "m.yaml:5:10: laws.steel: law 'steel': restitution must lie in (0, 1] - with the law "
            "anagnostopoulos, is 0");
  EXPECT_EQ(error_of("{stiffness: K}"),
            "m.yaml:5:11: laws.steel: a law with 'stiffness' is compliant and needs 'model' "
            "(calibrated, …)");
  EXPECT_EQ(error_of("{model: hertz, stiffness: [1]}"),
            "m.yaml:5:36: laws.steel.stiffness: expected a Hertz stiffness, found a list");
  EXPECT_EQ(error_of("{model: hertz, stiffness: -1}"),
            "m.yaml:5:36: laws.steel.stiffness: must be positive, found -1");
  EXPECT_EQ(error_of("{model: expression, force: 3*ddelta}"),
            "m.yaml:5:37: laws.steel.force: law 'steel': force must depend on delta, the depth "
            "[m], is 3*ddelta");
  EXPECT_EQ(error_of("{model: expression, force: K*delta}"),
            "m.yaml:5:37: laws.steel.force: expected a force, found K*delta (quantity in kg m^0.5 "
            "s^-2)");
  EXPECT_EQ(error_of("{model: hertz, stiffness: K, friction_speed: 1}"),
            "m.yaml:5:55: laws.steel.friction_speed: goes with a friction that is a number, or "
            "static and kinetic ones");
  EXPECT_EQ(error_of("{model: hertz, stiffness: K, friction: {friction: 1}}"),
            "m.yaml:5:49: laws.steel.friction: missing key 'model': a friction needs it "
            "(threlfall, lugre, …)");
  EXPECT_EQ(error_of("{model: hertz, stiffness: K, friction: {model: ambrosio, friction: 1, "
                     "lower_speed: 2, higher_speed: 1}}"),
            "m.yaml:5:49: laws.steel.friction: the friction: higher speed of the friction must be "
            "above the lower one, 2 m/s, is 1");
}

TEST(ModelLaws, DoNotTakeAParameterForTheDepth) {
  const std::string text =
      "backlash: 1\nparameters: {delta: 3}\nbodies: {b: {mass: 1}}\nlaws:\n"
      "  odd: {model: expression, force: 2*delta}\n";
  EXPECT_THAT([&] { parse_model(text, "m.yaml"); },
              ::testing::ThrowsMessage<InputError>(
                  "m.yaml:5:35: laws.odd.force: 'delta' has a meaning in this formula; give the "
                  "parameter of that name another one"));
}

// Exchanged laws.

constexpr const char* laws = R"(
  steel: {restitution: 0.4, friction: 0.1}
  plain: {}
  soft: {model: hunt-crossley, restitution: 0.7, stiffness: 1e6 N/m, friction: 0.2, friction_speed: 3 mm/s}
  hard: {model: hertz, stiffness: 1e9 N/m}
  stop: {model: impact, stiffness: 1e9, depth: 1 mm}
  rough: {model: hertz, stiffness: K, friction: {model: bengisu-akay, static_friction: 0.4, kinetic_friction: 0.3, speed: 1e-3, decay: 1}}
)";

Model exchanged(const std::string& name, const std::string& law) {
  return parse_model(with_laws(laws), "m.yaml", {}, std::vector<LawOverride>{{name, law}});
}
CompliantDescription compliant(const std::string& name, const std::string& law) {
  return std::get<CompliantDescription>(find_law(exchanged(name, law), name)->law);
}
ContactLaw set_valued(const std::string& name, const std::string& law) {
  return std::get<ContactLaw>(find_law(exchanged(name, law), name)->law);
}
std::string error_of_exchange(const std::string& name, const std::string& law) {
  try {
    exchanged(name, law);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ExchangedLaw, IsAnotherOneOfTheFileAsItStands) {
  EXPECT_EQ(compliant("steel", "soft").restitution, 0.7);
  EXPECT_EQ(set_valued("soft", "plain").restitution, 0);
  EXPECT_EQ(set_valued("soft", "plain").friction, 0);
}

TEST(ExchangedLaw, TakesOverTheRestitutionAndFrictionThatItDoesNotGive) {
  const CompliantDescription law = compliant("steel", "{model: calibrated, stiffness: 2*K}");
  EXPECT_EQ(law.restitution, 0.4);
  EXPECT_EQ(law.stiffness, 4e9);
  EXPECT_EQ(std::get<AdamsStep>(law.friction).kinetic_friction, 0.1);
  const ContactLaw back = set_valued("soft", "{impact: poisson}");
  EXPECT_EQ(back.restitution, 0.7);
  EXPECT_EQ(back.friction, 0.2);
  const auto kept = std::get<AdamsStep>(
      compliant("soft", "{model: flores, stiffness: K, restitution: 0.9}").friction);
  EXPECT_EQ(kept.kinetic_friction, 0.2);
  EXPECT_EQ(kept.stiction_speed, 3e-3);
  EXPECT_EQ(set_valued("hard", "{friction: 0.5}").restitution, 1);
  EXPECT_EQ(set_valued("rough", "{restitution: 0.5}").friction, 0.3);
}

TEST(ExchangedLaw, TakesOverNothingThatItGives) {
  const ContactLaw law = set_valued("steel", "{restitution: 0.8, friction: 0}");
  EXPECT_EQ(law.restitution, 0.8);
  EXPECT_EQ(law.friction, 0);
  const CompliantDescription damped =
      compliant("steel", "{model: kelvin-voigt, stiffness: 1e6, damping: 3}");
  EXPECT_FALSE(damped.restitution);
  EXPECT_FALSE(compliant("steel", "{model: hertz, stiffness: K}").restitution);
}

TEST(ExchangedLaw, NamesTheArgumentAsThePlaceOfAnError) {
  EXPECT_EQ(error_of_exchange("stel", "soft"),
            "--law stel=soft: there is no law 'stel'; did you mean 'steel'?");
  EXPECT_EQ(error_of_exchange("steel", "sooft"),
            "--law steel=sooft: there is no law 'sooft'; did you mean 'soft'?");
  EXPECT_EQ(error_of_exchange("steel", "{model: flores, stiffness: 3 kg}"),
            "--law steel={model: flores, stiffness: 3 kg}: laws.steel.stiffness: expected a Hertz "
            "stiffness, found 3 kg (mass)");
  EXPECT_EQ(error_of_exchange("steel", "{frction: 1}"),
            "--law steel={frction: 1}: laws.steel: a law has no key 'frction'; did you mean "
            "'friction'?");
  EXPECT_EQ(error_of_exchange("plain", "{model: calibrated, stiffness: K}"),
            "m.yaml: laws.plain.restitution: law 'plain': restitution must lie in (0, 1] - with "
            "the law calibrated, is 0");
  EXPECT_EQ(error_of_exchange("stop", "{friction: 1}"),
            "--law stop={friction: 1}: the law stop that it replaces has no restitution to take "
            "over; give one");
  EXPECT_EQ(error_of_exchange("steel", "[1, 2]"),
            "--law steel=[1, 2]: expected the name of a law or its keys, {restitution: 0.4}; found "
            "a list");
  EXPECT_EQ(error_of_exchange("steel", ""),
            "--law steel=: expected the name of a law or its keys after '='");
  EXPECT_THAT([] { parse_law_override("steel"); },
              ::testing::ThrowsMessage<InputError>("--law steel: expected name=law"));
  EXPECT_THAT(
      [] {
        parse_model("backlash: 1\nbodies: {b: {mass: 1}}\n", "m.yaml", {},
                    std::vector<LawOverride>{{"a", "b"}});
      },
      ::testing::ThrowsMessage<InputError>("--law a=b: the model has no laws"));
}

}  // namespace
}  // namespace backlash::test_model_laws
