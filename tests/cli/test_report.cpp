// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bad_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A short run of an example.
ProgramResult short_run(const std::filesystem::path& folder) {
  return backlash_program({"run", source_folder() + "/examples/slider_crank/model.yaml", "-o",
                           folder.string(), "--until", "0.003", "--quiet"});
}

/// Whether the program has reports; one that was built without Node.js must say that it has none.
bool has_reports() {
  const ProgramResult result = backlash_program({"report", "nowhere"});
  EXPECT_EQ(result.exit_code, 2);
  return result.err.find("this build has no report: Node.js and npm were missing") ==
         std::string::npos;
}

TEST(Report, IsOneFileBesideTheResultsThatAsksForNothingElse) {
  if (!has_reports()) return;
  const TemporaryFolder folder;
  ASSERT_EQ(short_run(folder / "run").exit_code, 0);
  const ProgramResult result = backlash_program({"report", (folder / "run").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("report.html"));
  const std::string page = file_text(folder / "run/report.html");
  EXPECT_LT(page.size(), 600'000u);
  EXPECT_THAT(page, HasSubstr("<title>Slider-crank with a translational clearance joint</title>"));
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "BACKLASH-DATA"})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

TEST(Report, IsMadeOfAFileWithoutItsModelAndWhereAsked) {
  if (!has_reports()) return;
  const TemporaryFolder folder;
  ASSERT_EQ(short_run(folder / "run").exit_code, 0);
  std::filesystem::rename(folder / "run/results.h5", folder / "alone.h5");
  std::filesystem::remove_all(folder / "run");
  const ProgramResult result =
      backlash_program({"report", (folder / "alone.h5").string(), "-o",
                        (folder / "page.html").string(), "--show", "guide.gap*,crank.omega"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "page.html"));
}

/// The places of the page that the program fills are words that a title may have, too.
TEST(Report, TakesAnyTitle) {
  if (!has_reports()) return;
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
title: BACKLASH-DATA of a <b>ball</b> BACKLASH-TITLE
bodies: {ball: {mass: 1, inertia: 1}}
simulation: {step: 1e-3, until: 0.01}
)");
  const std::string run = (folder / "run").string();
  ASSERT_EQ(
      backlash_program({"run", (folder / "model.yaml").string(), "-o", run, "--quiet"}).exit_code,
      0);
  ASSERT_EQ(backlash_program({"report", run}).exit_code, 0);
  const std::string page = file_text(folder / "run/report.html");
  EXPECT_THAT(page,
              HasSubstr("<title>BACKLASH-DATA of a &lt;b>ball&lt;/b> BACKLASH-TITLE</title>"));
  EXPECT_THAT(page, HasSubstr("type=\"text/plain\">e"));  // base64 of a zlib stream
}

TEST(Report, OfACsvFileThatNoRunWroteIsRefused) {
  const TemporaryFolder folder;
  write_file(folder / "states.csv", "t,a.x\n0,1\n");
  write_file(folder / "other.csv", "t,a.x\n0,1\n");
  const ProgramResult result = backlash_program({"report", (folder / "other.csv").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("other.csv: is none of the CSV files that a run writes"));
}

TEST(Report, OfResultsThatAreNoneIsRefused) {
  if (!has_reports()) return;
  const TemporaryFolder folder;
  ASSERT_EQ(short_run(folder / "run").exit_code, 0);
  const std::string whole = file_text(folder / "run/results.h5");
  std::ofstream(folder / "cut.h5", std::ios::binary) << whole.substr(0, whole.size() / 3);
  std::ofstream(folder / "foreign.h5", std::ios::binary) << "a letter to my aunt";
  std::filesystem::create_directory(folder / "empty");
  // A run that wrote the heads of its tables, and no row.
  std::filesystem::create_directory(folder / "rowless");
  for (const char* table : {"states.csv", "contacts.csv", "events.csv"}) {
    const std::string text = file_text(folder / "run" / table);
    std::ofstream(folder / "rowless" / table) << text.substr(0, text.find('\n') + 1);
  }
  const std::string run = (folder / "run").string();
  const std::vector<BadCall> calls{
      {"nothing there", {"report", (folder / "none").string()}, "there is no such file"},
      {"truncated", {"report", (folder / "cut.h5").string()}, "cut.h5"},
      {"foreign", {"report", (folder / "foreign.h5").string()}, "foreign.h5"},
      {"no results", {"report", (folder / "empty").string()}, "holds no results"},
      {"no row", {"report", (folder / "rowless").string()}, "the run left no row of its motion"},
      {"no row to plot",
       {"plot", (folder / "rowless").string(), "crank.omega"},
       "the run left no row of its motion"},
      {"no row to compare",
       {"compare", run, (folder / "rowless").string()},
       "the run left no row of its motion"},
      {"unknown channel", {"report", run, "--show", "crank.omegq"}, "crank.omega"},
      {"no folder for the page", {"report", run, "-o", "/nowhere/at/all/page.html"}, "/nowhere"},
  };
  for (const BadCall& call : calls) {
    SCOPED_TRACE(call.name);
    expect_refused(backlash_program(call.arguments), call);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "run/report.html"));
}

}  // namespace
}  // namespace backlash
