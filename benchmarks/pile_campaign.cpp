// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/// Prints the table of docs/verification/piles.md: piles of planar bodies that fall for 2 s.
///     pile_campaign [COUNT] [SEEDS] [UNTIL]
/// One line per kind, friction and restitution (the worst of all seeds), and one for each run that
/// failed.
#include <algorithm>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "support/piles.h"

namespace backlash {
namespace {

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The worst of several runs.
struct Worst {
  int failed = 0;
  long steps = 0, jammed = 0, rejected = 0, imprecise = 0;
  double made = -INFINITY, risen = 0, penetration = 0, resting = 0, time = 0;

  void add(const test::Pile& pile, const test::PileRun& run, double taken) {
    if (run.summary.status != StepStatus::done) {
      ++failed;
      fmt::print("| {} | {} at t = {} s |\n", test::name_of(pile), name(run.summary.status), run.t);
    }
    steps += run.summary.steps;
    jammed += run.summary.jammed_steps;
    rejected += run.summary.rejected_steps;
    imprecise += run.summary.imprecise_steps;
    made = std::max(made, run.made);
    risen = std::max(risen, run.risen);
    penetration = std::max(penetration, run.penetration);
    resting = std::max(resting, run.resting);
    time += taken;
  }
};

void print_piles(test::Pile pile, std::uint64_t seeds, double until) {
  Worst worst;
  for (pile.seed = 1; pile.seed <= seeds; ++pile.seed) {
    const double start = processor_time();
    const test::PileRun run = test::run_pile(pile, until);
    worst.add(pile, run, processor_time() - start);
  }
  fmt::print(
      "| {} {} | {} | {} | {} of {} | {:.2g} % | {:.2g} % | {:.1e} | {:.1e} | {} | {} | {} | "
      "{:.2g} ms |\n",
      pile.count, pile.boxes ? "boxes" : "discs", pile.friction, pile.restitution, worst.failed,
      seeds, 100 * worst.made, 100 * worst.risen, worst.penetration, worst.resting, worst.jammed,
      worst.rejected, worst.imprecise,
      1e3 * worst.time / static_cast<double>(std::max(1L, worst.steps)));
  std::fflush(stdout);
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 30;
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 5;
  const double until = argc > 3 ? std::atof(argv[3]) : 2;
  fmt::print(
      "| bodies | friction | restitution | failed | made by the method | energy risen | "
      "penetration / size | at rest | "
      "jammed steps | halved | imprecise | CPU per step "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const bool boxes : {false, true})
    for (const double friction : {0.0, 0.1, 0.3, 0.8})
      for (const double restitution : {0.0, 0.2, 0.5})
        backlash::print_piles(
            {.boxes = boxes, .count = count, .friction = friction, .restitution = restitution},
            static_cast<std::uint64_t>(seeds), until);
}
