// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/newton.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"
#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/judge.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Pivots of the scaled Jacobian that are smaller count as zero.
constexpr double rank_tolerance = 1e-11;

/// Where Λ − r ξ lies for one contact, and what projecting it gives.
struct Trial {
  double normal = 0;           ///< Λ_N − r ξ_N
  double tangent[2] = {0, 0};  ///< Λ_T − r ξ_T
  double length = 0;           ///< ‖tangent‖
  double limit = 0;            ///< radius of the friction disk
  double r_n = 0, r_t = 0;

  bool bilateral = false;

  bool pushes() const { return bilateral || normal > 0; }
  bool slips() const { return length > limit; }
};

Trial trial_of(const Contact& contact, const VectorView& impulse, const VectorView& xi) {
  Trial trial;
  trial.bilateral = contact.bilateral;
  if (contact.has_normal()) {
    trial.r_n = contact.normal_r;
    trial.normal = impulse[contact.normal] - trial.r_n * xi[contact.normal];
  }
  if (contact.tangents == 0) return trial;
  trial.r_t = contact.tangent_r;
  for (int i = 0; i < contact.tangents; ++i)
    trial.tangent[i] = impulse[contact.tangent + i] - trial.r_t * xi[contact.tangent + i];
  trial.length = length_of(trial.tangent);
  trial.limit = contact.limit(std::max(0.0, trial.normal));
  return trial;
}

/// F = (Λ − prox(Λ − r ξ)) / r [m/s].
void write_equations(const ReducedProblem& problem, const VectorView& impulse, const VectorView& xi,
                     VectorRef F) {
  for (const Contact& contact : problem.contacts) {
    const Trial trial = trial_of(contact, impulse, xi);
    if (contact.has_normal())
      F[contact.normal] = trial.pushes() ? xi[contact.normal] : impulse[contact.normal] / trial.r_n;
    const double shrink = trial.slips() ? trial.limit / trial.length : 1;
    for (int i = 0; i < contact.tangents; ++i) {
      const Index row = contact.tangent + i;
      F[row] = (impulse[row] - shrink * trial.tangent[i]) / trial.r_t;
    }
  }
}

/// One row of ∂F/∂Λ for the normal of a contact.
void write_normal_row(const ReducedProblem& problem, const Contact& contact, const Trial& trial,
                      MatrixMap& J) {
  const Index row = contact.normal;
  if (trial.pushes())
    J.row(row) = problem.G.row(row);
  else
    J(row, row) = 1 / trial.r_n;
}

/// The tangent rows of ∂F/∂Λ. Slipping: prox = ρ n with n = τ/‖τ‖, so
/// ∂prox = n ∂ρ + (ρ/‖τ‖)(I − n nᵀ) ∂τ, ∂τ = I − r_T G_T, ∂ρ = μ (e_N − r_N G_N) where it pushes.
void write_tangent_rows(const ReducedProblem& problem, const Contact& contact, const Trial& trial,
                        MatrixMap& J) {
  const Index first = contact.tangent;
  const int m = contact.tangents;
  if (!trial.slips()) {
    for (int i = 0; i < m; ++i) J.row(first + i) = problem.G.row(first + i);
    return;
  }
  const double n[2] = {trial.tangent[0] / trial.length, trial.tangent[1] / trial.length};
  const double shrink = trial.limit / trial.length;
  for (int i = 0; i < m; ++i) {
    const Index row = first + i;
    J(row, row) += 1 / trial.r_t;
    for (int k = 0; k < m; ++k) {
      const double turn = shrink * ((i == k ? 1 : 0) - n[i] * n[k]);
      J.row(row) += turn * problem.G.row(first + k);
      J(row, first + k) -= turn / trial.r_t;
    }
    if (!trial.pushes()) continue;
    const double grow = contact.friction * n[i] / trial.r_t;
    J.row(row) += grow * trial.r_n * problem.G.row(contact.normal);
    J(row, contact.normal) -= grow;
  }
}

void write_jacobian(const ReducedProblem& problem, const VectorView& impulse, const VectorView& xi,
                    MatrixMap& J) {
  J.setZero();
  for (const Contact& contact : problem.contacts) {
    const Trial trial = trial_of(contact, impulse, xi);
    if (contact.has_normal()) write_normal_row(problem, contact, trial, J);
    if (contact.tangents > 0) write_tangent_rows(problem, contact, trial, J);
  }
}

/// What an iteration works on.
struct Workspace {
  Workspace(Index n, Arena::Frame& frame)
      : xi(frame.vector(n)),
        F(frame.vector(n)),
        direction(frame.vector(n)),
        J(frame.matrix(n, n)) {}

  VectorMap xi, F, direction;
  MatrixMap J;
};

/// ξ and F at an impulse; returns ‖F‖ [m/s].
double evaluate(const ReducedProblem& problem, const VectorView& impulse, Workspace& work) {
  write_velocity(problem, impulse, work.xi);
  write_equations(problem, impulse, work.xi, work.F);
  return work.F.norm();
}

double row_scale(const ReducedProblem& problem, Index i) {
  return std::sqrt(std::max(problem.G(i, i), 1e-14 * problem.largest_mobility));
}

/// J d = −F with rows and columns of J scaled by the Delassus diagonal, d = direction.
void write_scaled_system(const ReducedProblem& problem, const VectorView& impulse,
                         Workspace& work) {
  write_jacobian(problem, impulse, work.xi, work.J);
  for (Index i = 0; i < impulse.size(); ++i) {
    const double scale = row_scale(problem, i);
    work.J.col(i) /= scale;
    work.J.row(i) /= scale;
    work.direction[i] = -work.F[i] / scale;
  }
}

/// Newton's direction. Where J lacks rank (redundant contacts) some entries of it are zero.
void write_direction(const ReducedProblem& problem, const VectorView& impulse, Arena& scratch,
                     Workspace& work) {
  write_scaled_system(problem, impulse, work);
  if (!solve_lu(work.J, work.direction, rank_tolerance)) {
    write_scaled_system(problem, impulse, work);
    solve_rank_revealing(work.J, work.direction, scratch, rank_tolerance);
  }
  for (Index i = 0; i < impulse.size(); ++i) work.direction[i] /= row_scale(problem, i);
}

/// Full steps, whatever the equations do on the way: they change from mode to mode until the modes
/// are those of the solution. `impulse` ends at the best point. Returns the number of steps.
int take_full_steps(const ReducedProblem& problem, double tolerance, int steps, Arena& scratch,
                    VectorRef impulse) {
  Arena::Frame frame(scratch);
  Workspace work(impulse.size(), frame);
  VectorMap point = frame.vector(impulse.size());
  point = impulse;
  double best = evaluate(problem, point, work);
  for (int k = 0; k < steps; ++k) {
    if (!(best > tolerance)) return k;
    write_direction(problem, point, scratch, work);
    point += work.direction;
    const double merit = evaluate(problem, point, work);
    if (!std::isfinite(merit)) return k;
    if (merit >= best) continue;
    best = merit;
    impulse = point;
  }
  return steps;
}

/// Steps that are halved until the equations hold better. Returns the number of steps.
int take_damped_steps(const ReducedProblem& problem, double tolerance, int steps, Arena& scratch,
                      VectorRef impulse) {
  Arena::Frame frame(scratch);
  Workspace work(impulse.size(), frame);
  VectorMap next = frame.vector(impulse.size());
  double merit = evaluate(problem, impulse, work);
  for (int k = 0; k < steps; ++k) {
    if (!(merit > tolerance)) return k;
    write_direction(problem, impulse, scratch, work);
    double reached = merit;
    for (double length = 1; length > 1e-3 && !(reached < merit); length /= 2) {
      next = impulse + length * work.direction;
      reached = evaluate(problem, next, work);
    }
    if (!(reached < merit)) return k;
    impulse = next;
    merit = reached;
  }
  return steps;
}

}  // namespace

int iterate_newton(const ReducedProblem& problem, const NewtonLimits& limits, Arena& scratch,
                   VectorRef impulse) {
  const int full = take_full_steps(problem, limits.tolerance, std::min(limits.steps, limits.all),
                                   scratch, impulse);
  return full + take_damped_steps(problem, limits.tolerance,
                                  std::min(limits.steps, limits.all - full), scratch, impulse);
}

void solve_newton(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                  ContactSolution& solution) {
  constexpr int newton_steps = 30, sweeps = 20;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  Judge judge(problem, options, scratch, solution);
  VectorMap impulse = frame.vector(reduced.c.size());
  restrict_to(reduced, solution.impulse, impulse);
  const double tolerance = judge.absolute_tolerance() / 10;
  const auto left = [&] { return options.max_iterations - solution.iterations; };
  while (!judge.accepts(reduced, impulse) && left() > 0) {
    solution.iterations +=
        iterate_newton(reduced, {tolerance, newton_steps, left()}, scratch, impulse);
    if (judge.accepts(reduced, impulse)) break;
    const int more = std::min(sweeps, left());
    sweep_gauss_seidel(reduced, more, scratch, impulse);
    solution.iterations += more;
  }
  judge.finish("newton", SolverStatus::iteration_limit);
}

}  // namespace backlash
