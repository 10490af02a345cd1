// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/integrators/compliant/parts.h"

/// What the compliant method tells of its steps: the state, and what contacts did.
namespace backlash {
namespace {

using Index = Eigen::Index;

double elastic(const CompliantLaw& law, double gap) {
  return gap < 0 ? elastic_energy(law.normal, -gap) : 0;
}

}  // namespace

ContactState Compliant::Parts::state_of(const ContactInfo& contact,
                                        const ContactMotion& motion) const {
  if (contact.tangents == 0 || std::holds_alternative<Frictionless>(contact.compliant->friction))
    return ContactState::slip;
  const double speed = std::hypot(motion.gamma[1], motion.gamma[2]);
  return speed > holding_speed(contact.compliant->friction) ? ContactState::slip
                                                            : ContactState::stick;
}

/// A contact that was in force since the last report.
void Compliant::Parts::tell_contact(State& state, int contact, double t, const ContactMotion& now) {
  const Memory& memory = dynamics.memory();
  const ContactInfo& info = system.info().contacts[static_cast<std::size_t>(contact)];
  const ContactMotion& before = motions_reported[static_cast<std::size_t>(contact)];
  ContactOutcome& outcome = result.contacts.emplace_back();
  outcome.contact = contact;
  outcome.gap = now.gap;
  outcome.gap_before = before.gap;
  outcome.before = static_cast<ContactState>(static_cast<int>(memory.states(state.z)[contact]));
  const bool began = outcome.before == ContactState::open;
  outcome.state = began ? ContactState::impact : state_of(info, now);
  if (began) outcome.t = t - result.step;
  const Index first = memory.first_row(contact);
  for (int i = 0; i <= info.tangents; ++i) {
    outcome.gamma_before[i] = before.gamma[i];
    outcome.gamma_after[i] = now.gamma[i];
    outcome.impulse[i] = memory.impulses(state.z)[first + i];
  }
  const double stored = elastic(*info.compliant, now.gap) - elastic(*info.compliant, before.gap);
  const double normal_loss = -dynamics.normal_work_gained()[contact] - stored;
  outcome.loss = normal_loss - dynamics.friction_work_gained()[contact];
  memory.contact_loss(state.z)[contact] += outcome.loss;
  memory.impact_loss(state.z)[contact] += normal_loss;
  if (began) {
    memory.phase_normal_impulse(state.z)[contact] = 0;
    memory.phase_tangential_impulse(state.z)[contact] = 0;
    memory.phase_loss(state.z)[contact] = 0;
  }
  memory.phase_normal_impulse(state.z)[contact] += outcome.impulse[0];
  memory.phase_tangential_impulse(state.z)[contact] += outcome.impulse[1];
  memory.phase_loss(state.z)[contact] += outcome.loss;
  memory.states(state.z)[contact] = static_cast<double>(outcome.state);
}

/// A contact that has ended: all that it did.
void Compliant::Parts::tell_release(State& state, int contact, const ContactMotion& now) {
  const Memory& memory = dynamics.memory();
  auto states = memory.states(state.z);
  result.released.push_back(
      {.contact = contact,
       .gap = now.gap,
       .gap_before = motions_reported[static_cast<std::size_t>(contact)].gap,
       .gamma_before = {-memory.phase_entry_rate(state.z)[contact]},
       .gamma_after = {motions_reported[static_cast<std::size_t>(contact)].gamma[0]},
       .impulse = {memory.phase_normal_impulse(state.z)[contact],
                   memory.phase_tangential_impulse(state.z)[contact]},
       .loss = memory.phase_loss(state.z)[contact],
       .t = result.t_start,
       .before = ContactState::slip});
  states[contact] = static_cast<double>(ContactState::open);
}

/// The state at t, and what happened since the last report.
void Compliant::Parts::tell(State& state, double t, const Vector& y) {
  const Memory& memory = dynamics.memory();
  result.t_start = t_reported;
  result.step = t - t_reported;
  result.interpolated = t < end.t;
  result.whole_step = whole_step;
  result.order = with_stepper([](auto& s) { return s.order(); });
  result.warned = forced && !result.interpolated;
  if (!result.interpolated) result.rejected = rejected;
  dynamics.conclude(t, y, y_reported, state);
  const auto motions = dynamics.look(t, y.data());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const int contact = static_cast<int>(i);
    if (dynamics.modes()[i].in_force)
      tell_contact(state, contact, t, motions[i]);
    else if (memory.states(state.z)[contact] != 0)
      tell_release(state, contact, motions[i]);
    memory.gaps(state.z)[contact] = motions[i].gap;
  }
  motions_reported.assign(motions.begin(), motions.end());
  y_reported = y;
  t_reported = t;
}

}  // namespace backlash
