// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// State variables in a step of Moreau's (theory 4.26): the trapezoidal rule to the middle, then
/// the backward differentiation formula to the end. Second order, and rates may be stiff.
namespace backlash {
namespace {

using Index = Eigen::Index;

bool solved(Moreau::Workspace& work, const Vector& u, double a, Configuration& c) {
  if (work.states.solve(u, a, c)) return true;
  const bool finite = c.q.allFinite() && work.states.rates().allFinite();
  work.result.status = finite ? StepStatus::iteration_not_converged : StepStatus::not_finite;
  return false;
}

/// What the step does wrong to the states beside Simpson's rule, as a part of the tolerance
/// (theory 4.27).
double error_of(const Moreau::Workspace& work, double step) {
  const Index n = work.states.size();
  const MoreauOptions& options = work.options;
  constexpr double nothing = 1e-300;  // smaller numbers have fewer digits
  double worst = 0;
  for (Index i = 0; i < n; ++i) {
    const double start = work.states_start[i], end = work.q_end[work.q_end.size() - n + i];
    const double f_A = work.state_rates_start[i], f_M = work.state_rates_middle[i],
                 f_E = work.states.rates()[i];
    const double error = std::abs(end - start - step / 6 * (f_A + 4 * f_M + f_E));
    const double size =
        std::max({std::abs(start), std::abs(end), options.max_step * std::abs(f_M)});
    if (size > nothing) worst = std::max(worst, error / size / options.step_tolerance);
  }
  return worst;
}

}  // namespace

bool predict_states(Moreau::Workspace& work, const State& state, double step) {
  const Index n = work.states.size();
  work.states_start = state.q.tail(n);
  work.end.t = state.t;
  work.end.q = state.q;
  work.states.write_rates(state.u, work.end);
  work.state_rates_start = work.states.rates();
  work.states_middle = work.states_start + 0.25 * step * work.state_rates_start;
  work.states.base = work.states_middle;
  return solved(work, state.u, 0.25 * step, work.middle);
}

bool finish_states(Moreau::Workspace& work, const State& state, double step) {
  const Index n = work.states.size();
  if (work.options.scheme == Scheme::theta) {  // x_E on the line through x_A and x_θ
    work.q_end.tail(n) =
        state.q.tail(n) + (work.states_theta - state.q.tail(n)) / work.options.theta;
    return true;
  }
  work.u_middle = 0.5 * (state.u + work.u_end);
  work.states.base = work.states_middle;
  if (!solved(work, work.u_middle, 0.25 * step, work.middle)) return false;
  work.state_rates_middle = work.states.rates();
  work.states.base = (4 * work.middle.q.tail(n) - work.states_start) / 3;
  work.end.t = work.t_end;
  work.end.q = work.q_end;
  work.end.q.tail(n) = work.middle.q.tail(n);
  if (!solved(work, work.u_end, step / 3, work.end)) return false;
  work.q_end.tail(n) = work.end.q.tail(n);
  if (work.options.automatic_step) work.state_error = error_of(work, step);
  return true;
}

}  // namespace backlash
