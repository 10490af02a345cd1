// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// How the cost of a step grows with the size of a mechanism: a chain of n links, n pendulums side
// by side that hang in clearance joints, and a chain whose links are connected by clearance joints.
// Counters: ns a step, the share of clearance joints in contact, and the exponent p of cost ~ nᵖ
// since the size before.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/io/model/model_reader.h"

namespace backlash {
namespace {

constexpr double step_length = 1e-4;  // [s]

std::string head() {
  return "backlash: 1\ngravity: [0, -9.81]\nlaws:\n  steel: {restitution: 0.4, friction: 0.1}\n";
}

std::string bodies(int n) {
  std::string text = "bodies:\n";
  for (int i = 1; i <= n; ++i)
    text += fmt::format("  b{}: {{mass: 0.1, inertia: 1e-4, com: [0.05, 0]}}\n", i);
  return text;
}

constexpr const char* play = "clearance: {gap: 0.5 mm, journal_radius: 5 mm, law: steel}";

/// A chain that starts bent, so that all of it moves.
std::string chain(int n, bool clearances) {
  std::string text = head() + bodies(n) + "joints:\n";
  for (int i = 1; i <= n; ++i) {
    const std::string a = i == 1 ? "ground" : fmt::format("b{}", i - 1);
    const char* at = i == 1 ? "[[0, 0], [0, 0]]" : "[[0.1, 0], [0, 0]]";
    text += fmt::format(
        "  j{}: {{type: revolute, between: [{}, b{}], at: {}, initial: {{angle: {} rad}}{}}}\n", i,
        a, i, at, i % 2 ? 0.3 : -0.2, clearances ? fmt::format(", {}", play) : "");
  }
  return text;
}

/// A chain that hangs and swings a little, so that all of its journals lie in their bearings.
std::string hanging_chain(int n) {
  std::string text = head() + bodies(n) + "joints:\n";
  for (int i = 1; i <= n; ++i) {
    const std::string a = i == 1 ? "ground" : fmt::format("b{}", i - 1);
    text += fmt::format(
        "  j{}: {{type: revolute, between: [{}, b{}], at: [[{}, 0], [0, 0]], initial: {{angle: {} "
        "rad}}, clearance: {{gap: 10 um, journal_radius: 5 mm, law: steel}}}}\n",
        i, a, i, i == 1 ? 0.0 : 0.1,
        i == 1  ? -1.5
        : i % 2 ? -0.02
                : 0.01);
  }
  return text;
}

/// Side by side, each lifted by another angle.
std::string row(int n) {
  std::string text = head() + bodies(n) + "joints:\n";
  for (int i = 1; i <= n; ++i)
    text += fmt::format(
        "  j{}: {{type: revolute, between: [ground, b{}], at: [[{}, 0], [0, 0]], "
        "initial: {{angle: {} rad}}, {}}}\n",
        i, i, 0.3 * i, -2 + 1.5 * i / n, play);
  return text;
}

std::string model(const std::string& kind, int n) {
  if (kind == "row") return row(n);
  if (kind == "hanging_chain") return hanging_chain(n);
  return chain(n, kind == "chain_of_clearances");
}

/// Journals that lie in plays of 10 µm ask for shorter steps, and it takes more of them until all
/// do.
double step_of(const std::string& kind) { return kind == "hanging_chain" ? 1e-5 : step_length; }
int warm_up_of(const std::string& kind) { return kind == "hanging_chain" ? 12000 : 2000; }

/// CPU time of the process [ns]: machines are shared.
double cpu_time() { return 1e9 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void time_model(benchmark::State& bench, const std::string& kind) {
  static std::map<std::string, std::pair<int, double>> before;  // size and time, by kind
  const auto n = static_cast<int>(bench.range(0));
  const Assembly assembly = assemble(parse_model(model(kind, n), kind));
  Moreau integrator(*assembly.system, {});
  State state = assembly.start;
  const int warm = warm_up_of(kind), steps = std::clamp(200000 / n, 200, 20000);
  const double step = step_of(kind);
  for (int i = 0; i < warm; ++i) integrator.step(state, step);
  const State start = state;
  double least = HUGE_VAL, contacts = 0;
  for (auto _ : bench) {
    state = start;
    contacts = 0;
    const double begin = cpu_time();
    for (int i = 0; i < steps; ++i) {
      const StepResult& result = integrator.step(state, step);
      contacts += static_cast<double>(result.contacts.size());
      if (result.status != StepStatus::done) bench.SkipWithError("a step failed");
    }
    least = std::min(least, (cpu_time() - begin) / steps);
  }
  bench.counters["ns_step"] = least;
  bench.counters["ns_step_and_body"] = least / n;
  bench.counters["in_contact"] = contacts / steps / n;
  bench.counters["exponent"] = 0;  // in each run, or the CSV has no column for it
  const auto last = before.find(kind);
  if (last != before.end() && last->second.first < n)
    bench.counters["exponent"] =
        std::log(least / last->second.second) / std::log(double(n) / last->second.first);
  before[kind] = {n, least};
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  for (const std::string kind : {"chain", "row", "chain_of_clearances", "hanging_chain"})
    benchmark::RegisterBenchmark(
        ("scaling/" + kind).c_str(),
        [kind](benchmark::State& bench) { backlash::time_model(bench, kind); })
        ->RangeMultiplier(4)
        ->Range(4, 256)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(3);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
