// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/delassus.h"

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

Index rows_of(const DenseDelassus& d) { return d.G.rows(); }
Index rows_of(const BlockDelassus& d) { return d.rows(); }

Index response_of(const DenseDelassus& d) { return d.G.rows(); }
Index response_of(const BlockDelassus& d) { return d.velocities; }

void scatter_to(const DenseDelassus& d, Index first, const VectorView& impulse,
                VectorRef response) {
  for (Index k = 0; k < impulse.size(); ++k)
    if (impulse[k] != 0) response += d.G.col(first + k) * impulse[k];
}
void scatter_to(const BlockDelassus& d, Index first, const VectorView& impulse,
                VectorRef response) {
  for (Index k = 0; k < impulse.size(); ++k)
    for (Index e = d.first[at(first + k)]; e < d.first[at(first + k + 1)]; ++e)
      response[d.velocity[at(e)]] += d.mass_inverse_W[at(e)] * impulse[k];
}

void gather_from(const DenseDelassus&, Index first, const VectorView& response,
                 VectorRef velocity) {
  velocity = response.segment(first, velocity.size());
}
void gather_from(const BlockDelassus& d, Index first, const VectorView& response,
                 VectorRef velocity) {
  for (Index k = 0; k < velocity.size(); ++k) {
    double sum = 0;
    for (Index e = d.first[at(first + k)]; e < d.first[at(first + k + 1)]; ++e)
      sum += d.W[at(e)] * response[d.velocity[at(e)]];
    velocity[k] = sum;
  }
}

Sparse block_diagonal(std::span<const Matrix> blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  Index first = 0;
  for (const Matrix& block : blocks) {
    require_size(block.cols(), block.rows(), "columns of a block of the inverse mass");
    require_finite(block, "inverse mass");
    for (Index j = 0; j < block.cols(); ++j)
      for (Index i = 0; i < block.rows(); ++i)
        entries.emplace_back(static_cast<int>(first + i), static_cast<int>(first + j), block(i, j));
    first += block.rows();
  }
  Sparse matrix(first, first);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Columns of both as rows, over the union of their patterns.
BlockDelassus merged(const Sparse& W, const Sparse& mass_inverse_W) {
  BlockDelassus result;
  clear(result, W.rows());
  for (Index j = 0; j < W.cols(); ++j) {
    Sparse::InnerIterator a(W, j), b(mass_inverse_W, j);
    while (a || b) {
      const Index row = !b || (a && a.row() < b.row()) ? a.row() : b.row();
      const bool in_a = a && a.row() == row, in_b = b && b.row() == row;
      append_entry(result, static_cast<int>(row), in_a ? a.value() : 0, in_b ? b.value() : 0);
      if (in_a) ++a;
      if (in_b) ++b;
    }
    end_row(result);
  }
  return result;
}

}  // namespace

void clear(BlockDelassus& G, Index velocities) {
  G.velocities = velocities;
  G.first.assign(1, 0);
  G.velocity.clear();
  G.W.clear();
  G.mass_inverse_W.clear();
}

BlockDelassus block_delassus(const Sparse& W, std::span<const Matrix> inverse_mass_blocks) {
  const Sparse mass_inverse = block_diagonal(inverse_mass_blocks);
  require_size(mass_inverse.rows(), W.rows(), "the blocks of the inverse mass together");
  const Sparse mass_inverse_W = mass_inverse * W;
  return merged(W, mass_inverse_W);
}

BlockDelassus block_delassus(const Sparse& G) {
  Sparse identity(G.rows(), G.cols());
  identity.setIdentity();
  return merged(identity, G);
}

Index size(const Delassus& G) {
  return std::visit([](const auto& form) { return rows_of(form); }, G);
}

Index response_size(const Delassus& G) {
  return std::visit([](const auto& form) { return response_of(form); }, G);
}

void scatter(const Delassus& G, Index first, const VectorView& impulse, VectorRef response) {
  std::visit([&](const auto& form) { scatter_to(form, first, impulse, response); }, G);
}

void gather(const Delassus& G, Index first, const VectorView& response, VectorRef velocity) {
  std::visit([&](const auto& form) { gather_from(form, first, response, velocity); }, G);
}

double entry(const DenseDelassus& d, Index i, Index j) { return d.G(i, j); }
double entry(const BlockDelassus& d, Index i, Index j) {
  double sum = 0;
  Index a = d.first[at(i)], b = d.first[at(j)];
  while (a < d.first[at(i + 1)] && b < d.first[at(j + 1)]) {
    const int velocity_a = d.velocity[at(a)], velocity_b = d.velocity[at(b)];
    if (velocity_a == velocity_b) sum += d.W[at(a)] * d.mass_inverse_W[at(b)];
    if (velocity_a <= velocity_b) ++a;
    if (velocity_b <= velocity_a) ++b;
  }
  return sum;
}

double entry(const Delassus& G, Index i, Index j) {
  return std::visit([&](const auto& form) { return entry(form, i, j); }, G);
}

void apply(const Delassus& G, const VectorView& impulse, Arena& scratch, VectorRef velocity) {
  Arena::Frame frame(scratch);
  VectorMap response = frame.vector(response_size(G));
  response.setZero();
  scatter(G, 0, impulse, response);
  gather(G, 0, response, velocity);
}

void write_dense(const Delassus& G, MatrixRef dense) {
  if (const auto* form = std::get_if<DenseDelassus>(&G)) {
    dense = form->G;
    return;
  }
  const auto& form = std::get<BlockDelassus>(G);
  for (Index j = 0; j < dense.cols(); ++j)
    for (Index i = 0; i < dense.rows(); ++i) dense(i, j) = entry(form, i, j);
}

}  // namespace backlash
