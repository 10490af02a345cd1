// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "support/campaign.h"
#include "support/random_models.h"

/// Mechanisms drawn at random, under the method that holds gaps as positions. BACKLASH_CAMPAIGN
/// says how many, BACKLASH_SEED where to begin.
namespace backlash::test {
namespace {

/// No contact overlaps, pulls, or rubs more than it may.
class Judge final : public RunObserver {
 public:
  explicit Judge(double friction) : friction_(friction) {}

  bool observe(const State&, const StepResult& result) override {
    for (const ContactOutcome& contact : result.contacts) {
      const double slack = 1e-9 * std::abs(contact.impulse[0]) + 1e-12;
      EXPECT_GE(contact.gap, -1e-12);
      EXPECT_GE(contact.impulse[0], -slack);
      EXPECT_LE(std::abs(contact.impulse[1]), friction_ * contact.impulse[0] + slack);
    }
    return true;
  }

 private:
  double friction_;
};

/// What the method itself made in a run in steps of this length, as a part of the energy at hand.
double made(const std::string& text, double step, double friction) {
  Model model = parse_model(text, "random.yaml");
  std::ranges::find(model.simulation.options, "step", &Option::key)->value = step;
  Judge judge(friction);
  const RunReport report = run(model, {}, judge).report;
  EXPECT_EQ(report.status, RunStatus::done) << report.message << "\n" << text;
  return report.made_by_method() / report.energy_at_hand;
}

/// Steps of implicit Euler's are of first order, and so is what they make of energy; when in a step
/// bodies meet makes a small difference.
TEST(RandomMechanisms, KeepTheirEnergyToFirstOrderByOptimisation) {
  for (unsigned seed = first_seed(); seed < first_seed() + repetitions(3); ++seed) {
    SCOPED_TRACE(fmt::format("BACKLASH_SEED={}", seed));
    RandomModel random(seed);
    const double friction = random.between(0, 0.8);
    const std::string text =
        random.text(fmt::format("{{restitution: 0, friction: {}}}", friction),
                    "simulation: {method: optimisation, step: 1e-3, until: 0.3}");
    const double coarse = made(text, 1e-3, friction), fine = made(text, 5e-4, friction);
    EXPECT_LT(std::abs(coarse), 1e-2) << text;
    EXPECT_LT(std::abs(fine), 0.6 * std::abs(coarse) + 2e-4) << text;
  }
}

}  // namespace
}  // namespace backlash::test
