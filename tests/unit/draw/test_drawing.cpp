// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/drawing.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/draw/view.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/geometry/boundary.h"
#include "backlash/io/model/model_reader.h"
#include "support/paths.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string drawing_of(const Model& model) {
  const Assembly assembly = assemble(model);
  return mechanism_drawing(model, *assembly.system, assembly.start);
}

/// Words of a picture with the rectangle that they cover, roughly [px].
struct Words {
  std::string text;
  Vec2 low, high;
};

/// The value of an attribute of the element that begins at `at`.
std::string attribute(const std::string& svg, std::size_t at, const std::string& name) {
  const std::size_t begin = svg.find(" " + name + "=\"", at) + name.size() + 3;
  return svg.substr(begin, svg.find('"', begin) - begin);
}

std::vector<Words> words_of(const std::string& svg) {
  std::vector<Words> words;
  for (std::size_t at = svg.find("<text "); at != std::string::npos;
       at = svg.find("<text ", at + 1)) {
    if (attribute(svg, at, "text-anchor") != "middle") continue;
    const std::size_t begin = svg.find('>', at) + 1;
    const std::string text = svg.substr(begin, svg.find('<', begin) - begin);
    const double x = std::stod(attribute(svg, at, "x")), y = std::stod(attribute(svg, at, "y"));
    const double size = std::stod(attribute(svg, at, "font-size"));
    const double half = 0.25 * size * static_cast<double>(text.size());
    words.push_back({text, Vec2(x - half, y - 0.75 * size), Vec2(x + half, y)});
  }
  return words;
}

double shared_area(const Words& a, const Words& b) {
  const Vec2 size = a.high.cwiseMin(b.high) - a.low.cwiseMax(b.low);
  return size.x() > 0 && size.y() > 0 ? size.prod() : 0;
}

TEST(Drawing, OfExamplesHasLabelsThatDoNotCoverEachOther) {
  for (const char* name : {"slider_crank", "cam_follower", "four_bar", "newton_cradle",
                           "parallelogram", "rocking_block", "file_cutting_machine"}) {
    const std::filesystem::path file =
        std::filesystem::path(source_folder()) / "examples" / name / "model.yaml";
    const std::vector<Words> words = words_of(drawing_of(read_model(file)));
    EXPECT_GT(words.size(), 5u) << name;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double smaller =
            std::min((words[i].high - words[i].low).prod(), (words[j].high - words[j].low).prod());
        EXPECT_LT(shared_area(words[i], words[j]), 0.15 * smaller)
            << name << ": " << words[i].text << " and " << words[j].text;
      }
  }
}

TEST(Drawing, NamesEveryItemOfTheModel) {
  const Model model = parse_model(R"(backlash: 1
title: 'a < b & "c"'
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1], point: [0, -2]}}}}
  arm: {mass: 1, inertia: 1, com: [0.5, 0], shapes: {tip: {point: [1, 0]}, hole: {ring: 0.1}}}
  block: {mass: 1, inertia: 1, shape: {box: [0.2, 0.2]}}
  plate: {mass: 1, inertia: 1, shape: {polygon: [[0, 0], [1, 0], [0, 1]]}}
joints:
  pivot: {type: revolute, between: [ground, arm], initial: {angle: 0.3}}
  track: {type: prismatic, between: [ground, block], at: [[0, 1], [0, 0]],
          limits: {lower: -1, upper: 2, law: soft}}
  slot: {type: point_on_line, between: [ground, plate], at: [[0, 2], [0, 0]]}
  pinion: {type: rack, pinion: pivot, rack: track, radius: 0.2}
forces:
  coil: {type: spring, between: [arm, block], at: [[1, 0], [0, 0]], stiffness: 3, length: 1}
  pot: {type: damper, between: [arm, block], damping: 3}
  twist: {type: torsion_spring, joint: pivot, stiffness: 1}
  soft_mount: {type: bushing, between: [ground, block], stiffness: [1, 1, 1]}
  weight: {type: force, body: arm, at: [1, 0], force: [0, -3]}
  crank: {type: torque, body: arm, torque: 2}
  push: {type: joint_force, joint: track, force: 3 N}
  engine: {type: motor, joint: pivot, stall_torque: 1, no_load_speed: 10}
contacts: {land: {between: [arm.tip, ground.floor], law: soft}}
laws: {soft: {}}
output: {points: {mark: {body: plate, at: [1, 0]}}}
)",
                                  "model.yaml");
  const std::string svg = drawing_of(model);
  for (const char* name : {"arm", "block", "plate", "pivot", "track", "slot", "pinion", "coil",
                           "pot", "twist", "soft_mount", "weight", "crank", "push", "engine",
                           "land", "mark", "track.lower", "track.upper"})
    EXPECT_THAT(svg, HasSubstr(std::string(">") + name + "</text>"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Drawing, ShowsAllOfABoxInTrueProportions) {
  drawing::Box box;
  box.include({-1, 2});
  box.include({3, 2.5});
  const drawing::View view(box);
  const Vec2 a = view.px({-1, 2}), b = view.px({3, 2.5});
  EXPECT_NEAR((b - a).x() / (a - b).y(), 4 / 0.5, 1e-9);  // y goes down in the picture
  for (const Vec2& p : {a, b}) {
    EXPECT_TRUE((p.array() > view.corner().array()).all());
    EXPECT_TRUE((p.array() < (view.corner() + view.size()).array()).all());
  }
}

TEST(Boundary, OfACamIsWhereAFollowerTouchesIt) {
  // ρ(φ) = r + e cos φ as the support function of a flat follower is a circle of radius r around e.
  const Model model = parse_model(R"(backlash: 1
bodies:
  flat: {mass: 1, inertia: 1, shape: {cam: {base: 3, lift: 0.5*cos(phi), follower: flat}}}
  round: {mass: 1, inertia: 1, shape: {cam: {radius: 2}}}
  rolled: {mass: 1, inertia: 1, shape: {cam: {base: 2, lift: 0, follower: roller, roller_radius: 0.7}}}
)",
                                  "model.yaml");
  const auto radii = [&](int body, const Vec2& centre) {
    std::vector<double> values;
    for (const Vec2& p :
         boundary(model.bodies[static_cast<std::size_t>(body)].shapes[0].shape).points)
      values.push_back((p - centre).norm());
    return values;
  };
  using ::testing::DoubleNear;
  using ::testing::Each;
  EXPECT_THAT(radii(0, {0.5, 0}), Each(DoubleNear(3, 1e-12)));
  EXPECT_THAT(radii(1, {0, 0}), Each(DoubleNear(2, 1e-12)));
  EXPECT_THAT(radii(2, {0, 0}), Each(DoubleNear(2, 1e-12)));
}

}  // namespace
}  // namespace backlash
