// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

/// What can be said of a number that was computed again and again with steps of h, h/2, h/4, …
/// (theory 13.4 to 13.8).
namespace backlash {

enum class Convergence {
  exact,      ///< the same at all steps, to rounding
  regular,    ///< differences fall by one factor: the order is known, and extrapolation allowed
  irregular,  ///< differences fall, but not evenly, as times of impacts do
  settled,    ///< differences within the tolerance, which do not fall any more
  undecided,  ///< too few values, or differences that only begin to fall
  none        ///< differences do not fall
};

std::string_view name(Convergence convergence);

struct ConvergenceEstimate {
  Convergence verdict = Convergence::undecided;
  double order = NAN;        ///< p observed: differences fall as h^p; NaN where it is not known
  double value = NAN;        ///< with the smallest h
  double error = NAN;        ///< of that value, at most, as far as is known
  double limit = NAN;        ///< for h → 0; the value itself where extrapolation is not allowed
  double limit_error = NAN;  ///< of the limit, likewise

  /// Whether there is a limit that the values go to.
  bool converges() const {
    return verdict == Convergence::exact || verdict == Convergence::regular ||
           verdict == Convergence::irregular;
  }
};

struct ConvergenceOptions {
  double ratio = 2;         ///< of each h to the next
  double scale = 1;         ///< what differences are measured by
  double tolerance = 1e-3;  ///< of the scale: differences that do not matter
};

/// Of values with h, h/ratio, h/ratio², …
ConvergenceEstimate estimate_limit(std::span<const double> values,
                                   const ConvergenceOptions& options);

/// The largest h, not above `largest`, at which the error is at most `allowed`, if it is
/// `estimate.error` at h. NaN if the estimate does not say.
double suggested_step(const ConvergenceEstimate& estimate, double h, double allowed,
                      double largest);

/// Down to 1, 2 or 5 times a power of ten.
double rounded_down(double step);

}  // namespace backlash
