// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/convergence.h"

#include <random>

#include <gtest/gtest.h>

namespace backlash {
namespace {

constexpr double limit = 3.7;

/// limit + Σ c h^p of the terms, at h = 0.1 · ratio^{−k}.
std::vector<double> values(int levels, double ratio,
                           std::initializer_list<std::pair<double, double>> terms) {
  std::vector<double> v;
  for (int k = 0; k < levels; ++k) {
    double sum = limit;
    for (const auto& [c, p] : terms) sum += c * std::pow(0.1 * std::pow(ratio, -k), p);
    v.push_back(sum);
  }
  return v;
}

class OrderOfConvergence : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(OrderOfConvergence, IsSeenAndTheLimitLiesWithinItsError) {
  const auto [order, ratio] = GetParam();
  const int levels = ratio == 2 ? 6 : 4;  // before rounding shows
  const std::vector<double> v = values(levels, ratio, {{2.0, order}, {-1.5, order + 1}});
  const ConvergenceEstimate e = estimate_limit(v, {.ratio = ratio});
  EXPECT_EQ(e.verdict, Convergence::regular);
  EXPECT_NEAR(e.order, order, 0.03);
  EXPECT_LE(std::abs(e.value - limit), e.error);
  EXPECT_LE(e.error, 2 * std::abs(e.value - limit));
  EXPECT_LE(std::abs(e.limit - limit), e.limit_error + 1e-14);
  EXPECT_LT(e.limit_error, 0.2 * e.error);
}

INSTANTIATE_TEST_SUITE_P(Halved, OrderOfConvergence,
                         ::testing::Combine(::testing::Values(0.5, 1.0, 2.0, 4.0),
                                            ::testing::Values(2.0)));
INSTANTIATE_TEST_SUITE_P(Tenth, OrderOfConvergence,
                         ::testing::Combine(::testing::Values(0.5, 1.0, 2.0),
                                            ::testing::Values(10.0)));

TEST(EstimateLimit, OfEvenNoiseThatShrinksIsIrregularAndItsErrorCoversTheLimit) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(-1, 1);
  int covered = 0, irregular = 0;
  constexpr int tries = 400;
  for (int i = 0; i < tries; ++i) {  // as times of impacts: within a step, anywhere
    std::vector<double> v;
    for (int k = 0; k < 8; ++k) v.push_back(limit + 0.1 * std::pow(0.5, k) * share(random));
    const ConvergenceEstimate e = estimate_limit(v, {});
    irregular += e.verdict == Convergence::irregular;
    covered += std::abs(e.value - limit) <= e.error;
  }
  EXPECT_GT(irregular, 0.85 * tries);
  EXPECT_GT(covered, 0.97 * tries);
}

TEST(EstimateLimit, OfValuesThatJumpIsNone) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> share(-1, 1);
  int none = 0, claimed = 0;
  constexpr int tries = 400;
  for (int i = 0; i < tries; ++i) {
    std::vector<double> v;
    for (int k = 0; k < 8; ++k) v.push_back(limit + share(random));
    const Convergence verdict = estimate_limit(v, {}).verdict;
    none += verdict == Convergence::none;
    claimed += verdict == Convergence::regular;
  }
  EXPECT_GT(none, 0.75 * tries);
  EXPECT_LT(claimed, 0.02 * tries);
}

TEST(EstimateLimit, OfConstantsIsExact) {
  const std::vector<double> v(5, limit);
  const ConvergenceEstimate e = estimate_limit(v, {});
  EXPECT_EQ(e.verdict, Convergence::exact);
  EXPECT_EQ(e.limit, limit);
}

TEST(EstimateLimit, OfNoiseWithinTheToleranceIsSettled) {
  const std::vector<double> v{1, 1 + 3e-5, 1 - 2e-5, 1 + 4e-5, 1 - 1e-5};
  EXPECT_EQ(estimate_limit(v, {}).verdict, Convergence::settled);
}

TEST(EstimateLimit, OfTwoValuesSaysNothing) {
  const std::vector<double> v{1, 2};
  EXPECT_EQ(estimate_limit(v, {}).verdict, Convergence::undecided);
  EXPECT_EQ(estimate_limit({}, {}).verdict, Convergence::undecided);
}

TEST(SuggestedStep, HasTheErrorThatIsAllowed) {
  const std::vector<double> v = values(6, 2, {{2.0, 2.0}});
  const ConvergenceEstimate e = estimate_limit(v, {});
  const double h = 0.1 / 32, allowed = 1e-3;
  const double step = suggested_step(e, h, allowed, 1);
  EXPECT_NEAR(1.25 * 2 * step * step, allowed, 0.02 * allowed);  // with Roache's factor
  EXPECT_EQ(suggested_step(e, h, allowed, 0.01), 0.01);
  EXPECT_TRUE(
      std::isnan(suggested_step({.verdict = Convergence::none, .error = 1}, h, allowed, 1)));
}

TEST(SuggestedStep, IsRoundedDown) {
  EXPECT_DOUBLE_EQ(rounded_down(7.3e-5), 5e-5);
  EXPECT_DOUBLE_EQ(rounded_down(2e-6), 2e-6);
  EXPECT_DOUBLE_EQ(rounded_down(1.99e-6), 1e-6);
}

}  // namespace
}  // namespace backlash
