// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

const ContactLaw& law_of(const Moreau::Workspace& work, const RowGroup& group) {
  return work.active[at(group.number)].info->law;
}

bool has_phases(const Moreau::Workspace& work, const RowGroup& group) {
  return group.kind == Kind::contact && law_of(work, group).impact != ImpactLaw::newton;
}

void limit_relays(const Moreau::Workspace& work, const Island& island, double duration,
                  ContactProblem& problem) {
  const std::span<const RowGroup> groups = groups_of(work.set, island);
  for (std::size_t k = at(island.bilaterals); k < at(island.bilaterals + island.relays); ++k)
    problem.blocks[k].law = Relay{.limit = duration * work.relay_limit[groups[k].number]};
}

/// The impact alone, without the step's forces, until all approach has ended; bilateral rows keep
/// their velocity.
bool compress(Moreau::Workspace& work, const Island& island, double step, ContactProblem& problem) {
  const double* before = work.gamma_before.data() + island.first_row;
  work.expansion_velocity = problem.free_velocity;
  for (Index i = 0; i < island.rows; ++i)
    problem.free_velocity[i] = i < island.bilaterals ? 0 : (1 + work.restitution[i]) * before[i];
  work.compression.impulse.resize(island.rows);
  work.compression.impulse.setZero();
  limit_relays(work, island, 0, problem);  // finite forces do nothing in an instant
  const bool solved = solve_problem(work, problem, work.compression);
  limit_relays(work, island, step, problem);
  return solved;
}

/// Compression, and what is given back of it, into work.extra_impulse.
void write_stored_impulses(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  work.extra_impulse = work.compression.impulse;
  const std::span<const RowGroup> groups = groups_of(work.set, island);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (!has_phases(work, groups[k])) continue;
    const Index row = groups[k].first_row - island.first_row;
    const double stored = work.returned[k] * work.compression.impulse[row];
    work.extra_impulse[row] += stored;
    if (auto* law = std::get_if<Coulomb>(&problem.blocks[k].law)) law->preload = stored;
  }
}

/// The stored part of the normal impulses is given back, and the forces act.
bool expand(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  write_stored_impulses(work, island, problem);
  apply(problem.delassus, work.extra_impulse, work.scratch, problem.free_velocity);
  problem.free_velocity += work.expansion_velocity;
  if (!solve_problem(work, problem, work.island_solution)) return false;
  work.island_solution.impulse += work.extra_impulse;
  return true;
}

/// γ of the contacts between the phases.
void write_compressed_velocities(Moreau::Workspace& work, const Island& island,
                                 const ContactProblem& problem) {
  work.gamma_compressed.resize(island.rows);
  apply(problem.delassus, work.compression.impulse, work.scratch, work.gamma_compressed);
  for (Index i = 0; i < island.rows; ++i)
    work.gamma_compressed[i] += work.gamma_before[island.first_row + i];
}

/// γ of the contacts at the end of the step.
void write_expanded_velocities(Moreau::Workspace& work, const Island& island,
                               const ContactProblem& problem) {
  work.gamma_expanded.resize(island.rows);
  apply(problem.delassus, work.island_solution.impulse, work.scratch, work.gamma_expanded);
  for (Index i = 0; i < island.rows; ++i)
    work.gamma_expanded[i] +=
        work.expansion_velocity[i] - work.restitution[i] * work.gamma_before[island.first_row + i];
}

/// By which factor a contact of Stronge's law must give back another part of its impulse, so that
/// expansion returns ε² of the work that compression took (theory 3.10). One that took none, or
/// that others push together meanwhile, keeps its part. Large corrections are made bit by bit.
double correction(const Moreau::Workspace& work, const Island& island, const RowGroup& group) {
  const Index row = group.first_row - island.first_row;
  const double compression = work.compression.impulse[row];
  const double expansion = work.island_solution.impulse[row] - compression;
  const double middle = work.gamma_compressed[row];
  const double taken = -0.5 * compression * (work.gamma_before[group.first_row] + middle);
  const double given = 0.5 * expansion * (middle + work.gamma_expanded[row]);
  if (!(taken > 0) || !(given > 0)) return 1;
  return std::clamp(law_of(work, group).restitution * std::sqrt(taken / given), 0.5, 2.0);
}

/// Corrects all parts; by how much at most.
double correct_returned(Moreau::Workspace& work, const Island& island) {
  constexpr double most = 4;  // more is what contacts ask for that others hold together
  const std::span<const RowGroup> groups = groups_of(work.set, island);
  double change = 0;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (!has_phases(work, groups[k]) || law_of(work, groups[k]).impact != ImpactLaw::stronge)
      continue;
    if (work.returned[k] == 0) continue;
    const double factor = correction(work, island, groups[k]);
    const double corrected = std::min(most, factor * work.returned[k]);
    change = std::max(change, std::abs(corrected / work.returned[k] - 1));
    work.returned[k] = corrected;
  }
  return change;
}

/// What the contacts of the island do in the step [J], and the sum of the sizes of its parts.
struct ContactWork {
  double sum = 0, size = 0;
};

ContactWork contact_work(const Moreau::Workspace& work, const Island& island) {
  ContactWork all;
  for (const RowGroup& group : groups_of(work.set, island).last(at(island.contacts)))
    for (int j = 0; j < group.rows; ++j) {
      const Index row = group.first_row - island.first_row + j;
      const double impulse = 0.5 * work.island_solution.impulse[row];
      const double before = work.gamma_before[group.first_row + j];
      all.sum += impulse * (before + work.gamma_expanded[row]);
      all.size += std::abs(impulse) * (std::abs(before) + std::abs(work.gamma_expanded[row]));
    }
  return all;
}

/// A slip that turns round within a phase, or contacts that act on each other, may still make
/// energy: then all contacts give back less, by a common factor, until they make none.
bool forbid_gain(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  constexpr double round_off = 1e-12;
  constexpr int halvings = 40;
  const auto gains = [&] {
    write_expanded_velocities(work, island, problem);
    const ContactWork done = contact_work(work, island);
    return done.sum > round_off * done.size;
  };
  if (!gains()) return true;
  work.returned_whole = work.returned;
  double lower = 0, upper = 1;
  for (int i = 0; i < halvings; ++i) {
    const double share = i + 1 < halvings ? 0.5 * (lower + upper) : lower;
    for (std::size_t k = 0; k < work.returned.size(); ++k)
      work.returned[k] = share * work.returned_whole[k];
    if (!expand(work, island, problem)) return false;
    (gains() ? upper : lower) = share;
  }
  return true;
}

bool return_work(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  constexpr double settled = 1e-13;
  constexpr int most_corrections = 60;
  write_compressed_velocities(work, island, problem);
  for (int i = 0; i < most_corrections; ++i) {
    write_expanded_velocities(work, island, problem);
    if (correct_returned(work, island) <= settled) break;
    if (!expand(work, island, problem)) return false;
  }
  return forbid_gain(work, island, problem);
}

}  // namespace

bool any_impact_in_phases(const Moreau::Workspace& work, const Island& island) {
  if (!work.has_phases) return false;
  bool phases = false, approach = false;
  for (const RowGroup& group : groups_of(work.set, island)) {
    if (group.kind != Kind::contact) continue;
    phases = phases || has_phases(work, group);
    approach = approach ||
               (work.active[at(group.number)].impact && work.gamma_before[group.first_row] < 0);
  }
  return phases && approach;
}

bool resolve_in_phases(Moreau::Workspace& work, const Island& island, double step,
                       ContactProblem& problem) {
  const std::span<const RowGroup> groups = groups_of(work.set, island);
  work.island_solution.impulse.resize(island.rows);
  work.island_solution.impulse.setZero();
  if (!compress(work, island, step, problem)) return false;
  work.returned.assign(groups.size(), 0);
  bool energetic = false;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (!has_phases(work, groups[k])) continue;
    work.returned[k] = law_of(work, groups[k]).restitution;
    energetic = energetic || law_of(work, groups[k]).impact == ImpactLaw::stronge;
  }
  if (!expand(work, island, problem)) return false;
  return !energetic || return_work(work, island, problem);
}

}  // namespace backlash
