// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/base/arena.h"
#include "backlash/base/types.h"
#include "backlash/solvers/elimination_order.h"

namespace backlash {

/// Linear equations A x = b over nodes of a few unknowns each that are coupled to some others,
/// solved by A = L U without pivoting. Nodes that are eliminated one after the other and are
/// coupled to the same later ones form a panel: dense columns of L, and rows of U.
class SparseLU {
 public:
  /// A_ij as a part of a panel.
  struct Block {
    double* data;
    Eigen::Index row_stride, column_stride;
    double& operator()(int a, int b) const { return data[a * row_stride + b * column_stride]; }
  };

  /// Of node i the graph lists all j with A_ji ≠ 0; `order` is that of elimination, `unknowns`
  /// counts those of each node, and may be 0. All entries are zero.
  SparseLU(const IndexLists& graph, std::span<const int> order, std::span<const int> unknowns,
           Arena::Frame& frame);

  /// Of two nodes with unknowns that are equal or neighbours.
  Block block(int row, int column);

  /// Where the unknowns of a node begin in x.
  Eigen::Index place(int node) const { return place_[at(position_[at(node)])]; }

  /// A = L U. A pivot that is smaller than `smallest` of its row becomes that, with its sign.
  void factor(const VectorView& smallest);

  /// x = A⁻¹ x with the factors.
  void solve(VectorRef x) const;

 private:
  /// Columns [first, last) of nodes, by position in the order of elimination.
  struct Panel {
    int first = 0, last = 0;
    std::span<int> below;       ///< positions of the later nodes that they are coupled to
    std::span<int> offset;      ///< in rows of the panel, of each of them
    int width = 0, height = 0;  ///< unknowns of the columns, and of the nodes below
    double* lower = nullptr;    ///< L and U of the columns, then L below: height + width rows
    double* upper = nullptr;    ///< Uᵀ of what is below: height rows
    int next_child = -1;        ///< another panel with the same parent
    int rows() const { return width + height; }
  };

  int unknowns(int position) const {
    return static_cast<int>(place_[at(position + 1)] - place_[at(position)]);
  }
  void number_nodes(std::span<const int> order, std::span<const int> unknowns, Arena::Frame& frame);
  IndexLists later_neighbours(const IndexLists& graph, std::span<const int> order,
                              Arena::Frame& frame) const;
  void find_panels(const IndexLists& later, Arena::Frame& frame);
  bool worth_merging(const Panel& panel, std::size_t below) const;
  void take_memory(Arena::Frame& frame);
  void factor_columns(const Panel& panel, const VectorView& smallest);
  void solve_lower(const Panel& panel, int columns, double* x) const;
  void update_later(const Panel& panel);
  int row_in(const Panel& panel, int position) const;
  template <class Visit>
  void visit_below(const Panel& panel, Visit visit) const;

  std::span<int> position_;        ///< of each node among those with unknowns; −1: it has none
  std::span<Eigen::Index> place_;  ///< first unknown of each position, and the end
  std::span<int> panel_of_;        ///< of each position
  std::span<Panel> panels_;
  std::span<double> product_;  ///< room for some columns below a panel
  std::span<int> target_;      ///< rows of another panel
};

}  // namespace backlash
