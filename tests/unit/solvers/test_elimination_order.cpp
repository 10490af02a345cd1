// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_problems.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Cliques = std::vector<std::vector<int>>;

struct Ordered {
  std::vector<int> order;
  double pairs;  ///< as the function returns them
};

Ordered ordered(int nodes, const Cliques& cliques) {
  std::vector<Index> first{0};
  std::vector<int> member;
  for (const std::vector<int>& clique : cliques) {
    member.insert(member.end(), clique.begin(), clique.end());
    first.push_back(static_cast<Index>(member.size()));
  }
  Ordered result{std::vector<int>(static_cast<std::size_t>(nodes)), 0};
  Arena scratch;
  result.pairs = order_minimum_degree({first, member}, scratch, result.order);
  return result;
}

/// Pairs of nodes that are coupled when the nodes are eliminated in that order, each with itself.
double pairs_of_elimination(const Cliques& cliques, const std::vector<int>& order) {
  std::vector<std::set<int>> neighbours(order.size());
  for (const std::vector<int>& clique : cliques)
    for (const int a : clique)
      for (const int b : clique)
        if (a != b) neighbours[at(a)].insert(b);
  std::size_t pairs = 0;
  for (const int node : order) {
    const std::set<int> left = neighbours[at(node)];
    pairs += left.size() + 1;
    for (const int a : left) {
      neighbours[at(a)].insert(left.begin(), left.end());
      neighbours[at(a)].erase(node);
      neighbours[at(a)].erase(a);
    }
  }
  return static_cast<double>(pairs);
}

Cliques grid_edges(int width, int length) {
  const int n = width * length;
  const auto node = [&](int i, int j) { return 37 * (i * width + j) % n; };  // shuffled
  Cliques edges;
  for (int i = 0; i < length; ++i)
    for (int j = 0; j < width; ++j) {
      if (i + 1 < length) edges.push_back({node(i, j), node(i + 1, j)});
      if (j + 1 < width) edges.push_back({node(i, j), node(i, j + 1)});
    }
  return edges;
}

TEST(MinimumDegree, EliminatesATreeWithoutFill) {
  Cliques edges;
  for (int i = 1; i < 50; ++i) edges.push_back({i, (i - 1) / 3});
  const Ordered result = ordered(50, edges);
  EXPECT_EQ(pairs_of_elimination(edges, result.order), 50 + 49);
  EXPECT_EQ(result.pairs, 50 + 49);
}

TEST(MinimumDegree, EliminatesChainsOfCliquesWithoutFill) {
  Cliques cliques;  // bodies in a row: each couples its contacts with both neighbours
  for (int body = 0; body < 20; ++body)
    cliques.push_back({2 * body, 2 * body + 1, 2 * body + 2, 2 * body + 3});
  const Ordered result = ordered(42, cliques);
  EXPECT_EQ(pairs_of_elimination(cliques, result.order), 42 + 21 + 20 * 4);
}

TEST(MinimumDegree, FillsAGridLessThanABandDoes) {
  constexpr int width = 40;
  const Cliques edges = grid_edges(width, width);
  const Ordered result = ordered(width * width, edges);
  const double pairs = pairs_of_elimination(edges, result.order);
  EXPECT_LT(pairs, 0.5 * width * width * width);                   // the band's
  EXPECT_LT(pairs, 4 * width * width * std::log2(width * width));  // of nested dissection
  EXPECT_NEAR(result.pairs, pairs, 0.02 * pairs);
}

TEST(MinimumDegree, OrdersEveryNodeOnceWhereTheGraphFallsApart) {
  std::vector<int> order = ordered(7, {{0, 3}, {3, 5}, {1, 2}}).order;  // 4 and 6 are alone
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(MinimumDegree, OrdersEveryNodeOnceInRandomGraphs) {
  test::Random random(3);
  for (int k = 0; k < 50; ++k) {
    const int n = random.integer(1, 60);
    Cliques cliques(static_cast<std::size_t>(random.integer(0, 80)));
    for (std::vector<int>& clique : cliques) {
      std::set<int> members;
      for (int size = random.integer(1, 6); size > 0; --size)
        members.insert(random.integer(0, n - 1));
      clique.assign(members.begin(), members.end());
    }
    Ordered result = ordered(n, cliques);
    EXPECT_GE(1.3 * result.pairs, pairs_of_elimination(cliques, result.order)) << k;
    std::sort(result.order.begin(), result.order.end());
    for (int i = 0; i < n; ++i) ASSERT_EQ(result.order[at(i)], i) << k;
  }
}

}  // namespace
}  // namespace backlash
