// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "threads/two_runs.h"

namespace backlash::test {
namespace {

TEST(RunsInTwoThreads, GiveTheSameBitsByBothOptimisers) {
  for (const char* optimiser : {"ipopt", "slsqp"})
    expect_bits_of_a_run_alone(falling_ball(std::string("{method: optimisation, optimiser: ") +
                                            optimiser + ", step: 1e-3, until: 0.5}"));
}

}  // namespace
}  // namespace backlash::test
