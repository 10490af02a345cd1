// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <hdf5.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/printable.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

/// The program with models and results that somebody made to do harm.
namespace backlash {
namespace {

using ::testing::HasSubstr;
using Path = std::filesystem::path;

const std::string ball = source_folder() + "/examples/falling_ball/model.yaml";

/// At most so many seconds, after which `timeout` ends it with 124.
ProgramResult call(const std::vector<std::string>& arguments, int seconds = 60) {
  std::vector<std::string> all{std::to_string(seconds), program_file()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program("/usr/bin/timeout", all);
}

void expect_refused(const ProgramResult& result, const std::string& what) {
  EXPECT_EQ(result.exit_code, 2) << what << ": " << result.err;
  EXPECT_LT(result.err.size(), 1500u) << what;
  EXPECT_EQ(find_not_text(result.out + result.err), std::string::npos) << what;
}

/// Puts another dataset in the place of one of a file: so many numbers, stored as `storage` says.
void replace_dataset(const Path& file, const char* name, hsize_t count,
                     const std::function<void(hid_t)>& set_storage) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(id, 0);
  H5Ldelete(id, name, H5P_DEFAULT);
  const hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
  set_storage(storage);
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t data =
      H5Dcreate2(id, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, storage, H5P_DEFAULT);
  EXPECT_GE(data, 0);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(storage);
  H5Fclose(id);
}

struct Harm {
  const char* what;
  hsize_t count;
  std::function<void(hid_t)> storage;
};

const std::vector<Harm>& harms() {
  static const std::vector<Harm> all{{"claims 3e8 numbers", 300'000'000,
                                      [](hid_t storage) {
                                        const hsize_t chunk = 4096;
                                        H5Pset_chunk(storage, 1, &chunk);
                                      }},
                                     {"claims 3e8 numbers in one piece", 300'000'000, [](hid_t) {}},
                                     {"is stored elsewhere", 1, [](hid_t storage) {
                                        H5Pset_external(storage, "/etc/hostname", 0, 8);
                                      }}};
  return all;
}

TEST(HostileInput, ResultsThatLieAreRefusedByEveryCommand) {
  const TemporaryFolder folder;
  const std::string good = folder / "good", bad = folder / "bad";
  ASSERT_EQ(call({"run", ball, "--until", "0.1", "--quiet", "-o", good}).exit_code, 0);
  for (const Harm& harm : harms()) {
    SCOPED_TRACE(harm.what);
    std::filesystem::remove_all(bad);
    std::filesystem::create_directory(bad);
    std::filesystem::copy_file(good + "/results.h5", bad + "/results.h5");
    replace_dataset(bad + "/results.h5", "/states/ball.y", harm.count, harm.storage);
    expect_refused(call({"report", bad, "-o", folder / "page.html"}), "report");
    expect_refused(call({"plot", bad, "ball.y", "-o", folder / "chart.svg"}), "plot");
    expect_refused(call({"compare", bad, good}), "compare");
    const ProgramResult info = call({"info", bad});
    EXPECT_TRUE(info.exit_code == 0 || info.exit_code == 2) << info.err;
  }
}

TEST(HostileInput, ContactProblemsThatLieAreRefused) {
  const TemporaryFolder folder;
  for (const Harm& harm : harms()) {
    SCOPED_TRACE(harm.what);
    const Path file = folder / "problem.hdf5";
    std::filesystem::copy_file(data_folder() + "/fclib/fclib-blocks-plane.hdf5", file,
                               std::filesystem::copy_options::overwrite_existing);
    replace_dataset(file, "/fclib_local/vectors/q", harm.count, harm.storage);
    expect_refused(call({"solve", file.string()}), "solve");
  }
}

TEST(HostileInput, ARunWhoseResultsWereExchangedIsNotResumed) {
  const TemporaryFolder folder;
  const std::string results = folder / "results";
  for (const Harm& harm : harms()) {
    SCOPED_TRACE(harm.what);
    std::filesystem::remove_all(results);
    {
      RunningProgram program(program_file(), {"run", ball, "--until", "1e6", "--every", "1e-4",
                                              "--quiet", "-o", results});
      for (int k = 0; k < 6000 && !std::filesystem::exists(results + "/checkpoint.bin"); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      program.send(SIGKILL);
      program.wait();
    }
    ASSERT_TRUE(std::filesystem::exists(results + "/checkpoint.bin"));
    replace_dataset(results + "/results.h5", "/states/ball.y", harm.count, harm.storage);
    expect_refused(call({"run", "--resume", results, "--quiet"}), "resume");
  }
}

std::string model_with(const std::string& text) {
  return "backlash: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulation: {step: 1e-3, until: "
         "0.01}\n" +
         text;
}

TEST(HostileInput, LongFormulasAndManyParametersAreReadOrRefusedByName) {
  const TemporaryFolder folder;
  std::string sum, times, parameters = "parameters:\n";
  for (int i = 0; i < 500'000; ++i) sum += "1+", times += "t+";
  for (int i = 0; i < 300'000; ++i) parameters += "  p" + std::to_string(i) + ": 1\n";
  write_file(folder / "sum.yaml", model_with("parameters: {x: " + sum + "1}\n"));
  EXPECT_EQ(call({"check", folder / "sum.yaml"}, 20).exit_code, 0);
  write_file(folder / "times.yaml",
             model_with("forces: {f: {type: force, body: a, force: [\"" + times + "t\", 0]}}\n"));
  expect_refused(call({"check", folder / "times.yaml"}, 20), "formula");
  write_file(folder / "many.yaml", model_with(parameters));
  const ProgramResult many = call({"run", folder / "many.yaml", "-o", folder / "r", "--quiet"}, 20);
  expect_refused(many, "parameters");
  EXPECT_THAT(many.err, HasSubstr("300000 parameters, at most 10000 are read"));
}

/// In names, titles and comments, so that they come into no output.
TEST(HostileInput, ModelsHoldNothingThatATerminalWouldObey) {
  const TemporaryFolder folder;
  const std::vector<std::string> texts{"title: \"a\\e[31m\"\n",
                                       "title: a\x1b[31m\n",
                                       "title: a\xff\n",
                                       "title: \"a\\u009b31m\"\n",
                                       "# a\x1b[31m\n",
                                       "# a\xff\n",
                                       "title: \"a\xe2\x80\xae"
                                       "b\"\n",
                                       "title: \"a\\u202eb\"\n",
                                       "parameters: {\"p\\e[2J\": 1}\n",
                                       "output: {points: {\"p\\x07\": {body: a, at: [0, 0]}}}\n"};
  for (const std::string& text : texts) {
    write_file(folder / "m.yaml", model_with(text));
    expect_refused(call({"run", folder / "m.yaml", "-o", folder / "r"}), plain_text(text));
    EXPECT_FALSE(std::filesystem::exists(folder / "r"));
  }
}

}  // namespace
}  // namespace backlash
