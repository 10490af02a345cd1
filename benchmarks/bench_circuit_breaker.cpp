// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The circuit breaker of examples/circuit_breaker with its ten contacts: its closing, 0.5 s, with
// compliant contacts at a relative tolerance of 1e-8 and with rigid ones in steps of 1e-5 s; and
// the equilibrium that it begins in.

#include <stdexcept>

#include <benchmark/benchmark.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"

namespace backlash {
namespace {

constexpr double closing = 0.5;  // [s]

Model compliant_model() { return read_model(BACKLASH_EXAMPLES "/circuit_breaker/model.yaml"); }

Model rigid_model() {
  Model model = compliant_model();
  for (NamedLaw& named : model.laws)
    if (std::holds_alternative<CompliantDescription>(named.law))
      named.law = ContactLaw{.restitution = named.name == "copper" ? 0.2 : 0.3};
  return model;
}

void finish(benchmark::State& bench, const RunSummary& summary) {
  if (summary.status != StepStatus::done) throw std::runtime_error("the run failed");
  bench.counters["steps"] = static_cast<double>(summary.steps);
}

void compliant_closing(benchmark::State& bench) {
  const Assembly assembly = assemble(compliant_model());
  const CompliantOptions options = compliant_options(
      {{.key = "relative_tolerance", .value = 1e-8}, {.key = "max_step", .value = 1e-3}},
      assembly.system->info());
  for (auto _ : bench) {
    Compliant integrator(*assembly.system, options);
    State state = assembly.start;
    finish(bench, simulate(integrator, state, closing));
  }
}

void rigid_closing(benchmark::State& bench) {
  const Assembly assembly = assemble(rigid_model());
  for (auto _ : bench) {
    Moreau integrator(*assembly.system, {.step = 1e-5});
    State state = assembly.start;
    finish(bench, simulate(integrator, state, closing));
  }
}

void initial_equilibrium(benchmark::State& bench) {
  Model model = compliant_model();
  model.initial = InitialPositions::given;
  const Assembly assembly = assemble(model);
  for (auto _ : bench) {
    const Equilibrium rest = find_equilibrium(*assembly.system, assembly.start);
    bench.counters["steps"] = rest.iterations;
  }
}

BENCHMARK(compliant_closing)->Unit(benchmark::kMillisecond);
BENCHMARK(rigid_closing)->Unit(benchmark::kMillisecond);
BENCHMARK(initial_equilibrium)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace backlash
