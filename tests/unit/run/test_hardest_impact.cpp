// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/integrators/simulate.h"

namespace backlash::test::hardest_impact {
namespace {

/// A contact that is a force and ends in this step, after such an approach and impulse.
StepResult release(double approach, double impulse) {
  StepResult result;
  ContactOutcome& contact = result.released.emplace_back();
  contact.t = 1;
  contact.gamma_before[0] = -approach;
  contact.impulse[0] = impulse;
  return result;
}

TEST(HardestImpact, IsNotAContactThatCarriedFromTheStartOn) {
  SystemInfo info;
  info.contacts.emplace_back().compliant.emplace();
  RunSummary summary;
  add(release(0, 50), info, summary);
  EXPECT_TRUE(std::isnan(summary.hardest.t));
  EXPECT_EQ(summary.hard_impacts.count(), 0);
  add(release(2, 3), info, summary);
  EXPECT_EQ(summary.hardest.speed, 2);
  EXPECT_EQ(summary.hardest.impulse, 3);
  EXPECT_EQ(summary.hard_impacts.count(), 1);
}

TEST(Summary, CountsEachStepThatIsImpreciseOnce) {
  const SystemInfo info;
  RunSummary summary;
  StepResult result;
  result.imprecise = true;
  add(result, info, summary);
  EXPECT_EQ(summary.imprecise_steps, 1);
}

}  // namespace
}  // namespace backlash::test::hardest_impact
