// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backlash/base/input_error.h"
#include "backlash/base/linear.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// ξ = G Λ + c.
void write_velocity(const ContactProblem& problem, const VectorView& impulse, Arena& scratch,
                    VectorMap& xi) {
  if (const auto* dense = std::get_if<DenseDelassus>(&problem.delassus)) {
    xi = problem.free_velocity;
    add_product(dense->G.data(), impulse, xi);
    return;
  }
  apply(problem.delassus, impulse, scratch, xi);
  xi += problem.free_velocity;
}

/// sum += |W|ᵀ|M⁻¹W||Λ|.
void add_sizes(const BlockDelassus& G, const VectorView& impulse, Arena::Frame& frame,
               VectorMap& sum) {
  VectorMap response = frame.vector(G.velocities);
  response.setZero();
  const auto visit = [&](auto change) {
    for (Index i = 0; i < sum.size(); ++i)
      for (Index e = G.first[at(i)]; e < G.first[at(i + 1)]; ++e)
        change(i, at(e), response[G.velocity[at(e)]]);
  };
  visit([&](Index i, std::size_t e, double& velocity) {
    velocity += std::abs(G.mass_inverse_W[e] * impulse[i]);
  });
  visit([&](Index i, std::size_t e, double velocity) { sum[i] += std::abs(G.W[e]) * velocity; });
}

/// 1/r of each row: the Delassus diagonal, or its largest entry for a row that nothing can move.
void write_inverse_r(const Delassus& delassus, VectorMap& inverse_r) {
  const Index n = inverse_r.size();
  double largest = 0;
  const auto* dense = std::get_if<DenseDelassus>(&delassus);
  for (Index i = 0; i < n; ++i) {
    inverse_r[i] = dense ? dense->G.data()[i * n + i] : entry(delassus, i, i);
    largest = std::max(largest, inverse_r[i]);
  }
  if (!(largest > 0)) largest = 1;
  for (Index i = 0; i < n; ++i)
    if (!(inverse_r[i] > 1e-14 * largest)) inverse_r[i] = largest;
}

/// The natural map (Λ − prox(Λ − r ξ)) / r of each kind of block, in place of ξ. The block's first
/// row is row 0 of all three.
struct NaturalMap {
  const double* inverse_r;  ///< 1/r [1/kg]
  const double* impulse;
  double* xi;

  void operator()(const Bilateral&) const {}  // it is ξ itself

  void operator()(const Unilateral& law) const {
    const double r = 1 / inverse_r[0];
    double trial = impulse[0] - r * xi[0];
    project(law, VectorMap(&trial, 1));
    xi[0] = (impulse[0] - trial) * inverse_r[0];
  }

  void operator()(const Coulomb& law) const {
    const double r_N = 1 / inverse_r[0];
    const double inverse_r_T = mean(1, law.tangents), r_T = 1 / inverse_r_T;
    double trial[3] = {impulse[0] - r_N * xi[0]};
    for (int i = 1; i <= law.tangents; ++i) trial[i] = impulse[i] - r_T * xi[i];
    project(law, VectorMap(trial, 1 + law.tangents));
    xi[0] = (impulse[0] - trial[0]) * inverse_r[0];
    for (int i = 1; i <= law.tangents; ++i) xi[i] = (impulse[i] - trial[i]) * inverse_r_T;
  }

  void operator()(const Relay& law) const {
    const double inverse_r_T = mean(0, law.rows), r_T = 1 / inverse_r_T;
    double trial[2];
    for (int i = 0; i < law.rows; ++i) trial[i] = impulse[i] - r_T * xi[i];
    project(law, VectorMap(trial, law.rows));
    for (int i = 0; i < law.rows; ++i) xi[i] = (impulse[i] - trial[i]) * inverse_r_T;
  }

  /// One for both tangents, so that a disk stays a disk.
  double mean(int first, int count) const {
    return count == 1 ? inverse_r[first] : (inverse_r[first] + inverse_r[first + 1]) / 2;
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

double absolute_residual(const ContactProblem& problem, const VectorView& impulse, Arena& scratch) {
  const Index n = problem.free_velocity.size();
  if (n == 0) return 0;
  Arena::Frame frame(scratch);
  VectorMap xi = frame.vector(n), inverse_r = frame.vector(n);
  write_velocity(problem, impulse, scratch, xi);
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += xi[i];
  if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  write_inverse_r(problem.delassus, inverse_r);
  for (const LawBlock& block : problem.blocks)
    std::visit(NaturalMap{inverse_r.data() + block.first, impulse.data() + block.first,
                          xi.data() + block.first},
               block.law);
  const double norm = norm_in_metres(problem, xi.data());
  return std::isnan(norm) ? std::numeric_limits<double>::infinity() : norm;
}

double size_of_sums(const ContactProblem& problem, const VectorView& impulse, Arena& scratch) {
  const Index n = problem.free_velocity.size();
  Arena::Frame frame(scratch);
  VectorMap sum = frame.vector(n);
  sum = problem.free_velocity.cwiseAbs();
  if (const auto* dense = std::get_if<DenseDelassus>(&problem.delassus))
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) sum[i] += std::abs(dense->G(i, j) * impulse[j]);
  else
    add_sizes(std::get<BlockDelassus>(problem.delassus), impulse, frame, sum);
  return norm_in_metres(problem, sum.data());
}

Residual residual(const ContactProblem& problem, const VectorView& impulse, Arena& scratch) {
  const double absolute = absolute_residual(problem, impulse, scratch);
  return {absolute, absolute == 0 ? 0 : absolute / velocity_scale(problem)};
}

Residual residual(const ContactProblem& problem, const VectorView& impulse) {
  validate(problem);
  require_size(impulse.size(), problem.free_velocity.size(), "impulse (rows of the problem)");
  Arena scratch;
  return residual(problem, impulse, scratch);
}

}  // namespace backlash
