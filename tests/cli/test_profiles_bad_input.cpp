// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash::test_profiles {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
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
  write_file(folder / "three.csv", "0 0\n1 0\n1 1\n");
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
                      HasSubstr(GetParam().complaint), HasSubstr(GetParam().more)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ProfileBadInput,
    ::testing::Values(
        BadProfile{"too_few_control_points", "points: [[0, 0], [1, 0], [1, 1]]",
                   "needs at least 4 control points, has 3"},
        BadProfile{"too_few_of_a_periodic_one", "periodic: true, points: [[0, 0], [1, 0]]",
                   "needs at least 3 control points, has 2"},
        BadProfile{"knots_that_decrease",
                   "points: [[0, 0], [1, 0], [1, 1], [2, 1]], knots: [0, 0, 0, 0, 1, 1, 0.5, 1]",
                   "knots must not decrease", "0.5 follows 1"},
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
        BadProfile{"no_file", "csv: nowhere.csv", "nowhere.csv: there is no such file"},
        BadProfile{"words_for_numbers", "csv: words.csv", "words.csv:4: expected two numbers"},
        BadProfile{"too_few_points_in_a_file", "csv: three.csv",
                   "needs at least 4 control points and as many points", "has 3"},
        BadProfile{"knots_of_a_file", "csv: three.csv, knots: [0, 1]",
                   "'knots' belongs to control points"},
        BadProfile{"points_and_a_file", "csv: three.csv, points: [[0, 0], [1, 0]]",
                   "stand side by side"},
        BadProfile{"nothing", "degree: 3", "points"}),
    [](const auto& test) { return test.param.name; });

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
  drop: {closed: true, points: [[0, 0], [1, 1], [-1, 1], [0, 0]]}
  bean: {periodic: true, points: [[0.9, 0.1], [0.5, -0.6], [-0.5, -0.6], [-0.9, 0.1], [-0.7, 0.8],
                                  [-0.2, 0.2], [0.2, 0.2], [0.7, 0.8]]}
  worn: {csv: measured.csv, unit: mm, periodic: true}
bodies:
  ground: {shapes: {hole: {profile: bean}}}
  ball: {mass: 1, inertia: 1, shape: {circle: 2}, initial: {position: [0, 9]}}
laws: {l: {restitution: 0}}
contacts: {c: {between: [ground.hole, ball], law: l}}
)");
  const ProgramResult result = run_program(program_file(), {"check", folder / "model.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("profile 'eight': crosses itself near u = "));
  EXPECT_THAT(result.out, HasSubstr("profile 'drop': has a corner of "));
  EXPECT_THAT(result.out, HasSubstr("profile 'bean': closed, 2 continuous derivatives"));
  EXPECT_THAT(result.out, HasSubstr("runs the other way than its points"));
  EXPECT_THAT(result.out, HasSubstr("made from 4 points of 'measured.csv', the largest deviation"));
  EXPECT_THAT(result.out, HasSubstr("it spans the hollow and touches it in two places"));
}

}  // namespace
}  // namespace backlash::test_profiles
