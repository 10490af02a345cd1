// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

/// Contacts that forces press shut: nothing but their force may open them.
namespace backlash::test {
namespace {

struct Events {
  int impacts = 0, releases = 0;
};

/// A slab of 0.2 m × 0.06 m that falls flat by 5 mm.
std::string falling_slab(const std::string& inertia) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  slab: {{{}, shape: {{box: [0.2, 0.06]}}, initial: {{position: [0, 0.035]}}}}
contacts: {{base: {{between: [slab, ground.floor], law: clay}}}}
laws: {{clay: {{restitution: 0.3, friction: 0.5}}}}
)",
                     inertia);
}

/// Equal boxes on each other touch in two corners of both at each end: what one carries, the other
/// need not, but none of them leaves.
TEST(PressedContact, EqualBoxesOnEachOtherStayWithoutARelease) {
  const Assembly pile = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
  low: {mass: 2, inertia: 3e-3, shape: {box: [0.1, 0.06]}, initial: {position: [0, 0.03]}}
  high: {mass: 2, inertia: 3e-3, shape: {box: [0.1, 0.06]}, initial: {position: [0, 0.09]}}
contacts:
  floor: {between: [ground, low], law: dry}
  on: {between: [low, high], law: dry}
laws: {dry: {friction: 0.3}}
)");
  for (const double step : {1e-3, 1e-4, 2e-5}) {
    SCOPED_TRACE(step);
    long releases = 0, impacts = 0, rests = 0;
    double force = 0;
    run(*pile.system, pile.start, step, 0.4, {}, [&](const State&, const StepResult& result) {
      releases += static_cast<long>(result.released.size());
      force = 0;
      for (const ContactOutcome& contact : result.contacts) {
        impacts += contact.state == ContactState::impact;
        releases += contact.before != ContactState::open && contact.state == ContactState::open;
        rests += contact.before == ContactState::open && lasts(contact.state);
        force += contact.impulse[0] / result.step;
      }
    });
    EXPECT_EQ(releases, 0);
    EXPECT_EQ(impacts, 0);
    EXPECT_LE(rests, 6);
    EXPECT_NEAR(force, (2 * 2 + 2) * 9.81, 1e-6);  // of the floor, and of the box below
  }
}

/// Round-off makes the two corners unlike each other; it must not make the slab rock.
TEST(PressedContact, ASlabRestsOnBothCornersHoweverItsCentreIsRounded) {
  const double weight = 2.16 * 9.81;
  for (const std::string inertia :
       {"mass: 2.16, inertia: 2.16*0.0436/12, com: [1e-16, 0]",
        "mass: 2.16, inertia: 2.16*0.0436/12, com: [1e-12, 0]", "density: 180, thickness: 1"})
    for (const double step : {1e-3, 3e-4, 1e-4, 3e-5}) {
      SCOPED_TRACE(fmt::format("{} at {}", inertia, step));
      const Assembly slab = assembled(falling_slab(inertia));
      EXPECT_NEAR(slab.system->info().length, std::hypot(0.1, 0.03), 1e-9);
      Events events;
      double least = INFINITY, most = 0;
      run(*slab.system, slab.start, step, 1, {}, [&](const State& state, const StepResult& result) {
        if (state.t < 0.2) return;
        events.releases += static_cast<int>(result.released.size());
        ASSERT_EQ(result.contacts.size(), 2u);
        for (const ContactOutcome& contact : result.contacts) {
          events.impacts += contact.state == ContactState::impact;
          least = std::min(least, contact.impulse[0] / result.step);
          most = std::max(most, contact.impulse[0] / result.step);
        }
      });
      EXPECT_EQ(events.impacts + events.releases, 0);
      EXPECT_NEAR(least, weight / 2, 1e-7 * weight);
      EXPECT_NEAR(most, weight / 2, 1e-7 * weight);
    }
}

/// y = ½h(1 − cos 2φ): its curvature vanishes four times a turn and there changes fastest, where
/// the gap's error of one step, of order Δt³, is largest.
TEST(PressedContact, AFollowerStaysOnItsCamUpToTheSpeedWhereItsForceVanishes) {
  const double h = 0.008, k = 12000, m = 0.25, g = 9.81;
  for (const auto& [speed, preload] : {std::pair{1600.0, 3000.0}, {1700.0, 60.0}, {1880.0, 60.0}}) {
    const double omega = speed * std::numbers::pi / 30;
    const Assembly cam = assembled(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  cam: {{mass: 1.2, inertia: 6e-4, shapes: {{profile: {{cam: {{base: 25 mm, lift: 0.008/2*(1 - cos(2*phi)), follower: flat}}}}}}}}
  tappet: {{mass: 0.25, inertia: 1e-5, shapes: {{face: {{line: {{normal: [0, -1]}}}}}}}}
joints:
  axle: {{type: revolute, between: [ground, cam], initial: {{angle: 90 deg}}, drive: {{speed: {} rpm}}}}
  guide: {{type: prismatic, between: [ground, tappet], at: [[0, 25 mm], [0, 0]], axis: [0, 1]}}
forces: {{spring: {{type: joint_spring, joint: guide, stiffness: 12 N/mm, preload: {} N}}}}
contacts: {{touch: {{between: [cam.profile, tappet.face], law: hard}}}}
laws: {{hard: {{restitution: 0.2}}}}
)",
                                               speed, -preload));
    double error_before = INFINITY;
    for (const double step : {2e-4, 1e-4, 5e-5}) {
      SCOPED_TRACE(fmt::format("{} rpm, {} N, {} s", speed, preload, step));
      double error = 0;
      int releases = 0;
      run(*cam.system, cam.start, step, 0.5, {}, [&](const State& state, const StepResult& result) {
        releases += static_cast<int>(result.released.size());
        if (state.t < 0.02 || result.contacts.empty()) return;
        const double two_phi = 2 * omega * (state.t - result.step / 2);
        const double y = h / 2 * (1 - std::cos(two_phi));
        const double exact =
            2 * m * h * omega * omega * std::cos(two_phi) + k * y + preload + m * g;
        error = std::max(error, std::abs(result.contacts[0].impulse[0] / result.step - exact));
      });
      EXPECT_EQ(releases, 0);
      EXPECT_LT(error, error_before / 3);  // order 2
      error_before = error;
    }
    EXPECT_LT(error_before, 0.02);
  }
}

}  // namespace
}  // namespace backlash::test
