// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/factor_rows.h"
#include "backlash/solvers/sparse_lu.h"

namespace backlash {

/// A contact in Newton's linear equations: its modes at the iterate, and the unknowns x that it
/// has there, at most one for each of its rows. Rows are counted 0: normal, 1 and 2: tangents.
struct NewtonContact {
  Contact contact;
  bool pushes = false;          ///< τ_N > 0, or the row is bilateral
  bool slips = false;           ///< ‖τ_T‖ is beyond the limit
  double limit = 0;             ///< radius ρ of the friction disk [N s]
  double n[2] = {0, 0};         ///< direction of τ_T where it slips
  double shrink = 0;            ///< ρ/‖τ_T‖ where it slips
  int unknowns = 0;             ///< of the linear equations
  Eigen::Index place = 0;       ///< of the first of them
  double row[3][3] = {};        ///< row[a]: equation a as a combination of the contact's rows
  double column[3][3] = {};     ///< column[b]: the impulses that unknown b stands for
  double diagonal[3] = {};      ///< what equation a has besides G [1/kg]
  bool uses[3] = {};            ///< rows that some equation is made of
  int modes = 0, factored = 0;  ///< all modes as a number: now, and when the factors were made

  bool has(int i) const { return i == 0 ? contact.has_normal() : i <= contact.tangents; }
  Eigen::Index row_of(int i) const { return i == 0 ? contact.normal : contact.tangent + i - 1; }
  double r(int i) const { return i == 0 ? contact.normal_r : contact.tangent_r; }
};

/// Newton's linear equations at an iterate, over the contacts that push or rub only (theory 5.9 to
/// 5.12). Factors are kept as long as the modes stay the same.
class SparseNewton {
 public:
  /// Sets the r of the contacts. Lives as long as problem, contacts and frame.
  SparseNewton(const ContactProblem& problem, std::span<Contact> contacts, Arena& scratch,
               Arena::Frame& frame);

  /// Entries that the factors have if all contacts act, at most.
  double most_entries() const { return most_entries_; }

  /// ε of the proximal term, over the Delassus diagonal (theory 5.12).
  void set_proximal_term(double epsilon);

  /// δ of the compliance, over the Delassus diagonal: ξ + δ Λ/r in the place of ξ (theory 5.13).
  void set_compliance(double delta);

  /// ‖Λ − prox(Λ − r ξ)‖/r [m/s] at an impulse, in the norm of the residual.
  double evaluate(const VectorView& impulse);

  /// Newton's direction from the impulse that was evaluated last.
  const VectorMap& direction(const VectorView& impulse);

 private:
  void read_modes(const VectorView& impulse, NewtonContact& contact) const;
  double squared_residual(const VectorView& impulse, const NewtonContact& contact) const;
  void yield_to(const VectorView& impulse, const NewtonContact& contact);
  double weight(Eigen::Index row) const;
  void write_known_change(const VectorView& impulse, const NewtonContact& contact);
  bool factors_fit() const;
  void place_unknowns();
  void assemble();
  void add_columns(int k);
  void add_block(int to_contact, int from_contact);
  void write_right_hand_side(const VectorView& impulse);

  const ContactProblem& problem_;
  Arena& scratch_;
  FactorRows G_;
  std::span<NewtonContact> contacts_;
  IndexLists graph_;         ///< of each contact those that it acts on
  std::span<int> order_;     ///< of the contacts in the linear equations
  std::span<int> unknowns_;  ///< of each contact
  VectorMap xi_, response_;  ///< at the iterate
  VectorMap direction_, x_;  ///< the latter: right-hand side, then unknowns
  VectorMap columns_;        ///< M⁻¹W of three unknowns at a time; zero between uses
  std::optional<Arena::Frame> factor_frame_;
  std::optional<SparseLU> J_;
  double most_entries_ = 0;
  double proximal_term_ = 0, compliance_ = 0;
};

}  // namespace backlash
