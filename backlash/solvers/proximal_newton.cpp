// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/sparse_newton.h"
#include "backlash/solvers/sweeping.h"

namespace backlash {
namespace {

/// Further steps from within the tolerance, to win back the digits that the proximal term costs.
int polish(SparseNewton& newton, double merit, int most, VectorMap& point, VectorMap& impulse) {
  for (int k = 1; k <= most; ++k) {
    point += newton.direction(point);
    const double reached = newton.evaluate(point);
    if (!(reached < merit)) return k;
    impulse = point;
    merit = reached;
  }
  return most;
}

/// Full steps, as long as one of the last few came nearer: the modes change on the way until they
/// are those of the solution; `left` of them at most. `impulse` ends at the best point. Returns the
/// number of steps.
int take_full_sparse_steps(SparseNewton& newton, double tolerance, int left, VectorMap& point,
                           VectorMap& impulse) {
  constexpr int usual = 50, patience = 6, of_polishing = 2;
  const int most = std::min(usual, left);
  point = impulse;
  double best = newton.evaluate(point);
  int best_step = 0;
  for (int k = 1; k <= most; ++k) {
    if (k > best_step + patience) return k - 1;
    point += newton.direction(point);
    const double merit = newton.evaluate(point);
    if (!std::isfinite(merit)) return k;
    if (merit >= best) continue;
    best = merit;
    best_step = k;
    impulse = point;
    if (best <= tolerance)
      return k + polish(newton, best, std::min(of_polishing, left - k), point, impulse);
  }
  return most;
}

/// Steps that are halved until the equations hold better. Returns the number of steps.
int take_damped_sparse_steps(SparseNewton& newton, double tolerance, int left, VectorMap& point,
                             VectorMap& impulse) {
  constexpr int usual = 30;
  const int most = std::min(usual, left);
  double merit = newton.evaluate(impulse);
  for (int k = 0; k < most; ++k) {
    if (!(merit > tolerance)) return k;
    const VectorMap& direction = newton.direction(impulse);
    double reached = merit;
    for (double length = 1; length > 1e-3 && !(reached < merit); length /= 2) {
      point = impulse + length * direction;
      reached = newton.evaluate(point);
    }
    if (!(reached < merit)) return k;
    impulse = point;
    merit = reached;
  }
  return most;
}

/// Solves the problem with soft contacts and then with ever stiffer ones, each from the solution
/// before it (theory 5.13): from one that is solved for any start to the one that is asked for.
/// Where a solution is not reached, the way there is divided. `impulse` ends at the stiffest that
/// was. Returns the number of steps.
int stiffen(SparseNewton& newton, const Judge& judge, int left, VectorMap& point,
            VectorMap& reached, VectorMap& impulse) {
  constexpr double softest = 1, stiffest = 1e-10, largest_ratio = 10, smallest_ratio = 1.03;
  constexpr double precision = 1e-4;  // of the solutions on the way, beside what contacts yield
  constexpr int usual = 250;
  const int most = std::min(usual, left);
  reached = impulse;
  int steps = 0;
  double compliance = softest, solved = INFINITY, ratio = largest_ratio;
  while (steps < most && ratio > smallest_ratio && solved > stiffest) {
    newton.set_compliance(compliance);
    const double enough =
        std::max(judge.absolute_tolerance() / 2, precision * compliance * judge.scale());
    steps += take_full_sparse_steps(newton, enough, left - steps, point, impulse);
    if (newton.evaluate(impulse) > enough)
      steps += take_damped_sparse_steps(newton, enough, left - steps, point, impulse);
    if (newton.evaluate(impulse) <= enough) {
      reached = impulse;
      solved = compliance;
      ratio = std::min(largest_ratio, ratio * ratio);
    } else {
      if (solved == INFINITY) break;
      impulse = reached;
      ratio = std::sqrt(ratio);
    }
    compliance = solved / ratio;
  }
  newton.set_compliance(0);
  impulse = reached;
  return steps;
}

constexpr double most_entries = 1e8;  // of the factors

/// Rounds of all kinds of steps, each with another proximal term: a small one needs fewer steps, a
/// larger one finds its way among redundant contacts.
SolverStatus iterate_newton_rounds(const ContactProblem& problem, int iterations, Arena& scratch,
                                   Judge& judge, ContactSolution& solution) {
  constexpr double proximal_terms[] = {1e-9, 1e-6, 1e-4};
  constexpr int sweeps = 20;
  Arena::Frame frame(scratch);
  VectorMap impulse = frame.vector(solution.impulse.size());
  VectorMap point = frame.vector(solution.impulse.size());
  VectorMap reached = frame.vector(solution.impulse.size());
  impulse = solution.impulse;
  clear_frictionless_tangents(problem, impulse);
  if (judge.accepts(impulse)) return SolverStatus::solved;
  const std::span<Contact> contacts = list_contacts(problem, frame);
  SparseNewton newton(problem, contacts, scratch, frame);
  if (newton.most_entries() > most_entries) return SolverStatus::too_large;
  const double tolerance = judge.absolute_tolerance() / 2;
  const auto left = [&] { return iterations - solution.iterations; };
  for (int round = 0; left() > 0; ++round) {
    newton.set_proximal_term(proximal_terms[round % 3]);
    solution.iterations += take_full_sparse_steps(newton, tolerance, left(), point, impulse);
    if (judge.accepts(impulse)) return SolverStatus::solved;
    solution.iterations += take_damped_sparse_steps(newton, tolerance, left(), point, impulse);
    if (judge.accepts(impulse)) return SolverStatus::solved;
    if (round == 0) {
      impulse.setZero();
      solution.iterations += take_full_sparse_steps(newton, tolerance, left(), point, impulse);
      if (judge.accepts(impulse)) return SolverStatus::solved;
      solution.iterations += stiffen(newton, judge, left(), point, reached, impulse);
      solution.iterations += take_full_sparse_steps(newton, tolerance, left(), point, impulse);
      if (judge.accepts(impulse)) return SolverStatus::solved;
    }
    const int more = std::min(sweeps, left());
    sweep_gauss_seidel(problem, contacts, more, scratch, impulse);
    solution.iterations += more;
  }
  return judge.accepts(impulse) ? SolverStatus::solved : SolverStatus::iteration_limit;
}

}  // namespace

bool iterate_proximal_newton(const ContactProblem& problem, int iterations, Arena& scratch,
                             Judge& judge, ContactSolution& solution) {
  return iterate_newton_rounds(problem, iterations, scratch, judge, solution) ==
         SolverStatus::solved;
}

bool try_newton_from_guess(const ContactProblem& problem, int iterations, Arena& scratch,
                           Judge& judge, ContactSolution& solution) {
  Arena::Frame frame(scratch);
  VectorMap impulse = frame.vector(solution.impulse.size());
  VectorMap point = frame.vector(solution.impulse.size());
  impulse = solution.impulse;
  clear_frictionless_tangents(problem, impulse);
  if (judge.accepts(impulse)) return true;
  SparseNewton newton(problem, list_contacts(problem, frame), scratch, frame);
  if (newton.most_entries() > most_entries) return false;
  newton.set_proximal_term(1e-9);
  const double tolerance = judge.absolute_tolerance() / 2;
  solution.iterations +=
      take_full_sparse_steps(newton, tolerance, iterations - solution.iterations, point, impulse);
  if (judge.accepts(impulse)) return true;
  solution.iterations +=
      take_damped_sparse_steps(newton, tolerance, iterations - solution.iterations, point, impulse);
  return judge.accepts(impulse);
}

bool polish_by_newton(const ContactProblem& problem, const VectorView& impulse, int iterations,
                      Arena& scratch, Judge& judge, ContactSolution& solution) {
  Arena::Frame frame(scratch);
  VectorMap start = frame.vector(impulse.size()), point = frame.vector(impulse.size());
  start = impulse;
  SparseNewton newton(problem, list_contacts(problem, frame), scratch, frame);
  if (newton.most_entries() > most_entries) return false;
  newton.set_proximal_term(1e-9);
  solution.iterations += take_full_sparse_steps(newton, judge.absolute_tolerance() / 2,
                                                iterations - solution.iterations, point, start);
  return judge.accepts(start);
}

void solve_proximal_newton(const ContactProblem& problem, const SolverOptions& options,
                           Arena& scratch, ContactSolution& solution) {
  Judge judge(problem, options, scratch, solution);
  const SolverStatus status =
      iterate_newton_rounds(problem, options.max_iterations, scratch, judge, solution);
  judge.finish("proximal-newton", status);
}

}  // namespace backlash
