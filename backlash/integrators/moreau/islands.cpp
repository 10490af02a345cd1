// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/integrators/moreau/workspace.h"

/// Which closed contacts act on each other (theory 4.10).
namespace backlash {
namespace {

using Index = Eigen::Index;

/// The block that stands for all that are connected with this one.
int root(std::vector<int>& parent, int block) {
  while (parent[at(block)] != block) {
    parent[at(block)] = parent[at(parent[at(block)])];
    block = parent[at(block)];
  }
  return block;
}

void connect_blocks(Moreau::Workspace& work) {
  for (std::size_t b = 0; b < work.parent.size(); ++b) work.parent[b] = static_cast<int>(b);
  for (const ContactFrame& frame : work.frames) {
    const std::span<const int> blocks = blocks_of(frame);
    for (const int block : blocks)
      work.parent[at(root(work.parent, block))] = root(work.parent, blocks.front());
  }
}

/// Counts the contacts and rows of each island, and gives it its place among all rows.
void count_rows(Moreau::Workspace& work) {
  std::fill(work.island_of.begin(), work.island_of.end(), -1);
  for (std::size_t i = 0; i < work.active.size(); ++i) {
    int& island = work.island_of[at(root(work.parent, work.frames[i].blocks.front()))];
    if (island < 0) {
      island = static_cast<int>(work.islands.size());
      work.islands.emplace_back();
    }
    work.islands[at(island)].contacts += 1;
    work.islands[at(island)].rows += 1 + work.active[i].info->tangents;
  }
  Index contacts = 0;
  for (Island& island : work.islands) {
    island.first_contact = contacts;
    island.first_row = work.rows;
    contacts += island.contacts;
    work.rows += island.rows;
    island.contacts = island.rows = 0;  // counted again as they are filled in
  }
}

/// Only blocks that a closed contact acts on: the others do not move differently for it.
void list_velocities(Moreau::Workspace& work) {
  const std::vector<MassBlock>& blocks = work.system.info().mass_blocks;
  Index velocities = 0, entries = 0;
  for (std::size_t k = 0; k < work.islands.size(); ++k) {
    Island& island = work.islands[k];
    island.first_velocity = velocities;
    for (Index c = 0; c < island.contacts; ++c) {
      for (const int b : blocks_of(work.frames[number_of(work, island, c)])) {
        if (work.parent[at(b)] < 0) continue;  // listed
        work.parent[at(b)] = -1;
        for (int i = 0; i < blocks[at(b)].size; ++i)
          work.island_velocities[static_cast<std::size_t>(velocities++)] = blocks[at(b)].first + i;
      }
    }
    island.velocities = velocities - island.first_velocity;
    island.first_entry = entries;
    entries += island.rows * island.velocities;
  }
}

}  // namespace

void find_islands(Moreau::Workspace& work) {
  work.islands.clear();
  work.rows = 0;
  if (!work.separable) {
    work.rows = work.bilaterals + work.relays;
    for (ActiveContact& a : work.active) {
      a.first = work.rows;
      work.rows += 1 + a.info->tangents;
    }
    for (std::size_t i = work.island_contacts.size(); i < work.active.size(); ++i)
      work.island_contacts.push_back(i);
    if (work.rows > 0)
      work.islands.push_back({.contacts = static_cast<Index>(work.active.size()),
                              .rows = work.rows,
                              .velocities = work.u_free.size()});
    return;
  }
  if (work.active.empty()) return;
  work.island_contacts.resize(std::max(work.island_contacts.size(), work.active.size()));
  connect_blocks(work);
  count_rows(work);
  for (std::size_t i = 0; i < work.active.size(); ++i) {
    ActiveContact& a = work.active[i];
    Island& island =
        work.islands[at(work.island_of[at(root(work.parent, work.frames[i].blocks.front()))])];
    a.first = island.first_row + island.rows;
    work.island_contacts[static_cast<std::size_t>(island.first_contact + island.contacts)] = i;
    island.contacts += 1;
    island.rows += 1 + a.info->tangents;
  }
  list_velocities(work);
}

}  // namespace backlash
