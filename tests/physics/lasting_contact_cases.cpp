// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contact that lasts, in mechanisms that are pendulums while it does: both choices of coordinates,
// three steps each, position and force with the order in which they come to the closed form.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::lasting_contact_cases {
namespace {

constexpr double g = 9.81;  // [m/s²]

struct Swing {
  double angle = 0, rate = 0;  ///< from the lowest point [rad, rad/s]
};

/// θ̈ = −a sin θ by the classical Runge–Kutta method, in steps far below those that are tested.
class Pendulum {
 public:
  Pendulum(double a, Swing start) : a_(a), now_(start) {}

  Swing at(double t) {
    constexpr double longest = 2e-5;  // [s]
    const int n = std::max(1, static_cast<int>(std::ceil((t - t_) / longest)));
    for (int i = 0; i < n; ++i) advance((t - t_) / n);
    t_ = t;
    return now_;
  }

 private:
  Swing slope(const Swing& s) const { return {s.rate, -a_ * std::sin(s.angle)}; }

  void advance(double h) {
    const auto moved = [&](const Swing& k, double by) {
      return Swing{now_.angle + by * k.angle, now_.rate + by * k.rate};
    };
    const Swing k1 = slope(now_), k2 = slope(moved(k1, h / 2)), k3 = slope(moved(k2, h / 2)),
                k4 = slope(moved(k3, h));
    now_.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
    now_.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
  }

  double a_, t_ = 0;
  Swing now_;
};

/// The largest errors of a run.
struct Errors {
  double angle = 0;  ///< at the ends of the steps [rad]
  double force = 0;  ///< mean of each step against that of its middle [N]
  double gap = 0;    ///< at the middle of a step, below zero [m]
};

/// A mechanism that is a pendulum while its contacts last.
struct Case {
  std::string text;  ///< of the model, without `simulation`
  Swing start;
  double stiffness = 0;  ///< a of θ̈ = −a sin θ [1/s²]
  std::size_t contacts = 1;
  int body = 0;
  /// The normal forces when it is there, in the order of the contacts [N].
  std::function<std::array<double, 2>(const Swing&)> forces;
};

Errors run(const Case& mechanism, const std::string& coordinates, double step, double until) {
  const std::string text =
      mechanism.text + fmt::format("simulation: {{coordinates: {}}}\n", coordinates);
  const Assembly assembly = assemble(parse_model(text, "case.yaml"));
  Moreau integrator(*assembly.system, {.step = step});
  State state = assembly.start;
  Pendulum pendulum(mechanism.stiffness, mechanism.start);
  Errors errors;
  const auto observe = [&](const State& now, const StepResult& result) {
    const Swing middle = pendulum.at(now.t - step / 2), end = pendulum.at(now.t);
    ASSERT_EQ(result.contacts.size(), mechanism.contacts) << "open at t = " << now.t;
    const auto expected = mechanism.forces(middle);
    for (std::size_t k = 0; k < mechanism.contacts; ++k) {
      const ContactOutcome& contact = result.contacts[k];
      EXPECT_FALSE(is_impact(contact)) << now.t;
      errors.force = std::max(errors.force, std::abs(contact.impulse[0] / step - expected[k]));
      errors.gap = std::max(errors.gap, -contact.gap);
    }
    const System& system = *assembly.system;
    const Vec3 p = system.body_motion(configuration(system, now), now.u, mechanism.body).p_W;
    const double angle = std::atan2(p.x(), -p.y());
    errors.angle = std::max(errors.angle, std::abs(std::remainder(angle - end.angle, 2 * M_PI)));
  };
  const RunSummary summary = simulate(integrator, state, until, observe);
  EXPECT_EQ(summary.status, StepStatus::done);
  return errors;
}

/// Runs with a step, its half and its quarter; that one within the bounds.
void expect_order_two(const Case& mechanism, double step, double until, const Errors& bounds) {
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    std::array<Errors, 3> found;
    for (std::size_t k = 0; k < 3; ++k) {
      found[k] = run(mechanism, coordinates, step / std::pow(2, k), until);
      if (::testing::Test::HasFailure()) return;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(std::log2(found[k].angle / found[k + 1].angle), 2, 0.1);
      EXPECT_NEAR(std::log2(found[k].force / found[k + 1].force), 2, 0.1);
    }
    EXPECT_LT(found[2].angle, bounds.angle);
    EXPECT_LT(found[2].force, bounds.force);
    EXPECT_LT(found[2].gap, bounds.gap);
  }
}

/// A bead that loops in a ring.
Case bead() {
  constexpr double m = 0.2, c = 0.1, v0 = 2.6;  // loops from √(5 g c) = 2.215 m/s on
  Case mechanism;
  mechanism.text = fmt::format(
      "backlash: 1\ngravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0}}\n"
      "bodies:\n  ground: {{shapes: {{guide: {{ring: {}}}}}}}\n"
      "  bead: {{mass: {}, inertia: 1e-5, shape: {{point: [0, 0]}}, initial: {{position: [0, -{}], "
      "velocity: [{}, 0]}}}}\n"
      "contacts:\n  touch: {{between: [ground.guide, bead], law: hard}}\n",
      g, c, m, c, v0);
  mechanism.start = {0, v0 / c};
  mechanism.stiffness = g / c;
  mechanism.forces = [](const Swing& s) {
    return std::array{m * c * s.rate * s.rate + m * g * std::cos(s.angle), 0.0};
  };
  return mechanism;
}

TEST(LastingContactCases, BeadLoopsInARingAsAPendulumTurnsOver) {
  expect_order_two(bead(), 4e-4, 2, {.angle = 5e-5, .force = 3e-4, .gap = 1e-7});
}

/// A disc that rolls in a ring, in swings of 30 degrees.
TEST(LastingContactCases, DiscRollsInARingAsALongerPendulum) {
  constexpr double m = 2, r = 0.05, R = 0.25, angle = 0.5;
  Case mechanism;
  mechanism.text = fmt::format(
      "backlash: 1\ngravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0.6}}\n"
      "bodies:\n  ground: {{shapes: {{guide: {{ring: {}}}}}}}\n"
      "  disc: {{mass: {}, inertia: {}, shape: {{circle: {}}}, initial: {{position: [{}, {}]}}}}\n"
      "contacts:\n  touch: {{between: [ground.guide, disc], law: hard}}\n",
      g, R, m, m * r * r / 2, r, (R - r) * std::sin(angle), -(R - r) * std::cos(angle));
  mechanism.start = {angle, 0};
  mechanism.stiffness = g / (1.5 * (R - r));
  mechanism.forces = [](const Swing& s) {
    return std::array{m * (R - r) * s.rate * s.rate + m * g * std::cos(s.angle), 0.0};
  };
  expect_order_two(mechanism, 1e-3, 5, {.angle = 1.5e-6, .force = 1.5e-5, .gap = 1.5e-8});
}

/// A rod whose ends slide in a ring: N₁ and N₂ point to its centre, β off the rod's middle.
TEST(LastingContactCases, RodBetweenTwoPointsOfARingIsAPendulum) {
  constexpr double m = 1.5, a = 0.12, R = 0.2, angle = 0.6;
  const double d = std::sqrt(R * R - a * a), J = d * d + a * a / 3;
  Case mechanism;
  mechanism.text = fmt::format(
      "backlash: 1\ngravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0}}\n"
      "bodies:\n  ground: {{shapes: {{guide: {{ring: {}}}}}}}\n"
      "  rod: {{mass: {}, inertia: {}, shapes: {{left: {{point: [-{}, 0]}}, right: {{point: [{}, "
      "0]}}}}, initial: {{position: [{}, {}], angle: {}}}}}\n"
      "contacts:\n  left: {{between: [ground.guide, rod.left], law: hard}}\n"
      "  right: {{between: [ground.guide, rod.right], law: hard}}\n",
      g, R, m, m * a * a / 3, a, a, d * std::sin(angle), -d * std::cos(angle), angle);
  mechanism.start = {angle, 0};
  mechanism.stiffness = g * d / J;
  mechanism.contacts = 2;
  mechanism.forces = [=](const Swing& s) {
    const double sum = (m * g * std::cos(s.angle) + m * d * s.rate * s.rate) / (d / R);
    const double difference = m * g * std::sin(s.angle) * (1 - d * d / J) / (a / R);
    return std::array{(sum + difference) / 2, (sum - difference) / 2};
  };
  expect_order_two(mechanism, 1e-3, 3, {.angle = 1.5e-6, .force = 1.5e-5, .gap = 2e-8});
}

/// Energy, force and gap, as far as they are from the closed form at the angle where the bead is.
TEST(LastingContactCases, BeadLoopsForAMillionStepsWithoutGrowthOfItsErrors) {
  constexpr double m = 0.2, c = 0.1, v0 = 2.6, step = 1e-4;
  const Assembly assembly = assemble(parse_model(bead().text, "bead.yaml"));
  Moreau integrator(*assembly.system, {.step = step});
  State state = assembly.start;
  Errors early, late;
  double early_energy = 0, late_energy = 0;
  for (int k = 0; k < 1000000; ++k) {
    const StepResult& result = integrator.step(state, step);
    ASSERT_EQ(result.contacts.size(), 1u) << state.t;
    if (k >= 100000 && k < 900000) continue;
    Errors& errors = k < 100000 ? early : late;
    double& worst = k < 100000 ? early_energy : late_energy;
    const double square = state.u.head<2>().squaredNorm();
    worst = std::max(worst, std::abs(m / 2 * (square - v0 * v0) + m * g * (state.q[1] + c)));
    const double high = result.contacts[0].point.p_W.y() / c;  // −cos θ at the middle
    const double middle = m / c * (v0 * v0 - 2 * g * c * (1 + high)) - m * g * high;
    errors.force = std::max(errors.force, std::abs(result.contacts[0].impulse[0] / step - middle));
    errors.gap = std::max(errors.gap, -result.contacts[0].gap);
  }
  EXPECT_LT(late_energy, 1.5 * early_energy);
  EXPECT_LT(late.force, 1.5 * early.force);
  EXPECT_LT(late.gap, 1.01 * early.gap);
}

/// A floor that turns slowly with a block on it, its middle above the axis at the height h: it
/// holds until g sin α = μ (g cos α − ω² h).
TEST(LastingContactCases, BlockStaysOnASlopeThatRisesUntilFrictionEnds) {
  constexpr double mu = 0.5, omega = 0.1, h = 0.05;
  double alpha = std::atan(mu);
  for (int i = 0; i < 20; ++i)
    alpha = std::atan(mu * (1 - omega * omega * h / (g * std::cos(alpha))));
  for (const char* coordinates : {"joint", "absolute"})
    for (const double step : {1e-3, 5e-4, 1e-4}) {
      SCOPED_TRACE(fmt::format("{} {}", coordinates, step));
      const Assembly assembly = assemble(parse_model(
          fmt::format(
              "backlash: 1\ngravity: [0, -{}]\nlaws:\n  rough: {{restitution: 0, friction: {}}}\n"
              "bodies:\n  slope: {{mass: 1, inertia: 1, shape: {{line: {{normal: [0, 1]}}}}}}\n"
              "  block: {{mass: 2, inertia: 0.01, shape: {{box: [0.2, {}]}}, initial: {{position: "
              "[0, {}], velocity: [-{}, 0], speed: {}}}}}\n"
              "joints:\n  axis: {{type: revolute, between: [ground, slope], drive: {{speed: "
              "{}}}}}\n"
              "contacts:\n  feet: {{between: [slope, block], law: rough}}\n"
              "simulation: {{coordinates: {}}}\n",
              g, mu, 2 * h, h, omega * h, omega, omega, coordinates),
          "slope.yaml"));
      Moreau integrator(*assembly.system, {.step = step});
      State state = assembly.start;
      double slips = NAN;
      int changes = 0;
      simulate(integrator, state, 1.02 * alpha / omega, [&](const State& now, const StepResult& r) {
        for (const ContactOutcome& contact : r.contacts) {
          if (contact.state == ContactState::slip && std::isnan(slips)) slips = now.t;
          changes +=
              now.t < (alpha / omega) - step && now.t > 2 * step && contact.state != contact.before;
        }
      });
      EXPECT_EQ(changes, 0);
      EXPECT_GT(slips, alpha / omega);  // in the step whose middle is beyond, if not by a hair
      EXPECT_LT(slips, alpha / omega + 1.6 * step);
    }
}

/// A wheel on a belt, with a damper at its axle: ω = v/r, however long the steps are beside J/c.
TEST(LastingContactCases, DampedWheelTurnsWithItsBeltWithoutErrorAtAnyStep) {
  constexpr double r = 0.1, v = 0.4, J = 1e-4;
  for (const char* coordinates : {"joint", "absolute"})
    for (const double damping : {1e-3, 0.05})
      for (const double step : {1e-2, 1e-3, 1e-4}) {
        SCOPED_TRACE(fmt::format("{} {} {}", coordinates, damping, step));
        const bool stiff = step > J / damping;  // the midpoint rule would explode, and say so
        const Assembly assembly = assemble(parse_model(
            fmt::format(
                "backlash: 1\ngravity: [0, -{}]\nlaws:\n  rough: {{restitution: 0, friction: "
                "0.5}}\n"
                "bodies:\n  belt: {{mass: 1, inertia: 1, shape: {{line: {{normal: [0, 1]}}}}}}\n"
                "  carrier: {{mass: 0.5, inertia: 1e-3}}\n"
                "  wheel: {{mass: 0.5, inertia: {}, shape: {{circle: {}}}}}\n"
                "joints:\n"
                "  rollers: {{type: prismatic, between: [ground, belt], axis: [1, 0], drive: "
                "{{speed: {}}}}}\n"
                "  lift: {{type: prismatic, between: [ground, carrier], axis: [0, 1], initial: "
                "{{position: {}}}}}\n"
                "  axle: {{type: revolute, between: [carrier, wheel]}}\n"
                "forces:\n  drag: {{type: joint_spring, joint: axle, stiffness: 0, damping: {}}}\n"
                "contacts:\n  tread: {{between: [belt, wheel], law: rough}}\n"
                "simulation: {{coordinates: {}}}\n",
                g, J, r, v, r, damping, coordinates),
            "belt.yaml"));
        Moreau integrator(*assembly.system,
                          {.step = step, .scheme = stiff ? Scheme::theta : Scheme::midpoint});
        State state = assembly.start;
        EXPECT_EQ(simulate(integrator, state, 2).status, StepStatus::done);
        const System& system = *assembly.system;
        const BodyMotion wheel = system.body_motion(configuration(system, state), state.u, 2);
        EXPECT_NEAR(wheel.w_W.z(), v / r, 1e-12 * v / r);
        const double friction = integrator.step(state, step).contacts[0].impulse[1] / step;
        EXPECT_NEAR(std::abs(friction), damping * v / r / r, 1e-9);
      }
}

std::string four_bar(const std::string& play, const std::string& coordinates) {
  return fmt::format(
      "gravity: [0, -9.81]\nlaws:\n  steel: {{restitution: 0, friction: 0.3}}\n"
      "bodies:\n  crank: {{mass: 0.2, inertia: 2e-4, com: [0.05, 0]}}\n"
      "  coupler: {{mass: 0.5, inertia: 5e-3, com: [0.15, 0]}}\n"
      "  rocker: {{mass: 0.4, inertia: 3e-3, com: [0.1, 0]}}\n"
      "joints:\n  A: {{type: revolute, between: [ground, crank], initial: {{angle: 1}}, drive: "
      "{{speed: 4}}}}\n"
      "  B: {{type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]]}}\n"
      "  D: {{type: revolute, between: [ground, rocker], at: [[0.3, 0], [0, 0]], initial: {{guess: "
      "1.4}}}}\n"
      "  C: {{type: revolute, between: [coupler, rocker], at: [[0.3, 0], [0.2, 0]]{}}}\n"
      "simulation: {{coordinates: {}}}\n",
      play, coordinates);
}

/// The angle of the rocker and the force in C after a second.
std::array<double, 2> rocker_and_force(const std::string& play, const std::string& coordinates,
                                       double step) {
  const Assembly assembly = assembled(four_bar(play, coordinates));
  const System& system = *assembly.system;
  State before, now = assembly.start;
  double force = 0;
  test::run(system, assembly.start, step, 1, {}, [&](const State& state, const StepResult& result) {
    std::swap(before, now);
    now = state;
    if (!result.contacts.empty())
      force = std::hypot(result.contacts[0].impulse[0], result.contacts[0].impulse[1]) / step;
  });
  if (play.empty()) {
    const Outputs ideal = outputs_of(system, before, now);
    force = std::hypot(ideal.at("C.fx"), ideal.at("C.fy"));
  }
  return {system.body_motion(configuration(system, now), now.u, 2).angle, force};
}

/// A journal in a play c, come to rest in its bearing by friction, turns the rocker by some c
/// beside where the pin has it, and presses as the pin does.
TEST(LastingContactCases, FourBarWithAPlayBecomesTheIdealOneAsThePlayVanishes) {
  for (const char* coordinates : {"joint", "absolute"}) {
    SCOPED_TRACE(coordinates);
    const auto [angle, force] = rocker_and_force("", coordinates, 1e-5);
    for (const double play : {1e-4, 1e-5, 1e-6}) {
      SCOPED_TRACE(play);
      const auto [with_play, contact] = rocker_and_force(
          fmt::format(", clearance: {{gap: {}, journal_radius: 0, law: steel}}", play), coordinates,
          1e-5);
      EXPECT_NEAR(with_play - angle, 2.7 * play, 0.01 * play);
      EXPECT_NEAR(contact, force, 10 * play * force);
    }
  }
}

}  // namespace
}  // namespace backlash::test::lasting_contact_cases
