// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/compliant/compliant_options.h"

namespace backlash {

/// Watches how fast a run goes on, and finds out by trying whether backward differences go on
/// faster (theory 10.11).
class Pace {
 public:
  explicit Pace(const CompliantOptions& options)
      : method_(options.integrator), max_steps_(options.max_steps) {}

  /// After each step of the integrator, which ends at t, with all evaluations so far and the end of
  /// the run. True if the method is to be changed: see method().
  bool must_change(double t, long evaluations, double until);

  OdeMethod method() const { return method_; }
  bool is_stiff() const { return kind_ == Kind::stiff; }  ///< it has changed for good

 private:
  enum class Kind { usual, tried, stiff };
  void begin_window(double t, long evaluations);

  OdeMethod method_;
  double max_steps_;
  Kind kind_ = Kind::usual;
  double t_ = NAN;                  ///< start of the window [s]
  long evaluations_ = 0;            ///< there
  long steps_ = 0;                  ///< in it
  double cost_ = 0, duration_ = 0;  ///< of the last window by Adams' methods: evaluations/s; [s]
  int wait_ = 0;                    ///< windows before backward differences are tried again
};

}  // namespace backlash
