// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

/// What people type without looking it up.
namespace backlash::test_habits {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ProgramResult backlash_program(const std::vector<std::string>& arguments) {
  return run_program(program_file(), arguments);
}

ProgramResult shell(const std::string& command) {
  return run_program("/bin/bash", {"-c", command});
}

std::string ball() { return source_folder() + "/examples/bouncing_ball/model.yaml"; }

TEST(Habits, AModelComesThroughAPipe) {
  const TemporaryFolder folder;
  const auto states = [&](const std::string& command) {
    std::filesystem::remove_all(folder.path() / "out");
    const ProgramResult result =
        shell(fmt::format(fmt::runtime(command), fmt::arg("program", program_file()),
                          fmt::arg("model", ball()), fmt::arg("out", std::string(folder / "out"))));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return file_text(folder / "out/states.csv");
  };
  const std::string usual = states("{program} run {model} -q -o {out}");
  EXPECT_GT(usual.size(), 1000u);
  EXPECT_EQ(states("{program} run - -q -o {out} < {model}"), usual);
  EXPECT_EQ(states("{program} run <(cat {model}) -q -o {out}"), usual);
  const auto summary = nlohmann::json::parse(file_text(folder / "out/summary.json"));
  EXPECT_EQ(summary["files"].size(), 1u);
}

TEST(Habits, HelpOfACommandIsItsHelp) {
  const ProgramResult help = backlash_program({"help", "run"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.out, backlash_program({"run", "--help"}).out);
  EXPECT_THAT(backlash_program({"help"}).out, HasSubstr("equilibrium"));
  const ProgramResult wrong = backlash_program({"help", "rum"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("there is no command 'rum'; did you mean 'run'?"));
}

TEST(Habits, AnUnknownCommandGetsTheNearestName) {
  const ProgramResult typo = backlash_program({"chek", ball()});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("there is no command 'chek'; did you mean 'check'?"));
  EXPECT_THAT(backlash_program({ball()}).err, HasSubstr("to run a model: backlash run " + ball()));
}

TEST(Habits, ShortOptionsDoWhatLongOnesDo) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::vector<std::string> call{"run", ball(), "-q", "--until", "0.01", "-o", out};
  const ProgramResult first = backlash_program(call);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, "");
  EXPECT_EQ(backlash_program(call).exit_code, 2);
  std::vector<std::string> forced = call;
  forced.push_back("-f");
  EXPECT_EQ(backlash_program(forced).exit_code, 0);
  EXPECT_THAT(backlash_program({"-V"}).out, StartsWith("backlash "));
}

TEST(Habits, SpacesAreAllowedWhereAParameterIsSet) {
  const TemporaryFolder folder;
  const std::string model = folder / "m.yaml";
  write_file(
      model,
      "backlash: 1\nparameters: {L: 100 mm}\nbodies: {b: {mass: 1, inertia: 1, com: [L, 0]}}\n"
      "joints: {A: {type: revolute, between: [ground, b]}}\nsimulation: {until: 1e-3}\n");
  const ProgramResult run =
      backlash_program({"run", model, "--set", "L = 50 mm", "--json", "-o", folder / "o"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["parameters"]["L"], 0.05);
}

TEST(Habits, OutputWithoutAnIntervalIsAboutTwoThousandRowsAndEveryEvent) {
  const TemporaryFolder folder;
  const std::string model = folder / "m.yaml";
  write_file(
      model,
      "backlash: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 1, inertia: 1, shape: {circle: 0.1}, "
      "initial: {position: [0, 0.2]}}, ground: {shape: {line: {normal: [0, 1]}}}}\n"
      "contacts: {c: {between: [b, ground], law: l}}\nlaws: {l: {restitution: 0.8}}\n"
      "simulation: {step: 1e-4, until: 1.5}\n");
  const auto run = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", model, "-q", "-o", folder / name});
    EXPECT_EQ(backlash_program(more).exit_code, 0);
  };
  run("usual", {});
  run("all", {"--every", "step"});
  const auto rows = read_csv(folder / "usual/states.csv");
  EXPECT_NEAR(double(rows.size()), 2000, 250);  // each eighth of 15,000 steps
  EXPECT_NEAR(std::stod(rows[2][0]), 8e-4, 1e-15);
  EXPECT_EQ(read_csv(folder / "all/states.csv").size(), 15002u);
  EXPECT_EQ(file_text(folder / "usual/events.csv"), file_text(folder / "all/events.csv"));
}

}  // namespace
}  // namespace backlash::test_habits
