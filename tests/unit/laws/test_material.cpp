// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/material.h"

#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Material steel = *find_material("steel");

TEST(HertzStiffness, OfSteelBallsOnSteelIsAsInTheLiterature) {
  EXPECT_NEAR(hertz_stiffness(steel, steel, 0.05, flat), 3.39096e10, 5e4);
  EXPECT_NEAR(hertz_stiffness(steel, steel, flat, 0.1), 4.79554194619e10, 5e-1);
  EXPECT_NEAR(hertz_stiffness(steel, steel, -0.010, 0.0095), 6.610198398e10, 5);
}

TEST(HertzStiffness, OfTwoBallsIsItsFormula) {
  const Material brass = *find_material("brass");
  const double softness = (1 - steel.poisson * steel.poisson) / steel.elasticity +
                          (1 - brass.poisson * brass.poisson) / brass.elasticity;
  const double exact = 4 / (3 * softness) * std::sqrt(0.02 * 0.03 / 0.05);
  EXPECT_NEAR(hertz_stiffness(steel, brass, 0.02, 0.03), exact, 1e-14 * exact);
  EXPECT_EQ(hertz_stiffness(steel, brass, 0.02, 0.03), hertz_stiffness(brass, steel, 0.03, 0.02));
}

TEST(HertzStiffness, GrowsWithoutBoundAsTheBallFillsItsSocket) {
  const double loose = hertz_stiffness(steel, steel, 0.009, -0.01);
  const double tight = hertz_stiffness(steel, steel, 0.00999, -0.01);
  EXPECT_NEAR(tight / loose, std::sqrt(0.00999 / 0.00001 / (0.009 / 0.001)), 1e-9);
}

TEST(HertzStiffness, RefusesCornersAndWhatDoesNotTouchInAPoint) {
  EXPECT_THAT([] { hertz_stiffness(steel, steel, 0, flat, "contact 'guide.1'"); },
              ThrowsMessage<InputError>(HasSubstr("contact 'guide.1': a corner has no radius")));
  for (const double radius : {-0.01, -0.009, flat})
    EXPECT_THAT([&] { hertz_stiffness(steel, steel, radius == flat ? flat : 0.01, radius); },
                ThrowsMessage<InputError>(HasSubstr("do not touch in a point")));
}

TEST(AllMaterials, MakeSenseAndAreFoundByName) {
  for (const NamedMaterial& entry : material_table) {
    EXPECT_NO_THROW(validate(entry.material, entry.name));
    EXPECT_EQ(find_material(entry.name), &entry.material);
  }
  EXPECT_EQ(find_material("unobtainium"), nullptr);
}

TEST(Material, RefusesWhatNoSolidHas) {
  EXPECT_THAT(
      [] {
        validate(Material{0, 0.3}, "law 'x': material");
      },
      ThrowsMessage<InputError>(HasSubstr("law 'x': material: E must be positive")));
  EXPECT_THAT(
      [] {
        validate(Material{1e9, 0.6}, "law 'x': material");
      },
      ThrowsMessage<InputError>(HasSubstr("law 'x': material: nu must lie in [0, 0.5]")));
}

}  // namespace
}  // namespace backlash
