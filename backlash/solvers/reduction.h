// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"

/// A problem as the direct solvers work on it: dense, without bilateral rows, and with all laws in
/// one form. Bilateral rows are eliminated by their own equations (theory 5.1).
namespace backlash {

/// A contact or a dry-friction element: an optional normal row, 0 ≤ Λ_N ⊥ ξ_N ≥ 0, and 0, 1 or 2
/// tangent rows with −Λ_T ∈ (μ Λ_N + a) Sgn(ξ_T). Frictionless contacts have no tangent rows.
/// A bilateral row that was not eliminated is a normal row with Λ_N of any sign and ξ_N = 0.
struct Contact {
  Eigen::Index normal = -1;   ///< row of Λ_N; −1: none (dry friction of given strength)
  Eigen::Index tangent = -1;  ///< first tangent row
  int tangents = 0;
  double friction = 0;  ///< μ
  double offset = 0;    ///< a [N s]
  bool bilateral = false;
  double normal_r = 0;   ///< r of the augmented Lagrangian, 1/G_ii of the normal row [kg]
  double tangent_r = 0;  ///< the same for the tangents, one over the mean where there are two [kg]

  bool has_normal() const { return normal >= 0; }
  double limit(double normal_impulse) const { return friction * normal_impulse + offset; }
};

/// ‖v‖ of the tangent rows; v[1] is zero where there is one row.
inline double length_of(const double v[2]) { return std::sqrt(v[0] * v[0] + v[1] * v[1]); }

struct ReducedProblem {
  MatrixMap G{nullptr, 0, 0};   ///< [1/kg]; not to be written to
  VectorMap c{nullptr, 0};      ///< [m/s]; not to be written to
  double largest_mobility = 1;  ///< largest diagonal entry of the original G [1/kg]
  std::span<Contact> contacts;

  bool planar() const;  ///< no disk in it: every contact has at most one tangent

  // What expand() and restrict() need.
  std::span<Eigen::Index> kept;        ///< row of the original problem, for each row here
  std::span<Eigen::Index> eliminated;  ///< row of the original problem, for each row of X
  MatrixMap X{nullptr, 0, 0};          ///< Λ_B = −X (Λ, 1): one row each eliminated row
};

/// The contacts of a problem in the order of its blocks, numbered by the problem's own rows:
/// bilateral rows one by one, frictionless contacts without their tangents. The r are not set.
std::span<Contact> list_contacts(const ContactProblem& problem, Arena::Frame& frame);

/// Eliminates bilateral rows by diagonal pivoting, dropping redundant ones (pivot below 1e-13 of
/// the row's own diagonal), and sets the r of all contacts: a row that nothing can move (zero on
/// the diagonal) takes that of the most mobile row. Lives as long as the frame and the problem.
ReducedProblem reduce(const ContactProblem& problem, Arena::Frame& frame);

/// The same without elimination: bilateral rows stay, as contacts that are `bilateral`. Elimination
/// loses digits where a contact can hardly move against the bilateral rows; this does not.
ReducedProblem keep_bilateral(const ContactProblem& problem, Arena::Frame& frame);

/// The impulses of the original problem.
void expand(const ReducedProblem& reduced, const VectorView& impulse, VectorRef full);

/// The rows of a full impulse that the reduced problem has.
void restrict_to(const ReducedProblem& reduced, const VectorView& full, VectorRef impulse);

/// ξ = G Λ + c.
void write_velocity(const ReducedProblem& reduced, const VectorView& impulse, VectorRef xi);

}  // namespace backlash
