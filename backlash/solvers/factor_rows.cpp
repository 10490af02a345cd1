// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/factor_rows.h"

#include <algorithm>

namespace backlash {
namespace {

using Index = Eigen::Index;

FactorRows rows_of_matrix(const MatrixBuffer& G, Arena::Frame& frame) {
  const Index n = G.rows();
  const std::span<Index> first = frame.list<Index>(n + 1);
  const auto present = [&](Index i, Index j) { return i == j || G(i, j) != 0; };
  first[0] = 0;
  for (Index j = 0; j < n; ++j) {
    first[at(j + 1)] = first[at(j)];
    for (Index i = 0; i < n; ++i)
      if (present(i, j)) ++first[at(j + 1)];
  }
  const Index entries = first[at(n)];
  const std::span<int> velocity = frame.list<int>(entries);
  const std::span<double> W = frame.list<double>(entries), column = frame.list<double>(entries);
  std::size_t e = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      if (!present(i, j)) continue;
      velocity[e] = static_cast<int>(i);
      W[e] = i == j ? 1 : 0;
      column[e++] = G(i, j);
    }
  return {n, first, velocity, W, column};
}

/// Calls visit(entry) for all entries of a contact's rows.
template <class Visit>
void visit_entries(const FactorRows& G, const Contact& contact, Visit visit) {
  const auto visit_row = [&](Index row) {
    for (std::size_t e = G.begin(row); e < G.end(row); ++e) visit(e);
  };
  if (contact.has_normal()) visit_row(contact.normal);
  for (int i = 0; i < contact.tangents; ++i) visit_row(contact.tangent + i);
}

}  // namespace

FactorRows factor_rows(const Delassus& G, Arena::Frame& frame) {
  if (const auto* dense = std::get_if<DenseDelassus>(&G)) return rows_of_matrix(dense->G, frame);
  const auto& factors = std::get<BlockDelassus>(G);
  return {factors.velocities, factors.first, factors.velocity, factors.W, factors.mass_inverse_W};
}

void set_r_of_rows(const FactorRows& G, std::span<Contact> contacts) {
  double largest = 0;
  const auto rows = static_cast<Index>(G.first.size()) - 1;
  for (Index i = 0; i < rows; ++i) largest = std::max(largest, G.diagonal(i));
  if (!(largest > 0)) largest = 1;
  const auto mobility = [&](Index row) {
    const double diagonal = G.diagonal(row);
    return diagonal > 1e-14 * largest ? diagonal : largest;
  };
  for (Contact& contact : contacts) {
    if (contact.has_normal()) contact.normal_r = 1 / mobility(contact.normal);
    if (contact.tangents == 1) contact.tangent_r = 1 / mobility(contact.tangent);
    if (contact.tangents == 2)
      contact.tangent_r = 2 / (mobility(contact.tangent) + mobility(contact.tangent + 1));
  }
}

Incidence contacts_by_velocity(const FactorRows& G, std::span<const Contact> contacts,
                               Arena::Frame& frame) {
  const auto visit_all = [&](auto visit) {
    for (std::size_t k = 0; k < contacts.size(); ++k)
      visit_entries(G, contacts[k], [&](std::size_t e) {
        if (G.W[e] != 0 || G.mass_inverse_W[e] != 0)
          visit(G.velocity[e], static_cast<int>(k), G.W[e] != 0);
      });
  };
  return list_members(G.velocities, visit_all, frame);
}

}  // namespace backlash
