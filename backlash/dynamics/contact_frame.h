// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <span>
#include <string_view>

#include "backlash/base/types.h"

/// How contacts are named, found and remembered.
namespace backlash {

/// Which contact: the same from step to step, however many others come and go.
struct ContactKey {
  int pair = 0;              ///< index into SystemInfo::contacts
  std::int64_t feature = 0;  ///< which of the places where the pair may touch
  auto operator<=>(const ContactKey&) const = default;

  void archive(auto& a) { a(pair, feature); }
};

/// Where two bodies touch, or would.
struct ContactPoint {
  Vec3 p_W = Vec3::Zero();  ///< [m]
  Vec3 n_W = Vec3::Zero();  ///< unit normal: the push on the body that γ_N > 0 moves away
};

/// Mass blocks that the rows of a contact act on; −1: none.
using BlockList = std::array<int, 4>;
inline constexpr BlockList no_blocks{-1, -1, -1, -1};

/// Two bodies A and B that are near each other: the geometry of one contact at one configuration,
/// from which its rows and their bias follow (theory 7.1).
struct ContactFrame {
  ContactKey key{};
  double gap = 0;                                       ///< [m] or [rad], > 0 open
  Vec3 p_WA = Vec3::Zero(), p_WB = Vec3::Zero();        ///< points of both bodies [m]
  Vec3 n_W = Vec3::Zero();                              ///< unit normal from A into B
  std::array<Vec3, 2> t_W{Vec3::Zero(), Vec3::Zero()};  ///< unit tangents, one in the plane
  std::array<double, 4> parameters{};  ///< of curves and surfaces: where on A and on B
  /// Of curvature at the points: > 0 bulges, 0 is a corner, < 0 a hollow, infinite flat [m].
  std::array<double, 2> radii{INFINITY, INFINITY};
  BlockList blocks = no_blocks;
};

/// Those that there are.
inline std::span<const int> listed(const BlockList& blocks) {
  std::size_t count = 0;
  while (count < blocks.size() && blocks[count] >= 0) ++count;
  return {blocks.data(), count};
}

/// γ of the normal row and the tangents [m/s], or its rate.
using ContactVelocity = std::array<double, 3>;

/// What a contact did in the last step.
enum class ContactState {
  open,    ///< no impulse
  stick,   ///< pushes, and does not slide
  slip,    ///< pushes and slides (also: pushes without friction)
  impact,  ///< pushes, and was open in the step before
};

std::string_view name(ContactState state);

/// Whether a contact pushed all through a step.
inline bool lasts(ContactState state) {
  return state == ContactState::stick || state == ContactState::slip;
}

/// In the place of a parameter: it is not known where on its curve a contact was.
inline constexpr double not_located = -1e300;

/// What a State remembers of a contact: those that pushed in the last step, and others that an
/// integrator needs to know of.
struct ContactRecord {
  ContactKey key{};
  ContactState state = ContactState::open;  ///< in the last step
  std::array<double, 3> impulse{};          ///< of the last step [N s]: normal, tangents
  std::array<double, 4> parameters{};       ///< where it was on curves and surfaces
  std::array<double, 8> own{};              ///< the integrator's own: it knows what they are

  void archive(auto& a) { a(key, state, impulse, parameters, own); }
};

}  // namespace backlash
