// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/io/results/results_file.h"
#include "cli/run_call.h"
#include "cli/run_files.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/models.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

/// Runs that are killed, interrupted, fail, explode, or find no room on the disk.
namespace backlash::test_run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Path = std::filesystem::path;

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
    return std::filesystem::file_size(folder_ / "results.h5", missing) > 60'000'000 && !missing;
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

/// Whenever it is killed, every line is whole but for a last one without its end, which readers
/// leave out. BACKLASH_CAMPAIGN says how many kills.
TEST(Run, ThatIsKilledLeavesWholeLines) {
  std::mt19937 random(test::first_seed());
  const long kills = test::repetitions(8);
  for (long k = 0; k < kills; ++k) {
    const TemporaryFolder folder;
    RunningProgram program(program_file(),
                           {"run", slider_crank, "--until", "1e4", "--every", "step", "--format",
                            "csv", "--quiet", "-o", folder.path().string()});
    while (!std::filesystem::exists(folder / "contacts.csv"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 200'000));
    program.send(SIGKILL);
    program.wait();
    for (const char* name : {"states.csv", "contacts.csv", "events.csv"}) {
      std::string text = file_text(folder / name);
      text.resize(text.rfind('\n') + 1);
      write_file(folder / "whole.csv", text);
      const auto rows = read_csv(folder / "whole.csv");
      for (const auto& row : rows) ASSERT_EQ(row.size(), rows.front().size()) << name;
    }
    const ProgramResult plot = run_program(
        program_file(), {"plot", folder.path().string(), "slider.x", "-o", folder / "chart.svg"});
    EXPECT_EQ(plot.exit_code, 0) << plot.err;
  }
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

/// Whichever method meets it.
TEST(Run, NamesTheFormulaThatIsNotFiniteWithItsPlaceInTheFile) {
  const std::string begin = R"(backlash: 1
parameters: {F: 2 N, T: 1 s, L: 1 m}
bodies: {weight: {mass: 1, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], axis: [0, 1])";
  const std::string force = begin + R"(}}
forces:
  calm: {type: joint_force, joint: guide, force: F*sin(t/T)}
  odd: {type: joint_force, joint: guide, force: F*sqrt(0.05 - t/T)}
)";
  const std::string state = begin + R"(}}
states:
  odd: {rate: sqrt(0.05 - t/T)/T, initial: 0}
forces: {calm: {type: joint_force, joint: guide, force: F*odd}}
)";
  const std::string drive = begin + R"(, drive: {position: L*sqrt(0.05 - t/T)
}
}
}
)";
  const std::vector<std::array<std::string, 3>> cases{
      {force, "force 'odd' (", ":7:8) gives a number that is not finite"},
      {state, "state 'odd' (", ":6:8) gives a number that is not finite"},
      {drive, "joint 'guide' (", ":4:17) gives a number that is not finite"}};
  for (const auto& [model, item, place] : cases)
    for (const char* method : {"moreau, step: 1e-3", "compliant", "optimisation, step: 1e-3"}) {
      // Before a drive like this is not finite, its speed grows without bound.
      if (&model == &cases.back()[0] && std::string_view(method) != "moreau, step: 1e-3") continue;
      SCOPED_TRACE(item + ", " + method);
      const TemporaryFolder folder;
      write_file(folder / "m.yaml",
                 model + "simulation: {until: 0.1, method: " + std::string(method) + "}\n");
      const ProgramResult result = run({folder / "m.yaml", "-o", folder / "out", "--quiet"});
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err, HasSubstr(item + (folder / "m.yaml").string() + place));
    }
}

/// Wherever in a step, or at the time of a row alone, the force becomes what is no number.
TEST(Run, NamesTheForceThatIsNotFiniteWhereverTheMotionMeetsIt) {
  const std::string model = R"(backlash: 1
bodies: {p: {mass: 1, inertia: 0.1}}
joints: {j: {type: prismatic, between: [ground, p], initial: {position: 0.1, speed: -1}}}
forces:
  f: {type: joint_force, joint: j, force: FORCE}
output: {every: EVERY}
simulation: {until: 0.3, METHOD}
)";
  for (const std::string force :
       {"1 N*sqrt(j.q/(1 m) - 0.05)", "-10 N - 1 N*sqrt(j.u/(1 m/s) + 1.5)",
        "1 N*log(p.x/(1 m) - 0.05)"})
    for (const std::string every : {"step", "0.0003", "0.1"})
      for (const std::string method :
           {"step: 1e-3", "step: auto", "step: 1e-3, scheme: theta", "method: compliant",
            "method: compliant, integrator: bdf", "method: compliant, integrator: rk4",
            "method: optimisation, step: 1e-3"}) {
        SCOPED_TRACE(force + ", " + method + ", every " + every);
        std::string text = model;
        for (const auto& [key, value] :
             {std::pair{"FORCE", force}, {"EVERY", every}, {"METHOD", method}})
          text.replace(text.find(key), std::string(key).size(), value);
        const TemporaryFolder folder;
        write_file(folder / "m.yaml", text);
        const ProgramResult result = run({folder / "m.yaml", "-o", folder / "out", "--quiet"});
        EXPECT_EQ(result.exit_code, 1);
        EXPECT_THAT(result.err, HasSubstr("force 'f' (" + (folder / "m.yaml").string() +
                                          ":5:6) gives a number that is not finite"));
        EXPECT_EQ(read_results(folder / "out/results.h5").status, "failed");
      }
}

TEST(Run, RefusesAForceThatIsNotFiniteAtTheStartByItsPlace) {
  const TemporaryFolder folder;
  write_file(folder / "weight.yaml", falling_weight("F*sqrt(t/T - 0.5)"));
  const ProgramResult result = run({folder / "weight.yaml", "-o", folder / "out", "--quiet"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("weight.yaml:"));
  EXPECT_THAT(result.err, HasSubstr(".force is "));
}

/// The condition of an event that is not a number is not taken for one that does not hold.
TEST(Run, EndsWhereTheConditionOfAnEventIsNotANumber) {
  const std::string model = R"(backlash: 1
bodies: {p: {mass: 1, inertia: 0.1}}
joints: {j: {type: prismatic, between: [ground, p], initial: {position: 0.1, speed: -1}}}
events:
  calm: {when: j.q - 1, stop: true}
  odd: {when: "CONDITION", stop: true}
simulation: {until: 0.2, METHOD}
)";
  for (const auto& [condition, t] : {std::pair{"sqrt(j.q/(1 m) - 0.05) - 10", 0.05},
                                     {"sqrt(j.q/(1 m) - 0.05) > 10", 0.05},
                                     {"j.q > 0.01 m and sqrt(0.1 - t/(1 s)) > 10", 0.2},
                                     {"sqrt(-j.q/(1 m)) - 10", 0.0}})
    for (const char* method : {"step: 1e-3", "step: auto", "method: compliant, max_step: 0.01",
                               "method: optimisation, step: 1e-3"}) {
      SCOPED_TRACE(std::string(condition) + ", " + method);
      std::string text = model;
      for (const auto& [key, value] : {std::pair{"CONDITION", condition}, {"METHOD", method}})
        text.replace(text.find(key), std::string(key).size(), value);
      const TemporaryFolder folder;
      write_file(folder / "m.yaml", text);
      const ProgramResult result = run({folder / "m.yaml", "-o", folder / "out", "--quiet"});
      if (t == 0.2) {  // where it matters, it is a number
        EXPECT_EQ(result.exit_code, 0) << result.err;
        continue;
      }
      EXPECT_EQ(result.exit_code, 1);
      EXPECT_THAT(result.err, HasSubstr("the condition of an event is not a number; event 'odd' (" +
                                        (folder / "m.yaml").string() + ":6:8)"));
      const Vector times = read_results(folder / "out/results.h5").states.column("t");
      EXPECT_LT(times[times.size() - 1], t + 0.15);
    }
}

/// Where steps become shorter and shorter before a force that has no value.
TEST(Run, KeepsItsRowsWhereStepsShrinkBeforeAForceThatIsNotFinite) {
  for (const std::string integrator : {"adams", "bdf", "rk4"}) {
    SCOPED_TRACE(integrator);
    const TemporaryFolder folder;
    write_file(folder / "m.yaml", R"yaml(backlash: 1
bodies: {p: {mass: 1, inertia: 0.1}}
joints: {j: {type: prismatic, between: [ground, p], initial: {position: 0.5, speed: -1}}}
forces: {f: {type: joint_force, joint: j, force: 1 N*sqrt((j.q - 0.3 m)/(1 m))}}
output: {every: 1e-3}
)yaml"
                                  "simulation: {method: compliant, until: 1, integrator: " +
                                      integrator + "}\n");
    const ProgramResult result = run({folder / "m.yaml", "-o", folder / "out", "--quiet"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("force 'f' ("));
    const Results results = read_results(folder / "out/results.h5");
    EXPECT_EQ(results.status, "failed");
    EXPECT_GT(results.states.values.rows(), 200);  // it is there at 0.2077 s
  }
}

/// Also what an event has locked before the step that fails is as it was.
TEST(Run, WhoseFirstStepFailsKeepsTheStateAtItsStart) {
  for (const std::string method :
       {"step: 1e-3", "step: auto, min_step: 1e-6", "step: 1e-3, scheme: theta",
        "method: compliant, integrator: rk4", "method: optimisation, step: 1e-3"}) {
    SCOPED_TRACE(method);
    const TemporaryFolder folder;
    write_file(folder / "m.yaml", R"yaml(backlash: 1
bodies: {first: {mass: 1, inertia: 2}, second: {mass: 1, inertia: 3}}
joints:
  axle: {type: revolute, between: [ground, first], initial: {speed: 4}}
  hub: {type: revolute, between: [first, second], initial: {speed: -5}}
forces: {odd: {type: joint_force, joint: axle, force: 1 N m*sqrt(1e-12 - t/(1 s))}}
events: {stick: {at: 0, lock: [hub]}}
)yaml"
                                  "simulation: {until: 0.1, " +
                                      method + "}\n");
    const ProgramResult result = run({folder / "m.yaml", "-o", folder / "out", "--quiet"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("force 'odd' ("));
    expect_files_agree(folder / "out");
    const Results results = read_results(folder / "out/results.h5");
    EXPECT_EQ(results.status, "failed");
    EXPECT_EQ(results.states.values.rows(), 1);
    EXPECT_EQ(results.states.column("t")[0], 0);
    EXPECT_EQ(results.states.column("axle.u")[0], 4);
    EXPECT_EQ(results.events.values.rows(), 0);
    const auto energy = nlohmann::json::parse(file_text(folder / "out/summary.json"))["energy"];
    EXPECT_EQ(energy["end"], 0.5 * 2 * 4 * 4 + 0.5 * 3 * 1);
    EXPECT_EQ(energy["switching"], 0);
  }
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

}  // namespace
}  // namespace backlash::test_run
