// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <variant>

#include <Eigen/SparseCore>

#include "backlash/base/arena.h"
#include "backlash/base/buffer.h"
#include "backlash/base/types.h"

/// The Delassus operator G = WᵀM⁻¹W [1/kg], which turns impulses into velocities of the same rows
/// (theory 2.5): as a matrix, or as its factors. Solvers see both through the functions below. They
/// meet in a "carrier": what impulses are scattered into, and velocities gathered from.
namespace backlash {

/// G as a matrix; its carrier is G Λ.
struct DenseDelassus {
  MatrixBuffer G;
};

/// G as its factors; its carrier is the generalised velocity M⁻¹ W Λ. For many bodies, where each
/// row acts on a few of them, this is much smaller than G.
struct BlockDelassus {
  Eigen::SparseMatrix<double> W;               ///< directions, one column a row of the problem
  Eigen::SparseMatrix<double> mass_inverse_W;  ///< M⁻¹ W
};

using Delassus = std::variant<DenseDelassus, BlockDelassus>;

/// From directions W (one column a row of the problem) and the diagonal blocks of M⁻¹, in order.
BlockDelassus block_delassus(Eigen::SparseMatrix<double> W,
                             std::span<const Matrix> inverse_mass_blocks);

Eigen::Index size(const Delassus& G);
Eigen::Index carrier_size(const Delassus& G);

/// carrier += what the impulses of the rows from `first` on bring about.
void scatter(const Delassus& G, Eigen::Index first, const VectorView& impulse, VectorRef carrier);

/// The velocities of the rows from `first` on that the carrier stands for.
void gather(const Delassus& G, Eigen::Index first, const VectorView& carrier, VectorRef velocity);

/// G_ij.
double entry(const DenseDelassus& G, Eigen::Index i, Eigen::Index j);
double entry(const BlockDelassus& G, Eigen::Index i, Eigen::Index j);
double entry(const Delassus& G, Eigen::Index i, Eigen::Index j);

/// velocity = G Λ.
void apply(const Delassus& G, const VectorView& impulse, Arena& scratch, VectorRef velocity);

/// G written out.
void write_dense(const Delassus& G, MatrixRef dense);

}  // namespace backlash
