// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>

#include "backlash/io/model/model_reader.h"
#include "support/model_error.h"

// What events may turn, set and wait for.

namespace backlash::test_model_events {
namespace {

using ::testing::HasSubstr;

constexpr const char* model = R"(backlash: 1
parameters: {push: 4 N, weight: 2 kg}
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  block: {mass: weight, inertia: 1, shape: {box: [1, 1]}, initial: {position: [0, 2]}}
  lever: {mass: 1, inertia: 1}
joints:
  pin: {type: revolute, between: [ground, lever]}
  wheel: {type: revolute, between: [lever, rim], drive: {speed: 3}}
  loose: {type: free, between: [ground, block]}
forces:
  motor: {type: joint_force, joint: pin, force: push*1 m}
contacts:
  touch: {between: [ground, block], law: steel}
laws: {steel: {}}
events:
  first: {at: 1 s, stop: true}
)";

std::string complete() {
  return test::replaced(model, "  lever: {mass: 1, inertia: 1}\n",
                        "  lever: {mass: 1, inertia: 1}\n  rim: {mass: 1, inertia: 1}\n");
}

std::string error_of(const std::string& event) {
  return test::model_error(complete() + "  next: " + event + "\n", {});
}

TEST(ModelEvents, TurnForcesContactsDrivesAndLocksAndSetParameters) {
  const Model read = parse_model(
      complete() +
          "  next: {when: touch.force - 10*pin.torque/(1 m) + touch.gap*1 N/m, activate: [motor, "
          "touch], deactivate: [wheel.drive], lock: [pin], release: [wheel], set: {push: 7 N}}\n"
          "  last: {after: next, stop: true}\n",
      "m.yaml");
  using Kind = EventAction::Kind;
  const std::vector<EventAction>& actions = read.events[1].actions;
  ASSERT_EQ(actions.size(), 6u);
  const Kind kinds[] = {Kind::force, Kind::contact, Kind::drive,
                        Kind::lock,  Kind::lock,    Kind::parameter};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(actions[i].kind, kinds[i]);
  EXPECT_TRUE(actions[1].on);
  EXPECT_FALSE(actions[2].on);
  EXPECT_TRUE(actions[3].on);
  EXPECT_FALSE(actions[4].on);
  EXPECT_EQ(actions[5].value, 7);
  EXPECT_EQ(std::get<std::string>(read.events[2].when), "next");
}

TEST(ModelEvents, NameWhatIsThere) {
  EXPECT_THAT(error_of("{at: 2, activate: [moter]}"),
              HasSubstr("there is no force, contact or drive (joint.drive) 'moter'; did you mean "
                        "'motor'?"));
  EXPECT_THAT(error_of("{at: 2, activate: [pin.drive]}"), HasSubstr("joint 'pin' has no drive"));
  EXPECT_THAT(error_of("{at: 2, activate: [pim.drive]}"),
              HasSubstr("there is no joint 'pim'; did you mean 'pin'?"));
  EXPECT_THAT(error_of("{at: 2, lock: [pan]}"),
              HasSubstr("there is no joint 'pan'; did you mean 'pin'?"));
  EXPECT_THAT(error_of("{at: 2, lock: [loose]}"),
              HasSubstr("joint 'loose' has 3 coordinates; a joint with one can be locked"));
  EXPECT_THAT(error_of("{at: 2, set: {pusch: 1}}"),
              HasSubstr("there is no parameter 'pusch'; did you mean 'push'?"));
  EXPECT_THAT(error_of("{at: 2, set: {push: 1 kg}}"), HasSubstr("expected a force"));
  EXPECT_THAT(error_of("{after: frist, stop: true}"),
              HasSubstr("there is no event 'frist'; did you mean 'first'?"));
  EXPECT_THAT(error_of("{after: next, stop: true}"),
              HasSubstr("it waits for itself, directly or through others"));
  EXPECT_THAT(error_of("{when: tuch.gap, stop: true}"),
              HasSubstr("there is no joint, body or contact 'tuch'; did you mean 'touch'?"));
}

TEST(ModelEvents, SayWhatANameIsThatStandsInTheWrongPlace) {
  EXPECT_THAT(error_of("{at: 2, deactivate: [pin]}"),
              HasSubstr("'pin' is a joint; a joint is held by 'lock' and let go by 'release'"));
  EXPECT_THAT(error_of("{at: 2, lock: [motor]}"),
              HasSubstr("there is no joint 'motor'; 'motor' is a force"));
  EXPECT_THAT(error_of("{when: motor.torque, stop: true}"),
              HasSubstr("there is no joint or body 'motor'; 'motor' is a force"));
  EXPECT_THAT(error_of("{when: touch.forces, stop: true}"),
              HasSubstr("contact 'touch' has no 'forces'; it has gap and force"));
  EXPECT_THAT(error_of("{when: pin.toruqe, stop: true}"),
              HasSubstr("joint 'pin' has no 'toruqe'; did you mean 'pin.torque'?"));
  EXPECT_THAT(error_of("{when: pin.speed, stop: true}"),
              HasSubstr("'speed' is none of its q, u, q1, u1, …; did you mean 'pin.u'?"));
  EXPECT_THAT(error_of("{when: pin.angle > 1, stop: true}"), HasSubstr("did you mean 'pin.q'?"));
}

TEST(ModelEvents, TakeOperatorsOfOtherLanguagesForWhatTheyMean) {
  for (const auto& [written, meant] :
       {std::pair("pin.u => 1", ">="), std::pair("pin.u =< 1", "<="), std::pair("pin.u = 1", "=="),
        std::pair("pin.u > 1 && pin.q > 0", "and"), std::pair("pin.u > 1 || pin.q > 0", "or")}) {
    SCOPED_TRACE(written);
    EXPECT_THAT(error_of("{when: " + std::string(written) + ", stop: true}"),
                HasSubstr("did you mean '" + std::string(meant) + "'?"));
  }
}

TEST(ModelEvents, KnowTheWordsOfOthersForTheirKeys) {
  EXPECT_THAT(error_of("{if: pin.u, stop: true}"),
              HasSubstr("an event has no key 'if'; did you mean 'when'?"));
  EXPECT_THAT(error_of("{at: 1, disable: [motor]}"), HasSubstr("did you mean 'deactivate'?"));
}

TEST(ModelEvents, HaveOneOccasionAndDoSomething) {
  EXPECT_THAT(error_of("{at: 2, after: first, stop: true}"),
              HasSubstr("'at' and 'after' stand side by side"));
  EXPECT_THAT(error_of("{after: first}"),
              HasSubstr("expected 'activate', 'deactivate', 'lock', 'release', 'set' or 'stop'"));
}

TEST(ModelEvents, SetOnlyWhatFormulasOfForcesEventsAndStatesUse) {
  EXPECT_THAT(error_of("{at: 2, set: {weight: 1 kg}}"),
              HasSubstr("bodies.block.mass: in 'weight': an event sets the parameter 'weight'"));
  EXPECT_THAT(test::model_error(
                  test::replaced(complete(), "force: push*1 m", "force: touch.force*1 m"), {}),
              HasSubstr("there is no joint or body 'touch'"));
}

/// A parameter that follows from one that is set would keep the value that it had.
TEST(ModelEvents, SetNoParameterThatOthersFollowFrom) {
  const auto error = [](const std::string& more, std::span<const ParameterOverride> set = {}) {
    const std::string text = test::replaced(complete(), "push: 4 N,", "push: 4 N, " + more);
    return test::model_error(text + "  next: {at: 2, set: {push: 1 N}}\n", set);
  };
  EXPECT_THAT(error("twice: 2*push,"),
              HasSubstr("parameters.twice: in '2*push': an event sets the parameter 'push' while "
                        "the model moves; formulas of forces, events and states may use it"));
  EXPECT_THAT(error("more: 1 N,"), "accepted");
  const ParameterOverride outside[] = {parse_override("more=3*push")};
  EXPECT_THAT(error("more: 1 N,", outside), HasSubstr("an event sets the parameter 'push'"));
}

TEST(ModelEvents, ThatMeanAForceAndAContactOfOneNameAreRefused) {
  EXPECT_THAT(test::model_error(test::replaced(complete(), "  motor:", "  touch:") +
                                    "  next: {at: 2, activate: [touch]}\n",
                                {}),
              HasSubstr("a force and a contact are both called 'touch'"));
}

}  // namespace
}  // namespace backlash::test_model_events
