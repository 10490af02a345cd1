// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/option_rows.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"
#include "support/observed_order.h"

// The integrator of docs/how-to/add-an-integrator.md, as that page writes it.

namespace backlash::test::worked_integrator {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct EulerOptions {
  double step = 1e-4;  ///< [s]
};

class Euler final : public Integrator {
 public:
  /// Throws InputError for what it cannot run.
  Euler(const System& system, const EulerOptions& options);
  const StepResult& step(State& state, const StepLimits& limits) override;
  const StepResult& last_result() const override { return result_; }
  const System& system() const override { return system_; }
  double equal_step() const override { return options_.step; }

 private:
  const System& system_;
  EulerOptions options_;
  Memory memory_;
  StepResult result_;
  Configuration here_;
  Matrix M_;
  Vector acceleration_, q_end_;
};

Euler::Euler(const System& system, const EulerOptions& options)
    : system_(system), options_(options), memory_(system.info()) {
  const SystemInfo& info = system.info();
  require_positive(options.step, "step", "s");
  if (!info.contacts.empty() || !info.bilaterals.empty() || !info.relays.empty())
    throw InputError("the method euler is for mechanisms without contacts, loops and dry friction");
  here_ = configuration(system, 0, Vector::Zero(info.positions));
  acceleration_.setZero(info.velocities);
  q_end_.setZero(info.positions);
}

const StepResult& Euler::step(State& state, const StepLimits& limits) {
  prepare_memory(system_.info(), 0, state);
  const double left = limits.until - state.t;
  const bool last = left < options_.step * (1 + 1e-6);
  const double dt = last ? left : options_.step;
  result_.status = StepStatus::done;
  result_.t_start = state.t;
  result_.step = dt;
  set_configuration(system_, memory_, state, here_);
  if (!system_.factor_mass(here_, M_)) {
    result_.status = StepStatus::mass_not_positive;
    return result_;
  }
  system_.force(here_, state.u, acceleration_);
  system_.solve_mass(here_, M_, acceleration_);
  memory_.applied_work(state.z) += dt * system_.applied_power(here_, state.u, state.u);
  memory_.last_step(state.z) = dt;
  state.u += dt * acceleration_;
  system_.advance(state.q, state.u, dt, q_end_);
  state.q.swap(q_end_);
  state.t = last ? limits.until : state.t + dt;
  return result_;
}

const OptionRows<EulerOptions>& euler_option_rows() {
  using O = EulerOptions;
  static const OptionRows<O> rows{
      number_row<O>(
          {.key = "step",
           .unit = "s",
           .range = {NumberRange::Kind::positive},
           .meaning = "length of a step"},
          [](auto& o) -> auto& { return o.step; }),
  };
  return rows;
}

/// The table, with a row for the new method.
const std::vector<IntegratorEntry>& table() {
  static const std::vector<IntegratorEntry> rows{
      {"euler", "semi-implicit Euler, for mechanisms without contacts", infos(euler_option_rows()),
       [](const System& system, const Options& chosen) -> std::unique_ptr<Integrator> {
         return std::make_unique<Euler>(system, options_from("euler", euler_option_rows(), chosen));
       },
       [](const SystemInfo&, const Options& chosen) {
         return all_options(euler_option_rows(),
                            options_from("euler", euler_option_rows(), chosen));
       }},
  };
  return rows;
}

constexpr double omega = 20, until = 0.5;  // [rad/s], [s]

Assembly oscillator() {
  return assembled(R"(
bodies: {block: {mass: 2, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, block], initial: {position: 0.1}}}
forces: {spring: {type: torsion_spring, joint: rail, stiffness: 800}}
)");
}

State end_after(const Assembly& assembly, double step) {
  const auto integrator =
      table()[0].make(*assembly.system, {{.key = "step", .value = OptionValue(step)}});
  State state = assembly.start;
  EXPECT_EQ(simulate(*integrator, state, until).status, StepStatus::done);
  EXPECT_EQ(state.t, until);
  return state;
}

TEST(WorkedIntegrator, ComesCloserToAnOscillationInClosedFormByItsOrder) {
  const Assembly assembly = oscillator();
  const auto error = [&](int steps) {
    const State end = end_after(assembly, until / steps);
    return std::hypot(end.q[0] - 0.1 * std::cos(omega * until),
                      end.u[0] / omega + 0.1 * std::sin(omega * until));
  };
  EXPECT_NEAR(observed_order(error, 2000, 8000), 1, 0.05);
}

TEST(WorkedIntegrator, GoesOnFromASavedStateToTheSameBits) {
  const Assembly assembly = oscillator();
  State at_once = assembly.start, saved = assembly.start;
  Euler one(*assembly.system, {}), other(*assembly.system, {}), third(*assembly.system, {});
  for (int k = 0; k < 100; ++k) one.step(at_once, {});
  for (int k = 0; k < 50; ++k) other.step(saved, {});
  for (int k = 0; k < 50; ++k) third.step(saved, {});
  EXPECT_EQ(at_once.t, saved.t);
  EXPECT_TRUE(at_once.q == saved.q && at_once.u == saved.u && at_once.z == saved.z);
}

TEST(WorkedIntegrator, RefusesWhatItCannotRunAndOptionsThatItDoesNotHave) {
  const Assembly loop = assembled(ideal_slider_crank(30)), simple = oscillator();
  EXPECT_THAT([&] { table()[0].make(*loop.system, {}); },
              ThrowsMessage<InputError>(HasSubstr("without contacts, loops")));
  EXPECT_THAT([&] { table()[0].make(*simple.system, {{.key = "theta", .value = 0.5}}); },
              ThrowsMessage<InputError>(HasSubstr("the method euler has no option 'theta'")));
  EXPECT_EQ(table()[0].all_options(simple.system->info(), {}).front().key, "step");
}

}  // namespace
}  // namespace backlash::test::worked_integrator
