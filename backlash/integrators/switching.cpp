// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/switching.h"

#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// Events that switch forces on and off (theory 4.8).
namespace backlash {
namespace {

using Index = Eigen::Index;

/// The parts of Memory::switching().
struct Parts {
  VectorMap switches, values, counts;
  double& energy;

  Parts(Vector& all, const SystemInfo& info)
      : switches(all.data(), static_cast<Index>(info.switches.size())),
        values(switches.data() + switches.size(), static_cast<Index>(info.events.size())),
        counts(values.data() + values.size(), values.size()),
        energy(all[all.size() - 1]) {}
};

/// Switches what the event says.
void turn(const EventInfo& event, VectorMap& switches) {
  for (const EventInfo::Turn& t : event.turns) switches[t.item] = t.on ? 1 : 0;
}

/// When an event happened whose condition was `before` at the start of the step and is `now`.
double time_of(const EventInfo& event, const StepResult& step, double before, double now) {
  const double end = step.t_start + step.step;
  if (event.time) return std::clamp(*event.time, step.t_start, end);
  if (before >= 0) return end;  // it jumped, as comparisons do
  return step.t_start + step.step * before / (before - now);
}

void configure_at(const EventWork& work, const State& state) {
  work.end.t = state.t;
  work.end.q = state.q;
  work.system.configure(work.end);
}

bool has_events(const SystemInfo& info) { return !info.events.empty() || !info.switches.empty(); }

EventWork events_of(Moreau::Workspace& work) {
  return {work.system, work.memory, work.switching, work.event_conditions, work.end, work.result};
}

}  // namespace

bool make_events_happen(const System& system, const Vector& conditions, Vector& switching,
                        Configuration& end, StepResult& result, const TimeOfEvent& when) {
  const SystemInfo& info = system.info();
  Parts parts(switching, info);
  bool any = false;
  for (std::size_t i = 0; i < info.events.size(); ++i) {
    const EventInfo& event = info.events[i];
    const auto k = static_cast<Index>(i);
    const double before = parts.values[k], now = conditions[k];
    parts.values[k] = std::isnan(now) ? before : std::clamp(now, -1e300, 1e300);
    if (!(now > 0) || before > 0 || (event.once && parts.counts[k] > 0)) continue;
    turn(event, parts.switches);
    ++parts.counts[k];
    result.events.push_back({static_cast<int>(i), when(event, before, now)});
    result.stop = result.stop || event.stop;
    any = true;
  }
  if (!any) return false;
  const double energy = system.potential_energy(end);
  end.switches = parts.switches;
  parts.energy += system.potential_energy(end) - energy;
  return true;
}

void write_conditions(const EventWork& work, const Vector& u, double step) {
  const std::vector<EventInfo>& events = work.system.info().events;
  work.conditions.setZero();
  work.system.event_conditions(work.end, u, work.conditions);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].time)
      work.conditions[static_cast<Index>(i)] = work.end.t - *events[i].time + 1e-6 * step;
}

void begin_switching(const EventWork& work, const State& state) {
  work.result.events.clear();
  work.result.stop = false;
  if (!has_events(work.system.info())) return;
  work.switching = work.memory.switching(state.z);
  work.end.switches = work.memory.switches(state.z);
  if (work.memory.last_step(state.z) != 0) return;
  configure_at(work, state);  // nothing held before the start
  write_conditions(work, state.u, work.result.step);
  make_events_happen(work.system, work.conditions, work.switching, work.end, work.result,
                     [&](const EventInfo&, double, double) { return state.t; });
}

void begin_switching(Moreau::Workspace& work, const State& state) {
  begin_switching(events_of(work), state);
  work.middle.switches = work.end.switches;
}

double time_to_event(Moreau::Workspace& work, double step) {
  const std::vector<EventInfo>& events = work.system.info().events;
  double first = INFINITY;
  if (std::ranges::all_of(events, [](const EventInfo& event) { return event.time.has_value(); }))
    return first;
  write_conditions(events_of(work), work.u_end, step);
  const Parts parts(work.switching, work.system.info());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double before = parts.values[k], now = work.event_conditions[k];
    const bool over = events[i].once && parts.counts[k] > 0;
    if (events[i].time || over || !(now > 0) || before > 0) continue;
    first = std::min(first, step * (before < 0 ? before / (before - now) : 0.5));
  }
  return first;
}

void commit_switching(const EventWork& work, const Vector& last, State& state) {
  if (work.switching.size() == 0) return;
  work.memory.last_switches(state.z) = last;
  const StepResult& result = work.result;
  configure_at(work, state);
  write_conditions(work, state.u, result.step);
  make_events_happen(work.system, work.conditions, work.switching, work.end, work.result,
                     [&](const EventInfo& event, double before, double now) {
                       return time_of(event, result, before, now);
                     });
  work.memory.switching(state.z) = work.switching;
}

void commit_switching(Moreau::Workspace& work, State& state) {
  commit_switching(events_of(work), work.middle.switches, state);
}

}  // namespace backlash
