// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/solvers/enumeration.h"
#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/lemke.h"
#include "backlash/solvers/newton.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/existence.h"
#include "support/named_problems.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

/// One contact with G_NN = 1, G_NT = 1, G_TT = 2 and μ = 3/2 > G_NN/G_NT, after Painlevé: it may
/// stay open, slip, or stick.
ContactProblem painleve() {
  Matrix G(2, 2);
  G << 1, 1, 1, 2;
  return dense_problem(G, Vec2(0.1, 1), std::vector<Law>{Coulomb{.friction = 1.5}});
}

TEST(Enumeration, FindsAllThreeSolutionsOfAPainleveProblem) {
  const std::vector<ContactSolution> all = all_solutions(painleve(), {});
  ASSERT_EQ(all.size(), 3u);
  const double slip = 0.1 / (1.5 - 1);  // (G_NN − μ G_NT) Λ_N + c_N = 0
  const double stick = 1 - 2 * 0.1;     // Λ = −G⁻¹c, det G = 1
  const Vec2 expected[3] = {{0, 0}, {slip, -1.5 * slip}, {stick, 0.1 - 1}};
  for (const Vec2& impulse : expected)
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const ContactSolution& solution) {
      return (solution.impulse - impulse).norm() < 1e-12;
    })) << impulse.transpose();
}

TEST(Enumeration, FindsNoSolutionWhereThereIsNone) {
  for (const test::NamedProblem& named : test::unsolvable_problems()) {
    EXPECT_TRUE(all_solutions(named.problem, {}).empty()) << named.name;
    EXPECT_EQ(solve(find_solver("enumeration"), named.problem).status, SolverStatus::no_solution);
  }
}

TEST(Enumeration, FindsOneSolutionWhereTheMatrixIsDiagonal) {
  const std::vector<Law> laws{Coulomb{.friction = 0.5}, Coulomb{.friction = 0.5}};
  const ContactProblem problem =
      dense_problem(Matrix::Identity(4, 4), Eigen::Vector4d(-1, 0.1, -1, 3), laws);
  EXPECT_EQ(all_solutions(problem, {}).size(), 1u);
}

TEST(Enumeration, SaysWhenThereAreTooManyCombinations) {
  const int contacts = 20;
  const std::vector<Law> laws(contacts, Coulomb{.friction = 0.5});
  const ContactProblem problem =
      dense_problem(Matrix::Ones(2 * contacts, 2 * contacts), -Vector::Ones(2 * contacts), laws);
  Arena scratch;
  ContactSolution solution;
  solution.impulse = Vector::Constant(2 * contacts, 3);
  solve_enumeration(problem, {}, scratch, solution);
  EXPECT_EQ(solution.status, SolverStatus::too_large);
}

TEST(Lemke, AgreesInBothFormsOfPlanarFriction) {
  for (std::uint64_t seed = 0; seed < 100; seed += 2) {
    const ContactProblem problem = test::random_problem(seed).dense;
    Arena scratch;
    Arena::Frame frame(scratch);
    const ReducedProblem reduced = reduce(problem, frame);
    Vector impulse(reduced.c.size()), full(problem.free_velocity.size());
    for (const PlanarFriction form : {PlanarFriction::split, PlanarFriction::cone}) {
      const LcpResult result = pivot_lemke(reduced, {.planar_friction = form}, scratch, impulse);
      if (result.status != LcpStatus::solved) continue;
      expand(reduced, impulse, full);
      EXPECT_LT(residual(problem, full).relative, 1e-6) << seed;
    }
  }
}

TEST(Lemke, ComesNearerToTheDiskWithMoreFacets) {
  const ContactProblem problem =
      dense_problem(Matrix::Identity(3, 3), Vec3(-1, 2 * std::cos(0.3), 2 * std::sin(0.3)),
                    std::vector<Law>{Coulomb{.friction = 0.5, .tangents = 2}});
  double last = INFINITY;
  for (const int facets : {4, 16, 64, 256}) {
    const ContactSolution solution = solve(find_solver("lemke"), problem, {.facets = facets});
    EXPECT_EQ(solution.status, SolverStatus::approximated);
    // The direction is off by at most half a facet, and friction acts at full strength.
    EXPECT_LT(solution.residual, 1.1 * 0.5 * std::numbers::pi / facets);
    EXPECT_LE(solution.residual, last);
    last = solution.residual;
  }
}

TEST(Newton, ConvergesQuadraticallyToObliqueSlip) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    if (named.name != "SpaceDiskSlippingObliquely") continue;
    Arena scratch;
    Arena::Frame frame(scratch);
    const ReducedProblem reduced = reduce(named.problem, frame);
    Vector impulse = named.impulse + Vec3(0, 1e-3, 1e-3);
    iterate_newton(reduced, {.steps = 1}, scratch, impulse);
    const double first = (impulse - named.impulse).norm();
    EXPECT_LT(first, 1e-5);
    iterate_newton(reduced, {.steps = 1}, scratch, impulse);
    EXPECT_LT((impulse - named.impulse).norm(), 1e-9);
  }
}

TEST(Newton, TakesOneStepWhereTheModesAreRight) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2));
  Arena scratch;
  ContactSolution solution = solve(find_solver("auto"), problem);
  solution.impulse *= 1.01;
  solve_newton(problem, {}, scratch, solution);
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_LE(solution.iterations, 2);
}

TEST(GaussSeidel, SolvesUncoupledContactsInOneSweep) {
  const std::vector<Law> laws{Coulomb{.friction = 0.5}, Coulomb{.friction = 0.5},
                              Relay{.limit = 1}};
  Vector c(5);
  c << -1, 0.1, -1, 3, 2;
  const ContactSolution solution =
      solve(find_solver("gauss-seidel"), dense_problem(Matrix::Identity(5, 5), c, laws));
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_EQ(solution.iterations, 1);
}

TEST(GaussSeidel, ConvergesAtTheSquareOfTheCouplingOfTwoContacts) {
  // Frictionless: the error falls by (G_12/G_11)² a sweep.
  Matrix G(2, 2);
  G << 939, -913, -913, 939;
  const std::vector<Law> laws(2, Unilateral{});
  const ContactProblem problem = dense_problem(G, Vec2(-1, -1.1), laws);
  Arena scratch;
  ContactSolution solution;
  const auto after = [&](int sweeps) {
    solution.impulse = Vector::Zero(2);
    solve_gauss_seidel(problem, {.tolerance = 0, .max_iterations = sweeps}, scratch, solution);
    return solution.residual;
  };
  const double rate = std::pow(after(60) / after(50), 1.0 / 10);
  EXPECT_NEAR(rate, std::pow(913.0 / 939.0, 2), 1e-3);
}

TEST(GaussSeidel, ConvergesWithUnderAndOverRelaxation) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2));
  for (const double relaxation : {0.7, 1.0, 1.3}) {
    const ContactSolution solution =
        solve(find_solver("gauss-seidel"), problem, {.relaxation = relaxation});
    EXPECT_EQ(solution.status, SolverStatus::solved) << relaxation;
  }
}

class EveryRFactor : public ::testing::TestWithParam<RFactor> {};

TEST_P(EveryRFactor, SolvesTheProblemsInClosedForm) {
  for (const test::NamedProblem& named : test::solvable_problems()) {
    const ContactSolution solution =
        solve(find_solver("augmented-lagrangian"), named.problem, {.r_factor = GetParam()});
    EXPECT_EQ(solution.status, SolverStatus::solved) << named.name << solution.relative_residual;
  }
}

TEST_P(EveryRFactor, SolvesTheCornersOfTheSliderCrankToTwelveDigits) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2));
  const SolverOptions options{.tolerance = 1e-12, .r_factor = GetParam()};
  const ContactSolution solution = solve(find_solver("augmented-lagrangian"), problem, options);
  EXPECT_EQ(solution.status, SolverStatus::solved);
}

TEST_P(EveryRFactor, SolvesMostRandomProblems) {
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const SolverOptions options{.tolerance = 1e-6, .max_iterations = 5000, .r_factor = GetParam()};
    solved += solve(find_solver("augmented-lagrangian"), test::random_problem(seed).dense, options)
                  .status == SolverStatus::solved;
  }
  EXPECT_GT(solved, GetParam() == RFactor::adaptive ? 95 : 50);
}

INSTANTIATE_TEST_SUITE_P(AugmentedLagrangian, EveryRFactor,
                         ::testing::Values(RFactor::global, RFactor::per_contact,
                                           RFactor::adaptive));

TEST(AugmentedLagrangian, AdaptsInFarFewerIterationsThanAFixedR) {
  const ContactProblem problem = test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2));
  const auto iterations = [&](RFactor r) {
    return solve(find_solver("augmented-lagrangian"), problem, {.r_factor = r}).iterations;
  };
  EXPECT_LT(5 * iterations(RFactor::adaptive), iterations(RFactor::global));
}

/// A body between two walls that nothing pushes may be held by forces of any size that balance each
/// other; a guess that holds it so must not make them last.
TEST(Auto, FindsNoImpulsesWhereNoneAreNeeded) {
  Matrix G(4, 4);
  G << 1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1;
  const ContactProblem problem = dense_problem(
      G, Vector::Zero(4), std::vector<Law>{Coulomb{.friction = 0.3}, Coulomb{.friction = 0.3}});
  Vector held(4);
  held << 2, 0.1, 2, -0.1;
  ASSERT_LT(residual(problem, held).absolute, 1e-15);
  Arena scratch;
  ContactSolution solution;
  solution.impulse = held;
  find_solver("auto").solve(problem, {}, scratch, solution);
  EXPECT_EQ(solution.status, SolverStatus::solved);
  EXPECT_EQ(solution.impulse.norm(), 0);
}

TEST(Auto, SaysWhichMethodOfItsChainGaveTheAnswer) {
  EXPECT_EQ(
      solve(find_solver("auto"), test::slider_crank_problem(0.3, Eigen::Vector4d(-1, 2, -1.1, 2)))
          .method,
      "modes");
  for (const test::NamedProblem& named : test::solvable_problems())
    if (named.name == "SpaceDiskSlippingObliquely") {
      EXPECT_EQ(solve(find_solver("auto"), named.problem).method, "newton");
    }
}

TEST(Auto, SolvesAProblemOfManyRowsBySweeps) {
  const int contacts = 250;  // a chain of masses, each touching the next
  Matrix W = Matrix::Zero(contacts, contacts);
  for (int i = 0; i < contacts; ++i) {
    W(i, i) = 1;
    if (i > 0) W(i - 1, i) = -1;
  }
  const std::vector<Law> laws(contacts, Unilateral{});
  const Vector u = Vector::LinSpaced(contacts, 0.001, 1)
                       .cwiseProduct(Vector::NullaryExpr(
                           contacts, [](Eigen::Index i) { return i % 3 == 0 ? -1.0 : 0.4; }));
  ContactProblem problem = dense_problem(W.transpose() * W, W.transpose() * u, laws);
  EXPECT_EQ(solve(find_solver("auto"), problem, {.tolerance = 1e-8}).status, SolverStatus::solved);
}

TEST(Existence, AgreesWithEnumeration) {
  EXPECT_EQ(test::decide_existence(painleve()).existence, test::Existence::exists);
  for (const test::NamedProblem& named : test::solvable_problems())
    EXPECT_EQ(test::decide_existence(named.problem).existence, test::Existence::exists)
        << named.name;
  for (const test::NamedProblem& named : test::unsolvable_problems()) {
    const test::Verdict verdict = test::decide_existence(named.problem);
    EXPECT_EQ(verdict.existence, test::Existence::none) << named.name;
    EXPECT_GT(verdict.margin, 0.01);
  }
}

}  // namespace
}  // namespace backlash
