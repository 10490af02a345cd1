// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/rolling.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backlash/base/fixed_point.h"
#include "backlash/solvers/residual.h"

namespace backlash {
namespace {

double& limit_of(ContactProblem& problem, const RollingLimit& rolling) {
  return std::get<Relay>(problem.blocks[rolling.relay].law).limit;
}

double found_limit(const RollingLimit& rolling, const VectorView& impulse) {
  return rolling.coefficient * std::max(0.0, impulse[rolling.normal]);
}

/// A limit that is assumed, and what was left over in the round before.
struct AssumedLimit {
  double limit = 0, excess = 0, move = 0;
};

/// Better limits, from those that were found with the last ones (theory 5.24).
void improve(std::span<const RollingLimit> rolling, const VectorView& impulse, bool first,
             std::span<AssumedLimit> assumed) {
  for (std::size_t k = 0; k < rolling.size(); ++k) {
    AssumedLimit& a = assumed[k];
    const double excess = found_limit(rolling[k], impulse) - a.limit;
    const double part = first ? 1 : secant_part(a.move, a.excess, excess);
    a.move = std::max(part * excess, -a.limit);
    a.limit += a.move;
    a.excess = excess;
  }
}

}  // namespace

void set_rolling_limits(std::span<const RollingLimit> rolling, const VectorView& impulse,
                        ContactProblem& problem) {
  for (const RollingLimit& r : rolling) limit_of(problem, r) = found_limit(r, impulse);
}

void solve_rolling(const SolverEntry& solver, std::span<const RollingLimit> rolling,
                   const SolverOptions& options, Arena& scratch, ContactProblem& problem,
                   ContactSolution& solution) {
  if (rolling.empty()) return solver.solve(problem, options, scratch, solution);
  constexpr int most_rounds = 200;
  std::vector<AssumedLimit> assumed(rolling.size());
  if (solution.impulse.size() == problem.free_velocity.size())
    for (std::size_t k = 0; k < rolling.size(); ++k)
      assumed[k].limit = found_limit(rolling[k], solution.impulse);
  SolverOptions round_options = options;
  round_options.tolerance = options.tolerance / 2;  // the rest is for the limits
  int iterations = 0;
  for (int round = 0; round < most_rounds && iterations < options.max_iterations; ++round) {
    for (std::size_t k = 0; k < rolling.size(); ++k)
      limit_of(problem, rolling[k]) = assumed[k].limit;
    round_options.max_iterations = options.max_iterations - iterations;
    solver.solve(problem, round_options, scratch, solution);
    iterations += std::max(1, solution.iterations);
    if (!std::isfinite(solution.residual)) break;
    const bool approximated = solution.status == SolverStatus::approximated;
    if (solution.status != SolverStatus::solved && !approximated) break;
    set_rolling_limits(rolling, solution.impulse, problem);
    const Residual judged = residual(problem, solution.impulse, scratch);
    solution.residual = judged.absolute;
    solution.relative_residual = judged.relative;
    solution.status = judged.relative <= options.tolerance ? SolverStatus::solved
                      : approximated                       ? SolverStatus::approximated
                                                           : SolverStatus::iteration_limit;
    if (solution.status == SolverStatus::solved) break;
    improve(rolling, solution.impulse, round == 0, assumed);
  }
  solution.iterations = iterations;
}

}  // namespace backlash
