// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

/// `backlash cam` on the model of docs/how-to/design-a-cam.md.
namespace backlash::test_cam {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The first block of this kind on the page.
std::string block_of_page(const std::string& begin, const std::string& end) {
  const std::string page = file_text(source_folder() + "/docs/how-to/design-a-cam.md");
  const std::size_t first = page.find(begin) + begin.size();
  return page.substr(first, page.find(end, first) - first);
}

struct Valve {
  TemporaryFolder folder;
  Valve() { write_file(folder / "valve.yaml", block_of_page("```yaml\n", "```")); }

  ProgramResult cam(std::vector<std::string> options) const {
    options.insert(options.begin(), {"cam", folder / "valve.yaml"});
    return run_program(program_file(), options);
  }
};

TEST(Cam, PrintsWhatThePageSays) {
  const Valve valve;
  const ProgramResult result =
      valve.cam({"--width", "12 mm", "--modulus", "115 GPa", "--points", "3600"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string said = block_of_page("valve.yaml: no title\n", "\nEach of");
  std::string expected;
  for (std::size_t at = 0; at < said.size(); at = said.find('\n', at) + 1)
    expected += said.substr(at + 4, said.find('\n', at) - at - 3);  // without the page's indent
  EXPECT_THAT(result.out, HasSubstr(expected));
}

TEST(Cam, SaysWhereTheSlopeJumps) {
  const TemporaryFolder folder;
  write_file(folder / "roof.yaml", R"yaml(backlash: 1
bodies:
  cam: {mass: 1, inertia: 1e-3, shapes: {face: {cam: {base: 30 mm, lift: "8 mm*(1 - abs(mod(phi/pi + 1, 2) - 1))"}}}}
  tappet: {mass: 0.3, inertia: 1e-3, shape: {point: [0, 0]}}
joints:
  axle: {type: revolute, between: [ground, cam], drive: {speed: 10}, initial: {angle: 90 deg}}
  guide: {type: prismatic, between: [ground, tappet], at: [[0, 30 mm], [0, 0]], axis: [0, 1], initial: {position: 8 mm}}
forces:
  spring: {type: joint_spring, joint: guide, stiffness: 2 N/mm, preload: -40 N}
contacts:
  tip: {between: [cam.face, tappet], law: dead}
laws: {dead: {}}
)yaml");
  const ProgramResult result = run_program(program_file(), {"cam", folder / "roof.yaml"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("slope jumps                 near 90.25 deg: there the follower"));
  EXPECT_THAT(result.out, HasSubstr("lifts off elsewhere         at no speed"));
}

TEST(Cam, WritesPointsChartsAndJson) {
  const Valve valve;
  const std::string csv = valve.folder / "cam.csv", picture = valve.folder / "cam.svg";
  const ProgramResult result =
      valve.cam({"-o", csv, "--draw", picture, "--speed", "3000 rpm", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_NEAR(json["speed"].get<double>(), 100 * M_PI, 1e-12);
  EXPECT_LT(json["smallest_force"].get<double>(), 0);  // beyond lift-off
  EXPECT_EQ(json["points"]["lift"].size(), 720u);
  const auto rows = read_csv(csv);
  ASSERT_EQ(rows.size(), 721u);
  EXPECT_THAT(file_text(csv), StartsWith("angle [rad],position [m],lift [m],slope [m/rad],"));
  EXPECT_EQ(std::stod(rows[200][8]), json["points"]["force"][199].get<double>());
  EXPECT_EQ(rows[200][7], "");  // a flat follower has no radius
  EXPECT_THAT(file_text(picture), HasSubstr("pressure angle [rad]"));
}

TEST(Cam, SaysWhatIsWrong) {
  const Valve valve;
  const auto expect = [&](const std::vector<std::string>& options, const std::string& message) {
    const ProgramResult result = valve.cam(options);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  expect({"--contact", "tap"}, "no contact 'tap' in the model; did you mean 'tip'?");
  expect({"--speed", "3 m"}, "--speed");
  expect({"--points", "3"}, "--points");
  expect({"--modulus", "1 GPa"}, "--width");
  expect({"--draw", "cam.pdf"}, "cam.pdf");
  const ProgramResult other =
      run_program(program_file(), {"cam", source_folder() + "/examples/slider_crank/model.yaml"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("the model has 0 contacts"));
  const ProgramResult several =
      run_program(program_file(), {"cam", source_folder() + "/examples/geneva/model.yaml"});
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_THAT(several.err, HasSubstr("has 2 contacts, expected the name of one: "));
}

}  // namespace
}  // namespace backlash::test_cam
