// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/elimination_order.h"

#include <algorithm>
#include <cstdint>

namespace backlash {
namespace {

using Index = Eigen::Index;
constexpr int none = -1;

std::span<int> filled_list(Arena::Frame& frame, Index size, int value) {
  const std::span<int> list = frame.list<int>(size);
  std::fill(list.begin(), list.end(), value);
  return list;
}

/// Nodes by degree, as doubly linked lists.
class Buckets {
 public:
  Buckets(int nodes, Arena::Frame& frame)
      : head_(filled_list(frame, nodes + 1, none)),
        next_(frame.list<int>(nodes)),
        last_(frame.list<int>(nodes)),
        degree_(frame.list<int>(nodes)),
        least_(nodes) {}

  int degree(int node) const { return degree_[at(node)]; }

  void insert(int node, int degree) {
    degree_[at(node)] = degree;
    last_[at(node)] = none;
    next_[at(node)] = head_[at(degree)];
    if (next_[at(node)] != none) last_[at(next_[at(node)])] = node;
    head_[at(degree)] = node;
    least_ = std::min(least_, degree);
  }

  void remove(int node) {
    const int next = next_[at(node)], last = last_[at(node)];
    if (next != none) last_[at(next)] = last;
    (last != none ? next_[at(last)] : head_[at(degree_[at(node)])]) = next;
  }

  int take_least() {
    while (head_[at(least_)] == none) ++least_;
    const int node = head_[at(least_)];
    remove(node);
    return node;
  }

 private:
  std::span<int> head_, next_, last_, degree_;
  int least_;
};

/// The quotient graph of an elimination: nodes that are left, each with the cliques that it lies
/// in, and cliques, each a chain of cells with nodes. Eliminating a node makes one clique of all of
/// its own, in their cells. Nodes that lie in the same cliques are one node of larger weight.
class QuotientGraph {
 public:
  QuotientGraph(const IndexLists& cliques, int nodes, Arena::Frame& frame)
      : nodes_(nodes),
        given_(static_cast<int>(cliques.size())),
        cell_node_(frame.list<int>(static_cast<Index>(cliques.entry.size()))),
        cell_next_(frame.list<int>(static_cast<Index>(cliques.entry.size()))),
        head_(filled_list(frame, given_ + nodes, none)),
        size_(filled_list(frame, given_ + nodes, 0)),
        parent_(filled_list(frame, given_ + nodes, none)),
        outside_(frame.list<std::int64_t>(given_ + nodes)),
        own_first_(frame.list<Index>(nodes + 1)),
        own_count_(filled_list(frame, nodes, 0)),
        own_(frame.list<int>(static_cast<Index>(cliques.entry.size()))),
        weight_(filled_list(frame, nodes, 1)),
        merged_into_(filled_list(frame, nodes, none)),
        seen_(filled_list(frame, nodes, none)),
        beyond_(frame.list<int>(nodes)),
        bucket_(filled_list(frame, nodes, none)),
        hash_(frame.list<int>(nodes)),
        hash_next_(frame.list<int>(nodes)),
        pivots_(frame.list<int>(nodes)),
        degrees_(nodes, frame) {
    std::fill(outside_.begin(), outside_.end(), 0);
    link(cliques);
  }

  /// All nodes, one after the other. Returns the pairs of nodes that become coupled.
  double eliminate() {
    double pairs = 0;
    for (int left = nodes_; left > 0; left -= weight_[at(pivots_[at(pivot_count_ - 1)])]) {
      const int pivot = degrees_.take_least();
      pivots_[at(pivot_count_++)] = pivot;
      eliminate(pivot, left);
      const double w = weight_[at(pivot)];
      pairs += w * (size_[at(clique_of(pivot))] + (w + 1) / 2);
    }
    return pairs;
  }

  /// Pivots by the tree of their cliques, children first, each with what was merged into it.
  void write_order(Arena::Frame& frame, std::span<int> order);

 private:
  int clique_of(int pivot) const { return given_ + pivot; }
  std::span<int> own(int node) {
    return own_.subspan(at(own_first_[at(node)]), at(own_count_[at(node)]));
  }
  template <class Visit>
  void visit_nodes(int clique, Visit visit) {
    for (int c = head_[at(clique)]; c != none; c = cell_next_[at(c)]) visit(cell_node_[at(c)]);
  }

  void link(const IndexLists& cliques);
  void eliminate(int pivot, int left);
  void gather(int pivot);
  void count_outside(int clique);
  void update_cliques(int pivot, int node);
  void merge_equals(int node);
  bool lie_in_same_cliques(int a, int b);
  void merge(int node, int into);
  int representative(int node) const;

  int nodes_, given_;
  std::span<int> cell_node_, cell_next_;
  std::span<int> head_, size_;           ///< of cliques: first cell, weight of all nodes
  std::span<int> parent_;                ///< of cliques: the one that has swallowed it
  std::span<std::int64_t> outside_;      ///< of cliques: stamp_ + weight outside of the newest
  std::span<Index> own_first_;           ///< of nodes: their cliques
  std::span<int> own_count_, own_;       ///< how many of those, and which
  std::span<int> weight_, merged_into_;  ///< the weight of what was merged into another one is 0
  std::span<int> seen_, beyond_;         ///< last pivot that met it; weight of neighbours elsewhere
  std::span<int> bucket_, hash_, hash_next_;  ///< nodes of the newest clique by their other cliques
  std::span<int> pivots_;                     ///< in the order of their elimination
  int pivot_count_ = 0;
  Buckets degrees_;
  std::int64_t stamp_ = 1;  ///< larger than all of outside_ before
};

void QuotientGraph::link(const IndexLists& cliques) {
  for (const int node : cliques.entry) ++own_count_[at(node)];
  own_first_[0] = 0;
  for (int i = 0; i < nodes_; ++i) own_first_[at(i + 1)] = own_first_[at(i)] + own_count_[at(i)];
  std::fill(own_count_.begin(), own_count_.end(), 0);
  int cell = 0;
  for (int e = 0; e < given_; ++e) {
    size_[at(e)] = static_cast<int>(cliques[e].size());
    for (const int node : cliques[e]) {
      cell_node_[at(cell)] = node;
      cell_next_[at(cell)] = head_[at(e)];
      head_[at(e)] = cell++;
      own_[at(own_first_[at(node)] + own_count_[at(node)]++)] = e;
    }
  }
  for (int i = 0; i < nodes_; ++i) {
    int degree = 0;
    for (const int e : own(i)) degree = std::min(degree + size_[at(e)] - 1, nodes_ - 1);
    degrees_.insert(i, degree);
  }
}

/// The clique of all neighbours of the pivot, in the cells of those that it lies in.
void QuotientGraph::gather(int pivot) {
  const int clique = clique_of(pivot);
  int& head = head_[at(clique)];
  seen_[at(pivot)] = pivot;
  for (const int e : own(pivot)) {
    for (int c = head_[at(e)], next = none; c != none; c = next) {
      next = cell_next_[at(c)];
      const int node = cell_node_[at(c)];
      if (weight_[at(node)] == 0 || seen_[at(node)] == pivot) continue;
      seen_[at(node)] = pivot;
      cell_next_[at(c)] = head;
      head = c;
      size_[at(clique)] += weight_[at(node)];
      degrees_.remove(node);
    }
    parent_[at(e)] = clique;
  }
}

/// Of each clique that shares nodes with the newest one the weight of the others.
void QuotientGraph::count_outside(int clique) {
  stamp_ += nodes_ + 1;
  visit_nodes(clique, [&](int node) {
    for (const int e : own(node)) {
      if (parent_[at(e)] != none) continue;
      if (outside_[at(e)] < stamp_) outside_[at(e)] = stamp_ + size_[at(e)];
      outside_[at(e)] -= weight_[at(node)];
    }
  });
}

void QuotientGraph::merge(int node, int into) {
  merged_into_[at(node)] = into;
  weight_[at(into)] += weight_[at(node)];
  weight_[at(node)] = 0;
}

/// Replaces the cliques that the newest one has swallowed. A node that lies in no other has the
/// neighbours of the pivot and is eliminated with it.
void QuotientGraph::update_cliques(int pivot, int node) {
  const int clique = clique_of(pivot);
  const std::span<int> all = own(node);
  int count = 0, beyond = 0, hash = 0;
  for (const int e : all) {
    if (parent_[at(e)] != none) continue;
    const int outside = static_cast<int>(outside_[at(e)] - stamp_);
    if (outside == 0) {
      parent_[at(e)] = clique;
      continue;
    }
    beyond = std::min(beyond + outside, nodes_);
    hash = (hash + e) % nodes_;
    all[at(count++)] = e;
  }
  if (count == 0) {
    size_[at(clique)] -= weight_[at(node)];
    merge(node, pivot);
    return;
  }
  all[at(count++)] = clique;  // in the place of one that it has swallowed
  own_count_[at(node)] = count;
  beyond_[at(node)] = beyond;
  hash_[at(node)] = hash;
}

bool QuotientGraph::lie_in_same_cliques(int a, int b) {
  if (hash_[at(a)] != hash_[at(b)] || own_count_[at(a)] != own_count_[at(b)]) return false;
  const std::span<const int> of_a = own(a), of_b = own(b);
  return std::is_permutation(of_a.begin(), of_a.end(), of_b.begin());
}

/// Merges a node of the newest clique into one that was here before, or puts it into its bucket.
void QuotientGraph::merge_equals(int node) {
  int& bucket = bucket_[at(hash_[at(node)])];
  for (int other = bucket; other != none; other = hash_next_[at(other)])
    if (lie_in_same_cliques(node, other)) return merge(node, other);
  hash_next_[at(node)] = bucket;
  bucket = node;
}

void QuotientGraph::eliminate(int pivot, int left) {
  const int clique = clique_of(pivot);
  gather(pivot);
  count_outside(clique);
  visit_nodes(clique, [&](int node) { update_cliques(pivot, node); });
  visit_nodes(clique, [&](int node) {
    if (weight_[at(node)] > 0) merge_equals(node);
  });
  left -= weight_[at(pivot)];
  int* link = &head_[at(clique)];
  for (int c = *link; c != none; c = cell_next_[at(c)]) {
    const int node = cell_node_[at(c)];
    if (weight_[at(node)] == 0) continue;
    *link = c;
    link = &cell_next_[at(c)];
    bucket_[at(hash_[at(node)])] = none;
    const int within = size_[at(clique)] - weight_[at(node)];
    const int bound = std::min(degrees_.degree(node) + within, beyond_[at(node)] + within);
    degrees_.insert(node, std::clamp(bound, 0, left - weight_[at(node)]));
  }
  *link = none;
}

int QuotientGraph::representative(int node) const {
  while (merged_into_[at(node)] != none) node = merged_into_[at(node)];
  return node;
}

void QuotientGraph::write_order(Arena::Frame& frame, std::span<int> order) {
  const std::span<int> subtree = frame.list<int>(nodes_);  // its weight
  const std::span<int> own_end = frame.list<int>(nodes_);  // where a pivot's own nodes end
  const std::span<int> end = frame.list<int>(nodes_);      // where its next child's subtree ends
  const std::span<const int> pivots = pivots_.first(at(pivot_count_));
  const auto parent = [&](int pivot) {
    const int clique = parent_[at(clique_of(pivot))];
    return clique == none ? none : clique - given_;
  };
  for (const int pivot : pivots) subtree[at(pivot)] = weight_[at(pivot)];
  for (const int pivot : pivots)
    if (parent(pivot) != none) subtree[at(parent(pivot))] += subtree[at(pivot)];
  int end_of_roots = nodes_;
  for (std::size_t k = pivots.size(); k-- > 0;) {
    const int pivot = pivots[k];
    int& behind = parent(pivot) == none ? end_of_roots : end[at(parent(pivot))];
    own_end[at(pivot)] = behind;
    end[at(pivot)] = behind - weight_[at(pivot)];
    behind -= subtree[at(pivot)];
  }
  for (int i = 0; i < nodes_; ++i) order[at(--own_end[at(representative(i))])] = i;
}

}  // namespace

double order_minimum_degree(const IndexLists& cliques, Arena& scratch, std::span<int> order) {
  Arena::Frame frame(scratch);
  QuotientGraph graph(cliques, static_cast<int>(order.size()), frame);
  const double pairs = graph.eliminate();
  graph.write_order(frame, order);
  return pairs;
}

}  // namespace backlash
