// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"
#include "backlash/io/results/results_file.h"
#include "cli/run_call.h"
#include "support/built_methods.h"
#include "support/files.h"
#include "support/models.h"
#include "support/paths.h"
#include "support/same_results.h"
#include "support/temporary_folder.h"

namespace backlash::test_run {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Path = std::filesystem::path;

std::vector<std::string> names_in(const Path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

void expect_files_agree(const Path& folder) {
  const Results results = read_results(folder / "results.h5");
  expect_same(results.states, folder / "states.csv");
  expect_same(results.contacts, folder / "contacts.csv");
  expect_same(results.events, folder / "events.csv");
}

/// A weight that hangs on nothing, pushed by a force that the test writes.
std::string falling_weight(const std::string& force) {
  return R"(backlash: 1
title: Weight
parameters: {F: 3 N, T: 1 s}
gravity: [0, -9.81]
bodies: {weight: {mass: 2, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], axis: [0, 1]}}
forces: {push: {type: joint_force, joint: guide, force: ")" +
         force + R"("}}
simulation: {step: 1e-3, until: 1}
)";
}

TEST(Run, TakesParametersWithTheirUnits) {
  const TemporaryFolder folder;
  for (const std::string value : {"0.5 mm", "5e-4 m", "500 um", "a/100"}) {
    SCOPED_TRACE(value);
    const ProgramResult result =
        run({slider_crank, "--set", "c=" + value, "--set", "a=50 mm", "--until", "0.005", "--force",
             "--json", "-o", (folder / "now").string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out)["parameters"]["c"], 5e-4);
    const std::string states = file_text(folder / "now/states.csv");
    if (value == "0.5 mm") write_file(folder / "first.csv", states);
    EXPECT_EQ(states, file_text(folder / "first.csv"));
  }
}

TEST(Run, FormatSaysWhichFilesThereAre) {
  const TemporaryFolder folder;
  const auto files = [&](const std::string& formats) {
    const Path to = folder / formats;
    EXPECT_EQ(run({slider_crank, "--until", "1e-3", "--format", formats, "-o", to}).exit_code, 0);
    return names_in(to);
  };
  EXPECT_THAT(files("csv"),
              UnorderedElementsAre("states.csv", "contacts.csv", "events.csv", "summary.json"));
  EXPECT_THAT(files("hdf5"), UnorderedElementsAre("results.h5", "summary.json"));
  EXPECT_THAT(files("hdf5,csv"), UnorderedElementsAre("states.csv", "contacts.csv", "events.csv",
                                                      "results.h5", "summary.json"));
}

TEST(Run, CsvAndHdf5HoldTheSameNumbersToTheBit) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run({slider_crank, "--until", "0.02", "--steps", "-o", folder.path().string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Results results = read_results(folder / "results.h5");
  EXPECT_EQ(results.status, "done");
  EXPECT_EQ(results.states.values.rows(), 201);
  EXPECT_EQ(results.steps.values.rows(), 2000);
  EXPECT_GT(results.events.values.rows(), 2);
  expect_files_agree(folder.path());
  expect_same(results.steps, folder / "steps.csv");
}

TEST(Run, WithAutomaticStepsHoldsTheirHistory) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run({slider_crank, "--until", "0.02", "--step", "auto", "--step-tolerance", "1e-6", "--every",
           "1e-3", "-o", folder.path().string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("steps of [0-9e.-]+ to [0-9e.-]+ s, [0-9]+ rejected"));
  const Results results = read_results(folder / "results.h5");
  EXPECT_EQ(results.states.values.rows(), 21);
  expect_same(results.steps, folder / "steps.csv");
  const auto summary = nlohmann::json::parse(file_text(folder / "summary.json"));
  EXPECT_EQ(summary["options"]["step"], "auto");
  EXPECT_EQ(summary["options"]["step_tolerance"], 1e-6);
  EXPECT_LT(summary["smallest_step"], summary["largest_step"]);
  const long steps = summary["steps"], rejected = summary["rejected_steps"];
  EXPECT_GT(rejected, 0);
  EXPECT_EQ(results.steps.values.rows(), steps + rejected);
  EXPECT_EQ(run({slider_crank, "--step-tolerance", "1e-6"}).exit_code, 2);  // it has no use
}

TEST(Run, ResultsHoldModelParametersAndOptions) {
  const TemporaryFolder folder;
  ASSERT_EQ(run({slider_crank, "--until", "1e-3", "--solver", "lemke", "--set", "c=2 mm", "-o",
                 folder.path().string()})
                .exit_code,
            0);
  const Results results = read_results(folder / "results.h5");
  ASSERT_EQ(results.run.model.size(), 1u);
  EXPECT_EQ(results.run.model[0].file, "model.yaml");
  EXPECT_EQ(results.run.model[0].text, file_text(slider_crank));
  EXPECT_EQ(results.summary, file_text(folder / "summary.json"));
  const auto summary = nlohmann::json::parse(results.summary);
  EXPECT_EQ(summary["parameters"]["c"], 2e-3);
  EXPECT_EQ(summary["options"]["solver"], "lemke");
  EXPECT_EQ(summary["options"]["until"], 1e-3);
}

TEST(Run, ExchangesALawAndSaysSoInItsResults) {
  const TemporaryFolder folder;
  const auto results_with = [&](const std::string& name, const std::string& law) {
    EXPECT_EQ(run({slider_crank, "--until", "0.01", "--law", law, "-o", folder / name}).exit_code,
              0);
    return read_results(folder / (name + "/results.h5"));
  };
  const Results same = results_with("same", "steel={restitution: 0.4, friction: 0.01}");
  const Results kept = results_with("kept", "steel={friction: 0.01}");
  const Results other = results_with("other", "steel={restitution: 0.9}");
  EXPECT_EQ(same.states.values, kept.states.values);
  EXPECT_NE(same.states.values, other.states.values);
  EXPECT_EQ(nlohmann::json::parse(other.summary)["options"]["law.steel"], "{restitution: 0.9}");
}

TEST(Run, PutsResultsBesideTheUserUnderTheModelsName) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_shell("cd '" + folder.path().string() + "' && exec '" + program_file() + "' run '" +
                slider_crank + "' --until 1e-3 --quiet");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(names_in(folder.path()), UnorderedElementsAre("slider_crank-results"));
}

TEST(Run, JsonIsTheSummaryAndQuietIsQuiet) {
  const TemporaryFolder folder;
  const ProgramResult json =
      run({slider_crank, "--until", "1e-3", "--json", "-o", (folder / "json").string()});
  EXPECT_EQ(json.out, file_text(folder / "json/summary.json"));
  EXPECT_EQ(nlohmann::json::parse(json.out)["steps"], 100);
  EXPECT_EQ(json.err, "");
  const ProgramResult quiet =
      run({slider_crank, "--until", "1e-3", "--quiet", "-o", (folder / "quiet").string()});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out, "");
  EXPECT_EQ(quiet.err, "");
}

/// A run that would last for hours, and that has written rows beyond the first.
class LongRun {
 public:
  LongRun() : program_(program_file(), arguments()) {
    while (!grown()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  RunningProgram& program() { return program_; }
  const Path& folder() const { return folder_.path(); }

 private:
  std::vector<std::string> arguments() const {
    return {"run",     slider_crank, "--until", "1e4",
            "--every", "step",       "-o",      folder_.path().string()};
  }
  bool grown() const {
    std::error_code missing;
    return std::filesystem::file_size(folder_ / "results.h5", missing) > 8'000'000 && !missing;
  }

  TemporaryFolder folder_;
  RunningProgram program_;
};

TEST(Run, ThatIsKilledLeavesFilesThatCanBeRead) {
  LongRun killed;
  killed.program().send(SIGKILL);
  EXPECT_EQ(killed.program().wait().exit_code, 128 + SIGKILL);
  const Results results = read_results(killed.folder() / "results.h5");
  EXPECT_EQ(results.status, "running");
  EXPECT_EQ(results.summary, "");
  EXPECT_EQ(results.run.model.size(), 1u);
  const Vector t = results.states.column("t");
  const long block = rows_per_block(assemble(read_model(slider_crank)).system->info());
  ASSERT_GE(t.size(), block);
  for (Eigen::Index i = 0; i < t.size(); ++i) ASSERT_NEAR(t[i], 1e-5 * double(i), 1e-9);
  EXPECT_GE(std::ssize(read_csv(killed.folder() / "states.csv")), block);
}

/// At whatever write of results.h5 the run ends, what can be read of it is right.
TEST(Run, ThatIsKilledWhileItWritesLeavesNoWrongNumbers) {
  int read = 0, whole = 0;
  for (int write = 150; write < 620; write += 29) {
    SCOPED_TRACE(write);
    const TemporaryFolder folder;
    const ProgramResult result = run_shell(
        "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD='" + kill_at_write_file() +
        "' KILL_AT_WRITE=" + std::to_string(write) + " exec '" + program_file() + "' run '" +
        slider_crank + "' --every step --format hdf5 --quiet -o '" + folder.path().string() + "'");
    if (result.exit_code == 0) ++whole;
    if (!std::filesystem::exists(folder / "results.h5")) continue;
    ++read;
    const Results results = read_results(folder / "results.h5");
    const Vector t = results.states.column("t");
    ASSERT_GE(t.size(), 1);
    for (Eigen::Index i = 0; i < t.size(); ++i) ASSERT_NEAR(t[i], 1e-5 * double(i), 1e-9);
    const Vector contact_t = results.contacts.column("t");  // four contacts
    for (Eigen::Index i = 0; i < contact_t.size(); ++i)
      ASSERT_NEAR(contact_t[i], 1e-5 * double(i / 4), 1e-9);
    EXPECT_TRUE(results.states.values.allFinite());
    EXPECT_TRUE(results.contacts.values.allFinite());
    EXPECT_TRUE(results.events.values.allFinite());
  }
  EXPECT_GE(read, 12);
  EXPECT_LE(whole, 3);
}

class RunInterrupted : public ::testing::TestWithParam<int> {};

TEST_P(RunInterrupted, EndsInOrderWithWhatItHas) {
  LongRun interrupted;
  interrupted.program().send(GetParam());
  const ProgramResult result = interrupted.program().wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("interrupted at t = "));
  EXPECT_THAT(result.out, HasSubstr("energy balance"));
  expect_files_agree(interrupted.folder());
  const Results results = read_results(interrupted.folder() / "results.h5");
  EXPECT_EQ(results.status, "interrupted");
  const auto summary = nlohmann::json::parse(file_text(interrupted.folder() / "summary.json"));
  EXPECT_EQ(summary["status"], "interrupted");
  const Vector t = results.states.column("t");
  EXPECT_EQ(summary["t"], t[t.size() - 1]);
  EXPECT_EQ(summary["steps"], t.size() - 1);
}

INSTANTIATE_TEST_SUITE_P(Signals, RunInterrupted, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(Run, ThatFailsKeepsWhatItComputedAndSaysWhy) {
  const TemporaryFolder folder;
  write_file(folder / "weight.yaml", falling_weight("F*sqrt(0.5 - t/T)"));
  const ProgramResult result =
      run({(folder / "weight.yaml").string(), "-o", (folder / "out").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("backlash: the step from t = 0.5"));
  EXPECT_THAT(result.err, HasSubstr("guide.u"));
  expect_files_agree(folder / "out");
  const Results results = read_results(folder / "out/results.h5");
  EXPECT_EQ(results.status, "failed");
  EXPECT_EQ(results.states.values.rows(), 501);
  const auto summary = nlohmann::json::parse(file_text(folder / "out/summary.json"));
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_THAT(result.err, HasSubstr(summary["message"].get<std::string>()));
}

TEST(Run, ThatExplodesNamesTheSpringThatItsStepIsTooLongFor) {
  const TemporaryFolder folder;
  std::ofstream(folder / "stiff.yaml") << R"(backlash: 1
bodies: {weight: {mass: 1, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], axis: [0, 1], initial: {position: 0.1}}}
forces: {s: {type: joint_spring, joint: guide, stiffness: 1e8 N/m}}
simulation: {step: 1e-3, until: 2}
)";
  const ProgramResult result =
      run({(folder / "stiff.yaml").string(), "-o", (folder / "results").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("stiff.yaml:4:13: force 's': guide.u swings at 1e+04 rad/s"));
  EXPECT_THAT(result.err, HasSubstr("the method itself has made "));
  EXPECT_THAT(result.err,
              HasSubstr("; the step 0.001 s is beyond the stability limit 0.0002 s of force 's'"));
  EXPECT_THAT(result.out, Not(HasSubstr("nan")));
  EXPECT_THAT(result.out, Not(HasSubstr("inf")));
  const auto summary = nlohmann::json::parse(file_text(folder / "results" / "summary.json"));
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_GE(summary["warnings"].size(), 1u);
}

TEST(Run, TellsLengthsAndAnglesOfContactsApart) {
  const TemporaryFolder folder;
  write_file(folder / "stops.yaml",
             fmt::format("backlash: 1{}simulation: {{step: 1e-3, until: 0.1}}\n", test::two_stops));
  const ProgramResult result =
      run({(folder / "stops.yaml").string(), "-o", (folder / "out").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("largest penetration +[0-9.e-]+ m, [0-9.e-]+ rad\n"));
  const auto summary = nlohmann::json::parse(file_text(folder / "out/summary.json"));
  EXPECT_LT(summary["largest_penetration"], 0.5 * 1e-3);  // the way of one step at most
  EXPECT_LT(summary["largest_angular_penetration"], 3 * 1e-3);
  EXPECT_GT(summary["largest_angular_penetration"], summary["largest_penetration"]);
  for (const auto& row : read_csv(folder / "out/events.csv")) {
    if (row[2] == "contact") continue;
    EXPECT_EQ(row.back(), row[2] == "pin.lower" ? "rad" : "m");
  }
  expect_files_agree(folder / "out");
}

/// A slider-crank given by its crank alone, whose pin between rod and slider has play.
std::string loose_slider_crank(const std::string& initial_of_rod, const std::string& simulation) {
  return R"(backlash: 1
bodies:
  crank: {mass: 0.3, inertia: 1e-4}
  rod: {mass: 0.2, inertia: 3e-4, com: [0.06, 0]}
  slider: {mass: 0.1, inertia: 1e-4}
joints:
  main: {type: revolute, between: [ground, crank], initial: {angle: 60 deg, speed: 30}}
  big: {type: revolute, between: [crank, rod], at: [[0.05, 0], [0, 0]])" +
         initial_of_rod + R"(}
  guide: {type: prismatic, between: [ground, slider], initial: {guess: 0.1}}
  small: {type: revolute, between: [rod, slider], at: [[0.12, 0], [0, 0]],
          clearance: {gap: 0.2 mm, journal_radius: 10 mm, law: steel}}
laws: {steel: {restitution: 0.5}}
simulation: {step: 1e-5, until: 1e-3, )" +
         simulation + "}\n";
}

TEST(Run, AssemblesThroughClearancesAndRefusesMoreThanTheirPlay) {
  const TemporaryFolder folder;
  const std::string model = (folder / "model.yaml").string();
  write_file(model, loose_slider_crank("", "coordinates: joint"));
  const ProgramResult good = run({model, "-o", (folder / "good").string()});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  write_file(model, loose_slider_crank(", initial: {angle: 0}", "initial_penetration: 1"));
  const ProgramResult bad = run({model, "-o", (folder / "bad").string()});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("joints.small: contact 'small.1' overlaps by "));
  EXPECT_THAT(bad.err, HasSubstr("more than the play of 0.0002 m"));
}

TEST(Run, KeepsResultsUnlessForced) {
  const TemporaryFolder folder;
  const std::vector<std::string> call{slider_crank, "--until", "1e-3", "-o",
                                      folder.path().string()};
  ASSERT_EQ(run(call).exit_code, 0);
  const std::string before = file_text(folder / "results.h5");
  std::vector<std::string> longer = call;
  longer[2] = "2e-3";
  const ProgramResult refused = run(longer);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(file_text(folder / "results.h5"), before);
  longer.push_back("--force");
  EXPECT_EQ(run(longer).exit_code, 0);
  EXPECT_EQ(read_results(folder / "results.h5").states.values.rows(), 21);
  expect_files_agree(folder.path());
}

/// Runs under a limit on the size of files, which acts as a disk that is full.
ProgramResult run_on_full_disk(int kilobytes, const std::string& arguments) {
  return run_shell("ulimit -f " + std::to_string(2 * kilobytes) +  // in blocks of 512 bytes
                   "; exec '" + program_file() + "' run '" + slider_crank + "' " + arguments);
}

TEST(Run, OnADiskThatFillsUpKeepsWhatWasWrittenAndSaysSo) {
  const TemporaryFolder folder;
  for (const std::string format : {"csv", "hdf5", "csv,hdf5"}) {
    SCOPED_TRACE(format);
    const Path to = folder / format;
    const ProgramResult result = run_on_full_disk(
        6000, "--until 0.5 --every step --format " + format + " -o '" + to.string() + "'");
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("cannot be written"));
    EXPECT_EQ(nlohmann::json::parse(file_text(to / "summary.json"))["status"], "failed");
    if (format != "csv") {
      const Vector t = read_results(to / "results.h5").states.column("t");
      EXPECT_GE(t.size(), 1);
      for (Eigen::Index i = 0; i < t.size(); ++i) ASSERT_NEAR(t[i], 1e-5 * double(i), 1e-9);
    }
    if (format == "hdf5") continue;
    for (const char* name : {"states.csv", "contacts.csv", "events.csv"}) {
      const std::string text = file_text(to / name);
      EXPECT_THAT(text, Not(HasSubstr(std::string(1, '\0'))));
      EXPECT_EQ(text.back(), '\n');
      const auto rows = read_csv(to / name);
      EXPECT_EQ(rows.back().size(), rows.front().size());
    }
  }
}

TEST(Run, OnAFullDiskTouchesNoEarlierResults) {
  const TemporaryFolder folder;
  ASSERT_EQ(run({slider_crank, "--until", "1e-3", "-o", folder.path().string()}).exit_code, 0);
  std::vector<std::string> before;
  for (const std::string& name : names_in(folder.path()))
    before.push_back(file_text(folder / name));
  const ProgramResult result =
      run_on_full_disk(1, "--until 2e-3 --force -o '" + folder.path().string() + "'");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("cannot be written"));
  std::vector<std::string> after;
  for (const std::string& name : names_in(folder.path())) after.push_back(file_text(folder / name));
  EXPECT_EQ(after, before);
}

TEST(Run, SaysWhenItsSummaryCannotBePrinted) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_shell("exec '" + program_file() + "' run '" + slider_crank +
                "' --until 1e-3 --json -o '" + folder.path().string() + "' >/dev/full");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("standard output"));
  EXPECT_EQ(read_results(folder / "results.h5").status, "done");
}

TEST(Run, TakesACompliantLawAndSaysWhatItDelivers) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run({slider_crank, "--method", "compliant", "--law",
           "steel={model: lankarani-nikravesh, restitution: 0.5, stiffness: 1e9 N/m^1.5}",
           "--until", "0.01", "-o", (folder.path() / "results").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("compliant: integrator adams, onset root, relative_tolerance 1e-08"));
  EXPECT_THAT(result.out, HasSubstr("restitution 0.5 asked for, 0.725241 delivered"));
}

TEST(Run, ThatCannotMeetItsToleranceNamesTheContactAndKeepsWhatItHas) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.2]}}
contacts: {hit: {between: [ground.floor, ball], law: odd}}
laws: {odd: {model: expression, force: 1e5*delta + 0*sqrt(1e-3 - delta)}}
simulation: {method: compliant, until: 1}
output: {every: 0.01}
)");
  const ProgramResult result =
      run({(folder / "model.yaml").string(), "-o", (folder / "results").string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("the step from t = 0.1435"));
  EXPECT_THAT(result.err, HasSubstr("(contact in question: hit)"));
  EXPECT_THAT(file_text(folder / "results/states.csv"), HasSubstr("\n0.14350"));
}

TEST(Run, TakesEveryOptionOfItsMethodFromTheCommandLineWithUnits) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run({slider_crank, "--scheme", "theta", "--theta", "0.75", "--step", "20 us", "--until",
           "2 ms", "--penetration-limit", "10 um", "--json", "-o", folder / "results"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto options = nlohmann::json::parse(result.out)["options"];
  EXPECT_EQ(options["scheme"], "theta");
  EXPECT_EQ(options["theta"], 0.75);
  EXPECT_DOUBLE_EQ(options["step"], 20e-6);
  EXPECT_DOUBLE_EQ(options["until"], 2e-3);
  EXPECT_DOUBLE_EQ(options["penetration_limit"], 10e-6);
  EXPECT_EQ(options["tolerance"], 1e-12);  // a default
}

/// A value that an option may have, as it is written.
std::string some_value(const OptionInfo& option) {
  if (option.kind == OptionInfo::Kind::choice) return option.choices.back();
  if (option.kind == OptionInfo::Kind::flag) return "true";
  if (option.kind == OptionInfo::Kind::integer) return "50";
  return option.range.kind == NumberRange::Kind::between ? fmt::format("{}", option.range.upper)
                                                         : "0.001";
}

TEST(Run, TakesEachOptionOfEachMethodFromTheCommandLine) {
  const TemporaryFolder folder;
  for (const IntegratorEntry& method : integrator_table())
    for (const OptionInfo& option : method.options) {
      if (!test::is_built(method)) continue;
      const std::string value = some_value(option), name = command_line_name(option.key);
      SCOPED_TRACE(method.name + " " + name + " " + value);
      std::vector<std::string> call{slider_crank, "--method", method.name,
                                    "--until",    "1e-3",     "--json",
                                    "--force",    "-o",       folder / "results"};
      if (method.name == "compliant")
        call.insert(call.end(), {"--law", "steel={model: calibrated, stiffness: 1e9 N/m}"});
      call.insert(call.end(), {name, value});
      if (!option.only_with.key.empty())
        call.insert(call.end(), {command_line_name(option.only_with.key), option.only_with.choice});
      const ProgramResult result = run(call);
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const auto said = nlohmann::json::parse(result.out)["options"][option.key];
      EXPECT_EQ(said.is_string() ? said.get<std::string>() : fmt::format("{}", said.get<double>()),
                value);
    }
}

}  // namespace
}  // namespace backlash::test_run
