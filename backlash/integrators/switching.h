// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "backlash/integrators/event_search.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// The time that is reported of an event, whose condition was `before` at the last look and is
/// `now`.
using TimeOfEvent = std::function<double(const EventInfo&, double before, double now)>;

/// Makes those events happen whose conditions have become positive, in the order of the model, and
/// those that follow them (theory 4.8): into the result, into `switching` (Memory::switching(),
/// with the conditions of the last look) and into the switches of `end`, which is configured where
/// the conditions hold. An event whose condition is not a number is the result's source. False if
/// none happens.
bool make_events_happen(const System& system, const Vector& conditions, Vector& switching,
                        Configuration& end, StepResult& result, const TimeOfEvent& when);

/// Whether one of the events that happened holds joints: locks them, or turns their drives on.
bool holds_joints(const SystemInfo& info, const StepResult& result);

/// The velocity after joints were locked at c, of all that are nearest to u in the mass metric: a
/// plastic impact, which keeps the momenta that no joint takes (theory 4.31). The energy that it
/// adds goes into `switching`; u stays if there is none.
void catch_velocity(const System& system, const Configuration& c, Vector& switching, Vector& u);

/// Forces of the last step, for conditions of events that use them.
struct StepMeasures {
  State before{};          ///< t, q and u at the start of the step
  double step_before = 0;  ///< length of the step before it [s]; 0: there was none
  LastStep last{};

  StepMeasures() = default;
  explicit StepMeasures(const SystemInfo& info) : last(info) {}

  void begin(const SystemInfo& info, const State& state);
  void end(const System& system, const State& state, Vector& measured);
};

/// What a state was like before events happened at the start of a run.
struct StartOfRun {
  bool switched = false;  ///< by start_switching(), in the step that is being tried
  Vector u{}, switching{};
};

/// What events need of a method that has the state at the end of its steps alone.
struct EventWork {
  const System& system;
  const Memory& memory;
  Vector& switching;   ///< Memory::switching() as the step leaves it
  Vector& conditions;  ///< room for one value per event
  Configuration& end;  ///< of the step
  StepResult& result;
  StepMeasures& measures;
  StartOfRun& start;
  const EventSearch* search = nullptr;  ///< that the length of the step comes from, if any does
};

/// Before the tries of a step, whose length is about `step`: before the first one of a run events
/// happen whose time or condition has come already, and what they lock is caught.
void start_switching(const EventWork& work, double step, State& state);

/// The state as it was before that, for the step has failed.
void undo_start(const EventWork& work, State& state);

/// Before each try of a step: what is switched on goes into the configuration.
void begin_switching(const EventWork& work, const State& state);

/// Conditions at work.end, > 0 where they hold; events with a time hold from a hair before it on.
void write_conditions(const EventWork& work, const Vector& u, double step);

/// After a step, whose state has been reached: the events that happened in it, and what they
/// switch; `last` is what was switched on in the step.
void commit_switching(const EventWork& work, const Vector& last, State& state);

}  // namespace backlash
