// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"

// A step as an optimisation beside one of Moreau's, on the same models: with contacts that last,
// and through impacts.

namespace {

using namespace backlash;

void run_steps(benchmark::State& bench, const char* file, const char* method, const char* solver,
               double step, long steps) {
  const Model model = read_model(std::string(BACKLASH_EXAMPLES "/") + file);
  const Assembly assembly = assemble(model);
  Options options;
  set_option(options, "step", step);
  const bool optimises = std::string_view(method) == "optimisation";
  set_option(options, optimises ? "optimiser" : "solver", std::string(solver));
  const auto integrator = find_integrator(method).make(*assembly.system, options);
  long taken = 0, contact_steps = 0, iterations = 0;
  for (auto _ : bench) {
    State state = assembly.start;
    simulate(*integrator, state, step * static_cast<double>(steps),
             [&](const State&, const StepResult& result) {
               ++taken;
               if (!result.contacts.empty()) ++contact_steps;
               iterations += result.iterations;
             });
  }
  bench.SetItemsProcessed(taken);
  bench.counters["contact_steps"] = static_cast<double>(contact_steps) / static_cast<double>(taken);
  bench.counters["iterations"] =
      static_cast<double>(iterations) / static_cast<double>(contact_steps > 0 ? contact_steps : 1);
}

void add(const char* name, const char* file, double step, long steps) {
  const auto variant = [&](const char* method, const char* solver) {
    benchmark::RegisterBenchmark((std::string(name) + "/" + method + "/" + solver).c_str(),
                                 run_steps, file, method, solver, step, steps)
        ->Unit(benchmark::kMillisecond);
  };
  variant("moreau", "auto");
  variant("optimisation", "ipopt");
  variant("optimisation", "slsqp");
}

}  // namespace

int main(int argc, char** argv) {
  add("prismatic_clearance", "prismatic_clearance/model.yaml", 1e-4, 100);
  add("slider_crank", "slider_crank/model.yaml", 2e-5, 1000);
  add("four_bar", "four_bar/clearance.yaml", 2e-5, 1000);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
