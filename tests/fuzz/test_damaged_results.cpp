// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/printable.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

/// The program with results and contact problems that were damaged on their way.
namespace backlash {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using Random = std::mt19937_64;

/// A run that is whole, in a folder "good"; and room for a damaged one.
class DamagedResults : public ::testing::Test {
 protected:
  DamagedResults() {
    const ProgramResult run =
        run_program(program_file(), {"run", source_folder() + "/examples/falling_ball/model.yaml",
                                     "--until", "0.5", "--quiet", "-o", good()});
    if (run.exit_code != 0) throw std::runtime_error(run.err);
    bytes_ = file_text(good() + "/results.h5");
    std::filesystem::create_directory(folder_ / "bad");
  }

  std::string good() const { return folder_ / "good"; }
  std::string bad() const { return folder_ / "bad/results.h5"; }
  const std::string& bytes() const { return bytes_; }

  /// A command with the damaged file; `timeout` ends it with 124.
  ProgramResult call(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{"60", program_file()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program("/usr/bin/timeout", all);
  }

  std::vector<std::vector<std::string>> commands() const {
    return {{"info", bad()},
            {"report", folder_ / "bad", "-o", folder_ / "page.html"},
            {"plot", bad(), "ball.y", "-o", folder_ / "chart.svg"},
            {"compare", bad(), good()}};
  }

  TemporaryFolder folder_;
  std::string bytes_;
};

/// HDF5 keeps text of any length in heaps, and trusts what the heads of their entries say: an entry
/// that is larger than its heap, and one that is free and empty, so that the next is itself.
TEST_F(DamagedResults, OnWhichHdf5CrashesOrNeverEndsAreRefused) {
  constexpr std::size_t entry = 16, size_of_entry = 24, head = 16, size = 8;
  const std::size_t heap = bytes().find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  std::string crashes = bytes(), loops = bytes();
  crashes.replace(heap + size_of_entry, size, std::string(size, '\xff'));
  loops.replace(heap + entry, head, std::string(head, '\0'));
  for (const std::string& damaged : {crashes, loops}) {
    write_file(bad(), damaged);
    for (const auto& command : commands()) {
      const ProgramResult result = call(command);
      EXPECT_EQ(result.exit_code, 2) << command[0] << ": " << result.err;
      EXPECT_THAT(result.err, HasSubstr("bad"));
      EXPECT_THAT(result.err, HasSubstr("is damaged: the HDF5 library"));
    }
  }
}

/// Truncated, with bytes at its end, or with a few bytes changed, most of them where HDF5 keeps its
/// own records.
std::string damaged(const std::string& whole, Random& random) {
  constexpr std::array<std::string_view, 9> records{"TREE", "HEAP", "SNOD", "OHDR", "OCHK",
                                                    "FRHP", "BTHD", "GCOL", "FADB"};
  const auto below = [&](std::size_t bound) { return random() % bound; };
  std::string bytes = whole;
  const std::size_t kind = below(10);
  if (kind < 2) return bytes.substr(0, 1 + below(bytes.size() - 1));
  if (kind == 2) return bytes + std::string(100, static_cast<char>(random()));
  for (std::size_t changes = std::size_t{1} << below(5); changes > 0; --changes) {
    std::size_t at = below(bytes.size());
    if (below(3) == 0) at = below(std::min<std::size_t>(bytes.size(), 8192));
    const std::size_t record = bytes.find(records[below(records.size())], below(bytes.size()));
    if (below(2) == 0 && record != std::string::npos) at = record + below(64);
    const std::array<unsigned, 4> values{0, 255, 127, static_cast<unsigned>(random())};
    bytes[std::min(at, bytes.size() - 1)] = static_cast<char>(values[below(4)]);
  }
  return bytes;
}

void expect_an_answer(const ProgramResult& result, const std::string& command) {
  EXPECT_THAT(result.exit_code, AnyOf(Eq(0), Eq(1), Eq(2))) << command << ": " << result.err;
  EXPECT_EQ(find_not_text(result.out + result.err), std::string::npos) << command;
  EXPECT_LT(result.err.size(), 1500u) << command << ": " << result.err;
}

/// BACKLASH_CAMPAIGN=1200 tries so many files.
TEST_F(DamagedResults, AreAnsweredWithWhatTheyHoldOrWithWhatIsWrong) {
  const std::string problem = file_text(data_folder() + "/fclib/fclib-blocks-plane.hdf5");
  ASSERT_FALSE(problem.empty());
  const auto all = commands();
  const auto files = static_cast<std::size_t>(test::repetitions(100));
  Random random(test::first_seed());
  for (std::size_t i = 0; i < files; ++i) {
    SCOPED_TRACE(i);
    if (i % 5 == 4) {
      write_file(folder_ / "bad.hdf5", damaged(problem, random));
      expect_an_answer(call({"solve", folder_ / "bad.hdf5"}), "solve");
    } else {
      write_file(bad(), damaged(bytes(), random));
      expect_an_answer(call(all[i % 5]), all[i % 5][0]);
    }
  }
}

}  // namespace
}  // namespace backlash
