// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"
#include "backlash/solvers/reduction.h"

namespace backlash {

/// Keeps the best impulse that a solver has shown it, judged by residual(), and writes the verdict:
/// `solved` is said here and nowhere else. On construction the solution's guess is made to fit
/// (zero where it has the wrong size or is not finite).
class Judge {
 public:
  Judge(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
        ContactSolution& solution);

  double scale() const { return scale_; }  ///< velocity_scale(problem) [m/s]

  /// The tolerance on the residual, in m/s.
  double absolute_tolerance() const { return tolerance_; }

  /// Look at a candidate; true if it solves the problem.
  bool accepts(const VectorView& impulse);
  bool accepts(const ReducedProblem& reduced, const VectorView& impulse);

  const ContactProblem& problem() const { return problem_; }
  const VectorBuffer& best() const { return solution_.impulse; }  ///< impulse so far [N s]
  bool solved() const { return solved_; }                         ///< by the best candidate so far
  double best_residual() const { return best_; }                  ///< [m/s]
  double last_residual() const { return last_; }                  ///< of the last candidate [m/s]

  /// Write status, residuals and the best impulse: solved, or `otherwise`.
  void finish(std::string_view method, SolverStatus otherwise);

 private:
  bool within_round_off(const VectorView& impulse) const;

  const ContactProblem& problem_;
  Arena& scratch_;
  ContactSolution& solution_;
  double scale_ = 0;      ///< velocity_scale(problem) [m/s]
  double tolerance_ = 0;  ///< [m/s]
  double round_off_ = 0;  ///< of what is summed up, that counts as solved
  double best_;           ///< smallest residual so far [m/s]
  bool solved_ = false;   ///< by the best candidate
  double last_ = 0;       ///< [m/s]
};

}  // namespace backlash
