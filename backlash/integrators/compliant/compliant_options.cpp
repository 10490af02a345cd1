// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/compliant_options.h"

#include "backlash/base/input_error.h"

namespace backlash {

std::string_view name(OdeMethod method) {
  switch (method) {
    case OdeMethod::adams:
      return "adams";
    case OdeMethod::bdf:
      return "bdf";
    case OdeMethod::rk4:
      return "rk4";
  }
  return "?";
}

std::string_view name(Onset onset) {
  switch (onset) {
    case Onset::root:
      return "root";
    case Onset::procedure_1:
      return "procedure-1";
    case Onset::procedure_2:
      return "procedure-2";
    case Onset::none:
      return "none";
  }
  return "?";
}

void validate(const CompliantOptions& o) {
  require_positive(o.relative_tolerance, "relative tolerance", "-");
  require_positive(o.position_tolerance, "position tolerance", "m");
  require_positive(o.angle_tolerance, "angle tolerance", "rad");
  require_positive(o.speed_tolerance, "speed tolerance", "m/s");
  require_positive(o.angular_speed_tolerance, "angular speed tolerance", "rad/s");
  require_positive(o.step, "step", "s");
  if (!(o.max_step > 0)) throw InputError("longest step must be positive (infinity: any)");
  require_positive(o.max_onset_penetration, "depth limit", "m");
  require_not_negative(o.min_step, "shortest step", "s");
  require_not_negative(o.stabilisation.alpha, "alpha of the stabilisation", "1/s");
  require_not_negative(o.stabilisation.beta, "beta of the stabilisation", "1/s");
  require_positive(o.smoothing.speed, "smoothing speed", "m/s");
  require_positive(o.smoothing.length, "smoothing length", "m");
  if (o.onset == Onset::procedure_2 && o.integrator == OdeMethod::rk4)
    throw InputError(
        "the onset procedure-2 tries shorter steps, and those of rk4 are of one length; choose the "
        "integrator adams or bdf, or another onset");
  if (o.live_contacts && o.onset != Onset::none)
    throw InputError("live_contacts is for the onset none");
}

}  // namespace backlash
