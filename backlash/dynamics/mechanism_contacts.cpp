// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/dynamics/kernel/moving_frame.h"
#include "backlash/dynamics/mechanism.h"

/// The contacts of a mechanism: found, and turned into rows.
namespace backlash::planar {
namespace {

Vec3 in_space(const Vec2& v) { return {v.x(), v.y(), 0}; }

ContactKinematics in_plane(const ContactFrame& frame) {
  return {.p_WA = frame.p_WA.head<2>(),
          .p_WB = frame.p_WB.head<2>(),
          .n_W = frame.n_W.head<2>(),
          .t_W = frame.t_W[0].head<2>(),
          .gap = frame.gap};
}

}  // namespace

bool Mechanism::find_contact(const Configuration& c, const ContactKey& key,
                             ContactFrame& frame) const {
  const auto i = static_cast<std::size_t>(key.pair);
  const Element<ContactKind>& contact = parts_.contacts[i];
  if (!contact.on(c)) return false;
  const std::optional<ContactKinematics> at = touch(contact.kind, {parts_.tree, c.cache});
  if (at) frame = frame_of(i, *at);
  return at.has_value();
}

ContactFrame Mechanism::frame_of(std::size_t contact, const ContactKinematics& at) const {
  return {.key = {.pair = static_cast<int>(contact)},
          .gap = at.gap,
          .p_WA = in_space(at.p_WA),
          .p_WB = in_space(at.p_WB),
          .n_W = in_space(at.n_W),
          .t_W = {in_space(at.t_W), Vec3::Zero()},
          .blocks = contact_blocks_[contact]};
}

void Mechanism::find_contacts(const Configuration& c, double reach, std::span<const ContactRecord>,
                              std::vector<ContactFrame>& frames) const {
  const Motion motion{parts_.tree, c.cache};
  const double far = std::max(reach, 0.0);  // circles around shapes know nothing of overlap
  for (const ContactRun& run : runs_) {
    if (far_apart(run, motion) > far) continue;
    for (std::size_t i = run.first; i < run.first + run.count; ++i) {
      const Element<ContactKind>& contact = parts_.contacts[i];
      if (!contact.on(c)) continue;
      if (run.count > 1 && far_apart(std::get<ShapeContact>(contact.kind), motion) > far) continue;
      if (const std::optional<ContactKinematics> at = touch(contact.kind, motion, reach))
        frames.push_back(frame_of(i, *at));
    }
  }
}

void Mechanism::write_contact_rows(const Configuration& c, const ContactFrame& frame, MatrixRef W,
                                   VectorRef) const {
  const ContactKind& contact = parts_.contacts[static_cast<std::size_t>(frame.key.pair)].kind;
  write_rows(contact, in_plane(frame), {parts_.tree, c.cache}, W);
}

void Mechanism::write_contact_velocities(const Configuration& c, const Vector& u,
                                         std::span<const ContactFrame> frames,
                                         std::span<ContactVelocity> velocities) const {
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::velocities);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto i = static_cast<std::size_t>(frames[k].key.pair);
    const ContactKind& contact = parts_.contacts[i].kind;
    const auto [normal, tangential] = rates(contact, in_plane(frames[k]), frame.motion());
    velocities[k] = {normal, info().contacts[i].tangents > 0 ? tangential : 0, 0};
  }
}

}  // namespace backlash::planar
