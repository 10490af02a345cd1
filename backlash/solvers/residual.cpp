// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backlash/solvers/contact_solution.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// ξ = G Λ + c.
void write_velocity(const ContactProblem& problem, const VectorView& impulse, Arena& scratch,
                    VectorMap& xi) {
  const Index n = xi.size();
  if (const auto* dense = std::get_if<DenseDelassus>(&problem.delassus)) {
    xi = problem.free_velocity;
    for (Index j = 0; j < n; ++j) {
      const double P = impulse[j];
      if (P == 0) continue;
      const double* G = dense->G.data() + n * j;
      for (Index i = 0; i < n; ++i) xi[i] += G[i] * P;
    }
    return;
  }
  apply(problem.delassus, impulse, scratch, xi);
  xi += problem.free_velocity;
}

void write_diagonal(const Delassus& delassus, VectorMap& diagonal) {
  if (const auto* dense = std::get_if<DenseDelassus>(&delassus)) {
    for (Index i = 0; i < diagonal.size(); ++i) diagonal[i] = dense->G(i, i);
    return;
  }
  for (Index i = 0; i < diagonal.size(); ++i) diagonal[i] = entry(delassus, i, i);
}

/// The natural map (Λ − prox(Λ − r ξ)) / r of each kind of block, in place of ξ. The block's first
/// row is row 0 of all three; `largest` is the r⁻¹ of a row that nothing can move.
struct NaturalMap {
  const double* diagonal;
  const double* impulse;
  double* xi;
  double largest;

  double inverse_r(double G) const { return G > 1e-14 * largest ? G : largest; }

  void operator()(const Bilateral&) const {}  // it is ξ itself

  void operator()(const Unilateral& law) const {
    const double scale = inverse_r(diagonal[0]);
    double trial = impulse[0] - xi[0] / scale;
    project(law, VectorMap(&trial, 1));
    xi[0] = (impulse[0] - trial) * scale;
  }

  void operator()(const Coulomb& law) const {
    const double normal = inverse_r(diagonal[0]);
    const double tangent = mean(1, law.tangents);
    double trial[3] = {impulse[0] - xi[0] / normal};
    for (int i = 1; i <= law.tangents; ++i) trial[i] = impulse[i] - xi[i] / tangent;
    project(law, VectorMap(trial, 1 + law.tangents));
    xi[0] = (impulse[0] - trial[0]) * normal;
    for (int i = 1; i <= law.tangents; ++i) xi[i] = (impulse[i] - trial[i]) * tangent;
  }

  void operator()(const Relay& law) const {
    const double tangent = mean(0, law.rows);
    double trial[2];
    for (int i = 0; i < law.rows; ++i) trial[i] = impulse[i] - xi[i] / tangent;
    project(law, VectorMap(trial, law.rows));
    for (int i = 0; i < law.rows; ++i) xi[i] = (impulse[i] - trial[i]) * tangent;
  }

  /// r⁻¹ of the tangents: that of their mean, so that a disk stays a disk.
  double mean(int first, int count) const {
    double sum = 0;
    for (int i = first; i < first + count; ++i) sum += diagonal[i];
    return inverse_r(count == 2 ? sum / 2 : sum);
  }
};

double norm_in_metres(const ContactProblem& problem, const double* velocity) {
  const Index n = problem.free_velocity.size();
  double sum = 0;
  if (problem.row_length.size() == 0) {
    for (Index i = 0; i < n; ++i) sum += velocity[i] * velocity[i];
  } else {
    for (Index i = 0; i < n; ++i) {
      const double v = velocity[i] * problem.row_length[i];
      sum += v * v;
    }
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
  return std::max(norm_in_metres(problem, problem.free_velocity.data()), problem.velocity_scale);
}

double absolute_residual(const ContactProblem& problem, const VectorView& impulse,
                         Arena& scratch) {
  const Index n = problem.free_velocity.size();
  if (n == 0) return 0;
  Arena::Frame frame(scratch);
  VectorMap xi = frame.vector(n), diagonal = frame.vector(n);
  write_velocity(problem, impulse, scratch, xi);
  if (!std::isfinite(xi.sum())) return std::numeric_limits<double>::infinity();
  write_diagonal(problem.delassus, diagonal);
  double largest = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, diagonal[i]);
  if (!(largest > 0)) largest = 1;
  for (const LawBlock& block : problem.blocks)
    std::visit(NaturalMap{diagonal.data() + block.first, impulse.data() + block.first,
                          xi.data() + block.first, largest},
               block.law);
  const double norm = norm_in_metres(problem, xi.data());
  return std::isnan(norm) ? std::numeric_limits<double>::infinity() : norm;
}

Residual residual(const ContactProblem& problem, const VectorView& impulse, Arena& scratch) {
  const double absolute = absolute_residual(problem, impulse, scratch);
  return {absolute, absolute == 0 ? 0 : absolute / velocity_scale(problem)};
}

Residual residual(const ContactProblem& problem, const VectorView& impulse) {
  Arena scratch;
  return residual(problem, impulse, scratch);
}

}  // namespace backlash
