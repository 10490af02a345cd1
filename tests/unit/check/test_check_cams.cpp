// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/check/check.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test_check_cams {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// What is said of the cam.
std::vector<Finding> findings_of(const std::string& text) {
  std::vector<Finding> found = check(parse_model(text, "model.yaml")).findings;
  std::erase_if(found, [](const Finding& f) { return f.item != "shape 'cam.profile'"; });
  return found;
}

TEST(CheckOfCams, WarnsWhereTheSlopeOfALiftJumps) {
  const auto cam = [](const char* lift) {
    return findings_of(fmt::format(R"(backlash: 1
bodies:
  cam: {{mass: 1.2, inertia: 6e-4, shapes: {{profile: {{cam: {{base: 25 mm, {}}}}}}}}}
  tappet: {{mass: 0.25, inertia: 1e-5, shape: {{point: [0, 0]}}}}
joints:
  axle: {{type: revolute, between: [ground, cam], drive: {{speed: 10}}}}
  guide: {{type: prismatic, between: [ground, tappet], at: [[0, 40 mm], [0, 0]], axis: [0, 1]}}
contacts: {{touch: {{between: [cam.profile, tappet], law: hard}}}}
laws: {{hard: {{}}}}
simulation: {{until: 0.01}}
)",
                                   lift));
  };
  const char* points =
      "[[0 deg, 0 mm], [90 deg, 2 mm], [180 deg, 8 mm], [270 deg, 2 mm], "
      "[360 deg, 0 mm]]";
  const auto roof = cam("lift: \"8 mm*(1 - abs(mod(phi/pi + 1, 2) - 1))\"");
  ASSERT_THAT(roof, SizeIs(1));
  EXPECT_THAT(roof[0].message, HasSubstr("jumps near phi = "));
  EXPECT_THAT(cam(fmt::format("lift_table: {}, interpolation: linear", points).c_str()), SizeIs(1));
  EXPECT_THAT(cam(fmt::format("lift_table: {}", points).c_str()), SizeIs(0));
  EXPECT_THAT(cam("lift: \"4 mm*(1 - cos(phi))\""), SizeIs(0));
  EXPECT_THAT(cam("lift: \"if(phi < pi, 8 mm*poly_345(phi/pi), 8 mm*poly_345(2 - phi/pi))\""),
              SizeIs(0));
}

TEST(CheckOfCams, WarnsOfOneThatJumpsWhereATurnEnds) {
  const auto cam = [](const char* lift) {
    return findings_of(fmt::format(R"(backlash: 1
bodies:
  cam: {{mass: 1.2, inertia: 6e-4, shapes: {{profile: {{cam: {{base: 25 mm, lift: {}}}}}}}}}
  tappet: {{mass: 0.25, inertia: 1e-5, shape: {{point: [0, 0]}}}}
joints:
  axle: {{type: revolute, between: [ground, cam], drive: {{speed: 10}}}}
  guide: {{type: prismatic, between: [ground, tappet], at: [[0, 40 mm], [0, 0]], axis: [0, 1]}}
contacts: {{touch: {{between: [cam.profile, tappet], law: hard}}}}
laws: {{hard: {{}}}}
simulation: {{until: 0.01}}
)",
                                   lift));
  };
  EXPECT_THAT(cam("4 mm*(1 - cos(2*phi))"), SizeIs(0));
  const std::vector<Finding> found = cam("4 mm*(1 - cos(2.5*phi))");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_THAT(found[0].message, HasSubstr("jumps by 8 mm at phi = 0"));
}

/// Harmonic motion lifts a flat follower along a profile of radius base + s + s″: with 4 mm twice a
/// turn it is negative at the top for a base below 8 mm.
TEST(CheckOfCams, WarnsOfOneThatWouldCrossItself) {
  const auto cam = [](const char* base) {
    return findings_of(fmt::format(R"(backlash: 1
bodies:
  cam: {{mass: 1.2, inertia: 6e-4, shapes: {{profile: {{cam: {{base: {}, lift: 4 mm*(1 - cos(2*phi)), follower: flat}}}}}}}}
  tappet: {{mass: 0.25, inertia: 1e-5, shape: {{line: {{normal: [0, -1]}}}}}}
joints:
  axle: {{type: revolute, between: [ground, cam], drive: {{speed: 10}}}}
  guide: {{type: prismatic, between: [ground, tappet], at: [[0, 40 mm], [0, 0]], axis: [0, 1]}}
contacts: {{touch: {{between: [cam.profile, tappet], law: hard}}}}
laws: {{hard: {{}}}}
simulation: {{until: 0.01}}
)",
                                   base));
  };
  EXPECT_THAT(cam("25 mm"), SizeIs(0));
  const std::vector<Finding> found = cam("6 mm");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_THAT(found[0].message, HasSubstr("would cross itself (undercut)"));
}

}  // namespace
}  // namespace backlash::test_check_cams
