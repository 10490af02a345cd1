// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"

// A step as an optimisation beside one of Moreau's and one with contacts as forces, on the same
// models: with contacts that last, and through impacts; from the last active set, and by the
// optimiser in every step with contacts.

namespace {

using namespace backlash;

struct Case {
  const char *name, *file;
  std::vector<std::string> set;  ///< parameters
  double step, until;            ///< [s]
  const char* law;               ///< of contacts as forces; empty: this is not run
};

struct Variant {
  const char *method, *solver, *warm_start;  ///< empty: it has none
};

Model model_of(const Case& chosen, std::string_view method) {
  std::vector<ParameterOverride> parameters;
  for (const std::string& text : chosen.set) parameters.push_back(parse_override(text));
  std::vector<LawOverride> laws;
  if (method == "compliant") laws.push_back(parse_law_override(chosen.law));
  return read_model(std::string(BACKLASH_EXAMPLES "/") + chosen.file, parameters, laws);
}

Options options_of(const Case& chosen, const Variant& variant) {
  Options options;
  const std::string_view method = variant.method;
  if (method != "compliant") set_option(options, "step", chosen.step);
  if (method == "moreau") set_option(options, "solver", std::string(variant.solver));
  if (method == "optimisation") {
    set_option(options, "optimiser", std::string(variant.solver));
    set_option(options, "warm_start", std::string(variant.warm_start));
  }
  return options;
}

void run_steps(benchmark::State& bench, const Case& chosen, const Variant& variant) {
  const Model model = model_of(chosen, variant.method);
  const Assembly assembly = assemble(model);
  const auto integrator =
      find_integrator(variant.method).make(*assembly.system, options_of(chosen, variant));
  long taken = 0, contact_steps = 0, iterations = 0;
  for (auto _ : bench) {
    State state = assembly.start;
    simulate(*integrator, state, chosen.until, [&](const State&, const StepResult& result) {
      ++taken;
      if (!result.contacts.empty()) ++contact_steps;
      iterations += result.iterations;
    });
  }
  const auto steps = static_cast<double>(taken);
  bench.SetItemsProcessed(taken);
  bench.counters["step"] = benchmark::Counter(
      steps, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);  // CPU time of one
  bench.counters["contact_steps"] = static_cast<double>(contact_steps) / steps;
  bench.counters["iterations"] =
      static_cast<double>(iterations) / static_cast<double>(contact_steps > 0 ? contact_steps : 1);
}

void add(const Case& chosen) {
  const auto add_variant = [&](const Variant& variant) {
    std::string title = std::string(chosen.name) + "/" + variant.method;
    for (const char* part : {variant.solver, variant.warm_start})
      if (*part) title += std::string("/") + part;
    benchmark::RegisterBenchmark(title.c_str(), run_steps, chosen, variant)
        ->Unit(benchmark::kMillisecond);
  };
  add_variant({"moreau", "auto", ""});
  if (*chosen.law) add_variant({"compliant", "", ""});
  for (const char* optimiser : {"ipopt", "slsqp"})
    for (const char* warm_start : {"active_set", "point"})
      add_variant({"optimisation", optimiser, warm_start});
}

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* prismatic = "prismatic_clearance/model.yaml";
  constexpr const char* steel =
      "plastic={model: hunt-crossley, material: [steel, steel], restitution: 0.1}";
  add({"prismatic_clearance_1", prismatic, {}, 1e-4, 0.1, steel});
  add({"prismatic_clearance_2", prismatic, {"s_f=-0.5 mm"}, 1e-4, 0.1, steel});
  add({"prismatic_clearance_3", prismatic, {"s_f=10 mm", "g=0"}, 1e-4, 0.1, steel});
  add({"slider_crank", "slider_crank/model.yaml", {}, 2e-5, 0.02, ""});
  add({"four_bar", "four_bar/clearance.yaml", {}, 2e-5, 0.02, ""});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
