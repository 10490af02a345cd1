// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/io/results/checkpoint.h"
#include "cli/run_call.h"
#include "cli/run_files.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

/// Runs that are killed or interrupted, and go on.
namespace backlash::test_resume {
namespace {

using nlohmann::json;
using test_run::run;
using ::testing::HasSubstr;

ProgramResult resume(const std::string& folder) { return run({"--resume", folder, "--quiet"}); }

bool can_be_resumed(const std::string& folder) {
  return std::filesystem::exists(folder + "/checkpoint.bin");
}

/// All that both say, but for when and how they were called and how long they took.
json summary_of(const std::string& folder) {
  json summary = json::parse(file_text(folder + "/summary.json"));
  for (const char* own : {"wall_time", "date", "command"}) summary.erase(own);
  return summary;
}

void expect_same_bits(const std::string& whole, const std::string& resumed) {
  for (const char* file : {"/states.csv", "/contacts.csv", "/events.csv", "/steps.csv"})
    EXPECT_TRUE(file_text(whole + file) == file_text(resumed + file)) << file;
  test_run::expect_files_agree(resumed);
  EXPECT_EQ(summary_of(whole), summary_of(resumed));
}

/// Begins a run or goes on with it, and kills it: at once, or some time after its first checkpoint.
class Killer {
 public:
  /// False if the run came to its end before.
  bool kill(const std::vector<std::string>& begin, const std::string& folder) {
    std::vector<std::string> call{"run"};
    if (can_be_resumed(folder))
      call.insert(call.end(), {"--resume", folder, "--quiet"});
    else
      call.insert(call.end(), begin.begin(), begin.end());
    const auto before = stamp(folder);
    RunningProgram program(program_file(), call);
    const bool early = random_() % 8 == 0;
    for (int k = 0; !early && k < 10000 && stamp(folder) == before; ++k) sleep(1e-3);
    sleep(std::uniform_real_distribution<double>(0, 0.2)(random_));
    program.send(SIGKILL);
    const int code = program.wait().exit_code;
    EXPECT_THAT(code, ::testing::AnyOf(0, 128 + SIGKILL));
    return code != 0;
  }

 private:
  static void sleep(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  static std::filesystem::file_time_type stamp(const std::string& folder) {
    std::error_code none;
    const auto time = std::filesystem::last_write_time(folder + "/checkpoint.bin", none);
    return none ? std::filesystem::file_time_type{} : time;
  }

  std::mt19937 random_{test::first_seed()};
};

/// The time of a step is that of the steps after the break.
void expect_time_of_own_steps(const std::string& out, const std::string& folder, long before) {
  const json summary = json::parse(file_text(folder + "/summary.json"));
  const long own = summary["steps"].get<long>() - before;
  const std::size_t end = out.find(" µs per step"), begin = out.rfind(' ', end - 1);
  ASSERT_NE(end, std::string::npos);
  const double should = summary["wall_time"].get<double>() * 1e6 / static_cast<double>(own);
  EXPECT_NEAR(std::stod(out.substr(begin, end - begin)), should, 0.01 * should);
}

/// Kills a run again and again, until it has come to its end; then it is what it would have been.
void expect_no_trace_of_kills(const std::vector<std::string>& model) {
  const TemporaryFolder folder;
  const std::string whole = folder / "whole", killed = folder / "killed";
  const auto call = [&](const std::string& results) {
    std::vector<std::string> all = model;
    all.insert(all.end(), {"--steps", "-o", results, "--quiet", "--force"});
    return all;
  };
  ASSERT_EQ(run(call(whole)).exit_code, 0);
  Killer killer;
  const long kills = test::repetitions(6);
  for (long k = 0; k < kills; ++k)
    if (!killer.kill(call(killed), killed)) expect_same_bits(whole, killed);
  if (can_be_resumed(killed)) {
    ASSERT_EQ(resume(killed).exit_code, 0);
  } else if (!std::filesystem::exists(killed + "/summary.json")) {
    ASSERT_EQ(run(call(killed)).exit_code, 0);
  }
  expect_same_bits(whole, killed);
  EXPECT_FALSE(can_be_resumed(killed));
}

/// BACKLASH_CAMPAIGN=100 asks for a hundred kills.
TEST(Resume, AfterKillsAtRandomMomentsARunOfMoreausHasTheBitsOfOneWithoutABreak) {
  expect_no_trace_of_kills(
      {test_run::slider_crank, "--step", "2e-6", "--every", "4e-6", "--until", "0.08"});
}

/// Their closest points are followed from where they were.
TEST(Resume, AfterKillsARunWithProfilesHasTheBitsOfOneWithoutABreak) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
gravity: [0, -9.81]
profiles:
  free: {periodic: true, points: [[0.085, 0], [0.055, 0.045], [0, 0.055], [-0.045, 0.045],
         [-0.06, 0], [-0.045, -0.045], [0, -0.055], [0.055, -0.045]]}
  fixed: {periodic: true, points: [[0.15, 0], [0.12, 0.07], [0, 0.11], [-0.12, 0.08],
          [-0.16, 0], [-0.12, -0.08], [0, -0.1], [0.12, -0.07]]}
bodies:
  ground: {shape: {profile: fixed}}
  cam: {mass: 1, inertia: 1.8e-3, shape: {profile: free}, initial: {position: [-0.01, 0.18], angle: 1.5}}
contacts: {touch: {between: [cam, ground], law: steel}}
laws: {steel: {restitution: 0.3, friction: 0.2}}
simulation: {step: 2e-5, until: 0.4}
output: {every: 4e-5}
)");
  expect_no_trace_of_kills({folder / "model.yaml"});
}

TEST(Resume, AfterKillsExamplesWithProfilesHaveTheBitsOfARunWithoutABreak) {
  const std::string examples = source_folder() + "/examples/";
  expect_no_trace_of_kills({examples + "bouncing_cams/model.yaml", "--method", "moreau", "--step",
                            "2e-5", "--law", "rubber={restitution: 0.9, friction: 0.3}", "--every",
                            "step", "--until", "0.7"});
  std::vector<std::string> breaker{examples + "circuit_breaker/model.yaml",
                                   "--method",
                                   "moreau",
                                   "--step",
                                   "2e-5",
                                   "--law",
                                   "copper=rigid_copper",
                                   "--every",
                                   "step",
                                   "--until",
                                   "0.2"};
  for (const char* law : {"roller", "cam", "rubber", "pad", "stop", "buffer"})
    breaker.insert(breaker.end(), {"--law", std::string(law) + "=rigid"});
  expect_no_trace_of_kills(breaker);
}

/// Of a multistep method that begins anew the motion is the same within its tolerances.
TEST(Resume, AfterKillsARunWithForcesAgreesWithinItsTolerances) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, initial: {position: [0, 0.2]}}
contacts: {hit: {between: [ball, ground.floor], law: rubber}}
laws: {rubber: {model: calibrated, stiffness: 1e6 N/m^1.5, restitution: 0.9}}
simulation: {method: compliant, until: 1}
output: {every: 1e-5}
)");
  const std::string whole = folder / "whole", killed = folder / "killed";
  const auto call = [&](const std::string& results) -> std::vector<std::string> {
    return {folder / "model.yaml", "-o", results, "--quiet", "--force"};
  };
  ASSERT_EQ(run(call(whole)).exit_code, 0);
  Killer killer;
  const long kills = test::repetitions(2);
  for (long k = 0; k < kills; ++k) killer.kill(call(killed), killed);
  if (can_be_resumed(killed)) {
    ASSERT_EQ(resume(killed).exit_code, 0);
  } else if (!std::filesystem::exists(killed + "/summary.json")) {
    ASSERT_EQ(run(call(killed)).exit_code, 0);
  }
  const ResultsTable a = read_results(whole + "/results.h5").states,
                     b = read_results(killed + "/results.h5").states;
  ASSERT_EQ(a.values.rows(), b.values.rows());
  EXPECT_LT((a.column("ball.y") - b.column("ball.y")).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(summary_of(whole)["impacts"], summary_of(killed)["impacts"]);
}

/// The row that ends an interrupted run between two times of output is not one of the whole run.
TEST(Resume, AfterAnInterruptARunHasTheBitsOfOneWithoutABreak) {
  const TemporaryFolder folder;
  const std::string whole = folder / "whole", cut = folder / "cut";
  const auto call = [](const std::string& results) -> std::vector<std::string> {
    return {test_run::slider_crank,
            "--step",
            "1e-6",
            "--every",
            "7e-5",
            "--steps",
            "--until",
            "0.4",
            "-o",
            results,
            "--quiet"};
  };
  std::vector<std::string> begin = call(cut);
  begin.insert(begin.begin(), "run");
  RunningProgram program(program_file(), begin);
  while (!can_be_resumed(cut)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  program.send(SIGTERM);
  const ProgramResult interrupted = program.wait();
  if (interrupted.exit_code == 0) GTEST_SKIP() << "the run was over before the signal came";
  EXPECT_EQ(interrupted.exit_code, 1);
  EXPECT_THAT(interrupted.err, HasSubstr("run --resume " + cut));
  const long before = summary_of(cut)["steps"].get<long>();
  const ProgramResult resumed = run({"--resume", cut});
  ASSERT_EQ(resumed.exit_code, 0);
  expect_time_of_own_steps(resumed.out, cut, before);
  ASSERT_EQ(run(call(whole)).exit_code, 0);
  expect_same_bits(whole, cut);
}

/// Beyond 64 blocks the indices of the file grow.
TEST(Resume, AfterAKillAmongManyBlocksFindsWhatWasOnTheDisk) {
  const TemporaryFolder folder;
  write_file(folder / "wheel.yaml", R"(
backlash: 1
bodies: {wheel: {mass: 1, inertia: 1}}
joints: {axle: {type: revolute, between: [ground, wheel], initial: {speed: 1}}}
simulation: {step: 1e-5, until: 3.2}
output: {every: step}
)");
  int killed = 0;
  for (int write = 1500; write < 2300; write += 80) {
    SCOPED_TRACE(write);
    const std::string out = folder / std::to_string(write);
    run_shell("ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD='" + kill_at_write_file() +
              "' KILL_AT_WRITE=" + std::to_string(write) + " exec '" + program_file() + "' run '" +
              (folder / "wheel.yaml").string() + "' --format hdf5 --quiet -o '" + out + "'");
    if (!std::filesystem::exists(out + "/checkpoint.bin")) continue;
    ++killed;
    const Vector t = read_results(out + "/results.h5").states.column("t");
    EXPECT_GE(t.size(), read_checkpoint(out).hdf5.states);
    for (Eigen::Index i = 0; i < t.size(); ++i) ASSERT_NEAR(t[i], 1e-5 * double(i), 1e-9);
  }
  EXPECT_GE(killed, 4);
}

/// A pipe in the place of a model file, which holds up whoever reads it.
class HeldModel {
 public:
  explicit HeldModel(const std::string& file) : text_(file_text(file)), file_(file) {
    std::filesystem::remove(file);
    EXPECT_EQ(mkfifo(file.c_str(), 0600), 0);
  }
  ~HeldModel() {
    if (pipe_ >= 0) close(pipe_);
  }
  HeldModel(const HeldModel&) = delete;
  HeldModel& operator=(const HeldModel&) = delete;

  /// Until somebody reads; then others find the file as it was.
  void wait_for_reader() {
    for (int i = 0; i < 6000 && pipe_ < 0; ++i) {
      pipe_ = open(file_.c_str(), O_WRONLY | O_NONBLOCK);
      if (pipe_ < 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_GE(pipe_, 0);
    write_file(file_ + ".whole", text_);
    std::filesystem::rename(file_ + ".whole", file_);
  }
  void let_go() {
    EXPECT_EQ(write(pipe_, text_.data(), text_.size()), std::ssize(text_));
    close(std::exchange(pipe_, -1));
  }

 private:
  std::string text_, file_;
  int pipe_ = -1;
};

/// Of two that would go on with a run one does, and the other finds it held: it would begin at a
/// checkpoint of the past.
TEST(Resume, OfTwoOneGoesOn) {
  const TemporaryFolder folder;
  const std::string model = folder / "wheel.yaml", killed = folder / "killed";
  write_file(model, R"(
backlash: 1
bodies: {wheel: {mass: 1, inertia: 1}}
joints: {axle: {type: revolute, between: [ground, wheel], initial: {speed: 1}}}
simulation: {step: 1e-5, until: 3}
output: {every: step}
)");
  {
    RunningProgram program(program_file(), {"run", model, "-o", killed, "--quiet"});
    while (!can_be_resumed(killed)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    program.send(SIGKILL);
    if (program.wait().exit_code == 0) GTEST_SKIP() << "the run was over before the signal came";
  }
  HeldModel held(model);
  RunningProgram first(program_file(), {"run", "--resume", killed, "--quiet"});
  held.wait_for_reader();
  const ProgramResult second = resume(killed);
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, HasSubstr("is being written by process "));
  held.let_go();
  const ProgramResult done = first.wait();
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const Vector t = read_results(killed + "/results.h5").states.column("t");
  EXPECT_EQ(t.size(), 300'001);
  EXPECT_FALSE(can_be_resumed(killed));
}

TEST(Resume, RefusesWhatIsNoRunToGoOnWith) {
  const TemporaryFolder folder;
  const auto model = [&](double step) {
    write_file(folder / "model.yaml", fmt::format(R"(
backlash: 1
bodies: {{wheel: {{mass: 1, inertia: 1}}}}
joints: {{axle: {{type: revolute, between: [ground, wheel], initial: {{speed: 1}}}}}}
simulation: {{step: {}, until: 1e3}}
)",
                                                  step));
  };
  model(1e-5);
  const std::string results = folder / "r";
  {
    RunningProgram program(program_file(),
                           {"run", folder / "model.yaml", "-o", results, "--quiet"});
    while (!can_be_resumed(results)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_THAT(resume(results).err, HasSubstr("is being written by"));
    program.send(SIGKILL);
    program.wait();
  }
  const auto expect_refused = [&](const std::vector<std::string>& call, const char* why) {
    const ProgramResult result = run(call);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(why));
  };
  expect_refused({folder / "model.yaml", "--resume", results}, "leave out all others");
  expect_refused({"--resume", results, "--step", "1e-3"}, "leave out all others");
  model(2e-5);
  expect_refused({"--resume", results}, "its model has changed");
  expect_refused({"--resume", folder / "nothing"}, "has no run to resume");
  std::string bytes = file_text(results + "/checkpoint.bin");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(results + "/checkpoint.bin", bytes);
  expect_refused({"--resume", results}, "is damaged");
  write_file(results + "/checkpoint.bin", "something else");
  expect_refused({"--resume", results}, "is no checkpoint");
}

}  // namespace
}  // namespace backlash::test_resume
