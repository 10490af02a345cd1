// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/results/recorder.h"
#include "support/models.h"

/// Forces of steps in which something jumps: the acceleration of a drive, or the velocity that is
/// left of the bounces of a contact.
namespace backlash::test::jumping_forces {
namespace {

struct Row {
  double t = 0, force = 0, peak = 0;
};

/// The drive of `rail` in each step.
std::vector<Row> drive_of(const Assembly& assembly, const MoreauOptions& options, double until) {
  Moreau integrator(*assembly.system, options);
  State state = assembly.start;
  const RecorderOptions recording{.every = 0};
  Recorder recorder(*assembly.system, state, recording);
  const RunSummary summary =
      simulate(integrator, state, until,
               [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  EXPECT_EQ(summary.status, StepStatus::done);
  const std::vector<Channel> channels = state_channels(assembly.system->info(), recording);
  const auto column = [&](const char* name) {
    const auto at = std::ranges::find(channels, name, &Channel::name);
    EXPECT_NE(at, channels.end()) << name;
    return static_cast<std::size_t>(at - channels.begin());
  };
  const std::size_t force = column("rail.drive_force"), t = column("t");
  const std::vector<double>& values = recorder.recording().states;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < values.size(); i += channels.size())
    rows.push_back({.t = values[i + t], .force = values[i + force]});
  return rows;
}

/// A mass of 2 kg on a rail, moved by a function of time from rest.
Assembly driven_mass(const std::string& position, const char* coordinates) {
  return assembled(fmt::format(R"(
bodies: {{block: {{mass: 2, inertia: 1}}}}
joints: {{rail: {{type: prismatic, between: [ground, block], drive: {{position: "{}"}}}}}}
simulation: {{coordinates: {}}}
)",
                               position, coordinates));
}

/// The force is its mean over each step, wherever in a step the acceleration jumps; it does not
/// ring.
TEST(JumpingDrive, HasTheMeanForceOfEachStep) {
  const double m = 2, a = 10, step = 1e-4;
  for (const char* coordinates : {"joint", "absolute"})
    for (const double share : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9}) {
      SCOPED_TRACE(fmt::format("{}, after {} of a step", coordinates, share));
      const double t0 = 1e-3 + share * step;
      const auto speed = [&](double t) { return a * std::max(0.0, t - t0); };
      const auto rows =
          drive_of(driven_mass(fmt::format("if(t < {0}, 0, 5*(t - {0})^2)", t0), coordinates),
                   {.step = step}, 3e-3);
      for (std::size_t k = 1; k < rows.size(); ++k) {
        const double mean = m * (speed(rows[k].t) - speed(rows[k - 1].t)) / step;
        EXPECT_NEAR(rows[k].force, mean, 1e-7 * m * a) << rows[k].t;
      }
    }
}

/// From rest to rest by the harmonic law: the largest force is m (h/2)(π/T)².
TEST(JumpingDrive, OfAHarmonicLiftIsNeverLargerThanItsLargestForce) {
  const double m = 2, h = 0.1, T = 0.5;
  const double largest = m * 0.5 * h * std::pow(std::numbers::pi / T, 2);
  for (const bool automatic : {false, true})
    for (const double t0 : {0.10005, 0.10003, 0.1000777}) {
      SCOPED_TRACE(fmt::format("{}, from {} s", automatic ? "automatic" : "equal", t0));
      MoreauOptions options{.step = 1e-4};
      options.automatic_step = automatic;
      const auto rows =
          drive_of(driven_mass(fmt::format("0.1*harmonic((t - {})/0.5)", t0), "joint"), options, 1);
      double found = 0;
      for (const Row& row : rows) found = std::max(found, std::abs(row.force));
      EXPECT_LT(found, largest * (1 + 1e-6));
      EXPECT_GT(found, largest * (1 - 1e-3));
    }
}

/// The step that takes what is left of the bounces is no peak of force.
TEST(RestingContact, HasItsWeightAsPeakForceAfterItsBounces) {
  const Assembly assembly = assembled(R"(
gravity: [0, -10]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  ball: {mass: 1, inertia: 1e-3, initial: {position: [0, 0.15]}, shape: {circle: 50 mm}}
contacts: {floor: {between: [ground, ball], law: hard}}
laws: {hard: {restitution: 0.3}}
)");
  for (const double step : {7e-4, 5e-4, 1e-4, 1e-5}) {
    Moreau integrator(*assembly.system, {.step = step});
    State state = assembly.start;
    const RecorderOptions recording{.every = 0.01};
    Recorder recorder(*assembly.system, state, recording);
    simulate(integrator, state, 0.6,
             [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
    double peak = 0;
    for (const ContactRow& row : recorder.recording().contacts) peak = std::max(peak, row.peak_n);
    EXPECT_NEAR(peak, 10, 1e-6) << step;
  }
}

}  // namespace
}  // namespace backlash::test::jumping_forces
