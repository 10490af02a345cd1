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
  const ContactInfo* infos = work.system.info().contacts.data();
  double farthest = -1;
  ContactFrame frame;
  for (const ContactFrame& closed : work.deep) {
    if (infos[closed.key.pair].play > 0 || is_known(work, closed.key)) continue;
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
  work.system.find_contacts(work.middle, (1 + 1e-6) * reach + gap_round_off, state.contacts,
                            work.neighbours);
  std::erase_if(work.neighbours, [&](const ContactFrame& frame) {
    return is_known(work, frame.key) || !std::ranges::binary_search(work.meeting, bodies_of(frame));
  });
  work.deep_velocities.resize(work.neighbours.size());
  work.system.write_contact_velocities(work.middle, u, work.neighbours, work.deep_velocities);
  const auto middle = static_cast<std::ptrdiff_t>(work.frames.size());
  for (std::size_t k = 0; k < work.neighbours.size(); ++k)
    if (work.neighbours[k].gap + 0.5 * step * work.deep_velocities[k][0] < 0)
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

/// Whether bodies that met stay together.
bool stays(const Moreau::Workspace& work, const ActiveContact& contact) {
  // In a play, where normals turn with the place, those that only touch down rise by themselves.
  const bool lands = contact.impact ? contact.info->law.restitution == 0
                                    : !contact.lasts() && contact.info->play == 0;
  return lands && pushes(work, contact);
}

/// Whether one that stays is off its surface at the end of the step by more than what rises by
/// itself.
bool is_off(const Moreau::Workspace& work, const ActiveContact& contact, double gap, double step) {
  const double play = contact.info->play > 0 ? contact.info->play : INFINITY;
  const double shallow =
      std::min(gap_resolution(work.system.info(), *contact.info), step * contact.by_forces);
  return (gap < -shallow && gap > -play / 10) || (contact.early && gap > shallow);
}

}  // namespace

void add_meeting_contacts(Moreau::Workspace& work, const State& state, double step) {
  if (is_nearly_at_rest(work, state.u, step)) return;
  go_on(work, state.u, step);
  const double reach = find_meeting_bodies(work, state, 0);
  if (reach >= 0) add_closing_contacts(work, state, state.u, step, reach);
}

bool add_further_contacts(Moreau::Workspace& work, const State& state, double step) {
  go_on(work, work.u_end, step);
  const double depth = unfelt_depth * work.system.info().length;
  const double reach = find_meeting_bodies(work, state, depth);
  if (reach < 0) return false;
  if (work.known.empty())
    for (const ContactFrame& frame : work.frames) work.known.push_back(frame.key);
  return add_closing_contacts(work, state, work.u_end, step, reach);
}

bool mark_landings(Moreau::Workspace& work, double step) {
  if (!work.lasting || std::isfinite(work.options.penetration_limit)) return false;
  bool any = false;
  work.landing_travel = 0;
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    ActiveContact& contact = work.active[k];
    if (contact.impact || !contact.lasts()) contact.loss = loss_of(work, contact);
    if (work.foresees && contact.impact && pushes(work, contact)) {
      const double travel = -0.5 * step * work.gamma_before[contact.first];
      const double length = gap_length(work.system.info(), work.frames[k].key);
      work.landing_travel = std::max(work.landing_travel, travel * length);
      any = true;
    }
    if (!stays(work, contact)) continue;
    const double gap = gap_ahead_of(work, static_cast<int>(k), step) +
                       0.5 * step * work.gamma_after[contact.first];
    contact.lands = is_off(work, contact, gap, step);
    any = any || contact.lands;
  }
  return any;
}

}  // namespace backlash
