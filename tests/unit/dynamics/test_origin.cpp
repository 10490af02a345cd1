// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/origin.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/check/check.h"
#include "backlash/dynamics/assembly/provenance.h"
#include "backlash/integrators/simulate.h"
#include "backlash/results/recorder.h"
#include "support/models.h"

namespace backlash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Kind = Origin::Kind;

/// One of everything that becomes a coordinate, a row, a contact or an output.
Model everything() {
  Model model = parse_model(R"(backlash: 1
bodies:
  arm: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  rod: {mass: 1, inertia: 0.1, com: [0.5, 0]}
  block: {mass: 1, inertia: 0.1, shape: {circle: 0.1}}
  wheel: {mass: 1, inertia: 0.1}
  bar: {mass: 1, inertia: 0.1}
  stone: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [5, 5]}}
joints:
  pin: {type: revolute, between: [ground, arm], limits: {lower: -1, upper: 1, law: soft},
        friction: {strength: 0.1}}
  elbow: {type: revolute, between: [arm, rod], at: [[1, 0], [0, 0]]}
  guide: {type: revolute, between: [ground, rod], at: [[2, 0], [1, 0]],
          clearance: {gap: 1 mm, journal_radius: 10 mm, law: hard}}
  slide: {type: prismatic, between: [ground, block], limits: {lower: -2, upper: 2, law: hard},
          drive: {speed: 0.1}}
  axle: {type: revolute, between: [ground, wheel], at: [[0, 3], [0, 0]]}
  rail: {type: prismatic, between: [ground, bar], at: [[0, 3], [0, 0]]}
  mesh: {type: gear, joints: [pin, axle], ratio: -2, clearance: {gap: 0.01, law: hard}}
  teeth: {type: rack, pinion: axle, rack: rail, radius: 0.1, clearance: {gap: 1 mm, law: hard}}
forces:
  ratchet: {type: one_way_clutch, joint: axle}
  brake: {type: one_way_clutch, joint: elbow, capacity: 3}
  latch: {type: preloaded_spring, joint: rail, preload: 2, stiffness: 10, dead_band: 0.1}
contacts:
  hit: {between: [block, stone], law: hard}
laws: {hard: {restitution: 0.5}, soft: {restitution: 0.1}}
events:
  later: {at: 1, deactivate: [latch]}
)",
                            "model.yaml");
  model.contacts[0].name = "rail.lower";  // as if it were the stop of a joint
  return model;
}

template <class Info>
std::map<std::string, Origin> origins_of(const std::vector<Info>& infos) {
  std::map<std::string, Origin> origins;
  for (const Info& info : infos) origins[info.name] = info.origin;
  return origins;
}

TEST(Origin, OfEveryContactAndRowIsTheItemThatItWasMadeOf) {
  const Assembly assembly = assemble(everything());
  const SystemInfo& info = assembly.system->info();
  const std::map<std::string, Origin> contacts{{"guide.1", {"guide", Kind::clearance, 0}},
                                               {"mesh.1", {"mesh", Kind::clearance, 0}},
                                               {"mesh.2", {"mesh", Kind::clearance, 1}},
                                               {"teeth.1", {"teeth", Kind::clearance, 0}},
                                               {"teeth.2", {"teeth", Kind::clearance, 1}},
                                               {"pin.lower", {"pin", Kind::lower_limit}},
                                               {"pin.upper", {"pin", Kind::upper_limit}},
                                               {"slide.lower", {"slide", Kind::lower_limit}},
                                               {"slide.upper", {"slide", Kind::upper_limit}},
                                               {"ratchet", {"ratchet", Kind::force}},
                                               {"rail.lower", {"rail.lower", Kind::contact_pair}}};
  EXPECT_EQ(origins_of(info.contacts), contacts);
  const std::map<std::string, Origin> rows{{"slide.drive", {"slide", Kind::drive}}};
  EXPECT_EQ(origins_of(info.bilaterals), rows);
  const std::map<std::string, Origin> relays{{"pin.friction", {"pin", Kind::friction}},
                                             {"brake", {"brake", Kind::force}},
                                             {"latch.lower", {"latch", Kind::force, 0}},
                                             {"latch.upper", {"latch", Kind::force, 1}}};
  EXPECT_EQ(origins_of(info.relays), relays);
  const std::map<std::string, Origin> outputs = origins_of(info.outputs);
  EXPECT_EQ(outputs.at("pin.fx"), (Origin{"pin", Kind::joint, 0}));
  EXPECT_EQ(outputs.at("pin.torque"), (Origin{"pin", Kind::joint, 2}));
  EXPECT_EQ(outputs.at("latch.active"), (Origin{"latch", Kind::force, 0}));
}

TEST(Origin, OfACoordinateIsItsJointOrTheBodyThatNoJointCarries) {
  const Assembly assembly = assemble(everything());
  const SystemInfo& info = assembly.system->info();
  ASSERT_EQ(info.velocity_origins.size(), info.velocity_names.size());
  EXPECT_EQ(info.position_origins, info.velocity_origins);
  for (std::size_t i = 0; i < info.velocity_names.size(); ++i) {
    const Origin& origin = info.velocity_origins[i];
    const std::string number =
        origin.kind == Kind::body ? std::to_string(origin.index + 1) : std::string();
    EXPECT_EQ(info.velocity_names[i], origin.item + ".u" + number);
    EXPECT_EQ(origin.kind == Kind::body, origin.item == "stone");
  }
}

TEST(Origin, LeadsBackToTheLineAndTheLaw) {
  const Model model = everything();
  EXPECT_EQ(location_of(model, {"pin", Kind::upper_limit}).line, 10);
  EXPECT_EQ(location_of(model, {"latch", Kind::force}).line, 24);
  EXPECT_EQ(location_of(model, {"rail.lower", Kind::contact_pair}).line, 26);
  EXPECT_EQ(location_of(model, {"stone", Kind::body}).line, 8);
  EXPECT_EQ(location_of(model, {"pin", Kind::force}).line, 0);
  EXPECT_EQ(law_of(model, {"pin", Kind::upper_limit}), "soft");
  EXPECT_EQ(law_of(model, {"mesh", Kind::clearance, 1}), "hard");
  EXPECT_EQ(law_of(model, {"rail.lower", Kind::contact_pair}), "hard");
  EXPECT_EQ(law_of(model, {"rail", Kind::lower_limit}), "");
  EXPECT_EQ(law_of(model, {"ratchet", Kind::force}), "");
}

TEST(GapUnit, IsRadiansOfStopsOnAnglesTeethOfGearsAndClutches) {
  const Assembly assembly = assemble(everything());
  for (const ContactInfo& contact : assembly.system->info().contacts) {
    const std::string& item = contact.origin.item;
    const bool turns = item == "pin" || item == "mesh" || item == "ratchet";
    EXPECT_EQ(contact.unit, turns ? GapUnit::radian : GapUnit::metre) << contact.name;
  }
}

Model two_stops() {
  return parse_model("backlash: 1" + std::string(test::two_stops), "model.yaml");
}

TEST(Penetration, OfLengthsAndOfAnglesIsReportedApart) {
  const Assembly assembly = assemble(two_stops());
  const double step = 0.7e-3;
  Moreau integrator(*assembly.system, {.step = step});
  State state = assembly.start;
  Recorder recorder(*assembly.system, state, {.every = 1, .steps = true});
  const RunSummary summary =
      simulate(integrator, state, 0.1,
               [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  // The middles of the steps lie `travel` apart, the first half of that from the start.
  const auto depth = [&](double speed) {
    const double travel = speed * step, first = 0.01 - 0.5 * travel;
    return travel * std::ceil(first / travel) - first;
  };
  EXPECT_NEAR(summary.largest_penetration, depth(0.5), 1e-9);
  EXPECT_NEAR(summary.largest_angular_penetration, depth(3), 1e-9);
  double length = 0, angle = 0;
  for (const StepRow& row : recorder.recording().steps) {
    length = std::max(length, row.penetration);
    angle = std::max(angle, row.angular_penetration);
  }
  EXPECT_EQ(length, summary.largest_penetration);
  EXPECT_EQ(angle, summary.largest_angular_penetration);
}

/// The two stops with a size of the model of 0.2 m, which a point of a joint gives it.
Model small_stops() {
  Model model = two_stops();
  std::get<Revolute>(model.joints[0].kind).p_AP.x() = 0.2;
  return model;
}

TEST(Penetration, OfAnAngleIsHeldToTheLimitByItsArcAtTheSizeOfTheModel) {
  const Assembly assembly = assemble(small_stops());
  ASSERT_DOUBLE_EQ(assembly.system->info().length, 0.2);
  const double limit = 1e-4;
  Moreau integrator(*assembly.system, {.step = 0.7e-3, .penetration_limit = limit});
  State state = assembly.start;
  ASSERT_EQ(simulate(integrator, state, 0.1).status, StepStatus::done);
  EXPECT_NEAR(state.q[0], -limit / 0.2, 1e-12);
  EXPECT_NEAR(state.q[1], -limit, 1e-12);
}

TEST(Penetration, OfAnAngleAtTheStartIsAllowedByItsArcAtTheSizeOfTheModel) {
  const auto overlapping = [](double angle) {
    Model model = small_stops();
    model.simulation.initial_penetration = 1e-4;
    model.joints[0].initial[0].position = -angle;
    return model;
  };
  EXPECT_NO_THROW(assemble(overlapping(0.99e-4 / 0.2)));
  EXPECT_THAT([&] { assemble(overlapping(1.01e-4 / 0.2)); },
              ThrowsMessage<InputError>(HasSubstr("at most 0.0005 rad is allowed")));
}

TEST(Check, SaysOfAnOverlapInWhichUnitItIs) {
  Model model = two_stops();
  for (Joint& joint : model.joints) joint.initial[0].position = -0.02;
  const CheckReport report = check(model);
  std::vector<std::string> messages;
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::error) messages.push_back(finding.message);
  EXPECT_THAT(messages, ElementsAre(HasSubstr("overlaps by 0.02 rad at the start"),
                                    HasSubstr("overlaps by 0.02 m at the start")));
}

}  // namespace
}  // namespace backlash
