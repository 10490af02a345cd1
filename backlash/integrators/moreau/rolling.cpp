// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// Contacts that roll because joints and normals alone make them (theory 4.38): friction has no say
/// in their sliding velocity, what the step is off by there must not be asked of it, and of all
/// forces that solve the problem the least are wanted.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// Σ|W_k u_k| + |w| of a tangent row: how fast the two surfaces go [m/s].
double surface_speed(const Moreau::Workspace& work, const RowGroup& group) {
  const double* W = work.set.W.data() + group.first_entry + group.velocities;
  double sum = std::abs(work.set.w[group.first_row + 1]);
  for (const int b : listed(group.blocks)) {
    const MassBlock& block = work.blocks[at(b)];
    for (int k = 0; k < block.size; ++k) sum += std::abs(*W++ * work.u_free[block.first + k]);
  }
  return sum;
}

/// Whether a contact has friction and, if it lasts, hardly slides, between bodies that are guided:
/// the rows of a body that moves freely do not depend on each other.
bool may_roll(const Moreau::Workspace& work, const Island& island, const RowGroup& group) {
  constexpr double hardly = 1e-3;  // of the surfaces' speed
  const ActiveContact& contact = work.active[at(group.number)];
  if (island.bilaterals == 0 && group.velocities > 2) return false;
  if (group.rows != 2 || contact.friction() == 0) return false;
  return !contact.lasts() ||
         std::abs(work.gamma_before[group.first_row + 1]) <= hardly * surface_speed(work, group);
}

/// The rows of joints and of normals, counted from the first of the island on.
Index list_holding_rows(const Moreau::Workspace& work, const Island& island,
                        std::span<Index> rows) {
  std::size_t count = 0;
  for (const RowGroup& group : groups_of(work.set, island))
    if (group.kind != RowGroup::Kind::relay && work.mobility[group.first_row] > 0)
      rows[count++] = group.first_row - island.first_row;
  return static_cast<Index>(count);
}

/// What ξ of a row is while all of the others have none, if nothing can change it then; NAN: its
/// own impulse can. Of G with ones on its diagonal.
double imposed_velocity(Moreau::Workspace& work, const Island& island,
                        const ContactProblem& problem, std::span<const Index> others, Index row) {
  constexpr double dependent = 1e-10;
  const auto& G = std::get<DenseDelassus>(problem.delassus).G;
  const auto scale = [&](Index i) { return 1 / std::sqrt(work.mobility[island.first_row + i]); };
  const Index n = static_cast<Index>(others.size());
  Arena::Frame frame(work.scratch);
  MatrixMap A = frame.matrix(n, n);
  VectorMap b = frame.vector(n), x = frame.vector(n);
  for (Index j = 0; j < n; ++j) {
    b[j] = scale(others[at(j)]) * scale(row) * G(others[at(j)], row);
    for (Index i = 0; i < n; ++i)
      A(i, j) = scale(others[at(i)]) * scale(others[at(j)]) * G(others[at(i)], others[at(j)]);
  }
  x = b;
  solve_pivoted(A, x, work.scratch, {.tolerance = dependent});
  if (1 - b.dot(x) > dependent) return NAN;
  double xi = problem.free_velocity[row];
  for (Index j = 0; j < n; ++j)
    xi -= x[j] * scale(others[at(j)]) / scale(row) * problem.free_velocity[others[at(j)]];
  return xi;
}

/// A trace of compliance in both rows of a contact: its forces are the least that friction's cone
/// allows, whatever the solver and its guess.
void give_way(const Moreau::Workspace& work, const Island& island, Index normal,
              ContactProblem& problem) {
  constexpr double trace = 1e-9;
  auto& G = std::get<DenseDelassus>(problem.delassus).G;
  const double* mobility = &work.mobility[island.first_row + normal];
  const double more = trace * std::max(mobility[0], mobility[1]);
  for (const int i : {0, 1}) G(normal + i, normal + i) = mobility[i] + more;
}

/// Near a dead point the normal row of a contact that lasts vanishes beside its tangent row, with a
/// direction that is round-off.
void give_way_at_dead_point(const Moreau::Workspace& work, const Island& island,
                            const RowGroup& group, ContactProblem& problem) {
  constexpr double vanishing = 1e-6, trace = 1e-7;
  const double* mobility = &work.mobility[group.first_row];
  if (!work.active[at(group.number)].lasts() || mobility[0] >= vanishing * mobility[1]) return;
  const Index normal = group.first_row - island.first_row;
  auto& G = std::get<DenseDelassus>(problem.delassus).G;
  G(normal, normal) = mobility[0] + trace * mobility[1];
}

}  // namespace

void agree_on_rolling(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  constexpr Index most_rows = 24;
  constexpr double creep = 1e-4;  // of the surfaces' speed
  if (island.rows > most_rows || !std::holds_alternative<DenseDelassus>(problem.delassus)) return;
  if (island.bilaterals == 0 && !work.separable && work.u_free.size() > 2) return;  // see may_roll
  const auto contacts = groups_of(work.set, island).last(at(island.contacts));
  const auto may = [&](const RowGroup& group) { return may_roll(work, island, group); };
  if (std::ranges::none_of(contacts, may)) return;
  for (const RowGroup& group : contacts) {
    if (!may_roll(work, island, group) || work.mobility[group.first_row] == 0) continue;
    Arena::Frame frame(work.scratch);
    std::span<Index> rows = frame.list<Index>(island.rows);
    const std::span<const Index> holding = rows.first(at(list_holding_rows(work, island, rows)));
    const Index normal = group.first_row - island.first_row;
    const double xi = imposed_velocity(work, island, problem, holding, normal + 1);
    const double by_forces = std::abs(problem.free_velocity[normal + 1]);
    const double unforeseen = work.active[at(group.number)].lasts() ? 0 : 0.01 * by_forces;
    // Near a dead point what the normal velocity is off by counts so many times in that of sliding.
    const double* mobility = &work.mobility[group.first_row];
    const double lever = std::max(1.0, 0.01 * std::sqrt(mobility[1] / mobility[0]));
    const double most = std::max(creep * lever * surface_speed(work, group), unforeseen);
    if (!(std::abs(xi) <= most)) continue;
    problem.free_velocity[normal + 1] -= xi;
    give_way(work, island, normal, problem);
  }
  for (const RowGroup& group : contacts)
    if (may_roll(work, island, group) && work.mobility[group.first_row] > 0)
      give_way_at_dead_point(work, island, group, problem);
}

}  // namespace backlash
