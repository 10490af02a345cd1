// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string_view>

#include "backlash/dynamics/system.h"
#include "backlash/integrators/option_rows.h"

namespace backlash {

/// What advances the smooth motion between events.
enum class OdeMethod {
  adams,  ///< CVODE's Adams methods of variable order and step: for most mechanisms
  bdf,    ///< CVODE's backward differences: for stiff forces besides the contacts
  rk4     ///< Runge and Kutta's classical method with steps of equal length: a baseline
};

/// What happens when a step finds that bodies have come into contact (theory 10.3).
enum class Onset {
  root,         ///< the step is cut where the gap vanishes
  procedure_1,  ///< positions and velocities are interpolated to where it does [paper 004, 3.1]
  procedure_2,  ///< the step is tried again, shorter, until the depth is small [paper 004, 3.2]
  none          ///< the contact begins as deep as it is: for demonstration
};

/// Baumgarte's: γ̇ + 2αγ + β²g = 0 for bilateral rows (theory 10.5).
struct Stabilisation {
  double alpha = 5;  ///< [1/s]
  double beta = 5;   ///< [1/s]
};

/// In the place of the jumps of dry friction, clutches and preloads in joints (theory 10.6).
struct Smoothing {
  double speed = 1e-3;   ///< [m/s]: friction is full beyond it
  double length = 1e-6;  ///< [m]: a preload is
};

struct CompliantOptions {
  OdeMethod integrator = OdeMethod::adams;
  Onset onset = Onset::root;
  double relative_tolerance = 1e-8;
  double position_tolerance = 1e-10;      ///< [m]
  double angle_tolerance = 1e-10;         ///< [rad]
  double speed_tolerance = 1e-8;          ///< [m/s]
  double angular_speed_tolerance = 1e-8;  ///< [rad/s]
  double step = 1e-4;                     ///< of rk4 [s]
  double max_step = INFINITY;             ///< [s]
  double max_steps = 1e8;                 ///< that may be left to the end of the run
  double max_onset_penetration = 1e-7;    ///< δ_max of procedure 2 [m]
  double min_step = 0;                    ///< of procedure 2 [s]; 0: what the depth asks for
  bool live_contacts = false;             ///< without onset: stages of rk4 see contacts at once
  bool projection = true;                 ///< bilateral positions and velocities are kept exact
  Stabilisation stabilisation{};
  Smoothing smoothing{};
};

std::string_view name(OdeMethod method);
std::string_view name(Onset onset);

/// Throw InputError naming the option that makes no sense.
void validate(const CompliantOptions& options);

/// The options of the method compliant, in the order in which they are listed.
const OptionRows<CompliantOptions>& compliant_option_rows();

/// From what was chosen. Absolute tolerances that were not follow from the relative one: a
/// hundredth of it × the model's length for positions, a hundredth for angles, and the whole per
/// second for velocities. Throws InputError for what makes no sense.
CompliantOptions compliant_options(const Options& chosen, const SystemInfo& info);

}  // namespace backlash
