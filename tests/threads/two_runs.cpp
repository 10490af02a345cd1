// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "threads/two_runs.h"

#include "support/models.h"

namespace backlash::test {
namespace {

std::string compliant_linkage() {
  return "backlash: 1\n" +
         rattling_linkage("model: calibrated, stiffness: 1e8 N/m^1.5, restitution: 0.5") +
         "simulation: {method: compliant, until: 0.01}\noutput: {every: 1e-4}\n";
}

TEST(RunsInTwoThreads, GiveTheSameBitsByMoreausSteps) {
  expect_bits_of_a_run_alone(falling_ball("{step: 1e-3, until: 0.5}"));
}

TEST(RunsInTwoThreads, GiveTheSameBitsByCompliantContact) {
  expect_bits_of_a_run_alone(compliant_linkage());
}

}  // namespace
}  // namespace backlash::test
