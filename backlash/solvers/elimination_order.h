// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"

namespace backlash {

/// Lists of numbers one after the other: list i is entry[first[i]] … entry[first[i + 1] − 1]. As a
/// graph, the neighbours of node i; as cliques, the nodes that clique i couples with each other.
struct IndexLists {
  std::span<const Eigen::Index> first;
  std::span<const int> entry;

  Eigen::Index size() const { return static_cast<Eigen::Index>(first.size()) - 1; }
  std::span<const int> operator[](Eigen::Index i) const {
    return entry.subspan(at(first[at(i)]), at(first[at(i + 1)] - first[at(i)]));
  }
};

/// The order in which nodes are eliminated from linear equations with little fill: always one that
/// has few neighbours left, by an upper bound on their number [Amestoy, Davis, Duff 1996]. What is
/// coupled is given as cliques; a pair of nodes is one of two. Nodes that are eliminated one after
/// the other with the same neighbours lie next to each other, the children of the elimination tree
/// before their parent. Returns the pairs of nodes that fill couples, at most.
double order_minimum_degree(const IndexLists& cliques, Arena& scratch, std::span<int> order);

}  // namespace backlash
