// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/shifted_delassus.h"

#include <algorithm>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Calls visit(v, w) for pairs of velocities that a row couples, v ≠ w, once for each v and w.
/// `rows` lists the rows of each velocity, `last` is room for one number per velocity.
template <class Visit>
void visit_coupled(const FactorRows& G, const Graph& rows, std::span<int> last, Visit visit) {
  std::fill(last.begin(), last.end(), -1);
  for (int v = 0; v < static_cast<int>(G.velocities); ++v) {
    last[static_cast<std::size_t>(v)] = v;
    for (const int row : rows.neighbours(v))
      for (std::size_t e = G.begin(row); e < G.end(row); ++e) {
        const int w = G.velocity[e];
        if (last[static_cast<std::size_t>(w)] == v) continue;
        last[static_cast<std::size_t>(w)] = v;
        visit(v, w);
      }
  }
}

/// For each velocity the rows that have it.
Graph rows_by_velocity(const FactorRows& G, Arena::Frame& frame) {
  const std::span<Index> first = frame.list<Index>(G.velocities + 2);
  std::fill(first.begin(), first.end(), 0);
  const auto rows = static_cast<Index>(G.first.size()) - 1;
  for (const int v : G.velocity) ++first[static_cast<std::size_t>(v) + 2];
  for (std::size_t v = 2; v < first.size(); ++v) first[v] += first[v - 1];
  const std::span<int> list = frame.list<int>(static_cast<Index>(G.velocity.size()));
  for (Index row = 0; row < rows; ++row)
    for (std::size_t e = G.begin(row); e < G.end(row); ++e)
      list[at(first[static_cast<std::size_t>(G.velocity[e]) + 1]++)] = static_cast<int>(row);
  return {first.first(at(G.velocities + 1)), list};
}

/// Velocities that share a row are neighbours.
Graph couple_velocities(const FactorRows& G, Arena::Frame& frame) {
  const Graph rows = rows_by_velocity(G, frame);
  const std::span<int> last = frame.list<int>(G.velocities);
  const std::span<Index> first = frame.list<Index>(G.velocities + 1);
  std::fill(first.begin(), first.end(), 0);
  visit_coupled(G, rows, last, [&](int v, int) { ++first[static_cast<std::size_t>(v) + 1]; });
  for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  const std::span<int> neighbour = frame.list<int>(first.back());
  std::size_t count = 0;
  visit_coupled(G, rows, last, [&](int, int w) { neighbour[count++] = w; });
  return {first, neighbour};
}

}  // namespace

ShiftedDelassus::ShiftedDelassus(const FactorRows& G, const VectorMap& scale, Arena& scratch,
                                 Arena::Frame& frame)
    : G_(G),
      scale_(scale),
      scratch_(scratch),
      place_(frame.list<Index>(G.velocities)),
      begin_(frame.list<Index>(G.velocities)),
      response_(frame.vector(G.velocities)),
      permuted_(frame.vector(G.velocities)),
      zeros_(frame.vector(G.velocities)) {
  zeros_.setZero();
  Arena::Frame inner(scratch);
  const Graph graph = couple_velocities(G, inner);
  const std::span<int> order = inner.list<int>(G.velocities);
  order_reverse_cuthill_mckee(graph, scratch, order);
  for (std::size_t k = 0; k < order.size(); ++k)
    place_[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
  for (std::size_t k = 0; k < order.size(); ++k) {
    begin_[k] = static_cast<Index>(k);
    for (const int w : graph.neighbours(order[k]))
      begin_[k] = std::min(begin_[k], place_[static_cast<std::size_t>(w)]);
  }
}

double ShiftedDelassus::skyline_size() const {
  double entries = 0;
  for (std::size_t k = 0; k < begin_.size(); ++k)
    entries += static_cast<double>(static_cast<Index>(k) - begin_[k]);
  return entries;
}

void ShiftedDelassus::assemble() {
  SkylineMatrix& matrix = *matrix_;
  for (Index k = 0; k < G_.velocities; ++k) matrix(k, k) = tau_;
  const auto rows = static_cast<Index>(G_.first.size()) - 1;
  for (Index row = 0; row < rows; ++row) {
    const double square = scale_[row] * scale_[row];
    if (square == 0) continue;
    for (std::size_t l = G_.begin(row); l < G_.end(row); ++l) {
      const double w = square * G_.W[l];
      if (w == 0) continue;
      const Index column = place_[static_cast<std::size_t>(G_.velocity[l])];
      for (std::size_t k = G_.begin(row); k < G_.end(row); ++k)
        matrix(place_[static_cast<std::size_t>(G_.velocity[k])], column) +=
            G_.mass_inverse_W[k] * w;
    }
  }
}

void ShiftedDelassus::factor(double tau) {
  tau_ = tau;
  matrix_.reset();
  factor_frame_.reset();
  factor_frame_.emplace(scratch_);
  matrix_.emplace(begin_, *factor_frame_);
  assemble();
  matrix_->factor(zeros_);
}

void ShiftedDelassus::solve(VectorMap& x) {
  response_.setZero();
  for (Index i = 0; i < x.size(); ++i)
    if (scale_[i] != 0) G_.scatter(i, scale_[i] * x[i], response_);
  for (Index v = 0; v < response_.size(); ++v) permuted_[place_[at(v)]] = response_[v];
  matrix_->solve(permuted_);
  for (Index v = 0; v < response_.size(); ++v) response_[v] = permuted_[place_[at(v)]];
  for (Index i = 0; i < x.size(); ++i) x[i] = (x[i] - scale_[i] * G_.gather(i, response_)) / tau_;
}

}  // namespace backlash
