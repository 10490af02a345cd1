// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The slider-crank of examples/slider_crank, as its file describes it, beside the same equations
// derived by hand and beside Box2D, in turns in one run: Δt = 1e-5 s, 0.1 s, output every 1e-4 s;
// and without output by both contact schemes. Counters are the least times over all turns, in ns a
// step, and their ratios.

#include <algorithm>
#include <chrono>
#include <cmath>

#include <benchmark/benchmark.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/results/recorder.h"
#include "box2d/slider_crank_box2d.h"

namespace backlash {
namespace {

constexpr int steps = 10000;
constexpr double step_length = 1e-5;  // [s]
constexpr double every = 1e-4;        // [s]
constexpr long rows_at_once = 100;    // are recorded until they are written and forgotten

using Clock = std::chrono::steady_clock;

/// [ns a step] of the run that `step` advances.
template <class Step>
double time_steps(Step step) {
  const Clock::time_point begin = Clock::now();
  for (int n = 0; n < steps; ++n) step();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / steps;
}

/// With output, as a run has it.
double time_system(Moreau& integrator, const State& start) {
  State state = start;
  Recorder recorder(integrator.system(), start, {.every = every});
  Recording& recording = recorder.recording();
  return time_steps([&] {
    recorder.observe(state, integrator.step(state, step_length));
    if (recorder.rows() % rows_at_once == 0) recording.clear();
  });
}

double time_steps_alone(Moreau& integrator, const State& start) {
  State state = start;
  return time_steps([&] { integrator.step(state, step_length); });
}

Assembly slider_crank_file() {
  return assemble(read_model(BACKLASH_EXAMPLES "/slider_crank/model.yaml"));
}

void beside_others(benchmark::State& bench) {
  const SliderCrank by_hand(SliderCrankData{});
  const Assembly assembly = slider_crank_file();
  Moreau hand_derived(by_hand, {}), assembled(*assembly.system, {});
  double hand = HUGE_VAL, file = HUGE_VAL, box2d = HUGE_VAL;
  for (auto _ : bench) {
    hand = std::min(hand, time_system(hand_derived, slider_crank_start(by_hand, 0)));
    file = std::min(file, time_system(assembled, assembly.start));
    benchmarks::SliderCrankBox2d world(step_length);
    box2d = std::min(box2d, time_steps([&] { world.step(); }));
  }
  bench.counters["ns_hand_derived"] = hand;
  bench.counters["ns_model_file"] = file;
  bench.counters["ns_box2d"] = box2d;
  bench.counters["file_over_hand_derived"] = file / hand;
  bench.counters["box2d_over_file"] = box2d / file;
}

void by_both_schemes(benchmark::State& bench) {
  const SliderCrank by_hand(SliderCrankData{});
  const Assembly assembly = slider_crank_file();
  const MoreauOptions original{.contact_scheme = ContactScheme::original};
  struct Entry {
    Moreau integrator;
    State start;
    double least = HUGE_VAL;
  };
  const State start = slider_crank_start(by_hand, 0);
  Entry entries[] = {{Moreau(by_hand, {}), start},
                     {Moreau(by_hand, original), start},
                     {Moreau(*assembly.system, {}), assembly.start},
                     {Moreau(*assembly.system, original), assembly.start}};
  for (auto _ : bench)
    for (Entry& e : entries) e.least = std::min(e.least, time_steps_alone(e.integrator, e.start));
  const double hand = entries[0].least, hand_original = entries[1].least;
  const double file = entries[2].least, file_original = entries[3].least;
  bench.counters["ns_hand_derived"] = hand;
  bench.counters["ns_hand_derived_original"] = hand_original;
  bench.counters["ns_model_file"] = file;
  bench.counters["ns_model_file_original"] = file_original;
  bench.counters["hand_derived_over_original"] = hand / hand_original;
  bench.counters["model_file_over_original"] = file / file_original;
  bench.counters["file_over_hand_derived"] = file / hand;
  bench.counters["file_over_hand_derived_original"] = file_original / hand_original;
}

BENCHMARK(by_both_schemes)
    ->Name("model_file/both_contact_schemes")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(40);
BENCHMARK(beside_others)
    ->Name("model_file/slider_crank")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(40);

}  // namespace
}  // namespace backlash

BENCHMARK_MAIN();
