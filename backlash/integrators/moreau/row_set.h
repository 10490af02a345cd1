// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "backlash/base/buffer.h"
#include "backlash/dynamics/contact_frame.h"

/// The rows of a step, and which of them act on each other.
namespace backlash {

/// One bilateral row, one force of given strength, or the rows of one contact.
struct RowGroup {
  enum class Kind { bilateral, relay, contact };
  Kind kind = Kind::bilateral;
  int number = 0;  ///< of the bilateral row, of the relay, or of the contact's frame
  int rows = 1;
  BlockList blocks = no_blocks;  ///< mass blocks that they act on
  int first_velocity = -1;       ///< of the block, if there is but one: the usual case, made fast
  Eigen::Index velocities = 0;   ///< of these blocks together
  Eigen::Index first_row = 0;    ///< of the RowSet
  Eigen::Index first_entry = 0;  ///< of its W: row after row, each over its velocities
};

/// Rows that share movable bodies, directly or through each other. Islands do not feel each other:
/// each is a problem of its own (theory 4.10). Its groups: bilateral rows, relays, contacts.
struct Island {
  std::size_t first_group = 0;
  int bilaterals = 0, relays = 0, contacts = 0;
  Eigen::Index first_row = 0, rows = 0;

  std::size_t groups() const { return static_cast<std::size_t>(bilaterals + relays + contacts); }
};

/// Rows up to which an island's G is a matrix; above, it is kept as its factors. Steps of a hanging
/// chain (bench_scaling) cost the same either way at some 70 rows: as factors 1.15 times as much
/// with 64 rows, half as much with 96.
inline constexpr Eigen::Index largest_dense_island = 64;

/// Rows at a configuration, island by island.
struct RowSet {
  std::vector<RowGroup> groups;
  std::vector<Island> islands;
  Eigen::Index rows = 0;
  VectorBuffer W, mass_inverse_W;  ///< see RowGroup::first_entry
  VectorBuffer w;                  ///< γ = Wᵀu + w
};

inline void clear(RowSet& set) {
  set.groups.clear();
  set.islands.clear();
  set.rows = 0;
}

inline std::span<const RowGroup> groups_of(const RowSet& set, const Island& island) {
  return {set.groups.data() + island.first_group, island.groups()};
}

}  // namespace backlash
