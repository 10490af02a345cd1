// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/recorded_run.h"

/// Joints that couple coordinates of others.
namespace backlash::test::couplings {
namespace {

TEST(Coupling, OfTwoSlidesIsATackle) {
  // The block sinks half as fast as the rope's end rises: (m1 + 4 m2) a = (m1 − 2 m2) g.
  const RecordedRun run = recorded_run(R"(backlash: 1
gravity: [0, -10]
bodies: {block: {mass: 5, inertia: 1}, end: {mass: 2, inertia: 1}}
joints:
  low: {type: prismatic, between: [ground, block], axis: [0, 1]}
  high: {type: prismatic, between: [ground, end], axis: [0, 1]}
  rope: {type: coupling, coordinates: [low.q, high.q], ratio: -2}
simulation: {step: 1e-3, until: 0.5}
output: {every: 0.1}
)");
  const double a = -(5 - 2 * 2) * 10.0 / (5 + 4 * 2);
  const std::size_t end = run.rows() - 1;
  EXPECT_NEAR(run.at("low.q", end), 0.5 * a * 0.25, 1e-9);
  EXPECT_NEAR(run.at("high.u", end), -2 * a * 0.5, 1e-9);
  EXPECT_NEAR(run.at("rope.force", end), 2 * (-2 * a + 10), 1e-6);
  EXPECT_EQ(run.unit("rope.force"), "N");
}

TEST(Coupling, OfAnAngleAndASlideIsAScrew) {
  // A nut of 4 kg falls and turns a screw of 1e-4 kg m² with a lead of 20 mm.
  const RecordedRun run = recorded_run(R"(backlash: 1
gravity: [0, -10]
bodies: {screw: {mass: 1, inertia: 1e-4}, nut: {mass: 4, inertia: 1}}
joints:
  spindle: {type: revolute, between: [ground, screw]}
  guide: {type: prismatic, between: [ground, nut], axis: [0, 1]}
  thread: {type: coupling, coordinates: [spindle.q, guide.q], ratio: 20 mm/rev}
simulation: {step: 1e-3, until: 0.3}
output: {every: 0.1}
)");
  const double p = 0.02 / (2 * std::numbers::pi), a = -4 * 10.0 / (4 + 1e-4 / (p * p));
  const std::size_t end = run.rows() - 1;
  EXPECT_NEAR(run.at("guide.u", end), a * 0.3, 1e-9);
  EXPECT_NEAR(run.at("spindle.u", end), a * 0.3 / p, 1e-6);
}

/// Sun of 20 teeth, ring of 60: (ω_ring − ω_c) = −20/60 (ω_sun − ω_c).
std::string planetary(const std::string& ring) {
  return fmt::format(R"(backlash: 1
bodies: {{sun: {{mass: 1, inertia: 0.01}}, ring: {{mass: 1, inertia: 0.04}}, arm: {{mass: 1, inertia: 0.02}}}}
joints:
  in: {{type: revolute, between: [ground, sun], drive: {{speed: 40}}}}
  out: {{type: revolute, between: [ground, arm]}}
  rim: {{type: revolute, between: [ground, ring]{}}}
  teeth: {{type: coupling, coordinates: [in.q, rim.q], ratio: -20/60, carrier: arm}}
simulation: {{step: 1e-3, until: 0.2}}
output: {{every: 0.1}}
)",
                     ring);
}

TEST(Coupling, AgainstACarrierIsAPlanetaryGear) {
  const RecordedRun held = recorded_run(planetary(", drive: {angle: 0}"));
  EXPECT_NEAR(held.at("out.u", 2), 40 * 20.0 / 80, 1e-9);
  const RecordedRun turned = recorded_run(planetary(", drive: {speed: 10}"));
  EXPECT_NEAR(turned.at("out.u", 2), (40 * 20.0 + 10 * 60) / 80, 1e-9);
}

TEST(Coupling, WithPlayMovesNothingUntilThePlayIsUsedUp) {
  // A slide of 1 m/s takes the other along, as heavy and at rest, after 10 mm of play.
  const RecordedRun run = recorded_run(R"(backlash: 1
bodies: {a: {mass: 2, inertia: 1}, b: {mass: 2, inertia: 1}}
joints:
  first: {type: prismatic, between: [ground, a], initial: {speed: 1}}
  second: {type: prismatic, between: [ground, b], initial: {speed: 0}}
  link: {type: coupling, coordinates: [first.q, second.q], ratio: 1, clearance: {gap: 10 mm, law: dead}}
laws: {dead: {restitution: 0}}
simulation: {step: 1e-4, until: 0.05}
output: {every: 0.005}
)");
  EXPECT_EQ(run.at("second.u", 1), 0);
  EXPECT_NEAR(run.at("link.play", 1), -0.005, 1e-9);
  EXPECT_NEAR(run.at("second.u", 4), 0.5, 1e-9);
  EXPECT_NEAR(run.at("link.play", 9), -0.01, 1e-4);
}

}  // namespace
}  // namespace backlash::test::couplings
