// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/velocity_factors.h"

#include <algorithm>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// The contact that each entry of the factors belongs to, or −1.
std::span<const int> contacts_of_entries(const FactorRows& G, std::span<const Contact> contacts,
                                         Arena::Frame& frame) {
  const std::span<int> list = frame.list<int>(static_cast<Index>(G.velocity.size()));
  std::fill(list.begin(), list.end(), -1);
  const auto set_row = [&](Index row, std::size_t k) {
    for (std::size_t e = G.begin(row); e < G.end(row); ++e) list[e] = static_cast<int>(k);
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (contacts[k].has_normal()) set_row(contacts[k].normal, k);
    for (int i = 0; i < contacts[k].tangents; ++i) set_row(contacts[k].tangent + i, k);
  }
  return list;
}

/// The entries of each velocity that belong to contacts.
IndexLists entries_by_velocity(const FactorRows& G, std::span<const int> contact,
                               Arena::Frame& frame) {
  const std::span<Index> first = frame.list<Index>(G.velocities + 2);
  std::fill(first.begin(), first.end(), 0);
  const auto visit_all = [&](auto visit) {
    for (std::size_t e = 0; e < contact.size(); ++e)
      if (contact[e] >= 0) visit(G.velocity[e], static_cast<int>(e));
  };
  visit_all([&](int v, int) { ++first[at(v + 2)]; });
  for (std::size_t v = 2; v < first.size(); ++v) first[v] += first[v - 1];
  const std::span<int> list = frame.list<int>(first.back());
  visit_all([&](int v, int e) { list[at(first[at(v + 1)]++)] = e; });
  return {first.first(at(G.velocities + 1)), list};
}

}  // namespace

VelocityFactors::VelocityFactors(const FactorRows& G, std::span<const Contact> contacts,
                                 Arena& scratch, Arena::Frame& frame)
    : G_(G),
      scratch_(scratch),
      node_(frame.list<int>(G.velocities)),
      first_(frame.list<int>(G.velocities)),
      sizes_(frame.list<int>(G.velocities)),
      permuted_(frame.vector(G.velocities)),
      zeros_(frame.vector(G.velocities)) {
  zeros_.setZero();
  const std::span<const int> contact = contacts_of_entries(G, contacts, frame);
  const IndexLists entries = entries_by_velocity(G, contact, frame);
  const Index nodes = find_nodes(entries, contact);
  const auto visit_all = [&](auto visit) {
    for (Index v = 0; v < G.velocities; ++v)
      for (const int e : entries[v]) visit(contact[at(e)], node_[at(v)], G.W[at(e)] != 0);
  };
  const Incidence incidence = list_members(static_cast<Index>(contacts.size()), visit_all, frame);
  graph_ = connect_members(incidence, nodes, frame);
  order_ = frame.list<int>(nodes);
  const double mean =
      static_cast<double>(G.velocities) / static_cast<double>(std::max<Index>(1, nodes));
  most_entries_ = 2 * mean * mean *
                  order_minimum_degree(cover_by_cliques(incidence, graph_, frame), scratch, order_);
}

/// Velocities that follow each other and have entries of the same contacts are one node: those of a
/// body.
Index VelocityFactors::find_nodes(const IndexLists& entries, std::span<const int> contact) {
  constexpr int most = 6;
  const auto same_contacts = [&](int e, int f) { return contact[at(e)] == contact[at(f)]; };
  int nodes = 0;
  for (int v = 0; v < static_cast<int>(G_.velocities); ++v) {
    if (v > 0 && sizes_[at(nodes - 1)] < most &&
        std::ranges::equal(entries[v], entries[v - 1], same_contacts)) {
      ++sizes_[at(nodes - 1)];
    } else {
      first_[at(nodes)] = v;
      sizes_[at(nodes++)] = 1;
    }
    node_[at(v)] = nodes - 1;
  }
  sizes_ = sizes_.first(at(nodes));
  return nodes;
}

/// The end of the entries of a row from e on that are of the same node.
Index VelocityFactors::end_of_node(Index e, Index end) const {
  const int node = node_[at(G_.velocity[at(e)])];
  while (e < end && node_[at(G_.velocity[at(e)])] == node) ++e;
  return e;
}

/// M⁻¹W_k weight W_lᵀ of two rows, block by block.
void VelocityFactors::add_product(Index to_row, Index from_row, double weight) {
  const Index l_last = G_.first[at(from_row + 1)], k_last = G_.first[at(to_row + 1)];
  for (Index l = G_.first[at(from_row)], l_end = l; l < l_last; l = l_end) {
    l_end = end_of_node(l, l_last);
    while (l < l_end && G_.W[at(l)] == 0) ++l;
    if (l == l_end) continue;
    const int from = node_[at(G_.velocity[at(l)])];
    for (Index k = G_.first[at(to_row)], k_end = k; k < k_last; k = k_end) {
      k_end = end_of_node(k, k_last);
      const int to = node_[at(G_.velocity[at(k)])];
      const SparseLU::Block A = matrix_->block(to, from);
      for (Index j = l; j < l_end; ++j)
        for (Index i = k; i < k_end; ++i)
          A(G_.velocity[at(i)] - first_[at(to)], G_.velocity[at(j)] - first_[at(from)]) +=
              weight * G_.mass_inverse_W[at(i)] * G_.W[at(j)];
    }
  }
}

void VelocityFactors::factor(double tau, std::span<const RowWeights> weights) {
  matrix_.reset();
  factor_frame_.reset();
  factor_frame_.emplace(scratch_);
  matrix_.emplace(graph_, order_, sizes_, *factor_frame_);
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    const SparseLU::Block own = matrix_->block(static_cast<int>(k), static_cast<int>(k));
    for (int a = 0; a < sizes_[k]; ++a) own(a, a) = tau;
  }
  for (const RowWeights& contact : weights)
    for (int i = 0; i < contact.rows; ++i)
      for (int j = 0; j < contact.rows; ++j)
        if (contact.H[i][j] != 0) add_product(contact.row[i], contact.row[j], contact.H[i][j]);
  matrix_->factor(zeros_);
}

void VelocityFactors::solve(VectorMap& v) {
  const auto place = [&](Index i) {
    const int node = node_[at(i)];
    return matrix_->place(node) + i - first_[at(node)];
  };
  for (Index i = 0; i < v.size(); ++i) permuted_[place(i)] = v[i];
  matrix_->solve(permuted_);
  for (Index i = 0; i < v.size(); ++i) v[i] = permuted_[place(i)];
}

}  // namespace backlash
