// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/io/step/step_file.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash::test_profiles {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A profile that makes no sense, and what is said of it.
struct BadProfile {
  const char* name;
  const char* profile;
  const char* complaint;
  const char* more = "";  ///< that the message must hold, too

  friend std::ostream& operator<<(std::ostream& out, const BadProfile& bad) {
    return out << bad.name;
  }
};

class ProfileBadInput : public ::testing::TestWithParam<BadProfile> {};

TEST_P(ProfileBadInput, EndsWithCodeTwoAndNamesPlaceAndRemedy) {
  const TemporaryFolder folder;
  write_file(folder / "words.csv", "x, y\n0, 0\n1, 0\n1, one\n");
  write_file(folder / "three.csv",
             "\xEF\xBB\xBF"
             "0 0\n1 0\n1 1\n");  // with a byte-order mark
  write_file(folder / "twice.csv", "0 0\n1 0\n1 0\n1 1\n0 1\n");
  write_file(folder / "space.csv", "0 0 0\n1 0 0\n");
  write_file(folder / "empty.csv", "x, y\n");
  write_file(folder / "model.yaml", fmt::format(R"(backlash: 1
profiles:
  edge: {{{}}}
bodies:
  cam: {{mass: 1, inertia: 1, shape: {{profile: edge}}}}
)",
                                                GetParam().profile));
  for (const char* command : {"run", "check"}) {
    std::vector<std::string> arguments{command, folder / "model.yaml"};
    if (arguments[0] == "run")
      arguments.insert(arguments.end(), {"-o", folder / "results", "--until", "1e-3"});
    const ProgramResult result = run_program(program_file(), arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_THAT(result.err + result.out,
                AllOf(HasSubstr("model.yaml:"), HasSubstr("profiles.edge"),
                      Not(ContainsRegex("profiles.edge.*profiles.edge")),
                      HasSubstr(GetParam().complaint), HasSubstr(GetParam().more)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ProfileBadInput,
    ::testing::Values(
        BadProfile{"too_few_control_points", "points: [[0, 0], [1, 0], [1, 1]]",
                   "needs at least 4 control points, has 3",
                   "give more of them, or lower its degree"},
        BadProfile{"too_few_of_a_periodic_one", "periodic: true, points: [[0, 0], [1, 0]]",
                   "needs at least 3 control points, has 2"},
        BadProfile{"points_on_one_line",
                   "periodic: true, points: [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]]",
                   "profiles.edge: it is closed and encloses no area", "lie on one line"},
        BadProfile{"a_point_repeated_as_often_as_the_degree",
                   "periodic: true, points: [[0, 0], [1, 0], [1, 0], [1, 0], [1, 1]]",
                   "profiles.edge: curve: has no direction at the parameter 1"},
        BadProfile{"knots_that_decrease",
                   "points: [[0, 0], [1, 0], [1, 1], [2, 1]], knots: [0, 0, 0, 0, 1, 1, 0.5, 1]",
                   "knots must not decrease", "0.5 follows 1; put them in order"},
        BadProfile{"too_few_knots", "points: [[0, 0], [1, 0], [1, 1], [2, 1]], knots: [0, 0, 1, 1]",
                   "need 8 knots, there are 4"},
        BadProfile{"weight_of_zero",
                   "points: [[0, 0], [1, 0], [1, 1], [2, 1]], weights: [1, 1, 0, 1]", "weights",
                   "must be positive"},
        BadProfile{"too_few_weights", "points: [[0, 0], [1, 0], [1, 1], [2, 1]], weights: [1, 1]",
                   "weights", "4"},
        BadProfile{"degree_too_high", "degree: 16, points: [[0, 0], [1, 0]]", "degree", "15"},
        BadProfile{"degree_too_high_for_its_points", "degree: 4, points: [[0, 0], [1, 0], [1, 1]]",
                   "needs at least 5 control points"},
        BadProfile{"open_where_a_closed_one_is_needed",
                   "material: inside, points: [[0, 0], [1, 0], [1, 1], [2, 1]]",
                   "an open profile has no inside", "periodic"},
        BadProfile{"said_to_be_closed", "closed: true, points: [[0, 0], [1, 0], [1, 1], [2, 1]]",
                   "its ends are", "make it periodic"},
        BadProfile{"no_file", "csv: nowhere.csv", "there is no file", "nowhere.csv"},
        BadProfile{"words_for_numbers", "csv: words.csv", "words.csv:4: expected two numbers"},
        BadProfile{"too_few_points_in_a_file", "csv: three.csv",
                   "'three.csv': a curve of degree 3 needs at least 4 control points", "has 3"},
        BadProfile{"no_points_in_a_file", "csv: empty.csv", "empty.csv: there are no points in it"},
        BadProfile{"more_control_points_than_points", "csv: three.csv, control_points: 20",
                   "20 control points for a curve near 3 points"},
        BadProfile{"a_point_twice_in_a_file", "csv: twice.csv",
                   "'twice.csv': points 2 and 3 of a curve are the same"},
        BadProfile{"three_numbers_in_a_line", "csv: space.csv", "space.csv:1: expected two numbers",
                   "found more than two values"},
        BadProfile{"step_without_an_item", "step: part.step",
                   "profiles.edge: expected one of the keys 'edge', 'face', found none"},
        BadProfile{"knots_of_a_file", "csv: three.csv, knots: [0, 1]",
                   "'knots' belongs to control points"},
        BadProfile{"points_and_a_file", "csv: three.csv, points: [[0, 0], [1, 0]]",
                   "stand side by side"},
        BadProfile{"no_step_file", "step: nowhere.step, edge: cam", "nowhere.step"},
        BadProfile{"step_without_a_name", "step: words.csv", "'edge'", "'face'"},
        BadProfile{"edge_and_face", "step: words.csv, edge: a, face: b", "stand side by side"},
        BadProfile{"edge_without_a_file", "edge: cam, points: [[0, 0], [1, 0], [1, 1], [2, 1]]",
                   "'edge' belongs to a STEP file", "name it with 'step'"},
        BadProfile{"weights_of_an_edge", "step: words.csv, edge: cam, weights: [1, 1]",
                   "'weights' belongs to control points"},
        BadProfile{"nothing", "degree: 3", "points"}),
    [](const auto& test) { return test.param.name; });

/// A model and, outside of its folder, files that are not its own to read.
class ProfileFiles : public ::testing::Test {
 protected:
  ProfileFiles() {
    for (const char* name : {"m", "other"}) std::filesystem::create_directory(folder_ / name);
    write_file(folder_ / "other/secret.csv", "root\nSECRETLINE:x:0:0\n");
    write_file(folder_ / "other/points.csv", "0 0\n1 0\n1 1\n2 1\n");
    std::filesystem::create_symlink(folder_ / "other/secret.csv", folder_ / "m/link.csv");
  }

  ProgramResult check(const std::string& profile, const std::vector<std::string>& more = {}) {
    write_file(folder_ / "m/model.yaml", fmt::format(R"(backlash: 1
profiles: {{edge: {{{}}}}}
bodies: {{cam: {{mass: 1, inertia: 1, shape: {{profile: edge}}}}}}
)",
                                                     profile));
    std::vector<std::string> call{"check", folder_ / "m/model.yaml"};
    call.insert(call.end(), more.begin(), more.end());
    return run_program(program_file(), call);
  }

  TemporaryFolder folder_;
};

TEST_F(ProfileFiles, LieInTheFolderOfTheModelOrInOneThatIsAllowed) {
  const std::string absolute = folder_ / "other/secret.csv";
  for (const std::string& profile :
       {std::string("csv: ../other/secret.csv"), "csv: " + absolute, std::string("csv: link.csv"),
        std::string("csv: ../other/points.csv"), std::string("csv: ../other/nowhere.csv"),
        std::string("step: ../other/parts.step, face: slot")}) {
    const ProgramResult result = check(profile);
    EXPECT_EQ(result.exit_code, 2) << profile;
    EXPECT_THAT(result.out + result.err,
                AllOf(HasSubstr("model.yaml:2:"), HasSubstr("lies outside of the model's folder"),
                      HasSubstr("--allow-include DIR"), Not(HasSubstr("SECRETLINE"))))
        << profile;
  }
  const std::vector<std::string> allowed{"--allow-include", folder_ / "other"};
  EXPECT_EQ(check("csv: ../other/points.csv", allowed).exit_code, 0);
}

TEST_F(ProfileFiles, AreNotQuoted) {
  const ProgramResult result =
      check("csv: ../other/secret.csv", {"--allow-include", folder_ / "other"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out + result.err,
              AllOf(HasSubstr("secret.csv:2: expected two numbers"), Not(HasSubstr("SECRETLINE"))));
}

TEST_F(ProfileFiles, OfAModelFromStandardInputLieInTheFolderWhereItIsRead) {
  const std::string other = folder_ / "other/secret.csv";
  for (const std::string& line : {"include: " + other, "profiles: {p: {csv: " + other + "}}"}) {
    const ProgramResult result =
        run_shell("cd '" + (folder_ / "m").string() + "' && printf 'backlash: 1\n%s\n' '" + line +
                  "' | '" + program_file() + "' check -");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out + result.err, AllOf(HasSubstr("lies outside of the model's folder"),
                                               Not(HasSubstr("SECRETLINE"))));
  }
}

TEST_F(ProfileFiles, AreFilesAndNoPipes) {
  ASSERT_EQ(mkfifo((folder_ / "m/pipe").c_str(), 0600), 0);
  const ProgramResult result = check("csv: pipe");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out + result.err, HasSubstr("is no regular file"));
}

/// What is said of a profile from the file of parts, which lies in the same folder.
std::string complaint_on_part(const TemporaryFolder& folder, const std::string& profile) {
  std::filesystem::copy_file(data_folder() + "/parts.step", folder / "parts.step",
                             std::filesystem::copy_options::overwrite_existing);
  write_file(folder / "damaged.step", "ISO-10303-21;\nHEADER;\n");
  write_file(folder / "model.yaml", fmt::format(R"(backlash: 1
profiles:
  edge: {{{}}}
bodies:
  cam: {{mass: 1, inertia: 1, shape: {{profile: edge}}}}
)",
                                                profile));
  const ProgramResult result = run_program(program_file(), {"check", folder / "model.yaml"});
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_THAT(result.out + result.err,
              AllOf(HasSubstr("model.yaml:3:"), HasSubstr("profiles.edge")));
  return result.out + result.err;
}

TEST(ProfileBadInput, SaysWhatAStepFileLacksOrThatTheBuildReadsNone) {
  const TemporaryFolder folder;
  if (!reads_step()) {
    EXPECT_THAT(complaint_on_part(folder, "step: parts.step, face: slot"),
                AllOf(HasSubstr("made without OpenCASCADE"), HasSubstr("build again")));
    return;
  }
  EXPECT_THAT(complaint_on_part(folder, "step: damaged.step, edge: rim"),
              AllOf(HasSubstr("damaged.step"), HasSubstr("cannot be read as a STEP file")));
  EXPECT_THAT(complaint_on_part(folder, "step: parts.step, edge: rib"),
              AllOf(HasSubstr("there is no edge 'rib'"), HasSubstr("rim")));
  EXPECT_THAT(complaint_on_part(folder, "step: parts.step, face: rim"),
              AllOf(HasSubstr("there is no face 'rim'"), HasSubstr("slot")));
  EXPECT_THAT(complaint_on_part(folder, "step: parts.step, edge: rail"),
              HasSubstr("lies in no plane z = const"));
  EXPECT_THAT(complaint_on_part(folder, "step: parts.step, edge: right end, material: inside"),
              HasSubstr("an open profile has no inside"));
}

/// A ball rests on the slot of the file of parts, whose upper side is straight at y = 10 mm.
TEST(ProfileFromStep, IsTouchedWhereItsFaceIs) {
  if (!reads_step()) GTEST_SKIP() << "this build reads no STEP files";
  const TemporaryFolder folder;
  std::filesystem::copy_file(data_folder() + "/parts.step", folder / "parts.step");
  write_file(folder / "model.yaml", R"(backlash: 1
gravity: [0, -9.81]
profiles: {slot: {step: parts.step, face: slot}}
bodies:
  ground: {shape: {profile: slot}}
  ball: {mass: 2, inertia: 1e-4, shape: {circle: 5 mm}}
joints: {rail: {type: prismatic, between: [ground, ball], axis: [0, 1], initial: {position: 20 mm}}}
laws: {dead: {restitution: 0}}
contacts: {rest: {between: [ball, ground], law: dead}}
)");
  const ProgramResult rest =
      run_program(program_file(), {"equilibrium", folder / "model.yaml", "--json"});
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  const auto json = nlohmann::json::parse(rest.out);
  EXPECT_NEAR(json["coordinates"]["rail.q"], 0.015, 1e-12);
  ASSERT_EQ(json["loads"].size(), 1u);
  EXPECT_NEAR(json["loads"][0]["force_n"], 2 * 9.81, 1e-9);
  EXPECT_TRUE(json["stable"]);
  const ProgramResult check = run_program(program_file(), {"check", folder / "model.yaml"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_THAT(check.out, HasSubstr("profile 'slot': closed"));
}

std::string two_eggs(const std::string& guess) {
  return fmt::format(R"(backlash: 1
profiles: {{egg: {{periodic: true, points: [[1, 0], [0, 1], [-1, 0], [0, -1]]}}}}
bodies:
  ground: {{shape: {{profile: egg}}}}
  cam: {{mass: 1, inertia: 1, shape: {{profile: egg}}, initial: {{position: [0, 3]}}}}
laws: {{dead: {{restitution: 0}}}}
contacts: {{c: {{between: [cam, ground], law: dead{}}}}}
)",
                     guess);
}

TEST(ContactGuess, IsTakenNearTheClosestPointsAndRefusedFarFromThem) {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& guess) {
    write_file(folder / "model.yaml", two_eggs(guess));
    return run_program(program_file(), {"check", folder / "model.yaml"});
  };
  EXPECT_EQ(check("").exit_code, 0);
  const ProgramResult wrong = check(", guess: [0, 0]");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("model.yaml:7:"), HasSubstr("contact 'c'"),
                               HasSubstr("no closest points near the guess [0, 0]"),
                               HasSubstr("there are [")));
  const std::size_t at = wrong.out.find("there are [") + 10;
  const std::string found = wrong.out.substr(at, wrong.out.find(']', at) - at + 1);
  EXPECT_EQ(check(", guess: " + found).exit_code, 0) << found;
  EXPECT_EQ(check(", guess: [1]").exit_code, 2);
}

TEST(ContactGuess, IsForProfiles) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(backlash: 1
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 1, inertia: 1, shape: {circle: 1}, initial: {position: [0, 3]}}
laws: {dead: {restitution: 0}}
contacts: {c: {between: [ball, ground], law: dead, guess: [1, 2]}}
)");
  const ProgramResult result = run_program(program_file(), {"check", folder / "model.yaml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("neither side is one"));
}

TEST(ProfileBadInput, NamesTheProfilesThatThereAre) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(backlash: 1
profiles: {egg: {periodic: true, points: [[1, 0], [0, 1], [-1, 0], [0, -1]]}}
bodies: {cam: {mass: 1, inertia: 1, shape: {profile: eg}}}
)");
  const ProgramResult result = run_program(program_file(), {"check", folder / "model.yaml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err + result.out, AllOf(HasSubstr("no profile 'eg'"), HasSubstr("'egg'")));
}

TEST(ProfileCheck, DescribesProfilesAndFindsWhatIsWrongWithThem) {
  const TemporaryFolder folder;
  write_file(folder / "measured.csv", "x,y\n10,0\n0,10\n-10,0\n0,-10\n");
  write_file(folder / "model.yaml", R"(backlash: 1
profiles:
  eight: {periodic: true, points: [[1, 1], [-1, -1], [-1, 1], [1, -1]], material: left}
  bow: {closed: true, degree: 1, points: [[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]], material: left}
  drop: {closed: true, points: [[0, 0], [1, 1], [-1, 1], [0, 0]]}
  bean: {periodic: true, points: [[0.9, 0.1], [0.5, -0.6], [-0.5, -0.6], [-0.9, 0.1], [-0.7, 0.8],
                                  [-0.2, 0.2], [0.2, 0.2], [0.7, 0.8]]}
  worn: {csv: measured.csv, unit: mm, periodic: true}
  bent: {degree: 2, points: [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]], knots: [0, 0, 0, 1, 1, 2, 2, 2]}
  round: {degree: 2, closed: true, knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4], weights: [1, sqrt(0.5), 1, sqrt(0.5), 1, sqrt(0.5), 1, sqrt(0.5), 1],
          points: [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0]]}
  angle: {degree: 1, points: [[0, 0], [1, 0], [1, 1]]}
  twice: {periodic: true, points: [[0, 0], [0, 1], [1, 1], [1, 1], [1, 0]]}
  again: {periodic: true, points: [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]}
bodies:
  ground: {shapes: {hole: {profile: bean}}}
  ball: {mass: 1, inertia: 1, shape: {circle: 2}, initial: {position: [0, 9]}}
laws: {l: {restitution: 0}}
contacts: {c: {between: [ground.hole, ball], law: l}}
)");
  const ProgramResult result = run_program(program_file(), {"check", folder / "model.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("profile 'eight': crosses itself near u = "));
  EXPECT_THAT(result.out, HasSubstr("profile 'bow': crosses itself near u = "));
  EXPECT_THAT(result.out, HasSubstr("profile 'drop': has a corner of "));
  EXPECT_THAT(result.out, HasSubstr("warning: profile 'bent': has 1 corner inside, the sharpest of "
                                    "90 deg at u = 1"));
  EXPECT_THAT(result.out, HasSubstr("note: profile 'angle': has 1 corner inside"));
  EXPECT_THAT(result.out,
              HasSubstr("warning: profile 'twice': its control points 3 and 4 are the same"));
  EXPECT_THAT(result.out,
              HasSubstr("warning: profile 'again': its control points 5 and 1 are the same"));
  EXPECT_THAT(result.out,
              HasSubstr("profile 'round': closed, 0 continuous derivatives, parameter u "
                        "from 0 to 4 (its tangent and curvature are continuous)"));
  EXPECT_THAT(result.out, HasSubstr("profile 'bean': closed, 2 continuous derivatives"));
  EXPECT_THAT(result.out, HasSubstr("runs the other way than its points"));
  EXPECT_THAT(result.out, HasSubstr("made from 4 points of 'measured.csv', the largest deviation"));
  EXPECT_THAT(result.out, HasSubstr("it spans the hollow and touches it in two places"));
}

}  // namespace
}  // namespace backlash::test_profiles
