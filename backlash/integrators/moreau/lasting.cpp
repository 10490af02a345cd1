// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/automatic_steps.h"
#include "backlash/integrators/moreau/workspace.h"

/// Contact that lasts (theory 4.11): rows by the velocity at the end of the step, gaps that vanish,
/// and impacts told from touching.
namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

/// The gap at the end of the step but for the velocity there (theory 4.12): what the straight ways
/// to and from q_M make of it is taken out.
double gap_ahead(const Moreau::Workspace& work, int contact, double step) {
  return work.frames[at(contact)].gap - step * step / 8 * work.contact_bias[at(contact)][0];
}

/// How deep a contact may be after it has landed [m, rad].
double depth_limit(const Moreau::Workspace& work, const ContactInfo& contact) {
  constexpr double of_play = 2e-4, of_length = 2e-7;
  if (contact.play > 0) return of_play * contact.play;
  return of_length * (contact.unit == GapUnit::radian ? 1 : work.system.info().length);
}

/// What a bias makes of the gap in a step, Δt²b/4, is at most this share of the play: a journal
/// that goes a large angle round its bearing in one step leaves its path by more than the second
/// order knows (theory 4.12).
void limit_bias(Moreau::Workspace& work, std::size_t frame, double step) {
  constexpr double share = 1.0 / 16;  // the angle is then 1/2
  ContactVelocity& bias = work.contact_bias[frame];
  const double play = work.system.info().contacts[at(work.frames[frame].key.pair)].play;
  const double made = step * step / 4 * std::abs(bias[0]);
  if (play == 0) return;
  work.bend = std::max(work.bend, made / (share * play));
  if (made <= share * play) return;
  for (double& component : bias) component *= share * play / made;
}

/// Velocity that the forces of the step give a contact's row [m/s, rad/s].
double velocity_by_forces(const Moreau::Workspace& work, const ActiveContact& contact) {
  return work.gamma_free[contact.first] - work.gamma_before[contact.first];
}

/// A velocity by which a contact that stays closes its gap, slowly where it is deep: small beside
/// that of the landing that left it so, and beside what presses it, so that it goes on to push.
double rise_of(const Moreau::Workspace& work, int number, double step) {
  constexpr double share = 0.25;  // of the gap that a step closes: half of it in all
  constexpr double at_once = 5;   // depth limits
  constexpr double slow = 0.1;    // of a depth beyond, so that it ends at a few ways of one step
  const ActiveContact& contact = work.active[at(number)];
  if (!contact.lasts() || std::isfinite(work.options.penetration_limit)) return 0;
  const double ahead = gap_ahead(work, number, step);
  const double length = contact.info->unit == GapUnit::radian ? 1 : work.system.info().length;
  if (std::abs(ahead) <= gap_round_off * length) return 0;  // it would shake what is at rest
  const double limit = std::max(at_once * depth_limit(work, *contact.info), slow * -ahead);
  const double gap = std::max(ahead, -limit);
  const double pressed = std::max(0.0, -work.gamma_free[contact.first]);
  return std::max(2 * share * gap / work.closing_time, -0.5 * pressed);
}

/// The speed of a bounce that is as high as automatic steps are accurate (theory 4.18): what is
/// slower is no impact. Equal steps know none.
double low_bounce(const Moreau::Workspace& work, const ActiveContact& contact, double step) {
  if (!work.options.automatic_step) return 0;
  const double acceleration = std::abs(velocity_by_forces(work, contact)) / step;
  return std::sqrt(2 * acceleration * closing_tolerance(work, *contact.info));
}

}  // namespace

void keep_lasting_contacts(Moreau::Workspace& work, const State& state, double step) {
  const auto keep = [&](const ContactKey& key, double pressed) {
    const auto next =
        std::lower_bound(work.frames.begin(), work.frames.end(), key,
                         [](const ContactFrame& f, const ContactKey& k) { return f.key < k; });
    if (next != work.frames.end() && next->key == key) return;
    ContactFrame frame;
    if (!work.system.follow_contact(work.middle, key, state.contacts, frame)) return;
    ContactVelocity bias{};
    work.system.write_contact_biases(work.middle, state.u, {&frame, 1}, {&bias, 1});
    const ContactInfo& contact = work.system.info().contacts[at(key.pair)];
    const double most =
        step * step / 4 * (std::max(0.0, bias[0]) + pressed) + depth_limit(work, contact);
    if (frame.gap <= most) work.frames.insert(next, frame);
  };
  for (const ContactRecord& record : state.contacts)
    if (lasts(record.state)) keep(record.key, pressing_acceleration(record));
  if (work.memory.last_step(state.z) > 0) return;
  // Nothing has pushed before the first step; what touches at the start may.
  set_configuration(work.system, work.memory, state, work.end);
  work.deep.clear();
  work.system.find_contacts(work.end, 1e-9 * work.system.info().length, {}, work.deep);
  for (const ContactFrame& touching : work.deep) keep(touching.key, 0);
}

void add_last_contacts(Moreau::Workspace& work, const State& state) {
  const double last = work.memory.last_step(state.z);
  if (!work.lasting || last == 0) return;
  for (const RowGroup& group : work.set.groups) {
    if (group.kind != Kind::contact) continue;
    const ActiveContact& contact = work.active[at(group.number)];
    if (!contact.lasts()) continue;
    for (int i = 0; i < group.rows; ++i)
      add_effect(work, work.set, group, i, contact.record->impulse[at(i)] / last,
                 work.acceleration);
  }
}

void write_contact_biases(Moreau::Workspace& work, double step) {
  if (!work.lasting) return;
  work.contact_bias.resize(work.frames.size());
  work.system.write_contact_biases(work.middle, work.u_middle, work.frames, work.contact_bias);
  for (std::size_t k = 0; k < work.frames.size(); ++k) limit_bias(work, k, step);
}

void find_impacts(Moreau::Workspace& work, double step) {
  constexpr double slowest = 1e-12;  // [m/s], below is round-off of bodies that touch
  constexpr double steps = 2;        // of the forces at hand: what they make in a step is no impact
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    ActiveContact& contact = work.active[k];
    contact.impact = !work.lasting;
    if (!work.lasting) continue;
    const double before = work.gamma_before[contact.first];
    const double by_forces = std::abs(velocity_by_forces(work, contact));
    const double least = std::max({slowest, steps * by_forces, low_bounce(work, contact, step)});
    contact.impact = -before > least && !contact.lasts();
    contact.rise = rise_of(work, static_cast<int>(k), step);
    contact.pressing_acceleration = std::max(0.0, -velocity_by_forces(work, contact) / step);
  }
}

bool pushes(const Moreau::Workspace& work, const ActiveContact& contact) {
  const double impulse = work.solution.impulse[contact.first];
  if (!(impulse > 0) || contact.impact) return impulse > 0;
  return impulse * work.mobility[contact.first] > work.gamma_after[contact.first] + contact.rise;
}

bool mark_deep_contacts(Moreau::Workspace& work, double step) {
  if (!work.lasting || std::isfinite(work.options.penetration_limit)) return false;
  bool any = false;
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    ActiveContact& contact = work.active[k];
    const double after = work.gamma_after[contact.first];
    // In a play, where normals turn with the place, those that only touch down rise by themselves.
    const bool lands = contact.impact ? contact.info->law.restitution == 0
                                      : !contact.lasts() && contact.info->play == 0;
    if (!lands || !pushes(work, contact)) continue;
    const double gap = gap_ahead(work, static_cast<int>(k), step) + 0.5 * step * after;
    const double play = contact.info->play > 0 ? contact.info->play : INFINITY;
    const double shallow = std::min(depth_limit(work, *contact.info),
                                    step * std::abs(velocity_by_forces(work, contact)));
    contact.deep = gap < -shallow && gap > -play / 10;
    any = any || contact.deep;
  }
  return any;
}

}  // namespace backlash
