// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/lemke.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "backlash/solvers/contact_modes.h"
#include "backlash/solvers/judge.h"
#include "backlash/solvers/lcp.h"
#include "backlash/solvers/residual.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// y = A x + b with, for each contact in turn (what it does not have is left out):
/// split  x = (Λ_N, Λ_R, ξ_L),      y = (ξ_N, ξ_R, Λ_L),                       Λ_T = Λ_R − μ Λ_N −
/// a; cone   x = (Λ_N, β_1 … β_k, s),  y = (ξ_N, d_jᵀξ_T + s, μ Λ_N + a − Σβ_j),  Λ_T = Σ β_j d_j.
/// Impulses are in units of S⁻¹ and velocities in units of S v, S² = 1/G_ii, v = ‖c‖.
class ContactLcp {
 public:
  ContactLcp(const ReducedProblem& problem, const PivotOptions& options, Arena::Frame& frame)
      : problem_(problem),
        options_(options),
        S_(frame.vector(problem.c.size())),
        E_(frame.matrix(problem.c.size(), unknowns())),
        e_(frame.vector(problem.c.size())),
        A_(frame.matrix(E_.cols(), E_.cols())),
        b_(frame.vector(E_.cols())) {
    scale();
    write_impulse_map();
    write_rows();
  }

  const MatrixMap& A() const { return A_; }
  const VectorMap& b() const { return b_; }

  void write_impulse(const VectorMap& x, VectorRef impulse) const {
    for (Index i = 0; i < impulse.size(); ++i)
      impulse[i] = unit_ * S_[i] * (e_[i] + E_.row(i).dot(x));
  }

 private:
  bool split(const Contact& contact) const {
    return contact.tangents == 1 && options_.planar_friction == PlanarFriction::split;
  }
  int facets(const Contact& contact) const { return contact.tangents == 1 ? 2 : options_.facets; }

  Index friction_unknowns(const Contact& contact) const {
    if (contact.tangents == 0) return 0;
    return split(contact) ? 2 : facets(contact) + 1;
  }

  Index unknowns() const {
    Index count = 0;
    for (const Contact& contact : problem_.contacts)
      count += (contact.has_normal() ? 1 : 0) + friction_unknowns(contact);
    return count;
  }

  void scale() {
    for (const Contact& contact : problem_.contacts) {
      if (contact.has_normal()) S_[contact.normal] = std::sqrt(contact.normal_r);
      for (int i = 0; i < contact.tangents; ++i)
        S_[contact.tangent + i] = std::sqrt(contact.tangent_r);
    }
    double largest = 0;
    for (Index i = 0; i < S_.size(); ++i)
      largest = std::max(largest, std::abs(S_[i] * problem_.c[i]));
    unit_ = largest > 0 ? largest : 1;
  }

  double scaled_friction(const Contact& contact) const {
    if (!contact.has_normal()) return 0;
    return contact.friction * S_[contact.normal] / S_[contact.tangent];
  }
  double scaled_offset(const Contact& contact) const {
    return contact.offset / (unit_ * S_[contact.tangent]);
  }
  /// Component of the direction d_j of a facet.
  double direction(const Contact& contact, int facet, int component) const {
    if (contact.tangents == 1) return 1 - 2 * facet;
    const double angle = 2 * std::numbers::pi * facet / facets(contact);
    return component == 0 ? std::cos(angle) : std::sin(angle);
  }

  /// Λ = E x + e.
  void write_impulse_map() {
    E_.setZero();
    e_.setZero();
    Index column = 0;
    for (const Contact& contact : problem_.contacts) {
      const Index normal = column;
      if (contact.has_normal()) E_(contact.normal, column++) = 1;
      if (contact.tangents == 0) continue;
      if (split(contact)) {
        E_(contact.tangent, column) = 1;
        if (contact.has_normal()) E_(contact.tangent, normal) = -scaled_friction(contact);
        e_[contact.tangent] = -scaled_offset(contact);
      } else {
        for (int j = 0; j < facets(contact); ++j)
          for (int i = 0; i < contact.tangents; ++i)
            E_(contact.tangent + i, column + j) = direction(contact, j, i);
      }
      column += friction_unknowns(contact);
    }
  }

  /// Row of ξ = S G S (E x + e) + S c, scaled.
  void add_velocity(Index problem_row, double factor, Index row) {
    for (Index j = 0; j < e_.size(); ++j) {
      const double G = factor * S_[problem_row] * problem_.G(problem_row, j) * S_[j];
      if (G == 0) continue;
      A_.row(row) += G * E_.row(j);
      b_[row] += G * e_[j];
    }
    b_[row] += factor * S_[problem_row] * problem_.c[problem_row] / unit_;
  }

  void write_rows() {
    A_.setZero();
    b_.setZero();
    Index row = 0;
    for (const Contact& contact : problem_.contacts) {
      const Index normal = row;
      if (contact.has_normal()) add_velocity(contact.normal, 1, row++);
      if (contact.tangents == 0) continue;
      if (split(contact))
        write_split_rows(contact, normal, row);
      else
        write_cone_rows(contact, normal, row);
      row += friction_unknowns(contact);
    }
  }

  void write_split_rows(const Contact& contact, Index normal, Index row) {
    add_velocity(contact.tangent, 1, row);
    A_(row, row + 1) += 1;  // ξ_R = ξ_T + ξ_L
    if (contact.has_normal()) A_(row + 1, normal) = 2 * scaled_friction(contact);
    A_(row + 1, row) = -1;  // Λ_L = 2 (μ Λ_N + a) − Λ_R
    b_[row + 1] = 2 * scaled_offset(contact);
  }

  void write_cone_rows(const Contact& contact, Index normal, Index row) {
    const Index last = row + facets(contact);
    for (int j = 0; j < facets(contact); ++j) {
      for (int i = 0; i < contact.tangents; ++i)
        add_velocity(contact.tangent + i, direction(contact, j, i), row + j);
      A_(row + j, last) += 1;
      A_(last, row + j) = -1;
    }
    if (contact.has_normal()) A_(last, normal) = scaled_friction(contact);
    b_[last] = scaled_offset(contact);
  }

  const ReducedProblem& problem_;
  const PivotOptions& options_;
  VectorMap S_;
  MatrixMap E_;
  VectorMap e_;
  MatrixMap A_;
  VectorMap b_;
  double unit_ = 1;
};

/// The same modes solved anew on the original rows: pivoting leaves round-off behind.
bool accepts_refined(const ReducedProblem& problem, Arena& scratch, Judge& judge,
                     VectorMap& impulse) {
  Arena::Frame frame(scratch);
  VectorMap xi = frame.vector(impulse.size()), refined = frame.vector(impulse.size());
  std::span<Mode> modes = frame.list<Mode>(static_cast<Index>(problem.contacts.size()));
  write_velocity(problem, impulse, xi);
  read_modes(problem, impulse, xi, modes);
  return solve_in_modes(problem, modes, scratch, refined) && judge.accepts(problem, refined);
}

}  // namespace

LcpResult pivot_lemke(const ReducedProblem& problem, const PivotOptions& options, Arena& scratch,
                      VectorRef impulse) {
  Arena::Frame frame(scratch);
  const ContactLcp lcp(problem, options, frame);
  VectorMap x = frame.vector(lcp.b().size());
  const LcpResult result =
      solve_lcp(lcp.A(), lcp.b(), options.max_pivots, options.tie_tolerance, scratch, x);
  if (result.status == LcpStatus::solved) lcp.write_impulse(x, impulse);
  return result;
}

void solve_lemke(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                 ContactSolution& solution) {
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  Judge judge(problem, options, scratch, solution);
  VectorMap impulse = frame.vector(reduced.c.size());
  SolverStatus otherwise = SolverStatus::no_solution;
  if (absolute_residual(problem, solution.impulse, scratch) <= judge.absolute_tolerance())
    judge.accepts(solution.impulse);  // the guess is the solution
  using enum PlanarFriction;
  for (PivotOptions attempt : {PivotOptions{.planar_friction = split, .tie_tolerance = 1e-10},
                               PivotOptions{.planar_friction = cone, .tie_tolerance = 1e-10},
                               PivotOptions{.planar_friction = cone, .tie_tolerance = 1e-13},
                               PivotOptions{.planar_friction = cone, .tie_tolerance = 1e-7}}) {
    if (judge.solved()) break;
    attempt.facets = options.facets;
    attempt.max_pivots = options.max_iterations - solution.iterations;
    const LcpResult result = pivot_lemke(reduced, attempt, scratch, impulse);
    solution.iterations += result.pivots;
    if (result.status != LcpStatus::solved) continue;
    if (judge.accepts(reduced, impulse)) break;
    if (!reduced.planar()) {
      otherwise = SolverStatus::approximated;
      break;
    }
    if (accepts_refined(reduced, scratch, judge, impulse)) break;
  }
  judge.finish("lemke", otherwise);
}

}  // namespace backlash
