// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/friction.h"

#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

double coefficient_of(const RelayInfo& relay, FrictionMode mode) {
  return mode == FrictionMode::sticks ? std::max(relay.friction, relay.static_friction)
                                      : relay.friction;
}

void set_strengths(Moreau::Workspace& work) {
  const std::vector<RelayInfo>& relays = work.system.info().relays;
  for (const Index i : work.loads.relays()) {
    const double friction = coefficient_of(relays[at(i)], work.relay_modes[at(i)]);
    work.relay_limit[i] = work.relay_strength[i] =
        work.relay_constant[i] + friction * work.loads.load[i];
  }
}

/// Rows that rub on each other: of a relay, or the tangents of a contact.
struct Rubbing {
  Index first = 0;
  int rows = 1;
  double limit = 0;        ///< of their impulse [N s]
  double restitution = 0;  ///< tangential
  double length = 1;       ///< [m], of rows in radians
};

Rubbing rubbing(const Moreau::Workspace& work, const ActiveContact& contact) {
  return {.first = contact.first + 1,
          .rows = contact.info->tangents,
          .limit = contact.friction() * work.solution.impulse[contact.first],
          .restitution = contact.info->law.tangential_restitution};
}
Rubbing rubbing(const Moreau::Workspace& work, const RowGroup& relay) {
  return {.first = relay.first_row,
          .limit = work.result.step * work.relay_limit[relay.number],
          .length = work.system.info().relays[at(relay.number)].length};
}

/// Slides if the natural map says so: ‖Λ_T − r ξ_T‖ beyond the disk (theory 5.3). What is at the
/// limit of its friction and moves by round-off alone sticks.
bool slides(const Moreau::Workspace& work, const Rubbing& r) {
  constexpr double round_off = 1e-6;  // of what friction does to the velocity in this step
  const double mobility = work.mobility[r.first];
  double sum = 0, speed = 0;
  for (Index row = r.first; row < r.first + r.rows; ++row) {
    const double xi = work.gamma_after[row] + r.restitution * work.gamma_before[row];
    const double trial = work.solution.impulse[row] - xi / mobility;
    sum += trial * trial;
    speed += xi * xi;
  }
  return std::sqrt(sum) > r.limit &&
         std::sqrt(speed) >
             std::max(speed_of_round_off(work) / r.length, round_off * r.limit * mobility);
}

/// What sticks and is torn loose slides; what slid and passes through rest may stick, once.
bool changes_mode(const Moreau::Workspace& work, const Rubbing& r, FrictionMode& mode) {
  constexpr double rest = 0.01;  // of the speed that friction could stop in this step
  if (mode == FrictionMode::torn_loose || !slides(work, r)) return false;
  if (mode == FrictionMode::sticks) {
    mode = FrictionMode::torn_loose;
    return true;
  }
  double along = 0, speed = 0;
  for (Index row = r.first; row < r.first + r.rows; ++row) {
    along += work.gamma_before[row] * work.gamma_after[row];
    speed += work.gamma_before[row] * work.gamma_before[row];
  }
  const bool at_rest =
      mode == FrictionMode::unknown && std::sqrt(speed) <= rest * r.limit * work.mobility[r.first];
  if (along > 0 && !at_rest) return false;
  mode = FrictionMode::sticks;
  return true;
}

/// How a contact was left by the step before.
FrictionMode mode_of(const ContactRecord* record) {
  if (!record || !lasts(record->state)) return FrictionMode::unknown;
  const bool held = record->state == ContactState::stick || steps_without_sliding(*record) > 0;
  return held ? FrictionMode::sticks : FrictionMode::slides;
}

bool change_modes(Moreau::Workspace& work) {
  const std::vector<RelayInfo>& relays = work.system.info().relays;
  bool any = false;
  for (const RowGroup& group : work.set.groups) {
    if (group.kind == Kind::relay && has_static_friction(relays[at(group.number)]))
      any |= changes_mode(work, rubbing(work, group), work.relay_modes[at(group.number)]);
    if (group.kind == Kind::contact && group.rows > 1) {
      ActiveContact& contact = work.active[at(group.number)];
      if (has_static_friction(contact.info->law))
        any |= changes_mode(work, rubbing(work, contact), contact.friction_mode);
    }
  }
  return any;
}

/// The step as it is found with the loads that were assumed.
void write_forces(Moreau::Workspace& work, const State& state, double step) {
  LastStep& forces = work.loads.forces;
  forces.velocity = 0.5 * (state.u + work.u_end);
  forces.acceleration = (work.u_end - state.u) / step;
  forces.contacts.clear();
  for (const RowGroup& group : work.set.groups) {
    const double* impulse = work.solution.impulse.data() + group.first_row;
    if (group.kind == Kind::bilateral) {
      forces.row_forces[group.number] = *impulse / step;
    } else if (group.kind == Kind::relay) {
      forces.row_forces[work.bilaterals + group.number] = *impulse / step;
    } else {
      forces.contacts.push_back({.key = work.frames[at(group.number)].key});
      for (int i = 0; i < group.rows; ++i) forces.contacts.back().force[at(i)] = impulse[i] / step;
    }
  }
  // Groups are in the order of the islands.
  std::ranges::sort(forces.contacts, {}, &ContactForce::key);
}

/// Whether another strength would change the impulse of a relay by more than round-off.
bool matters(const Moreau::Workspace& work, const RowGroup& group, double step) {
  constexpr double tolerance = 1e-11, round_off = 1e-14;
  const Index i = group.number;
  const RelayInfo& relay = work.system.info().relays[at(i)];
  const double friction = coefficient_of(relay, work.relay_modes[at(i)]);
  const double found = work.relay_constant[i] + friction * work.loads.found()[i];
  const double impulse = std::abs(work.solution.impulse[group.first_row]);
  if (impulse < (1 - tolerance) * step * std::min(found, work.relay_strength[i])) return false;
  const double change = std::abs(found - work.relay_strength[i]);
  return change > tolerance * found &&
         step * change * work.mobility[group.first_row] * relay.length >
             round_off * work.velocity_scale;
}

bool change_loads(Moreau::Workspace& work, const State& state, double step) {
  write_forces(work, state, step);
  work.loads.evaluate();
  const bool any = std::ranges::any_of(work.set.groups, [&](const RowGroup& group) {
    return group.kind == Kind::relay && is_loaded(work.system.info().relays[at(group.number)]) &&
           matters(work, group, step);
  });
  if (any) work.loads.improve();
  return any;
}

}  // namespace

double speed_of_round_off(const Moreau::Workspace& work) {
  return std::max(gap_round_off * work.system.info().length / work.result.step,
                  work.options.solver_options.tolerance * work.velocity_scale);
}

bool slides(const Moreau::Workspace& work, const ActiveContact& contact) {
  return slides(work, rubbing(work, contact));
}

void begin_friction(Moreau::Workspace& work, const State& state) {
  if (!work.has_varying_friction) return;
  for (ActiveContact& contact : work.active) contact.friction_mode = mode_of(contact.record);
  const auto held = work.own_memory.relay_held(state.z);
  for (Index i = 0; i < work.relays; ++i)
    work.relay_modes[at(i)] = held[i] > 0   ? FrictionMode::sticks
                              : held[i] < 0 ? FrictionMode::slides
                                            : FrictionMode::unknown;
  work.loads.begin();
  set_strengths(work);
}

void assume_last_loads(Moreau::Workspace& work, const State& state, double step) {
  if (!work.loads.any()) return;
  work.relay_constant = work.relay_strength;
  work.loads.load = work.own_memory.relay_load(state.z);
  LastStep& forces = work.loads.forces;
  forces.step = step;
  forces.middle.t = work.middle.t;
  forces.middle.q = work.middle.q;
  forces.middle.switches = work.middle.switches;
  forces.middle.cache = work.middle.cache;
  copy_tracking(work.middle.search.profiles, forces.middle.search.profiles);
  forces.remembered = state.contacts;
}

bool friction_changes(Moreau::Workspace& work, const State& state, double step) {
  if (!work.has_varying_friction) return false;
  if (work.loads.any() && change_loads(work, state, step)) {
    set_strengths(work);
    return true;
  }
  if (!work.has_static_friction) return false;
  write_end_velocities(work, step);
  if (!change_modes(work)) return false;
  work.loads.begin();
  set_strengths(work);
  return true;
}

void commit_friction(const Moreau::Workspace& work, State& state) {
  if (!work.has_varying_friction) return;
  work.own_memory.relay_load(state.z) = work.loads.load;
  auto held = work.own_memory.relay_held(state.z);
  for (const RowGroup& group : work.set.groups)
    if (group.kind == Kind::relay) held[group.number] = slides(work, rubbing(work, group)) ? -1 : 1;
}

}  // namespace backlash
