// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <gmock/gmock.h>

#include "backlash/check/check.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test_slips {
namespace {

using ::testing::HasSubstr;

/// The warnings of a pendulum in a bearing with play.
std::string warnings_of(const std::string& gravity, const std::string& body,
                        const std::string& radius, const std::string& friction) {
  const Model model = parse_model(
      "backlash: 1\ngravity: [0, " + gravity + "]\nbodies: {b: {" + body + "}}\n" +
          "joints: {A: {type: revolute, between: [ground, b], at: [[0, 0], [0.1, 0]], clearance: "
          "{gap: 0.1 mm, law: s" +
          radius + "}}}\nlaws: {s: {friction: " + friction + "}}\n" +
          "simulation: {step: 1e-5, until: 1e-3}\n",
      "m.yaml");
  std::string text;
  for (const Finding& finding : check(model).findings)
    if (finding.severity == Severity::warning) text += finding.item + ": " + finding.message + "\n";
  return text;
}

constexpr const char* plate = "density: 7850, thickness: 10 mm, shape: {box: [0.2, 0.02]}";
constexpr const char* journal = ", journal_radius: 5 mm";

TEST(CheckSlips, AnOrdinaryModelHasNone) {
  EXPECT_EQ(warnings_of("-9.81", plate, journal, "0.1"), "");
}

TEST(CheckSlips, GravityInMillimetresIsWarnedOf) {
  EXPECT_THAT(warnings_of("-9810", plate, journal, "0.1"),
              HasSubstr("gravity: 9810 m/s², 1e+03 times"));
}

TEST(CheckSlips, DensityInGramsPerCubicCentimetreIsWarnedOf) {
  EXPECT_THAT(warnings_of("-9.81", "density: 7.85, thickness: 10 mm, shape: {box: [0.2, 0.02]}",
                          journal, "0.1"),
              HasSubstr("body 'b': the density is 7.85 kg/m³"));
}

TEST(CheckSlips, FrictionOfAJournalWithoutRadiusIsWarnedOf) {
  EXPECT_THAT(warnings_of("-9.81", plate, "", "0.1"),
              HasSubstr("joint 'A': the law 's' has friction"));
  EXPECT_EQ(warnings_of("-9.81", plate, "", "0"), "");
}

TEST(CheckSlips, RowsCloserThanTheStepsAreWarnedOf) {
  const auto warned = [](const std::string& every, const std::string& simulation) {
    const Model model = parse_model(
        "backlash: 1\nbodies: {b: {mass: 1, inertia: 1}}\njoints: {A: "
        "{type: revolute, between: [ground, b]}}\nsimulation: {" +
            simulation + "}\noutput: {every: " + every + "}\n",
        "m.yaml");
    return std::ranges::any_of(check(model).findings, [](const Finding& finding) {
      return finding.message.find("rows within a step are interpolated") != std::string::npos;
    });
  };
  EXPECT_TRUE(warned("1e-5", "step: 1e-3, until: 0.1"));
  EXPECT_FALSE(warned("1e-3", "step: 1e-3, until: 0.1"));
  EXPECT_FALSE(warned("step", "step: 1e-3, until: 0.1"));
  EXPECT_FALSE(warned("1e-5", "step: auto, until: 0.1"));
}

}  // namespace
}  // namespace backlash::test_slips
