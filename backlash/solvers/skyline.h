// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"

/// Linear equations whose unknowns are coupled to a few others each, solved without pivoting in an
/// order that keeps neighbours near each other.
namespace backlash {

/// Who is coupled to whom: node i to neighbour[first[i]] … neighbour[first[i + 1] − 1].
struct Graph {
  std::span<const Eigen::Index> first;
  std::span<const int> neighbour;

  Eigen::Index size() const { return static_cast<Eigen::Index>(first.size()) - 1; }
  std::span<const int> neighbours(int node) const {
    const std::size_t i = static_cast<std::size_t>(node);
    return neighbour.subspan(at(first[i]), at(first[i + 1] - first[i]));
  }
};

/// The nodes in reverse Cuthill–McKee order: breadth first from a node at the rim of the graph,
/// neighbours of few before neighbours of many, and all of it backwards [Cuthill, McKee 1969].
void order_reverse_cuthill_mckee(const Graph& graph, Arena& scratch, std::span<int> order);

/// A square matrix A whose row i left of the diagonal and column i above it begin at the same
/// index; all before is zero, and stays so in its factors L and U.
class SkylineMatrix {
 public:
  /// `begin` of each row, at most its own index. All entries are zero.
  SkylineMatrix(std::span<const Eigen::Index> begin, Arena::Frame& frame);

  double& operator()(Eigen::Index i, Eigen::Index j) {
    if (i == j) return diagonal_[i];
    return i > j ? lower_[offset_[at(i)] + j] : upper_[offset_[at(j)] + i];
  }

  /// A = L U. A pivot that is smaller than `smallest` of its row becomes that, with its sign.
  void factor(const VectorView& smallest);

  /// x = A⁻¹ x with the factors.
  void solve(VectorRef x) const;

 private:
  std::span<const Eigen::Index> begin_;
  std::span<Eigen::Index> offset_;  ///< entry (i, j) of L, (j, i) of U: offset_[i] + j
  VectorMap diagonal_{nullptr, 0};
  VectorMap lower_{nullptr, 0}, upper_{nullptr, 0};
};

}  // namespace backlash
