// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "backlash/integrators/compliant/parts.h"

/// Where in a step the conditions of events become positive (theory 10.16).
namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr double looks_in_run = 2000;  ///< what holds for longer than such a part of it is seen
constexpr Index most_looks = 4096;     ///< in a step

/// What a condition was seen to be at equal times of a step.
struct Course {
  std::span<const double> values;
  double rise_before;  ///< from one time to the next, before the step; NAN: not known

  double rise(std::size_t i) const { return values[i + 1] - values[i]; }

  /// What the condition may have risen to between times i and i + 1, going on as it came and
  /// leaving as it goes on.
  double peak(std::size_t i) const {
    const double last = i > 0 ? rise(i - 1) : rise_before;
    const double next = i + 2 < values.size() ? -rise(i + 1) : last;
    const double up = std::isnan(last) ? next : last;
    return 0.5 * (values[i] + values[i + 1] + std::max(0.0, up) + std::max(0.0, next));
  }
};

/// A time between a and b at which f is positive, as one at its largest is; NAN: there is none.
template <class Function>
double find_positive(const Function& f, double a, double b) {
  constexpr double ratio = 1 / std::numbers::phi;
  constexpr int places = 60;
  double left = b - ratio * (b - a), right = a + ratio * (b - a);
  double f_left = f(left), f_right = f(right);
  for (int k = 0; k < places && f_left <= 0 && f_right <= 0 && left < right; ++k) {
    if (f_left > f_right) {
      b = std::exchange(right, left);
      f_right = f_left;
      left = b - ratio * (b - a);
      f_left = f(left);
    } else {
      a = std::exchange(left, right);
      f_left = f_right;
      right = a + ratio * (b - a);
      f_right = f(right);
    }
  }
  return f_left > 0 ? left : f_right > 0 ? right : NAN;
}

}  // namespace

/// The values of conditions at t, with the forces that act there.
const Vector& Compliant::Parts::conditions_at(double t, const Vector& y) {
  if (system.info().measured > 0) {
    system.measure(dynamics.end_forces(t, y.data()), measured);
    dynamics.set_measured(measured);
  }
  return dynamics.event_conditions(t, y.data());
}

/// Whether the event happens when its condition becomes positive, and may yet.
bool Compliant::Parts::waits(Index event) const {
  const EventInfo& info = system.info().events[at(event)];
  if (info.time || info.after >= 0) return false;
  const auto switches = static_cast<Index>(system.info().switches.size()),
             events = static_cast<Index>(system.info().events.size());
  return !(info.once && switching[switches + events + event] > 0);
}

/// Looks at all conditions at equal times of the step. False if there is nothing to wait for.
bool Compliant::Parts::look_at_conditions(double run) {
  const auto events = static_cast<Index>(system.info().events.size());
  bool any = false;
  for (Index k = 0; k < events; ++k) any = any || waits(k);
  if (!any) return false;
  const double step = end.t - start.t;
  const double wanted = std::ceil(looks_in_run * step / run);
  const Index least = condition_rates.size() == events ? 1 : 3;
  const Index parts =
      wanted < most_looks ? std::max(least, static_cast<Index>(wanted)) : most_looks;
  looks.resize(parts + 1, events);
  for (Index i = 0; i <= parts; ++i) {
    const double t = time_of_look(i);
    state_within(t, y_now);
    looks.row(i) = conditions_at(t, y_now).transpose();
  }
  return true;
}

double Compliant::Parts::time_of_look(Index i) const {
  const Index parts = looks.rows() - 1;
  if (i == parts) return end.t;
  return start.t + (end.t - start.t) * static_cast<double>(i) / static_cast<double>(parts);
}

/// When the event happens in the step; infinite: it does not.
double Compliant::Parts::time_of_condition(Index event) {
  const auto condition = [&](double t) {
    state_within(t, y_now);
    const double value = conditions_at(t, y_now)[event];
    return value > 0 ? value : std::min(value, -1e-300);  // what is zero does not hold
  };
  const double interval = time_of_look(1) - start.t;
  const auto values = looks.col(event);
  const bool knows_rate = condition_rates.size() == looks.cols();
  const Course course{{values.data(), at(values.size())},
                      knows_rate ? interval * condition_rates[event] : NAN};
  bool held = switching[static_cast<Index>(system.info().switches.size()) + event] > 0;
  if (!held && values[0] > 0) return start.t;
  for (Index i = 0; i + 1 < values.size(); ++i) {
    const double before = std::min(values[i], -1e-300), now = values[i + 1];
    double a = time_of_look(i), b = time_of_look(i + 1), f_b = now;
    if (!held && !(now > 0) && course.peak(at(i)) > 0) {
      b = find_positive(condition, a, b);
      if (!std::isnan(b)) f_b = condition(b);
    }
    if (!held && f_b > 0) return find_crossing(condition, a, before, b, f_b);
    held = now > 0;
  }
  return INFINITY;
}

/// The first of the events whose conditions become positive in the step, and those with it.
void Compliant::Parts::watch_conditions(double until) {
  if (!look_at_conditions(until - t_begun)) return;
  for (Index k = 0; k < looks.cols(); ++k) {
    if (!waits(k)) continue;
    const double t = time_of_condition(k);
    if (std::isinf(t)) continue;
    changes.push_back({.kind = ModeChange::Kind::event, .t = t, .event = static_cast<int>(k)});
  }
  const Index last = looks.rows() - 1;
  condition_rates = (looks.row(last) - looks.row(last - 1)).transpose() /
                    (time_of_look(last) - time_of_look(last - 1));
}

/// Where events are the first that happens, without looking for contacts within the step.
void Compliant::Parts::cut_at_first_event() {
  if (changes.empty()) return;
  const double first = std::ranges::min_element(changes, {}, &ModeChange::t)->t;
  std::erase_if(changes, [&](const ModeChange& change) { return change.t > first; });
  if (!(first < end.t)) return;
  cut(first);
  shortened = true;
}

}  // namespace backlash
