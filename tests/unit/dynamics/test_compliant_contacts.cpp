// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/laws/hysteresis.h"
#include "support/models.h"

namespace backlash {
namespace {

using test::assembled;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Material steel = *find_material("steel");

double stiffness(const Assembly& assembly, std::size_t contact = 0) {
  const ContactInfo& info = assembly.system->info().contacts[contact];
  return std::get<HystereticForce>(info.compliant->normal).stiffness;
}

/// A journal in a bearing; `clearance` beside the law.
Assembly journal(const std::string& clearance) {
  return assembled(R"(
bodies: {arm: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, arm], clearance: {law: steel, )" +
                   clearance + R"(}}}
laws: {steel: {model: flores, restitution: 0.9, material: steel}}
)");
}

TEST(CompliantContact, OfAJournalHasTheHertzStiffnessOfItsRadii) {
  EXPECT_DOUBLE_EQ(stiffness(journal("gap: 0.5 mm, journal_radius: 9.5 mm")),
                   hertz_stiffness(steel, steel, -0.010, 0.0095));
  EXPECT_THAT([] { journal("gap: 0.5 mm"); },
              ThrowsMessage<InputError>(HasSubstr("model.yaml:4:15: joints.pin: contact 'pin.1': "
                                                  "Hertz' stiffness needs "
                                                  "clearance.journal_radius")));
}

Assembly shapes(const std::string& ball, const std::string& wall) {
  return assembled("bodies:\n  ground: {shape: " + wall +
                   "}\n  ball: {mass: 1, inertia: 1, shape: " + ball + R"(,
        initial: {position: [0, 3]}}
contacts: {hit: {between: [ball, ground], law: steel}}
laws: {steel: {model: hertz, material: steel}}
)");
}

TEST(CompliantContact, OfShapesHasTheHertzStiffnessOfWhatTouches) {
  const auto expected = [&](double a, double b) { return hertz_stiffness(steel, steel, a, b); };
  const std::string ball = "{circle: 0.1}", line = "{line: {normal: [0, 1]}}";
  EXPECT_DOUBLE_EQ(stiffness(shapes(ball, line)), expected(0.1, flat));
  EXPECT_DOUBLE_EQ(stiffness(shapes(ball, "{segment: [[1, 0], [-1, 0]]}")), expected(0.1, flat));
  EXPECT_DOUBLE_EQ(stiffness(shapes(ball, "{box: [1, 1]}")), expected(0.1, flat));
  EXPECT_DOUBLE_EQ(stiffness(shapes(ball, "{circle: 0.3}")), expected(0.1, 0.3));
  EXPECT_DOUBLE_EQ(stiffness(shapes(ball, "{ring: 8}")), expected(0.1, -8));
  EXPECT_DOUBLE_EQ(stiffness(shapes(ball, "{arc: {radius: 0.3, from: 0, to: 3}}")),
                   expected(0.1, 0.3));
}

TEST(CompliantContact, WithoutConstantRadiusNeedsAStiffness) {
  const std::string line = "{line: {normal: [0, 1]}}", cam = "{cam: {radius: 0.5 + 0.01*cos(phi)}}";
  EXPECT_THAT([&] { shapes("{box: [1, 1]}", line); },
              ThrowsMessage<InputError>(HasSubstr("contact 'hit.1': a corner has no radius")));
  EXPECT_THAT([&] { shapes("{circle: 0.1}", cam); },
              ThrowsMessage<InputError>(HasSubstr("model.yaml:6:17: contacts.hit: contact 'hit': "
                                                  "what touches has no constant radius")));
}

Assembly guide(const std::string& more) {
  return assembled(R"(
bodies: {slider: {mass: 2, inertia: 1}}
joints:
  guide: {type: prismatic, between: [ground, slider], clearance: {gap: 1e-3, length: 0.1, width: 0.02, law: steel)" +
                   more + R"(}}
laws: {steel: {model: hertz, material: steel}}
)");
}

TEST(CompliantContact, OfASlidersCornersIsAsRoundAsSaid) {
  for (std::size_t corner = 0; corner < 4; ++corner)
    EXPECT_DOUBLE_EQ(stiffness(guide(", corner_radius: 1 mm"), corner),
                     hertz_stiffness(steel, steel, flat, 1e-3));
  EXPECT_THAT([&] { guide(""); },
              ThrowsMessage<InputError>(HasSubstr("needs clearance.corner_radius")));
}

/// The damping of two disks of these bodies that touch.
double damping(const std::string& bodies) {
  const Assembly assembly = assembled("bodies:\n" + bodies + R"(
contacts: {hit: {between: [a, b], law: x}}
laws: {x: {model: anagnostopoulos, restitution: 0.5, stiffness: 1e6, friction: 0.1}}
)");
  const ContactInfo& info = assembly.system->info().contacts[0];
  EXPECT_EQ(info.tangents, 1);
  EXPECT_TRUE(std::holds_alternative<AdamsStep>(info.compliant->friction));
  return std::get<KelvinVoigt>(info.compliant->normal).damping;
}

TEST(CompliantContact, TakesTheReducedMassOfItsBodiesForAnagnostopoulosDamping) {
  const double found = damping(
      "  a: {mass: 2, inertia: 1, shape: {circle: 0.1}}\n"
      "  b: {mass: 3, inertia: 1, shape: {circle: 0.1}, initial: {position: [1, 0]}}\n");
  EXPECT_DOUBLE_EQ(found, anagnostopoulos(0.5, 1e6, 2 * 3 / 5.0).damping);
}

Assembly stops(const std::string& joint, const std::string& law) {
  return assembled("bodies: {b: {mass: 2, inertia: 1}}\njoints: {j: {type: " + joint +
                   ", between: [ground, b], limits: {lower: -1, upper: 1, law: x}}}\nlaws: {x: {" +
                   law + "}}\n");
}

TEST(CompliantContact, OfAStopHasNoFriction) {
  for (const char* joint : {"revolute", "prismatic"}) {
    const Assembly assembly = stops(joint, "model: hertz, stiffness: 1e6 N/m, friction: 0.1");
    for (const ContactInfo& info : assembly.system->info().contacts) {
      EXPECT_EQ(info.tangents, 0);
      EXPECT_TRUE(std::holds_alternative<Frictionless>(info.compliant->friction));
    }
  }
}

TEST(CompliantContact, OfAStopOnAnAngleHasNoMassOfItsOwn) {
  const std::string law = "model: anagnostopoulos, restitution: 0.5, stiffness: 1e6";
  EXPECT_NO_THROW(stops("prismatic", law));
  EXPECT_NO_THROW(stops("revolute", law + ", mass: 3"));
  EXPECT_THAT([&] { stops("revolute", law); },
              ThrowsMessage<InputError>(HasSubstr("contact 'j.lower': the law anagnostopoulos")));
  EXPECT_THAT([&] { stops("revolute", "model: hertz, material: steel"); },
              ThrowsMessage<InputError>(HasSubstr("give the law a stiffness")));
}

}  // namespace
}  // namespace backlash
