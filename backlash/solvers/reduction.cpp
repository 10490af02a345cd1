// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/reduction.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

bool frictionless(const Coulomb& law) { return law.friction == 0; }

/// The block as a contact, with the rows that the problem gives it. Not for bilateral rows. Writes
/// into a contact that has its default values (copying one costs more than all the rest).
void write_contact(const LawBlock& block, Contact& contact) {
  if (const auto* relay = std::get_if<Relay>(&block.law)) {
    contact.tangent = block.first;
    contact.tangents = relay->rows;
    contact.offset = relay->limit;
    return;
  }
  contact.normal = block.first;
  contact.tangent = block.first + 1;
  if (const auto* law = std::get_if<Coulomb>(&block.law); law && !frictionless(*law)) {
    contact.tangents = law->tangents;
    contact.friction = law->friction;
    contact.offset = law->friction * law->preload;
  }
}

/// Numbers the contact's rows by the kept rows, and adds them to these.
void keep_rows(Contact& contact, std::span<Index> kept, std::size_t& count) {
  if (contact.has_normal()) {
    kept[count] = contact.normal;
    contact.normal = static_cast<Index>(count++);
  }
  const Index tangent = contact.tangent;
  contact.tangent = static_cast<Index>(count);
  for (int i = 0; i < contact.tangents; ++i) kept[count++] = tangent + i;
}

/// Sorts the rows into those that stay, reduced.kept, with their contacts, and the bilateral ones,
/// which are returned. Tangent rows of frictionless contacts belong to neither: their impulse is
/// zero.
std::span<Index> group_rows(const ContactProblem& problem, Arena::Frame& frame,
                            ReducedProblem& reduced) {
  const Index n = problem.free_velocity.size();
  const std::span<Index> kept = frame.list<Index>(n), bilateral = frame.list<Index>(n);
  Contact* contacts = frame.list<Contact>(static_cast<Index>(problem.blocks.size())).data();
  std::size_t k = 0, b = 0, count = 0;
  for (const LawBlock& block : problem.blocks) {
    if (const auto* law = std::get_if<Bilateral>(&block.law)) {
      for (Index i = 0; i < law->rows; ++i) bilateral[b++] = block.first + i;
      continue;
    }
    write_contact(block, contacts[count]);
    keep_rows(contacts[count++], kept, k);
  }
  reduced.kept = kept.first(k);
  reduced.contacts = {contacts, count};
  return bilateral.first(b);
}

MatrixMap dense_matrix(const ContactProblem& problem, Arena::Frame& frame) {
  const Index n = problem.free_velocity.size();
  if (const auto* dense = std::get_if<DenseDelassus>(&problem.delassus))
    return {const_cast<double*>(dense->G.data()), n, n};
  MatrixMap G = frame.matrix(n, n);
  write_dense(problem.delassus, G);
  return G;
}

/// Gauss–Jordan on the bilateral rows A = (G_BB | G_BC | c_B), always pivoting on the largest
/// diagonal left relative to what it was. Rows without a pivot are redundant. Returns how many
/// pivots there were; the rows with pivots come first in `order`.
Index eliminate(MatrixMap A, std::span<Index> order, VectorMap original) {
  const Index nb = A.rows();
  for (Index i = 0; i < nb; ++i) original[i] = A(i, i);
  Index pivots = 0;
  for (; pivots < nb; ++pivots) {
    Index best = pivots;
    double best_ratio = -1;
    for (Index i = pivots; i < nb; ++i) {
      const Index row = order[at(i)];
      const double ratio = original[row] > 0 ? A(row, row) / original[row] : 0;
      if (ratio > best_ratio) {
        best_ratio = ratio;
        best = i;
      }
    }
    if (!(best_ratio > 1e-13)) break;
    std::swap(order[at(pivots)], order[at(best)]);
    const Index p = order[at(pivots)];
    A.row(p) /= A(p, p);
    for (Index i = 0; i < nb; ++i) {
      if (i == p) continue;
      const double factor = A(i, p);
      if (factor != 0) A.row(i) -= factor * A.row(p);
    }
  }
  return pivots;
}

/// What elimination leaves of a row that the bilateral rows hold fast is round-off: clear it.
void clear_immobile_rows(const MatrixMap& G, const VectorBuffer& c, ReducedProblem& reduced) {
  constexpr double round_off = 1e-12;
  const double velocity = c.cwiseAbs().maxCoeff();
  for (Index i = 0; i < reduced.c.size(); ++i) {
    const Index row = reduced.kept[at(i)];
    if (reduced.G(i, i) > round_off * G(row, row)) continue;
    reduced.G.row(i).setZero();
    reduced.G.col(i).setZero();
    if (std::abs(reduced.c[i]) <= round_off * velocity) reduced.c[i] = 0;
  }
}

/// G is that of the problem before the elimination.
void set_r(const MatrixMap& G, ReducedProblem& reduced) {
  double largest = 0;
  for (Index i = 0; i < G.rows(); ++i) largest = std::max(largest, G(i, i));
  reduced.largest_mobility = largest > 0 ? largest : 1;
  const auto inverse = [&](double mobility) {
    return 1 / (mobility > 1e-14 * largest ? mobility : reduced.largest_mobility);
  };
  for (Contact& contact : reduced.contacts) {
    const Index n = contact.normal, t = contact.tangent;
    if (contact.has_normal()) contact.normal_r = inverse(reduced.G(n, n));
    if (contact.tangents == 1) contact.tangent_r = inverse(reduced.G(t, t));
    if (contact.tangents == 2)
      contact.tangent_r = inverse((reduced.G(t, t) + reduced.G(t + 1, t + 1)) / 2);
  }
}

void copy_kept_rows(const MatrixMap& G, const VectorBuffer& c, Arena::Frame& frame,
                    ReducedProblem& reduced) {
  const auto n = static_cast<Index>(reduced.kept.size());
  new (&reduced.G) MatrixMap(frame.matrix(n, n));
  new (&reduced.c) VectorMap(frame.vector(n));
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) reduced.G(i, j) = G(reduced.kept[at(i)], reduced.kept[at(j)]);
    reduced.c[j] = c[reduced.kept[at(j)]];
  }
}

}  // namespace

std::span<Contact> list_contacts(const ContactProblem& problem, Arena::Frame& frame) {
  std::span<Contact> contacts = frame.list<Contact>(problem.free_velocity.size());
  std::size_t count = 0;
  for (const LawBlock& block : problem.blocks) {
    if (const auto* bilateral = std::get_if<Bilateral>(&block.law)) {
      for (Index i = 0; i < bilateral->rows; ++i)
        contacts[count++] = {.normal = block.first + i, .bilateral = true};
    } else {
      write_contact(block, contacts[count++]);
    }
  }
  return contacts.first(count);
}

bool ReducedProblem::planar() const {
  return std::all_of(contacts.begin(), contacts.end(),
                     [](const Contact& contact) { return contact.tangents < 2; });
}

ReducedProblem reduce(const ContactProblem& problem, Arena::Frame& frame) {
  ReducedProblem reduced;
  const std::span<Index> bilateral = group_rows(problem, frame, reduced);
  const auto nc = static_cast<Index>(reduced.kept.size());
  const auto nb = static_cast<Index>(bilateral.size());
  const MatrixMap G = dense_matrix(problem, frame);
  const auto& c = problem.free_velocity;
  if (nc == c.size()) {  // nothing to leave out: work on the problem itself
    new (&reduced.G) MatrixMap(const_cast<double*>(G.data()), nc, nc);
    new (&reduced.c) VectorMap(const_cast<double*>(c.data()), nc);
    new (&reduced.X) MatrixMap(nullptr, 0, nc + 1);
    set_r(G, reduced);
    return reduced;
  }
  copy_kept_rows(G, c, frame, reduced);
  MatrixMap A = frame.matrix(nb, nb + nc + 1);
  for (Index i = 0; i < nb; ++i) {
    const Index row = bilateral[at(i)];
    for (Index j = 0; j < nb; ++j) A(i, j) = G(row, bilateral[at(j)]);
    for (Index j = 0; j < nc; ++j) A(i, nb + j) = G(row, reduced.kept[at(j)]);
    A(i, nb + nc) = c[row];
  }
  std::span<Index> order = frame.list<Index>(nb);
  for (Index i = 0; i < nb; ++i) order[at(i)] = i;
  const Index rank = eliminate(A, order, frame.vector(nb));

  new (&reduced.X) MatrixMap(frame.matrix(rank, nc + 1));
  reduced.eliminated = frame.list<Index>(rank);
  for (Index i = 0; i < rank; ++i) {
    reduced.X.row(i) = A.row(order[at(i)]).tail(nc + 1);
    reduced.eliminated[at(i)] = bilateral[at(order[at(i)])];
  }
  for (Index i = 0; i < nc; ++i)
    for (Index k = 0; k < rank; ++k) {
      const double coupling = G(reduced.kept[at(i)], reduced.eliminated[at(k)]);
      if (coupling == 0) continue;
      for (Index j = 0; j < nc; ++j) reduced.G(i, j) -= coupling * reduced.X(k, j);
      reduced.c[i] -= coupling * reduced.X(k, nc);
    }
  if (rank > 0) clear_immobile_rows(G, c, reduced);
  set_r(G, reduced);
  return reduced;
}

ReducedProblem keep_bilateral(const ContactProblem& problem, Arena::Frame& frame) {
  ReducedProblem whole;
  whole.contacts = list_contacts(problem, frame);
  std::span<Index> kept = frame.list<Index>(problem.free_velocity.size());
  std::size_t count = 0;
  for (Contact& contact : whole.contacts) keep_rows(contact, kept, count);
  whole.kept = kept.first(count);
  copy_kept_rows(dense_matrix(problem, frame), problem.free_velocity, frame, whole);
  new (&whole.X) MatrixMap(nullptr, 0, static_cast<Index>(count) + 1);
  set_r(whole.G, whole);
  return whole;
}

void expand(const ReducedProblem& reduced, const VectorView& impulse, VectorRef full) {
  full.setZero();
  for (std::size_t i = 0; i < reduced.kept.size(); ++i)
    full[reduced.kept[i]] = impulse[static_cast<Index>(i)];
  const Index nc = impulse.size();
  for (Index k = 0; k < reduced.X.rows(); ++k) {
    double sum = reduced.X(k, nc);
    for (Index j = 0; j < nc; ++j) sum += reduced.X(k, j) * impulse[j];
    full[reduced.eliminated[at(k)]] = -sum;
  }
}

void restrict_to(const ReducedProblem& reduced, const VectorView& full, VectorRef impulse) {
  for (std::size_t i = 0; i < reduced.kept.size(); ++i)
    impulse[static_cast<Index>(i)] = full[reduced.kept[i]];
}

void write_velocity(const ReducedProblem& reduced, const VectorView& impulse, VectorRef xi) {
  xi = reduced.c;
  add_product(reduced.G.data(), impulse, xi);
}

}  // namespace backlash
