// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/skyline.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "support/random_problems.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// The graph of an undirected set of edges.
struct EdgeGraph {
  std::vector<Index> first{0};
  std::vector<int> neighbour;

  EdgeGraph(int nodes, const std::vector<std::pair<int, int>>& edges) {
    for (int i = 0; i < nodes; ++i) {
      for (const auto& [a, b] : edges)
        if (a == i || b == i) neighbour.push_back(a == i ? b : a);
      first.push_back(static_cast<Index>(neighbour.size()));
    }
  }
};

/// The largest distance in the order between two neighbours.
int bandwidth(const std::vector<std::pair<int, int>>& edges, const std::vector<int>& order) {
  const auto place = [&](int node) {
    return static_cast<int>(std::find(order.begin(), order.end(), node) - order.begin());
  };
  int largest = 0;
  for (const auto& [a, b] : edges) largest = std::max(largest, std::abs(place(a) - place(b)));
  return largest;
}

std::vector<int> ordered(int nodes, const std::vector<std::pair<int, int>>& edges) {
  const EdgeGraph lists(nodes, edges);
  std::vector<int> order(static_cast<std::size_t>(nodes));
  Arena scratch;
  order_reverse_cuthill_mckee({lists.first, lists.neighbour}, scratch, order);
  return order;
}

TEST(ReverseCuthillMcKee, PutsAShuffledChainInLine) {
  constexpr int n = 30;  // 7 and 30 have no common divisor
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i + 1 < n; ++i) edges.emplace_back(7 * i % n, 7 * (i + 1) % n);
  EXPECT_EQ(bandwidth(edges, ordered(n, edges)), 1);
}

TEST(ReverseCuthillMcKee, KeepsTheBandOfAGridBelowItsDiagonal) {
  constexpr int width = 4, length = 20, n = width * length;
  const auto node = [](int i, int j) { return 37 * (i * width + j) % n; };
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < length; ++i)
    for (int j = 0; j < width; ++j) {
      if (i + 1 < length) edges.emplace_back(node(i, j), node(i + 1, j));
      if (j + 1 < width) edges.emplace_back(node(i, j), node(i, j + 1));
    }
  EXPECT_LE(bandwidth(edges, ordered(n, edges)), 2 * width);
}

TEST(ReverseCuthillMcKee, OrdersEveryNodeOnceWhereTheGraphFallsApart) {
  std::vector<int> order = ordered(7, {{0, 3}, {3, 5}, {1, 2}});  // 4 and 6 are alone
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(SkylineMatrix, SolvesEquationsThatAreNotSymmetric) {
  constexpr Index n = 40;
  test::Random random(5);
  std::vector<Index> begin(n);
  for (Index i = 0; i < n; ++i) begin[at(i)] = std::max<Index>(0, i - random.integer(0, 9));
  Arena scratch;
  Arena::Frame frame(scratch);
  SkylineMatrix skyline(begin, frame);
  Matrix A = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = begin[at(i)]; j < i; ++j) {
      skyline(i, j) = A(i, j) = random.uniform(-1, 1);
      skyline(j, i) = A(j, i) = random.uniform(-1, 1);
    }
    skyline(i, i) = A(i, i) = random.uniform(9, 12);
  }
  Vector x(n);
  for (Index i = 0; i < n; ++i) x[i] = random.uniform(-1, 1);
  const Vector expected = A.partialPivLu().solve(x);
  skyline.factor(Vector::Constant(n, 1e-10));
  skyline.solve(x);
  EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm());
}

TEST(SkylineMatrix, TakesTheSmallestPivotWhereTheMatrixIsSingular) {
  const std::vector<Index> begin{0, 0};
  Arena scratch;
  Arena::Frame frame(scratch);
  SkylineMatrix skyline(begin, frame);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 2; ++j) skyline(i, j) = 1;
  skyline.factor(Vec2(1e-10, 1e-10));
  Vector x = Vec2(1, 1);
  skyline.solve(x);
  EXPECT_EQ(x[0] + x[1], 1);
}

}  // namespace
}  // namespace backlash
