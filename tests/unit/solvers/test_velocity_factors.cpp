// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/velocity_factors.h"

#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "support/sparse_problems.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Weights of the rows of all contacts, and the same as a matrix.
struct Weights {
  std::vector<RowWeights> contacts;
  Matrix H;

  explicit Weights(const ContactProblem& problem) {
    const Index n = problem.free_velocity.size();
    H = Matrix::Zero(n, n);
    for (const LawBlock& block : problem.blocks) {
      RowWeights weights;
      weights.rows = static_cast<int>(rows(block.law));
      for (int i = 0; i < weights.rows; ++i) {
        weights.row[i] = block.first + i;
        for (int j = 0; j < weights.rows; ++j)
          H(block.first + i, block.first + j) = weights.H[i][j] =
              i == j ? 0.4 + 0.1 * static_cast<double>(block.first % 3) : 0.1;
      }
      contacts.push_back(weights);
    }
  }
};

/// Wᵀ(τ + M⁻¹W H Wᵀ)⁻¹M⁻¹W y is (τ + G H)⁻¹G y of the matrix written out (theory 5.17).
TEST(VelocityFactors, SolveWhatTheMatrixSolves) {
  const ContactProblem problems[] = {test::chain_problem(40, 3), test::disc_pile(6, 6, 3),
                                     test::box_towers(4, 5, 3), test::ball_pile(3, 3, 3)};
  for (const ContactProblem& sparse : problems) {
    const ContactProblem dense = test::with_matrix(sparse);
    const Index n = sparse.free_velocity.size();
    const Matrix& G = std::get<DenseDelassus>(dense.delassus).G;
    const Weights weights(sparse);
    Vector y(n);
    for (Index i = 0; i < n; ++i) y[i] = static_cast<double>(i % 7) - 3;
    const Matrix matrix = 0.2 * Matrix::Identity(n, n) + G * weights.H;
    const Vector expected = matrix.partialPivLu().solve(G * y);
    for (const ContactProblem* problem : {&sparse, &dense}) {
      Arena scratch;
      Arena::Frame frame(scratch);
      const FactorRows rows = factor_rows(problem->delassus, frame);
      VelocityFactors factors(rows, list_contacts(*problem, frame), scratch, frame);
      factors.factor(0.2, weights.contacts);
      VectorMap response = frame.vector(rows.velocities);
      response.setZero();
      for (Index i = 0; i < n; ++i) rows.scatter(i, y[i], response);
      factors.solve(response);
      Vector x(n);
      for (Index i = 0; i < n; ++i) x[i] = rows.gather(i, response);
      EXPECT_LT((x - expected).norm(), 1e-10 * expected.norm());
    }
  }
}

}  // namespace
}  // namespace backlash
