// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/delassus.h"

#include <vector>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;

Index rows_of(const DenseDelassus& d) { return d.G.rows(); }
Index rows_of(const BlockDelassus& d) { return d.W.cols(); }

Index carrier_of(const DenseDelassus& d) { return d.G.rows(); }
Index carrier_of(const BlockDelassus& d) { return d.W.rows(); }

void scatter_to(const DenseDelassus& d, Index first, const VectorView& impulse, VectorRef carrier) {
  for (Index k = 0; k < impulse.size(); ++k)
    if (impulse[k] != 0) carrier += d.G.col(first + k) * impulse[k];
}
void scatter_to(const BlockDelassus& d, Index first, const VectorView& impulse, VectorRef carrier) {
  for (Index k = 0; k < impulse.size(); ++k)
    for (Sparse::InnerIterator it(d.mass_inverse_W, first + k); it; ++it)
      carrier[it.row()] += it.value() * impulse[k];
}

void gather_from(const DenseDelassus&, Index first, const VectorView& carrier, VectorRef velocity) {
  velocity = carrier.segment(first, velocity.size());
}
void gather_from(const BlockDelassus& d, Index first, const VectorView& carrier,
                 VectorRef velocity) {
  for (Index k = 0; k < velocity.size(); ++k) {
    double sum = 0;
    for (Sparse::InnerIterator it(d.W, first + k); it; ++it) sum += it.value() * carrier[it.row()];
    velocity[k] = sum;
  }
}

}  // namespace

BlockDelassus block_delassus(Sparse W, std::span<const Matrix> inverse_mass_blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  Index first = 0;
  for (const Matrix& block : inverse_mass_blocks) {
    require_size(block.cols(), block.rows(), "columns of a block of the inverse mass");
    for (Index j = 0; j < block.cols(); ++j)
      for (Index i = 0; i < block.rows(); ++i)
        entries.emplace_back(static_cast<int>(first + i), static_cast<int>(first + j), block(i, j));
    first += block.rows();
  }
  require_size(first, W.rows(), "the blocks of the inverse mass together");
  Sparse mass_inverse(first, first);
  mass_inverse.setFromTriplets(entries.begin(), entries.end());
  BlockDelassus result{.W = std::move(W), .mass_inverse_W = {}};
  result.mass_inverse_W = mass_inverse * result.W;
  result.W.makeCompressed();
  result.mass_inverse_W.makeCompressed();
  return result;
}

Index size(const Delassus& G) {
  return std::visit([](const auto& form) { return rows_of(form); }, G);
}

Index carrier_size(const Delassus& G) {
  return std::visit([](const auto& form) { return carrier_of(form); }, G);
}

void scatter(const Delassus& G, Index first, const VectorView& impulse, VectorRef carrier) {
  std::visit([&](const auto& form) { scatter_to(form, first, impulse, carrier); }, G);
}

void gather(const Delassus& G, Index first, const VectorView& carrier, VectorRef velocity) {
  std::visit([&](const auto& form) { gather_from(form, first, carrier, velocity); }, G);
}

double entry(const DenseDelassus& d, Index i, Index j) { return d.G(i, j); }
double entry(const BlockDelassus& d, Index i, Index j) {
  double sum = 0;
  Sparse::InnerIterator a(d.W, i), b(d.mass_inverse_W, j);
  while (a && b) {
    if (a.row() == b.row()) sum += a.value() * b.value();
    const Index row_a = a.row(), row_b = b.row();
    if (row_a <= row_b) ++a;
    if (row_b <= row_a) ++b;
  }
  return sum;
}

double entry(const Delassus& G, Index i, Index j) {
  return std::visit([&](const auto& form) { return entry(form, i, j); }, G);
}

void apply(const Delassus& G, const VectorView& impulse, Arena& scratch, VectorRef velocity) {
  Arena::Frame frame(scratch);
  VectorMap carrier = frame.vector(carrier_size(G));
  carrier.setZero();
  scatter(G, 0, impulse, carrier);
  gather(G, 0, carrier, velocity);
}

void write_dense(const Delassus& G, MatrixRef dense) {
  if (const auto* form = std::get_if<DenseDelassus>(&G)) {
    dense = form->G;
    return;
  }
  const auto& form = std::get<BlockDelassus>(G);
  for (Index j = 0; j < dense.cols(); ++j)
    for (Index i = 0; i <= j; ++i) dense(i, j) = dense(j, i) = entry(form, i, j);
}

}  // namespace backlash
