// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "support/runs.h"

/// What steps take from the heap.
namespace backlash::test {

class Allocation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (heap_allocations() < 0) GTEST_SKIP() << "a sanitizer keeps its own count";
  }
};

/// How many blocks a run takes after its first `warm_up` steps, and in how many steps.
struct Taken {
  long blocks = 0;
  long steps = 0;
  double first = -1;  ///< [s], of the first step that took one
};

inline Taken count_allocations(const System& system, State state, double step, long warm_up,
                               long steps, const MoreauOptions& options) {
  Moreau integrator(system, options);
  Taken taken;
  for (long i = 0; i < warm_up + steps; ++i) {
    const long before = heap_allocations();
    const StepResult& result = integrator.step(state, step);
    const long blocks = heap_allocations() - before;
    EXPECT_EQ(result.status, StepStatus::done) << name(result.status) << " at " << result.t_start;
    if (result.status != StepStatus::done) return taken;
    if (i < warm_up || blocks == 0) continue;
    if (taken.steps == 0) taken.first = result.t_start;
    taken.blocks += blocks;
    ++taken.steps;
  }
  return taken;
}

inline void expect_none(const System& system, const State& start, double step, long warm_up,
                        long steps) {
  for_every_solver([&](const MoreauOptions& options) {
    const Taken taken = count_allocations(system, start, step, warm_up, steps, options);
    EXPECT_EQ(taken.blocks, 0) << "in " << taken.steps << " steps, first at t = " << taken.first;
  });
}

}  // namespace backlash::test
