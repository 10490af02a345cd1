// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/dynamics/kernel/moving_frame.h"
#include "backlash/dynamics/mechanism.h"

/// The contacts of a mechanism: found, and turned into rows.
namespace backlash {
namespace {

Vec3 to_space(const PlainVec2& v) { return {v.x(), v.y(), 0}; }
const Vec3& to_space(const Vec3& v) { return v; }

/// What rows are made of.
template <class S>
ContactKinematics<S> kinematics_of(const ContactFrame& frame) {
  ContactKinematics<S> at;
  at.p_WA = S::vec(frame.p_WA);
  at.p_WB = S::vec(frame.p_WB);
  at.n_W = S::vec(frame.n_W);
  for (std::size_t i = 0; i < at.t_W.size(); ++i) at.t_W[i] = S::vec(frame.t_W[i]);
  at.gap = frame.gap;
  return at;
}

}  // namespace

template <class S>
void Mechanism<S>::prepare_contacts() {
  std::vector<const ContactKind<S>*> contacts;
  for (const Element<ContactKind<S>>& contact : parts_.contacts) contacts.push_back(&contact.kind);
  runs_ = contact_runs<S>(contacts);
  for (const ContactInfo& contact : info().contacts) {
    BlockList& blocks = contact_blocks_.emplace_back(no_blocks);
    std::copy(contact.blocks.begin(), contact.blocks.end(), blocks.begin());
  }
}

template <class S>
ContactFrame Mechanism<S>::frame_of(std::size_t contact, const ContactKinematics<S>& at) const {
  ContactFrame frame{.key = {.pair = static_cast<int>(contact)},
                     .gap = at.gap,
                     .p_WA = to_space(at.p_WA),
                     .p_WB = to_space(at.p_WB),
                     .n_W = to_space(at.n_W),
                     .blocks = contact_blocks_[contact]};
  for (std::size_t i = 0; i < at.t_W.size(); ++i) frame.t_W[i] = to_space(at.t_W[i]);
  return frame;
}

template <class S>
bool Mechanism<S>::find_contact(const Configuration& c, const ContactKey& key,
                                ContactFrame& frame) const {
  const auto i = static_cast<std::size_t>(key.pair);
  const Element<ContactKind<S>>& contact = parts_.contacts[i];
  if (!contact.on(c)) return false;
  const Motion<S> motion{parts_.tree, c.cache};
  const std::optional<ContactKinematics<S>> at = touch<S>(contact.kind, motion);
  if (at) frame = frame_of(i, *at);
  return at.has_value();
}

template <class S>
void Mechanism<S>::find_contacts(const Configuration& c, double reach,
                                 std::span<const ContactRecord>,
                                 std::vector<ContactFrame>& frames) const {
  const Motion<S> motion{parts_.tree, c.cache};
  const double far = std::max(reach, 0.0);  // circles around shapes know nothing of overlap
  for (const ContactRun& run : runs_) {
    if (far_apart(run, motion) > far) continue;
    for (std::size_t i = run.first; i < run.first + run.count; ++i) {
      const Element<ContactKind<S>>& contact = parts_.contacts[i];
      if (!contact.on(c)) continue;
      if (run.count > 1 && far_apart<S>(contact.kind, motion) > far) continue;
      if (const auto at = touch<S>(contact.kind, motion, reach)) frames.push_back(frame_of(i, *at));
    }
  }
}

template <class S>
void Mechanism<S>::write_contact_rows(const Configuration& c, const ContactFrame& frame,
                                      MatrixRef W, VectorRef) const {
  const ContactKind<S>& contact = parts_.contacts[static_cast<std::size_t>(frame.key.pair)].kind;
  write_rows<S>(contact, kinematics_of<S>(frame), {parts_.tree, c.cache}, W);
}

template <class S>
void Mechanism<S>::write_contact_biases(const Configuration& c, const Vector& u,
                                        std::span<const ContactFrame> frames,
                                        std::span<ContactVelocity> biases) const {
  const MovingFrame<S> moving(parts_.tree, c, u, MovingFrame<S>::Depth::accelerations);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const ContactKind<S>& contact = parts_.contacts[at(frames[k].key.pair)].kind;
    const std::optional<ContactKinematics<S>> there = touch<S>(contact, moving.motion());
    biases[k] = there ? rate_biases<S>(contact, *there, moving.motion()) : ContactVelocity{};
  }
}

template <class S>
void Mechanism<S>::write_contact_velocities(const Configuration& c, const Vector& u,
                                            std::span<const ContactFrame> frames,
                                            std::span<ContactVelocity> velocities) const {
  const MovingFrame<S> moving(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto i = static_cast<std::size_t>(frames[k].key.pair);
    velocities[k] = rates<S>(parts_.contacts[i].kind, kinematics_of<S>(frames[k]), moving.motion());
    for (int row = 1 + info().contacts[i].tangents; row < 3; ++row)
      velocities[k][static_cast<std::size_t>(row)] = 0;
  }
}

template void Mechanism<Plane>::prepare_contacts();
template ContactFrame Mechanism<Plane>::frame_of(std::size_t,
                                                 const ContactKinematics<Plane>&) const;
template bool Mechanism<Plane>::find_contact(const Configuration&, const ContactKey&,
                                             ContactFrame&) const;
template void Mechanism<Plane>::find_contacts(const Configuration&, double,
                                              std::span<const ContactRecord>,
                                              std::vector<ContactFrame>&) const;
template void Mechanism<Plane>::write_contact_rows(const Configuration&, const ContactFrame&,
                                                   MatrixRef, VectorRef) const;
template void Mechanism<Plane>::write_contact_biases(const Configuration&, const Vector&,
                                                     std::span<const ContactFrame>,
                                                     std::span<ContactVelocity>) const;
template void Mechanism<Plane>::write_contact_velocities(const Configuration&, const Vector&,
                                                         std::span<const ContactFrame>,
                                                         std::span<ContactVelocity>) const;
template void Mechanism<Space>::prepare_contacts();
template ContactFrame Mechanism<Space>::frame_of(std::size_t,
                                                 const ContactKinematics<Space>&) const;
template bool Mechanism<Space>::find_contact(const Configuration&, const ContactKey&,
                                             ContactFrame&) const;
template void Mechanism<Space>::find_contacts(const Configuration&, double,
                                              std::span<const ContactRecord>,
                                              std::vector<ContactFrame>&) const;
template void Mechanism<Space>::write_contact_rows(const Configuration&, const ContactFrame&,
                                                   MatrixRef, VectorRef) const;
template void Mechanism<Space>::write_contact_biases(const Configuration&, const Vector&,
                                                     std::span<const ContactFrame>,
                                                     std::span<ContactVelocity>) const;
template void Mechanism<Space>::write_contact_velocities(const Configuration&, const Vector&,
                                                         std::span<const ContactFrame>,
                                                         std::span<ContactVelocity>) const;

}  // namespace backlash
