// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"
#include "backlash/io/results/results_file.h"
#include "cli/run_call.h"
#include "cli/run_files.h"
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

/// What is 0/0 at the start has an empty field in CSV and a value of its own in HDF5, is read as
/// NaN from both, and is warned of.
TEST(Run, LeavesOutWhatIsNotDefined) {
  const TemporaryFolder folder;
  write_file(folder / "m.yaml", falling_weight("F") +
                                    "output: {every: 0.1, quantities: {share: guide.u/guide.u, "
                                    "last: 1}}\n");
  const ProgramResult result = run({(folder / "m.yaml").string(), "-o", (folder / "now").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("quantity 'share' is not defined in 1 row"));
  const auto summary = nlohmann::json::parse(file_text(folder / "now/summary.json"));
  EXPECT_THAT(summary["warnings"].dump(), HasSubstr("quantity 'share'"));
  const std::string states = file_text(folder / "now/states.csv");
  const std::size_t first = states.find('\n') + 1, second = states.find('\n', first) + 1;
  EXPECT_TRUE(states.substr(first, second - first).ends_with(",,1\n"));
  EXPECT_THAT(states, Not(HasSubstr("nan")));
  const Hdf5Reader file(folder / "now/results.h5");
  EXPECT_EQ(file.numbers("/states/share")[0], missing_value);
  EXPECT_EQ(file.attribute("/states/share", "missing_value"), Hdf5Value(missing_value));
  const Results read = read_results(folder / "now/results.h5");
  EXPECT_TRUE(std::isnan(read.states.column("share")[0]));
  EXPECT_EQ(read.states.column("share")[1], 1);
  EXPECT_EQ(read.states.values.rows(), 11);
  for (const char* from : {"now", "now/states.csv"})
    EXPECT_EQ(run_program(program_file(), {"plot", (folder / from).string(), "share", "-o",
                                           (folder / "share.svg").string()})
                  .exit_code,
              0);
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
