// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "backlash/base/arena.h"
#include "backlash/solvers/factor_rows.h"
#include "backlash/solvers/sparse_lu.h"

namespace backlash {

/// H of the rows of one contact: symmetric, 1/H in the unit of G.
struct RowWeights {
  int rows = 0;
  Eigen::Index row[3] = {};
  double H[3][3] = {};
};

/// τ + M⁻¹W H Wᵀ with an H that couples the rows of each contact alone, factored over the
/// velocities that G's factors meet in: those of the bodies, however many contacts there are; of a
/// matrix its rows (theory 5.17).
class VelocityFactors {
 public:
  /// G lives as long as frame and scratch.
  VelocityFactors(const FactorRows& G, std::span<const Contact> contacts, Arena& scratch,
                  Arena::Frame& frame);

  /// Entries that the factors have, at most.
  double most_entries() const { return most_entries_; }

  /// Of rows of the contacts.
  void factor(double tau, std::span<const RowWeights> weights);

  /// v = (τ + M⁻¹W H Wᵀ)⁻¹ v, over velocities.
  void solve(VectorMap& v);

 private:
  Eigen::Index find_nodes(const IndexLists& entries, std::span<const int> contact);
  Eigen::Index end_of_node(Eigen::Index e, Eigen::Index end) const;
  void add_product(Eigen::Index to_row, Eigen::Index from_row, double weight);

  const FactorRows& G_;
  Arena& scratch_;
  std::span<int> node_;           ///< of each velocity: those of a body are one
  std::span<int> first_, sizes_;  ///< of each node: its first velocity, and how many
  std::span<int> order_;          ///< of the nodes in the factors
  VectorMap permuted_, zeros_;    ///< over velocities; the latter: no smallest pivot
  IndexLists graph_;              ///< of the nodes
  double most_entries_ = 0;
  std::optional<Arena::Frame> factor_frame_;
  std::optional<SparseLU> matrix_;
};

}  // namespace backlash
