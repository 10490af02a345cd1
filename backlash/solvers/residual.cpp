// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/residual.h"

#include <algorithm>
#include <cmath>

#include "backlash/solvers/contact_solution.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// ξ = G Λ + c.
void write_velocity(const ContactProblem& problem, const VectorView& impulse, Arena& scratch,
                    VectorRef xi) {
  if (const auto* dense = std::get_if<DenseDelassus>(&problem.delassus)) {
    xi = problem.free_velocity;
    for (Index j = 0; j < impulse.size(); ++j) {
      const double P = impulse[j];
      if (P == 0) continue;
      for (Index i = 0; i < xi.size(); ++i) xi[i] += dense->G(i, j) * P;
    }
    return;
  }
  apply(problem.delassus, impulse, scratch, xi);
  xi += problem.free_velocity;
}

/// The natural map of one block: Λ − prox(Λ − r ξ), over r, in place of ξ. A row that nothing can
/// move (zero on the diagonal) is judged with the r of the row that moves most easily.
void write_natural_map(const LawBlock& block, const VectorView& diagonal, double largest,
                       const VectorView& impulse, VectorRef xi) {
  const Index n = xi.size();
  const auto r_of = [&](double G) { return 1 / (G > 1e-14 * largest ? G : largest); };
  if (std::holds_alternative<Bilateral>(block.law)) return;  // the map is ξ itself
  double trial_memory[3], r[3];
  const Index tangents_from = std::holds_alternative<Relay>(block.law) ? 0 : 1;
  double mean = 0;
  for (Index i = tangents_from; i < n; ++i) mean += diagonal[i] / double(n - tangents_from);
  for (Index i = 0; i < n; ++i) {
    r[i] = r_of(i < tangents_from ? diagonal[i] : mean);
    trial_memory[i] = impulse[i] - r[i] * xi[i];
  }
  project(block.law, VectorMap(trial_memory, n));
  for (Index i = 0; i < n; ++i) xi[i] = (impulse[i] - trial_memory[i]) / r[i];
}

double norm_in_metres(const ContactProblem& problem, const VectorView& velocity) {
  double sum = 0;
  for (Index i = 0; i < velocity.size(); ++i) {
    const double length = problem.row_length.size() == 0 ? 1 : problem.row_length[i];
    sum += velocity[i] * velocity[i] * length * length;
  }
  return std::sqrt(sum);
}

}  // namespace

std::string_view name(SolverStatus status) {
  switch (status) {
    case SolverStatus::solved:
      return "solved";
    case SolverStatus::approximated:
      return "approximated";
    case SolverStatus::iteration_limit:
      return "iteration limit";
    case SolverStatus::no_solution:
      return "no solution found";
    case SolverStatus::too_large:
      return "too large";
  }
  return "?";
}

double velocity_scale(const ContactProblem& problem) {
  return std::max(norm_in_metres(problem, problem.free_velocity), problem.velocity_scale);
}

Residual residual(const ContactProblem& problem, const VectorView& impulse, Arena& scratch) {
  const Index n = problem.free_velocity.size();
  if (n == 0) return {};
  Arena::Frame frame(scratch);
  VectorMap xi = frame.vector(n), diagonal = frame.vector(n);
  write_velocity(problem, impulse, scratch, xi);
  for (Index i = 0; i < n; ++i) diagonal[i] = entry(problem.delassus, i, i);
  double largest = diagonal.maxCoeff();
  if (!(largest > 0)) largest = 1;
  for (const LawBlock& block : problem.blocks) {
    const Index m = rows(block.law);
    write_natural_map(block, diagonal.segment(block.first, m), largest,
                      impulse.segment(block.first, m), xi.segment(block.first, m));
  }
  Residual result;
  result.absolute = norm_in_metres(problem, xi);
  const double scale = velocity_scale(problem);
  result.relative = result.absolute == 0 ? 0 : result.absolute / scale;
  if (std::isnan(result.absolute)) result.relative = result.absolute = INFINITY;
  return result;
}

Residual residual(const ContactProblem& problem, const VectorView& impulse) {
  Arena scratch;
  return residual(problem, impulse, scratch);
}

}  // namespace backlash
