// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/integrators/moreau/workspace.h"

/// Which rows act on each other (theory 4.10).
namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

/// The block that stands for all that are connected with this one.
int root(std::vector<int>& parent, int block) {
  while (parent[at(block)] != block) {
    parent[at(block)] = parent[at(parent[at(block)])];
    block = parent[at(block)];
  }
  return block;
}

void list_groups(const Moreau::Workspace& work, const SetContents& contents,
                 std::vector<RowGroup>& groups) {
  groups.assign(work.standing.begin(),
                contents.relays ? work.standing.end() : work.standing.begin() + work.bilaterals);
  if (contents.singular_loops && work.separable)
    std::erase_if(groups, [&](const RowGroup& group) {
      return work.loop_states[at(group.number)] == LoopState::regular;
    });
  const ContactInfo* infos = work.system.info().contacts.data();
  for (std::size_t k = 0; k < contents.frames.size(); ++k) {
    const ContactFrame& frame = contents.frames[k];
    RowGroup& group = groups.emplace_back(work.whole);
    group.number = static_cast<int>(k);
    group.rows = contents.tangents ? 1 + infos[frame.key.pair].tangents : 1;
    if (!work.separable) continue;
    group.blocks = frame.blocks;
    set_velocities(work, group);
  }
}

int& count_of(Kind kind, Island& island) {
  if (kind == Kind::contact) return island.contacts;
  return kind == Kind::relay ? island.relays : island.bilaterals;
}

/// The groups of each island one after the other, otherwise in the order that they had.
void sort_into_islands(Moreau::Workspace& work, RowSet& set) {
  work.parent = work.standing_parent;
  for (const RowGroup& group : work.unsorted)
    if (group.kind == Kind::contact) connect_blocks(group.blocks, work.parent);
  std::fill(work.island_of.begin(), work.island_of.end(), -1);
  const auto island_of = [&](const RowGroup& group) -> int& {
    return work.island_of[at(root(work.parent, group.blocks.front()))];
  };
  for (const RowGroup& group : work.unsorted) {
    int& island = island_of(group);
    if (island < 0) {
      island = static_cast<int>(set.islands.size());
      set.islands.emplace_back();
    }
    count_of(group.kind, set.islands[at(island)]) += 1;
  }
  std::size_t groups = 0;
  for (Island& island : set.islands) {
    island.first_group = groups;
    groups += island.groups();
    island.bilaterals = island.relays = island.contacts = 0;  // counted again as they come in
  }
  set.groups.resize(groups);
  for (const RowGroup& group : work.unsorted) {
    Island& island = set.islands[at(island_of(group))];
    set.groups[island.first_group + island.groups()] = group;
    count_of(group.kind, island) += 1;
  }
}

void number_rows(RowSet& set) {
  Index entries = 0;
  for (Island& island : set.islands) {
    island.first_row = set.rows;
    for (std::size_t k = 0; k < island.groups(); ++k) {
      RowGroup& group = set.groups[island.first_group + k];
      group.first_row = set.rows;
      group.first_entry = entries;
      set.rows += group.rows;
      entries += group.rows * group.velocities;
    }
    island.rows = set.rows - island.first_row;
  }
  set.W.resize(entries);
  set.mass_inverse_W.resize(entries);
  set.w.resize(set.rows);
}

}  // namespace

void connect_blocks(const BlockList& blocks, std::vector<int>& parent) {
  for (const int block : listed(blocks))
    parent[at(root(parent, block))] = root(parent, blocks.front());
}

int island_of(Moreau::Workspace& work, const ContactFrame& frame) {
  if (!work.separable) return 0;
  return work.island_of[at(root(work.parent, frame.blocks.front()))];
}

void arrange_rows(Moreau::Workspace& work, const SetContents& contents, RowSet& set) {
  clear(set);
  list_groups(work, contents, work.separable ? work.unsorted : set.groups);
  if (work.separable) {
    sort_into_islands(work, set);
  } else if (!set.groups.empty()) {
    set.islands.push_back({.bilaterals = static_cast<int>(work.bilaterals),
                           .relays = contents.relays ? static_cast<int>(work.relays) : 0,
                           .contacts = static_cast<int>(contents.frames.size())});
  }
  number_rows(set);
}

}  // namespace backlash
