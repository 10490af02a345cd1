// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contact that lasts, in mechanisms that are pendulums while it does: both choices of coordinates,
// three steps each, position and force with the order in which they come to the closed form.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/lasting_models.h"
#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::lasting_contact_cases {
namespace {

using lasting::Pendular;
using lasting::Swing;

const char* const choices[] = {"joint", "absolute"};

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

Errors run(const Pendular& mechanism, const std::string& coordinates, double step, double until) {
  const Assembly assembly = assembled(mechanism.text + lasting::in_coordinates(coordinates));
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
    const Vec3 p = system.body_motion(configuration(system, now), now.u, 0).p_W;
    const double angle = std::atan2(p.x(), -p.y());
    errors.angle = std::max(errors.angle, std::abs(std::remainder(angle - end.angle, 2 * M_PI)));
  };
  const RunSummary summary = simulate(integrator, state, until, observe);
  EXPECT_EQ(summary.status, StepStatus::done);
  return errors;
}

/// Runs with a step, its half and its quarter; that one within the bounds.
void expect_order_two(const Pendular& mechanism, double step, double until, const Errors& bounds) {
  for (const char* coordinates : choices) {
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

TEST(LastingContactCases, BeadLoopsInARingAsAPendulumTurnsOver) {
  expect_order_two(lasting::bead(), 4e-4, 2, {.angle = 5e-5, .force = 3e-4, .gap = 1e-7});
}

TEST(LastingContactCases, DiscRollsInARingAsALongerPendulum) {
  expect_order_two(lasting::disc(), 1e-3, 5, {.angle = 1.5e-6, .force = 1.5e-5, .gap = 1.5e-8});
}

TEST(LastingContactCases, RodBetweenTwoPointsOfARingIsAPendulum) {
  expect_order_two(lasting::rod(), 1e-3, 3, {.angle = 1.5e-6, .force = 1.5e-5, .gap = 2e-8});
}

TEST(LastingContactCases, BlockStaysOnASlopeThatRisesUntilFrictionEnds) {
  const lasting::RisingSlope slope;
  const double last = slope.last_angle() / slope.omega;
  for (const char* coordinates : choices)
    for (const double step : {1e-3, 5e-4, 1e-4}) {
      SCOPED_TRACE(fmt::format("{} {}", coordinates, step));
      const Assembly assembly = assembled(slope.text() + lasting::in_coordinates(coordinates));
      double slips = NAN;
      int changes = 0;
      test::run(*assembly.system, assembly.start, step, 1.02 * last, {},
                [&](const State& now, const StepResult& result) {
                  for (const ContactOutcome& contact : result.contacts) {
                    if (contact.state == ContactState::slip && std::isnan(slips)) slips = now.t;
                    changes +=
                        now.t < last - step && now.t > 2 * step && contact.state != contact.before;
                  }
                });
      EXPECT_EQ(changes, 0);
      EXPECT_GT(slips, last);  // in the step whose middle is beyond, if not by a hair
      EXPECT_LT(slips, last + 1.6 * step);
    }
}

/// However long the steps are beside J/c.
TEST(LastingContactCases, DampedWheelTurnsWithItsBeltWithoutErrorAtAnyStep) {
  for (const char* coordinates : choices)
    for (const double damping : {1e-3, 0.05})
      for (const double step : {1e-2, 1e-3, 1e-4}) {
        SCOPED_TRACE(fmt::format("{} {} {}", coordinates, damping, step));
        const lasting::DampedWheel wheel{.damping = damping};
        const bool stiff = step > wheel.J / damping;  // the midpoint rule would explode, and say so
        const Assembly assembly = assembled(wheel.text() + lasting::in_coordinates(coordinates));
        Moreau integrator(*assembly.system,
                          {.step = step, .scheme = stiff ? Scheme::theta : Scheme::midpoint});
        State state = assembly.start;
        EXPECT_EQ(simulate(integrator, state, 2).status, StepStatus::done);
        const double rate = motion_of(*assembly.system, state, 2).w_W.z();
        EXPECT_NEAR(rate, wheel.rate(), 1e-12 * wheel.rate());
        const double friction = integrator.step(state, step).contacts[0].impulse[1] / step;
        EXPECT_NEAR(std::abs(friction), wheel.friction(), 1e-9);
      }
}

/// The angle of the rocker and the force in C after a second, and how often the state of the
/// contact changed until then.
struct RockerEnd {
  double angle = 0, force = 0;
  int changes = 0;
};
RockerEnd rocker_end(const std::string& text, double step) {
  const Assembly assembly = assembled(text);
  const System& system = *assembly.system;
  State before, now = assembly.start;
  double force = NAN, last = NAN;  // means of two steps
  RockerEnd end;
  test::run(system, assembly.start, step, 1, {}, [&](const State& state, const StepResult& result) {
    std::swap(before, now);
    now = state;
    for (const ContactOutcome& contact : result.contacts) {
      last = force;
      force = std::hypot(contact.impulse[0], contact.impulse[1]) / step;
      end.changes += contact.state != contact.before;
    }
  });
  end.angle = motion_of(system, now, 2).angle;
  end.force = 1.5 * force - 0.5 * last;
  if (system.info().contacts.empty()) {
    const Outputs ideal = outputs_of(system, before, now);
    end.force = std::hypot(ideal.at("C.fx"), ideal.at("C.fy"));
  }
  return end;
}

/// A journal in a play c, come to rest in its bearing by friction, turns the rocker by some c
/// beside where the pin has it, and presses as the pin does.
TEST(LastingContactCases, FourBarWithAPlayBecomesTheIdealOneAsThePlayVanishes) {
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    const std::string choice = lasting::in_coordinates(coordinates);
    const RockerEnd ideal = rocker_end(lasting::four_bar("") + choice, 1e-5);
    EXPECT_NEAR(ideal.angle, lasting::ideal_rocker(1 + 4 * 1.0), 1e-9);
    for (const double play : {1e-4, 1e-6}) {
      SCOPED_TRACE(play);
      const RockerEnd end = rocker_end(lasting::four_bar(play) + choice, 1e-5);
      EXPECT_NEAR(end.angle - ideal.angle, 2.7 * play, 0.01 * play);
      EXPECT_NEAR(end.force, ideal.force, 10 * play * ideal.force);
    }
  }
}

/// The crank is driven and the journal comes to stick: nothing is left of the errors of a step but
/// what impacts on the way there leave of the place where it sticks.
TEST(LastingContactCases, FourBarWithAPlayIsTheSameAtAnyStep) {
  for (const char* coordinates : choices) {
    SCOPED_TRACE(coordinates);
    const double play = 1e-4;
    const std::string text = lasting::four_bar(play) + lasting::in_coordinates(coordinates);
    const RockerEnd exact = rocker_end(text, 1e-5);
    for (const double step : {8e-5, 4e-5, 2e-5}) {
      SCOPED_TRACE(step);
      const RockerEnd end = rocker_end(text, step);
      EXPECT_NEAR(end.angle, exact.angle, 1e-4 * play);
      EXPECT_NEAR(end.force, exact.force, 1e-7 * exact.force);
      EXPECT_EQ(end.changes, exact.changes);
    }
  }
}

}  // namespace
}  // namespace backlash::test::lasting_contact_cases
