// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/mass_blocks.h"

#include <algorithm>

namespace backlash {
namespace {

/// The bodies that a row moves: those of its coordinates, or a and b.
std::vector<int> bodies_of(const auto& kind) {
  if constexpr (requires { kind.coupling; })
    return bodies_of(kind.coupling);
  else if constexpr (requires { kind.first.a; })
    return {kind.first.a, kind.first.b, kind.second.a, kind.second.b};
  else if constexpr (requires { kind.coordinate; })
    return {kind.coordinate.a, kind.coordinate.b};
  else
    return {kind.a, kind.b};
}

/// The blocks of these bodies, each once.
std::vector<int> blocks_of(const MassBlocks& all, const std::vector<int>& bodies) {
  std::vector<int> own;
  for (const int body : bodies) {
    const int block = body < 0 ? -1 : all.block_of[static_cast<std::size_t>(body)];
    if (block >= 0 && std::find(own.begin(), own.end(), block) == own.end()) own.push_back(block);
  }
  if (own.empty()) own.push_back(0);  // between bodies that cannot move
  return own;
}

}  // namespace

template <class S>
MassBlocks mass_blocks(const Tree<S>& tree) {
  MassBlocks result;
  for (int i = 0; i < tree.size(); ++i) {
    const int parent = tree.body(i).parent, dofs = tree.joint_dofs(i);
    int block = parent < 0 ? -1 : result.block_of[static_cast<std::size_t>(parent)];
    if (block < 0 && dofs > 0) {
      block = static_cast<int>(result.blocks.size());
      result.blocks.push_back({tree.first_dof(i), 0});
      result.bodies.push_back({i, i});
    }
    if (block >= 0) {
      result.blocks[static_cast<std::size_t>(block)].size += dofs;
      result.bodies[static_cast<std::size_t>(block)].end = i + 1;
    }
    result.block_of.push_back(block);
  }
  return result;
}

template <class S>
void write_mass_blocks(Parts<S>& parts, SystemInfo& info) {
  const MassBlocks all = mass_blocks(parts.tree);
  info.mass_blocks = all.blocks;
  const auto of_kind = [&](const auto& kind) {
    return std::visit([&](const auto& k) { return blocks_of(all, bodies_of(k)); }, kind);
  };
  for (std::size_t i = 0; i < parts.contacts.size(); ++i)
    info.contacts[i].blocks = of_kind(parts.contacts[i].kind);
  for (std::size_t i = 0; i < parts.constraints.size(); ++i)
    info.bilaterals[i].blocks = of_kind(parts.constraints[i].kind);
  for (std::size_t i = 0; i < parts.relays.size(); ++i)
    info.relays[i].blocks = blocks_of(all, bodies_of(parts.relays[i].kind));
  if constexpr (S::dimension == 2) {
    parts.shapes.set_blocks(all.block_of);
    for (std::size_t i = parts.contacts.size(); i < info.contacts.size(); ++i)
      info.contacts[i].blocks = parts.shapes.blocks(static_cast<int>(i));
  }
}

template MassBlocks mass_blocks(const Tree<Plane>&);
template MassBlocks mass_blocks(const Tree<Space>&);
template void write_mass_blocks(Parts<Plane>&, SystemInfo&);
template void write_mass_blocks(Parts<Space>&, SystemInfo&);

}  // namespace backlash
