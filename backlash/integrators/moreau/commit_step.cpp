// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/start_overlap.h"
#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Work of an impulse Λ on the mechanism in a step (theory 4.7) [J].
struct Work {
  double surface = 0;    ///< −Λ·w̃, of a moving surface or a drive
  double slip = 0;       ///< Λ·γ_mean; its negative is dissipated
  double projected = 0;  ///< along the projection at the end of the step (theory 4.37)
};

Work work_of(const Moreau::Workspace& work, Index row) {
  const double impulse = work.solution.impulse[row];
  return {-impulse * work.set.w[row],
          0.5 * impulse * (work.gamma_before[row] + work.gamma_after[row]),
          work.projected ? impulse * work.gamma_projected[row] : 0};
}

/// The mean velocity of all rows by the projection.
void write_projected_velocities(Moreau::Workspace& work, double step) {
  const RowSet& set = work.set;
  for (const RowGroup& group : set.groups)
    for (int j = 0; j < group.rows; ++j)
      work.gamma_projected[group.first_row + j] =
          rate_of(work, set, group, j, work.projected_travel.data()) / step;
}

/// Whether the normal row of a contact should do no work: bodies that stay neither approach nor
/// leave each other, and those that touch down lose by it, but do not gain. In an impact one may
/// give what another takes.
bool is_idle(const Moreau::Workspace& work, const ActiveContact& a) {
  if (!work.lasting || a.reached) return false;
  return a.lasts() || work.gamma_before[a.first] + work.gamma_after[a.first] > 0;
}

/// Whether a contact that carries nothing stays closed nevertheless: of several at one place, as
/// the corners of equal boxes, some may carry what all of them could.
bool rests_unloaded(const Moreau::Workspace& work, const ActiveContact& a) {
  return work.lasting && a.lasts() &&
         work.gamma_after[a.first] + a.rise <= speed_of_round_off(work);
}

ContactState state_of(const Moreau::Workspace& work, const ActiveContact& a,
                      const ContactOutcome& outcome) {
  const ContactInfo& contact = *a.info;
  // One that is slowed down to its surface meets it in the next step.
  if (a.early && !a.impact && -work.gamma_after[a.first] > 2 * a.by_forces)
    return ContactState::open;
  if (!pushes(work, a)) return rests_unloaded(work, a) ? outcome.before : ContactState::open;
  if (work.lasting ? a.impact : outcome.before == ContactState::open) return ContactState::impact;
  if (contact.tangents == 0 || holding_friction(contact.law) == 0) return ContactState::slip;
  return slides(work, a) ? ContactState::slip : ContactState::stick;
}

/// Where sliding reverses its direction, a step or two may end without velocity. A contact that
/// slid sticks if it does so for longer; `record` counts, and the time is that of the first one.
void confirm_stick(const Moreau::Workspace& work, const ActiveContact& a, ContactOutcome& outcome,
                   ContactRecord& record) {
  constexpr double steps_of_reversal = 2;
  if (outcome.before != ContactState::slip || outcome.state != ContactState::stick) return;
  double& steps = steps_without_sliding(record);
  double& began = time_of_sticking(record);
  steps = steps_without_sliding(*a.record) + 1;
  began = steps > 1 ? time_of_sticking(*a.record) : work.middle.t;
  if (steps > steps_of_reversal)
    outcome.t = began;
  else
    outcome.state = ContactState::slip;
}

/// When a contact closed that was open in the step before, from there to the middle of this one:
/// q_M moved by Δt u_A; or, if it is open there, on to the end. Nothing happens before the first
/// step of a run, or of a contact.
double time_of_closing(const Moreau::Workspace& work, const ActiveContact& a,
                       const ContactOutcome& outcome, bool first) {
  const double step = work.result.step, since = outcome.gap / outcome.gamma_before[0];
  const double latest = a.early && !a.further ? -0.5 * step : 0;
  const double t = work.middle.t - std::clamp(std::isfinite(since) ? since : 0, latest, step);
  return first ? std::max(t, work.result.t_start) : t;
}

/// The normal force of a contact, as its impulse has it or, where an impact has reached it, as it
/// was before; and what presses it, which may come through others, as the weight of what lies on a
/// body.
void note_force(const Moreau::Workspace& work, const ActiveContact& a, ContactRecord& record) {
  pressing_acceleration(record) = a.pressing_acceleration;
  if (!a.reached)
    normal_force(record) = record.impulse[0] / work.result.step;
  else if (a.lasts())
    normal_force(record) = normal_force(*a.record);
  if (!a.lasts()) return;  // what stops it in touching down is more than what presses it
  pressing_acceleration(record) =
      std::max(a.pressing_acceleration, work.mobility[a.first] * normal_force(record));
}

void commit_contact(Moreau::Workspace& work, std::size_t number, State& state) {
  const Memory& memory = work.memory;
  const ActiveContact& a = work.active[number];
  const ContactFrame& frame = work.frames[number];
  ContactOutcome& outcome = work.result.contacts.emplace_back();
  outcome.key = frame.key;
  outcome.gap = frame.gap;
  outcome.point.p_W = frame.p_WB;
  outcome.point.n_W = frame.n_W;
  outcome.before = a.record ? a.record->state : ContactState::open;
  for (int i = 0; i <= a.info->tangents; ++i) {
    const Index row = a.first + i;
    outcome.gamma_before[i] = work.gamma_before[row];
    outcome.gamma_after[i] = work.gamma_after[row];
    outcome.impulse[i] = work.solution.impulse[row];
    const auto [surface, slip, projected] = work_of(work, row);
    memory.contact_work(state.z) += surface;
    if (i == 0 && is_idle(work, a))
      memory.projection_energy(state.z) += slip;  // what keeps it closed is no loss of its own
    else
      outcome.loss -= slip;
    // In impacts impulses are no forces, and what a landing is charged with (4.36) is all of it.
    if (i == 0 || a.reached || !a.lasts() || a.foreseen) continue;
    outcome.loss -= projected;
    memory.projection_energy(state.z) -= projected;
  }
  outcome.loss -= a.given_back;
  outcome.state = state_of(work, a, outcome);
  ContactRecord& record = work.records.emplace_back();
  confirm_stick(work, a, outcome, record);
  if (outcome.before == ContactState::open && outcome.state != ContactState::open && !a.record)
    outcome.t = time_of_closing(work, a, outcome, contacts_begin(work, state));
  memory.contact_work(state.z) -= outcome.loss;
  memory.contact_loss(state.z) += outcome.loss;
  if (is_impact(outcome) || (a.reached && !a.lasts())) memory.impact_loss(state.z) += outcome.loss;
  record.key = frame.key;
  record.state = outcome.state;
  std::copy(std::begin(outcome.impulse), std::end(outcome.impulse), record.impulse.begin());
  record.parameters = frame.parameters;
  note_force(work, a, record);
  jammed(record) = a.jammed;
  if (!a.lasts() || a.off || !pushes(work, a)) return;  // one that does not push closes nothing
  gap_ahead(record) = a.ahead;
  closed_gap(record) = a.rise * work.result.step;
  closing_step(record) = work.result.step;
}

/// Whether an impact, its own or another, has reached a contact: its impulse is more than what
/// forces make and what stops its bodies where they approach each other.
bool is_reached(const Moreau::Workspace& work, const ActiveContact& contact) {
  if (contact.impact) return pushes(work, contact);
  const double usual = contact.lasts() ? work.result.step * normal_force(*contact.record) : 0;
  const double change = std::abs(work.solution.impulse[contact.first] - usual);
  return work.mobility[contact.first] * change >
         std::max(0.0, -work.gamma_before[contact.first]) + 2 * contact.by_forces;
}

/// Which contacts impacts have reached, if there are any: of one face, whose corners share what
/// comes, all or none.
void mark_reached(Moreau::Workspace& work) {
  const bool any = std::ranges::any_of(work.active, [&](const ActiveContact& contact) {
    return contact.impact && pushes(work, contact);
  });
  for (ActiveContact& contact : work.active) contact.reached = any && is_reached(work, contact);
  if (!any) return;
  const auto same_bodies = [&](std::size_t i, std::size_t k) {
    return work.frames[i].key.pair == work.frames[k].key.pair &&
           work.frames[i].blocks == work.frames[k].blocks;
  };
  for (std::size_t first = 0, next = 0; first < work.active.size(); first = next) {
    bool reached = false;
    for (next = first; next < work.active.size() && same_bodies(first, next); ++next)
      reached = reached || work.active[next].reached;
    for (std::size_t k = first; k < next; ++k) work.active[k].reached = reached;
  }
}

/// What is closed is remembered; a contact that pushed and now is apart is forgotten.
void remember_contacts(Moreau::Workspace& work, State& state) {
  work.records.clear();
  mark_reached(work);
  std::size_t next = 0;  // both lists are in the order of the keys
  const auto release_until = [&](auto&& reached) {
    for (; next < state.contacts.size() && !reached(state.contacts[next]); ++next)
      if (state.contacts[next].state != ContactState::open)
        work.result.released.push_back(
            {.key = state.contacts[next].key, .before = state.contacts[next].state});
  };
  for (std::size_t i = 0; i < work.active.size(); ++i) {
    const ContactKey& key = work.frames[i].key;
    release_until([&](const ContactRecord& record) { return !(record.key < key); });
    if (work.active[i].record) ++next;
    commit_contact(work, i, state);
  }
  release_until([](const ContactRecord&) { return false; });
  state.contacts.swap(work.records);
}

/// What the contacts of an island made together in an impact: one may give what another takes. Zero
/// if there was none, if it is round-off of what was done, or if it is what impulses do along the
/// velocities that forces change in the same step, which vanishes with its length (theory 3.11).
ImpactGain gain_of(const Moreau::Workspace& work, const Island& island) {
  constexpr double round_off = 1e-9;
  ImpactGain gain;
  double size = 0, by_forces = 0, most = -INFINITY;
  bool impact = false;
  for (const RowGroup& group : groups_of(work.set, island).last(at(island.contacts))) {
    const ContactOutcome& outcome = work.result.contacts[at(group.number)];
    impact = impact || is_impact(outcome);
    by_forces += std::abs(outcome.impulse[0]) * work.active[at(group.number)].by_forces;
    double own = 0;
    for (int i = 0; i < group.rows; ++i) {
      const double before = outcome.gamma_before[i], after = outcome.gamma_after[i];
      own += 0.5 * outcome.impulse[i] * (before + after);
      size += std::abs(outcome.impulse[i]) * (std::abs(before) + std::abs(after));
    }
    gain.energy += own;
    if (own > most) gain.key = outcome.key;
    most = std::max(most, own);
  }
  return impact && gain.energy > round_off * size + by_forces ? gain : ImpactGain{};
}

void note_gain(Moreau::Workspace& work) {
  if (std::ranges::none_of(work.result.contacts, is_impact)) return;
  for (const Island& island : work.set.islands) {
    if (island.contacts == 0) continue;
    const ImpactGain gain = gain_of(work, island);
    if (gain.energy > work.result.gain.energy) work.result.gain = gain;
  }
}

[[gnu::noinline]] void commit_contacts(Moreau::Workspace& work, State& state) {
  remember_contacts(work, state);
  if (work.active.empty()) return;
  note_gain(work);
  note_undetermined(work);
}

/// What is off carries nothing, and goes on from there when it is turned on again.
void clear_rows_off(Moreau::Workspace& work, State& state) {
  for (const RowGroup& group : work.set.groups)
    if (is_off(work, group)) {
      work.solution.impulse[group.first_row] = 0;
      work.memory.impulses(state.z)[group.number] = 0;
    }
}

[[gnu::noinline]] void commit_standing_rows(Moreau::Workspace& work, State& state) {
  const Memory& memory = work.memory;
  clear_rows_off(work, state);
  Arena::Frame frame(work.scratch);
  VectorMap impulses = frame.vector(memory.rows());
  impulses = memory.impulses(state.z);
  for (const RowGroup& group : work.set.groups) {
    if (group.kind == RowGroup::Kind::contact) continue;
    const double impulse = work.solution.impulse[group.first_row];
    const auto [surface, slip, projected] = work_of(work, group.first_row);
    if (group.kind == RowGroup::Kind::bilateral) {
      impulses[group.number] = impulse;
      memory.bilateral_work(state.z) += surface;
      memory.projection_energy(state.z) += slip;  // it should do none
    } else {
      impulses[work.bilaterals + group.number] = impulse;
      memory.relay_work(state.z)[group.number] += surface + slip + projected;
      memory.projection_energy(state.z) -= projected;
    }
  }
  commit_friction(work, state);
  hold_undetermined_impulses(work, state, impulses);
  memory.impulses(state.z) = impulses;
  if (work.bilaterals > 0) work.own_memory.bilateral_start(state.z) = work.bilateral_start;
}

/// The forces without potential do their work along all of the step's displacement: Δt u_M or
/// Δt u_θ, and that of the projection, which has to make up for it (theory 4.37).
void commit_applied_work(Moreau::Workspace& work, State& state, double step) {
  const Memory& memory = work.memory;
  const auto work_along = [&](const Vector& displacement) {
    return work.system.applied_power(work.middle, work.u_middle, displacement);
  };
  double& beside_mean = work.result.work_beside_mean;
  memory.applied_work(state.z) += step * work_along(work.u_middle);
  beside_mean = 0;
  if (work.options.scheme == Scheme::theta)
    beside_mean = step * (work_along(work.u_theta) - work_along(work.u_middle));
  if (work.projected) {
    const double projected = work_along(work.projected_travel);
    beside_mean += projected;
    memory.projection_energy(state.z) -= projected;
  }
  memory.applied_work(state.z) += beside_mean;
}

}  // namespace

void write_end_velocities(Moreau::Workspace& work, double step) {
  const RowSet& set = work.set;
  work.gamma_after.resize(set.rows);
  work.gamma_projected.resize(set.rows);  // so that the first projection allocates nothing
  for (const RowGroup& group : set.groups)
    for (int j = 0; j < group.rows; ++j)
      work.gamma_after[group.first_row + j] = rate_of(work, set, group, j, work.u_end.data()) +
                                              set.w[group.first_row + j] +
                                              end_shift(work, group, j, step);
}

void commit_step(Moreau::Workspace& work, State& state, double step) {
  const Memory& memory = work.memory;
  const Index n = work.u_end.size();
  // The mean velocity of the step, which all work is reckoned with.
  for (Index i = 0; i < n; ++i) work.u_middle[i] = 0.5 * (state.u[i] + work.u_end[i]);
  commit_applied_work(work, state, step);
  if (work.projected) write_projected_velocities(work, step);
  if (!work.standing.empty()) commit_standing_rows(work, state);
  if (!work.active.empty() || !state.contacts.empty()) commit_contacts(work, state);
  memory.last_step(state.z) = step;
  state.t = work.t_end;
  state.q.swap(work.q_end);
  state.u.swap(work.u_end);
}

}  // namespace backlash
