// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The slider-crank of paper 001 (Δt = 1e-5 s, 0.1 s) beside the same scheme written out by hand.
// Floor and library take turns in the same run; counters are the least times over all turns, in ns
// a step, of the whole run and of its phases apart, and their ratios; and the same of the default
// contact scheme, beside the papers'.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/moreau/moreau.h"
#include "floor/slider_crank_floor.h"

namespace backlash {
namespace {

constexpr int steps = 10000;
constexpr double step_length = 1e-5;  // [s]

using Clock = std::chrono::steady_clock;
using Floor = benchmarks::SliderCrankFloor<benchmarks::ForceVelocity::midpoint>;

double nanoseconds(Clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

/// Least times so far [ns a step].
struct Timing {
  double all = HUGE_VAL, free = HUGE_VAL, contact = HUGE_VAL;
};

/// Times a run whole, then by phases with the clock read only where the phase changes.
template <class Start>
void time_run(Start start, const std::vector<bool>& in_contact, Timing& best) {
  {
    auto run = start();
    const Clock::time_point begin = Clock::now();
    for (int n = 0; n < steps; ++n) run.step();
    best.all = std::min(best.all, nanoseconds(Clock::now() - begin) / steps);
  }
  auto run = start();
  double spent[2] = {0, 0};
  long count[2] = {0, 0};
  Clock::time_point last = Clock::now();
  for (int n = 0; n < steps; ++n) {
    run.step();
    const auto phase = static_cast<std::size_t>(n);
    ++count[in_contact[phase]];
    if (n + 1 < steps && in_contact[phase + 1] == in_contact[phase]) continue;
    const Clock::time_point now = Clock::now();
    spent[in_contact[phase]] += nanoseconds(now - last);
    last = now;
  }
  best.free = std::min(best.free, spent[0] / static_cast<double>(std::max(1L, count[0])));
  best.contact = std::min(best.contact, spent[1] / static_cast<double>(std::max(1L, count[1])));
}

struct Run {
  Moreau& integrator;
  State state;
  const StepResult& step() { return integrator.step(state, step_length); }
};

struct Variant {
  const char* name;
  const char* solver = "auto";
  double friction = 0.01;
  double slider_speed = 0;  ///< ω3(0) [rad/s]
  int corner_order[4] = {1, 2, 3, 4};
};

void run_variant(benchmark::State& bench, const Variant& variant) {
  SliderCrankData data;
  data.law.friction = variant.friction;
  std::copy(variant.corner_order, variant.corner_order + 4, data.corner_order);
  const SliderCrank system(data);
  MoreauOptions options;
  options.solver = variant.solver;
  Moreau by_default(system, options);
  options.contact_scheme = ContactScheme::original;
  Moreau integrator(system, options);
  const State begin = slider_crank_start(system, variant.slider_speed);
  const auto start = [&] { return Run{integrator, begin}; };
  const auto start_default = [&] { return Run{by_default, begin}; };
  const auto start_floor = [&] {
    Floor floor;
    floor.friction = variant.friction;
    floor.u[2] = variant.slider_speed;
    return floor;
  };
  std::vector<bool> contact, default_contact, floor_contact;
  Run run = start(), default_run = start_default();
  Floor floor = start_floor();
  for (int n = 0; n < steps; ++n) {
    contact.push_back(!run.step().contacts.empty());
    default_contact.push_back(!default_run.step().contacts.empty());
    floor.step();
    floor_contact.push_back(floor.in_contact());
  }
  Timing ours, ours_default, least;
  for (auto _ : bench) {
    time_run(start_floor, floor_contact, least);
    time_run(start, contact, ours);
    time_run(start_default, default_contact, ours_default);
  }
  auto& counters = bench.counters;
  counters["ns_step"] = ours.all;
  counters["ns_free"] = ours.free;
  counters["ns_contact"] = ours.contact;
  counters["floor_step"] = least.all;
  counters["floor_free"] = least.free;
  counters["floor_contact"] = least.contact;
  counters["ratio_step"] = ours.all / least.all;
  counters["ratio_free"] = ours.free / least.free;
  counters["ratio_contact"] = ours.contact / least.contact;
  counters["default_step"] = ours_default.all;
  counters["default_free"] = ours_default.free;
  counters["default_contact"] = ours_default.contact;
  counters["default_over_original"] = ours_default.all / ours.all;
}

const Variant variants[] = {
    {.name = "auto"},
    {.name = "auto_permuted", .corner_order = {4, 2, 1, 3}},
    {.name = "auto_friction_0.3", .friction = 0.3},
    {.name = "auto_tilted", .slider_speed = 0.1},
    {.name = "enumeration", .solver = "enumeration"},
    {.name = "lemke", .solver = "lemke"},
    {.name = "newton", .solver = "newton"},
    {.name = "gauss-seidel", .solver = "gauss-seidel"},
    {.name = "augmented-lagrangian", .solver = "augmented-lagrangian"},
};

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  for (const backlash::Variant& variant : backlash::variants)
    benchmark::RegisterBenchmark((std::string("slider_crank/") + variant.name).c_str(),
                                 [&](benchmark::State& bench) { run_variant(bench, variant); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(40);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
