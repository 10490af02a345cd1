// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "conformance/integrator_variants.h"
#include "support/models.h"

namespace backlash::test {
namespace {

constexpr double g = 9.81;  // [m/s²]

/// A motion that is known, q and u of the first coordinate at the end, and how near to it every
/// method must come; what the contact's finite stiffness changes is part of that.
struct KnownMotion {
  Mechanism mechanism;
  int coordinate;
  double q, u;  ///< [m, rad], [m/s, rad/s]
  double q_tolerance, u_tolerance;
  double of_first_order = 1;  ///< part of the step that methods of first order take
  bool bounces = false;
};

Mechanism mechanism_of(const char* name, const std::string& text, double until, double step) {
  Assembly assembly = assembled(text);
  return {name, std::move(assembly.system), std::move(assembly.start), until, step};
}

/// A bar that falls from θ₀ = 2 rad against the vertical is at the bottom after a quarter of its
/// period, 4 K(sin θ₀/2)/ω, with the speed 2 ω sin θ₀/2.
KnownMotion pendulum() {
  const double mass = 2, length = 0.6, inertia = mass * length * length / 12, swing = 2;
  const double omega = std::sqrt(mass * g * length / 2 / (inertia + mass * length * length / 4));
  const double modulus = std::sin(swing / 2);
  const std::string text = fmt::format(R"(
gravity: [0, -{}]
bodies: {{bar: {{mass: {}, inertia: {}, com: [0, -{}]}}}}
joints: {{pin: {{type: revolute, between: [ground, bar], initial: {{angle: -{}}}}}}}
)",
                                       g, mass, inertia, length / 2, swing);
  return {mechanism_of("pendulum", text, std::comp_ellint_1(modulus) / omega, 2e-4),
          0,
          0,
          2 * omega * modulus,
          1e-3,
          2e-3,
          0.1};
}

/// Falls by h, and rises to e² h.
KnownMotion bouncing_ball(const char* name, const char* law, double tolerance) {
  const double height = 0.2, restitution = 0.7, radius = 0.1;
  const double fall = std::sqrt(2 * height / g);
  const std::string text = fmt::format(R"(
gravity: [0, -{}]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  ball: {{mass: 1, inertia: 0.1, shape: {{circle: {}}}, initial: {{position: [0, {}]}}}}
contacts: {{hit: {{between: [ball, ground.floor], law: rubber}}}}
laws: {{rubber: {{{}, restitution: {}}}}}
)",
                                       g, radius, radius + height, law, restitution);
  return {mechanism_of(name, text, fall * (1 + restitution), 1e-5),
          1,
          radius + restitution * restitution * height,
          0,
          tolerance,
          g * tolerance,
          1,
          true};
}

/// Slides down a slope of 30° with the acceleration g (sin α − μ cos α).
KnownMotion block_on_an_incline(const char* name, const char* law, double step) {
  const double slope = std::numbers::pi / 6, friction = 0.2, until = 0.3;
  const double acceleration = g * (std::sin(slope) - friction * std::cos(slope));
  const std::string text = fmt::format(R"(
gravity: [{}, {}]
bodies:
  ground: {{shapes: {{slope: {{line: {{normal: [0, 1]}}}}}}}}
  block: {{mass: 1, inertia: 0.001, shape: {{box: [0.1, 0.04]}}, initial: {{position: [0, 0.02]}}}}
contacts: {{foot: {{between: [block, ground.slope], law: wood}}}}
laws: {{wood: {{{}, friction: {}}}}}
)",
                                       g * std::sin(slope), -g * std::cos(slope), law, friction);
  return {mechanism_of(name, text, until, step),
          0,
          acceleration * until * until / 2,
          acceleration * until,
          2e-3 * acceleration * until * until / 2,
          2e-3 * acceleration * until,
          5};
}

std::vector<KnownMotion> known_motions() {
  std::vector<KnownMotion> list;
  list.push_back(pendulum());
  list.push_back(bouncing_ball("bouncing ball", "friction: 0", 1e-4));
  list.push_back(bouncing_ball("bouncing ball, compliant",
                               "model: calibrated, stiffness: 1e10 N/m^1.5", 5e-4));
  list.push_back(block_on_an_incline("block on an incline", "restitution: 0", 1e-4));
  list.push_back(block_on_an_incline("block on an incline, compliant",
                                     "model: kelvin-voigt, stiffness: 1e7 N/m, damping: 1e3 N s/m",
                                     2e-5));
  return list;
}

TEST(EveryIntegrator, ComesToTheEndOfAKnownMotion) {
  const std::vector<KnownMotion> motions = known_motions();
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.name());
    int run = 0;
    for (const KnownMotion& known : motions) {
      SCOPED_TRACE(known.mechanism.name);
      const auto integrator =
          make(variant, known.mechanism, variant.damps() ? known.of_first_order : 1);
      const bool bounces = !variant.has("impacts", "plastic");
      if (!integrator || variant.is_crude() || (known.bounces && !bounces)) continue;
      State state = known.mechanism.start;
      const RunSummary summary = simulate(*integrator, state, known.mechanism.until);
      EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
      EXPECT_NEAR(state.q[known.coordinate], known.q, known.q_tolerance);
      EXPECT_NEAR(state.u[known.coordinate], known.u, known.u_tolerance);
      ++run;
    }
    // A method whose impacts are plastic has no ball that bounces.
    EXPECT_TRUE(run >= (variant.has("impacts", "plastic") ? 2 : 3) || variant.is_crude());
  }
}

}  // namespace
}  // namespace backlash::test
