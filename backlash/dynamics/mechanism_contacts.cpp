// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/dynamics/kernel/moving_frame.h"
#include "backlash/dynamics/mechanism.h"

/// The contacts of a mechanism: found, and turned into rows.
namespace backlash {
namespace {

bool is_far(const ContactKind<Plane>& contact, const Motion<Plane>& motion, double reach) {
  if (const auto* corner = std::get_if<CornerInGuide>(&contact))
    return is_far(*corner, motion, reach);
  if (const auto* journal = std::get_if<JournalInBearing>(&contact))
    return is_far(*journal, motion, reach);
  return false;
}
bool is_far(const ContactKind<Space>&, const Motion<Space>&, double) { return false; }

}  // namespace

template <class S>
void Mechanism<S>::prepare_contacts() {
  for (std::size_t i = 0; i < parts_.contacts.size(); ++i) {
    BlockList& blocks = contact_blocks_.emplace_back(no_blocks);
    std::ranges::copy(info().contacts[i].blocks, blocks.begin());
  }
}

template <class S>
bool Mechanism<S>::find_contact(const Configuration& c, const ContactKey& key,
                                ContactFrame& frame) const {
  return follow_contact(c, key, {}, frame);
}

template <class S>
bool Mechanism<S>::follow_contact(const Configuration& c, const ContactKey& key,
                                  [[maybe_unused]] std::span<const ContactRecord> remembered,
                                  ContactFrame& frame) const {
  const Motion<S> motion{parts_.tree, c.cache};
  if constexpr (S::dimension == 2)
    if (parts_.is_of_shapes(key)) return parts_.shapes.find_one(c, motion, key, remembered, frame);
  const auto i = static_cast<std::size_t>(key.pair);
  if (!parts_.contacts[i].on(c)) return false;
  const std::optional<ContactKinematics<S>> at = touch<S>(parts_.contacts[i].kind, motion);
  if (!at) return false;
  frame = contact_frame<S>(key, *at, contact_blocks_[i]);
  return true;
}

template <class S>
void Mechanism<S>::find_contacts(const Configuration& c, double reach,
                                 [[maybe_unused]] std::span<const ContactRecord> remembered,
                                 std::vector<ContactFrame>& frames) const {
  const Motion<S> motion{parts_.tree, c.cache};
  const std::span<const Element<ContactKind<S>>> contacts = parts_.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Element<ContactKind<S>>& contact = contacts[i];
    if (!contact.on(c) || is_far(contact.kind, motion, reach)) continue;
    if (const auto at = touch<S>(contact.kind, motion, reach))
      frames.push_back(contact_frame<S>({static_cast<int>(i), 0}, *at, contact_blocks_[i]));
  }
  if constexpr (S::dimension == 2) parts_.shapes.find(c, motion, reach, remembered, frames);
}

template <class S>
void Mechanism<S>::write_contact_rows(const Configuration& c, const ContactFrame& frame,
                                      MatrixRef W, VectorRef) const {
  parts_.visit_contact(frame.key, [&](const ContactKind<S>& contact) {
    write_rows<S>(contact, kinematics_of<S>(frame), {parts_.tree, c.cache}, W);
  });
}

template <class S>
void Mechanism<S>::write_contact_biases(const Configuration& c, const Vector& u,
                                        std::span<const ContactFrame> frames,
                                        std::span<ContactVelocity> biases) const {
  const MovingFrame<S> moving(parts_.tree, c, u, MovingFrame<S>::Depth::accelerations);
  for (std::size_t k = 0; k < frames.size(); ++k)
    biases[k] = parts_.visit_contact(frames[k].key, [&](const ContactKind<S>& contact) {
      return rate_biases<S>(contact, kinematics_of<S>(frames[k]), moving.motion());
    });
}

template <class S>
void Mechanism<S>::write_contact_velocities(const Configuration& c, const Vector& u,
                                            std::span<const ContactFrame> frames,
                                            std::span<ContactVelocity> velocities) const {
  const MovingFrame<S> moving(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    velocities[k] = parts_.visit_contact(frames[k].key, [&](const ContactKind<S>& contact) {
      return rates<S>(contact, kinematics_of<S>(frames[k]), moving.motion());
    });
    const int tangents = info().contacts[static_cast<std::size_t>(frames[k].key.pair)].tangents;
    for (int row = 1 + tangents; row < 3; ++row) velocities[k][static_cast<std::size_t>(row)] = 0;
  }
}

/// (theory 4.20)
template <class S>
double Mechanism<S>::passing_travel(const Configuration& c, const Vector& u, double step) const {
  if constexpr (S::dimension == 2) {
    const double depth = parts_.shapes.least_passing_depth();
    if (depth == INFINITY) return 0;
    const MovingFrame<S> moving(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
    const double fastest = parts_.shapes.greatest_speed(moving.motion(), info().length);
    const double travel = 2 * step * fastest;  // both of a pair may be so fast
    if (travel > 0.5 * depth) return travel;
  }
  return 0;
}

template <class S>
void Mechanism<S>::write_passing_limits(const Configuration& c, const Vector& u,
                                        std::span<const ContactFrame> frames,
                                        std::span<PassingLimit> limits) const {
  System::write_passing_limits(c, u, frames, limits);
  if constexpr (S::dimension == 2) {
    const MovingFrame<S> moving(parts_.tree, c, u, MovingFrame<S>::Depth::accelerations);
    for (std::size_t k = 0; k < frames.size(); ++k)
      if (parts_.is_of_shapes(frames[k].key))
        limits[k] = parts_.shapes.passing_limit(frames[k], moving.motion(), info().length);
  }
}

template <class S>
std::string Mechanism<S>::contact_name(const ContactKey& key) const {
  if constexpr (S::dimension == 2)
    if (parts_.is_of_shapes(key)) return parts_.shapes.name(key);
  return System::contact_name(key);
}

template void Mechanism<Plane>::prepare_contacts();
template std::string Mechanism<Plane>::contact_name(const ContactKey&) const;
template double Mechanism<Plane>::passing_travel(const Configuration&, const Vector&, double) const;
template void Mechanism<Plane>::write_passing_limits(const Configuration&, const Vector&,
                                                     std::span<const ContactFrame>,
                                                     std::span<PassingLimit>) const;
template bool Mechanism<Plane>::find_contact(const Configuration&, const ContactKey&,
                                             ContactFrame&) const;
template bool Mechanism<Plane>::follow_contact(const Configuration&, const ContactKey&,
                                               std::span<const ContactRecord>, ContactFrame&) const;
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
template std::string Mechanism<Space>::contact_name(const ContactKey&) const;
template double Mechanism<Space>::passing_travel(const Configuration&, const Vector&, double) const;
template void Mechanism<Space>::write_passing_limits(const Configuration&, const Vector&,
                                                     std::span<const ContactFrame>,
                                                     std::span<PassingLimit>) const;
template bool Mechanism<Space>::find_contact(const Configuration&, const ContactKey&,
                                             ContactFrame&) const;
template bool Mechanism<Space>::follow_contact(const Configuration&, const ContactKey&,
                                               std::span<const ContactRecord>, ContactFrame&) const;
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
