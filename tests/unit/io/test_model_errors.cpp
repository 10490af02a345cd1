// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"
#include "support/model_error.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

constexpr const char* model = R"(backlash: 1
parameters: {l1: 153 mm, l2: 306 mm, a: 50 mm, c: 1 mm}
bodies:
  crank: {mass: 0.038, inertia: 7.4e-5, com: [l1/2, 0]}
  slider: {mass: 0.076, inertia: 2.7e-6, shape: {box: [2*a, a]}}
joints:
  main: {type: revolute, between: [ground, crank], at: [[0, 0], [0, 0]], initial: {speed: 150}}
  guide:
    type: prismatic
    between: [crank, slider]
    axis: [1, 0]
    clearance: {length: 2*a, width: a, gap: c, law: steel}
laws:
  steel: {restitution: 0.4, friction: 0.01}
simulation: {solver: lemke, step: 1e-5}
)";

std::string error_of(const std::string& text, std::span<const ParameterOverride> set = {}) {
  return test::model_error(text, set);
}

/// The error of the model with its first `before` replaced.
std::string error_with(const std::string& before, const std::string& after) {
  return error_of(test::replaced(model, before, after));
}

std::string error_of_added(const std::string& section) { return error_of(model + section); }

TEST(ModelErrors, ABearingWithoutPlayIsRefused) {
  EXPECT_THAT(
      error_of("backlash: 1\nbodies: {b: {mass: 1, inertia: 1}}\nlaws: {s: {}}\njoints:\n"
               "  A: {type: revolute, between: [ground, b], clearance: {gap: 0, law: s}}\n"),
      ::testing::AllOf(::testing::HasSubstr("joints.A.clearance.gap"),
                       ::testing::HasSubstr("positive")));
}

TEST(ModelErrors, TheModelItselfIsAccepted) { EXPECT_EQ(error_of(model), "accepted"); }

TEST(ModelErrors, UnknownKeysNameTheNearest) {
  EXPECT_EQ(error_with("axis:", "axs:"),
            "m.yaml:11:5: joints.guide: a prismatic joint has no key 'axs'; did you mean 'axis'?");
  EXPECT_EQ(error_with("simulation:", "simulaton:"),
            "m.yaml:15:1: a model has no key 'simulaton'; did you mean 'simulation'?");
  EXPECT_EQ(
      error_with("type: revolute,", "type: revolute, axis: [1, 0],"),
      "m.yaml:7:26: joints.main: a revolute joint has no key 'axis'; its keys are type, between, "
      "at, initial, limits, friction, drive, clearance");
}

TEST(ModelErrors, CouplingsOfWhatIsNotThere) {
  const auto coupled = [](const char* coordinates) {
    return error_with("  guide:", std::string("  pair: {type: coupling, ") + coordinates +
                                      "ratio: 1, clearance: {gap: 0.1}}\n  guide:");
  };
  EXPECT_THAT(coupled("coordinates: [main.q, mian.q], "),
              ::testing::HasSubstr("there is no joint"));
  EXPECT_THAT(coupled("coordinates: main.q, "), ::testing::HasSubstr("expected two coordinates"));
  EXPECT_THAT(coupled("coordinates: [main.q, main.u], "),
              ::testing::HasSubstr("expected a coordinate"));
  EXPECT_THAT(coupled(""), ::testing::HasSubstr("coordinates"));
}

TEST(ModelErrors, DuplicateKeys) {
  EXPECT_EQ(error_with("mass: 0.038,", "mass: 0.038, mass: 1,"),
            "m.yaml:4:24: bodies.crank: the key 'mass' stands here twice, first in line 4");
  EXPECT_EQ(error_of_added("laws: {}\n"),
            "m.yaml:16:1: the key 'laws' stands here twice, first in line 13");
}

TEST(ModelErrors, WrongTypes) {
  EXPECT_EQ(error_with("mass: 0.038", "mass: [1]"),
            "m.yaml:4:17: bodies.crank.mass: expected a mass, found a list");
  EXPECT_EQ(
      error_with("com: [l1/2, 0]", "com: l1"),
      "m.yaml:4:46: bodies.crank.com: expected a list of two: [x, y], each a length, found 'l1'");
  EXPECT_EQ(error_with("com: [l1/2, 0]", "com: [0, 0, 0]"),
            "m.yaml:4:46: bodies.crank.com: expected a list of two: [x, y], each a length, found a "
            "list of 3");
  EXPECT_EQ(error_with("mass: 0.038", "mass:"),
            "m.yaml:4:16: bodies.crank.mass: expected a mass, found nothing");
  EXPECT_EQ(error_with("type: prismatic", "type: prismatik"),
            "m.yaml:9:11: joints.guide.type: expected one of 'revolute', 'prismatic', 'fixed', "
            "'planar', 'free', "
            "'point_on_line', 'gear', 'rack', 'rod', 'coupling', found 'prismatik'; did you mean "
            "'prismatic'?");
  EXPECT_EQ(error_with("backlash: 1", "backlash: 2"),
            "m.yaml:1:11: backlash: expected 1, the version of the format that this program reads, "
            "found '2'");
}

TEST(ModelErrors, MissingKeys) {
  EXPECT_EQ(error_with("backlash: 1\n", ""),
            "m.yaml:1:1: missing key 'backlash': a model needs it (version of the file format: 1)");
  EXPECT_EQ(error_with("mass: 0.038, ", ""),
            "m.yaml:4:10: bodies.crank: missing key 'mass': a body needs it, or a 'density' and a "
            "'thickness'");
  EXPECT_EQ(
      error_with("    type: prismatic\n", ""),
      "m.yaml:9:5: joints.guide: missing key 'type': a joint needs it (revolute, prismatic, …)");
  EXPECT_EQ(error_with(", gap: c", ""),
            "m.yaml:12:16: joints.guide.clearance: missing key 'gap': a clearance needs it (on "
            "each side)");
}

TEST(ModelErrors, Units) {
  EXPECT_EQ(
      error_with("gap: c", "gap: 240 N/mm"),
      "m.yaml:12:45: joints.guide.clearance.gap: expected a length, found 240 N/mm (stiffness)");
  EXPECT_EQ(error_with("gap: c", "gap: 1 mmm"),
            "m.yaml:12:47: joints.guide.clearance.gap: in '1 mmm': there is no unit 'mmm'; did you "
            "mean 'mm'?");
  EXPECT_EQ(error_with("speed: 150", "speed: 150 Hz"),
            "m.yaml:7:91: joints.main.initial.speed: expected an angular velocity, found 150 Hz "
            "(frequency); turns per second are rev/s");
  EXPECT_EQ(error_with("com: [l1/2, 0]", "com: [l1 + 3 kg, 0]"),
            "m.yaml:4:50: bodies.crank.com[1]: in 'l1 + 3 kg': adds a length and a mass");
}

TEST(ModelErrors, Parameters) {
  EXPECT_EQ(error_with("[l1/2, 0]", "[L1/2, 0]"),
            "m.yaml:4:47: bodies.crank.com[1]: in 'L1/2': there is no parameter 'L1'; did you mean "
            "'l1'?");
  EXPECT_EQ(
      error_with("l1: 153 mm, l2: 306 mm", "l1: l2/2, l2: 2*l1"),
      "m.yaml:2:18: parameters.l1: the parameters depend on each other in a circle: l1 → l2 → l1");
  EXPECT_EQ(error_with("l2: 306 mm", "l2: l2 + 1"),
            "m.yaml:2:30: parameters.l2: the parameters depend on each other in a circle: l2 → l2");
  const std::string missing =
      "\nm.yaml:4:47: bodies.crank.com[1]: in 'l1/2': there is no parameter 'l1'; did you mean "
      "'l2'?";
  EXPECT_EQ(error_with("l1: 153 mm", "pi: 153 mm"),
            "m.yaml:2:14: parameters: 'pi' has a meaning in formulas already; choose another name" +
                missing);
  EXPECT_EQ(error_with("l1: 153 mm", "1l: 153 mm"),
            "m.yaml:2:14: parameters: '1l' cannot be a name: a name is a letter, then letters, "
            "digits and '_'" +
                missing);
}

TEST(ModelErrors, AnErrorInAParameterStandsAtTheParameter) {
  EXPECT_EQ(error_with("l1: 153 mm", "l1: 2*k, k: 3 +"),
            "m.yaml:2:29: parameters.k: in '3 +': found the end, expected a number, a name or '('");
}

TEST(ModelErrors, FormulasPointAtTheColumn) {
  EXPECT_EQ(
      error_with("[l1/2, 0]", "[l1/*2, 0]"),
      "m.yaml:4:50: bodies.crank.com[1]: in 'l1/*2': found '*', expected a number, a name or '('");
  EXPECT_EQ(error_with("[l1/2, 0]", "['l1 + (2', 0]"),
            "m.yaml:4:55: bodies.crank.com[1]: in 'l1 + (2': found the end, expected ')'");
}

TEST(ModelErrors, ReferencesToWhatDoesNotExist) {
  EXPECT_EQ(
      error_with("between: [crank, slider]", "between: [crank, slidr]"),
      "m.yaml:10:22: joints.guide.between[2]: there is no body 'slidr'; did you mean 'slider'?");
  EXPECT_EQ(
      error_with("law: steel", "law: stel"),
      "m.yaml:12:53: joints.guide.clearance.law: there is no law 'stel'; did you mean 'steel'?");
  EXPECT_EQ(error_with("at: [[0, 0], [0, 0]]", "at: [tip, [0, 0]]"),
            "m.yaml:7:57: joints.main.at[1]: expected a point [x, y] or a frame; body 'ground' has "
            "no frame 'tip'");
  EXPECT_EQ(error_of_added("forces: {f: {type: torque, body: crank, torque: 3*mian.u}}\n"),
            "m.yaml:16:51: forces.f.torque: in '3*mian.u': there is no joint or body 'mian'; did "
            "you mean 'main'?");
  EXPECT_EQ(error_of_added("forces: {f: {type: motor, joint: mian, stall_torque: 1, "
                           "no_load_speed: 1}}\n"),
            "m.yaml:16:34: forces.f.joint: there is no joint 'mian'; did you mean 'main'?");
  EXPECT_EQ(error_of_added("contacts: {f: {between: [slider.shap, crank], law: steel}}\n"),
            "m.yaml:16:26: contacts.f.between[1]: body 'slider' has no shape 'shap'; did you mean "
            "'shape'?");
  EXPECT_EQ(
      error_of_added("events: {e: {at: 1 ms, activate: [f]}}\n"),
      "m.yaml:16:35: events.e.activate[1]: there is no force, contact or drive (joint.drive) 'f'");
}

TEST(ModelErrors, ValuesOutOfRange) {
  EXPECT_EQ(error_with("mass: 0.038", "mass: -0.038"),
            "m.yaml:4:17: bodies.crank.mass: must be zero or positive, found -0.038");
  EXPECT_EQ(error_with("restitution: 0.4", "restitution: 1.4"),
            "m.yaml:14:24: laws.steel.restitution: must be in [0, 1], found 1.4");
  EXPECT_EQ(error_with("friction: 0.01", "friction: -1 %"),
            "m.yaml:14:39: laws.steel.friction: must be zero or positive, found -1 % = -0.01");
  EXPECT_EQ(
      error_with("gap: c", "gap: -c"),
      "m.yaml:12:45: joints.guide.clearance.gap: must be zero or positive, found -c = -0.001 m");
  EXPECT_EQ(error_with("step: 1e-5", "step: 1/0"),
            "m.yaml:15:35: simulation.step: must be finite, found 1/0 = inf s");
}

/// A bare number is a plain one beside a unit, and else an SI value of whatever is expected.
TEST(ModelErrors, FactorsWithoutUnitDoNotHideThatOfTheOthers) {
  const auto mass = [](const std::string& formula) {
    return error_with("mass: 0.038", "mass: " + formula);
  };
  for (const char* wrong :
       {"2*5 m", "5 m*2", "2/5 m", "3*2 kg*4 s", "2*l1", "pi*l1", "l1/2", "-2*l1", "2*3 m + 1",
        "abs(2*l1)", "sin(1)*l1", "(1 < 2)*l1", "sqrt(2)*l1"})
    EXPECT_THAT(mass(wrong), testing::HasSubstr("expected a mass, found")) << wrong;
  EXPECT_THAT(mass("2*1 kg + 2*3 m"), testing::HasSubstr("adds a mass and a length"));
  for (const char* right : {"2*5 kg", "5 kg/2", "3*2", "2 + 3", "1 kg + 2", "2*(1 + 3)", "l1/l2*2",
                            "2*2 kg*l1/l2", "0.5*4 kg m/l1*3"})
    EXPECT_EQ(mass(right), "accepted") << right;
  const auto with_bare_parameter = [](const std::string& formula) {
    return error_of(test::replaced(test::replaced(model, "c: 1 mm", "c: 1 mm, k: 3"), "mass: 0.038",
                                   "mass: " + formula));
  };
  for (const char* open : {"k*2", "2*k", "k*l1", "2*k*l1"})  // k has any dimension
    EXPECT_EQ(with_bare_parameter(open), "accepted") << open;
}

TEST(ModelErrors, FactorsWithoutUnitBesideVariablesAreSIValues) {
  const auto speed = [](const std::string& formula) {
    return error_with("initial: {speed: 150}", "drive: {angle: '" + formula + "'}");
  };
  for (const char* right :
       {"5*t^2", "0.1 rad*sin(5*t)", "sin(2*pi*50 Hz*t)", "30 deg*sin(300 rpm*t)", "2*30 deg",
        "2*pi*t/0.2 s", "0.5*3 rad/s^2*t^2", "exp(-t/0.1)"})
    EXPECT_EQ(speed(right), "accepted") << right;
  for (const char* wrong : {"2*3 m*t", "sin(2*3 m)", "0.5*3 rad/s^2*t"})
    EXPECT_NE(speed(wrong), "accepted") << wrong;
}

TEST(ModelErrors, AUnitWithTheNameOfAParameterIsTheUnit) {
  EXPECT_EQ(error_of(test::replaced(test::replaced(model, "c: 1 mm", "c: 1 mm, N: 5"),
                                    "initial: {speed: 150}", "initial: {angle: 2*360 deg/N}")),
            "m.yaml:7:91: joints.main.initial.angle: expected an angle, found 2*360 deg/N "
            "(quantity in kg^-1 m^-1 s^2 rad); 'N' is the unit here: with spaces, as in 2*360 deg "
            "/ N, it is the parameter");
  EXPECT_EQ(error_with("mass: 0.038", "mass: pi*a"),
            "m.yaml:4:17: bodies.crank.mass: expected a mass, found pi*a (length)");
}

TEST(ModelErrors, SignsOfPrintInNumbersAreNamed) {
  EXPECT_THAT(error_with("l1: 153 mm", "l1: 153\u00a0mm"), testing::HasSubstr("no-break space"));
  EXPECT_THAT(error_with("speed: 150", "speed: \u2212150"), testing::HasSubstr("write the hyphen"));
  EXPECT_EQ(error_with("a: 50 mm", "a: 50,5 mm"),
            "m.yaml:2:44: parameters: decimals have a point: 'a: 50.5 mm', not '50,5 mm'");
}

TEST(ModelErrors, OfTwoNumbersThatAreSwappedPointAtThese) {
  EXPECT_EQ(error_with("initial: {speed: 150}", "limits: {lower: 1, upper: -1, law: steel}"),
            "m.yaml:7:82: joints.main.limits: lower must be below upper, found 1 and -1");
  EXPECT_EQ(
      error_with("initial: {speed: 150}", "friction: {static: 0.1, kinetic: 0.2, radius: 1 mm}"),
      "m.yaml:7:93: joints.main.friction.static: static must not be below kinetic, 0.2, is 0.1");
}

TEST(ModelErrors, Set) {
  const auto error_with_set = [](const char* text) {
    const ParameterOverride set[] = {parse_override(text)};
    return error_of(model, set);
  };
  EXPECT_EQ(error_with_set("cc=1 mm"),
            "--set cc=1 mm: there is no parameter 'cc'; did you mean 'c'?");
  EXPECT_EQ(error_with_set("c=1 N"),
            "--set c=1 N: parameters.c: expected a length, found 1 N (force)");
  EXPECT_EQ(error_with_set("c=0.5"),
            "--set c=0.5: parameters.c: expected a value with its unit, as 1 mm in the file; 0.5 "
            "alone would mean 0.5 m");
  EXPECT_EQ(error_with_set("c=0"), "accepted");
  EXPECT_EQ(error_with_set("c="),
            "--set c=: parameters.c: in '': an empty formula, expected a number or a name");
  EXPECT_THROW(parse_override("c"), InputError);
}

TEST(ModelErrors, TextThatIsNoModel) {
  EXPECT_EQ(error_of(""), "m.yaml: the file is empty, expected a model");
  EXPECT_EQ(error_of("root:x:0:0:root"),  // nothing of a file that may be any
            "m.yaml:1:1: expected the keys of a model, found text without any");
  EXPECT_EQ(error_of("[1, 2]"), "m.yaml:1:1: expected the keys of a model, found a list");
  EXPECT_EQ(error_of("a: b: c"), "m.yaml:1:5: this is not valid YAML: illegal map value");
  EXPECT_EQ(error_of("backlash: 1\n---\nbacklash: 1\n"),
            "m.yaml:3:1: a second document begins here, expected the end");
  EXPECT_EQ(error_of("backlash: 1\n...\ngarbage\n"),
            "m.yaml:3:1: a second document begins here, expected the end");
  EXPECT_EQ(error_of("a: \x01"), "m.yaml:1:4: found the byte 0x01, which is no text in UTF-8");
  EXPECT_EQ(error_of("a: &x [*x]"), "m.yaml:1:8: an alias of a part that is not complete");
  EXPECT_EQ(error_of(std::string(60, '[') + std::string(60, ']')),
            "m.yaml:1:51: nested more than 50 deep");
}

TEST(ModelErrors, AliasesDoNotMultiplyWithoutBound) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) text += (j ? ", *a" : "*a") + std::to_string(i - 1);
    text += "]\n";
  }
  EXPECT_THAT(error_of(text),
              testing::HasSubstr("more than 1000000 values, repeated ones included"));
}

TEST(ModelErrors, MoreThanAnyModelHolds) {
  std::string parameters = "backlash: 1\nparameters:\n", corners;
  for (int i = 0; i < 70'000; ++i) parameters += "  p" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(error_of(parameters + "bodies: {a: {mass: p1}}\n"),
            "m.yaml:3:3: parameters: 70000 parameters, at most 10000 are read");
  for (int i = 0; i < 60'000; ++i) corners += "[" + std::to_string(i) + ", 0], ";
  EXPECT_THAT(error_of("backlash: 1\nbodies: {a: {mass: 1, shape: {polygon: [" + corners + "]}}}"),
              testing::HasSubstr("60000 corners, at most 10000 are accepted"));
  EXPECT_THAT(error_of("backlash: 1\nprofiles: {p: {points: [" + corners +
                       "]}}\n"
                       "bodies: {a: {mass: 1, shape: {profile: p}}}"),
              testing::HasSubstr("profiles.p: 60000 control points, at most 2000 are accepted"));
}

/// Each of them would be followed through a hundred others, and refused in the end.
TEST(ModelErrors, AChainOfParametersIsRefusedPieceByPiece) {
  constexpr int count = 9000;
  std::string text = "backlash: 1\nbodies: {a: {mass: 1}}\nparameters:\n";
  for (int i = count; i > 0; --i) text += fmt::format("  p{}: p{} + 1\n", i, i - 1);
  try {
    parse_model(text + "  p0: 1\n", "m.yaml");
    FAIL() << "accepted";
  } catch (const ModelFileError& error) {
    EXPECT_LE(error.errors().size(), std::size_t{count / 100});
    EXPECT_THAT(error.what(), testing::HasSubstr("more than 100 parameters depend on each other"));
  }
}

TEST(ModelErrors, AKeyThatIsTooLongForYamlIsNamed) {
  for (const int letters : {1100, 70'000, 900'000}) {
    const std::string key(static_cast<std::size_t>(letters), 'k');
    const std::string said = fmt::format(
        "found a key of {} letters, expected a shorter one: keys of YAML have at most 1024",
        letters);
    EXPECT_EQ(error_of("backlash: 1\n" + key + ": 1\n"), "m.yaml:2:1: " + said);
    EXPECT_EQ(error_of("backlash: 1\nbodies: {" + key + ": {mass: 1}}\n"), "m.yaml:2:10: " + said);
  }
}

TEST(ModelErrors, AreShownWithoutControlCharactersOfTheFile) {
  EXPECT_EQ(error_of("title: \"a\\x1b[31m\""),
            "m.yaml:1:8: 'a\\x1b[31m' holds a control character");
  EXPECT_EQ(error_of("title: \xe9t\xe9"),
            "m.yaml:1:8: found the byte 0xe9, which is no text in UTF-8; the file may be Latin-1 "
            "or Windows-1252: save it as UTF-8");
}

TEST(ModelErrors, Includes) {
  const TemporaryFolder folder;
  const auto error_of_file = [&](const std::string& text) {
    std::ofstream(folder / "a.yaml") << text;
    try {
      read_model(folder / "a.yaml");
    } catch (const InputError& error) {
      return std::string(error.what()).substr((folder / "").string().size());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(error_of_file("include: a.yaml\n"),
            "a.yaml:1:10: include: 'a.yaml' includes itself, directly or through others");
  EXPECT_THAT(error_of_file("include: b.yaml\n"),
              testing::StartsWith("a.yaml:1:10: include: there is no file"));
  std::ofstream(folder / "b.yaml") << "bodies: {crank: {mass: 1}}\n";
  EXPECT_EQ(error_of_file("backlash: 1\ninclude: b.yaml\n"), "accepted");
  EXPECT_THAT(error_of_file("backlash: 1\ninclude: b.yaml\nbodies: {crank: {mass: 2}}\n"),
              testing::StartsWith("a.yaml:3:17: bodies.crank: given here and in "));
  std::ofstream(folder / "b.yaml") << "\nhandle: 1\n";
  EXPECT_THAT(error_of_file("backlash: 1\ninclude: b.yaml\nbodies: {crank: {mass: 2}}\n"),
              testing::StartsWith("b.yaml:2:1: a model has no key 'handle'"));
  EXPECT_EQ(error_of("include: b.yaml"),
            "m.yaml:1:10: include: a text that is no file cannot include files");
}

TEST(ModelErrors, StatesAreRefusedWhereTheyCannotBe) {
  using ::testing::HasSubstr;
  EXPECT_EQ(error_of_added("states: {x: {rate: main.u - x/(1 s), initial: 2 rad}}\n"), "accepted");
  EXPECT_THAT(error_of_added("states: {x: {initial: 1}}\n"),
              HasSubstr("states.x: missing key 'rate'"));
  EXPECT_THAT(error_of_added("states: {x: {rate: y}}\n"),
              HasSubstr("states.x.rate: in 'y': there is no parameter 'y'"));
  EXPECT_THAT(error_of_added("states: {x: {rate: main.w}}\n"), HasSubstr("joint 'main'"));
  EXPECT_THAT(error_of_added("states: {a: {rate: 1}}\n"),
              HasSubstr("'a' is the name of a parameter"));
  EXPECT_THAT(error_of_added("states: {sin: {rate: 1}}\n"), HasSubstr("'sin' has a meaning"));
  EXPECT_THAT(error_of_added("states: {x: {rate: 3 V, initial: 1 A}}\n"),
              HasSubstr("states.x.rate: expected"));
  EXPECT_THAT(error_of_added("states: {x: {rate: x + 1 m, initial: 1 A/s}}\n"),
              HasSubstr("adds a quantity in s^-1 A and a length"));
  EXPECT_THAT(error_with("mass: 0.038", "mass: x"), HasSubstr("there is no parameter 'x'"));
  std::string text = model;
  text.replace(text.find("mass: 0.038"), 11, "mass: x") += "states: {x: {rate: 1}}\n";
  EXPECT_THAT(error_of(text), HasSubstr("bodies.crank.mass: in 'x': the state variable 'x' changes "
                                        "while the model moves"));
}

}  // namespace
}  // namespace backlash
