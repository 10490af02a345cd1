// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "cases/example.h"

namespace backlash::test {

/// A conservative impact: how far a body sinks in, and for how long.
struct StiffImpact {
  double depth = 0;     ///< the greatest [m]
  double duration = 0;  ///< [s]
};

/// From the squared rate that a body has gained from rest at the greatest depth D over the way
/// back w, gained(D, w) [m²/s²], and the speed at which it came; the depth is sought up to
/// `deepest`. T = 2∫dδ/δ̇ with w = D s², which takes the singular end away, by the
/// double-exponential rule.
template <class SquaredRate>
StiffImpact stiff_impact(SquaredRate gained, double speed, double deepest) {
  double low = 0, high = deepest;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (gained(middle, middle) < speed * speed ? low : high) = middle;
  }
  const double D = low, h = 1.0 / 64;
  double sum = 0;
  for (int k = -3 * 64; k <= 3 * 64; ++k) {
    const double x = std::numbers::pi / 2 * std::sinh(k * h);
    const double s = 1 / (1 + std::exp(-2 * x));
    const double ds = std::numbers::pi / 4 * std::cosh(k * h) / (std::cosh(x) * std::cosh(x));
    sum += h * ds * 2 * D * s / std::sqrt(gained(D, D * s * s));
  }
  return {D, 2 * sum};
}

/// What contacts do at a state of a run.
class Contacts {
 public:
  explicit Contacts(const Example& example) : example_(example) {}

  double gap(const State& state, int contact) const {
    const System& system = example_.system();
    ContactFrame frame;
    system.find_contact(configuration(system, state), {.pair = contact}, frame);
    return frame.gap;
  }

  /// The normal force at the end of a step that reaches the time at which it is wanted, else 0 [N].
  double force(const StepResult& result, int contact) const {
    if (!result.knows_end_forces) return 0;
    const ContactForce* found = result.end_forces.find_force({.pair = contact});
    return found ? found->force[0] : 0;
  }

 private:
  const Example& example_;
};

}  // namespace backlash::test
