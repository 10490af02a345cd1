// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/results/recorder.h"
#include "support/models.h"

/// Reactions of joints in the rows of results (theory 6.15).
namespace backlash::test::row_reactions {
namespace {

/// The rows of a run, by the names of their columns.
std::vector<Outputs> rows_of(const System& system, Integrator& integrator, State state,
                             double every, double until) {
  const RecorderOptions options{.every = every, .energy = true};
  Recorder recorder(system, state, options);
  simulate(
      integrator, state, until, [&](double) { return recorder.due(); },
      [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
  const std::vector<Channel> channels = state_channels(system.info(), options);
  std::vector<Outputs> rows;
  const std::vector<double>& values = recorder.recording().states;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % channels.size() == 0) rows.emplace_back();
    rows.back()[channels[i % channels.size()].name] = values[i];
  }
  return rows;
}

std::vector<Outputs> rows_of(const Assembly& assembly, double step, double every, double until) {
  Moreau integrator(*assembly.system, {.step = step});
  return rows_of(*assembly.system, integrator, assembly.start, every, until);
}

constexpr double mass = 2, radius = 0.3, speed = 40;

/// A crank without weight that a drive turns at a constant speed; its mass is a point at `radius`.
Assembly driven_crank(const char* coordinates) {
  return assembled(fmt::format(
      "bodies: {{crank: {{mass: {}, inertia: 0.1, com: [{}, 0]}}}}\n"
      "joints: {{pin: {{type: revolute, between: [ground, crank], drive: {{angle: {}*t}}}}}}\n"
      "simulation: {{coordinates: {}}}\n",
      mass, radius, speed, coordinates));
}

TEST(RowReactions, OfADrivenCrankAreTheMeanOfItsCentripetalForceAndItsSize) {
  const double size = mass * radius * speed * speed, every = 1e-2;
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    const auto rows = rows_of(driven_crank(coordinates), 1e-5, every, 0.1);
    ASSERT_EQ(rows.size(), 11u);
    for (std::size_t k = 1; k < rows.size(); ++k) {
      const double t = rows[k].at("t"), from = speed * (t - every), to = speed * t;
      const double over_turn = size / (speed * every);  // the integral over the angle
      EXPECT_NEAR(rows[k].at("pin.fx"), -over_turn * (std::sin(to) - std::sin(from)), 1e-6 * size);
      EXPECT_NEAR(rows[k].at("pin.fy"), over_turn * (std::cos(to) - std::cos(from)), 1e-6 * size);
      EXPECT_NEAR(rows[k].at("pin.peak_force"), size, 1e-6 * size);
      EXPECT_EQ(rows[k].at("pin.impact_fx"), 0);
      EXPECT_EQ(rows[k].at("pin.impact_torque"), 0);
    }
  }
}

TEST(RowReactions, OfTheCompliantMethodAreThoseNow) {
  const Assembly assembly = driven_crank("joint");
  const SystemInfo& info = assembly.system->info();
  Compliant integrator(*assembly.system, compliant_options({}, info));
  const double size = mass * radius * speed * speed;
  for (const Outputs& row : rows_of(*assembly.system, integrator, assembly.start, 1e-2, 0.1)) {
    if (row.at("t") == 0) continue;
    EXPECT_NEAR(row.at("pin.fx"), -size * std::cos(speed * row.at("t")), 1e-5 * size);
    EXPECT_NEAR(row.at("pin.fy"), -size * std::sin(speed * row.at("t")), 1e-5 * size);
    EXPECT_NEAR(row.at("pin.peak_force"), size, 1e-2 * size);
    EXPECT_EQ(row.at("pin.impact_fx"), 0);
  }
}

/// A bar that turns against a stop of its pin, which throws it back at half its speed: the pin
/// gives what the centre of mass and the rotation change by.
TEST(RowReactions, HaveThePercussionOfAnImpactApartFromTheForces) {
  const double l = 0.8, J = 0.2, w = 3, back = 0.5, stop = 0.4, step = 1e-4, every = 2e-2;
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    const Assembly assembly =
        assembled(fmt::format("bodies: {{bar: {{mass: {}, inertia: {}, com: [{}, 0]}}}}\n"
                              "joints: {{pin: {{type: revolute, between: [ground, bar], initial: "
                              "{{angle: {}, speed: {}}},"
                              " limits: {{lower: {}, law: hard}}}}}}\n"
                              "laws: {{hard: {{restitution: {}}}}}\n"
                              "simulation: {{coordinates: {}}}\n",
                              mass, J, l, stop + 0.1, -w, stop, back, coordinates));
    const double met = 0.1 / w, change = (1 + back) * w, percussion = mass * l * change;
    Vec2 impulse = Vec2::Zero();
    double impacts = 0;
    for (const Outputs& row : rows_of(assembly, step, every, 0.1)) {
      const double t = row.at("t");
      impulse += every * Vec2(row.at("pin.fx"), row.at("pin.fy")) +
                 Vec2(row.at("pin.impact_fx"), row.at("pin.impact_fy"));
      const bool meets = t > met && t < met + every;
      impacts += row.at("pin.impact_torque");
      if (t == 0) continue;
      const double rate = t < met + every ? w : back * w;  // the larger one in this row
      EXPECT_NEAR(row.at("pin.peak_force"), mass * l * rate * rate, 1e-4 * mass * l * w * w);
      EXPECT_NEAR(row.at("pin.impact_fx"), meets ? -percussion * std::sin(stop) : 0,
                  5e-3 * percussion * (meets ? 1 : 0));
      EXPECT_NEAR(row.at("pin.impact_fy"), meets ? percussion * std::cos(stop) : 0,
                  5e-3 * percussion * (meets ? 1 : 0));
    }
    EXPECT_NEAR(impacts, change * (J + mass * l * l), 1e-9);
    // Nothing else acts: all of it together is the change of momentum.
    const double end = stop + back * w * (0.1 - met);
    const Vec2 before = -mass * l * w * Vec2(-std::sin(stop + 0.1), std::cos(stop + 0.1));
    const Vec2 after = mass * l * back * w * Vec2(-std::sin(end), std::cos(end));
    EXPECT_NEAR((impulse - (after - before)).norm(), 0, 10 * step * mass * l * w);
  }
}

/// A block that friction F brakes from v0, in steps that rows divide: at t it has the energy, and
/// has lost the work, of v0 t − F t²/(2 m).
TEST(RowsWithinSteps, HaveTheWorkThatFrictionHasDoneUntilThen) {
  const double F = 5, m = 3, v0 = 2;
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 3, inertia: 0.01}}
joints: {rail: {type: prismatic, between: [ground, block], friction: {strength: 5 N}, initial: {speed: 2}}}
)");
  for (const MoreauOptions& options :
       {MoreauOptions{.step = 0.01}, MoreauOptions{.automatic_step = true, .max_step = 0.05}}) {
    Moreau integrator(*assembly.system, options);
    for (const Outputs& row : rows_of(*assembly.system, integrator, assembly.start, 0.003, 1)) {
      const double t = row.at("t");
      EXPECT_NEAR(row.at("energy.dry_friction_work"), -F * (v0 * t - F * t * t / (2 * m)), 1e-9);
      EXPECT_NEAR(row.at("energy.made_by_method"), 0, 1e-9) << t;
    }
  }
}

/// Means of rows times what lies between these are the momentum that the drive gave.
TEST(RowsWithinSteps, HaveMeansOverTheirOwnInterval) {
  const double m = 2, every = 0.003;
  const Assembly assembly = assembled(R"(
bodies: {block: {mass: 2, inertia: 0.01}}
joints: {rail: {type: prismatic, between: [ground, block], drive: {position: 0.1 m*sin(5*t)}}}
)");
  Moreau integrator(*assembly.system, {.step = 0.01});
  const auto rows = rows_of(*assembly.system, integrator, assembly.start, every, 0.9);
  double given = 0;
  for (const Outputs& row : rows) {
    given += row.at("rail.drive_force") * every;
    EXPECT_NEAR(given, m * (row.at("rail.u") - rows[0].at("rail.u")), 1e-9) << row.at("t");
  }
}

}  // namespace
}  // namespace backlash::test::row_reactions
