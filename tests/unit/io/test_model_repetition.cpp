// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>

#include "backlash/io/model/model_reader.h"
#include "support/model_error.h"

// Items and parts of lists that are repeated with an index.

namespace backlash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* chain = R"(backlash: 1
parameters: {n: 4, l: 10 mm}
bodies:
  link$i:
    repeat: {i: n}
    mass: 1 g*i
    inertia: 1e-6
    shapes:
      ball$k: {repeat: {k: [0, i]}, circle: l/4, at: [k*l/i, 0]}
joints:
  base: {type: revolute, between: [ground, link1]}
  pin$i: {repeat: {i: [1, n - 1]}, type: revolute, between: [link$i, link$(i + 1)], at: [[l, 0], [0, 0]]}
)";

std::vector<std::string> names_of(const auto& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

std::string error_with(const std::string& before, const std::string& after) {
  return test::model_error(test::replaced(chain, before, after), {});
}

TEST(ModelRepetition, MakesAnItemForEachValueOfTheIndex) {
  const Model model = parse_model(chain, "m.yaml");
  EXPECT_THAT(names_of(model.bodies), ElementsAre("link1", "link2", "link3", "link4"));
  EXPECT_DOUBLE_EQ(model.bodies[2].mass, 3e-3);
  EXPECT_THAT(names_of(model.joints), ElementsAre("base", "pin1", "pin2", "pin3"));
  EXPECT_EQ(model.joints[3].body_A, "link3");
  EXPECT_EQ(model.joints[3].body_B, "link4");
}

TEST(ModelRepetition, RepeatsInsideOfWhatIsRepeated) {
  const Model model = parse_model(chain, "m.yaml");
  ASSERT_THAT(names_of(model.bodies[2].shapes), ElementsAre("ball0", "ball1", "ball2", "ball3"));
  EXPECT_DOUBLE_EQ(model.bodies[2].shapes[2].X_BS.p.x(), 2 * 0.01 / 3);
}

TEST(ModelRepetition, FollowsParametersThatAreSetFromOutside) {
  const ParameterOverride longer[] = {{"n", "6"}};
  EXPECT_EQ(parse_model(chain, "m.yaml", longer).joints.size(), 6u);
  const ParameterOverride one[] = {{"n", "1"}};  // no pin at all: from 1 to 0
  EXPECT_EQ(parse_model(chain, "m.yaml", one).joints.size(), 1u);
}

TEST(ModelRepetition, GoesThroughTwoIndicesTheLastOneFirst) {
  const Model model = parse_model(
      "backlash: 1\nbodies: {\"b$(i)_$j\": {repeat: {i: 2, j: [2, 3]}, mass: 1, inertia: i*j}}\n",
      "m.yaml");
  EXPECT_THAT(names_of(model.bodies), ElementsAre("b1_2", "b1_3", "b2_2", "b2_3"));
  EXPECT_DOUBLE_EQ(model.bodies[3].inertia.zz, 6);
}

TEST(ModelRepetition, RepeatsPartsOfLists) {
  const Model model = parse_model(R"(backlash: 1
bodies:
  wheel:
    mass: 1
    shape: {polygon: [{repeat: {i: 6}, items: [[cos(i*60 deg), sin(i*60 deg)]]}]}
)",
                                  "m.yaml");
  const auto& corners = std::get<Polygon>(model.bodies[0].shapes[0].shape).corners;
  ASSERT_EQ(corners.size(), 6u);
  EXPECT_NEAR(corners[2].x(), -1, 1e-15);
  EXPECT_NEAR(doubled_area(Polygon{corners}), 3 * std::sqrt(3.0), 1e-14);
}

TEST(ModelRepetition, ErrorsOfCopiesStandAtTheirPlaceInTheFile) {
  EXPECT_EQ(error_with("link$(i + 1)]", "link$(i + 2)]"),
            "m.yaml:12:70: joints.pin3.between[2]: there is no body 'link5'; did you mean "
            "'link1'?");
  EXPECT_EQ(error_with("mass: 1 g*i", "mass: 1 g*(i - 3)"),
            "m.yaml:6:11: bodies.link1.mass: must be zero or positive, found 1 g*(i - 3) = -0.002 "
            "kg\nm.yaml:6:11: bodies.link2.mass: must be zero or positive, found 1 g*(i - 3) = "
            "-0.001 kg");
}

TEST(ModelRepetition, RefusesWhatIsNoRepetition) {
  EXPECT_EQ(error_with("{i: n}", "4"),
            "m.yaml:5:13: bodies.link$i.repeat: expected the index and its values, as {i: 24} or "
            "{i: [0, 23]}; found '4'");
  EXPECT_EQ(error_with("{i: n}", "{i: 2.5}"),
            "m.yaml:5:17: bodies.link$i.repeat.i: expected a whole number from 0 to 1000000, found "
            "2.5");
  EXPECT_EQ(error_with("{i: n}", "{i: -1}"),
            "m.yaml:5:17: bodies.link$i.repeat.i: expected a whole number from 0 to 1000000, found "
            "-1");
  EXPECT_EQ(error_with("[1, n - 1]", "[n, 1]"),
            "m.yaml:12:23: joints.pin$i.repeat.i: the last value, 1, is below the first, 4");
  EXPECT_EQ(error_with("[1, n - 1]", "[1, 2, 3]"),
            "m.yaml:12:23: joints.pin$i.repeat.i: expected [first, last], found a list of 3");
  EXPECT_EQ(error_with("{i: n}", "{l: n}"),
            "m.yaml:5:14: bodies.link$i.repeat: 'l' has a meaning in formulas already; choose "
            "another name for the index");
  EXPECT_THAT(error_with("{k: [0, i]}", "{i: 2}"), HasSubstr("'i' has a meaning in formulas"));
  EXPECT_EQ(error_with("{i: n}", "{i: 1e9}"),
            "m.yaml:5:17: bodies.link$i.repeat.i: expected a whole number from 0 to 1000000, found "
            "1e9 = 1000000000");
  EXPECT_THAT(error_with("{i: n}", "{i: 200000}"), HasSubstr("more than 1000000 values"));
}

TEST(ModelRepetition, NamesMustSayWhichCopyTheyMean) {
  EXPECT_EQ(error_with("link$i:", "link:"),
            "m.yaml:4:3: bodies: 'link' is repeated: its name must say which one, as 'link$i'");
  EXPECT_EQ(error_with("link$i:", "link$(floor(i/2)):"),
            "m.yaml:4:3: bodies: the repetition makes 'link1' twice; the first is of line 4");
  EXPECT_EQ(
      error_with("link$i:", "link$(i/2):"),
      "m.yaml:4:8: bodies.link$(i/2): expected a whole number from -1000000 to 1000000, found "
      "(i/2) = 0.5");
  EXPECT_EQ(error_with("[link$i,", "[link$,"),
            "m.yaml:12:62: joints.pin1.between[1]: in 'link$': expected an index after '$', as $i "
            "or $(i + 1)");
  EXPECT_THAT(error_with("base:", "base$i:"),
              HasSubstr("'$' belongs to the names of items with the key 'repeat'"));
  EXPECT_THAT(error_with("[0, 0]]}", "[{repeat: {k: 2}, items: [0], every: 1}]]}"),
              HasSubstr("in a list, a repetition has no key 'every'"));
  EXPECT_THAT(error_with("[0, 0]]}", "[{repeat: {k: 2}}]]}"), HasSubstr("missing key 'items'"));
}

TEST(ModelRepetition, ListsMayBeRepeatedTwice) {
  const Model model = parse_model(
      "backlash: 1\nbodies: {b: {mass: 1, inertia: 1, shape: {circle: 1, groups: "
      "[{repeat: {i: 2}, items: [{repeat: {j: 2}, items: [\"g$(i)x$j\"]}]}]}}}\n",
      "m.yaml");
  EXPECT_THAT(model.bodies[0].shapes[0].groups, ElementsAre("g1x1", "g1x2", "g2x1", "g2x2"));
}

}  // namespace
}  // namespace backlash
