// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/judge.h"

#include <cmath>
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
      round_off_(options.round_off * std::numeric_limits<double>::epsilon()),
      best_(std::numeric_limits<double>::infinity()) {
  const bool fits = solution.impulse.size() == problem.free_velocity.size();
  if (!fits) solution.impulse.resize(problem.free_velocity.size());
  // Without free velocities no impulse is needed, and there is no scale to judge another one by.
  if (!fits || scale_ == 0 || !solution.impulse.allFinite()) solution.impulse.setZero();
  solution.iterations = 0;
}

/// Whether the residual is what rounding in G Λ + c leaves of it (theory 5.18). It is looked at
/// where the residual is small anyway.
bool Judge::within_round_off(const VectorView& impulse) const {
  constexpr double largest = 1e-8;  // relative residual
  return round_off_ > 0 && last_ <= largest * scale_ &&
         last_ <= round_off_ * size_of_sums(problem_, impulse, scratch_);
}

bool Judge::accepts(const VectorView& impulse) {
  last_ = absolute_residual(problem_, impulse, scratch_);
  if (last_ < best_) {
    best_ = last_;
    solution_.impulse = impulse;
    solved_ = std::isfinite(best_) && (best_ <= tolerance_ || within_round_off(impulse));
  }
  return solved_;
}

bool Judge::accepts(const ReducedProblem& reduced, const VectorView& impulse) {
  if (impulse.size() == problem_.free_velocity.size()) return accepts(impulse);
  Arena::Frame frame(scratch_);
  VectorMap full = frame.vector(problem_.free_velocity.size());
  expand(reduced, impulse, full);
  return accepts(full);
}

void Judge::finish(std::string_view method, SolverStatus otherwise) {
  solution_.method = method;
  solution_.residual = best_;
  solution_.relative_residual = best_ == 0 ? 0 : best_ / scale_;
  solution_.status = solved() ? SolverStatus::solved : otherwise;
}

}  // namespace backlash
