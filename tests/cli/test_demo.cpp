// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/bad_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ProgramResult backlash_program(const std::vector<std::string>& arguments) {
  return run_program(program_file(), arguments);
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

TEST(Demo, WritesTheColumnsOfTheManual) {
  const TemporaryFolder folder;
  const auto results = folder.path() / "out";
  const ProgramResult run = backlash_program({"demo", "slider-crank", "-o", results.string()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("energy balance"));
  EXPECT_THAT(run.out, HasSubstr(results.string() + ": states.csv"));
  EXPECT_THAT(first_line(results / "states.csv"),
              StartsWith("t [s],crank.angle.q [rad],rod.angle.q [rad],slider.angle.q [rad],"
                         "crank.angle.u [rad/s]"));
  EXPECT_EQ(first_line(results / "contacts.csv"),
            "t [s],contact,gap [m],gamma_n [m/s],gamma_t [m/s],impulse_n [N s],impulse_t [N s],"
            "force_n [N],force_t [N],peak_n [N],impact_n [N s],state,px [m],py [m],nx [-],ny [-],"
            "unit");
  EXPECT_EQ(first_line(results / "events.csv"),
            "t [s],kind,contact,gamma_n_before [m/s],gamma_n_after [m/s],impulse_n [N s],"
            "impulse_t [N s],energy_loss [J],px [m],py [m],nx [-],ny [-],unit");
  EXPECT_EQ(read_csv(results / "states.csv").size(), 1u + 1001u);  // 0 … 0.1 s every 1e-4 s
  EXPECT_EQ(read_csv(results / "contacts.csv").size(), 1u + 4u * 1001u);  // four corners each time
}

TEST(Demo, SliderCrankFirstHitsTheUpperGuideWhereTheReferenceSays) {
  const TemporaryFolder folder;
  const ProgramResult run = backlash_program(
      {"demo", "slider-crank", "--until", "0.003", "-o", folder.path().string(), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  const auto events = read_csv(folder.path() / "events.csv");
  ASSERT_EQ(events.size(), 3u);
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_NEAR(std::stod(events[i][0]), 2.69250275202121e-3, 1e-5);  // within one step
    EXPECT_EQ(events[i][1], "impact");
    EXPECT_EQ(events[i][2], i == 1 ? "guide.1" : "guide.2");
    EXPECT_NEAR(std::stod(events[i][3]), -0.841612322033, 0.01);
    EXPECT_NEAR(std::stod(events[i][4]), -0.4 * std::stod(events[i][3]), 1e-12);
  }
}

TEST(Demo, ImpulsesSinceTheRowBeforeAddUpWhateverTheOutputInterval) {
  const auto total = [](const std::string& every) {
    const TemporaryFolder folder;
    const ProgramResult run =
        backlash_program({"demo", "cam-follower", "--until", "0.06", "--step", "1e-5", "--every",
                          every, "-o", folder.path().string()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    double sum = 0;
    const auto rows = read_csv(folder.path() / "contacts.csv");
    for (std::size_t i = 1; i < rows.size(); ++i) sum += std::stod(rows[i][5]);
    return sum;
  };
  const double fine = total("1e-5"), coarse = total("7e-4");
  EXPECT_GT(fine, 1.0);
  EXPECT_NEAR(fine, coarse, 1e-9 * fine);
}

TEST(Demo, EverySolverGivesTheSameMotion) {
  double reference = 0;
  for (const std::string solver : {"auto", "enumeration", "lemke", "newton", "gauss-seidel",
                                   "augmented-lagrangian", "proximal-newton"}) {
    SCOPED_TRACE(solver);
    const ProgramResult run =
        backlash_program({"demo", "slider-crank", "--solver", solver, "--until", "0.02", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["status"], "done");
    EXPECT_EQ(json["options"]["solver"], solver);
    EXPECT_LE(json["worst_residual"].get<double>(), 1e-12);
    const double energy = json["energy"]["end"];
    if (solver == "auto") reference = energy;
    EXPECT_NEAR(energy, reference, 1e-7 * reference);
  }
}

TEST(Demo, ForceVelocityOfThePapersLosesMoreEnergyByItself) {
  const auto imbalance = [](const std::string& which) {
    const ProgramResult run =
        backlash_program({"demo", "slider-crank", "--force-velocity", which, "--json"});
    return nlohmann::json::parse(run.out)["energy"]["made_by_method"].get<double>();
  };
  EXPECT_LT(imbalance("start"), -0.03);
  EXPECT_LT(std::abs(imbalance("midpoint")), 0.003);
}

TEST(Demo, RefusesToReplaceResultsUnlessForced) {
  const TemporaryFolder folder;
  const std::vector<std::string> call{"demo", "cam-follower", "-o", folder.path().string()};
  ASSERT_EQ(backlash_program(call).exit_code, 0);
  const std::string before = first_line(folder.path() / "states.csv");
  const ProgramResult again = backlash_program(call);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_EQ(first_line(folder.path() / "states.csv"), before);
  std::vector<std::string> forced = call;
  forced.push_back("--force");
  EXPECT_EQ(backlash_program(forced).exit_code, 0);
}

class DemoBadInput : public ::testing::TestWithParam<BadCall> {};

TEST_P(DemoBadInput, EndsWithCodeTwoAndASentenceThatNamesTheTrouble) {
  const ProgramResult run = backlash_program(GetParam().arguments);
  expect_refused(run, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, DemoBadInput,
    ::testing::Values(
        BadCall{"unknown_demo",
                {"demo", "catapult"},
                "'catapult' does not exist; there are: slider-crank"},
        BadCall{"unknown_solver",
                {"demo", "slider-crank", "--solver", "magic"},
                "--solver: expected one of"},
        BadCall{"negative_step", {"demo", "slider-crank", "--step", "-1e-5"}, "--step"},
        BadCall{"step_not_a_number", {"demo", "slider-crank", "--step", "fast"}, "--step"},
        BadCall{"infinite_end", {"demo", "slider-crank", "--until", "inf"}, "--until"},
        BadCall{"force_velocity",
                {"demo", "slider-crank", "--force-velocity", "end"},
                "--force-velocity: expected one of"},
        BadCall{
            "folder_is_a_file", {"demo", "slider-crank", "-o", program_file()}, "results folder"},
        BadCall{"renamed_tolerance",
                {"demo", "slider-crank", "--tol", "1e-10"},
                "'--tol' is now '--tolerance' (see 'backlash demo --help')"},
        BadCall{"unknown_option", {"demo", "slider-crank", "--gravity", "0"}, "--gravity"}),
    name_of);

}  // namespace
}  // namespace backlash
