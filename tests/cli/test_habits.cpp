// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <numbers>
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

TEST(Habits, ANameThatIsNotThereIsNamedWithTheNearest) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(ball(), folder / "model.yaml");
  const auto said = [&](const std::vector<std::string>& call) {
    const ProgramResult result = backlash_program(call);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(
      said({"run", folder / "modle.yaml"}),
      HasSubstr(std::string(folder / "modle.yaml") + ": there is no such file; did you mean '" +
                std::string(folder / "model.yaml") + "'?"));
  EXPECT_THAT(said({"check", folder.path().string()}),
              HasSubstr("a folder, expected a file; did you mean '"));
  EXPECT_THAT(said({"run", ball(), "--method", "morau"}), HasSubstr("did you mean 'moreau'?"));
  EXPECT_THAT(said({"run", ball(), "--solver", "lemk"}), HasSubstr("did you mean 'lemke'?"));
  EXPECT_THAT(said({"run", ball(), "--format", "cvs"}), HasSubstr("did you mean 'csv'?"));
  EXPECT_THAT(said({"demo", "slider-crnk"}), HasSubstr("did you mean 'slider-crank'?"));
}

/// An arm of one spring rests at the same angle, however fast it would begin.
TEST(Habits, EquilibriumIsAskedOfModelsThatMove) {
  const TemporaryFolder folder;
  const auto rest = [&](const std::string& initial) {
    const std::string file = folder / "model.yaml";
    write_file(file, R"(
backlash: 1
bodies: {arm: {mass: 1, inertia: 0.01}, ball: {mass: 1, inertia: 1, initial: {velocity: [1, 2], speed: 3}}}
joints:
  pin: {type: revolute, between: [ground, arm], initial: {)" +
                         initial + R"(}}
forces: {coil: {type: joint_force, joint: pin, force: 2 N m - 4 N m/rad*pin.q}}
)");
    const ProgramResult result = backlash_program({"equilibrium", file, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["coordinates"]["pin.q"].get<double>();
  };
  EXPECT_NEAR(rest("speed: 20"), 0.5, 1e-9);
  EXPECT_NEAR(rest("angle: 1, speed: -3"), 0.5, 1e-9);
  // Without friction crank and rod hang down, wherever in its guide the slider is.
  const ProgramResult crank =
      backlash_program({"equilibrium", source_folder() + "/examples/slider_crank/model.yaml",
                        "--law", "steel={friction: 0}", "--json"});
  EXPECT_EQ(crank.exit_code, 0) << crank.err;
  const auto found = nlohmann::json::parse(crank.out);
  EXPECT_NEAR(found["coordinates"]["main.q"].get<double>(), -std::numbers::pi / 2, 1e-6);
  // Two corners carry the slider and half of the rod.
  ASSERT_EQ(found["loads"].size(), 2u);
  for (const auto& load : found["loads"])
    EXPECT_NEAR(load["force_n"].get<double>(), (0.076 + 0.038 / 2) * 9.81 / 2, 1e-6);
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
