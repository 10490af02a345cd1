// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/skyline.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace backlash {
namespace {

/// Breadth-first walks over the nodes of a graph that no walk has kept.
class BreadthFirst {
 public:
  BreadthFirst(const Graph& graph, Arena::Frame& frame)
      : graph_(graph), seen_(frame.list<int>(graph.size())) {
    std::fill(seen_.begin(), seen_.end(), 0);
  }

  bool kept(int node) const { return seen_[static_cast<std::size_t>(node)] == keep; }

  std::size_t degree(int node) const { return graph_.neighbours(node).size(); }

  /// Writes the nodes that can be reached from `start`, nearest first, and returns how many.
  std::size_t walk(int start, std::span<int> order) { return walk(start, ++walks_, order); }

  /// The same, and no later walk sees them.
  std::size_t walk_and_keep(int start, std::span<int> order) { return walk(start, keep, order); }

 private:
  static constexpr int keep = -1;

  std::size_t walk(int start, int mark, std::span<int> order) {
    std::size_t count = 0;
    const auto take = [&](int node) {
      seen_[static_cast<std::size_t>(node)] = mark;
      order[count++] = node;
    };
    take(start);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t first = count;
      for (const int node : graph_.neighbours(order[k])) {
        const int seen = seen_[static_cast<std::size_t>(node)];
        if (seen != mark && seen != keep) take(node);
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                order.begin() + static_cast<std::ptrdiff_t>(count), [&](int a, int b) {
                  const std::size_t degree_a = degree(a), degree_b = degree(b);
                  return degree_a != degree_b ? degree_a < degree_b : a < b;
                });
    }
    return count;
  }

  const Graph& graph_;
  std::span<int> seen_;  ///< the last walk that came by, or `keep`
  int walks_ = 0;
};

/// Σ a_i b_i, in four sums that do not wait for each other.
double dot(const double* a, const double* b, Eigen::Index n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Eigen::Index i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

void order_reverse_cuthill_mckee(const Graph& graph, Arena& scratch, std::span<int> order) {
  Arena::Frame frame(scratch);
  BreadthFirst nodes(graph, frame);
  const auto n = static_cast<int>(graph.size());
  std::size_t count = 0;
  for (int node = 0; node < n; ++node) {
    if (nodes.kept(node)) continue;
    const std::span<int> rest = order.subspan(count);
    int rim = node;  // the last node of a walk is far from its start; twice, and it is at the rim
    for (int k = 0; k < 2; ++k) rim = rest[nodes.walk(rim, rest) - 1];
    count += nodes.walk_and_keep(rim, rest);
  }
  std::reverse(order.begin(), order.end());
}

SkylineMatrix::SkylineMatrix(std::span<const Eigen::Index> begin, Arena::Frame& frame)
    : begin_(begin), offset_(frame.list<Eigen::Index>(static_cast<Eigen::Index>(begin.size()))) {
  const auto n = static_cast<Eigen::Index>(begin.size());
  Eigen::Index entries = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    offset_[at(i)] = entries - begin[at(i)];
    entries += i - begin[at(i)];
  }
  new (&diagonal_) VectorMap(frame.vector(n));
  new (&lower_) VectorMap(frame.vector(entries));
  new (&upper_) VectorMap(frame.vector(entries));
  diagonal_.setZero();
  lower_.setZero();
  upper_.setZero();
}

void SkylineMatrix::factor(const VectorView& smallest) {
  const auto n = static_cast<Eigen::Index>(begin_.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    double* const row = lower_.data() + offset_[at(i)];     // L_ij = row[j]
    double* const column = upper_.data() + offset_[at(i)];  // U_ji = column[j]
    const Eigen::Index begin = begin_[at(i)];
    for (Eigen::Index j = begin; j < i; ++j) {
      const Eigen::Index from = std::max(begin, begin_[at(j)]);
      const double* const row_j = lower_.data() + offset_[at(j)];
      const double* const column_j = upper_.data() + offset_[at(j)];
      column[j] -= dot(row_j + from, column + from, j - from);
      row[j] = (row[j] - dot(row + from, column_j + from, j - from)) / diagonal_[j];
    }
    double pivot = diagonal_[i] - dot(row + begin, column + begin, i - begin);
    if (!(std::abs(pivot) >= smallest[i])) pivot = std::copysign(smallest[i], pivot);
    diagonal_[i] = pivot;
  }
}

void SkylineMatrix::solve(VectorRef x) const {
  const auto n = static_cast<Eigen::Index>(begin_.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index begin = begin_[at(i)];
    x[i] -= dot(lower_.data() + offset_[at(i)] + begin, x.data() + begin, i - begin);
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    x[i] /= diagonal_[i];
    const double* const column = upper_.data() + offset_[at(i)];
    for (Eigen::Index j = begin_[at(i)]; j < i; ++j) x[j] -= column[j] * x[i];
  }
}

}  // namespace backlash
