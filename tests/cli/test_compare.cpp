// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/bad_call.h"
#include "cli/run_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ProgramResult compare(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "compare");
  return run_program(program_file(), arguments);
}

json compare_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const ProgramResult done = compare(std::move(arguments));
  EXPECT_EQ(done.exit_code, 0) << done.err;
  return json::parse(done.out);
}

const json& channel(const json& run, const std::string& name) {
  for (const json& d : run["differences"])
    if (d["channel"] == name) return d;
  ADD_FAILURE() << "no channel " << name;
  return run;
}

class CompareCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TemporaryFolder;
    const auto run = [](const std::string& name, std::vector<std::string> more) {
      more.insert(more.begin(),
                  {test_run::slider_crank, "--until", "0.02", "--quiet", "-o", *folder / name});
      ASSERT_EQ(test_run::run(more).exit_code, 0);
    };
    run("a", {});
    run("fine", {"--step", "1e-6"});
    run("less_play", {"--set", "c=0.9 mm"});
  }
  static void TearDownTestSuite() { delete folder; }
  static std::string at(const std::string& name) { return *folder / name; }

  static inline TemporaryFolder* folder = nullptr;
};

/// A block that slides and does not turn: its angle is round-off in both runs.
TEST(Compare, TakesTheRoundOffOfABodyThatDoesNotTurnForNoDisagreement) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  block: {mass: 3, inertia: 0.01, shape: {box: [0.2, 0.1]},
          initial: {position: [0, 0.05], velocity: [1, 0]}}
contacts: {foot: {between: [block, ground.floor], law: wood}}
laws: {wood: {restitution: 0, friction: 0.25}}
simulation: {step: 1e-3, until: 0.3}
output: {every: 0.01}
)");
  const ProgramResult done =
      compare({folder / "model.yaml", "--variant", "step=1e-3", "--variant", "step=3e-4"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("never"));
  EXPECT_THAT(done.out, Not(HasSubstr("agree until")));
}

TEST(Compare, FindsThatRunsInWhichNothingMovesAreEqual) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
bodies: {block: {mass: 3, inertia: 0.01}}
joints: {rail: {type: prismatic, between: [ground, block]}}
simulation: {step: 1e-3, until: 0.01}
)");
  const ProgramResult done =
      compare({folder / "model.yaml", "--variant", "step=1e-3", "--variant", "step=5e-4"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("block.x"));
  EXPECT_THAT(done.out, HasSubstr("never"));
}

TEST(Compare, SaysThatRunsAreOfTwoModels) {
  const TemporaryFolder folder;
  for (const std::string name : {"one", "other"}) {
    write_file(folder / "model.yaml", "backlash: 1\ntitle: The " + name + R"(
bodies: {ball: {mass: 1, inertia: 1, initial: {velocity: [1, 0]}}}
simulation: {step: 1e-3, until: 0.01}
)");
    ASSERT_EQ(test_run::run({folder / "model.yaml", "--quiet", "-o", folder / name}).exit_code, 0);
  }
  EXPECT_THAT(compare({folder / "one", folder / "other"}).out,
              HasSubstr("other: another model, 'The other'"));
  EXPECT_THAT(compare({folder / "one", folder / "one"}).out, Not(HasSubstr("another model")));
}

/// All of the momentum: m v (1 + e), not what the first step of the contact has.
TEST(Compare, SummariesHaveTheImpulseOfTheWholeImpactWhereContactsAreForces) {
  const TemporaryFolder folder;
  const ProgramResult done = test_run::run({source_folder() + "/examples/falling_ball/model.yaml",
                                            "--until", "0.6", "--json", "-o", folder / "out"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const json hardest = json::parse(done.out)["hardest_impact"];
  EXPECT_NEAR(hardest["speed"], 4.20214231077435, 1e-6);
  EXPECT_NEAR(hardest["impulse"], 2 * 4.20214231077435, 2e-3);
}

TEST_F(CompareCommand, FindsNoDifferenceBetweenARunAndItself) {
  const json out = compare_json({at("a"), at("a/results.h5")});
  for (const json& d : out["runs"][0]["differences"]) {
    EXPECT_EQ(d["max"], 0);
    EXPECT_TRUE(d["t_disagree"].is_null());
  }
  EXPECT_EQ(out["runs"][0]["impacts"]["matched_reference"], out["runs"][0]["impacts"]["reference"]);
  EXPECT_EQ(out["runs"][0]["agree_until"], 0.02);
}

TEST_F(CompareCommand, GivesDifferencesAsNumbers) {
  const json out = compare_json({at("a"), at("fine"), at("less_play"), "--impact-time", "50 us"});
  ASSERT_EQ(out["runs"].size(), 2u);
  const json &fine = out["runs"][0], &other = out["runs"][1];
  EXPECT_EQ(fine["agree_until"], 0.02);
  EXPECT_GT(double(channel(fine, "slider.y")["max"]), 0);
  EXPECT_LT(double(channel(fine, "slider.y")["max"]), 1e-5);
  EXPECT_LT(double(fine["impacts"]["largest_shift"]), 5e-5);
  // Less play: the slider hits earlier, after 2.69 ms · (0.9)^(1/4 … 1/2).
  EXPECT_NEAR(double(channel(other, "slider.y")["max"]), 1e-4, 5e-4);
  EXPECT_LT(double(other["agree_until"]), 0.003);
  EXPECT_GT(double(other["agree_until"]), 0.002);
  EXPECT_LT(int(other["impacts"]["matched_reference"]), int(other["impacts"]["reference"]));
  EXPECT_LE(double(channel(other, "slider.y")["rms"]), double(channel(other, "slider.y")["max"]));
}

TEST_F(CompareCommand, RunsAModelWithSeveralSolversAndSteps) {
  const json out = compare_json({test_run::slider_crank, "--solvers", "lemke,augmented-lagrangian",
                                 "--variant", "step=5e-6", "--until", "0.01"});
  ASSERT_EQ(out["runs"].size(), 2u);
  EXPECT_EQ(out["reference"], "moreau lemke");
  EXPECT_EQ(out["runs"][0]["name"], "moreau augmented-lagrangian");
  for (const json& d : out["runs"][0]["differences"])
    EXPECT_LT(double(d["max"]), 1e-6 * std::max(1e-3, double(d["scale"]))) << d;
  EXPECT_EQ(out["runs"][1]["name"], "step=5e-6");
}

TEST_F(CompareCommand, RunsBothPhysicsOnOneModel) {
  const json out = compare_json({test_run::slider_crank, "--methods", "moreau,compliant", "--law",
                                 "steel={model: calibrated, stiffness: 1e11 N/m^1.5}", "--until",
                                 "5e-3", "--channel", "crank.angle", "--channel", "slider.y"});
  const json& compliant = out["runs"][0];
  EXPECT_EQ(compliant["name"], "compliant");
  EXPECT_EQ(compliant["differences"].size(), 2u);
  EXPECT_EQ(compliant["agree_until"], 5e-3);
  EXPECT_GT(double(channel(compliant, "slider.y")["max"]), 1e-9);
  EXPECT_EQ(compliant["impacts"]["matched_reference"], compliant["impacts"]["reference"]);
}

TEST_F(CompareCommand, WritesAPageThatNeedsNothingElse) {
  const std::string file = at("comparison.html");
  const ProgramResult done = compare({at("a"), at("less_play"), "-o", file});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("agree until t = 0.00"));
  EXPECT_THAT(done.out, HasSubstr("hard impacts matched"));
  EXPECT_THAT(done.out, Not(HasSubstr("e+02 %")));
  const std::string page = file_text(file);
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  for (const char* part :
       {"<svg ", "slider.vy", "disagrees from", "Hard impacts with a partner", "</html>"})
    EXPECT_THAT(page, HasSubstr(part));
  for (const char* part : {"<script", "<link", "src=", "url(", "nan", "inf<"})
    EXPECT_THAT(page, Not(HasSubstr(part)));
}

TEST_F(CompareCommand, ComparesWhatAnInterruptedRunLeft) {
  const std::string part = at("part");
  std::filesystem::create_directory(part);
  const std::string states = file_text(at("a") + "/states.csv");
  write_file(part + "/states.csv", states.substr(0, states.size() / 2));
  const ProgramResult done = compare({at("a"), part, "--json"});
  EXPECT_EQ(done.exit_code, 1);
  const json out = json::parse(done.out);
  EXPECT_LT(double(out["t_end"]), 0.015);
  EXPECT_THAT(std::string(out["notes"][1]), HasSubstr("killed"));
}

class BadCompareCall : public CompareCommand, public ::testing::WithParamInterface<BadCall> {};

TEST_P(BadCompareCall, IsRefused) {
  std::vector<std::string> arguments;
  for (const std::string& argument : GetParam().arguments)
    arguments.push_back(argument.starts_with("@") ? at(argument.substr(1)) : argument);
  expect_refused(compare(arguments), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Calls, BadCompareCall,
    ::testing::Values(
        BadCall{"one", {"@a"}, "at least two runs"}, BadCall{"none", {"@a", "@nowhere"}, "nowhere"},
        BadCall{"model_alone", {test_run::slider_crank}, "--methods, --solvers or --variant"},
        BadCall{
            "methods_of_runs", {"@a", "@fine", "--solvers", "lemke,newton"}, "a single .yaml file"},
        BadCall{"solver", {test_run::slider_crank, "--solvers", "lemke,magic"}, "magic"},
        BadCall{"method", {test_run::slider_crank, "--methods", "moreau,magic"}, "magic"},
        BadCall{"variant",
                {test_run::slider_crank, "--variant", "fast", "--variant", "step=1"},
                "'fast'"},
        BadCall{"channel", {"@a", "@fine", "--channel", "slider.zz"}, "'slider.zz'"},
        BadCall{"page", {"@a", "@fine", "-o", "page.pdf"}, "an .html or a .json"},
        BadCall{"tolerance", {"@a", "@fine", "--allowed-difference", "0"}, "--allowed-difference"}),
    [](const auto& call) { return std::string(call.param.name); });

}  // namespace
}  // namespace backlash
