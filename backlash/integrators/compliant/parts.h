// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/compliant/contact_watch.h"
#include "backlash/integrators/compliant/pace.h"
#include "backlash/integrators/compliant/smooth_dynamics.h"
#include "backlash/integrators/compliant/stepper.h"
#include "backlash/integrators/switching.h"

/// What the parts of the compliant method share.
namespace backlash {

struct Compliant::Parts {
  const System& system;
  CompliantOptions options;
  SmoothDynamics dynamics;
  Stepper stepper;
  StepResult result;

  // The step of the integrator that is being reported: from `start` to `end`, of which the caller
  // has heard up to t_reported.
  ContactSample start, end;
  double t_reported = NAN;
  const ContactSample* reported = &end;  ///< contacts at t_reported
  ContactSample inside, last_inside;     ///< at times between
  Vector y_reported, y_end, y_start, y_now, scratch, gained;
  double speed_start = 0, speed_end = 0;  ///< that no point exceeds there [m/s]
  bool sees_all = true;             ///< contacts are so few that all are looked at, however far
  std::vector<ModeChange> changes;  ///< at the end of it
  bool is_first = false;            ///< what is reported is the first of the run
  bool forced = false;              ///< its contact is deeper than the limit
  bool shortened = false;           ///< it was cut so that no body passes through another
  double whole_step = 0;
  LastStep forces_at_end;
  bool knows_forces_at_end = false;  ///< they are those where the step ends
  std::vector<double> rejected;
  Vector switching;
  Vector measured;
  double t_begun = 0;      ///< when it began [s]
  Matrix looks;            ///< conditions of events at equal times of the step
  Vector condition_rates;  ///< at its end, if they have not jumped there; else empty [1/s]
  std::vector<ContactRecord> records;
  State before;       ///< what the step has changed of the state at once, without moving it
  bool kept = false;  ///< it has
  Pace pace;

  Parts(const System& system, const CompliantOptions& options);

  template <class Function>
  auto with_stepper(Function&& f) {
    return std::visit(std::forward<Function>(f), stepper);
  }

  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  bool continues(const State& state) const {
    return state.t == t_reported && state.z.size() == dynamics.memory().size() &&
           state.q.size() == dynamics.positions() && state.u.size() == dynamics.velocities() &&
           std::equal(state.q.begin(), state.q.end(), y_reported.begin()) &&
           std::equal(state.u.begin(), state.u.end(), y_reported.begin() + state.q.size()) &&
           is_finite(state);
  }

  void step(State& state, const StepLimits& limits);
  void sample_end(double t);
  void begin(State& state);
  void keep(const State& state);
  void restart(double t, const Vector& y);
  double min_step() const;
  bool advance(State& state, double until);
  void cut_at_first_change(State& state);
  void see_changes_at_end();
  void cut(double t);
  bool advance_stepper(double limit);
  double safe_end();
  void state_within(double t, Vector& y);
  void cut_before_passing();
  bool retry_before_passing();
  void interpolate_linearly();
  void report(State& state, double t, const Vector& y, const ContactSample& now);
  void report_forces(double t, const Vector& y);
  void report_contact(const ContactInForce& contact, const ContactSample& now, const Vector& y,
                      State& state, ContactRecord& record);
  ContactMotion motion_of(const ContactSample& sample, const ContactKey& key, const Vector& y);
  void report_release(const ContactRecord& record);
  void make_changes(State& state);
  void apply_change(const ModeChange& change);
  double entry_rate_of(const ContactKey& key, const ContactMotion& motion);
  void begin_integrals();
  bool switch_forces(State& state);
  void watch_conditions(double until);
  void cut_at_first_event();
  bool look_at_conditions(double run);
  double time_of_look(Eigen::Index i) const;
  double time_of_condition(Eigen::Index event);
  bool waits(Eigen::Index event) const;
  const Vector& conditions_at(double t, const Vector& y);
  void fail(State& state, StepStatus status);
  void keep_pace(double until);
};

}  // namespace backlash
