// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cases/example.h"
#include "support/built_methods.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

// What holds for every example.

namespace backlash::test::examples_all {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path& examples_folder() {
  static const std::filesystem::path folder = source_folder() + "/examples";
  return folder;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Examples, EachHasAModelAReadmeAndALineInTheTable) {
  const std::string table = text_of(examples_folder() / "README.md");
  int folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples_folder())) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path());
    const std::string name = entry.path().filename().string();
    const std::string readme = text_of(entry.path() / "README.md");
    EXPECT_TRUE(std::filesystem::exists(entry.path() / "model.yaml"));
    EXPECT_THAT(readme, HasSubstr("backlash run examples/" + name + "/model.yaml"));
    EXPECT_THAT(readme, HasSubstr("## What to look at"));
    EXPECT_THAT(readme, HasSubstr("## Where the numbers come from"));
    EXPECT_THAT(readme, HasSubstr("## What to try"));
    EXPECT_THAT(table, HasSubstr(fmt::format("[{}]({}/README.md)", name, name)));
    ++folders;
  }
  EXPECT_GE(folders, 15);
}

/// What `check` warns of: some examples show what too long a step does.
void expect_told_by_check(const std::string& warnings, const std::filesystem::path& file) {
  const std::string told = run_program(program_file(), {"check", file.string()}).out;
  std::istringstream lines(warnings);
  for (std::string line; std::getline(lines, line);) {
    const std::string start = "backlash: warning: ";
    ASSERT_TRUE(line.starts_with(start)) << line;
    const std::size_t message = line.find(": ", start.size());
    const std::size_t numbers =
        line.find(": ", message + 2);  // these depend on how many steps it took
    EXPECT_THAT(told, HasSubstr(": warning: " + line.substr(message + 2, numbers - message - 2)));
  }
}

TEST(Examples, RunInTheProgramWithoutAWarningButThoseOfCheck) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string example = entry.path().parent_path().filename();
    if ((example == "quick_return" || example == "pendulum_wall") &&
        entry.path().filename() == "fixed_steps.yaml")
      continue;  // shows how a run ends that cannot go on
    SCOPED_TRACE(entry.path());
    const TemporaryFolder folder;
    const SimulationOptions simulation = read_model(entry.path()).simulation;
    const double step = equal_step(simulation);
    const double until = step > 0 ? 200 * step : 0.02;
    const ProgramResult done = run_program(
        program_file(), {"run", entry.path().string(), "--until", fmt::format("{}", until),
                         "--json", "-o", (folder.path() / "out").string()});
    if (!is_built(find_integrator(simulation.method))) {
      EXPECT_EQ(done.exit_code, 2);
      EXPECT_THAT(done.err, HasSubstr("was built without"));
      continue;
    }
    EXPECT_EQ(done.exit_code, 0);
    expect_told_by_check(done.err, entry.path());
    if (done.exit_code != 0) continue;
    const auto summary = nlohmann::json::parse(done.out);
    EXPECT_EQ(summary["status"], "done");
    if (step > 0) {
      EXPECT_EQ(summary["steps"], 200);
    }
  }
}

/// An example over a time in which its motion is predictable, and how fast joint and absolute
/// coordinates come together as the step shrinks.
struct TwoCoordinates {
  std::string file;
  double until, step;  ///< [s]
  double order;        ///< 0: they agree to round-off
  double most;         ///< difference of positions with that step, as a part of the model's length
};

/// Largest difference of places and angles of bodies, as a part of the model's length; loops must
/// be closed, and the energy be balanced.
double difference(const TwoCoordinates& c, double step) {
  const Example joint(c.file), absolute(c.file, {}, Coordinates::absolute);
  const ExampleRun a = run(joint, step, c.until), b = run(absolute, step, c.until);
  const double length = joint.system().info().length;
  double most = 0;
  for (const std::string& body : joint.system().info().bodies) {
    const BodyMotion p = joint.body(a.end, body), q = absolute.body(b.end, body);
    most = std::max({most, (p.p_W - q.p_W).norm() / length, std::abs(p.angle - q.angle)});
  }
  EXPECT_LT(joint.loop_error(a.end), 1e-10 * length);
  EXPECT_LT(absolute.loop_error(b.end), 1e-10 * length);
  EXPECT_LT(a.imbalance(), 2e-4);
  EXPECT_LT(b.imbalance(), 2e-4);
  return most;
}

class ExamplesInBothCoordinates : public ::testing::TestWithParam<TwoCoordinates> {};

TEST_P(ExamplesInBothCoordinates, MoveTheSameTheMoreTheShorterTheStep) {
  const TwoCoordinates& c = GetParam();
  const double coarse = difference(c, c.step);
  EXPECT_LT(coarse, c.most);
  if (c.order == 0) return;
  const double fine = difference(c, c.step / 8);
  EXPECT_NEAR(std::log2(coarse / fine) / 3, c.order, 0.2);
}

INSTANTIATE_TEST_SUITE_P(
    All, ExamplesInBothCoordinates,
    ::testing::Values(TwoCoordinates{"slider_crank/model.yaml", 5e-3, 2e-5, 1, 3e-5},
                      TwoCoordinates{"slider_crank_revolute_clearance/model.yaml", 5e-4, 1e-6, 2,
                                     3e-7},
                      TwoCoordinates{"four_bar/model.yaml", 0.3, 2e-4, 2, 1e-4},
                      TwoCoordinates{"four_bar/clearance.yaml", 0.01, 1e-5, 0, 1e-13},
                      TwoCoordinates{"parallelogram/model.yaml", 0.1, 1e-3, 2, 3e-6},
                      TwoCoordinates{"cam_follower/model.yaml", 0.012, 1e-4, 0, 1e-12},
                      TwoCoordinates{"file_cutting_machine/model.yaml", 0.01, 1e-5, 0, 1e-12},
                      TwoCoordinates{"newton_cradle/model.yaml", 0.3, 2e-5, 0, 1e-12},
                      TwoCoordinates{"geneva/model.yaml", 0.4, 1e-4, 0, 1e-12}),
    [](const auto& tested) {
      std::string name = tested.param.file.substr(0, tested.param.file.find('.'));
      std::replace(name.begin(), name.end(), '/', '_');
      return name;
    });

}  // namespace
}  // namespace backlash::test::examples_all
