// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/recorded_run.h"

/// Forces between points with any characteristic, tables in formulas, motors with rotor and gear.
namespace backlash::test::characteristics {
namespace {

/// 2 kg on a vertical rail, held by a force element to the ceiling.
std::string hanging(const std::string& force, const std::string& more = "") {
  return fmt::format(R"(backlash: 1
gravity: [0, -10]
{}
bodies: {{load: {{mass: 2, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, load], axis: [0, 1]}}}}
forces: {{link: {{{}, between: [ground, load], at: [[0, 1], [0, 0]]}}}}
simulation: {{step: 1e-4, until: 1}}
output: {{every: 1e-3}}
)",
                     more, force);
}

TEST(Rope, IsSlackUntilItIsTautAndThenASpring) {
  // It falls 0.5 m until the rope of 1.5 m is taut, and stretches it by x: m g (h + x) = k x²/2.
  const RecordedRun run =
      recorded_run(hanging("type: spring, stiffness: 2000, length: 1.5, acts: pulling"));
  const double m = 2, g = 10, k = 2000, h = 0.5;
  const double x = (m * g + std::sqrt(m * g * m * g + 2 * k * m * g * h)) / k;
  const std::vector<double> tension = run.all("link.tension"), q = run.all("rail.q");
  EXPECT_NEAR(std::ranges::max(tension), k * x, 1e-3 * k * x);
  EXPECT_NEAR(std::ranges::min(q), -(h + x), 1e-4);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_GE(tension[i], 0);
    EXPECT_NEAR(tension[i], std::max(0.0, k * (-q[i] - h)), 1e-6);
    EXPECT_NEAR(run.at("energy.kinetic", i) + run.at("energy.potential", i), 0, 2e-3);
  }
  EXPECT_NEAR(std::ranges::max(q), 0, 1e-6);  // it comes back to where it fell from
}

TEST(Rope, ThatIsDampedNeverPushesAndLosesWhatTheDampingTakes) {
  const RecordedRun run = recorded_run(
      hanging("type: spring, stiffness: 2000, length: 1.2, damping: 100, acts: pulling"));
  EXPECT_EQ(std::ranges::min(run.all("link.tension")), 0);
  const std::size_t end = run.rows() - 1;
  EXPECT_LT(run.at("energy.applied_work", end), -1);
  EXPECT_NEAR(run.at("energy.kinetic", end) + run.at("energy.potential", end),
              run.at("energy.applied_work", end), 2e-3);
}

TEST(BumpStop, PushesOnlyWhereItIsCompressed) {
  // Up from 2 m/s towards a stop that begins 0.1 m below the ceiling: v² − 2 g s is left.
  std::string text = hanging("type: spring, stiffness: 5000, length: 0.9, acts: pushing");
  text.replace(text.find("axis: [0, 1]"), 12, "axis: [0, 1], initial: {speed: 3}");
  const RecordedRun run = recorded_run(text);
  const double m = 2, g = 10, k = 5000, s = 0.1, v = 3;
  // ½ m v² = m g (s + x) + ½ k x²
  const double x = (-m * g + std::sqrt(m * g * m * g + 2 * k * (0.5 * m * v * v - m * g * s))) / k;
  EXPECT_NEAR(std::ranges::min(run.all("link.tension")), -k * x, 2e-3 * k * x);
  EXPECT_EQ(std::ranges::max(run.all("link.tension")), 0);
}

TEST(Tension, ByAFormulaOfLengthAndRateIsTheSpringThatItDescribes) {
  const RecordedRun spring = recorded_run(
                        hanging("type: spring, stiffness: 300, length: 0.8, damping: 7")),
                    formula = recorded_run(
                        hanging("type: tension, tension: 300 N/m*(length - 0.8 m) + 7 N*s/m*rate"));
  for (std::size_t i = 0; i < spring.rows(); i += 100) {
    EXPECT_NEAR(formula.at("rail.q", i), spring.at("rail.q", i), 1e-9);
    EXPECT_NEAR(formula.at("link.tension", i), spring.at("link.tension", i), 1e-6);
  }
}

TEST(Tension, ByTablesIsThatOfTheirPoints) {
  const RecordedRun run = recorded_run(
      hanging("type: tension, tension: progressive(length) + shock(rate)",
              "tables:\n"
              "  progressive: {points: [[0.9 m, 0 N], [1.0 m, 10 N], [1.2 m, 70 N]], "
              "interpolation: linear, beyond: linear}\n"
              "  shock: {points: [[-1 m/s, -3 N], [0 m/s, 0 N], [1 m/s, 9 N]], interpolation: "
              "linear, beyond: linear}"));
  for (std::size_t i = 0; i < run.rows(); i += 50) {
    const double L = run.at("link.length", i), v = -run.at("rail.u", i);
    const double elastic = L < 1 ? 100 * (L - 0.9) : 10 + 300 * (L - 1);
    EXPECT_NEAR(run.at("link.tension", i), elastic + (v < 0 ? 3 * v : 9 * v), 1e-9);
  }
}

TEST(Table, OfAFileIsADriveWithItsSlopeAndCurvature) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "backlash_characteristics";
  std::filesystem::create_directories(folder);
  {
    std::ofstream csv(folder / "lift.csv");
    csv.precision(17);
    csv << "time,lift\n";
    for (int i = 0; i <= 40; ++i)
      csv << i * 25 << ", " << (i % 40 == 0 ? 0 : 10 * std::sin(2 * std::numbers::pi * i / 40))
          << "\n";
    std::ofstream(folder / "model.yaml") << R"(backlash: 1
tables: {lift: {csv: lift.csv, units: [ms, mm], beyond: periodic}}
bodies: {slide: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, slide], drive: {position: lift(t)}}}
simulation: {step: 1e-3, until: 1.5}
output: {every: 0.025}
)";
  }
  const RecordedRun run = recorded_run(read_model(folder / "model.yaml"));
  std::filesystem::remove_all(folder);
  const double w = 2 * std::numbers::pi;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double t = run.at("t", i);
    EXPECT_NEAR(run.at("rail.q", i), 0.01 * std::sin(w * t), 1e-9);
    EXPECT_NEAR(run.at("rail.u", i), 0.01 * w * std::cos(w * t), 1e-5);
  }
}

/// A motor of 0.5 N m and 300 rad/s with a rotor of 1e-4 kg m² and a gear of 20 turns a disk.
std::string geared(double ratio, const std::string& inertia) {
  return fmt::format(R"(backlash: 1
bodies: {{disk: {{mass: 1, inertia: 0.03}}}}
joints: {{main: {{type: revolute, between: [ground, disk]}}}}
forces: {{motor: {{type: motor, joint: main, stall_torque: 0.5, no_load_speed: 300, ratio: {}{}}}}}
simulation: {{step: 1e-5, until: 0.2}}
output: {{every: 0.01}}
)",
                     ratio, inertia);
}

TEST(Motor, WithRotorAndGearRunsUpWithTheInertiaOfBoth) {
  const double n = 20, J = 1e-4, load = 0.03, M = 0.5, w0 = 300;
  for (const double rotor : {0.0, J}) {
    const RecordedRun run = recorded_run(geared(n, rotor > 0 ? ", inertia: 1e-4" : ""));
    const double tau = (load + n * n * rotor) * w0 / (n * n * M);
    for (std::size_t i = 1; i < run.rows(); ++i) {
      const double w = w0 / n * (1 - std::exp(-run.at("t", i) / tau));
      EXPECT_NEAR(run.at("main.u", i), w, 1e-5 * w0 / n);
      EXPECT_NEAR(run.at("motor.torque", i), M * (1 - n * w / w0), 1e-4 * M);
    }
  }
}

TEST(Motor, WithARotorOnAFreeBaseKeepsTheAngularMomentum) {
  const RecordedRun run = recorded_run(R"(backlash: 1
bodies: {base: {mass: 3, inertia: 0.2}, disk: {mass: 1, inertia: 0.03}}
joints: {float: {type: free, between: [ground, base]}, main: {type: revolute, between: [base, disk]}}
forces: {motor: {type: motor, joint: main, stall_torque: 0.5, no_load_speed: 300, ratio: -20, inertia: 1e-4}}
simulation: {step: 1e-5, until: 0.1}
output: {every: 0.01}
)");
  const std::size_t end = run.rows() - 1;
  const double base = run.at("base.omega", end), disk = run.at("disk.omega", end);
  const double rotor = base - 20 * run.at("main.u", end);
  EXPECT_GT(std::abs(disk), 1);
  EXPECT_NEAR(run.at("motor.rotor.omega", end), rotor, 1e-9);
  EXPECT_NEAR(0.2 * base + 0.03 * disk + 1e-4 * rotor, 0, 1e-10);
}

}  // namespace
}  // namespace backlash::test::characteristics
