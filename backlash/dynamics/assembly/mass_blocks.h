// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/dynamics/mechanism.h"

/// Trees that grow from the ground do not feel each other's inertia: each is a block of M.
namespace backlash {

/// The mass blocks of a tree, the bodies of each, and for each body the block that it moves in; −1:
/// it cannot move.
struct MassBlocks {
  std::vector<MassBlock> blocks{};
  std::vector<BodyRange> bodies{};
  std::vector<int> block_of{};
};
template <class S>
MassBlocks mass_blocks(const Tree<S>& tree);

/// Tells the info which blocks there are, and on which of them each contact acts; the shapes too.
template <class S>
void write_mass_blocks(Parts<S>& parts, SystemInfo& info);

}  // namespace backlash
