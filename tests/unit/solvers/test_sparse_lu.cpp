// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/sparse_lu.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "support/random_problems.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Nodes of 0 to 3 unknowns on a grid, coupled to their neighbours in one direction at least.
struct RandomEquations {
  std::vector<Index> first{0};
  std::vector<int> neighbour, order, unknowns;

  RandomEquations(int width, int length, std::uint64_t seed) : random(seed) {
    const int n = width * length;
    order.resize(at(n));
    std::iota(order.begin(), order.end(), 0);
    for (int k = n - 1; k > 0; --k) std::swap(order[at(k)], order[at(random.integer(0, k))]);
    for (int i = 0; i < n; ++i) {
      if ((i + 1) % width != 0) neighbour.push_back(i + 1);
      if (i + width < n) neighbour.push_back(i + width);
      if (i % 3 == 0 && i >= width) neighbour.push_back(i - width);
      first.push_back(static_cast<Index>(neighbour.size()));
      unknowns.push_back(random.integer(0, 3));
    }
  }

  /// Fills both with the same numbers.
  void fill(SparseLU& sparse, Matrix& A) {
    const auto fill_block = [&](int i, int j) {
      if (unknowns[at(i)] == 0 || unknowns[at(j)] == 0) return;
      const SparseLU::Block block = sparse.block(i, j);
      for (int a = 0; a < unknowns[at(i)]; ++a)
        for (int b = 0; b < unknowns[at(j)]; ++b) {
          const double diagonal = i == j && a == b ? 12 : 0;
          A(sparse.place(i) + a, sparse.place(j) + b) = block(a, b) =
              diagonal + random.uniform(-1, 1);
        }
    };
    for (int j = 0; j < static_cast<int>(order.size()); ++j) {
      fill_block(j, j);
      for (Index e = first[at(j)]; e < first[at(j + 1)]; ++e) fill_block(neighbour[at(e)], j);
    }
  }

  test::Random random;
};

TEST(SparseLU, SolvesEquationsThatAreNotSymmetric) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomEquations equations(1 + static_cast<int>(seed), 12, seed);
    const auto& unknowns = equations.unknowns;
    const Index n = std::accumulate(unknowns.begin(), unknowns.end(), 0);
    Arena scratch;
    Arena::Frame frame(scratch);
    SparseLU sparse({equations.first, equations.neighbour}, equations.order, unknowns, frame);
    Matrix A = Matrix::Zero(n, n);
    equations.fill(sparse, A);
    Vector x(n);
    for (Index i = 0; i < n; ++i) x[i] = equations.random.uniform(-1, 1);
    const Vector expected = A.partialPivLu().solve(x);
    sparse.factor(Vector::Constant(n, 1e-10));
    sparse.solve(x);
    EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm()) << seed;
  }
}

TEST(SparseLU, TakesTheSmallestPivotWhereTheMatrixIsSingular) {
  const std::vector<Index> first{0, 0};
  const std::vector<int> order{0}, unknowns{2};
  Arena scratch;
  Arena::Frame frame(scratch);
  SparseLU sparse({first, {}}, order, unknowns, frame);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) sparse.block(0, 0)(i, j) = 1;
  sparse.factor(Vec2(1e-10, 1e-10));
  Vector x = Vec2(1, 1);
  sparse.solve(x);
  EXPECT_EQ(x[0] + x[1], 1);
}

TEST(SparseLU, HasNothingToSolveWithoutUnknowns) {
  const std::vector<Index> first{0, 1, 1};
  const std::vector<int> neighbour{1}, order{1, 0}, unknowns{0, 0};
  Arena scratch;
  Arena::Frame frame(scratch);
  SparseLU sparse({first, neighbour}, order, unknowns, frame);
  Vector x(0);
  sparse.factor(x);
  sparse.solve(x);
  EXPECT_EQ(x.size(), 0);
}

}  // namespace
}  // namespace backlash
