// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"
#include "support/model_error.h"

/// What people get wrong in a model file, and whether they are told what they meant.
namespace backlash::test_model_slips {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* model = R"(backlash: 1
bodies:
  crank: {mass: 0.1, inertia: 1e-4, com: [0.05, 0]}
  rod:
    mass: 0.1
    inertia: 1e-4
joints:
  main: {type: revolute, between: [ground, crank], initial: {speed: 10}}
  big: {type: revolute, between: [crank, rod], at: [[0.1, 0], [0, 0]]}
laws: {steel: {restitution: 0.4}}
)";

std::string error_of(const std::string& text) { return test::model_error(text); }

/// The error of the model with its first `before` replaced.
std::string error_with(const std::string& before, const std::string& after) {
  return error_of(test::replaced(model, before, after));
}

TEST(ModelSlips, TheModelItselfIsAccepted) { EXPECT_EQ(error_of(model), "accepted"); }

TEST(ModelSlips, KeysOfOtherProgramsAreKnown) {
  EXPECT_THAT(error_with("laws:", "couplings: {mesh: {ratio: 2}}\nlaws:"),
              HasSubstr("a model has no key 'couplings'; did you mean 'joints'?"));
  EXPECT_THAT(error_with("laws:", "motors: {}\nlaws:"), HasSubstr("did you mean 'forces'?"));
  EXPECT_THAT(error_with("initial: {speed: 10}", "friction: {mu: 0.1, radius: 8 mm}"),
              HasSubstr("friction has no key 'mu'; did you mean 'coefficient'?"));
  EXPECT_THAT(error_with("initial: {speed: 10}", "friction: {coefficient: 0.1, length: 8 mm}"),
              HasSubstr("friction has no key 'length'; did you mean 'radius'?"));
  EXPECT_THAT(error_with("laws:", "simulation: {dt: 1e-3, end: 2}\nlaws:"),
              AllOf(HasSubstr("has no key 'dt'; did you mean 'step'?"),
                    HasSubstr("has no key 'end'; did you mean 'until'?")));
  EXPECT_THAT(error_with("initial: {speed: 10}", "limits: {min: 0, max: 1, law: steel}"),
              AllOf(HasSubstr("did you mean 'lower'?"), HasSubstr("did you mean 'upper'?")));
  EXPECT_THAT(error_with("between: [ground, crank]", "bodies: [ground, crank]"),
              HasSubstr("a revolute joint has no key 'bodies'; did you mean 'between'?"));
  EXPECT_THAT(error_with("laws:", "joints2: {}\nlaws:"), HasSubstr("did you mean 'joints'?"));
  EXPECT_THAT(error_with("{mass: 0.1, inertia", "{m: 0.1, inertia"),
              HasSubstr("a body has no key 'm'; did you mean 'mass'?"));
}

TEST(ModelSlips, NamesOfFormulasAreFoundAmongAllThatTheyMayUse) {
  const std::string link =
      "forces: {link: {type: tension, between: [ground, rod], at: [[0, 0], [0, 0]], tension: "
      "FORMULA}}";
  const auto error_of_tension = [&](const std::string& formula) {
    return error_with("laws:",
                      "tables: {prog: {points: [[0, 0], [1, 1]]}}\n"
                      "states: {current: {rate: 1}}\n" +
                          test::replaced(link, "FORMULA", formula) + "\nlaws:");
  };
  EXPECT_EQ(error_of_tension("prog(1 + current)"), "accepted");
  EXPECT_THAT(error_of_tension("3*lenght"), HasSubstr("did you mean 'length'?"));
  EXPECT_THAT(error_of_tension("3*curent"), HasSubstr("did you mean 'current'?"));
  EXPECT_THAT(error_of_tension("prog"), HasSubstr("'prog' is a table, a function: prog(t)"));
  EXPECT_THAT(error_of_tension("3 N m2"), HasSubstr("powers of units are written with ^: m^2"));
}

TEST(ModelSlips, InAnItemThatIsRepeatedAreToldOnce) {
  const std::string error = error_with(
      "com: [0.05, 0]}", "com: [0.05, 0], shapes: {pin$i: {repeat: {i: 6}, circel: 5 mm}}}");
  EXPECT_THAT(error, HasSubstr("crank.shapes.pin1: a shape has no key 'circel'"));
  EXPECT_THAT(error, Not(HasSubstr("pin2")));
}

TEST(ModelSlips, ScalarsInThePlaceOfKeysAreAnsweredByAnExample) {
  EXPECT_THAT(error_with("laws:", "states: {current: 12}\nlaws:"),
              HasSubstr("expected the keys of a state, found '12'; for example {rate: "));
  EXPECT_THAT(error_with("laws:", "output: {points: {tip: [0.1, 0]}}\nlaws:"),
              HasSubstr("expected the keys of a point, found a list; for example {body: rod"));
  EXPECT_THAT(error_with("laws:", "forces: {push: 3 N}\nlaws:"),
              HasSubstr("expected the keys of a force, found '3 N'; for example {type: "));
  EXPECT_THAT(error_with("laws:", "events: {off: 3 s}\nlaws:"),
              HasSubstr("expected the keys of an event, found '3 s'; for example {when: "));
}

TEST(ModelSlips, InOutputsSayWhatIsExpected) {
  EXPECT_THAT(error_with("laws:", "output: {every: all}\nlaws:"),
              HasSubstr("expected a time, as 1 ms, or 'step', found 'all'"));
  EXPECT_THAT(error_with("laws:", "output: {quantities: [power]}\nlaws:"),
              HasSubstr("name of the quantity, then its formula; found a list"));
  EXPECT_THAT(error_with("laws:", "output: {points: {tip: {body: main, at: [0, 0]}}}\nlaws:"),
              HasSubstr("there is no body 'main'; 'main' is a joint"));
}

TEST(ModelSlips, InYamlAreNamedWhereTheyBegan) {
  EXPECT_THAT(error_with("  crank:", "\tcrank:"),
              StartsWith("m.yaml:3:1: this line begins with a tab"));
  EXPECT_THAT(error_with("  rod:", "   rod:"),
              StartsWith("m.yaml:4:4: this line begins after 3 spaces"));
  EXPECT_THAT(
      error_with("    inertia: 1e-4\njoints", "     inertia: 1e-4\njoints"),
      StartsWith("m.yaml:6:6: this line begins after 5 spaces, the lines of the same mapping "
                 "before it after 4"));
  EXPECT_THAT(error_with("crank: {mass", "crank {mass"),
              StartsWith("m.yaml:3:8: there is no colon after 'crank'"));
  EXPECT_THAT(error_with("    mass: 0.1", "    mass 0.1"),
              StartsWith("m.yaml:5:9: there is no colon after 'mass'"));
  EXPECT_THAT(error_with("speed: 10}}", "speed: 10}"),
              StartsWith("m.yaml:8:9: the '{' that begins here is not closed by '}'"));
  EXPECT_THAT(
      error_with("com: [0.05, 0]}", "com: [0.05, 0}"),
      StartsWith("m.yaml:3:50: found '}', but the '[' of line 3, column 42 is not closed yet"));
  EXPECT_THAT(error_with("{restitution: 0.4}}", "{restitution: 0.4"),
              StartsWith("m.yaml:10:15: the '{' that begins here is not closed"));
  EXPECT_THAT(error_with("steel: {", "'quoted, [': 1, steel: {"), Not(HasSubstr("is not closed")));
}

TEST(ModelSlips, InKeysAreNamed) {
  EXPECT_THAT(error_with("crank: {mass: 0.1", "crank: {mass:0.1"),
              HasSubstr("there is no space after the colon in 'mass:0.1'; write 'mass: 0.1'"));
  EXPECT_THAT(error_with("crank: {mass: 0.1", "crank: {mass: 0,1"),
              HasSubstr("decimals have a point: 'mass: 0.1', not '0,1'"));
  EXPECT_THAT(error_with("    mass: 0.1", "    mass: 0,1"),
              HasSubstr("decimals have a point: 0.1"));
  EXPECT_THAT(error_with("crank: {mass", "crank: {<<: *a, mass").substr(0, 6), "m.yaml");
  EXPECT_THAT(error_with("rod:\n", "rod:\n    <<: {mass: 1}\n"),
              HasSubstr("merge keys (<<) are not supported"));
}

TEST(ModelSlips, InFormulasAreNamed) {
  EXPECT_THAT(error_of(std::string(model) +
                       "forces: {f: {type: force, body: rod, force: [if(t < 1, 5, 0), 0]}}\n"),
              HasSubstr("a formula with commas needs quotes"));
  EXPECT_THAT(error_of(std::string(model) +
                       "forces: {f: {type: torque, body: rod, torque: if(t < 1, 5, 0)}}\n"),
              HasSubstr("a formula with commas needs quotes"));
}

/// Only as what it is: no decimal comma, and no bracket that is missing.
TEST(ModelSlips, AFormulaThatACommaHasCutIsNamedOnce) {
  const std::string error = error_of(
      std::string(model) + "forces: {f: {type: torque, body: rod, torque: if(t < 1, 5, 0)}}\n");
  EXPECT_THAT(error, HasSubstr("a formula with commas needs quotes"));
  EXPECT_THAT(error, Not(HasSubstr("decimals")));
}

TEST(ModelSlips, AQuoteThatIsNotClosedIsNamedWhereItBegins) {
  EXPECT_THAT(error_of(std::string(model) + "title: \"open\n"),
              HasSubstr("the text that begins here with \" is not closed by \""));
  EXPECT_THAT(error_of(std::string(model) + "title: 'it''s\n"), HasSubstr("not closed by '"));
  EXPECT_EQ(error_of(std::string(model) + "title: 'it''s'\n"), "accepted");
  EXPECT_EQ(error_of(std::string(model) + "title: |\n  'block\n"), "accepted");
  EXPECT_EQ(error_of(std::string(model) + "title: 5\" pipe\n"), "accepted");
}

TEST(ModelSlips, NamesThatCannotBeAreNoAdvice) {
  const std::string error = error_with("crank: {mass", "crank-1: {mass");
  EXPECT_THAT(error, HasSubstr("'crank-1' cannot be a name"));
  EXPECT_THAT(error, HasSubstr("'crank_1' is"));
  EXPECT_THAT(error, Not(HasSubstr("did you mean 'crank-1'")));
}

TEST(ModelSlips, InUnitsAreNamed) {
  EXPECT_THAT(error_with("speed: 10", "speed: 10 rad / s"),
              HasSubstr("a unit has no spaces about '/' and '*', as in N/mm"));
  EXPECT_THAT(error_of(std::string(model) + "gravity: [0, -9.81 m/s2]\n"),
              HasSubstr("powers of units are written with ^: s^2"));
  EXPECT_THAT(error_with("speed: 10", "angle: 30 degrees"),
              HasSubstr("there is no unit 'degrees'; write 'deg'"));
  EXPECT_THAT(error_of(std::string(model) + "parameters: {b: c + 1}\n"),
              HasSubstr("there is no parameter 'c'"));
}

TEST(ModelSlips, ATimeInAProductIsNoTonneAndATableSaysWhatItIsOver) {
  const auto error = [](const std::string& torque) {
    return error_of(std::string(model) +
                    "tables: {prog: {points: [[0 mm, 0 N m], [2 mm, 1 N m]]}}\n"
                    "forces: {f: {type: torque, body: rod, torque: \"" +
                    torque + "\"}}\n");
  };
  EXPECT_EQ(error("5 N m*(t/(1 s) - 0.1)^2"), "accepted");
  EXPECT_EQ(error("prog(0.1 mm)"), "accepted");
  EXPECT_THAT(error("prog(t)"), HasSubstr("calls a table over a length with a time"));
}

/// 5 mm as 5 mm per radian would be 2π times the pitch.
TEST(ModelSlips, ALengthIsNoPitch) {
  const auto error = [](const std::string& ratio, std::span<const ParameterOverride> set = {}) {
    const std::string bodies =
        test::replaced(model, "  rod:", "  nut: {mass: 1, inertia: 1}\n  rod:");
    return test::model_error(
        test::replaced(bodies, "laws:",
                       "  slide: {type: prismatic, between: [ground, nut]}\n"
                       "  thread: {type: coupling, coordinates: [main.q, slide.q], ratio: " +
                           ratio + "}\nparameters: {r: 20 mm, pitch: 5 mm/rev}\nlaws:"),
        set);
  };
  EXPECT_THAT(error("5 mm"), HasSubstr("expected a length per angle, found a length; write 5 "
                                       "mm/rev if it is the pitch of a screw, 5 mm/rad"));
  for (const char* good : {"5 mm/rev", "-5 mm/rad", "r", "pitch", "5 mm/(2*pi)", "0.005"})
    EXPECT_EQ(error(good), "accepted") << good;
  const ParameterOverride length[] = {parse_override("pitch=10 mm")};
  EXPECT_THAT(error("pitch", length),
              HasSubstr("expected a length per angle, as 5 mm/rev in the file, found 10 mm"));
  const ParameterOverride pitch[] = {parse_override("pitch=10 mm/rev")};
  EXPECT_EQ(error("pitch", pitch), "accepted");
}

TEST(ModelSlips, AValueWhereKeysBelongGetsAnExample) {
  EXPECT_THAT(error_with("initial: {speed: 10}", "drive: 300 rpm"),
              HasSubstr("found '300 rpm'; for example drive: {speed: 300 rpm}"));
  EXPECT_THAT(error_with("initial: {speed: 10}", "clearance: 0.1 mm"),
              HasSubstr("found '0.1 mm'; for example clearance: {gap: 0.1 mm, law: steel}"));
  EXPECT_THAT(error_with("initial: {speed: 10}", "friction: 0.1"),
              HasSubstr("for example friction: {coefficient: 0.1, radius: 10 mm}"));
  EXPECT_THAT(error_with("initial: {speed: 10}", "limits: 1"),
              HasSubstr("for example limits: {lower: 0"));
  // The examples are right.
  EXPECT_EQ(error_with("initial: {speed: 10}", "drive: {speed: 300 rpm}"), "accepted");
  EXPECT_EQ(error_with("initial: {speed: 10}", "clearance: {gap: 0.1 mm, law: steel}"), "accepted");
  EXPECT_EQ(error_with("initial: {speed: 10}", "friction: {strength: 0.5}"), "accepted");
  EXPECT_EQ(error_with("initial: {speed: 10}", "limits: {lower: 0, upper: 90 deg, law: steel}"),
            "accepted");
}

TEST(ModelSlips, OnePointForTwoAndTheWorldAreRecognised) {
  EXPECT_THAT(
      error_with("at: [[0.1, 0], [0, 0]]", "at: [0.1, 0]"),
      HasSubstr("expected two points, of 'crank' and of 'rod': [[x, y], [x, y]], found one"));
  EXPECT_THAT(error_with("between: [ground", "between: [world"),
              HasSubstr("there is no body 'world'; the world is called 'ground'"));
}

TEST(ModelSlips, OtherEncodingsAreRecognised) {
  EXPECT_THAT(error_of("\xff\xfe"
                       "b"),
              HasSubstr("the file is UTF-16: save it as UTF-8"));
  EXPECT_THAT(error_of("backlash: 1\ntitle: f\xfcr\n"),
              HasSubstr("may be Latin-1 or Windows-1252"));
}

TEST(ModelSlips, AUnitThatWouldChangeAnExponentIsRefused) {
  const auto law = [](const std::string& keys) {
    return error_with("steel: {restitution: 0.4}",
                      "steel: {model: lankarani-nikravesh, restitution: 0.9, " + keys + "}");
  };
  EXPECT_THAT(law("stiffness: 1e5 MPa"), HasSubstr("1e5 MPa is a pressure"));
  EXPECT_EQ(law("stiffness: 1e5 MPa, exponent: 2"), "accepted");
  EXPECT_EQ(law("stiffness: 1e9 N/m"), "accepted");
  EXPECT_EQ(law("stiffness: 1e9 N/m^1.5"), "accepted");
}

std::vector<std::string> messages_of(const std::string& text) {
  std::vector<std::string> messages;
  try {
    parse_model(text, "m.yaml");
  } catch (const ModelFileError& error) {
    for (const InputError& each : error.errors()) messages.emplace_back(each.what());
  }
  return messages;
}

TEST(ModelErrorList, HasAllErrorsInTheOrderOfTheFile) {
  EXPECT_THAT(
      messages_of(R"(backlash: 1
joints:
  big: {type: revolut, between: [crank, rod]}
  main: {type: revolute, between: [ground, crank], initial: {angel: 1, speed: 3 kg}}
bodies:
  crank: {mass: -1}
  rod: {inertia: 1}
forces:
  f: {type: torque, body: rod, torque: k*big.q + crank.omega}
  g: {type: torque, body: rad, torque: 1}
parameters: {k: 1 foo}
)"),
      ::testing::ElementsAre(
          StartsWith("m.yaml:3:15: joints.big.type: expected one of"),
          StartsWith("m.yaml:4:62: joints.main.initial: an initial motion has no key 'angel'"),
          StartsWith("m.yaml:4:79: joints.main.initial.speed: expected an angular velocity"),
          StartsWith("m.yaml:6:17: bodies.crank.mass: must be zero or positive"),
          StartsWith("m.yaml:7:8: bodies.rod: missing key 'mass'"),
          StartsWith("m.yaml:10:27: forces.g.body: there is no body 'rad'"),
          StartsWith("m.yaml:11:19: parameters.k: in '1 foo': there is no unit 'foo'")));
}

TEST(ModelErrorList, DoesNotBlameWhoUsesABodyWithAnError) {
  EXPECT_THAT(messages_of(R"(backlash: 1
bodies:
  ground: {mass: 3, shape: {line: {normal: [0, 1]}}, frames: {base: {at: [1, 0]}}}
  arm: {mass: 1, inertia: 1, shape: {circle: 1}}
joints:
  pin: {type: revolute, between: [ground, arm], at: [base, [0, 0]]}
contacts: {hit: {between: [ground, arm], law: steel}, hit2: {between: [ground.shape, arm], law: steel}}
laws: {steel: {friction: 0.1}}
)"),
              ::testing::ElementsAre(StartsWith("m.yaml:3:12: bodies.ground: ")));
}

TEST(ModelErrorList, IsNotLongerThanAnyoneReads) {
  std::string text = "backlash: 1\nbodies:\n";
  for (int i = 0; i < 500; ++i) text += "  b" + std::to_string(i) + ": {mass: -1}\n";
  const std::string error = error_of(text);
  EXPECT_EQ(std::ranges::count(error, '\n'), 20);
  EXPECT_THAT(error, ::testing::EndsWith("\nand 480 more errors"));
}

}  // namespace
}  // namespace backlash::test_model_slips
