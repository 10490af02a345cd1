// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/compliant/contact_memory.h"
#include "backlash/integrators/compliant/parts.h"

/// What the compliant method reports of its steps: the state, and what contacts did.
namespace backlash {
namespace {

double elastic(const CompliantLaw& law, double gap) {
  return gap < 0 ? elastic_energy(law.normal, -gap) : 0;
}

ContactState state_of(const ContactInfo& contact, const ContactVelocity& gamma) {
  if (contact.tangents == 0 || std::holds_alternative<Frictionless>(contact.compliant->friction))
    return ContactState::slip;
  const double speed = std::hypot(gamma[1], gamma[2]);
  return speed > holding_speed(contact.compliant->friction) ? ContactState::slip
                                                            : ContactState::stick;
}

/// Whether a contact at the start of a run has met nobody, but carries from there on: it is deeper
/// than the speed of its bodies brings them in a step; or it touches, and forces would make its
/// bodies as fast over a way that is lost in the tolerance of positions (theory 10.14).
bool carries(const ContactMotion& before, const ContactMotion& after, double step,
             double tolerance) {
  const double approach = std::max(0.0, -before.gamma[0]);
  const double acceleration = std::abs(after.gamma[0] - before.gamma[0]) / step;
  return -before.gap > 2 * step * approach + 1e-12 ||
         (before.gap < tolerance && approach * approach < 2 * acceleration * tolerance);
}

ContactPoint point_of(const ContactFrame& frame) { return {frame.p_WB, frame.n_W}; }

/// All of the impact that a contact began with and that is over, though the contact is not: until
/// the velocity apart vanished, in proportion within the last step.
ContactOutcome impact_of(const ContactMemory& own, const ContactOutcome& now,
                         const StepResult& step) {
  ContactOutcome impact = now;
  const double before = now.gamma_before[0], after = now.gamma_after[0];
  const double share = before > after ? std::clamp(before / (before - after), 0.0, 1.0) : 1;
  impact.t = step.t_start + share * step.step;
  impact.gamma_before[0] = -own.onset_rate;
  impact.gamma_after[0] = 0;
  impact.impulse[0] = own.normal_impulse - (1 - share) * now.impulse[0];
  impact.impulse[1] = own.tangential_impulse - (1 - share) * now.impulse[1];
  impact.loss = own.loss - (1 - share) * now.loss;
  return impact;
}

}  // namespace

/// Of a contact at the time of a sample, where y is, whether it is near or not.
ContactMotion Compliant::Parts::motion_of(const ContactSample& sample, const ContactKey& key,
                                          const Vector& y) {
  const std::size_t i = sample.find(key);
  return i < sample.frames.size() ? sample.motion(i)
                                  : dynamics.contact_motion(sample.t, y.data(), key);
}

/// A contact that was in force since the last report.
void Compliant::Parts::report_contact(const ContactInForce& contact, const ContactSample& now,
                                      const Vector& y, State& state, ContactRecord& record) {
  const Memory& memory = dynamics.memory();
  const ContactInfo& info = *contact.info;
  const CompliantLaw& law = *info.compliant;
  ContactOutcome& outcome = result.contacts.emplace_back();
  outcome.key = contact.key;
  const ContactMotion before = motion_of(*reported, contact.key, y_reported),
                      after = motion_of(now, contact.key, y);
  if (const std::size_t i = now.find(contact.key); i < now.frames.size()) {
    outcome.point = point_of(now.frames[i]);
    record.parameters = now.frames[i].parameters;
  }
  outcome.gap = std::isfinite(after.gap) ? after.gap : 0;
  outcome.gap_before = before.gap;
  outcome.before = record.state;
  const bool began = outcome.before == ContactState::open;
  const bool met =
      began && !(is_first && carries(before, after, result.step, options.position_tolerance));
  outcome.state = met ? ContactState::impact : state_of(info, after.gamma);
  if (began) outcome.t = result.t_start;
  const SmoothDynamics::ContactIntegrals done = dynamics.integrals(contact, gained);
  for (std::size_t i = 0; i < 3; ++i) {
    outcome.gamma_before[i] = before.gamma[i];
    outcome.gamma_after[i] = after.gamma[i];
    outcome.impulse[i] = done.impulse[i];
  }
  const double stored = elastic(law, after.gap) - elastic(law, before.gap);
  const double normal_loss = -done.normal_work - stored;
  outcome.loss = normal_loss - done.friction_work;
  memory.contact_loss(state.z) += outcome.loss;
  ContactMemory own = memory_of(record);
  if (began) {
    own.normal_impulse = own.tangential_impulse = own.loss = 0;
    own.t_onset = result.t_start;
    own.phase = met ? ImpactPhase::approach : ImpactPhase::over;
  }
  const bool in_impact = own.phase != ImpactPhase::over && own.onset_rate > 0;
  if (in_impact) memory.impact_loss(state.z) += outcome.loss;  // not of contact that lasts
  own.normal_impulse += outcome.impulse[0];
  own.tangential_impulse += outcome.impulse[1];
  own.loss += outcome.loss;
  own.friction_state = dynamics.friction_state(contact, y);
  const double acceleration = (after.gamma[0] - before.gamma[0]) / result.step;
  const ImpactPhase phase =
      next_phase(own, result.t_start + result.step, after.gamma[0], acceleration);
  if (phase == ImpactPhase::over && own.phase != ImpactPhase::over && own.onset_rate > 0)
    result.settled.push_back(impact_of(own, outcome, result));
  own.phase = phase;
  remember(own, record);
  record.impulse = done.impulse;
  record.state = outcome.state;
}

/// A contact that has ended: all that it did.
void Compliant::Parts::report_release(const ContactRecord& record) {
  const ContactMemory own = memory_of(record);
  ContactOutcome& outcome = result.released.emplace_back();
  outcome.key = record.key;
  if (own.phase != ImpactPhase::over) outcome.gamma_before[0] = -own.onset_rate;
  outcome.impulse[0] = own.normal_impulse;
  outcome.impulse[1] = own.tangential_impulse;
  outcome.loss = own.loss;
  outcome.t = result.t_start;
  outcome.before = ContactState::slip;
  const std::size_t i = reported->find(record.key);
  if (i == reported->frames.size()) return;
  outcome.gap = reported->frames[i].gap;
  outcome.gamma_after[0] = reported->velocities[i][0];
  outcome.point = point_of(reported->frames[i]);
}

/// The forces at the end of what is reported: the step's, or those at a row within it.
void Compliant::Parts::report_forces(double t, const Vector& y) {
  if (!result.interpolated && knows_forces_at_end)
    result.forces = forces_at_end;
  else
    result.forces = dynamics.end_forces(t, y.data());
  result.knows_forces = true;
}

/// The state at t, and what happened since the last report.
void Compliant::Parts::report(State& state, double t, const Vector& y, const ContactSample& now) {
  result.t_start = t_reported;
  result.step = t - t_reported;
  result.interpolated = t < end.t;
  result.whole_step = whole_step;
  result.order = with_stepper([](auto& s) { return s.order(); });
  result.warned = forced && !result.interpolated;
  result.singular = dynamics.reactions().uncertain();
  if (!result.interpolated) result.rejected = rejected;
  is_first = dynamics.memory().last_step(state.z) == 0;
  with_stepper([&](auto& s) { s.integrate(t_reported, t, end.t, y_end, gained); });
  dynamics.commit(t, y, gained, state);
  records.clear();
  auto known = state.contacts.begin();  // both are in the order of the keys
  const auto release_until = [&](auto&& reached) {
    for (; known != state.contacts.end() && !reached(known->key); ++known)
      if (known->state != ContactState::open) report_release(*known);
  };
  for (const ContactInForce& contact : dynamics.in_force()) {
    release_until([&](const ContactKey& key) { return !(key < contact.key); });
    const bool there = known != state.contacts.end() && known->key == contact.key;
    ContactRecord& record = records.emplace_back(there ? *known++ : ContactRecord{contact.key});
    report_contact(contact, now, y, state, record);
  }
  release_until([](const ContactKey&) { return false; });
  state.contacts.swap(records);
  dynamics.set_remembered(state.contacts, now);
  report_forces(t, y);
  y_reported = y;
  t_reported = t;
  reported = &now;
}

}  // namespace backlash
