// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash {
namespace {

using test::expect_refused;
using test::Misuse;

using ChangeStep = std::function<void(State&, double&)>;

TEST(Misuse, OfAStepOfMoreausIsRefused) {
  const SliderCrank crank;
  const std::vector<std::pair<ChangeStep, std::string>> table{
      {[](State& s, double&) { s.t = NAN; }, "time of the state must be finite, is nan"},
      {[](State& s, double&) { s.t = INFINITY; }, "time of the state must be finite, is inf"},
      {[](State& s, double&) { s.q[0] = NAN; }, "position of the state [0] must be finite"},
      {[](State& s, double&) { s.u[1] = -INFINITY; }, "velocity of the state [1] must be finite"},
      {[](State& s, double&) { s.z[0] = NAN; }, "memory of the state [0] must be finite, is nan"},
      {[](State& s, double&) { s.z[s.z.size() - 1] = INFINITY; }, "must be finite, is inf"},
      {[](State& s, double&) { s.q = Vector::Zero(9); }, "positions of the state must have size 3"},
      {[](State& s, double&) { s.u = Vector(); }, "velocities of the state must have size 3"},
      {[](State& s, double&) { s.z = Vector::Zero(2); }, "memory of the state must have size"},
      {[](State&, double& step) { step = 0; }, "step must be positive and finite [s], is 0"},
      {[](State&, double& step) { step = -1e-5; }, "step must be positive"},
      {[](State&, double& step) { step = NAN; }, "step must be positive"},
      {[](State&, double& step) { step = INFINITY; }, "step must be positive and finite"},
      {[](State& s, double&) { s.t = 1e12; },
       "step must be long enough to change the time, 1000000000000 s"},
  };
  for (const auto& [change, complaint] : table) {
    SCOPED_TRACE(complaint);
    Moreau integrator(crank, {});
    const State start = slider_crank_start(crank);
    for (int steps = 0; steps < 3; ++steps) {  // also in the middle of a run
      State state = start;
      for (int k = 0; k < steps; ++k)
        ASSERT_EQ(integrator.step(state, 1e-5).status, StepStatus::done);
      State wrong = state;
      double step = 1e-5;
      change(wrong, step);
      expect_refused({{[&] { integrator.step(wrong, step); }, complaint}});
      EXPECT_EQ(integrator.step(state, 1e-5).status,
                StepStatus::done);  // goes on as if nothing were
    }
  }
}

/// A ball above a floor that is a spring.
Assembly soft_ball() {
  return test::assembled(R"(
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.2], velocity: [0, -1]}}
contacts: {hit: {between: [ground.floor, ball], law: soft}}
laws: {soft: {model: hertz, stiffness: 1e8 N/m^1.5}}
)");
}

/// What a step complains about.
std::string complaint_of(Integrator& integrator, State& state) {
  try {
    integrator.step(state, {.until = 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Writes NaN into each number in turn between two steps.
void expect_each_number_looked_at(Integrator& integrator, const State& start) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<Vector State::*, const char*> parts[] = {
      {&State::q, "position"}, {&State::u, "velocity"}, {&State::z, "memory"}};
  for (const auto& [part, what] : parts)
    for (Eigen::Index i = 0; i < (start.*part).size(); ++i) {
      State state = start;
      ASSERT_EQ(complaint_of(integrator, state), "");
      (state.*part)[i] = nan;
      EXPECT_EQ(complaint_of(integrator, state),
                fmt::format("{} of the state [{}] must be finite, is nan", what, i));
    }
}

TEST(Misuse, OfAStateInPlaceBetweenTwoStepsIsSeenByTheNextStep) {
  const SliderCrank crank;
  Moreau moreau(crank, {.step = 1e-5});
  State state = slider_crank_start(crank);
  for (int k = 0; k < 3; ++k) ASSERT_EQ(complaint_of(moreau, state), "");
  expect_each_number_looked_at(moreau, state);
  const Assembly ball = soft_ball();
  Compliant compliant(*ball.system, {});
  state = ball.start;
  for (int k = 0; k < 3; ++k) ASSERT_EQ(complaint_of(compliant, state), "");
  expect_each_number_looked_at(compliant, state);
}

/// Steps until one fails. Its state is as it was, and a state that nobody has to complain about.
void expect_failure_of_a_step(Integrator& integrator, State state) {
  constexpr int most = 5000;
  for (int k = 0; k < most; ++k) {
    const State before = state;
    const StepResult& result = integrator.step(state, {.until = 1e6});
    ASSERT_TRUE(is_finite(state)) << k;
    if (result.status == StepStatus::done) continue;
    EXPECT_EQ(result.status, StepStatus::not_finite) << name(result.status);
    EXPECT_EQ(state.t, before.t);
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.u, before.u);
    EXPECT_EQ(state.z, before.z);
    return;
  }
  FAIL() << "no step failed";
}

/// A spring far too stiff for its step, with a damper whose work overflows before its velocity.
TEST(Misuse, DoesNotMeanAMotionThatExplodes) {
  const Assembly stiff = test::assembled(R"(
bodies: {weight: {mass: 1, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], initial: {position: 0.1}}}
forces: {s: {type: joint_spring, joint: guide, stiffness: 1e8 N/m, damping: 1 N s/m}}
)");
  Moreau moreau(*stiff.system, {.step = 1e-3});
  expect_failure_of_a_step(moreau, stiff.start);
  Compliant compliant(*stiff.system, {.integrator = OdeMethod::rk4, .step = 1e-3});
  expect_failure_of_a_step(compliant, stiff.start);
}

TEST(Misuse, OfTheLimitsOfAStepIsRefused) {
  const SliderCrank crank;
  const auto within = [&](const StepLimits& limits, const std::string& complaint) {
    return Misuse{[=, &crank] {
                    Moreau integrator(crank, {});
                    State state = slider_crank_start(crank);
                    integrator.step(state, limits);
                  },
                  complaint};
  };
  expect_refused({
      within({.until = 0}, "a step from 0 s must end after it, not at 0 s"),
      within({.until = -1}, "a step from 0 s must end after it, not at -1 s"),
      within({.until = NAN}, "a step from 0 s must end after it, not at nan s"),
      within({.due = NAN}, "the time that the state is due at must be a number [s]"),
  });
}

TEST(Misuse, OfARunIsRefused) {
  const SliderCrank crank;
  const auto running = [&](double t, double step, double until, const std::string& complaint) {
    return Misuse{[=, &crank] {
                    Moreau integrator(crank, {.step = step});
                    State state = slider_crank_start(crank);
                    state.t = t;
                    simulate(integrator, state, until);
                  },
                  complaint};
  };
  expect_refused({
      running(NAN, 1e-5, 1, "start of the run must be finite, is nan"),
      running(0, 1e-5, NAN, "end of the run must be finite, is nan"),
      running(0, 1e-5, INFINITY, "end of the run must be finite"),
      running(1, 1e-5, 0, "must end at or after its start at 1 s, not at 0 s"),
      running(0, 0, 1, "step must be positive"),
      running(0, NAN, 1, "step must be positive"),
      running(1e12, 1e-5, 2e12, "step of 1e-05 s is too short: at t = 2000000000000 s"),
  });
}

TEST(Misuse, OfMoreausOptionsIsRefused) {
  const SliderCrank crank;
  const auto with = [&](const std::function<void(MoreauOptions&)>& change,
                        const std::string& complaint) {
    MoreauOptions options;
    change(options);
    return Misuse{[=, &crank] { Moreau(crank, options); }, complaint};
  };
  using O = MoreauOptions;
  expect_refused({
      with([](O& o) { o.solver = "nonsense"; }, "solver 'nonsense' does not exist"),
      with([](O& o) { o.solver_options.tolerance = NAN; }, "solver tolerance"),
      with([](O& o) { o.solver_options.max_iterations = 0; }, "solver iterations"),
      with([](O& o) { o.scheme = static_cast<Scheme>(7); }, "scheme must lie in [0, 1], is 7"),
      with([](O& o) { o.force_velocity = static_cast<ForceVelocity>(7); }, "force velocity"),
      with([](O& o) { o.theta = 0.4; }, "theta must lie in [0.5, 1] -, is 0.4"),
      with([](O& o) { o.penetration_limit = 0; }, "(infinity: none) [m], is 0"),
      with([](O& o) { o.singular_residual = -1; }, "residual at singular positions"),
      with([](O& o) { o.drift_tolerance = 0; }, "drift tolerance"),
  });
}

TEST(MoreauOptions, MayNameTheSolverByAStringThatDoesNotLast) {
  const SliderCrank crank;
  auto solver = std::make_unique<std::string>("lemke");
  const Moreau integrator(crank, {.solver = *solver});
  solver->assign("xxxxx");
  solver.reset();
  EXPECT_EQ(integrator.options().solver, "lemke");
}

TEST(Misuse, OfAStepOfCompliantContactIsRefused) {
  const Assembly ball = soft_ball();
  struct Call {
    State state;
    StepLimits limits{.until = 1};
  };
  const std::vector<std::pair<std::function<void(Call&)>, std::string>> table{
      {[](Call& c) { c.state.t = NAN; }, "time of the state must be finite, is nan"},
      {[](Call& c) { c.state.q[0] = NAN; }, "position of the state [0] must be finite"},
      {[](Call& c) { c.state.u[0] = INFINITY; }, "velocity of the state [0] must be finite"},
      {[](Call& c) { c.state.q = Vector::Zero(9); }, "positions of the state must have size 3"},
      {[](Call& c) { c.state.q = Vector(); }, "positions of the state must have size 3, has 0"},
      {[](Call& c) { c.state.u = Vector::Zero(9); }, "velocities of the state must have size 3"},
      {[](Call& c) { c.state.z = Vector::Zero(2); }, "memory of the state must have size"},
      {[](Call& c) { c.limits.until = NAN; }, "s must end after it, not at nan s"},
      {[](Call& c) { c.limits.until = c.state.t; }, "s must end after it, not at"},
      {[](Call& c) { c.limits.due = NAN; }, "due at must be a number"},
  };
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf, OdeMethod::rk4})
    for (const auto& [change, complaint] : table)
      for (const bool goes_on : {false, true}) {
        SCOPED_TRACE(name(method));
        Compliant integrator(*ball.system, {.integrator = method});
        Call call{.state = ball.start};
        if (goes_on) integrator.step(call.state, {.due = 1e-3, .until = 1});
        change(call);
        expect_refused({{[&] { integrator.step(call.state, call.limits); }, complaint}});
      }
  State state = ball.start;
  state.z[3] = NAN;
  expect_refused({{[&] { Compliant(*ball.system, {}).step(state, {.until = 1}); },
                   "memory of the state [3] must be finite"}});
}

TEST(Misuse, OfTheMethodOfAModelIsRefused) {
  const Assembly ball = soft_ball();
  const SliderCrank crank;
  const auto choosing = [](const System& system, const char* method, const char* key,
                           const OptionValue& value, const std::string& complaint) {
    const SimulationOptions chosen{.method = method, .options = {{.key = key, .value = value}}};
    return Misuse{[=, &system] { make_integrator(system, chosen); }, complaint};
  };
  const auto moreau = [&](const char* key, const OptionValue& value, const char* complaint) {
    return choosing(crank, "moreau", key, value, complaint);
  };
  const auto compliant = [&](const char* key, const OptionValue& value, const char* complaint) {
    return choosing(*ball.system, "compliant", key, value, complaint);
  };
  using Text = std::string;
  expect_refused({
      choosing(crank, "nonsense", "step", 1e-5, "method 'nonsense' does not exist"),
      moreau("solver", Text("nonsense"), "option 'solver' must be one of"),
      moreau("scheme", Text("nonsense"), "option 'scheme' must be one of"),
      moreau("force_velocity", Text("nonsense"), "option 'force_velocity' must be one of"),
      moreau("step", Text("long"), "option 'step' cannot be long"),
      moreau("step", 0.0, "step must be positive"),
      moreau("alpha", 5.0, "the method moreau has no option 'alpha'"),
      compliant("position_tolerance", -1.0, "position tolerance must be positive"),
      compliant("angle_tolerance", NAN, "angle tolerance must be positive"),
      compliant("speed_tolerance", 0.0, "speed tolerance must be positive"),
      compliant("angular_speed_tolerance", NAN, "angular speed tolerance must be positive"),
      compliant("relative_tolerance", 0.0, "relative tolerance must be positive"),
  });
}

}  // namespace
}  // namespace backlash
