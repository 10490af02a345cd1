// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <variant>
#include <vector>

#include <Eigen/SparseCore>

#include "backlash/base/arena.h"
#include "backlash/base/buffer.h"
#include "backlash/base/types.h"

/// The Delassus operator G = WᵀM⁻¹W [1/kg], which turns impulses into velocities of the same rows
/// (theory 2.5): as a matrix, or as its factors. Solvers see both through the functions below. They
/// meet in a "response": what impulses are scattered into, and velocities gathered from.
namespace backlash {

/// G as a matrix; its response is G Λ.
struct DenseDelassus {
  MatrixBuffer G;
};

/// G as its factors; its response is the generalised velocity M⁻¹ W Λ. For many bodies, where each
/// row acts on a few of them, this is much smaller than G. Rows lie one after the other, both
/// factors over the same velocities; an object that is refilled keeps its memory.
struct BlockDelassus {
  Eigen::Index velocities = 0;            ///< of all bodies together
  std::vector<Eigen::Index> first = {0};  ///< row i has the entries first[i] … first[i + 1] − 1
  std::vector<int> velocity;              ///< that the entry acts on, ascending within a row
  std::vector<double> W;                  ///< directions
  std::vector<double> mass_inverse_W;     ///< M⁻¹ W

  Eigen::Index rows() const { return static_cast<Eigen::Index>(first.size()) - 1; }
};

using Delassus = std::variant<DenseDelassus, BlockDelassus>;

/// No rows, over so many velocities.
void clear(BlockDelassus& G, Eigen::Index velocities);

/// Add an entry to the row that end_row() will end. Velocities ascend within a row.
inline void append_entry(BlockDelassus& G, int velocity, double W, double mass_inverse_W) {
  G.velocity.push_back(velocity);
  G.W.push_back(W);
  G.mass_inverse_W.push_back(mass_inverse_W);
}
inline void end_row(BlockDelassus& G) {
  G.first.push_back(static_cast<Eigen::Index>(G.velocity.size()));
}

/// From directions W (one column per row of the problem) and the diagonal blocks of M⁻¹, in order.
BlockDelassus block_delassus(const Eigen::SparseMatrix<double>& W,
                             std::span<const Matrix> inverse_mass_blocks);

/// A sparse matrix is what factors are if the directions are unit vectors, G = 1ᵀ G.
BlockDelassus block_delassus(const Eigen::SparseMatrix<double>& G);

Eigen::Index size(const Delassus& G);
Eigen::Index response_size(const Delassus& G);

/// response += what the impulses of the rows from `first` on bring about.
void scatter(const Delassus& G, Eigen::Index first, const VectorView& impulse, VectorRef response);

/// The velocities of the rows from `first` on that the response stands for.
void gather(const Delassus& G, Eigen::Index first, const VectorView& response, VectorRef velocity);

/// G_ij.
double entry(const DenseDelassus& G, Eigen::Index i, Eigen::Index j);
double entry(const BlockDelassus& G, Eigen::Index i, Eigen::Index j);
double entry(const Delassus& G, Eigen::Index i, Eigen::Index j);

/// velocity = G Λ.
void apply(const Delassus& G, const VectorView& impulse, Arena& scratch, VectorRef velocity);

/// G written out as it is given, symmetric or not.
void write_dense(const Delassus& G, MatrixRef dense);

}  // namespace backlash
