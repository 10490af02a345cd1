// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/automatic_steps.h"
#include "backlash/integrators/moreau/workspace.h"

/// Contact that lasts (theory 4.11): rows by the velocity at the end of the step, gaps that vanish,
/// and impacts distinguished from touching.
namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

/// The gap at the end of the step but for the velocity there (theory 4.12): what the straight ways
/// to and from q_M make of it is taken out.
double gap_ahead_of(const Moreau::Workspace& work, int contact, double step) {
  return work.frames[at(contact)].gap - step * step / 8 * work.contact_bias[at(contact)][0];
}

/// The way along which the normal of a contact turns by one radian: the play, or the distance of
/// the centres of curvature. Infinite at flat faces [m].
double turning_length(const ContactFrame& frame, double play) {
  if (play > 0) return play;
  const double centres = std::abs(frame.gap + frame.radii[0] + frame.radii[1]);
  return std::isfinite(centres) ? centres : INFINITY;
}

/// What a bias makes of the gap in a step, Δt²b/4, is at most this share of the length along which
/// the normal turns: a journal that goes a large angle round its bearing in one step leaves its
/// path by more than the second order knows (theory 4.12).
void limit_bias(Moreau::Workspace& work, std::size_t frame, double step) {
  constexpr double share = 1.0 / 16;  // the angle is then 1/2
  ContactVelocity& bias = work.contact_bias[frame];
  if (work.active[frame].early) bias = {};  // about the corner that is nearest, say
  const double play = work.system.info().contacts[at(work.frames[frame].key.pair)].play;
  const double most = share * turning_length(work.frames[frame], play);
  const double made = step * step / 4 * std::abs(bias[0]);
  if (play > 0) work.bend = std::max(work.bend, made / most);
  if (made <= most) return;
  for (double& component : bias) component *= most / made;
}

/// Velocity that the forces of the step give a contact's row [m/s, rad/s].
double velocity_by_forces(const Moreau::Workspace& work, const ActiveContact& contact) {
  return work.gamma_free[contact.first] - work.gamma_before[contact.first];
}

/// The most that forces change γ_N by: those of the step alone, and with them those of joints and
/// of other contacts as the predicted u_middle has them. Two bodies that fall do not approach each
/// other; but the lower one may rest on something (theory 4.13).
double velocity_by_all(const Moreau::Workspace& work, const RowGroup& group) {
  const Index row = group.first_row;
  const double at_middle = rate_of(work, work.set, group, 0, work.u_middle.data());
  return std::max(std::abs(work.gamma_free[row] - work.gamma_before[row]),
                  2 * std::abs(at_middle + work.set.w[row] - work.gamma_before[row]));
}

/// What is left of a length without round-off of that size, and without a kink: to close that would
/// shake what is at rest.
double beyond(double round_off, double length) {
  const double left = std::max(0.0, std::abs(length) - round_off);
  return std::copysign(left * left / (left + round_off), length);
}

/// Of the gaps of a contact [m, rad].
double round_off_of(const Moreau::Workspace& work, const ContactInfo& contact) {
  return gap_round_off * (contact.unit == GapUnit::radian ? 1 : work.system.info().length);
}

/// How much of g* the step closes if it goes on from one before it: so much that the errors of the
/// steps, which change slowly and as the cube of their length, leave no gap (theory 4.24).
double steady_closing(const ActiveContact& contact, double step, double round_off) {
  constexpr double change = 0.75, share = 0.25;  // both roots of the loop are then ½
  constexpr double forgotten = 0.01;             // of round-off, in which bodies come to rest
  const ContactRecord& record = *contact.record;
  const double ratio = step / closing_step(record), cube = ratio * ratio * ratio;
  return beyond(forgotten * round_off, cube * closed_gap(record)) +
         change * (contact.ahead - cube * gap_ahead(record)) + share * contact.ahead;
}

/// A velocity by which a contact that stays closes its gap, slowly where it is deep: small beside
/// that of the landing that left it so, and beside what presses it, so that it goes on to push.
double rise_of(const Moreau::Workspace& work, const ActiveContact& contact) {
  constexpr double share = 0.5;   // of the gap that a step closes
  constexpr double at_once = 5;   // depth limits
  constexpr double slow = 0.1;    // of a depth beyond, so that it ends at a few ways of one step
  constexpr double longer = 2.1;  // by which a step may be that goes on from the one before
  if (!contact.lasts() || std::isfinite(work.options.penetration_limit)) return 0;
  if (contact.jammed) return 0;  // not all gaps can be closed (theory 4.29)
  const double step = work.result.step, ahead = contact.ahead;
  const double deep = at_once * gap_resolution(work.system.info(), *contact.info);
  const ContactRecord& record = *contact.record;
  const bool steady = step == work.closing_time && step < longer * closing_step(record) &&
                      std::abs(ahead) < deep && std::abs(gap_ahead(record)) < deep &&
                      is_short_in_play(contact, step);
  const double closed = steady ? steady_closing(contact, step, round_off_of(work, *contact.info))
                               : share * std::max(ahead, -std::max(deep, slow * -ahead));
  const double by_others = contact.info->play == 0 ? step * pressing_acceleration(record) : 0;
  const double pressed = std::max(by_others, -work.gamma_free[contact.first]);
  return std::max(closed / work.closing_time, -0.5 * pressed);
}

/// Whether bodies met without restitution in the step before: they stay together.
bool landed(const Moreau::Workspace& work, const ContactRecord& record) {
  return record.state == ContactState::impact &&
         work.system.info().contacts[at(record.key.pair)].law.restitution == 0;
}

/// Whether a contact pushes as a force does: no more than what forces make of the velocity, by far.
/// It may carry others, but a jump of the velocity has another size.
bool pushes_gently(const Moreau::Workspace& work, const ActiveContact& contact) {
  constexpr double least = 1e-3, most = 30;
  const double push = work.mobility[contact.first] * work.solution.impulse[contact.first];
  const double usual = contact.by_forces + std::abs(work.gamma_before[contact.first]);
  return push > least * usual && push < most * usual;
}

/// The speed of a bounce that is as high as automatic steps are accurate (theory 4.18): what is
/// slower is no impact. Equal steps know none.
double low_bounce(const Moreau::Workspace& work, const ActiveContact& contact, double step) {
  if (!work.options.automatic_step) return 0;
  const double acceleration = contact.by_forces / step;
  return std::sqrt(2 * acceleration * closing_tolerance(work, *contact.info));
}

/// Where a contact is, or would be, among those of the step.
auto place_of(Moreau::Workspace& work, const ContactKey& key) {
  return std::ranges::lower_bound(work.frames, key, {}, &ContactFrame::key);
}
bool is_at(const Moreau::Workspace& work, std::vector<ContactFrame>::const_iterator place,
           const ContactKey& key) {
  return place != work.frames.end() && place->key == key;
}

/// Whether a contact that forces pressed in the step before is still one (theory 4.19): its gap may
/// be an error of that one, which was perhaps longer.
bool stays_near(const Moreau::Workspace& work, const State& state, const ContactFrame& frame,
                double pressed, double step) {
  if (frame.radii[0] == 0 && frame.radii[1] == 0) return false;  // past the end of a face
  ContactVelocity bias{};
  work.system.write_contact_biases(work.middle, state.u, {&frame, 1}, {&bias, 1});
  const ContactInfo& contact = work.system.info().contacts[at(frame.key.pair)];
  const double longer = std::max(step, work.memory.last_step(state.z));
  return frame.gap <= longer * longer / 4 * (std::max(0.0, bias[0]) + pressed) +
                          gap_resolution(work.system.info(), contact);
}

/// A place of a profile that is none any more was left for the next one, an arc for the corner at
/// its end: that one goes on, if it is no farther away than the other would be.
void take_over(Moreau::Workspace& work, const State& state, const ContactKey& left, double pressed,
               double step) {
  const ContactInfo& contact = work.system.info().contacts[at(left.pair)];
  const double longer = std::max(step, work.memory.last_step(state.z));
  const double reach = longer * longer * pressed + 10 * gap_resolution(work.system.info(), contact);
  work.deep.clear();
  work.system.find_contacts(work.middle, reach, state.contacts, work.deep);
  for (const ContactFrame& frame : work.deep) {
    const auto next = place_of(work, frame.key);
    if (frame.key.pair != left.pair || is_at(work, next, frame.key)) continue;
    if (stays_near(work, state, frame, pressed, step)) work.frames.insert(next, frame);
  }
}

}  // namespace

bool is_short_in_play(const ActiveContact& contact, double step) {
  constexpr double share = 1.0 / 16;
  const double play = contact.info->play;
  const double by_forces =
      std::max(contact.by_forces, step * pressing_acceleration(*contact.record));
  return play == 0 || step / 4 * by_forces < share * play;
}

void keep_lasting_contacts(Moreau::Workspace& work, const State& state, double step) {
  const auto keep = [&](const ContactKey& key, double pressed) {
    const auto next = place_of(work, key);
    if (is_at(work, next, key)) return;
    ContactFrame frame;
    if (!work.system.follow_contact(work.middle, key, state.contacts, frame))
      take_over(work, state, key, pressed, step);
    else if (stays_near(work, state, frame, pressed, step))
      work.frames.insert(next, frame);
  };
  for (const ContactRecord& record : state.contacts)
    if (lasts(record.state) || landed(work, record))
      keep(record.key, pressing_acceleration(record));
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
    if (!contact.lasts() || !(normal_force(*contact.record) > 0)) continue;
    // Of a step with an impact the part that is a force, which another corner may have taken in it;
    // friction as a part of the normal force.
    const auto& impulse = contact.record->impulse;
    const double share = std::min(1 / last, normal_force(*contact.record) / impulse[0]);
    add_effect(work, work.set, group, 0, normal_force(*contact.record), work.acceleration);
    for (int i = 1; impulse[0] > 0 && i < group.rows; ++i)
      add_effect(work, work.set, group, i, impulse[at(i)] * share, work.acceleration);
  }
}

bool any_contact_unforeseen(const Moreau::Workspace& work) {
  return std::ranges::any_of(work.active, [&](const ActiveContact& contact) {
    const bool foreseen = contact.lasts() && normal_force(*contact.record) > 0;
    return !foreseen && contact.info->play == 0 && pushes_gently(work, contact);
  });
}

void write_contact_biases(Moreau::Workspace& work, double step) {
  if (!work.lasting) return;
  work.contact_bias.resize(work.frames.size());
  work.system.write_contact_biases(work.middle, work.u_middle, work.frames, work.contact_bias);
  for (std::size_t k = 0; k < work.frames.size(); ++k) limit_bias(work, k, step);
}

void write_divided_biases(Moreau::Workspace& work, const State& state, double step) {
  for (std::size_t k = 0; k < work.frames.size(); ++k) {
    if (work.active[k].impact) continue;  // what its law says is of the moment of the impact
    const std::span<const ContactFrame> frame{&work.frames[k], 1};
    ContactVelocity before{}, after{};
    work.system.write_contact_biases(work.middle, state.u, frame, {&before, 1});
    work.system.write_contact_biases(work.middle, work.u_end, frame, {&after, 1});
    for (std::size_t i = 0; i < after.size(); ++i)
      work.contact_bias[k][i] = 0.5 * (before[i] + after[i]);
    limit_bias(work, k, step);
  }
}

double slowest_closing(const Moreau::Workspace& work) {
  constexpr double least = 1e-12;  // [m/s]
  return std::max(least, work.position_round_off / work.result.step);
}

double corner_speed(const Moreau::Workspace& work, std::size_t k) {
  constexpr double steps = 2;
  const ActiveContact& contact = work.active[k];
  if (contact.info->play > 0 || contact.jammed) return INFINITY;
  const double push =
      contact.record ? work.mobility[contact.first] * normal_force(*contact.record) : 0;
  return steps * work.result.step * std::max(std::abs(work.contact_bias[k][0]), push);
}

void find_impacts(Moreau::Workspace& work, double step) {
  constexpr double steps = 2;  // of the forces at hand: what they make in a step is no impact
  const double slowest = slowest_closing(work);
  for (const RowGroup& group : work.set.groups) {
    if (group.kind != Kind::contact) continue;
    ActiveContact& contact = work.active[at(group.number)];
    contact.impact = !work.lasting;
    if (!work.lasting) continue;
    const double before = work.gamma_before[contact.first];
    contact.by_forces = velocity_by_all(work, group);
    const double least =
        std::max({slowest, steps * contact.by_forces, low_bounce(work, contact, step)});
    contact.struck = false;  // as long as it is asked whether it lasts
    contact.struck =
        contact.lasts() && -before > std::max(least, corner_speed(work, at(group.number)));
    contact.impact = -before > least && !contact.lasts() && !contact.further;
    contact.ahead =
        beyond(round_off_of(work, *contact.info), gap_ahead_of(work, group.number, step));
    contact.rise =
        contact.early ? (contact.impact ? 0 : 2 * contact.ahead / step) : rise_of(work, contact);
    contact.pressing_acceleration = std::max(0.0, -velocity_by_forces(work, contact) / step);
  }
}

bool pushes(const Moreau::Workspace& work, const ActiveContact& contact) {
  const double impulse = work.solution.impulse[contact.first];
  if (!(impulse > 0) || contact.impact) return impulse > 0;
  return impulse * work.mobility[contact.first] > work.gamma_after[contact.first] + contact.rise;
}

double foreseen_gap(const Moreau::Workspace& work, std::size_t k) {
  const double step = work.result.step;
  return gap_ahead_of(work, static_cast<int>(k), step) +
         0.5 * step * work.gamma_after[work.active[k].first];
}

}  // namespace backlash
