// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/optimisation/optimisation.h"
#include "cases/example.h"

// The three cases of paper 002: a slider of 5 kg with 10 µm of play on a rod, pushed with 50 N.

namespace backlash::test::prismatic_clearance {
namespace {

constexpr double mass = 5, g = 9.81, push = 50, play = 1e-5, length = 0.02;

Example case_of(int number) {
  const std::vector<std::string> sets[] = {{}, {"s_f=-0.5 mm"}, {"s_f=10 mm", "g=0"}};
  return Example("prismatic_clearance/model.yaml", sets[number - 1]);
}

OptimisationOptions fixed_steps(double step, Optimiser optimiser = Optimiser::ipopt) {
  OptimisationOptions options;
  options.warm_start = WarmStart::point;  // the optimiser in every step
  options.step = step;
  options.optimiser = optimiser;
  return options;
}

OptimisationOptions free_steps(double min_step, double max_step) {
  OptimisationOptions options;
  options.warm_start = WarmStart::point;  // the optimiser in every step
  options.step_control = StepControl::free;
  options.min_step = min_step;
  options.max_step = max_step;
  return options;
}

/// A step as it went.
struct Step {
  double t = 0, length = 0;                ///< at its end; [s]
  Vector q{}, u{};                         ///< at its end
  std::map<std::string, double> forces{};  ///< of the contacts that push [N]
  std::map<std::string, double> met{};     ///< those that began to, and when [s]
  int iterations = 0;
  double unbalance = 0, violation = 0;  ///< of the equations of motion [N, N m]; of gaps [m]

  double force(const std::string& name) const {
    const auto found = forces.find(name);
    return found == forces.end() ? 0 : found->second;
  }
  double total() const {
    double sum = 0;
    for (const auto& [name, force] : forces) sum += force;
    return sum;
  }
};

/// M (u_n − u_{n−1})/h − f − W λ of the step that led from one state to the next, by the System
/// alone: the largest entry.
double unbalance_of(const System& system, const Vector& u_before, const State& now,
                    const StepResult& result) {
  const Configuration c = configuration(system, now);
  const Eigen::Index n = now.u.size();
  Matrix M = Matrix::Zero(n, n);
  system.mass(c, M);
  Vector rest = Vector::Zero(n);
  system.force(c, now.u, rest);
  for (const ContactOutcome& contact : result.contacts) {
    ContactFrame frame;
    system.find_contact(c, contact.key, frame);
    const int rows = 1 + system.info().contacts[at(contact.key.pair)].tangents;
    Matrix W = Matrix::Zero(n, rows);
    Vector w = Vector::Zero(rows);
    system.write_contact_rows(c, frame, W, w);
    for (int k = 0; k < rows; ++k) rest += W.col(k) * contact.impulse[k] / result.step;
  }
  return (M * (now.u - u_before) / result.step - rest).cwiseAbs().maxCoeff();
}

std::vector<Step> run_case(const Example& example, const OptimisationOptions& options,
                           double until) {
  const System& system = example.system();
  Optimisation integrator(system, options);
  State state = example.assembly.start;
  Vector u_before = state.u;
  std::vector<Step> steps;
  const RunSummary summary =
      simulate(integrator, state, until, [&](const State& now, const StepResult& result) {
        Step step{.t = now.t, .length = result.step, .q = now.q, .u = now.u};
        step.iterations = result.iterations;
        step.unbalance = unbalance_of(system, u_before, now, result);
        for (const ContactOutcome& contact : result.contacts) {
          const std::string name = system.contact_name(contact.key);
          if (contact.impulse[0] > 0) step.forces[name] = contact.impulse[0] / result.step;
          if (contact.state == ContactState::impact) step.met[name] = contact.t;
        }
        std::vector<ContactFrame> frames;
        system.find_contacts(configuration(system, now), INFINITY, {}, frames);
        for (const ContactFrame& frame : frames)
          step.violation = std::max(step.violation, -frame.gap);
        u_before = now.u;
        steps.push_back(std::move(step));
      });
  EXPECT_EQ(summary.status, StepStatus::done) << integrator.last_result().trouble;
  return steps;
}

/// When a contact first pushed, by its own account [s].
double first_contact(const std::vector<Step>& steps, const std::string& name) {
  for (const Step& step : steps)
    if (const auto met = step.met.find(name); met != step.met.end()) return met->second;
  return NAN;
}

/// Within a step (of free ones, the longest) of where the exact motion has it.
void expect_contact(const std::vector<Step>& steps, const OptimisationOptions& options,
                    const std::string& name, double t) {
  const double step = options.step_control == StepControl::fixed ? options.step : options.max_step;
  EXPECT_NEAR(first_contact(steps, name), t, step) << name;
}

void expect_steady(const std::vector<Step>& steps, const std::map<std::string, double>& forces) {
  const Step& last = steps.back();
  EXPECT_EQ(last.forces.size(), forces.size());
  for (const auto& [name, force] : forces) EXPECT_NEAR(last.force(name), force, 1e-6) << name;
}

/// As the paper reports: gaps to 1e-8 m and equations of motion to 1e-12; here to round-off.
void expect_exact(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    EXPECT_LE(step.violation, 1e-15) << "at " << step.t;
    EXPECT_LE(step.unbalance, 1e-12 * (1 + step.total())) << "at " << step.t;
  }
}

/// Each variant of steps from 1e-4 to 1e-3 s: by the optimiser in every step, and as they are by
/// default, from the last active set.
std::vector<OptimisationOptions> all_steps() {
  std::vector<OptimisationOptions> all{fixed_steps(1e-4),      fixed_steps(3e-4),
                                       fixed_steps(1e-3),      free_steps(1e-4, 1e-3),
                                       free_steps(1e-4, 3e-4), fixed_steps(1e-4, Optimiser::slsqp)};
  for (std::size_t i = 0, n = all.size(); i < n; ++i) {
    all.push_back(all[i]);
    all.back().warm_start = WarmStart::active_set;
  }
  return all;
}

std::string trace_of(const OptimisationOptions& options) {
  return fmt::format("{} {} s, {}", name(options.step_control), options.step,
                     name(options.warm_start));
}

TEST(PrismaticClearance, FallsFlatOntoTheRod) {
  const Example example = case_of(1);
  for (const OptimisationOptions& options : all_steps()) {
    SCOPED_TRACE(trace_of(options));
    const std::vector<Step> steps = run_case(example, options, 0.01);
    for (const char* end : {"guide.3", "guide.4"})
      expect_contact(steps, options, end, std::sqrt(2 * play / g));
    expect_steady(steps, {{"guide.3", mass * g / 2}, {"guide.4", mass * g / 2}});
    expect_exact(steps);
    EXPECT_NEAR(steps.back().q[1], -play, 1e-16);
    EXPECT_NEAR(steps.back().q[2], 0, 1e-14);
  }
}

TEST(PrismaticClearance, RocksOntoBothEndsWhereItIsPushedBelowItsCentre) {
  const Example example = case_of(2);
  const double moment = push * 0.5e-3;
  for (const OptimisationOptions& options : all_steps()) {
    SCOPED_TRACE(trace_of(options));
    const std::vector<Step> steps = run_case(example, options, 0.01);
    expect_contact(steps, options, "guide.3", 1.405630283e-3);
    expect_contact(steps, options, "guide.4", 1.465683360e-3);
    expect_steady(steps, {{"guide.3", mass * g / 2 + moment / length},
                          {"guide.4", mass * g / 2 - moment / length}});
    expect_exact(steps);
  }
}

TEST(PrismaticClearance, WedgesBetweenTheTwoSidesWhereItIsPushedFarAboveItsCentre) {
  const Example example = case_of(3);
  for (const OptimisationOptions& options : all_steps()) {
    SCOPED_TRACE(trace_of(options));
    const std::vector<Step> steps = run_case(example, options, 0.01);
    for (const char* end : {"guide.1", "guide.4"})
      expect_contact(steps, options, end, 1.788854561e-3);
    expect_steady(steps, {{"guide.1", push * 0.01 / length}, {"guide.4", push * 0.01 / length}});
    expect_exact(steps);
    EXPECT_NEAR(steps.back().q[2], -std::asin(2 * play / length), 1e-15);
  }
}

/// y_n = 2 y_{n−1} − y_{n−2} − g h² until it would be below −c, where it stays: the total force is
/// what that takes. With h = 1e-3: 97.15, 50.0, 49.05 N; with 1e-4: 150.25, 585.5, 49.05 N.
TEST(PrismaticClearance, HasTheForcesOfTheImplicitEulerMethodInEveryStep) {
  const Example example = case_of(1);
  for (const double h : {1e-3, 1e-4}) {
    double y = 0, v = 0;
    std::vector<double> pushes;
    for (const Step& step : run_case(example, {.step = h}, 0.01)) {  // with all defaults
      const double free = y + h * (v - h * g), y_next = std::max(free, -play);
      const double v_next = (y_next - y) / h, force = mass * (g + (v_next - v) / h);
      EXPECT_NEAR(step.total(), force, 1e-6) << "at " << step.t;
      EXPECT_NEAR(step.q[1], y_next, 1e-15);
      if (force > 1e-6) pushes.push_back(step.total());
      y = y_next;
      v = v_next;
    }
    const std::vector<double> printed =
        h == 1e-3 ? std::vector{97.15, 50.0, 49.05} : std::vector{150.25, 585.5, 49.05};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pushes[i], printed[i], 1e-6);
  }
}

TEST(PrismaticClearance, MovesAlongTheRodAsTheImplicitEulerMethodDoes) {
  for (int number = 1; number <= 3; ++number) {
    const double h = 1e-4;
    double n = 0;
    for (const Step& step : run_case(case_of(number), fixed_steps(h), 0.01)) {
      ++n;
      EXPECT_NEAR(step.q[0], push / mass / 2 * h * h * n * (n + 1), 1e-15);
    }
  }
}

/// Peaks depend on the step, impulses do not: those beyond the steady force stop the fall.
TEST(PrismaticClearance, GivesTheImpulseOfTheImpactToFirstOrder) {
  const Example example = case_of(1);
  const double exact = mass * std::sqrt(2 * g * play) / 2;
  double errors[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    const double h = i == 0 ? 1e-4 : 1e-5;
    double impulse = 0;
    for (const Step& step : run_case(example, fixed_steps(h), 0.003))
      if (step.force("guide.3") > 0) impulse += h * (step.force("guide.3") - mass * g / 2);
    errors[i] = std::abs(impulse - exact);
    EXPECT_LT(errors[i], mass * g * h);
  }
  EXPECT_LT(errors[1], 0.3 * errors[0]);
}

/// Iterations of interior points in the steps that need them, on average.
double mean_iterations(const Example& example, const OptimisationOptions& options, double until) {
  long iterations = 0, steps = 0;
  for (const Step& step : run_case(example, options, until)) {
    if (step.iterations == 0) continue;
    iterations += step.iterations;
    ++steps;
  }
  EXPECT_GT(steps, 15);
  return static_cast<double>(iterations) / static_cast<double>(steps);
}

TEST(PrismaticClearance, TakesFewIterationsInStepsThatStartFromTheOnesBefore) {
  for (int number = 1; number <= 3; ++number)
    for (const double h : {1e-4, 3e-4, 1e-3})
      EXPECT_LE(mean_iterations(case_of(number), fixed_steps(h), 0.02), 7)
          << "case " << number << ", " << h;
}

TEST(PrismaticClearance, TakesFewIterationsInStepsThatChooseTheirLength) {
  for (int number = 1; number <= 3; ++number)
    for (const auto& [shortest, longest] : {std::pair{1e-4, 1e-3}, {1e-4, 3e-4}, {1e-5, 1e-3}})
      EXPECT_LE(mean_iterations(case_of(number), free_steps(shortest, longest), 0.02), 9)
          << "case " << number << ", " << shortest << " to " << longest;
}

/// Where bodies would meet within the longest step, it is as long as the way to there: the gap is
/// closed, and no force was needed.
TEST(PrismaticClearance, EndsFreeStepsWhereTheSliderMeetsTheRod) {
  const std::vector<Step> steps = run_case(case_of(3), free_steps(1e-4, 1e-3), 0.004);
  const double fall = push * 0.01 / 8e-4;  // the angular acceleration
  const double first = 1e-3, angle = fall * first * first, rate = fall * first;
  // θ + h (ω + α h) = asin(2c/l): implicit Euler's parabola.
  const double left = std::asin(2 * play / length) - angle;
  const double meets = (std::sqrt(rate * rate + 4 * fall * left) - rate) / (2 * fall);
  ASSERT_GE(steps.size(), 2u);
  EXPECT_NEAR(steps[0].length, first, 1e-18);
  EXPECT_NEAR(steps[1].length, meets, 1e-3 * meets);
  EXPECT_LT(steps[1].total(), 1e-2 * push);
}

/// Heights of the slider's left end, centre and right end [m].
using Heights = std::array<double, 3>;
Heights heights(const Vector& q) {
  const double rise = length / 2 * std::sin(q[2]);
  return {q[1] - rise, q[1], q[1] + rise};
}

/// Moreau's steps of a microsecond, at every tenth of a millisecond.
std::vector<Heights> heights_by_moreau(const Example& example, double until) {
  MoreauOptions options;
  options.step = 1e-6;
  Moreau integrator(example.system(), options);
  State state = example.assembly.start;
  std::vector<Heights> found;
  for (int n = 1; n * 1e-4 < until + 1e-9; ++n) {
    EXPECT_EQ(simulate(integrator, state, n * 1e-4).status, StepStatus::done);
    found.push_back(heights(state.q));
  }
  return found;
}

/// Of case 1: it falls flat. Of case 3: it turns about its centre until it is wedged.
Heights exact_heights(int number, double t) {
  if (number == 1) {
    const double y = -std::min(g * t * t / 2, play);
    return {y, y, y};
  }
  const double rise = length / 2 * std::sin(push * 0.01 / 8e-4 * t * t / 2);
  return {std::min(rise, play), 0, -std::min(rise, play)};
}

/// The centre and both ends move as the exact motion does, but for what the slider's ends go within
/// one step: of first order.
TEST(PrismaticClearance, MovesItsCentreAndItsEndsAsTheExactMotionDoes) {
  const double until = 0.004;
  for (int number = 1; number <= 3; ++number) {
    const Example example = case_of(number);
    std::vector<Heights> exact;
    for (int n = 1; n <= 40; ++n) exact.push_back(exact_heights(number, n * 1e-4));
    if (number == 2) exact = heights_by_moreau(example, until);
    for (const double h : {1e-4, 1e-5}) {
      const std::vector<Step> steps = run_case(example, fixed_steps(h), until);
      const auto every = static_cast<std::size_t>(std::lround(1e-4 / h));
      ASSERT_EQ(steps.size(), every * exact.size());
      const double fastest = std::sqrt(2 * g * play) * (number == 2 ? 1.2 : 1);
      for (std::size_t n = 0; n < exact.size(); ++n)
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_NEAR(heights(steps[every * (n + 1) - 1].q)[k], exact[n][k], fastest * h)
              << "case " << number << ", step " << h << ", height " << k << " at "
              << 1e-4 * double(n + 1);
    }
  }
}

TEST(PrismaticClearance, HasTheSameMultipliersByInteriorPointsAndByQuadraticPrograms) {
  for (int number = 1; number <= 3; ++number) {
    const std::vector<Step> a = run_case(case_of(number), fixed_steps(1e-4), 0.006),
                            b = run_case(case_of(number), fixed_steps(1e-4, Optimiser::slsqp),
                                         0.006);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      for (const char* contact : {"guide.1", "guide.2", "guide.3", "guide.4"})
        EXPECT_NEAR(a[i].force(contact), b[i].force(contact), 1e-9 * (1 + a[i].total()));
  }
}

}  // namespace
}  // namespace backlash::test::prismatic_clearance
