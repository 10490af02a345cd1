// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Slides if the natural map says so: ‖Λ_T − r γ_T‖ beyond the disk (theory 5.3).
bool slides(const ContactOutcome& outcome, const ContactLaw& law, int tangents, double mobility) {
  double sum = 0;
  for (int i = 1; i <= tangents; ++i) {
    const double xi = outcome.gamma_after[i] + law.tangential_restitution * outcome.gamma_before[i];
    const double trial = outcome.impulse[i] - xi / mobility;
    sum += trial * trial;
  }
  return std::sqrt(sum) > law.friction * outcome.impulse[0];
}

ContactState last_state(double code) { return static_cast<ContactState>(static_cast<int>(code)); }

/// Work of an impulse Λ in a step: on the mechanism Λ·(γ_mean − w), dissipated −Λ·γ_mean.
struct Work {
  double done = 0, lost = 0;  // [J]
};

Work work_of(const Moreau::Workspace& work, Index row) {
  const double impulse = work.solution.impulse[row];
  const double mean = 0.5 * (work.gamma_before[row] + work.gamma_after[row]);
  return {impulse * (mean - work.w[row]), -impulse * mean};
}

ContactState state_of(const Moreau::Workspace& work, const ActiveContact& a,
                      const ContactOutcome& outcome) {
  const ContactInfo& contact = work.system.info().contacts[static_cast<std::size_t>(a.contact)];
  if (!(outcome.impulse[0] > 0)) return ContactState::open;
  if (outcome.before == ContactState::open) return ContactState::impact;
  if (contact.tangents == 0 || contact.law.friction == 0) return ContactState::slip;
  const double mobility = work.mobility[a.first + 1];
  return slides(outcome, contact.law, contact.tangents, mobility) ? ContactState::slip
                                                                  : ContactState::stick;
}

void commit_contact(Moreau::Workspace& work, const ActiveContact& a, State& state) {
  const Memory& memory = work.memory;
  const int tangents = work.system.info().contacts[static_cast<std::size_t>(a.contact)].tangents;
  ContactOutcome& outcome = work.result.contacts.emplace_back();
  outcome.contact = a.contact;
  outcome.gap = work.gaps[a.contact];
  outcome.gap_before = memory.gaps(state.z)[a.contact];
  outcome.before = last_state(memory.states(state.z)[a.contact]);
  auto impulses = memory.impulses(state.z);
  double done = 0;
  for (int i = 0; i <= tangents; ++i) {
    const Index row = a.first + i;
    outcome.gamma_before[i] = work.gamma_before[row];
    outcome.gamma_after[i] = work.gamma_after[row];
    outcome.impulse[i] = work.solution.impulse[row];
    const Work w = work_of(work, row);
    done += w.done;
    outcome.loss += w.lost;
    impulses[memory.first_row(a.contact) + i] = outcome.impulse[i];
  }
  outcome.state = state_of(work, a, outcome);
  memory.states(state.z)[a.contact] = static_cast<double>(outcome.state);
  memory.contact_work(state.z)[a.contact] += done;
  memory.contact_loss(state.z)[a.contact] += outcome.loss;
  if (is_impact(outcome)) memory.impact_loss(state.z)[a.contact] += outcome.loss;
}

/// A contact that pushed and now is apart forgets its impulse.
void commit_release(Moreau::Workspace& work, Index contact, State& state) {
  const Memory& memory = work.memory;
  auto states = memory.states(state.z);
  work.result.released.push_back({.contact = static_cast<int>(contact),
                                  .gap = work.gaps[contact],
                                  .gap_before = memory.gaps(state.z)[contact],
                                  .before = last_state(states[contact])});
  states[contact] = 0;
  const int tangents = work.system.info().contacts[static_cast<std::size_t>(contact)].tangents;
  memory.impulses(state.z)
      .segment(memory.first_row(static_cast<int>(contact)), 1 + tangents)
      .setZero();
}

void commit_contacts(Moreau::Workspace& work, State& state) {
  const auto states = work.memory.states(state.z);
  auto last_gaps = work.memory.gaps(state.z);
  std::size_t next = 0;  // active contacts come in ascending order
  for (Index i = 0; i < work.gaps.size(); ++i) {
    if (next < work.active.size() && work.active[next].contact == i)
      commit_contact(work, work.active[next++], state);
    else if (states[i] != 0)
      commit_release(work, i, state);
    last_gaps[i] = work.gaps[i];
  }
}

void commit_standing_rows(Moreau::Workspace& work, State& state) {
  const Memory& memory = work.memory;
  auto impulses = memory.impulses(state.z);
  for (Index i = 0; i < work.bilaterals + work.relays; ++i) {
    impulses[i] = work.solution.impulse[i];
    const double done = work_of(work, i).done;
    if (i < work.bilaterals)
      memory.bilateral_work(state.z) += done;
    else
      memory.relay_work(state.z)[i - work.bilaterals] += done;
  }
  if (work.bilaterals > 0) memory.bilateral_start(state.z) = work.bilateral_start;
}

/// γ = Wᵀu_E + w of all rows.
void write_end_velocities(Moreau::Workspace& work) {
  work.gamma_after.resize(work.rows);
  for (const Island& island : work.islands) {
    const MatrixMap W = W_of(work, island);
    const double* u = on_island(work, island, work.u_end, 0);
    for (Index i = 0; i < island.rows; ++i) {
      double after = work.w[island.first_row + i];
      for (Index k = 0; k < island.velocities; ++k) after += W(k, i) * u[k];
      work.gamma_after[island.first_row + i] = after;
    }
  }
}

}  // namespace

void commit_step(Moreau::Workspace& work, State& state, double step) {
  const Memory& memory = work.memory;
  const Index n = work.u_end.size();
  // The mean velocity of the step, which all work is reckoned with.
  for (Index i = 0; i < n; ++i) work.u_middle[i] = 0.5 * (state.u[i] + work.u_end[i]);
  memory.applied_work(state.z) += step * work.system.applied_power(work.middle, work.u_middle);
  if (work.rows > 0) {
    write_end_velocities(work);
    commit_standing_rows(work, state);
  }
  commit_contacts(work, state);
  memory.last_step(state.z) = step;
  state.t += step;
  state.q.swap(work.q_end);
  state.u.swap(work.u_end);
}

}  // namespace backlash
