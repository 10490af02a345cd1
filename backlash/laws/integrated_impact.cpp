// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "backlash/base/bisection.h"
#include "backlash/laws/free_impact.h"

namespace backlash {
namespace {

constexpr double tolerance = 1e-13;  // of a step's error, relative to the greatest depth and speed
constexpr int max_steps = 10000;
constexpr double first_depth = 1e-15;  // that the first step goes [m]
constexpr double lost_depth = 1e6;     // nothing comes back from there [m]

struct Motion {
  double depth;  // [m]
  double rate;   // [m/s]
};
Motion operator+(const Motion& a, const Motion& b) { return {a.depth + b.depth, a.rate + b.rate}; }
Motion operator*(double s, const Motion& a) { return {s * a.depth, s * a.rate}; }

struct Problem {
  const NormalForce& force;
  double mass;   // [kg]
  double speed;  // [m/s]
  Motion derivative(const Motion& y) const {
    return {y.rate, -normal_force(force, y.depth, y.rate, speed) / mass};
  }
};

struct Trial {
  Motion end;
  Motion error;
};

/// A step of Dormand and Prince's pair of orders 5 and 4.
Trial dormand_prince(const Problem& p, const Motion& y, double h) {
  const Motion k1 = p.derivative(y);
  const Motion k2 = p.derivative(y + (h / 5) * k1);
  const Motion k3 = p.derivative(y + h * ((3. / 40) * k1 + (9. / 40) * k2));
  const Motion k4 = p.derivative(y + h * ((44. / 45) * k1 + (-56. / 15) * k2 + (32. / 9) * k3));
  const Motion k5 = p.derivative(y + h * ((19372. / 6561) * k1 + (-25360. / 2187) * k2 +
                                          (64448. / 6561) * k3 + (-212. / 729) * k4));
  const Motion k6 =
      p.derivative(y + h * ((9017. / 3168) * k1 + (-355. / 33) * k2 + (46732. / 5247) * k3 +
                            (49. / 176) * k4 + (-5103. / 18656) * k5));
  const Motion end = y + h * ((35. / 384) * k1 + (500. / 1113) * k3 + (125. / 192) * k4 +
                              (-2187. / 6784) * k5 + (11. / 84) * k6);
  const Motion k7 = p.derivative(end);
  return {end, h * ((71. / 57600) * k1 + (-71. / 16695) * k3 + (71. / 1920) * k4 +
                    (-17253. / 339200) * k5 + (22. / 525) * k6 + (-1. / 40) * k7)};
}

/// What is located on the way: the end of the compression, of the contact, of the clamp, the kink.
constexpr int event_count = 4;
double event_function(const Problem& p, int event, const Motion& y) {
  switch (event) {
    case 0:
      return y.rate;
    case 1:
      return y.depth;
    case 2:
      return clamp_margin(p.force, y.depth, y.rate, p.speed);
    default:
      return y.depth - kink_depth(p.force).value_or(std::numeric_limits<double>::infinity());
  }
}

/// The step, shortened to just behind the first event within it.
double up_to_event(const Problem& p, const Motion& y, double h) {
  for (int event = 0; event < event_count; ++event) {
    const auto value = [&](double step) {
      return event_function(p, event, step == 0 ? y : dormand_prince(p, y, step).end);
    };
    if ((value(0) > 0) != (value(h) > 0)) h = bisect(value, 0, h);
  }
  return h;
}

/// The error of a step over what is allowed; not finite where the formula is not.
double error_ratio(const Problem& p, const Trial& trial, double peak_depth) {
  return std::max(std::abs(trial.error.depth) / (tolerance * std::max(peak_depth, first_depth)),
                  std::abs(trial.error.rate) / (tolerance * p.speed));
}

double force_at(const Problem& p, const Motion& y) {
  return normal_force(p.force, y.depth, y.rate, p.speed);
}

/// The greatest force within a step, by golden section: F has one maximum there at most.
double peak_force_within(const Problem& p, const Motion& y, double h) {
  constexpr double golden = 0.61803398874989485;
  const auto force = [&](double step) { return force_at(p, dormand_prince(p, y, step).end); };
  double from = 0, to = h, peak = 0;
  for (int i = 0; i < 45; ++i) {
    const double left = to - golden * (to - from), right = from + golden * (to - from);
    const double f_left = force(left), f_right = force(right);
    peak = std::max({peak, f_left, f_right});
    (f_left < f_right ? from : to) = f_left < f_right ? left : right;
  }
  return std::max(peak, force(h));
}

/// How far an impact has come.
struct Progress {
  Motion y{};
  double t = 0;           // [s]
  double turn = 0;        // when the compression ended [s]
  double last_force = 0;  // until when there was a force [s]
  bool turned = false;
  FreeImpact outcome{};
};

/// Accepts the step h from progress.y to `end`.
void advance(const Problem& p, double h, const Motion& end, Progress& progress) {
  const Motion middle = dormand_prince(p, progress.y, h / 2).end;
  const double largest = std::max({force_at(p, progress.y), force_at(p, middle), force_at(p, end)});
  if (largest > 0.9 * progress.outcome.peak_force)
    progress.outcome.peak_force =
        std::max(progress.outcome.peak_force, peak_force_within(p, progress.y, h));
  progress.t += h;
  progress.y = end;
  if (force_at(p, middle) > 0) progress.last_force = progress.t;
  progress.outcome.peak_depth = std::max(progress.outcome.peak_depth, end.depth);
  if (!progress.turned && end.rate <= 0) {
    progress.turned = true;
    progress.turn = progress.t;
  }
}

bool has_parted(const Progress& progress) { return progress.turned && progress.y.depth <= 0; }

}  // namespace

FreeImpact integrated_impact(const NormalForce& force, double mass, double speed) {
  validate_impact(force, mass, speed);
  const Problem p{force, mass, speed};
  Progress progress{.y = {0, speed}};
  double h = first_depth / speed;
  for (int i = 0; i < max_steps && !has_parted(progress) && progress.y.depth < lost_depth; ++i) {
    const Trial trial = dormand_prince(p, progress.y, h);
    const double ratio = error_ratio(p, trial, progress.outcome.peak_depth);
    if (ratio <= 1) {
      const double length = i == 0 ? h : up_to_event(p, progress.y, h);
      advance(p, length, dormand_prince(p, progress.y, length).end, progress);
    }
    h *= std::isfinite(ratio) ? std::clamp(0.9 * std::pow(ratio, -0.2), 0.2, 5.0) : 0.2;
  }
  FreeImpact& outcome = progress.outcome;
  outcome.complete = has_parted(progress);
  outcome.restitution = outcome.complete ? -progress.y.rate / speed : 0;
  outcome.compression_time = progress.turn;
  outcome.restitution_time = std::max(0.0, progress.last_force - progress.turn);
  return outcome;
}

}  // namespace backlash
