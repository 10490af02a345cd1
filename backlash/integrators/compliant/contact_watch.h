// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "backlash/integrators/compliant/smooth_dynamics.h"
#include "backlash/integrators/compliant/stepper.h"

namespace backlash {

/// Something that ends a smooth piece of the motion (theory 10.2).
struct ModeChange {
  enum class Kind {
    onset,    ///< bodies meet
    release,  ///< they part
    clamp,    ///< the law begins to pull
    unclamp,  ///< or no longer would
    kink,     ///< the law is not smooth
    event,    ///< an event of the model
    unclear   ///< bodies met in a place that lost its name: a shorter step tells when
  };
  Kind kind = Kind::onset;
  double t = 0;      ///< [s]
  ContactKey key{};  ///< of the contact
  int event = -1;    ///< or the event
};

/// A step of the integrator, and its contacts at both ends.
struct WatchedStep {
  SmoothDynamics& dynamics;
  Stepper& stepper;  ///< which has just made it
  const ContactSample &start, &end;
  Vector& scratch;
  ContactSample& inside;  ///< room for contacts within the step
};

/// What happens in a step first, and all that happens at the same time: nothing, or changes at one
/// time, which is found as exactly as numbers are. A gap that closes and opens again within the
/// step is seen if Hermite's cubic through its ends sees it. Contacts that `end` does not have are
/// beyond a reach that they could not have come to since they touched; those that `start` does not
/// have are looked up. `changes` has the events whose conditions became positive.
void find_first_changes(const WatchedStep& step, std::vector<ModeChange>& changes);

/// Where f changes its sign between a and b, on the side of b: as exactly as numbers are.
double find_crossing(const std::function<double(double)>& f, double a, double fa, double b,
                     double fb);

/// What has happened by the end of the step, without looking inside.
void find_changes_at_end(const WatchedStep& step, std::vector<ModeChange>& changes);

}  // namespace backlash
