// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/switching.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backlash/base/decompositions.h"
#include "backlash/integrators/moreau/workspace.h"

/// Events that switch forces, contacts, drives and locks, and set numbers (theory 4.8).
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

/// Switches what the event says. What is turned on goes on from where it is.
void turn(const System& system, const EventInfo& event, Configuration& end) {
  for (const EventInfo::Turn& t : event.turns) {
    const SwitchInfo& item = system.info().switches[static_cast<std::size_t>(t.item)];
    const double before = end.switches[t.item];
    end.switches[t.item] = item.number ? t.number : t.on ? 1 : 0;
    if (t.on && before == 0 && !item.number) system.capture(end, t.item);
  }
}

/// Makes one event happen, then those that happen with it.
struct Happening {
  const System& system;
  Parts& parts;
  Configuration& end;
  StepResult& result;

  void make(std::size_t i, double t) {
    const std::vector<EventInfo>& events = system.info().events;
    const EventInfo& event = events[i];
    const auto k = static_cast<Index>(i);
    if (event.once && parts.counts[k] > 0) return;
    turn(system, event, end);
    ++parts.counts[k];
    result.events.push_back({static_cast<int>(i), t});
    result.stop = result.stop || event.stop;
    for (std::size_t next = 0; next < events.size(); ++next)
      if (events[next].after == static_cast<int>(i)) make(next, t);
  }
};

/// When an event happened whose condition was `before` at the start of the step and is `now`; mean
/// forces are those of the middles of steps (theory 4.39).
double time_of(const EventInfo& event, const StepResult& step, double step_before, double before,
               double now) {
  const double end = step.t_start + step.step;
  if (event.time) return std::clamp(*event.time, step.t_start, end);
  if (before >= 0) return end;  // it jumped
  const double share = before / (before - now);
  if (!event.measured) return step.t_start + step.step * share;
  const double middle = end - 0.5 * step.step;
  if (std::ranges::any_of(step.contacts, is_of_impact)) return middle;  // the mean jumps
  return middle - 0.5 * (step.step + step_before) * (1 - share);
}

void configure_at(const EventWork& work, const State& state) {
  work.end.t = state.t;
  work.end.q = state.q;
  work.system.configure(work.end);
}

bool has_events(const SystemInfo& info) { return !info.events.empty() || !info.switches.empty(); }

EventWork events_of(Moreau::Workspace& work) {
  return {
      work.system,           work.memory,       work.switching,
      work.event_conditions, work.end,          work.result,
      work.measures,         work.start_of_run, work.may_be_parted ? &work.event_search : nullptr};
}

}  // namespace

bool make_events_happen(const System& system, const Vector& conditions, Vector& switching,
                        Configuration& end, StepResult& result, const TimeOfEvent& when) {
  const SystemInfo& info = system.info();
  Parts parts(switching, info);
  const double energy = system.potential_energy(end);
  Happening happening{system, parts, end, result};
  const std::size_t before_all = result.events.size();
  for (std::size_t i = 0; i < info.events.size(); ++i) {
    const auto k = static_cast<Index>(i);
    if (info.events[i].after >= 0) continue;
    const double before = parts.values[k], now = conditions[k];
    if (std::isnan(now)) {
      result.source = Origin{info.events[i].name, Origin::Kind::event};
      continue;
    }
    parts.values[k] = std::clamp(now, -1e300, 1e300);
    if (!(now > 0) || before > 0) continue;
    happening.make(i, when(info.events[i], before, now));
  }
  if (result.events.size() == before_all) return false;
  parts.switches = end.switches;
  system.configure(end);  // numbers may have changed
  parts.energy += system.potential_energy(end) - energy;
  return true;
}

bool holds_joints(const SystemInfo& info, const StepResult& result) {
  return std::ranges::any_of(result.events, [&](const EventOutcome& happened) {
    const EventInfo& event = info.events[static_cast<std::size_t>(happened.event)];
    return std::ranges::any_of(event.turns, [&](const EventInfo::Turn& turn) {
      const Origin::Kind kind = info.switches[static_cast<std::size_t>(turn.item)].kind;
      return turn.on && (kind == Origin::Kind::joint || kind == Origin::Kind::drive);
    });
  });
}

void catch_velocity(const System& system, const Configuration& c, Vector& switching, Vector& u) {
  const auto rows = static_cast<Index>(system.info().bilaterals.size());
  Matrix factors, W = Matrix::Zero(u.size(), rows);
  Vector w = Vector::Zero(rows);
  if (!system.factor_mass(c, factors)) return;
  system.bilateral_rows(c, W, w);
  Matrix inverse_W = W;
  for (Index i = 0; i < rows; ++i) system.solve_mass(c, factors, inverse_W.col(i));
  const Vector rate = W.transpose() * u + w;
  const Matrix G = W.transpose() * inverse_W;
  const double before = system.kinetic_energy(c, u);
  u -= inverse_W * LeastSquares(G).solve(rate);
  switching[switching.size() - 1] += system.kinetic_energy(c, u) - before;
}

void StepMeasures::begin(const SystemInfo& info, const State& state) {
  if (info.measured == 0) return;
  before.t = state.t;
  before.q = state.q;
  before.u = state.u;
}

void StepMeasures::end(const System& system, const State& state, Vector& measured) {
  if (system.info().measured == 0) return;
  last.set(system, before, state);
  system.measure(last, measured);
}

void write_conditions(const EventWork& work, const Vector& u, double step) {
  const std::vector<EventInfo>& events = work.system.info().events;
  work.conditions.setZero();
  work.system.event_conditions(work.end, u, work.conditions);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].time)
      work.conditions[static_cast<Index>(i)] = work.end.t - *events[i].time + 1e-6 * step;
}

void start_switching(const EventWork& work, double step, State& state) {
  const SystemInfo& info = work.system.info();
  work.result.events.clear();
  work.result.stop = false;
  work.start.switched = false;
  if (!has_events(info) || work.memory.last_step(state.z) != 0) return;
  work.start = {true, state.u, work.memory.switching(state.z)};
  work.switching = work.start.switching;
  work.end.switches = work.memory.switches(state.z);
  work.end.measured.setZero(info.measured);
  configure_at(work, state);  // nothing held before the start
  write_conditions(work, state.u, step);
  make_events_happen(work.system, work.conditions, work.switching, work.end, work.result,
                     [&](const EventInfo&, double, double) { return state.t; });
  if (holds_joints(info, work.result))
    catch_velocity(work.system, work.end, work.switching, state.u);
  work.memory.switching(state.z) = work.switching;
}

void undo_start(const EventWork& work, State& state) {
  work.result.events.clear();
  work.result.stop = false;
  if (!std::exchange(work.start.switched, false)) return;
  state.u = work.start.u;
  work.memory.switching(state.z) = work.start.switching;
}

void begin_switching(const EventWork& work, const State& state) {
  if (!has_events(work.system.info())) return;
  work.measures.begin(work.system.info(), state);
  work.measures.step_before = work.memory.last_step(state.z);
  if (work.end.measured.size() == 0) work.end.measured.setZero(work.system.info().measured);
  work.switching = work.memory.switching(state.z);
  work.end.switches = work.memory.switches(state.z);
}

void start_switching(Moreau::Workspace& work, double step, State& state) {
  start_switching(events_of(work), step, state);
}

void undo_start(Moreau::Workspace& work, State& state) { undo_start(events_of(work), state); }

void begin_switching(Moreau::Workspace& work, const State& state) {
  begin_switching(events_of(work), state);
  work.middle.switches = work.end.switches;
}

void write_end_conditions(Moreau::Workspace& work, double step) {
  work.end.t = work.t_end;
  work.end.q = work.q_end;
  work.system.configure(work.end);
  write_conditions(events_of(work), work.u_end, step);
}

double time_to_event(Moreau::Workspace& work, double step) {
  const std::vector<EventInfo>& events = work.system.info().events;
  double first = INFINITY;
  if (std::ranges::none_of(events, is_looked_for)) return first;
  write_conditions(events_of(work), work.u_end, step);
  const Parts parts(work.switching, work.system.info());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double before = parts.values[k], now = work.event_conditions[k];
    const bool over = events[i].once && parts.counts[k] > 0;
    if (!is_looked_for(events[i]) || over || !(now > 0) || before > 0) continue;
    first = std::min(first, step * (before < 0 ? before / (before - now) : 0.5));
  }
  return first;
}

void commit_switching(const EventWork& work, const Vector& last, State& state) {
  if (work.switching.size() == 0) return;
  work.memory.last_switches(state.z) = last;
  const StepResult& result = work.result;
  configure_at(work, state);
  work.measures.end(work.system, state, work.end.measured);
  write_conditions(work, state.u, result.step);
  const auto when = [&](const EventInfo& event, double before, double now) {
    if (work.search && work.search->found() && is_looked_for(event))
      return result.t_start + work.search->time_of(static_cast<std::size_t>(
                                  &event - work.system.info().events.data()));
    return time_of(event, result, work.measures.step_before, before, now);
  };
  make_events_happen(work.system, work.conditions, work.switching, work.end, work.result, when);
  if (holds_joints(work.system.info(), result))
    catch_velocity(work.system, work.end, work.switching, state.u);
  work.memory.switching(state.z) = work.switching;
}

void commit_switching(Moreau::Workspace& work, State& state) {
  commit_switching(events_of(work), work.middle.switches, state);
}

}  // namespace backlash
