// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/integrators/integrator_table.h"
#include "backlash/laws/hysteresis.h"
#include "support/built_methods.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string example(const std::string& name) {
  return source_folder() + "/examples/" + name + "/model.yaml";
}

ProgramResult check(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "check");
  return run_program(program_file(), arguments);
}

/// An example of a method whose library was not there when Backlash was built: all that is wrong
/// with it.
bool lacks_a_library(const std::string& said) {
  const bool built = test::is_built(find_integrator("optimisation"));
  return !built && said.find("was built without") != std::string::npos &&
         said.find("\n1 error, 0 warnings, ") != std::string::npos;
}

/// A soft buffer, and a cam that its paper gives as a lift alone, twice.
TEST(CheckCommand, FindsNoErrorInAnyExample) {
  const std::map<std::string, std::string> warned{
      {"circuit_breaker", "warning: contact 'K10': an impact of 1.6 kg"},
      {"cam_follower", "would cross itself (undercut)"},
      {"file_cutting_machine", "would cross itself (undercut)"}};
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/examples")) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path().string());
    const ProgramResult result = check({example(entry.path().filename())});
    if (lacks_a_library(result.out + result.err)) continue;
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    const auto warning = warned.find(entry.path().filename());
    const bool is_warned = warning != warned.end();
    EXPECT_THAT(result.out,
                HasSubstr(is_warned ? "\n0 errors, 1 warning, " : "\n0 errors, 0 warnings, "));
    if (is_warned) {
      EXPECT_THAT(result.out, HasSubstr(warning->second));
    }
    EXPECT_THAT(result.out, HasSubstr("degrees of freedom"));
  }
}

TEST(CheckCommand, FindsNothingInAnyTemplate) {
  const TemporaryFolder folder;
  std::istringstream lines(run_program(program_file(), {"new"}).out);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' ')), file = folder / (name + ".yaml");
    SCOPED_TRACE(name);
    ASSERT_EQ(run_program(program_file(), {"new", "--template", name, "-o", file}).exit_code, 0);
    const ProgramResult result = check({file});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, EndsWith("\n0 errors, 0 warnings, 0 notes\n"));
  }
}

TEST(CheckCommand, NamesPlaceSeverityItemAndCure) {
  const ProgramResult result = check({example("parallelogram")});
  EXPECT_THAT(result.out, HasSubstr("0 by counting (Grübler), 1 by the rank of the constraints"));
  EXPECT_THAT(result.out, HasSubstr(example("parallelogram") + ":27:6: note: constraint 'F."));
  EXPECT_THAT(result.out, HasSubstr("\n    none needed for the motion"));
  EXPECT_THAT(result.out, EndsWith("\n0 errors, 0 warnings, 1 note\n"));
}

TEST(CheckCommand, TellsTheLongestOfAutomaticSteps) {
  const ProgramResult result = run_program(
      program_file(),
      {"check", source_folder() + "/examples/slider_crank/model.yaml", "--step", "auto"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2000 of up to 0.000"));
}

TEST(CheckCommand, TriesTheFirstStepsWithTheMethodOfTheModel) {
  const ProgramResult result =
      run_program(program_file(), {"check", example("newton_cradle"), "--method", "optimisation"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("the method optimisation has Newton's restitution"));
}

TEST(CheckCommand, EndsWithCodeTwoForAModelThatCannotRun) {
  const std::string ball = example("bouncing_ball");
  EXPECT_EQ(check({ball, "--set", "height=0 m"}).exit_code, 0);
  const ProgramResult result = check({ball, "--set", "height=-5 mm"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr(": error: contact 'bounce': overlaps by 0.005 m at the start"));
  EXPECT_THAT(result.out, HasSubstr("1 error,"));
}

TEST(CheckCommand, PrintsJsonWhateverTheModelIs) {
  const auto json = nlohmann::json::parse(check({example("four_bar"), "--json"}).out);
  EXPECT_TRUE(json["can_run"]);
  EXPECT_EQ(json["assembly"]["degrees_of_freedom"], 1);
  EXPECT_EQ(json["assembly"]["loops"].size(), 1u);
  EXPECT_TRUE(json["findings"].empty());
  const ProgramResult broken = check({example("four_bar"), "--set", "rocker_length=5 m", "--json"});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_FALSE(nlohmann::json::parse(broken.out)["can_run"]);
  const ProgramResult unread = check({"no_such_model.yaml", "--json"});
  EXPECT_EQ(unread.exit_code, 2);
  EXPECT_THAT(nlohmann::json::parse(unread.out)["findings"][0]["message"].get<std::string>(),
              HasSubstr("no_such_model.yaml"));
}

TEST(CheckCommand, WarnsOfPlayThatIsNone) {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& gap) {
    const std::string file = folder / "model.yaml";
    write_file(file, R"(
backlash: 1
laws: {steel: {restitution: 0}}
bodies: {slide: {mass: 1, inertia: 1}}
joints:
  guide: {type: prismatic, between: [ground, slide], clearance: {length: 0.1, width: 0.1, law: steel, gap: )" +
                         gap + "}}\n");
    return check({file}).out;
  };
  EXPECT_THAT(said("0"),
              HasSubstr("model.yaml:6:10: warning: joint 'guide': its clearance has a gap of 0"));
  EXPECT_THAT(said("1 mm"), Not(HasSubstr("gap of 0")));
}

/// A loop that closes by a journal alone, a metre beside its bearing: steps of that say nothing.
TEST(CheckCommand, SaysOnlyThatAJournalIsNotInItsBearing) {
  const TemporaryFolder folder;
  const std::string file = folder / "model.yaml";
  write_file(file, R"(backlash: 1
laws: {steel: {restitution: 0.2}}
bodies: {left: {mass: 1, inertia: 1}, right: {mass: 1, inertia: 1}}
joints:
  A: {type: revolute, between: [ground, left]}
  B: {type: revolute, between: [ground, right], at: [[3, 0], [0, 0]], limits: {lower: -1, law: steel}}
  C: {type: revolute, between: [left, right], at: [[1, 0], [-1, 0]], clearance: {gap: 1 mm, law: steel}}
)");
  const ProgramResult result = check({file});
  EXPECT_THAT(result.out, HasSubstr("model.yaml:7:6: error: contact 'C.1': overlaps by 0.999 m"));
  EXPECT_THAT(result.out, EndsWith("1 error, 0 warnings, 0 notes\n"));
}

/// What concerns how the model is computed, where nothing else has a place.
TEST(CheckCommand, GivesEveryErrorAPlaceInItsJson) {
  const TemporaryFolder folder;
  const std::string file = folder / "model.yaml";
  write_file(file, R"(backlash: 1
bodies: {arm: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, arm]}}
simulation: {step: 1e-300}
)");
  const auto finding = nlohmann::json::parse(check({file, "--json"}).out)["findings"][0];
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["file"], file);
  EXPECT_EQ(finding["line"], 4);
  EXPECT_EQ(finding["column"], 13);
}

TEST(CheckCommand, SaysWhatLawsAreAndDeliver) {
  const std::string law = "steel={model: lankarani-nikravesh, stiffness: 1e9 N/m^1.5}";
  const ProgramResult plain = check({example("slider_crank")});
  EXPECT_THAT(plain.out, HasSubstr("law steel               set-valued, restitution 0.4"));
  const std::string sticky = "steel={friction: {static: 0.2, kinetic: 0.15}}";
  EXPECT_THAT(check({example("slider_crank"), "--law", sticky}).out,
              HasSubstr("friction 0.15 that slides, 0.2 that sticks"));
  const ProgramResult result = check({example("slider_crank"), "--law", law});
  EXPECT_EQ(result.exit_code, 2);  // moreau is for set-valued laws
  const double delivered = delivered_restitution(0.75 * (1 - 0.4 * 0.4));
  EXPECT_THAT(result.out,
              HasSubstr(fmt::format(
                  "law steel               lankarani-nikravesh, "
                  "K = 1e+09 N/m^1.5, n = 1.5, restitution 0.4 asked for, {:.6g} delivered, "
                  "friction 0.01",
                  delivered)));
  EXPECT_THAT(result.out, Not(HasSubstr("nothing uses it")));  // the law that was exchanged does
  EXPECT_THAT(result.out, HasSubstr("--law " + law + ": warning: law 'steel'"));
  const auto json =
      nlohmann::json::parse(check({example("slider_crank"), "--law", law, "--json"}).out);
  EXPECT_EQ(json["laws"][0]["restitution"], 0.4);
  EXPECT_EQ(json["laws"][0]["stiffness"], nlohmann::json({1e9, 1e9}));
  EXPECT_EQ(json["laws"][0]["exponent"], 1.5);
  EXPECT_THAT(check({example("slider_crank_revolute_clearance"), "--method", "compliant", "--law",
                     "steel={model: calibrated, material: steel}"})
                  .out,
              HasSubstr("N/m^1.5 by Hertz, n = 1.5"));
  EXPECT_EQ(json["laws"][0]["delivered_restitution"], delivered);
  EXPECT_EQ(json["assembly"]["impacts"][0]["contact"], "guide.1");
}

TEST(CheckCommand, DrawsTheMechanism) {
  const TemporaryFolder folder;
  const std::string file = folder / "slider.svg";
  const ProgramResult result = check({example("slider_crank"), "--draw", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string svg = file_text(file);
  EXPECT_THAT(svg, StartsWith("<svg "));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  for (const char* words : {"crank", "rod", "slider", "main", "big", "small", "guide", "guide.1",
                            "guide.4", "nose", "x [mm]", "y [mm]"})
    EXPECT_THAT(svg, HasSubstr(std::string(">") + words + "</text>"));
}

/// Two cams that are 64 mm apart: a point of each, and a dashed line between them.
TEST(CheckCommand, DrawsBothCandidatePointsOfAnOpenContact) {
  const TemporaryFolder folder;
  const std::string file = folder / "cams.svg";
  ASSERT_EQ(check({example("bouncing_cams"), "--draw", file}).exit_code, 0);
  const std::string svg = file_text(file);
  EXPECT_THAT(svg, HasSubstr(">cams</text>"));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"3 3\""));
  std::size_t circles = 0;
  for (std::size_t at = svg.find("r=\"2.60\""); at != std::string::npos;
       at = svg.find("r=\"2.60\"", at + 1))
    ++circles;
  EXPECT_EQ(circles, 2u);
}

/// The circuit breaker begins at rest, and check says on what.
TEST(CheckCommand, TellsTheEquilibriumThatAModelBeginsIn) {
  const ProgramResult told = check({example("circuit_breaker")});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.out,
              ::testing::AllOf(HasSubstr("begins at rest"),
                               HasSubstr("carried by              K1 106.5 N, K3 14.38 N")));
  const auto json = nlohmann::json::parse(check({example("circuit_breaker"), "--json"}).out);
  EXPECT_EQ(json["assembly"]["rest"]["loads"].size(), 5u);
  EXPECT_TRUE(json["assembly"]["rest"]["stable"]);
}

TEST(CheckCommand, RefusesPicturesThatAreNoneOrCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string precious = folder / "model.yaml";
  write_file(precious, "precious");
  const ProgramResult other = check({example("four_bar"), "--draw", precious});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr(".svg"));
  EXPECT_EQ(file_text(precious), "precious");
  const ProgramResult nowhere = check({example("four_bar"), "--draw", "/dev/null/x.svg"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("/dev/null/x.svg"));
}

TEST(CheckCommand, RefusesWhatIsNoModel) {
  const ProgramResult result = check({program_file()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("backlash: "));
}

struct Text {
  const char* name;
  std::string text;
};

std::string body_with(const std::string& values, const std::string& more = "") {
  return "backlash: 1\nbodies: {b: {" + values + "}}\n" + more;
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

class AnyText : public ::testing::TestWithParam<Text> {};

TEST_P(AnyText, EndsCheckAndRunWithACodeAndASentence) {
  const TemporaryFolder folder;
  const std::string file = folder / "model.yaml";
  write_file(file, GetParam().text);
  const ProgramResult checked = check({file, "--draw", folder / "model.svg"});
  EXPECT_TRUE(checked.exit_code == 0 || checked.exit_code == 2) << checked.exit_code;
  EXPECT_NE(checked.out + checked.err, "");
  const ProgramResult run = run_program(
      program_file(), {"run", file, "--step", "1e-4", "--until", "1e-3", "-o", folder / "results"});
  EXPECT_TRUE(run.exit_code >= 0 && run.exit_code <= 2) << run.exit_code;
  EXPECT_NE(run.out + run.err, "");
  EXPECT_EQ(run.exit_code == 2, checked.exit_code == 2) << checked.out << checked.err << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    OfAnyKind, AnyText,
    ::testing::Values(
        Text{"nothing", ""}, Text{"a_space", " "}, Text{"a_number", "1"},
        Text{"zeros", std::string(100, '\0')}, Text{"no_utf8", "backlash: \xff\xfe\n"},
        Text{"deep", repeated("[", 5000)},
        Text{"deep_formula", body_with("mass: " + repeated("(", 5000))},
        Text{"an_alias_bomb", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"},
        Text{"no_bodies", "backlash: 1\nbodies: {}\n"}, Text{"no_mass", body_with("mass: 0")},
        Text{"no_inertia", body_with("mass: 1")},
        Text{"huge_mass", body_with("mass: 1e300, inertia: 1e300")},
        Text{"tiny_mass", body_with("mass: 1e-300, inertia: 1e-300")},
        Text{"huge_speed", body_with("mass: 1, inertia: 1, initial: {velocity: [1e300, 0]}")},
        Text{"far_away", body_with("mass: 1, inertia: 1, initial: {position: [1e300, 0]}")},
        Text{"huge_shape", body_with("mass: 1, inertia: 1, shape: {circle: 1e300}")},
        Text{"tiny_shape", body_with("mass: 1, inertia: 1, shape: {circle: 1e-300}")},
        Text{"huge_gravity", body_with("mass: 1, inertia: 1", "gravity: [1e308, 0]\n")},
        Text{"a_title_of_xml", body_with("mass: 1, inertia: 1", "title: '</svg><&\"'\n")},
        Text{"a_force_of_nan",
             body_with("mass: 1, inertia: 1",
                       "forces: {f: {type: force, body: b, force: [0*t/0, 0]}}\n")},
        Text{"an_infinite_spring",
             body_with("mass: 1, inertia: 1",
                       "forces: {f: {type: spring, between: [ground, b], stiffness: 1e308, "
                       "length: 1}}\n")}),
    [](const auto& text) { return text.param.name; });

TEST(CheckCommand, NamesChannelsThatQuantitiesAskForInVain) {
  const TemporaryFolder folder;
  const std::string model = folder / "m.yaml";
  write_file(model,
             "backlash: 1\nbodies: {disk: {mass: 1, inertia: 1}}\n"
             "joints: {main: {type: revolute, between: [ground, disk]}}\n"
             "forces: {motor: {type: motor, joint: main, stall_torque: 1, no_load_speed: 9}}\n"
             "output: {quantities: {power: motor.force*main.u}}\n");
  const ProgramResult result = run_program(program_file(), {"check", model});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("m.yaml:5:30"), HasSubstr("no channel 'motor.force'"),
                                HasSubstr("motor.torque")));
}

TEST(CheckCommand, DrawsHowNearTheJointsOfALoopComeThatCannotBeClosed) {
  const TemporaryFolder folder;
  const std::string model = folder / "m.yaml", drawing = folder / "m.svg";
  write_file(model,
             "backlash: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\njoints:\n"
             "  j1: {type: revolute, between: [ground, a]}\n"
             "  j2: {type: revolute, between: [a, b], at: [[0.1, 0], [0, 0]]}\n"
             "  j3: {type: revolute, between: [ground, b], at: [[0.4, 0], [0.1, 0]]}\n");
  const ProgramResult result = check({model, "--draw", drawing});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out,
              HasSubstr("the loop cannot be closed; at best the joint is off by 0.2 m"));
  EXPECT_THAT(result.err, HasSubstr("shows how near the joints come"));
  EXPECT_THAT(file_text(drawing), HasSubstr("</svg>"));
  EXPECT_THAT(file_text(drawing), HasSubstr("stroke-dasharray=\"4 2\""));  // what is missing
}

TEST(CheckCommand, HasThePlaceOfEveryErrorInJson) {
  const TemporaryFolder folder;
  const std::string model = folder / "m.yaml";
  write_file(model, "backlash: 1\nbodies: {a: {mass: -1}, b: {mas: 1}}\n");
  const auto findings = nlohmann::json::parse(check({model, "--json"}).out)["findings"];
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0]["line"], 2);
  EXPECT_EQ(findings[0]["column"], 20);
  EXPECT_EQ(findings[0]["path"], "bodies.a.mass");
  EXPECT_EQ(findings[1]["column"], 29);
  write_file(model, "backlash: 1\nbodies: {a: {mass: 1}\n");
  const auto slip = nlohmann::json::parse(check({model, "--json"}).out)["findings"];
  ASSERT_EQ(slip.size(), 1u);
  EXPECT_EQ(slip[0]["line"], 2);
  EXPECT_EQ(slip[0]["column"], 9);
}

}  // namespace
}  // namespace backlash
