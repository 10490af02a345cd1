// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/judge.h"

#include <limits>

#include "backlash/solvers/residual.h"

namespace backlash {

Judge::Judge(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
             ContactSolution& solution)
    : problem_(problem),
      scratch_(scratch),
      solution_(solution),
      scale_(velocity_scale(problem)),
      tolerance_(options.tolerance * scale_),
      best_(std::numeric_limits<double>::infinity()) {
  if (solution.impulse.size() != problem.free_velocity.size() || !solution.impulse.allFinite()) {
    solution.impulse.resize(problem.free_velocity.size());
    solution.impulse.setZero();
  }
  solution.iterations = 0;
}

bool Judge::accepts(const VectorView& impulse) {
  last_ = residual(problem_, impulse, scratch_).absolute;
  if (last_ < best_) {
    best_ = last_;
    solution_.impulse = impulse;
  }
  return best_ <= tolerance_;
}

bool Judge::accepts(const ReducedProblem& reduced, const VectorView& impulse) {
  Arena::Frame frame(scratch_);
  VectorMap full = frame.vector(problem_.free_velocity.size());
  expand(reduced, impulse, full);
  return accepts(full);
}

void Judge::conclude(std::string_view method, SolverStatus otherwise) {
  solution_.method = method;
  solution_.residual = best_;
  solution_.relative_residual = best_ == 0 ? 0 : best_ / scale_;
  solution_.status = best_ <= tolerance_ ? SolverStatus::solved : otherwise;
}

}  // namespace backlash
