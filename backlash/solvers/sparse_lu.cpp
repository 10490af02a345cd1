// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/sparse_lu.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// y −= Σ_k a_k x_k over columns x_k, four at a time.
void subtract(const double* x, Index stride, const double* a, Index a_stride, int columns, int n,
              double* y) {
  using Column = Eigen::Map<const Eigen::ArrayXd>;
  if (n == 0) return;
  Eigen::Map<Eigen::ArrayXd> sum(y, n);
  int k = 0;
  for (; k + 4 <= columns; k += 4, x += 4 * stride, a += 4 * a_stride)
    sum -=
        (a[0] * Column(x, n) + a[a_stride] * Column(x + stride, n)) +
        (a[2 * a_stride] * Column(x + 2 * stride, n) + a[3 * a_stride] * Column(x + 3 * stride, n));
  for (; k < columns; ++k, x += stride, a += a_stride) sum -= a[0] * Column(x, n);
}

/// y_c = Σ_k a_kc x_k for C columns y_c, where a_kc = a[k a_stride + c].
template <int C>
void multiply(const double* x, Index stride, const double* a, Index a_stride, int columns, int n,
              double* y) {
  using Four = Eigen::Array4d;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Four sum[C];
    for (int c = 0; c < C; ++c) sum[c].setZero();
    for (int k = 0; k < columns; ++k) {
      const Four part = Eigen::Map<const Four>(x + k * stride + i);
      for (int c = 0; c < C; ++c) sum[c] += a[k * a_stride + c] * part;
    }
    for (int c = 0; c < C; ++c) Eigen::Map<Four>(y + c * n + i) = sum[c];
  }
  for (; i < n; ++i)
    for (int c = 0; c < C; ++c) {
      double sum = 0;
      for (int k = 0; k < columns; ++k) sum += a[k * a_stride + c] * x[k * stride + i];
      y[c * n + i] = sum;
    }
}

}  // namespace

SparseLU::SparseLU(const IndexLists& graph, std::span<const int> order,
                   std::span<const int> unknowns, Arena::Frame& frame) {
  number_nodes(order, unknowns, frame);
  find_panels(later_neighbours(graph, order, frame), frame);
  take_memory(frame);
}

void SparseLU::number_nodes(std::span<const int> order, std::span<const int> unknowns,
                            Arena::Frame& frame) {
  position_ = frame.list<int>(static_cast<Index>(order.size()));
  const std::span<Index> place = frame.list<Index>(static_cast<Index>(order.size()) + 1);
  place[0] = 0;
  int count = 0;
  for (const int node : order) {
    position_[at(node)] = unknowns[at(node)] > 0 ? count : -1;
    if (unknowns[at(node)] == 0) continue;
    place[at(count + 1)] = place[at(count)] + unknowns[at(node)];
    ++count;
  }
  place_ = place.first(at(count + 1));
}

/// Of each position those of its neighbours that come later; some of them twice.
IndexLists SparseLU::later_neighbours(const IndexLists& graph, std::span<const int> order,
                                      Arena::Frame& frame) const {
  const auto n = static_cast<Index>(place_.size()) - 1;
  const std::span<Index> first = frame.list<Index>(n + 2);
  std::fill(first.begin(), first.end(), 0);
  const auto visit_pairs = [&](auto visit) {
    for (const int node : order) {
      const int i = position_[at(node)];
      if (i < 0) continue;
      for (const int other : graph[node])
        if (const int j = position_[at(other)]; j >= 0 && j != i)
          visit(at(std::min(i, j)), std::max(i, j));
    }
  };
  visit_pairs([&](std::size_t i, int) { ++first[i + 2]; });
  for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  const std::span<int> list = frame.list<int>(first.back());
  visit_pairs([&](std::size_t i, int j) { list[at(first[i + 1]++)] = j; });
  return {first.first(at(n + 1)), list};
}

/// Whether a node may join the panel before it, whose first node below it is: it adds few zeros.
bool SparseLU::worth_merging(const Panel& panel, std::size_t below) const {
  constexpr int widest = 48;               // unknowns
  constexpr double most_zeros = 0.2;       // of the panel's entries
  constexpr std::size_t always_small = 6;  // nodes
  const auto columns = static_cast<std::size_t>(panel.last - panel.first);
  if (place_[at(panel.last + 1)] - place_[at(panel.first)] > widest) return false;
  if (columns + below <= always_small) return true;
  const auto zeros = static_cast<double>((below + 1 - panel.below.size()) * columns);
  return zeros <= most_zeros * static_cast<double>(columns * (columns + below));
}

void SparseLU::find_panels(const IndexLists& later, Arena::Frame& frame) {
  const auto n = static_cast<int>(later.size());
  panels_ = frame.list<Panel>(n);
  panel_of_ = frame.list<int>(n);
  const std::span<int> mark = frame.list<int>(n), child = frame.list<int>(n),
                       buffer = frame.list<int>(n);
  std::fill(mark.begin(), mark.end(), -1);
  std::fill(child.begin(), child.end(), -1);
  int count = 0;
  for (int j = 0; j < n; ++j) {
    std::size_t size = 0;
    const auto add = [&](int i) {
      if (i <= j || mark[at(i)] == j) return;
      mark[at(i)] = j;
      buffer[size++] = i;
    };
    for (const int i : later[j]) add(i);
    for (int c = child[at(j)]; c >= 0; c = panels_[at(c)].next_child)
      for (const int i : panels_[at(c)].below) add(i);
    std::sort(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
    const bool joins = count > 0 && !panels_[at(count - 1)].below.empty() &&
                       panels_[at(count - 1)].below.front() == j &&
                       worth_merging(panels_[at(count - 1)], size);
    if (!joins) {
      panels_[at(count++)] = Panel{};
      panels_[at(count - 1)].first = j;
    }
    Panel& panel = panels_[at(count - 1)];
    panel.last = j + 1;
    panel.below = frame.list<int>(static_cast<Index>(size));
    std::copy_n(buffer.begin(), size, panel.below.begin());
    panel_of_[at(j)] = count - 1;
    if (size == 0) continue;
    panel.next_child = child[at(buffer[0])];
    child[at(buffer[0])] = count - 1;
  }
  panels_ = panels_.first(at(count));
}

void SparseLU::take_memory(Arena::Frame& frame) {
  Index entries = 0;
  int most_rows = 0;
  for (Panel& panel : panels_) {
    panel.width = static_cast<int>(place_[at(panel.last)] - place_[at(panel.first)]);
    panel.offset = frame.list<int>(static_cast<Index>(panel.below.size()));
    panel.height = 0;
    for (std::size_t k = 0; k < panel.below.size(); ++k) {
      panel.offset[k] = panel.width + panel.height;
      panel.height += unknowns(panel.below[k]);
    }
    entries += static_cast<Index>(panel.width) * (panel.rows() + panel.height);
    most_rows = std::max(most_rows, panel.rows());
  }
  const std::span<double> memory = frame.list<double>(entries);
  std::fill(memory.begin(), memory.end(), 0.0);
  double* next = memory.data();
  for (Panel& panel : panels_) {
    panel.lower = next;
    panel.upper = next + static_cast<Index>(panel.width) * panel.rows();
    next = panel.upper + static_cast<Index>(panel.width) * panel.height;
  }
  product_ = frame.list<double>(4 * most_rows);
  target_ = frame.list<int>(most_rows);
}

/// Calls visit(i, place) for row i below a panel and its place in x.
template <class Visit>
void SparseLU::visit_below(const Panel& panel, Visit visit) const {
  int i = 0;
  for (const int position : panel.below)
    for (Index place = place_[at(position)]; place < place_[at(position + 1)]; ++place)
      visit(i++, place);
}

/// Of a node of the panel or below it.
int SparseLU::row_in(const Panel& panel, int position) const {
  if (position < panel.last)
    return static_cast<int>(place_[at(position)] - place_[at(panel.first)]);
  const auto found = std::lower_bound(panel.below.begin(), panel.below.end(), position);
  return panel.offset[static_cast<std::size_t>(found - panel.below.begin())];
}

SparseLU::Block SparseLU::block(int row, int column) {
  const int i = position_[at(row)], j = position_[at(column)];
  const Panel& panel = panels_[at(panel_of_[at(std::min(i, j))])];
  const Index rows = panel.rows(), height = panel.height;
  if (j >= panel.last)
    return {panel.upper + (row_in(panel, j) - panel.width) + row_in(panel, i) * height, height, 1};
  return {panel.lower + row_in(panel, i) + row_in(panel, j) * rows, 1, rows};
}

/// x = L⁻¹ x with the first columns of the panel.
void SparseLU::solve_lower(const Panel& panel, int columns, double* x) const {
  for (int k = 0; k + 1 < columns; ++k) {
    const double* const column = panel.lower + static_cast<Index>(k) * panel.rows();
    for (int i = k + 1; i < columns; ++i) x[i] -= column[i] * x[k];
  }
}

/// L and U of the panel's columns and rows, one after the other.
void SparseLU::factor_columns(const Panel& panel, const VectorView& smallest) {
  const Index rows = panel.rows(), height = panel.height;
  const Index first = place_[at(panel.first)];
  for (int k = 0; k < panel.width; ++k) {
    double* const column = panel.lower + k * rows;
    solve_lower(panel, k, column);  // U above the diagonal
    subtract(panel.lower + k, rows, column, 1, k, static_cast<int>(rows) - k, column + k);
    double& pivot = column[k];
    if (!(std::abs(pivot) >= smallest[first + k]))
      pivot = std::copysign(smallest[first + k], pivot);
    const double inverse = 1 / pivot;
    for (Index i = k + 1; i < rows; ++i) column[i] *= inverse;
    subtract(panel.upper, height, panel.lower + k, rows, k, static_cast<int>(height),
             panel.upper + k * height);
  }
}

/// Subtracts L U of what is below the panel from the later panels that hold it.
void SparseLU::update_later(const Panel& panel) {
  const Index rows = panel.rows(), height = panel.height;
  const double* const lower = panel.lower + panel.width;  // rows below
  for (std::size_t k = 0; k < panel.below.size();) {
    const Panel& later = panels_[at(panel_of_[at(panel.below[k])])];
    const int begin = panel.offset[k] - panel.width;
    std::size_t end = k;  // of the nodes below that are columns of the later panel
    int filled = begin;
    const auto map_rows = [&](int row, int count) {
      for (int a = 0; a < count; ++a) target_[at(filled++)] = row + a;
    };
    for (; end < panel.below.size() && panel.below[end] < later.last; ++end)
      map_rows(row_in(later, panel.below[end]), unknowns(panel.below[end]));
    const int columns_end = filled;
    for (std::size_t l = end, m = 0; l < panel.below.size(); ++l) {
      while (later.below[m] != panel.below[l]) ++m;
      map_rows(later.offset[m], unknowns(panel.below[l]));
    }
    // Products of rows from `from` on with those of the later panel's nodes, subtracted from the
    // later panel's columns.
    const auto subtract_product = [&](const double* x, Index stride, const double* a,
                                      Index a_stride, int from, double* to, Index to_stride) {
      const int n = static_cast<int>(height) - from;
      for (int c = begin; c < columns_end;) {
        const int count = columns_end - c >= 4 ? 4 : 1;
        const auto product = count == 4 ? multiply<4> : multiply<1>;
        product(x + from, stride, a + c, a_stride, panel.width, n, product_.data());
        for (int b = 0; b < count; ++b, ++c) {
          double* const column = to + target_[at(c)] * to_stride;
          for (int i = 0; i < n; ++i) column[target_[at(from + i)]] -= product_[at(b * n + i)];
        }
      }
    };
    subtract_product(lower, rows, panel.upper, height, begin, later.lower, later.rows());
    subtract_product(panel.upper, height, lower, rows, columns_end, later.upper - later.width,
                     later.height);
    k = end;
  }
}

void SparseLU::factor(const VectorView& smallest) {
  for (const Panel& panel : panels_) {
    factor_columns(panel, smallest);
    update_later(panel);
  }
}

void SparseLU::solve(VectorRef x) const {
  for (const Panel& panel : panels_) {
    double* const own = x.data() + place_[at(panel.first)];
    const Index rows = panel.rows();
    solve_lower(panel, panel.width, own);
    std::fill_n(product_.begin(), panel.height, 0.0);
    subtract(panel.lower + panel.width, rows, own, 1, panel.width, panel.height, product_.data());
    visit_below(panel, [&](int i, Index place) { x[place] += product_[at(i)]; });
  }
  for (std::size_t p = panels_.size(); p-- > 0;) {
    const Panel& panel = panels_[p];
    double* const own = x.data() + place_[at(panel.first)];
    const Index rows = panel.rows(), height = panel.height;
    visit_below(panel, [&](int i, Index place) { product_[at(i)] = x[place]; });
    for (int k = panel.width - 1; k >= 0; --k) {
      const double* const column = panel.lower + k * rows;
      own[k] -= Eigen::Map<const Vector>(panel.upper + k * height, height)
                    .dot(Eigen::Map<const Vector>(product_.data(), height));
      own[k] /= column[k];
      for (int i = 0; i < k; ++i) own[i] -= column[i] * own[k];
    }
  }
}

}  // namespace backlash
