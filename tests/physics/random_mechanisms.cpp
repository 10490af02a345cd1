// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/dynamics/energy.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "support/campaign.h"
#include "support/random_models.h"

/// Mechanisms drawn at random, each step judged by what must hold of any: the balance of energy,
/// the law of friction, and the residual of its contact problem. BACKLASH_CAMPAIGN says how many,
/// BACKLASH_SEED where to begin.
namespace backlash::test {
namespace {

/// Judges every step of a run.
class Judge final : public RunObserver {
 public:
  Judge(double friction, bool rigid) : friction_(friction), rigid_(rigid) {}

  bool observe(const State& state, const StepResult& result) override {
    EXPECT_TRUE(is_finite(state));
    if (rigid_) {
      EXPECT_LE(result.relative_residual, 1e-8);
    }
    const bool met = std::ranges::any_of(result.contacts, is_impact);
    for (const ContactOutcome& contact : result.contacts) judge(contact, met);
    return failed_before_ || !::testing::Test::HasFailure();
  }

  long contacts = 0;  ///< judged so far

 private:
  void judge(const ContactOutcome& contact, bool met) {
    ++contacts;
    const double slack = 1e-9 * std::abs(contact.impulse[0]) + 1e-9;
    EXPECT_GE(contact.impulse[0], -slack);
    EXPECT_LE(std::abs(contact.impulse[1]), friction_ * contact.impulse[0] + slack);
    // Friction opposes slip that is not about to turn round; in impacts it may turn on the way.
    constexpr double fast = 0.1;  // [m/s]
    if (!rigid_ || met || !(std::abs(contact.gamma_after[1]) > fast)) return;
    EXPECT_LE(contact.impulse[1] * contact.gamma_after[1], slack);
  }

  double friction_;
  bool rigid_;
  bool failed_before_ = ::testing::Test::HasFailure();  ///< another mechanism of the campaign
};

/// How many contacts were judged.
long judge_rigid_mechanism(unsigned seed) {
  SCOPED_TRACE(fmt::format("BACKLASH_SEED={}", seed));
  RandomModel random(seed);
  const double friction = random.between(0, 0.8), restitution = random.between(0, 0.9);
  const std::string text = random.text(
      fmt::format("{{restitution: {}, friction: {}, impact: stronge}}", restitution, friction),
      "simulation: {step: 1e-4, until: 0.4}");
  Judge judge(friction, true);
  const RunOutcome outcome = run(parse_model(text, "random.yaml"), {}, judge);
  const RunReport& report = outcome.report;
  EXPECT_EQ(report.status, RunStatus::done) << report.message << "\n" << text;
  EXPECT_LT(std::abs(report.made_by_method()), 1e-3 * report.energy_at_hand) << text;
  EXPECT_EQ(report.run.gaining.count, 0) << text;
  return judge.contacts;
}

/// Contacts that are forces: a run comes to its end, or says why it does not.
void judge_compliant_mechanism(unsigned seed) {
  SCOPED_TRACE(fmt::format("BACKLASH_SEED={}", seed));
  RandomModel random(seed);
  const double friction = random.between(0, 0.8);
  const std::string law =
      fmt::format("{{model: calibrated, restitution: {}, stiffness: {} N/m^1.5, friction: {}}}",
                  random.between(0.2, 0.9), std::pow(10, random.between(5, 8)), friction);
  const std::string text =
      random.text(law,
                  "simulation: {method: compliant, relative_tolerance: 1e-6, until: 0.2, "
                  "max_steps: 1e7}");
  Judge judge(friction, false);
  const RunOutcome outcome = run(parse_model(text, "random.yaml"), {}, judge);
  const RunReport& report = outcome.report;
  if (report.status == RunStatus::done) {
    EXPECT_LT(std::abs(report.made_by_method()), 1e-3 * report.energy_at_hand) << text;
  } else if (report.status == RunStatus::failed) {  // not where the judge ends it
    EXPECT_FALSE(report.message.empty());
  }
}

TEST(RandomMechanisms, ObeyTheLawsOfContactAndKeepTheBalanceOfEnergy) {
  const long count = repetitions(30);
  long judged = 0;
  for (unsigned seed = first_seed(); seed < first_seed() + count; ++seed)
    judged += judge_rigid_mechanism(seed);
  constexpr long many = 30;  // among few there may be some in which hardly anything meets
  if (count >= many) {
    EXPECT_GT(judged, 100 * count);
  }
}

TEST(RandomMechanisms, WithForcesAsContactsComeToTheirEndOrSayWhyNot) {
  const long count = repetitions(4);
  for (unsigned seed = first_seed(); seed < first_seed() + count; ++seed)
    judge_compliant_mechanism(seed);
}

/// Impacts in which a load made a contact's work positive, or that stop a contact which was about
/// to open; contacts that end shortly after a step begins: found by larger campaigns.
TEST(RandomMechanisms, ThatOnceBrokeALawObeyItNow) {
  for (const unsigned seed : {199u, 4744u, 10570u, 10954u}) judge_rigid_mechanism(seed);
  for (const unsigned seed : {500u, 1009u, 4803u, 20185u, 20308u}) judge_compliant_mechanism(seed);
}

}  // namespace
}  // namespace backlash::test
