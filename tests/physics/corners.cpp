// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

// A tip that slides to a hollow corner of an outline hits its other side: an impact, though the
// contact lasted until then (theory 4.41). At an edge it follows the edge, or leaves it.

namespace backlash::test::corners {
namespace {

constexpr double slope = 10 * M_PI / 180, speed = 0.5, start = 0.05, mass = 0.3;

/// A tip in a vertical guide on a cart at constant speed, which slides down one side of a V.
std::string tip_in_a_v(const char* profiles, const char* ground, const char* tip,
                       double restitution) {
  return fmt::format(R"(
parameters: {{v: {}, al: {}, x0: {}, m: {}}}
gravity: [0, -9.81]
{}bodies:
  ground: {{shapes: {{v: {{{}}}}}}}
  cart: {{mass: 1, inertia: 1e-3}}
  tip: {{mass: m, inertia: 1e-3, shape: {{{}}}}}
joints:
  car: {{type: prismatic, between: [ground, cart], axis: [1, 0], drive: {{speed: v}}, initial: {{position: -x0}}}}
  guide: {{type: prismatic, between: [cart, tip], axis: [0, 1], initial: {{position: x0*tan(al), speed: -v*tan(al)}}}}
contacts: {{touch: {{between: [ground.v, tip], law: steel}}}}
laws: {{steel: {{restitution: {}, friction: 0}}}}
)",
                     speed, slope, start, mass, profiles, ground, tip, restitution);
}

const char* const v_profile =
    "profiles: {V: {degree: 1, points: [[100 mm, 100 mm*tan(al)], [0, 0], "
    "[-100 mm, 100 mm*tan(al)]], material: left}}\n";
const char* const v_polygon =
    "polygon: [[-100 mm, 100 mm*tan(al)], [-100 mm, -50 mm], [100 mm, -50 mm], "
    "[100 mm, 100 mm*tan(al)], [0, 0]]";

struct FirstImpact {
  int count = 0;
  double t = 0, before = 0, after = 0, loss = 0, made = 0;
};

FirstImpact first_impact(const std::string& text, const MoreauOptions& options, double until) {
  const Assembly assembly = assembled(text);
  Moreau integrator(*assembly.system, options);
  State state = assembly.start;
  const EnergyLedger begin = energy_ledger(*assembly.system, state);
  FirstImpact first;
  const RunSummary summary =
      simulate(integrator, state, until, [&](const State& now, const StepResult& result) {
        for (const ContactOutcome& contact : result.contacts)
          if (is_impact(contact) && first.count++ == 0) {
            first.t = now.t;
            first.before = contact.gamma_before[0];
            first.after = contact.gamma_after[0];
            first.loss = contact.loss;
          }
      });
  EXPECT_EQ(summary.status, StepStatus::done);
  first.made = made_by_method(begin, energy_ledger(*assembly.system, state));
  return first;
}

TEST(HollowCorner, IsHitByATipThatSlidesIntoIt) {
  // γ⁻ = v (tan α + tan α) cos α, and what Newton's law takes: ½ (1 − ε²) m (γ⁻/cos α)².
  const double before = -2 * speed * std::sin(slope);
  for (const double restitution : {0.0, 0.5})
    for (const char* kind : {"profile", "polygon"})
      for (const double step : {1e-4, 1e-5, 0.0}) {
        SCOPED_TRACE(fmt::format("{}, {}, {} s", restitution, kind, step));
        const bool profile = std::string(kind) == "profile";
        const std::string text =
            tip_in_a_v(profile ? v_profile : "", profile ? "profile: V" : v_polygon,
                       "point: [0, 0]", restitution);
        const FirstImpact hit =
            first_impact(text, {.step = step > 0 ? step : 1e-4, .automatic_step = step == 0}, 0.11);
        ASSERT_EQ(hit.count, 1);
        EXPECT_NEAR(hit.t, start / speed, 1.01 * std::max(step, 1e-6));  // the end of its step
        EXPECT_NEAR(hit.before, before, 1e-9);
        EXPECT_NEAR(hit.after, -restitution * before, 1e-9);
        const double lost =
            0.5 * (1 - restitution * restitution) * mass * std::pow(before / std::cos(slope), 2);
        const double weight = mass * 9.81 * std::abs(before) * std::max(step, 1e-6);
        EXPECT_NEAR(hit.loss, lost, weight);  // of the step's impulse the weight's is none of it
        EXPECT_LT(std::abs(hit.made), weight);
      }
}

/// A disc on a roof leaves it where the side ends below its centre: round the ridge it would need
/// v²/r = 50 m/s² downwards.
TEST(Edge, IsLeftByADiscThatGoesTooFastRoundIt) {
  constexpr double radius = 5e-3;
  const double leaves = (start - radius * std::sin(slope)) / speed;
  const std::string disc = "circle: 5 mm, at: [0, 5 mm/cos(al)]";
  std::string text = tip_in_a_v(v_profile, "profile: V", disc.c_str(), 0.5);
  text.replace(text.find("al: "), 4, "al: -");
  const Assembly assembly = assembled(text);
  for (const bool automatic : {false, true}) {
    Moreau integrator(*assembly.system, {.step = 1e-5, .automatic_step = automatic});
    State state = assembly.start;
    double pushed = 0;  // until when
    int impacts = 0;
    const RunSummary summary =
        simulate(integrator, state, 0.12, [&](const State& now, const StepResult& result) {
          for (const ContactOutcome& contact : result.contacts) {
            impacts += is_impact(contact);
            if (contact.impulse[0] > 0) pushed = now.t;
          }
        });
    EXPECT_EQ(summary.status, StepStatus::done);
    EXPECT_EQ(impacts, 0);
    EXPECT_NEAR(pushed, leaves, 1.5e-5) << automatic;
  }
}

}  // namespace
}  // namespace backlash::test::corners
