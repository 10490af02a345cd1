// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/mass_blocks.h"

#include <algorithm>

namespace backlash {
namespace {

/// The bodies that a contact moves.
template <class S>
std::vector<int> bodies_of(const ContactKind<S>& contact) {
  return std::visit(
      [](const auto& kind) -> std::vector<int> {
        if constexpr (requires { kind.coupling; })
          return {kind.coupling.first.a, kind.coupling.first.b, kind.coupling.second.a,
                  kind.coupling.second.b};
        else if constexpr (requires { kind.coordinate; })
          return {kind.coordinate.a, kind.coordinate.b};
        else
          return {kind.a, kind.b};
      },
      contact);
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
void write_mass_blocks(const Parts<S>& parts, SystemInfo& info) {
  const MassBlocks all = mass_blocks(parts.tree);
  info.mass_blocks = all.blocks;
  for (std::size_t i = 0; i < parts.contacts.size(); ++i) {
    std::vector<int>& own = info.contacts[i].blocks;
    own.clear();
    for (const int body : bodies_of<S>(parts.contacts[i].kind)) {
      const int block = body < 0 ? -1 : all.block_of[static_cast<std::size_t>(body)];
      if (block >= 0 && std::find(own.begin(), own.end(), block) == own.end()) own.push_back(block);
    }
    if (own.empty()) own.push_back(0);  // between bodies that cannot move
  }
}

template MassBlocks mass_blocks(const Tree<Plane>&);
template MassBlocks mass_blocks(const Tree<Space>&);
template void write_mass_blocks(const Parts<Plane>&, SystemInfo&);
template void write_mass_blocks(const Parts<Space>&, SystemInfo&);

}  // namespace backlash
