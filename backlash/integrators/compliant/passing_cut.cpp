// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/compliant/parts.h"

/// How the compliant method sees that bodies passed through each other in a step (theory 10.15).
namespace backlash {

double SmoothDynamics::passing_travel(double t, const double* y, double step) {
  place(t, y);
  return system_.passing_travel(c_, u_, step);
}

double SmoothDynamics::safe_step(double t, double step, double travel,
                                 const std::function<void(double, Vector&)>& at) {
  const auto count = static_cast<double>(tried_.times.size());
  for (std::size_t i = 0; i < tried_.times.size(); ++i) {
    tried_.times[i] = step * static_cast<double>(i + 1) / count;
    at(t + tried_.times[i], y_tried_);
    tried_.velocities[i] = y_tried_.segment(positions_, velocities_);
  }
  const auto place_at = [&](double time) {
    at(t + time, y_tried_);
    place(t + time, y_tried_.data());
  };
  tried_.go_to = std::ref(place_at);
  tried_.go_to(0);
  passing_.known.clear();
  for (const ContactInForce& contact : in_force_) passing_.known.push_back(contact.key);
  const PassingStep tried{c_, u_, step, travel, remembered_, &tried_};
  return backlash::safe_step(system_, tried, passing_);
}

/// Until when bodies are known not to have passed through each other in the step.
double Compliant::Parts::safe_end() {
  constexpr int places = 4;  // where the velocity is looked at
  const double step = end.t - start.t;
  double travel = dynamics.passing_travel(start.t, y_start.data(), step);
  for (int k = 1; k <= places; ++k) {
    state_within(start.t + step * k / places, y_now);
    travel =
        std::max(travel, dynamics.passing_travel(start.t + step * k / places, y_now.data(), step));
  }
  if (travel == 0) return end.t;
  const auto at = [this](double t, Vector& y) { state_within(t, y); };
  const double safe = dynamics.safe_step(start.t, step, travel, at);
  return safe < step ? start.t + safe : end.t;
}

/// y within the step, or at one of its ends.
void Compliant::Parts::state_within(double t, Vector& y) {
  if (t <= start.t)
    y = y_start;
  else if (t >= end.t)
    y = y_end;
  else
    interpolate(stepper, t, y);
}

/// Where bodies may have passed through each other in the step, it ends while that is seen.
void Compliant::Parts::cut_before_passing() {
  const double safe = safe_end();
  if (!(safe < end.t)) return;
  cut(safe);
  shortened = end.t > start.t;
}

/// Procedure 2 tries the step again, so that its contacts push; false if that failed.
bool Compliant::Parts::retry_before_passing() {
  constexpr int most_tries = 50;
  for (int k = 0; k < most_tries; ++k) {
    const double safe = safe_end();
    if (!(safe < end.t)) return true;
    if (!(safe > start.t)) break;
    rejected.push_back(end.t - start.t);
    restart(start.t, y_start);
    if (!advance_stepper(safe)) return false;
  }
  result.status = StepStatus::tolerance_not_met;
  return false;
}

}  // namespace backlash
