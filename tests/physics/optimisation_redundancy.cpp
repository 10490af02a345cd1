// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contacts that touch from the start, more of them than the motion determines the forces of.

#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::optimisation_redundancy {
namespace {

constexpr double g = 9.81;  // [m/s²]

OptimisationOptions with(Optimiser optimiser) {
  OptimisationOptions options;
  options.warm_start = WarmStart::point;  // the optimiser in every step
  options.step = 1e-3;
  options.optimiser = optimiser;
  return options;
}

template <class Observer>
State run(const Assembly& assembly, Optimiser optimiser, double until, Observer observe) {
  Optimisation integrator(*assembly.system, with(optimiser));
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, until, observe);
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  return state;
}

/// A block slides up an incline, and an arm that turns lifts a foot: both touch from the start, at
/// the speed of what they touch but for round-off.
TEST(OptimisationRedundancy, ContactThatBeginsWithMatchedSpeedsIsNoImpact) {
  const Assembly assembly = assembled(R"(
parameters: {a: 0.3, v: 1.7 m/s, w: 20}
gravity: [0, -9.81]
bodies:
  ground: {shapes: {slope: {line: {normal: [-sin(a), cos(a)]}}}}
  block: {mass: 1, inertia: 0.001, shape: {box: [0.1, 0.04]}, initial: {position: [-0.02*sin(a), 0.02*cos(a)], angle: a, velocity: [v*cos(a), v*sin(a)]}}
  arm: {mass: 1, inertia: 0.01, shapes: {tip: {circle: 0.05, at: [0.2, 0]}}}
  foot: {mass: 0.5, inertia: 1e-3, shape: {box: [0.4, 0.04]}}
joints:
  hub: {type: revolute, between: [ground, arm], at: [[1, 0], [0, 0]], initial: {speed: w}}
  guide: {type: prismatic, between: [ground, foot], at: [[1, 0.07], [0, 0]], axis: [0, 1], initial: {speed: 0.2*w}}
contacts:
  f: {between: [ground.slope, block], law: wood}
  c: {between: [arm.tip, foot], law: wood}
forces:
  load: {type: force, body: foot, force: [0, -300]}
laws: {wood: {restitution: 0.4, friction: 0.3}}
)");
  int closed = 0;
  run(assembly, Optimiser::ipopt, 0.01, [&](const State&, const StepResult& result) {
    for (const ContactOutcome& contact : result.contacts) {
      EXPECT_NE(contact.state, ContactState::impact);
      closed += lasts(contact.state);
    }
  });
  EXPECT_EQ(closed, 10 * 3);
}

/// Four books that stand side by side and touch each other, without a load from the side.
std::string row_of_books() {
  std::string text = R"(
parameters: {w: 30 mm, h: 200 mm, m: 0.5 kg}
gravity: [0, -9.81]
laws: {paper: {friction: 0.3, restitution: 0.2}}
bodies:
  ground: {shapes: {shelf: {line: {normal: [0, 1]}}, end: {line: {normal: [-1, 0], point: [4*w, 0]}}}}
)";
  std::string contacts = "contacts:\n";
  for (int i = 1; i <= 4; ++i) {
    text += fmt::format(
        "  b{0}: {{mass: m, inertia: m*(w^2+h^2)/12, shape: {{box: [w, h]}}, initial: {{position: "
        "[({0}-0.5)*w, h/2]}}}}\n",
        i);
    contacts += fmt::format("  s{0}: {{between: [ground.shelf, b{0}], law: paper}}\n", i);
    if (i > 1) contacts += fmt::format("  p{0}: {{between: [b{1}, b{0}], law: paper}}\n", i, i - 1);
  }
  return text + contacts;
}

void expect_weight_on_feet(const Assembly& assembly, const StepResult& result) {
  int feet = 0;
  for (const ContactOutcome& contact : result.contacts) {
    const std::string name = assembly.system->contact_name(contact.key);
    const bool foot = name.starts_with("s");
    feet += foot;
    EXPECT_NEAR(contact.impulse[0], foot ? result.step * 0.5 * g / 2 : 0, 1e-12) << name;
    EXPECT_EQ(contact.state, foot ? ContactState::stick : ContactState::open) << name;
  }
  EXPECT_EQ(feet, 8);
}

void expect_to_stand(const Assembly& assembly, const OptimisationOptions& options) {
  SCOPED_TRACE(fmt::format("{} {} {}", name(options.optimiser), name(options.warm_start),
                           name(options.step_control)));
  Optimisation integrator(*assembly.system, options);
  State state = assembly.start;
  const auto observe = [&](const State&, const StepResult& result) {
    if (options.warm_start == WarmStart::active_set) {
      EXPECT_EQ(result.iterations > 0, result.t_start == 0) << result.t_start;
    }
    EXPECT_TRUE(result.released.empty());
    expect_weight_on_feet(assembly, result);
  };
  const RunSummary summary = simulate(integrator, state, 0.01, observe);
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  EXPECT_EQ(summary.impacts, 0);
  EXPECT_LT(state.u.norm(), 1e-12);
}

/// Each carries its weight with its two feet, which stick, and the sides carry nothing, in every
/// step: from the last active set, which asks the optimiser in the first step alone, and by the
/// optimiser in all.
TEST(OptimisationRedundancy, BooksSideBySideStandOnTheirFeetFromTheFirstStepOn) {
  const Assembly assembly = assembled(row_of_books());
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp})
    for (const WarmStart warm : {WarmStart::active_set, WarmStart::point})
      for (const StepControl control : {StepControl::fixed, StepControl::free})
        expect_to_stand(
            assembly,
            {.step = 1e-3, .step_control = control, .optimiser = optimiser, .warm_start = warm});
}

/// A ball that bounces beside them does not change what they carry.
TEST(OptimisationRedundancy, BooksStandAsTheyDidWhileABallBouncesBesideThem) {
  std::string text = row_of_books();
  text.replace(text.find("contacts:"), 9,
               "  ball: {mass: 0.2, inertia: 1e-4, shape: {circle: 20 mm}, initial: {position: "
               "[0.5, 21 mm]}}\ncontacts:\n  hit: {between: [ground.shelf, ball], law: paper}");
  const Assembly assembly = assembled(text);
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp}) {
    SCOPED_TRACE(name(optimiser));
    Optimisation integrator(*assembly.system, {.step = 1e-3, .optimiser = optimiser});
    State state = assembly.start;
    const RunSummary summary =
        simulate(integrator, state, 0.03, [&](const State&, const StepResult& result) {
          StepResult books = result;
          std::erase_if(books.contacts, [&](const ContactOutcome& contact) {
            return assembly.system->contact_name(contact.key) == "hit";
          });
          expect_weight_on_feet(assembly, books);
        });
    EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
    EXPECT_GT(summary.impacts, 0);
  }
}

/// Four books between a hand and the end of a shelf: 22 contacts that touch, of which 12 velocities
/// determine no more than 12 sums. None moves, so none slips, and each carries the same all the
/// time.
TEST(OptimisationRedundancy, BooksThatDoNotMoveStickAndShareTheirLoadSteadily) {
  const Assembly assembly =
      assembled(row_of_books() + "  e4: {between: [ground.end, b4], law: paper}\n" +
                "forces: {push: {type: force, body: b1, force: [1, 0]}}\n");
  for (const Optimiser optimiser : {Optimiser::ipopt, Optimiser::slsqp}) {
    SCOPED_TRACE(static_cast<int>(optimiser));
    std::map<ContactKey, double> first;
    int iterations = 0;
    const State end = run(assembly, optimiser, 0.01, [&](const State&, const StepResult& result) {
      iterations += result.iterations;
      EXPECT_TRUE(result.released.empty());
      double carried = 0, held = 0;  // by the shelf, by the friction of its end
      for (const ContactOutcome& contact : result.contacts) {
        EXPECT_TRUE(contact.state == ContactState::stick || contact.impulse[0] < 1e-12);
        const std::string name = assembly.system->contact_name(contact.key);
        if (name.starts_with("s")) carried += contact.impulse[0];
        if (name.starts_with("e")) held += contact.impulse[1];
        const auto [known, is_new] = first.try_emplace(contact.key, contact.impulse[0]);
        EXPECT_NEAR(known->second, contact.impulse[0], 1e-9);
      }
      EXPECT_NEAR(std::abs(carried - 1e-3 * 4 * 0.5 * g), std::abs(held), 1e-12);
    });
    EXPECT_LT(end.u.norm(), 1e-12);
    EXPECT_LT(iterations, 10 * 25);
  }
}

}  // namespace
}  // namespace backlash::test::optimisation_redundancy
