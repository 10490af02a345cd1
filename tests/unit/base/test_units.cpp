// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/units.h"

#include <numbers>

#include <gmock/gmock.h>

namespace backlash {
namespace {

using std::numbers::pi;
namespace dim = dimensions;

struct KnownUnit {
  const char* text;
  double factor;
  Dimension dimension;
};

TEST(Units, AreReadWithPrefixesProductsQuotientsAndPowers) {
  const KnownUnit units[] = {
      {"m", 1, dim::length},
      {"mm", 1e-3, dim::length},
      {"um", 1e-6, dim::length},
      {"µm", 1e-6, dim::length},
      {"in", 0.0254, dim::length},
      {"kg", 1, dim::mass},
      {"g", 1e-3, dim::mass},
      {"min", 60, dim::time},
      {"ms", 1e-3, dim::time},
      {"deg", pi / 180, dim::angle},
      {"°", pi / 180, dim::angle},
      {"rev/s", 2 * pi, dim::angular_velocity},
      {"rpm", pi / 30, dim::angular_velocity},
      {"kN", 1e3, dim::force},
      {"kg m/s^2", 1, dim::force},
      {"N m", 1, dim::torque},
      {"N*mm", 1e-3, dim::torque},
      {"Nm", 1, dim::torque},
      {"N/mm", 1e3, dim::stiffness},
      {"N m/rad", 1, dim::torsional_stiffness},
      {"N s/m", 1, dim::damping},
      {"kg m^2", 1, dim::inertia},
      {"kg·m²", 1, dim::inertia},
      {"g/cm^3", 1e3, dim::density},
      {"N/(mm s)", 1e3, {.kg = 1, .s = -3}},
      {"N/m^1.5", 1, {.kg = 1, .m = -0.5, .s = -2}},
      {"GPa", 1e9, {.kg = 1, .m = -1, .s = -2}},
      {"s^-1", 1, {.s = -1}},
      {"%", 0.01, dim::none},
  };
  for (const KnownUnit& known : units) {
    SCOPED_TRACE(known.text);
    const Unit unit = read_unit(known.text);
    EXPECT_NEAR(unit.factor, known.factor, 1e-14 * known.factor);
    EXPECT_EQ(unit.dimension, known.dimension);
    EXPECT_EQ(unit.length, std::string_view(known.text).size());
  }
}

TEST(Units, EndBeforeAnOperatorThatIsNotTheirs) {
  EXPECT_EQ(read_unit("mm + b").length, 2u);
  EXPECT_EQ(read_unit("mm/l1").length, 2u);
  EXPECT_EQ(read_unit("m / s").length, 1u);
  EXPECT_EQ(read_unit("m*sin(x)").length, 1u);
  EXPECT_EQ(read_unit("N m s").length, 5u);
  EXPECT_EQ(read_unit("m*s1").length, 1u);
}

TEST(Units, TheTimeIsNoTonne) {
  EXPECT_EQ(read_unit("N/s*t").length, 3u);
  EXPECT_EQ(read_unit("m/s^2*t^2").length, 5u);
  EXPECT_EQ(read_unit("t").factor, 1000);
  EXPECT_EQ(read_unit("t/m^3").dimension, dim::density);
}

TEST(Units, UnknownOnesAreRefusedWithTheNearest) {
  const auto message = [](const char* text) {
    try {
      read_unit(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("mmm"), "there is no unit 'mmm'; did you mean 'mm'?");
  EXPECT_EQ(message("degs"), "there is no unit 'degs'; did you mean 'deg'?");
  EXPECT_EQ(message("furlongs"), "there is no unit 'furlongs'");
  EXPECT_EQ(message("(m"), "the unit's '(' is not closed");
  EXPECT_EQ(message("m*(s + 1)"),
            "the unit's '(' is not closed; a '*' or '/' without spaces behind a unit belongs to "
            "it: '5 m * (…)' is a product");
  EXPECT_EQ(message("m^x"), "the power of a unit must be a number between -12 and 12");
}

TEST(Units, AFrequencyIsNoAngularVelocityAndAnAngleNoNumber) {
  EXPECT_FALSE(fits(dim::frequency, dim::angular_velocity));
  EXPECT_TRUE(fits({.s = -1}, dim::angular_velocity));
  EXPECT_TRUE(fits(dim::torque, dim::torsional_stiffness));
  EXPECT_FALSE(fits(dim::angle, dim::none));
  EXPECT_TRUE(fits(dim::angle, dim::angle));
  EXPECT_FALSE(fits(dim::force, dim::length));
}

TEST(Units, DimensionsHaveNames) {
  EXPECT_EQ(dimension_phrase(dim::length), "a length");
  EXPECT_EQ(dimension_phrase(dim::angle), "an angle");
  EXPECT_EQ(dimension_name(dim::stiffness), "stiffness");
  EXPECT_EQ(dimension_name({.m = 5}), "quantity in m^5");
  EXPECT_EQ(si_unit(dim::torsional_damping), "N m s/rad");
}

}  // namespace
}  // namespace backlash
