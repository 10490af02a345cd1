// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// How far a step may go.
struct StepLimits {
  /// When the state is wanted at the latest, with the forces there [s]; −∞: after every step. It
  /// never changes the motion: a method that knows the state inside of its steps ends one there,
  /// and another ends the first that reaches it where it always does.
  double due = INFINITY;
  double until = INFINITY;  ///< end of the run, which no step goes beyond [s]
};

/// Why a step from t [s] within these limits is none: t is not finite, `until` does not lie behind
/// it, or a limit is not a number. Throws InputError.
[[noreturn]] void refuse_step(double t, const StepLimits& limits);

/// A method that takes a System from state to state, a step at a time.
///
/// It keeps room to work in, so that steps after the first few allocate nothing. What the motion
/// depends on is in State: a run that goes on from a saved State agrees with one that was not
/// interrupted, to the bit or within the tolerances of the method.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// One step from state.t, which lies before limits.until. If it fails (see the status) the state
  /// stays as it was. Throws InputError for a state or limits that make no sense. The result is
  /// valid until the next call.
  virtual const StepResult& step(State& state, const StepLimits& limits) = 0;

  virtual const StepResult& last_result() const = 0;
  virtual const System& system() const = 0;

  /// The length of its steps, if all but the last are equal [s]; 0: it chooses them.
  virtual double equal_step() const = 0;

 protected:
  Integrator() = default;
  Integrator(Integrator&&) = default;
  Integrator& operator=(Integrator&&) = default;
};

}  // namespace backlash
