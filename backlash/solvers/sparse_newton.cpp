// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/sparse_newton.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// One more unknown with its equation (theory 5.10, 5.11).
void add_unknown(const double (&row)[3], const double (&column)[3], double diagonal,
                 NewtonContact& contact) {
  const int b = contact.unknowns++;
  for (int i = 0; i < 3; ++i) {
    contact.row[b][i] = row[i];
    contact.column[b][i] = column[i];
    if (row[i] != 0) contact.uses[i] = true;
  }
  contact.diagonal[b] = diagonal;
}

void write_unknowns(NewtonContact& contact) {
  const auto& n = contact.n;
  const double shrink = contact.shrink;
  contact.unknowns = 0;
  std::fill(contact.uses, contact.uses + 3, false);
  const double mu = contact.slips ? contact.contact.friction : 0;
  if (contact.pushes) add_unknown({1, 0, 0}, {1, mu * n[0], mu * n[1]}, 0, contact);
  if (!(contact.limit > 0)) return;
  if (!contact.slips) {
    add_unknown({0, 1, 0}, {0, 1, 0}, 0, contact);
    if (contact.contact.tangents == 2) add_unknown({0, 0, 1}, {0, 0, 1}, 0, contact);
  } else if (contact.contact.tangents == 2) {  // across the slip
    add_unknown({0, -shrink * n[1], shrink * n[0]}, {0, -n[1], n[0]},
                (1 - shrink) / contact.contact.tangent_r, contact);
  }
}

/// Of two contacts, in L and U.
double entries_of_pair(std::span<const Contact> contacts) {
  double rows = 0;
  for (const Contact& contact : contacts) rows += contact.tangents + (contact.has_normal() ? 1 : 0);
  const double mean = rows / static_cast<double>(std::max<std::size_t>(1, contacts.size()));
  return 2 * mean * mean;
}

}  // namespace

SparseNewton::SparseNewton(const ContactProblem& problem, std::span<Contact> contacts,
                           Arena& scratch, Arena::Frame& frame)
    : problem_(problem),
      scratch_(scratch),
      G_(factor_rows(problem.delassus, frame)),
      contacts_(frame.list<NewtonContact>(static_cast<Index>(contacts.size()))),
      order_(frame.list<int>(static_cast<Index>(contacts.size()))),
      unknowns_(frame.list<int>(static_cast<Index>(contacts.size()))),
      xi_(frame.vector(problem.free_velocity.size())),
      response_(frame.vector(G_.velocities)),
      direction_(frame.vector(xi_.size())),
      x_(frame.vector(xi_.size())),
      columns_(frame.vector(3 * G_.velocities)) {
  set_r_of_rows(G_, contacts);
  for (std::size_t k = 0; k < contacts.size(); ++k) contacts_[k].contact = contacts[k];
  const auto n = static_cast<Index>(contacts.size());
  const Incidence incidence = contacts_by_velocity(G_, contacts, frame);
  graph_ = connect_members(incidence, n, frame);
  most_entries_ = entries_of_pair(contacts) *
                  order_minimum_degree(cover_by_cliques(incidence, graph_, frame), scratch, order_);
  columns_.setZero();
}

void SparseNewton::set_proximal_term(double epsilon) {
  if (epsilon != proximal_term_) J_.reset();
  proximal_term_ = epsilon;
}

void SparseNewton::set_compliance(double delta) {
  if (delta != compliance_) J_.reset();
  compliance_ = delta;
}

double SparseNewton::weight(Index row) const {
  return problem_.row_length.size() == 0 ? 1 : problem_.row_length[row];
}

void SparseNewton::read_modes(const VectorView& impulse, NewtonContact& contact) const {
  const Contact& c = contact.contact;
  const double tau_n = c.has_normal() ? impulse[c.normal] - c.normal_r * xi_[c.normal] : 0;
  contact.pushes = c.bilateral || tau_n > 0;
  contact.slips = false;
  contact.limit = 0;
  contact.modes = contact.pushes ? 1 : 0;
  if (c.tangents == 0) return;
  contact.limit = c.limit(std::max(0.0, tau_n));
  if (!(contact.limit > 0)) return;
  double tau[2] = {0, 0};
  for (int i = 0; i < c.tangents; ++i)
    tau[i] = impulse[c.tangent + i] - c.tangent_r * xi_[c.tangent + i];
  const double length = length_of(tau);
  contact.slips = length > contact.limit;
  contact.modes += !contact.slips ? 2 : tau[0] > 0 ? 4 : 6;
  if (!contact.slips) return;
  contact.shrink = contact.limit / length;
  for (int i = 0; i < 2; ++i) contact.n[i] = tau[i] / length;
}

double SparseNewton::squared_residual(const VectorView& impulse,
                                      const NewtonContact& contact) const {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (!contact.has(i)) continue;
    const Index row = contact.row_of(i);
    double F = xi_[row];
    if (i == 0 && !contact.pushes) F = impulse[row] / contact.r(i);
    if (i > 0 && !(contact.limit > 0)) F = impulse[row] / contact.r(i);
    if (i > 0 && contact.slips)
      F = (impulse[row] - contact.limit * contact.n[i - 1]) / contact.r(i);
    F *= weight(row);
    sum += F * F;
  }
  return sum;
}

/// ξ += δ Λ/r (theory 5.13).
void SparseNewton::yield_to(const VectorView& impulse, const NewtonContact& contact) {
  for (int i = 0; i < 3; ++i)
    if (contact.has(i))
      xi_[contact.row_of(i)] += compliance_ / contact.r(i) * impulse[contact.row_of(i)];
}

double SparseNewton::evaluate(const VectorView& impulse) {
  response_.setZero();
  for (Index i = 0; i < impulse.size(); ++i)
    if (impulse[i] != 0) G_.scatter(i, impulse[i], response_);
  for (Index i = 0; i < impulse.size(); ++i)
    xi_[i] = problem_.free_velocity[i] + G_.gather(i, response_);
  double sum = 0;
  for (NewtonContact& contact : contacts_) {
    if (compliance_ > 0) yield_to(impulse, contact);
    read_modes(impulse, contact);
    sum += squared_residual(impulse, contact);
  }
  return std::sqrt(sum);
}

/// What does not depend on the unknowns: rows without impulse, and slip at its limit (theory 5.9).
void SparseNewton::write_known_change(const VectorView& impulse, const NewtonContact& contact) {
  const Contact& c = contact.contact;
  if (c.has_normal()) direction_[c.normal] = contact.pushes ? 0 : -impulse[c.normal];
  double excess = 0;
  if (contact.slips) {
    excess = c.limit(contact.pushes && c.has_normal() ? impulse[c.normal] : 0);
    for (int i = 0; i < c.tangents; ++i) excess -= contact.n[i] * impulse[c.tangent + i];
  }
  for (int i = 0; i < c.tangents; ++i) {
    const Index row = c.tangent + i;
    direction_[row] = contact.limit > 0 ? excess * contact.n[i] : -impulse[row];
    if (contact.limit > 0 && !contact.slips) direction_[row] = 0;
  }
}

bool SparseNewton::factors_fit() const {
  return J_ && std::all_of(contacts_.begin(), contacts_.end(), [](const NewtonContact& contact) {
           const bool turns = contact.slips && contact.contact.tangents == 2;
           return contact.modes == contact.factored && !turns;
         });
}

/// The unknowns of all contacts, and where they lie among those of the equations.
void SparseNewton::place_unknowns() {
  Index place = 0;
  for (const int k : order_) {
    NewtonContact& contact = contacts_[at(k)];
    write_unknowns(contact);
    contact.factored = contact.modes;
    contact.place = place;
    unknowns_[at(k)] = contact.unknowns;
    place += contact.unknowns;
  }
  new (&x_) VectorMap(x_.data(), place);
}

/// J_ab = row_a · G · column_b of two contacts, from the velocities that the one brings about.
void SparseNewton::add_block(int to_contact, int from_contact) {
  const NewtonContact& to = contacts_[at(to_contact)];
  const NewtonContact& from = contacts_[at(from_contact)];
  if (to.unknowns == 0) return;
  const SparseLU::Block J = J_->block(to_contact, from_contact);
  for (int i = 0; i < 3; ++i) {
    if (!to.uses[i]) continue;
    double velocity[3] = {0, 0, 0};
    const Index row = to.row_of(i);
    for (std::size_t e = G_.begin(row); e < G_.end(row); ++e) {
      const double* const column = columns_.data() + 3 * G_.velocity[e];
      for (int b = 0; b < 3; ++b) velocity[b] += G_.W[e] * column[b];
    }
    for (int a = 0; a < to.unknowns; ++a)
      if (to.row[a][i] != 0)
        for (int b = 0; b < from.unknowns; ++b) J(a, b) += to.row[a][i] * velocity[b];
  }
}

void SparseNewton::add_columns(int k) {
  const NewtonContact& from = contacts_[static_cast<std::size_t>(k)];
  const auto visit = [&](auto change) {
    for (int i = 0; i < 3; ++i) {
      if (!from.has(i)) continue;
      const Index row = from.row_of(i);
      for (std::size_t e = G_.begin(row); e < G_.end(row); ++e)
        for (int b = 0; b < from.unknowns; ++b)
          change(columns_[3 * G_.velocity[e] + b], from.column[b][i] * G_.mass_inverse_W[e]);
    }
  };
  visit([](double& sum, double value) { sum += value; });
  add_block(k, k);
  for (const int l : graph_[k]) add_block(l, k);
  visit([](double& sum, double) { sum = 0; });
}

void SparseNewton::assemble() {
  J_.reset();
  factor_frame_.reset();
  factor_frame_.emplace(scratch_);
  place_unknowns();
  J_.emplace(graph_, order_, unknowns_, *factor_frame_);
  VectorMap proximal = factor_frame_->vector(x_.size());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const NewtonContact& contact = contacts_[k];
    if (contact.unknowns == 0) continue;
    add_columns(static_cast<int>(k));
    const SparseLU::Block own = J_->block(static_cast<int>(k), static_cast<int>(k));
    for (int a = 0; a < contact.unknowns; ++a) {
      const Index i = contact.place + a;
      proximal[i] = proximal_term_ / contact.r(a == 0 && contact.pushes ? 0 : 1);
      double yield = 0;
      for (int b = 0; b < 3; ++b)
        yield += contact.row[a][b] * contact.column[a][b] * (contact.has(b) ? 1 / contact.r(b) : 0);
      own(a, a) += contact.diagonal[a] + proximal[i] + compliance_ * yield;
    }
  }
  J_->factor(proximal);
}

/// −row · ξ at the impulse with all that is known, and what the diagonal brings (theory 5.11).
void SparseNewton::write_right_hand_side(const VectorView& impulse) {
  response_.setZero();
  for (Index i = 0; i < direction_.size(); ++i)
    if (direction_[i] != 0) G_.scatter(i, direction_[i], response_);
  for (const NewtonContact& contact : contacts_) {
    double xi[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      if (!contact.uses[i]) continue;
      const Index row = contact.row_of(i);
      xi[i] = xi_[row] + G_.gather(row, response_);
      if (compliance_ > 0) xi[i] += compliance_ / contact.r(i) * direction_[row];
    }
    for (int a = 0; a < contact.unknowns; ++a) {
      double sum = 0, along = 0;
      for (int i = 0; i < 3; ++i) {
        sum -= contact.row[a][i] * xi[i];
        if (contact.has(i)) along += contact.column[a][i] * impulse[contact.row_of(i)];
      }
      x_[contact.place + a] = sum - contact.diagonal[a] * along;
    }
  }
}

const VectorMap& SparseNewton::direction(const VectorView& impulse) {
  direction_.setZero();
  for (const NewtonContact& contact : contacts_) write_known_change(impulse, contact);
  if (!factors_fit()) assemble();
  write_right_hand_side(impulse);
  J_->solve(x_);
  for (const NewtonContact& contact : contacts_)
    for (int b = 0; b < contact.unknowns; ++b)
      for (int i = 0; i < 3; ++i)
        if (contact.column[b][i] != 0)
          direction_[contact.row_of(i)] += contact.column[b][i] * x_[contact.place + b];
  return direction_;
}

}  // namespace backlash
