// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Rows of a problem that is not taken apart: bilateral, dry friction, contacts, over all of u.
void write_whole(Moreau::Workspace& work) {
  const Index nb = work.bilaterals, nr = work.relays;
  MatrixMap W = W_of(work, work.islands.front());
  if (nb > 0) work.system.bilateral_rows(work.middle, W.leftCols(nb), work.w.head(nb));
  if (nr > 0) {
    work.system.relay_rows(work.middle, W.middleCols(nb, nr), work.w.segment(nb, nr),
                           work.relay_strength);
    for (Index i = 0; i < nr; ++i) work.relay_limit[i] = work.relay_strength[i];
  }
  if (work.has_ranges) {
    work.relay_displacement.setZero();
    work.system.relay_displacements(work.middle, work.relay_displacement);
  }
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    const ActiveContact& a = work.active[k];
    const Index m = 1 + a.info->tangents;
    work.system.write_contact_rows(work.middle, work.frames[k], W.middleCols(a.first, m),
                                   work.w.segment(a.first, m));
  }
}

/// Rows of one island: each contact's rows are written over all of u, and what they say of the
/// island's velocities is taken over.
void write_island(Moreau::Workspace& work, const Island& island) {
  const SystemInfo& info = work.system.info();
  MatrixMap W = W_of(work, island);
  const Index* velocity = work.island_velocities.data() + island.first_velocity;
  for (Index k = 0; k < island.contacts; ++k) {
    const ActiveContact& a = contact_of(work, island, k);
    const ContactFrame& frame = work.frames[number_of(work, island, k)];
    const Index m = 1 + a.info->tangents, first = a.first - island.first_row;
    MatrixMap full(work.full_rows.data(), info.velocities, m);
    work.system.write_contact_rows(work.middle, frame, full, work.w.segment(a.first, m));
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < island.velocities; ++i) W(i, first + j) = full(velocity[i], j);
    for (const int b : blocks_of(frame)) {
      const MassBlock& block = info.mass_blocks[static_cast<std::size_t>(b)];
      full.middleRows(block.first, block.size).setZero();
    }
  }
}

/// M⁻¹ of one contact's rows, block by block of the mass.
void solve_contact(Moreau::Workspace& work, const Island& island, Index k) {
  const ActiveContact& a = contact_of(work, island, k);
  const std::span<const int> blocks = blocks_of(work.frames[number_of(work, island, k)]);
  const MatrixMap W = W_of(work, island);
  MatrixMap mass_inverse_W = mass_inverse_W_of(work, island);
  const Index* velocity = work.island_velocities.data() + island.first_velocity;
  for (Index j = a.first - island.first_row, end = j + 1 + a.info->tangents; j < end; ++j) {
    auto x = work.full_rows.col(0);
    for (Index i = 0; i < island.velocities; ++i) x[velocity[i]] = W(i, j);
    work.system.solve_mass_blocks(work.middle, work.M, blocks, x);
    for (Index i = 0; i < island.velocities; ++i) {
      mass_inverse_W(i, j) = x[velocity[i]];
      x[velocity[i]] = 0;
    }
  }
}

}  // namespace

bool find_active_contacts(Moreau::Workspace& work, const State& state) {
  work.active.clear();
  work.frames.clear();
  work.system.find_contacts(work.middle, 0, state.contacts, work.frames);
  const ContactInfo* infos = work.system.info().contacts.data();
  auto record = state.contacts.begin();  // both are in the order of the keys
  for (const ContactFrame& frame : work.frames) {
    if (std::isnan(frame.gap)) {
      work.result.status = StepStatus::not_finite;
      work.result.contact = frame.key;
      return false;
    }
    while (record != state.contacts.end() && record->key < frame.key) ++record;
    const bool known = record != state.contacts.end() && record->key == frame.key;
    work.active.push_back({infos + frame.key.pair, known ? &*record : nullptr, 0});
  }
  return true;
}

void write_rows(Moreau::Workspace& work) {
  Index entries = 0;
  for (const Island& island : work.islands) entries += island.rows * island.velocities;
  work.W.resize(entries);
  if (work.rows == 0) return;
  work.mass_inverse_W.resize(entries);
  work.w.resize(work.rows);
  work.w.setZero();
  if (!work.separable) {
    work.W.setZero();
    write_whole(work);
    return;
  }
  for (const Island& island : work.islands) write_island(work, island);
}

void write_mass_inverse_rows(Moreau::Workspace& work) {
  if (!work.separable) {
    if (work.rows == 0) return;
    const MatrixMap W = W_of(work, work.islands.front());
    MatrixMap mass_inverse_W = mass_inverse_W_of(work, work.islands.front());
    for (Index j = 0; j < W.cols(); ++j) {
      for (Index i = 0; i < W.rows(); ++i) mass_inverse_W(i, j) = W(i, j);
      work.system.solve_mass(work.middle, work.M, mass_inverse_W.col(j));
    }
    return;
  }
  for (const Island& island : work.islands)
    for (Index k = 0; k < island.contacts; ++k) solve_contact(work, island, k);
}

}  // namespace backlash
