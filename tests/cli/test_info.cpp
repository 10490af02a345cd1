// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

/// What a run says of itself: in its summary, by `backlash info`, with -v, in colours.
namespace backlash::test_info {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

ProgramResult backlash_program(const std::vector<std::string>& arguments) {
  return run_program(program_file(), arguments);
}

std::string example(const std::string& name) {
  return source_folder() + "/examples/" + name + "/model.yaml";
}

/// A short run of the slider-crank.
struct ShortRun {
  TemporaryFolder folder;
  std::string out = folder / "out";
  ProgramResult program = backlash_program(
      {"run", example("slider_crank"), "--until", "0.01", "--set", "c = 0.5 mm", "-o", out});
};

TEST(Provenance, IsInTheSummary) {
  const ShortRun run;
  ASSERT_EQ(run.program.exit_code, 0) << run.program.err;
  const Json summary = Json::parse(file_text(run.out + "/summary.json"));
  EXPECT_THAT(summary["date"].get<std::string>(), ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(summary["command"], fmt::format("backlash run {} --until 0.01 --set 'c = 0.5 mm' -o {}",
                                            example("slider_crank"), run.out));
  const ProgramResult sum = run_program("/usr/bin/sha256sum", {example("slider_crank")});
  EXPECT_EQ(summary["sha256"]["model.yaml"], sum.out.substr(0, 64));
}

TEST(Provenance, HasTheLoadsOfJointsAndContacts) {
  const ShortRun run;
  const Json summary = Json::parse(file_text(run.out + "/summary.json"));
  const Json& loads = summary["peak_loads"];
  EXPECT_EQ(loads["joints"].size(), 4u);
  EXPECT_EQ(loads["joints"]["main"]["force"]["unit"], "N");
  EXPECT_TRUE(loads["drives"].empty());
  EXPECT_THAT(run.program.out, HasSubstr("peak joint forces       main "));
  EXPECT_THAT(run.program.out, HasSubstr("all 4 are in summary.json"));
}

TEST(Info, SaysWhatAResultHolds) {
  const ShortRun run;
  const ProgramResult info = backlash_program({"info", run.out});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, StartsWith("Slider-crank with a translational clearance joint\n"));
  EXPECT_THAT(info.out, HasSubstr("0 … 0.01 s, 101 rows"));
  EXPECT_THAT(info.out, HasSubstr("guide.1, guide.2, guide.3, guide.4"));
  const Json json = Json::parse(backlash_program({"info", run.out, "--json"}).out);
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["rows"], 101);
  EXPECT_EQ(json["contacts"].size(), 4u);
  EXPECT_EQ(json["parameters"]["c"], 0.0005);
  EXPECT_EQ(json["channels"][0]["name"], "t");
  EXPECT_EQ(json["channels"][0]["unit"], "s");
  const ProgramResult none = backlash_program({"info", run.folder / "nothing"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("there is no such file or folder"));
}

TEST(Verbose, NamesEveryOptionAndJoint) {
  const ShortRun run;
  const std::vector<std::string> call{
      "run", example("slider_crank"), "--until", "0.01", "-f", "-o", run.out};
  std::vector<std::string> verbose = call;
  verbose.push_back("-v");
  const ProgramResult all = backlash_program(verbose), usual = backlash_program(call);
  EXPECT_EQ(all.exit_code, 0) << all.err;
  for (const char* line :
       {"option step", "option max_iterations", "parameter l1", "solver iterations", "; guide "}) {
    EXPECT_THAT(all.out, HasSubstr(line));
    EXPECT_THAT(usual.out, Not(HasSubstr(line)));
  }
  verbose.push_back("-q");
  EXPECT_EQ(backlash_program(verbose).exit_code, 2);
}

/// With a terminal for its output.
std::string on_a_terminal(const std::string& command) {
  return run_program("/usr/bin/script", {"-qec", command, "/dev/null"}).out;
}

TEST(Colours, AreForTerminalsThatWantThem) {
  const std::string command = program_file() + " run nothing.yaml";
  EXPECT_THAT(on_a_terminal("TERM=xterm NO_COLOR= " + command),
              StartsWith("\033[1;31mbacklash: \033[0m"));
  EXPECT_THAT(on_a_terminal("TERM=xterm NO_COLOR=1 " + command), StartsWith("backlash: "));
  EXPECT_THAT(on_a_terminal("TERM=dumb " + command), StartsWith("backlash: "));
  EXPECT_THAT(backlash_program({"run", "nothing.yaml"}).err, StartsWith("backlash: "));
}

TEST(Check, EstimatesWhatTheRunWillTake) {
  const ProgramResult check = backlash_program({"check", example("slider_crank")});
  EXPECT_THAT(check.out, HasSubstr("the whole run           10000 steps, about "));
  const Json json = Json::parse(backlash_program({"check", example("slider_crank"), "--json"}).out);
  const Json& estimate = json["estimate"];
  EXPECT_EQ(estimate["steps"], 10000);
  EXPECT_NEAR(estimate["rows"].get<double>(), 1001, 1);
  const TemporaryFolder folder;
  ASSERT_EQ(backlash_program({"run", example("slider_crank"), "-q", "-o", folder / "o"}).exit_code,
            0);
  double bytes = 0;
  for (const char* file : {"states.csv", "contacts.csv", "results.h5"})
    bytes += static_cast<double>(std::filesystem::file_size(folder / (std::string("o/") + file)));
  EXPECT_NEAR(estimate["bytes"].get<double>() / bytes, 1, 0.5);
}

}  // namespace
}  // namespace backlash::test_info
