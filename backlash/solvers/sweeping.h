// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>

#include "backlash/solvers/judge.h"
#include "backlash/solvers/reduction.h"

/// What the iterative solvers sweep over: a matrix whose bilateral rows are eliminated, or factors
/// whose bilateral rows are treated as they come.
namespace backlash {

/// A Delassus matrix in borrowed memory, with the functions of a Delassus operator.
struct BorrowedMatrix {
  MatrixMap G;

  Eigen::Index response_size() const { return G.rows(); }
  double entry(Eigen::Index i, Eigen::Index j) const { return G(i, j); }
  void scatter(Eigen::Index row, double impulse, VectorMap& response) const {
    for (Eigen::Index i = 0; i < G.rows(); ++i) response[i] += G(i, row) * impulse;
  }
  double gather(Eigen::Index row, const VectorMap& response) const { return response[row]; }
  double row_sum(Eigen::Index row) const { return G.row(row).cwiseAbs().sum(); }
};

/// The factors of a Delassus operator in the same words.
struct BorrowedFactors {
  const BlockDelassus& factors;

  Eigen::Index response_size() const { return factors.velocities; }
  double entry(Eigen::Index i, Eigen::Index j) const { return backlash::entry(factors, i, j); }
  void scatter(Eigen::Index row, double impulse, VectorMap& response) const {
    for (Eigen::Index e = factors.first[at(row)]; e < factors.first[at(row + 1)]; ++e)
      response[factors.velocity[at(e)]] += factors.mass_inverse_W[at(e)] * impulse;
  }
  double gather(Eigen::Index row, const VectorMap& response) const {
    double sum = 0;
    for (Eigen::Index e = factors.first[at(row)]; e < factors.first[at(row + 1)]; ++e)
      sum += factors.W[at(e)] * response[factors.velocity[at(e)]];
    return sum;
  }
  double row_sum(Eigen::Index row) const {
    double sum = 0;
    for (Eigen::Index j = 0; j < factors.rows(); ++j) sum += std::abs(entry(row, j));
    return sum;
  }
};

template <class Operator>
struct SweepProblem {
  Operator G;
  VectorMap c;
  std::span<const Contact> contacts;
};

/// response = what the impulse brings about.
template <class Operator>
void fill_response(const SweepProblem<Operator>& problem, const VectorView& impulse,
                   VectorMap& response) {
  response.setZero();
  for (Eigen::Index i = 0; i < impulse.size(); ++i)
    if (impulse[i] != 0) problem.G.scatter(i, impulse[i], response);
}

/// Rows that no contact of list_contacts() owns have no impulse.
inline void clear_frictionless_tangents(const ContactProblem& problem, VectorMap& impulse) {
  for (const LawBlock& block : problem.blocks)
    if (const auto* law = std::get_if<Coulomb>(&block.law); law && law->friction == 0)
      impulse.segment(block.first + 1, law->tangents).setZero();
}

/// Calls iterate(sweep_problem, impulse, accepts) with the form that suits the problem, where
/// `accepts` shows an impulse of that form to the judge.
template <class Iterate>
void iterate_on(const ContactProblem& problem, Arena& scratch, Judge& judge,
                ContactSolution& solution, Iterate iterate) {
  Arena::Frame frame(scratch);
  const Eigen::Index n = problem.free_velocity.size();
  if (const auto* factors = std::get_if<BlockDelassus>(&problem.delassus)) {
    VectorMap impulse = frame.vector(n);
    impulse = solution.impulse;
    clear_frictionless_tangents(problem, impulse);
    const VectorMap c(const_cast<double*>(problem.free_velocity.data()), n);
    iterate(SweepProblem<BorrowedFactors>{{*factors}, c, list_contacts(problem, frame)}, impulse,
            [&] { return judge.accepts(impulse); });
    return;
  }
  const ReducedProblem reduced = reduce(problem, frame);
  VectorMap impulse = frame.vector(reduced.c.size());
  restrict_to(reduced, solution.impulse, impulse);
  iterate(SweepProblem<BorrowedMatrix>{{reduced.G}, reduced.c, reduced.contacts}, impulse,
          [&] { return judge.accepts(reduced, impulse); });
}

}  // namespace backlash
