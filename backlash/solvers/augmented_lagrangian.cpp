// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/augmented_lagrangian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backlash/solvers/sweeping.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

double inverse(double G) { return G > 0 ? 1 / G : 0; }

/// r of one row for each strategy. `global`: under 1/λ_max, for the largest row sum bounds λ_max.
/// `per_contact`: 1/G_ii where the diagonal dominates its row, else one over the row sum [Förg].
/// `adaptive` starts from 1/G_ii.
template <class Operator>
void write_r(const SweepProblem<Operator>& problem, RFactor strategy, VectorMap& r) {
  double largest = 0;
  for (Index i = 0; i < r.size(); ++i) {
    const double diagonal = problem.G.entry(i, i);
    if (strategy == RFactor::adaptive) {
      r[i] = inverse(diagonal);
      continue;
    }
    const double sum = problem.G.row_sum(i);
    largest = std::max(largest, sum);
    r[i] = 2 * diagonal > sum ? inverse(diagonal) : inverse(sum);
  }
  if (strategy == RFactor::global) r.setConstant(inverse(largest));
  for (const Contact& contact : problem.contacts)  // the disk stays a disk
    if (contact.tangents == 2)
      r[contact.tangent] = r[contact.tangent + 1] =
          std::min(r[contact.tangent], r[contact.tangent + 1]);
}

/// next = prox(Λ − s r ξ), all rows from the same ξ.
template <class Operator>
void iterate_once(const SweepProblem<Operator>& problem, const VectorMap& scaled_r,
                  const VectorMap& response, const VectorMap& impulse, VectorMap& next) {
  const auto trial = [&](Index row) {
    return impulse[row] - scaled_r[row] * (problem.c[row] + problem.G.gather(row, response));
  };
  for (const Contact& contact : problem.contacts) {
    double normal = 0;
    if (contact.has_normal()) {
      normal = trial(contact.normal);
      if (!contact.bilateral) normal = std::max(0.0, normal);
      next[contact.normal] = normal;
    }
    if (contact.tangents == 0) continue;
    const double limit = contact.limit(normal);
    double tangent[2] = {0, 0};
    for (int i = 0; i < contact.tangents; ++i) tangent[i] = trial(contact.tangent + i);
    const double length = length_of(tangent);
    const double shrink = length > limit ? limit / length : 1;
    for (int i = 0; i < contact.tangents; ++i) next[contact.tangent + i] = shrink * tangent[i];
  }
}

/// The largest eigenvalue of diag(r) G, roughly, by a few steps of the power method.
template <class Operator>
double largest_eigenvalue(const SweepProblem<Operator>& problem, const VectorMap& r,
                          VectorMap& response, Arena& scratch) {
  constexpr int steps = 15;
  Arena::Frame frame(scratch);
  VectorMap x = frame.vector(r.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = 1 + 0.1 * static_cast<double>(i % 7);
  double eigenvalue = 1;
  for (int k = 0; k < steps; ++k) {
    x /= x.norm();
    fill_response(problem, x, response);
    for (Index i = 0; i < x.size(); ++i) x[i] = r[i] * problem.G.gather(i, response);
    eigenvalue = x.norm();
    if (!(eigenvalue > 0)) return 1;
  }
  return eigenvalue;
}

/// Moves from iterate to iterate. `global` and `per_contact`: Λ + ω (next − Λ), ω the relaxation.
/// `adaptive`: with Nesterov's momentum, which starts anew where it leads uphill, and with a factor
/// s on all r that begins at 1/λ_max and falls where the residual still grows.
class Stride {
 public:
  Stride(const SolverOptions& options, double s)
      : adaptive_(options.r_factor == RFactor::adaptive),
        omega_(options.relaxation),
        s_(s),
        smallest_(1e-3 * s) {}

  double s() const { return s_; }

  /// `impulse` = the iterate after `next = prox(point − s r ξ(point))`; `point` = where to go on.
  void advance(const VectorMap& r, const VectorMap& next, VectorMap& point, VectorMap& impulse) {
    if (!adaptive_) {
      impulse += omega_ * (next - impulse);
      point = impulse;
      return;
    }
    double uphill = 0;  // (point − next)ᵀ r⁻¹ (next − impulse)
    for (Index i = 0; i < next.size(); ++i)
      if (r[i] > 0) uphill += (point[i] - next[i]) * (next[i] - impulse[i]) / r[i];
    if (uphill > 0) momentum_ = 1;
    const double following = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
    point = next + (momentum_ - 1) / following * (next - impulse);
    momentum_ = following;
    impulse = next;
  }

  /// Looks at the residual now and then.
  void observe(int iteration, double residual) {
    constexpr int between = 50;
    if (!adaptive_ || iteration % between != 0) return;
    if (!(residual < last_)) {
      s_ = std::max(smallest_, 0.7 * s_);
      momentum_ = 1;
    }
    last_ = residual;
  }

 private:
  bool adaptive_;
  double omega_;
  double s_, smallest_;
  double momentum_ = 1;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void solve_augmented_lagrangian(const ContactProblem& problem, const SolverOptions& options,
                                Arena& scratch, ContactSolution& solution) {
  Judge judge(problem, options, scratch, solution);
  iterate_on(
      problem, scratch, judge, solution, [&](const auto& swept, VectorMap& impulse, auto accepts) {
        Arena::Frame frame(scratch);
        const Index n = impulse.size();
        VectorMap response = frame.vector(swept.G.response_size()), r = frame.vector(n),
                  scaled_r = frame.vector(n), point = frame.vector(n), next = frame.vector(n);
        write_r(swept, options.r_factor, r);
        const bool adaptive = options.r_factor == RFactor::adaptive;
        Stride stride(options, adaptive ? 1 / largest_eigenvalue(swept, r, response, scratch) : 1);
        point = next = impulse;
        while (!accepts() && solution.iterations < options.max_iterations) {
          fill_response(swept, point, response);
          scaled_r = stride.s() * r;
          iterate_once(swept, scaled_r, response, point, next);
          stride.advance(r, next, point, impulse);
          stride.observe(++solution.iterations, judge.last_residual());
        }
      });
  judge.finish("augmented-lagrangian", SolverStatus::iteration_limit);
}

}  // namespace backlash
