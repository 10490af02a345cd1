// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// Contact forces that the motion does not determine (theory 4.28): rows that hold at the same time
/// and depend on each other, as those of two feet of a block that both stick.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// A row of a group.
struct Row {
  const RowGroup* group = nullptr;
  int number = 0;
};

/// Whether a row has no velocity: of contacts that last the normal one, and if they stick all.
bool holds(const Moreau::Workspace& work, const Row& row) {
  if (work.mobility[row.group->first_row + row.number] <= 0) return false;
  if (row.group->kind != RowGroup::Kind::contact)
    return row.group->kind == RowGroup::Kind::bilateral;
  const ContactState state = work.result.contacts[at(row.group->number)].state;
  return row.number == 0 ? lasts(state) : state == ContactState::stick;
}

/// How many of the rows depend on the others: those of G that are scaled to ones on its diagonal.
Index dependent_rows(Moreau::Workspace& work, std::span<const Row> rows) {
  constexpr double round_off = 1e-10;
  Arena::Frame frame(work.scratch);
  const Index n = static_cast<Index>(rows.size());
  VectorMap numbers = frame.vector(n * n), zero = frame.vector(n);
  zero.setZero();
  Eigen::Map<Matrix> G(numbers.data(), n, n);
  const auto scale = [&](const Row& row) {
    return 1 / std::sqrt(work.mobility[row.group->first_row + row.number]);
  };
  for (Index j = 0; j < n; ++j) {
    const Row& acting = rows[at(j)];
    work.island_correction.setZero();
    add_effect(work, work.set, *acting.group, acting.number, scale(acting), work.island_correction);
    for (Index i = 0; i < n; ++i)
      G(i, j) = scale(rows[at(i)]) * rate_of(work, work.set, *rows[at(i)].group, rows[at(i)].number,
                                             work.island_correction.data());
  }
  return n - solve_pivoted(G, zero, work.scratch, {.tolerance = round_off}).rank;
}

/// Whether more of an island's rows depend on each other than its loops have by themselves.
bool shares_forces(Moreau::Workspace& work, const Island& island) {
  constexpr Index most = 64;
  if (island.contacts == 0 || island.rows > most) return false;
  Arena::Frame frame(work.scratch);
  std::span<Row> rows = frame.list<Row>(island.rows);
  std::size_t held = 0, joints = 0;
  for (const RowGroup& group : groups_of(work.set, island))
    for (int i = 0; i < group.rows; ++i) {
      if (!holds(work, {&group, i})) continue;
      rows[held++] = {&group, i};
      joints += group.kind == RowGroup::Kind::bilateral;
    }
  if (held == joints) return false;
  const Index dependent = dependent_rows(work, rows.first(held));
  return dependent > 0 && dependent > dependent_rows(work, rows.first(joints));
}

}  // namespace

void note_undetermined(Moreau::Workspace& work) {
  StepResult& result = work.result;
  const bool changed = std::ranges::any_of(result.contacts, [](const ContactOutcome& contact) {
    return lasts(contact.state) && contact.state != contact.before;
  });
  if (!changed) return;
  for (const Island& island : work.set.islands)
    if (shares_forces(work, island)) {
      const RowGroup& first = groups_of(work.set, island).last(at(island.contacts)).front();
      result.undetermined = result.contacts[at(first.number)].key;
      return;
    }
}

}  // namespace backlash
