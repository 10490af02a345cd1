// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/augmented_lagrangian.h"

#include <algorithm>
#include <cmath>

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

/// Λ = prox(Λ − s r ξ), all rows from the same ξ.
template <class Operator>
void iterate_once(const SweepProblem<Operator>& problem, const VectorMap& r, double s,
                  double relaxation, const VectorMap& carrier, VectorMap& impulse) {
  const auto trial = [&](Index row) {
    return impulse[row] - s * r[row] * (problem.c[row] + problem.G.gather(row, carrier));
  };
  const auto move = [&](Index row, double target) {
    impulse[row] += relaxation * (target - impulse[row]);
  };
  for (const Contact& contact : problem.contacts) {
    double normal = 0;
    if (contact.has_normal()) {
      normal = trial(contact.normal);
      if (!contact.bilateral) normal = std::max(0.0, normal);
      move(contact.normal, normal);
    }
    if (contact.tangents == 0) continue;
    const double limit = contact.limit(normal);
    double tangent[2] = {0, 0};
    for (int i = 0; i < contact.tangents; ++i) tangent[i] = trial(contact.tangent + i);
    const double length = length_of(tangent);
    const double shrink = length > limit ? limit / length : 1;
    for (int i = 0; i < contact.tangents; ++i) move(contact.tangent + i, shrink * tangent[i]);
  }
}

/// Grows or shrinks the factor s on all r by what the residual did over the last few iterations.
class StepLength {
 public:
  explicit StepLength(RFactor strategy) : adapts_(strategy == RFactor::adaptive) {}

  double value() const { return s_; }

  void observe(int iteration, double size) {
    if (!adapts_ || iteration % 10 != 0) return;
    if (size > 0.999 * last_)
      s_ = std::max(1e-3, 0.7 * s_);
    else if (size > 0.8 * last_)
      s_ = std::min(1.5, 1.05 * s_);
    last_ = size;
  }

 private:
  bool adapts_;
  double s_ = 1;
  double last_ = INFINITY;
};

}  // namespace

void solve_augmented_lagrangian(const ContactProblem& problem, const SolverOptions& options,
                                Arena& scratch, ContactSolution& solution) {
  Judge judge(problem, options, scratch, solution);
  iterate_on(problem, scratch, judge, solution,
             [&](const auto& swept, VectorMap& impulse, auto accepts) {
               Arena::Frame frame(scratch);
               VectorMap carrier = frame.vector(swept.G.carrier_size());
               VectorMap r = frame.vector(impulse.size());
               write_r(swept, options.r_factor, r);
               StepLength s(options.r_factor);
               while (!accepts() && solution.iterations < options.max_iterations) {
                 fill_carrier(swept, impulse, carrier);
                 iterate_once(swept, r, s.value(), options.relaxation, carrier, impulse);
                 s.observe(++solution.iterations, judge.last_residual());
               }
             });
  judge.conclude("augmented-lagrangian", SolverStatus::iteration_limit);
}

}  // namespace backlash
