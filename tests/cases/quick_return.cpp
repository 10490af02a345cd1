// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cases/example.h"

// Paper 004, the quick-return mechanism: its ideal kinematics in closed form, and the first impacts
// of its four clearance joints against an independent solution.

namespace backlash::test::quick_return {
namespace {

using std::numbers::pi;

/// The mechanism with ideal joints.
struct Kinematics {
  explicit Kinematics(const Example& e)
      : crank(e["crank_length"]),
        rocker(e["rocker_length"]),
        coupler(e["coupler_length"]),
        pivot(e["pivot_height"]),
        ram(e["ram_height"]) {}

  /// Ram's position at a crank angle [m].
  double position(double angle) const {
    const double psi = std::atan2(pivot + crank * std::sin(angle), crank * std::cos(angle));
    const double lift = ram - rocker * std::sin(psi);
    return rocker * std::cos(psi) + std::sqrt(coupler * coupler - lift * lift);
  }

  /// d position/d angle [m].
  double slope(double angle) const {
    const double x = crank * std::cos(angle), y = pivot + crank * std::sin(angle);
    const double psi = std::atan2(y, x);
    const double turns = (x * x + y * crank * std::sin(angle)) / (x * x + y * y);  // dψ/dθ
    const double lift = ram - rocker * std::sin(psi);
    const double coupler_x = std::sqrt(coupler * coupler - lift * lift);
    return turns * rocker * (-std::sin(psi) + lift * std::cos(psi) / coupler_x);
  }

  double crank, rocker, coupler, pivot, ram;
};

class QuickReturn : public ::testing::TestWithParam<Coordinates> {};

TEST(QuickReturnKinematics, HasTheFiguresOfTheCase) {
  const Kinematics ideal{Example("quick_return/ideal.yaml")};
  const double left = 210 * pi / 180, right = 330 * pi / 180;  // where the rocker turns back
  EXPECT_NEAR(ideal.slope(left), 0, 1e-15);
  EXPECT_NEAR(ideal.slope(right), 0, 1e-15);
  EXPECT_NEAR(ideal.position(left), -0.133074015972, 1e-12);
  EXPECT_NEAR(ideal.position(right), 0.366925984028, 1e-12);
  EXPECT_NEAR(ideal.position(right) - ideal.position(left), 0.5, 1e-15);
  EXPECT_NEAR(ideal.position(0), 0.342923635874, 1e-12);
  EXPECT_NEAR(3 * ideal.slope(0), -0.253950671222, 1e-12);
  const double away = (210 - 330 + 360) * pi / 180, back = 2 * pi - away;
  EXPECT_NEAR(away / back, 2, 1e-14);
}

TEST_P(QuickReturn, WithIdealJointsFollowsItsKinematics) {
  const Example mechanism("quick_return/ideal.yaml", {}, GetParam());
  const Kinematics ideal(mechanism);
  double position = 0, speed = 0;
  const ExampleRun found =
      run(mechanism, compliant_options(mechanism), 2 * pi / 3,
          [&](const State& state, const StepResult&) {
            const BodyMotion ram = mechanism.body(state, "ram");
            const double angle = 3 * state.t;
            position = std::max(position, std::abs(ram.p_W.x() - ideal.position(angle)));
            speed = std::max(speed, std::abs(ram.v_W.x() - 3 * ideal.slope(angle)));
          });
  EXPECT_LT(position, 1e-10);
  EXPECT_LT(speed, 1e-9);
  EXPECT_LT(mechanism.loop_error(found.end), 1e-10);
  EXPECT_LT(found.imbalance(), 1e-8);
}

TEST_P(QuickReturn, HitsWithItsJournalsWhenAndAsFastAsAnIndependentSolution) {
  const Example mechanism("quick_return/model.yaml", {}, GetParam());
  CompliantOptions options = compliant_options(mechanism);
  options.relative_tolerance = 1e-10;
  options.position_tolerance = options.angle_tolerance = 1e-12;
  options.speed_tolerance = options.angular_speed_tolerance = 1e-10;
  const ExampleRun found = run(mechanism, options, 0.05);
  struct Hit {
    const char* contact;
    double t;  ///< [s]
  };
  for (const Hit& hit :
       {Hit{"J4.1", 0.010092216142}, Hit{"J1.1", 0.010111553262}, Hit{"J2.1", 0.010137195305}}) {
    const auto hits = found.times(EventKind::impact, mechanism.contact(hit.contact));
    ASSERT_FALSE(hits.empty()) << hit.contact;
    EXPECT_NEAR(hits[0], hit.t, 1e-7) << hit.contact;  // the issue's
    EXPECT_NEAR(hits[0], hit.t, 1e-9) << hit.contact;  // what is reached
  }
  EXPECT_TRUE(found.is_at(found.events[0], mechanism.contact("J4.1")));
  EXPECT_NEAR(found.events[0].gamma_n_before, -0.0990848252, 1e-9);
  EXPECT_NEAR(mechanism.body(found.end, "ram").p_W.x(), 0.329987001154, 1e-9);
  EXPECT_LT(found.imbalance(), 1e-8);
}

TEST_P(QuickReturn, TurnsOnceWithItsEnergyBalanced) {
  const Example mechanism("quick_return/model.yaml", {}, GetParam());
  const Kinematics ideal(mechanism);
  CompliantOptions options = compliant_options(mechanism);
  options.relative_tolerance = 1e-7;
  double off = 0;
  const ExampleRun found =
      run(mechanism, options, 2 * pi / 3, [&](const State& state, const StepResult&) {
        off = std::max(
            off, std::abs(mechanism.body(state, "ram").p_W.x() - ideal.position(3 * state.t)));
      });
  EXPECT_LT(std::abs(energy_imbalance(found.before, found.after)),
            1e-4 * std::abs(found.after.bilaterals));
  EXPECT_GT(found.after.contact_loss, 0);
  EXPECT_LT(found.penetration, 5e-5);
  EXPECT_GT(off, mechanism["c"]);
  EXPECT_LT(off, 20 * mechanism["c"]);  // four plays, and the levers between them and the ram
}

INSTANTIATE_TEST_SUITE_P(Both, QuickReturn,
                         ::testing::Values(Coordinates::joint, Coordinates::absolute),
                         [](const auto& tested) {
                           return tested.param == Coordinates::joint ? "joint" : "absolute";
                         });

TEST(QuickReturnWithoutControl, SeesItsFirstContactWhenItIsDeep) {
  // In free flight the integrator takes long steps: it is far inside of the bearings before it
  // knows. How far is chance; it does not vanish with the tolerance.
  double deepest = 0;
  int deep = 0;
  for (int quarter = 0; quarter <= 12; ++quarter) {  // of a power of ten
    const double tolerance = std::pow(10, -5 - quarter / 4.0);
    SCOPED_TRACE(tolerance);
    Example mechanism("quick_return/no_control.yaml");
    set_option(mechanism.model.simulation.options, "relative_tolerance", tolerance);
    double depth = 0;
    ContactOutcome released;
    attempt(
        mechanism, compliant_options(mechanism), 0.13, [](double) { return INFINITY; },
        [&](const State&, const StepResult& result) {
          for (const ContactOutcome& c : result.contacts)
            if (is_impact(c)) depth = std::max(depth, -c.gap_before);
          if (result.released.empty()) return true;
          released = result.released[0];
          return false;
        });
    if (depth > 1e-5) ++deep;  // with control: 8 µm in the middle of the hardest impact
    if (quarter % 4 == 0) {
      EXPECT_GT(depth, 1e-5);
    }
    deepest = std::max(deepest, depth);
    // It leaves faster than it came, but not faster than δ̇⁻/a, where the law would pull and does
    // not (theory 9.2).
    const ContactInfo& contact =
        mechanism.system().info().contacts[static_cast<std::size_t>(released.key.pair)];
    const double a = std::get<HystereticForce>(contact.compliant->normal).hysteresis;
    const double entry = -released.gamma_before[0];
    EXPECT_GT(released.gamma_after[0], entry);
    EXPECT_LT(released.gamma_after[0], 1.1 * entry / a);
  }
  EXPECT_GE(deep, 11);  // of 13
  EXPECT_GT(deepest, 1e-3);
  EXPECT_GT(6.6e10 * std::pow(deepest, 1.5), 2e6);  // [N]: instead of some 1500
}

TEST(QuickReturnWithoutControl, MakesEnergyWhereWithControlItLosesSome) {
  const Example mechanism("quick_return/model.yaml");
  CompliantOptions options = compliant_options(mechanism);
  options.relative_tolerance = 1e-6;
  const double until = 0.05;
  const ExampleRun with = run(mechanism, options, until);
  options.onset = Onset::none;
  const ExampleRun without = run(mechanism, options, until);
  EXPECT_LT(with.after.contacts, 0);
  EXPECT_GT(without.after.contacts, 1);  // of 7 J
}

TEST(QuickReturnWithoutControl, EndsInNumbersThatAreNoneInFixedSteps) {
  const Example mechanism("quick_return/no_control.yaml");
  CompliantOptions options = compliant_options(mechanism);
  options.integrator = OdeMethod::rk4;
  for (const double step : {1e-3, 1e-4}) {
    SCOPED_TRACE(step);
    options.step = step;
    Compliant integrator(mechanism.system(), options);
    State state = mechanism.assembly.start;
    const RunSummary summary = simulate(integrator, state, 0.13);
    EXPECT_EQ(summary.status, StepStatus::not_finite);
    EXPECT_TRUE(integrator.last_result().contact);
    EXPECT_LT(state.t, 0.05);
    EXPECT_TRUE(state.q.allFinite() && state.u.allFinite());
  }
}

TEST(QuickReturnWithoutControl, FindsItsFirstContactAsDeepAndHardAsThePaperAndEnds) {
  // Paper 004: what its integrator saw, and why the run could not go on.
  const Example mechanism("quick_return/fixed_steps.yaml");
  Compliant integrator(mechanism.system(), compliant_options(mechanism));
  State state = mechanism.assembly.start;
  integrator.step(state, {.until = 0.13});
  const StepResult& found = integrator.step(state, {.due = -INFINITY, .until = 0.13});
  EXPECT_TRUE(found.contacts.empty());  // 18.6 ms: it has just been seen
  ASSERT_TRUE(found.knows_end_forces);
  const LastStep forces = found.end_forces;
  for (const char* joint : {"J1.1", "J2.1", "J4.1"}) {
    const ContactKey key = mechanism.contact(joint);
    ContactFrame frame;
    mechanism.system().find_contact(configuration(mechanism.system(), state), key, frame);
    EXPECT_NEAR(frame.gap, -1.2e-3, 2e-5);
    ASSERT_TRUE(forces.find_force(key));
    EXPECT_NEAR(forces.find_force(key)->force[0], 3.1e6, 5e4);
  }
  const RunSummary summary = simulate(integrator, state, 0.13);
  EXPECT_EQ(summary.status, StepStatus::not_finite);
  EXPECT_TRUE(integrator.last_result().contact);
  EXPECT_NEAR(state.t, 0.0279, 1e-12);
}

}  // namespace
}  // namespace backlash::test::quick_return
