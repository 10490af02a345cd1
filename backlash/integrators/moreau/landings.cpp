// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// Bodies that meet in a step (theory 4.35): which do, and where that leaves them.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// Whether bodies go no way that is felt at this velocity.
bool is_nearly_at_rest(const Moreau::Workspace& work, const Vector& u, double step) {
  const double most = u.size() == 0 ? 0 : u.cwiseAbs().maxCoeff();
  return most * step < unfelt_depth * std::min(1.0, work.system.info().length);
}

/// Positions at the end of the step if bodies go on from its middle at this velocity, into `end`.
void go_on(Moreau::Workspace& work, const Vector& u, double step) {
  work.end.t = work.middle.t + 0.5 * step;
  work.end.switches = work.middle.switches;
  work.system.advance(work.middle.q, u, 0.5 * step, work.end.q);
  work.system.configure(work.end);
}

/// Which bodies a contact is between, by their mass blocks.
MeetingBodies bodies_of(const ContactFrame& frame) {
  return {frame.key.pair, frame.blocks[0], frame.blocks[1]};
}

bool is_known(const Moreau::Workspace& work, const ContactKey& key) {
  return std::ranges::binary_search(work.frames, key, {}, &ContactFrame::key);
}

/// Bodies that overlap at `end` by more than a depth and do not touch at the middle, into
/// `meeting`. Returns how far apart they are there at most [m], −1 if there are none.
double find_meeting_bodies(Moreau::Workspace& work, const State& state, double depth) {
  work.meeting.clear();
  work.deep.clear();
  work.system.find_contacts(work.end, -depth, state.contacts, work.deep);
  double farthest = -1;
  ContactFrame frame;
  for (const ContactFrame& closed : work.deep) {
    if (!may_be_foreseen(work, closed) || is_known(work, closed.key)) continue;
    if (!work.system.follow_contact(work.middle, closed.key, state.contacts, frame)) continue;
    work.meeting.push_back(bodies_of(closed));
    farthest = std::max(farthest, frame.gap);
  }
  std::ranges::sort(work.meeting);
  return farthest;
}

/// Adds the contacts of these bodies that close by the end of the step at the velocity u, which
/// are nearer at its middle than the reach. Whether there are any.
bool add_closing_contacts(Moreau::Workspace& work, const State& state, const Vector& u, double step,
                          double reach) {
  work.neighbours.clear();
  const double round_off = work.position_round_off;
  work.system.find_contacts(work.middle, (1 + 1e-6) * reach + round_off, state.contacts,
                            work.neighbours);
  std::erase_if(work.neighbours, [&](const ContactFrame& frame) {
    return is_known(work, frame.key) || !std::ranges::binary_search(work.meeting, bodies_of(frame));
  });
  work.deep_velocities.resize(work.neighbours.size());
  work.system.write_contact_velocities(work.middle, u, work.neighbours, work.deep_velocities);
  const auto middle = static_cast<std::ptrdiff_t>(work.frames.size());
  for (std::size_t k = 0; k < work.neighbours.size(); ++k)
    if (work.neighbours[k].gap + 0.5 * step * work.deep_velocities[k][0] < round_off)
      work.frames.push_back(work.neighbours[k]);
  const bool any = work.frames.begin() + middle != work.frames.end();
  std::inplace_merge(work.frames.begin(), work.frames.begin() + middle, work.frames.end(),
                     [](const ContactFrame& a, const ContactFrame& b) { return a.key < b.key; });
  return any;
}

/// What a contact took in the step [J].
double loss_of(const Moreau::Workspace& work, const ActiveContact& contact) {
  double loss = 0;
  for (int i = 0; i <= contact.info->tangents; ++i) {
    const Index row = contact.first + i;
    loss -= 0.5 * work.solution.impulse[row] * (work.gamma_before[row] + work.gamma_after[row]);
  }
  return loss;
}

/// Whether journals go round so far in a step, by the bias, that the second order does not foresee
/// their gaps.
bool turns_far(const Moreau::Workspace& work) {
  constexpr double far = 0.02;  // as bend: an angle of 0.07
  return work.bend > far;
}

/// Whether the gap of a contact that lasts in a play is looked at: there, and where other things
/// cancel what turning makes of the bias but a gap is left.
bool is_uncertain(const Moreau::Workspace& work, const ActiveContact& contact) {
  constexpr double left = 1e-4;  // of the play
  const double play = contact.info->play;
  return contact.lasts() && play > 0 && (turns_far(work) || std::abs(contact.ahead) > left * play);
}

/// The gap at the end of the step: where it is not foreseen it is looked at.
double gap_at_end(Moreau::Workspace& work, const State& state, std::size_t k) {
  if (!is_uncertain(work, work.active[k])) return foreseen_gap(work, k);
  ContactFrame frame;
  work.end.t = work.t_end;
  work.end.q = work.q_end;
  work.system.configure(work.end);
  work.system.follow_contact(work.end, work.frames[k].key, state.contacts, frame);
  return frame.gap;
}

/// Whether a contact that lasts in a play is off its path by more than it may, or may be after
/// loops are projected (theory 4.12): it would come back too slowly. Not where it goes round so far
/// that normals turn with it.
bool strays(const Moreau::Workspace& work, const ActiveContact& contact, double gap) {
  constexpr double most = 5e-4;  // of the play
  const double play = contact.info->play;
  if (contact.jammed || work.bend >= 2) return false;
  if (gap < -play / 2 && !is_short_in_play(contact, work.result.step)) return false;
  return gap < -most * play || (work.bilaterals > 0 && turns_far(work));
}

/// Whether bodies meet in the step and stay together.
bool lands(const ActiveContact& contact) {
  // In a play, where normals turn with the place, those that only touch down rise by themselves.
  return contact.impact ? contact.info->law.restitution == 0
                        : !contact.lasts() && contact.info->play == 0;
}

/// Whether one that landed is off its surface at the end of the step by more than what rises by
/// itself.
bool is_off(const Moreau::Workspace& work, const ActiveContact& contact, double gap, double step) {
  const double play = contact.info->play > 0 ? contact.info->play : INFINITY;
  const double shallow =
      std::min(gap_resolution(work.system.info(), *contact.info), step * contact.by_forces);
  return (gap < -shallow && gap > -play / 10) || (contact.early && gap > shallow);
}

/// Whether one that lasts may be off its surface.
bool may_be_off(const ActiveContact& contact) {
  return contact.lasts() && (contact.info->play > 0 || contact.foreseen);
}

/// Whether one that lasts is deeper than it may be: it would rise too slowly, or sink on.
bool sinks(const Moreau::Workspace& work, const ActiveContact& contact, double gap) {
  if (contact.info->play > 0) return strays(work, contact, gap);
  return contact.foreseen && gap < -gap_resolution(work.system.info(), *contact.info);
}

/// Half of the way that a contact closes in the step before it pushes [m].
double travel_of(const Moreau::Workspace& work, std::size_t k, double step) {
  const double closing = -work.gamma_before[work.active[k].first];
  return 0.5 * step * closing * gap_length(work.system.info(), work.frames[k].key);
}

}  // namespace

void add_meeting_contacts(Moreau::Workspace& work, const State& state, double step) {
  if (is_nearly_at_rest(work, state.u, step)) return;
  go_on(work, state.u, step);
  const double reach = find_meeting_bodies(work, state, 0);
  if (reach >= 0) add_closing_contacts(work, state, state.u, step, reach);
}

bool add_further_contacts(Moreau::Workspace& work, const State& state, double step) {
  if (work.active.empty() || is_nearly_at_rest(work, work.u_end, step)) return false;
  go_on(work, work.u_end, step);
  const double depth = unfelt_depth * work.system.info().length;
  const double reach = find_meeting_bodies(work, state, depth);
  if (reach < 0) return false;
  if (work.known.empty())
    for (const ContactFrame& frame : work.frames) work.known.push_back(frame.key);
  return add_closing_contacts(work, state, work.u_end, step, reach);
}

bool mark_landings(Moreau::Workspace& work, const State& state, double step) {
  if (!work.lasting || std::isfinite(work.options.penetration_limit)) return false;
  bool any = false;
  work.landing_travel = 0;
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    ActiveContact& contact = work.active[k];
    if (work.foresees && (contact.impact || !contact.lasts()))
      contact.loss = loss_of(work, contact);
    if (!pushes(work, contact)) continue;
    if (contact.foreseen && !contact.lasts()) {
      work.landing_travel = std::max(work.landing_travel, travel_of(work, k, step));
      any = true;
    }
    if (!lands(contact) && !may_be_off(contact)) continue;
    const double gap = gap_at_end(work, state, k);
    contact.off = lands(contact) ? is_off(work, contact, gap, step) : sinks(work, contact, gap);
    any = any || contact.off;
  }
  return any;
}

}  // namespace backlash
