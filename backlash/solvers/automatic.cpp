// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/automatic.h"

#include <algorithm>

#include "backlash/solvers/contact_modes.h"
#include "backlash/solvers/enumeration.h"
#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/judge.h"
#include "backlash/solvers/lemke.h"
#include "backlash/solvers/newton.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Guess the modes, solve, read the modes off the answer, until they stay as they were.
bool solve_by_modes(const ReducedProblem& reduced, Arena& scratch, Judge& judge, int& iterations,
                    VectorMap& impulse) {
  constexpr int corrections = 12;
  Arena::Frame frame(scratch);
  const auto contacts = static_cast<Index>(reduced.contacts.size());
  VectorMap xi = frame.vector(impulse.size());
  std::span<Mode> modes = frame.list<Mode>(contacts), next = frame.list<Mode>(contacts);
  write_velocity(reduced, impulse, xi);
  read_modes(reduced, impulse, xi, modes);
  for (int k = 0; k < corrections; ++k) {
    ++iterations;
    if (!solve_in_modes(reduced, modes, scratch, impulse)) return false;
    write_velocity(reduced, impulse, xi);
    read_modes(reduced, impulse, xi, next);
    if (std::equal(modes.begin(), modes.end(), next.begin()))
      return judge.accepts(reduced, impulse);
    std::copy(next.begin(), next.end(), modes.begin());
  }
  return false;
}

bool solve_by_newton(const ReducedProblem& reduced, int steps, Arena& scratch, Judge& judge,
                     int& iterations, VectorMap& impulse) {
  iterations += iterate_newton(reduced, judge.absolute_tolerance() / 10, steps, scratch, impulse);
  return judge.accepts(reduced, impulse);
}

/// Lemke on the whole problem; in space Newton goes on from there.
bool solve_by_lemke(const ContactProblem& problem, const ReducedProblem& reduced,
                    const SolverOptions& options, Arena& scratch, Judge& judge, int& iterations,
                    VectorMap& impulse) {
  ContactSolution attempt;
  solve_lemke(problem, options, scratch, attempt);
  iterations += attempt.iterations;
  if (judge.accepts(attempt.impulse)) return true;
  if (attempt.status != SolverStatus::approximated) return false;
  restrict_to(reduced, attempt.impulse, impulse);
  return solve_by_newton(reduced, 50, scratch, judge, iterations, impulse);
}

bool solve_by_sweeps(const ReducedProblem& reduced, const SolverOptions& options, Arena& scratch,
                     Judge& judge, int& iterations, VectorMap& impulse) {
  constexpr int sweeps = 100;
  Arena::Frame frame(scratch);
  VectorMap trial = frame.vector(impulse.size());
  while (iterations < options.max_iterations) {
    sweep_gauss_seidel(reduced, sweeps, scratch, impulse);
    iterations += sweeps;
    if (judge.accepts(reduced, impulse)) return true;
    trial = impulse;
    if (solve_by_newton(reduced, 30, scratch, judge, iterations, trial)) return true;
  }
  return false;
}

bool solve_by_chain(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                    Judge& judge, ContactSolution& solution) {
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  int& iterations = solution.iterations;
  VectorMap guess = frame.vector(reduced.c.size()), impulse = frame.vector(reduced.c.size());
  restrict_to(reduced, solution.impulse, guess);
  impulse = guess;
  if (solve_by_modes(reduced, scratch, judge, iterations, impulse)) return true;
  impulse = guess;
  if (solve_by_newton(reduced, 30, scratch, judge, iterations, impulse)) return true;
  if (solve_by_lemke(problem, reduced, options, scratch, judge, iterations, impulse)) return true;
  impulse = guess;
  if (solve_by_sweeps(reduced, options, scratch, judge, iterations, impulse)) return true;
  ContactSolution attempt;
  solve_enumeration(problem, options, scratch, attempt);
  return judge.accepts(attempt.impulse);
}

}  // namespace

void solve_automatic(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                     ContactSolution& solution) {
  constexpr Index largest_direct = 600;
  if (std::holds_alternative<BlockDelassus>(problem.delassus) ||
      problem.free_velocity.size() > largest_direct) {
    solve_gauss_seidel(problem, options, scratch, solution);
    return;
  }
  Judge judge(problem, options, scratch, solution);
  const bool solved = solve_by_chain(problem, options, scratch, judge, solution);
  judge.conclude("auto", solved ? SolverStatus::solved : SolverStatus::iteration_limit);
}

}  // namespace backlash
