// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The quick-return mechanism with four clearance joints, compliant: one evaluation of all forces
// with contacts in force, the way to t = 0.12 s (before it becomes chaotic) at a relative tolerance
// of 1e-8, beside Runge and Kutta's method with the longest equal steps that are as accurate, and
// one revolution.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include <benchmark/benchmark.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/compliant/contact_memory.h"
#include "backlash/integrators/compliant/smooth_dynamics.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"

namespace backlash {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double revolution = 2 * M_PI / 3;  // [s]

const Assembly& mechanism() {
  static const Assembly assembly =
      assemble(read_model(BACKLASH_EXAMPLES "/quick_return/model.yaml"));
  return assembly;
}

CompliantOptions with_tolerance(double tolerance) {
  return compliant_options({{.key = "relative_tolerance", .value = tolerance}},
                           mechanism().system->info());
}

struct Run {
  State state;
  long evaluations = 0;
  double seconds = 0;
};

Run run(const CompliantOptions& options, double until) {
  const Clock::time_point begin = Clock::now();
  Compliant integrator(*mechanism().system, options);
  Run result{.state = mechanism().start};
  const RunSummary summary = simulate(integrator, result.state, until);
  if (summary.status != StepStatus::done) throw std::runtime_error("the run failed");
  result.evaluations = integrator.evaluations();
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

double distance(const Run& a, const Run& b) {
  return (a.state.q - b.state.q).lpNorm<Eigen::Infinity>();
}

/// A table has the same columns in all rows: those that a benchmark does not set are 0.
void begin_counters(benchmark::State& bench) {
  for (const char* name :
       {"contacts_in_force", "error", "evaluations", "us_per_evaluation", "rk4_step", "rk4_error",
        "rk4_evaluations_over_ours", "rk4_time_over_ours"})
    bench.counters[name] = 0;
}

/// One evaluation while contacts are in force, alone.
void evaluation(benchmark::State& bench) {
  const System& system = *mechanism().system;
  const CompliantOptions options = with_tolerance(1e-8);
  Compliant integrator(system, options);
  State state = mechanism().start;
  const auto in_force = [&] {
    return std::ranges::count_if(state.contacts, [](const ContactRecord& record) {
      return memory_of(record).entry_rate > 0;
    });
  };
  while (state.t < revolution && in_force() < bench.range(0)) integrator.step(state, {.until = 3});
  SmoothDynamics dynamics(system, options);
  Vector y;
  dynamics.begin(state, y);
  Vector rates(dynamics.size());
  for (auto _ : bench) {
    dynamics.write_rates(state.t, y.data(), rates.data());
    benchmark::DoNotOptimize(rates.data());
  }
  begin_counters(bench);
  bench.counters["contacts_in_force"] = static_cast<double>(in_force());
}

void beside_equal_steps(benchmark::State& bench) {
  constexpr double until = 0.12;
  const Run reference = run(with_tolerance(1e-13), until);
  Run variable{};
  for (auto _ : bench) {
    Run again = run(with_tolerance(1e-8), until);
    if (variable.evaluations == 0 || again.seconds < variable.seconds) variable = again;
  }
  const double error = distance(variable, reference);
  CompliantOptions equal = with_tolerance(1e-8);
  equal.integrator = OdeMethod::rk4;
  equal.onset = bench.range(0) ? Onset::root : Onset::none;
  equal.live_contacts = !bench.range(0);
  equal.step = 8e-5;
  Run fixed;
  do {
    equal.step /= 2;
    fixed = run(equal, until);
  } while (distance(fixed, reference) > error && equal.step > 1e-7);
  begin_counters(bench);
  bench.counters["error"] = error;
  bench.counters["evaluations"] = static_cast<double>(variable.evaluations);
  bench.counters["us_per_evaluation"] =
      1e6 * variable.seconds / static_cast<double>(variable.evaluations);
  bench.counters["rk4_step"] = equal.step;
  bench.counters["rk4_error"] = distance(fixed, reference);
  bench.counters["rk4_evaluations_over_ours"] =
      static_cast<double>(fixed.evaluations) / static_cast<double>(variable.evaluations);
  bench.counters["rk4_time_over_ours"] = fixed.seconds / variable.seconds;
}

void one_revolution(benchmark::State& bench) {
  long evaluations = 0;
  for (auto _ : bench) evaluations = run(with_tolerance(1e-8), revolution).evaluations;
  begin_counters(bench);
  bench.counters["evaluations"] = static_cast<double>(evaluations);
}

BENCHMARK(evaluation)->Name("compliant/evaluation")->Arg(1)->Arg(4);
BENCHMARK(beside_equal_steps)
    ->Name("compliant/until_0.12_s")
    ->ArgName("rk4_finds_roots")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);
BENCHMARK(one_revolution)
    ->Name("compliant/one_revolution")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace backlash

BENCHMARK_MAIN();
