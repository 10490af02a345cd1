// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/printable.h"
#include "backlash/io/results/results_file.h"
#include "cli/run_call.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/same_results.h"
#include "support/temporary_folder.h"

/// What else there is on the machine: other runs, closed streams, links that somebody laid.
namespace backlash::test_run {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> run_into(const std::filesystem::path& folder,
                                  std::vector<std::string> more = {}) {
  std::vector<std::string> call{"run", slider_crank, "--quiet", "-o", folder.string()};
  call.insert(call.end(), more.begin(), more.end());
  return call;
}

void expect_whole(const std::filesystem::path& folder, const std::string& status) {
  const Results results = read_results(folder / "results.h5");
  EXPECT_EQ(results.status, status);
  expect_same(results.states, folder / "states.csv");
  expect_same(results.contacts, folder / "contacts.csv");
  expect_same(results.events, folder / "events.csv");
}

/// Until a run that was just started holds its folder.
void wait_for_file(const std::filesystem::path& file) {
  for (int i = 0; i < 3000 && !std::filesystem::exists(file); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(std::filesystem::exists(file));
}

TEST(Sharing, OfSeveralRunsIntoOneFolderOneGoesThroughAndTheOthersAreRefused) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<RunningProgram>> runs;
  for (int i = 0; i < 4; ++i)
    runs.push_back(std::make_unique<RunningProgram>(program_file(),
                                                    run_into(folder.path(), {"--every", "step"})));
  int done = 0;
  for (const auto& program : runs) {
    const ProgramResult result = program->wait();
    if (result.exit_code == 0) {
      ++done;
      continue;
    }
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                AnyOf(HasSubstr("is being written by process "), HasSubstr("of an earlier run")));
  }
  EXPECT_EQ(done, 1);
  expect_whole(folder.path(), "done");
}

TEST(Sharing, ForceReplacesNoRunThatGoesOnButOneThatWasKilled) {
  const TemporaryFolder folder;
  RunningProgram first(program_file(), run_into(folder.path(), {"--until", "1000"}));
  wait_for_file(folder / "states.csv");
  const std::vector<std::string> second = run_into(folder.path(), {"--force", "--until", "1e-3"});
  const ProgramResult refused = run_program(program_file(), second);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("is being written by process "));
  first.send(SIGKILL);
  first.wait();
  EXPECT_EQ(run_program(program_file(), second).exit_code, 0);
  expect_whole(folder.path(), "done");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

TEST(Sharing, ARunWhoseFolderIsGivenToAnotherFailsAndLeavesItAlone) {
  const TemporaryFolder folder;
  const std::filesystem::path shared = folder / "shared";
  RunningProgram first(program_file(), run_into(shared, {"--until", "1000"}));
  wait_for_file(shared / "checkpoint.bin");
  std::filesystem::remove_all(shared);
  EXPECT_EQ(run_program(program_file(), run_into(shared, {"--until", "1e-3"})).exit_code, 0);
  const std::string summary = file_text(shared / "summary.json");
  const ProgramResult result = first.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("was removed or replaced while the run wrote to it"));
  EXPECT_EQ(file_text(shared / "summary.json"), summary);
  expect_whole(shared, "done");
}

TEST(Sharing, RemovesWhatKilledRunsLeftUnfinishedAndNothingElse) {
  const TemporaryFolder folder;
  const std::filesystem::path leftover = folder / "results.h5.0123456789abcdef.part",
                              other = folder / "results.h5.mine.part";
  for (const auto& file : {leftover, other}) write_file(file, "half of it");
  EXPECT_EQ(run_program(program_file(), run_into(folder.path(), {"--until", "1e-3"})).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(leftover));
  EXPECT_TRUE(std::filesystem::exists(other));
}

/// Files have no name before they are whole, where the file system can do that.
TEST(Sharing, OfRunsThatAreKilledNothingUnfinishedStays) {
  std::mt19937 random(test::first_seed());
  const long kills = test::repetitions(15);
  for (long k = 0; k < kills; ++k) {
    const TemporaryFolder folder;
    const int probe = open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0666);
    if (probe < 0) GTEST_SKIP() << "every file has a name here";
    close(probe);
    RunningProgram program(program_file(),
                           run_into(folder.path(), {"--until", "0.3", "--format", "csv"}));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 300'000));
    program.send(SIGKILL);
    program.wait();
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }
}

TEST(Sharing, FollowsNoLinkThatLiesInTheFolder) {
  const TemporaryFolder folder, other;
  std::ofstream(other / "treasure") << "untouched";
  for (const char* name : {".backlash.lock", "results.h5", "states.csv", "summary.json",
                           "states.csv.0123456789abcdef.part", "checkpoint.bin"})
    std::filesystem::create_symlink(other / "treasure", folder / name);
  EXPECT_EQ(run_program(program_file(), run_into(folder.path(), {"--force"})).exit_code, 2);
  std::filesystem::remove(folder / ".backlash.lock");
  EXPECT_EQ(run_program(program_file(), run_into(folder.path(), {"--force"})).exit_code, 0);
  EXPECT_EQ(file_text(other / "treasure"), "untouched");
  expect_whole(folder.path(), "done");
}

/// While a run writes: a number of 64 bits that is another one each time.
TEST(Sharing, TemporaryNamesCannotBeGuessed) {
  std::set<std::string> seen;
  for (int k = 0; k < 3; ++k) {
    const TemporaryFolder folder;
    RunningProgram program(program_file(), run_into(folder.path(), {"--until", "1000"}));
    std::set<std::string> names;
    for (int i = 0; i < 10000 && names.empty(); ++i)
      for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        if (entry.path().extension() == ".part") names.insert(entry.path().filename());
    program.send(SIGKILL);
    program.wait();
    for (const std::string& name : names) {
      EXPECT_THAT(name, ::testing::MatchesRegex(".*\\.[0-9a-f]{16}\\.part"));
      EXPECT_TRUE(seen.insert(name).second) << name;
    }
  }
}

TEST(Streams, ThatAreClosedTakeNothingAwayFromTheFiles) {
  const TemporaryFolder folder;
  for (const std::string closed : {">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    SCOPED_TRACE(closed);
    const std::string call = "exec '" + program_file() + "' run '" + slider_crank +
                             "' --until 1e-3 --force -o '" + folder.path().string() + "' " + closed;
    // What could not be said is a failure, as on a full disk; the results are there nevertheless.
    const bool mute = closed.find(">&-") == 0 || closed.find(" >&-") != std::string::npos;
    EXPECT_EQ(run_shell(call).exit_code, mute ? 1 : 0);
    expect_whole(folder.path(), "done");
    EXPECT_THAT(file_text(folder / "states.csv"), Not(HasSubstr("work of contacts")));
  }
}

TEST(Streams, ThatAreClosedAreAsThoseThatAreFull) {
  for (const char* lost : {">&-", ">/dev/full"})
    EXPECT_EQ(
        run_shell("exec '" + program_file() + "' check '" + slider_crank + "' " + lost).exit_code,
        1)
        << lost;
}

TEST(Streams, ThatTakeNoMessageDoNotChangeTheExitCode) {
  for (const char* lost : {"2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"}) {
    SCOPED_TRACE(lost);
    EXPECT_EQ(run_shell(std::string("exec '" + program_file() + "' run no_such_model.yaml ") + lost)
                  .exit_code,
              2);
    EXPECT_EQ(run_shell(std::string("exec '" + program_file() + "' run --no-such-option ") + lost)
                  .exit_code,
              2);
  }
}

TEST(Streams, ThatTakeNoHelpAreAFailure) {
  for (const char* asked : {"--help", "--version", "run --help"})
    EXPECT_EQ(run_shell("exec '" + program_file() + "' " + asked + " >/dev/full").exit_code, 1)
        << asked;
}

TEST(Streams, AreNeverSentWhatATerminalWouldObey) {
  const ProgramResult result = run({"no\033[31m\x9bsuch\n\xff.yaml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, Not(HasSubstr("\033")));
  EXPECT_THAT(result.err, HasSubstr("no\\x1b[31m\\x9bsuch\n\\xff.yaml"));
}

TEST(Streams, AndFilesTakeNoArgumentThatIsNoText) {
  const TemporaryFolder folder;
  const std::string model = folder / "n\033[31m.yaml";
  std::filesystem::copy_file(slider_crank, model);
  const std::vector<std::vector<std::string>> calls{
      {"run", slider_crank, "--until", "1e-3", "-o", folder / "oo\033[31m"},
      {"run", slider_crank, "--until", "1e-3", "-o", folder / "oo\xff"},
      {"run", model, "--until", "1e-3", "-o", folder / "results"},
      {"plot", folder / "results", "slider.x", "--title", "\xff", "-o", folder / "chart.svg"}};
  for (const auto& call : calls) {
    const ProgramResult result = run_program(program_file(), call);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("holds a control character or a byte that is no text"));
    EXPECT_EQ(find_not_text(result.out + result.err), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
}

/// Units, names and notes of a file that somebody else wrote.
TEST(Streams, ShowWhatAResultHoldsByItsBytesWhereItIsNoText) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program(program_file(), run_into(folder.path(), {"--until", "1e-3"})).exit_code, 0);
  const auto changed = [&](const char* path, const char* name, const std::string& value) {
    Hdf5Writer file(folder / "changed.h5", folder / "results.h5");
    file.attribute(path, name, value);
    file.commit();
    return folder / "changed.h5";
  };
  const std::filesystem::path unit = changed("/states/slider.x", "unit", "m\033[31m\xff");
  const ProgramResult list = run_program(program_file(), {"plot", unit});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("m\\x1b[31m\\xff"));
  EXPECT_EQ(find_not_text(list.out), std::string::npos);
  EXPECT_EQ(
      run_program(program_file(), {"plot", unit, "slider.x", "-o", folder / "chart.svg"}).exit_code,
      0);
  EXPECT_EQ(find_not_text(file_text(folder / "chart.svg")), std::string::npos);

  const ProgramResult title =
      run_program(program_file(), {"info", changed("/", "title", "a\033]0;b\007")});
  EXPECT_THAT(title.out, HasSubstr("a\\x1b]0;b\\x07"));
  const ProgramResult summary = run_program(
      program_file(), {"info", changed("/", "summary", R"({"command": "\u001b[31m"})")});
  EXPECT_EQ(summary.exit_code, 2);
  EXPECT_THAT(summary.err, HasSubstr("the summary of the run holds control characters"));
}

}  // namespace
}  // namespace backlash::test_run
