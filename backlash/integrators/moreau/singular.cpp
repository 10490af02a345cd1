// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"

/// Loops near singular positions (theory 4.14): their rows are taken on the branch of the motion,
/// which the straight way to q_M leaves by more than is left of the rows there.
namespace backlash {
namespace {

using Index = Eigen::Index;

LoopState& state_of(Moreau::Workspace& work, const RowGroup& group) {
  return work.loop_states[at(group.number)];
}
LoopState state_of(Moreau::Workspace& work, const Island& island) {
  return state_of(work, groups_of(work.drift, island).front());
}
void set_state(Moreau::Workspace& work, const Island& island, LoopState state) {
  for (const RowGroup& group : groups_of(work.drift, island)) state_of(work, group) = state;
}

/// Largest entry of a velocity or a displacement, lengths as a part of the model's.
double largest_rate(const Moreau::Workspace& work, const Vector& u) {
  const SystemInfo& info = work.system.info();
  double largest = 0;
  for (Index i = 0; i < u.size(); ++i) {
    const bool turns = at(i) < info.angular.size() && info.angular[at(i)];
    largest = std::max(largest, std::abs(u[i]) / (turns ? 1 : info.length));
  }
  return largest;
}

/// Rows of work.drift at the configuration `loops`.
void write_rows_there(Moreau::Workspace& work) {
  work.system.configure(work.loops);
  write_rows(work, work.loops, {}, work.drift);
  write_mass_inverse_rows(work, work.drift);
}

/// What changes the rates of an island's rows by −values, added to the correction; and its largest
/// entry.
struct IslandCorrection {
  PivotedRank found{};
  double largest = 0;  ///< as angles, and lengths as a part of the model's
};
IslandCorrection correct(Moreau::Workspace& work, const Island& island, const VectorMap& values,
                         const PivotLimits& limits) {
  const std::span<const RowGroup> groups = groups_of(work.drift, island);
  Arena::Frame frame(work.scratch);
  VectorMap impulse = frame.vector(island.bilaterals);
  for (Index i = 0; i < impulse.size(); ++i) impulse[i] = -values[groups[at(i)].number];
  IslandCorrection result;
  result.found = solve_bilaterals(work, work.drift, island, impulse, limits);
  work.island_correction.setZero();
  for (Index i = 0; i < impulse.size(); ++i)
    add_effect(work, work.drift, groups[at(i)], 0, impulse[i], work.island_correction);
  result.largest = largest_rate(work, work.island_correction);
  work.correction += work.island_correction;
  return result;
}

/// Of loops whose rows depend on each other at the middle, how many do not; of others zero.
void write_ranks(Moreau::Workspace& work) {
  work.loop_ranks.assign(work.drift.islands.size(), 0);
  const auto is_deficient = [](LoopState state) { return state == LoopState::rank_deficient; };
  if (std::ranges::none_of(work.loop_states, is_deficient)) return;
  work.loops.t = work.middle.t;
  work.loops.q = work.middle.q;
  write_rows_there(work);
  Arena::Frame frame(work.scratch);
  VectorMap none = frame.vector(work.bilaterals);
  none.setZero();
  for (std::size_t i = 0; i < work.drift.islands.size(); ++i) {
    const Island& island = work.drift.islands[i];
    if (is_deficient(state_of(work, island)))
      work.loop_ranks[i] = correct(work, island, none, {.tolerance = 1e-12}).found.rank;
  }
}

/// The part of the acceleration that keeps the motion on the loops, at the start of the step where
/// they are closed. Loops that have the rank there that they have at the middle are redundant, and
/// not singular.
void write_curvature(Moreau::Workspace& work, const State& state) {
  write_ranks(work);
  work.loops.t = state.t;
  work.loops.q = state.q;
  write_rows_there(work);
  Arena::Frame frame(work.scratch);
  VectorMap bias = frame.vector(work.bilaterals);
  work.system.bilateral_bias(work.loops, state.u, bias);
  work.correction.setZero();
  for (std::size_t i = 0; i < work.drift.islands.size(); ++i) {
    const Island& island = work.drift.islands[i];
    Index& rank = work.loop_ranks[i];
    const PivotedRank found = correct(work, island, bias, {.tolerance = 1e-12}).found;
    const bool redundant =
        found.rank == rank && state_of(work, island) == LoopState::rank_deficient;
    set_state(work, island, redundant ? LoopState::regular : LoopState::near_singular);
    rank = redundant ? -1 : std::max(rank, found.rank);
  }
}

/// From the start of the step along the curve of the motion, or with a share of its curvature, and
/// from there to the loops, by Newton's iteration. False if the way from the curve to the loops is
/// so long that it may lead to another branch.
bool move_to_branch(Moreau::Workspace& work, const State& state, double time, double share) {
  constexpr int most_corrections = 5;
  constexpr double most = 0.1;  // of the smallest singular value, which shows the way to the others
  constexpr double round_off = 1e-10;  // square of that value by which round-off is divided
  work.u_middle = state.u + 0.5 * time * share * work.curvature;
  work.loops.t = state.t + time;
  work.system.advance(state.q, work.u_middle, time, work.loops.q);
  for (int k = 0; k < most_corrections; ++k) {
    write_rows_there(work);
    Arena::Frame frame(work.scratch);
    VectorMap errors = frame.vector(work.bilaterals);
    work.system.bilateral_errors(work.loops, errors);
    work.correction.setZero();
    double largest = 0;
    for (std::size_t i = 0; i < work.drift.islands.size(); ++i) {
      if (work.loop_ranks[i] < 0) continue;
      const IslandCorrection done =
          correct(work, work.drift.islands[i], errors, {.most = work.loop_ranks[i]});
      if (done.found.smallest < round_off) return false;
      if (!(done.largest <= most * std::sqrt(done.found.smallest))) return false;
      largest = std::max(largest, done.largest);
    }
    if (largest < 1e-14) return true;
    work.q_end = work.loops.q;
    work.system.advance(work.q_end, work.correction, 1, work.loops.q);
  }
  write_rows_there(work);
  return true;
}

/// Whether a mechanism at rest is in a singular position: where it would go, by the predicted
/// velocity, more of its rows are independent than here.
bool rests_in_singular_position(Moreau::Workspace& work, const State& state) {
  constexpr double way = 0.01;  // which leaves the loops by its square
  const double rate = largest_rate(work, work.u_middle);
  if (largest_rate(work, state.u) > 0 || !(rate > 0)) return false;
  write_ranks(work);
  work.loops.t = state.t;
  work.system.advance(state.q, work.u_middle, way / rate, work.loops.q);
  write_rows_there(work);
  Arena::Frame frame(work.scratch);
  VectorMap none = frame.vector(work.bilaterals);
  none.setZero();
  for (std::size_t i = 0; i < work.drift.islands.size(); ++i)
    if (work.loop_ranks[i] > 0 &&
        correct(work, work.drift.islands[i], none, {.tolerance = 1e-6}).found.rank >
            work.loop_ranks[i])
      return true;
  return false;
}

/// The rows of loops near singular positions from work.drift into those of the step.
void take_rows(Moreau::Workspace& work) {
  for (const RowGroup& from : work.drift.groups) {
    if (state_of(work, from) != LoopState::near_singular) continue;
    const auto to = std::ranges::find_if(work.set.groups, [&](const RowGroup& group) {
      return group.kind == RowGroup::Kind::bilateral && group.number == from.number;
    });
    std::copy_n(work.drift.W.data() + from.first_entry, from.velocities,
                work.set.W.data() + to->first_entry);
    std::copy_n(work.drift.mass_inverse_W.data() + from.first_entry, from.velocities,
                work.set.mass_inverse_W.data() + to->first_entry);
    work.set.w[to->first_row] = work.drift.w[from.first_row];
  }
}

/// The rows of a time after the start of the step, on the branch of the motion. False if it is not
/// known well enough there.
bool take_rows_after(Moreau::Workspace& work, const State& state, double time) {
  if (!std::isfinite(time)) return false;
  // The curvature of a start that is near the singular position itself may be wrong.
  if (!move_to_branch(work, state, time, 1) && !move_to_branch(work, state, time, 0)) return false;
  take_rows(work);
  work.near_singular = true;
  return true;
}

}  // namespace

void write_bilateral_bias(Moreau::Workspace& work, const Vector& u) {
  work.system.bilateral_bias(work.middle, u, work.bias);
  if (!work.near_singular) return;
  Arena::Frame frame(work.scratch);
  VectorMap bias = frame.vector(work.bilaterals);
  work.system.bilateral_bias(work.loops, u, bias);
  for (Index i = 0; i < work.bilaterals; ++i)
    if (work.loop_states[at(i)] == LoopState::near_singular) work.bias[i] = bias[i];
}

namespace {

/// Rows that hardly move anything, beside what they or others can: alone, as that of a drive in a
/// dead centre, or together.
constexpr double hardly_moves = 1e-2;

/// Of the impulses of such loops, that may change in a step without being determined.
constexpr double taken_over = 0.02;

bool has_undetermined(const Moreau::Workspace& work, std::span<const RowGroup> rows,
                      const VectorMap& largest) {
  return std::ranges::any_of(rows, [&](const RowGroup& row) {
    if (is_off(work, row)) return false;
    return work.mobility[row.first_row] < hardly_moves * largest[row.number] ||
           work.loop_states[at(row.number)] == LoopState::near_singular;
  });
}

/// Impulses x with G x = b in those rows that are determined, and zero in others; b becomes x.
/// False for islands so large that G is not written out.
bool solve_determined(Moreau::Workspace& work, std::span<const RowGroup> rows,
                      const VectorMap& largest, VectorMap& b) {
  ContactProblem& problem = problem_for(work, b.size());
  auto* dense = std::get_if<DenseDelassus>(&problem.delassus);
  if (!dense) return false;
  write_delassus(work, work.set, rows, problem.delassus);
  const auto scale = [&](Index i) {
    const double mobility = largest[rows[at(i)].number];
    return mobility > 0 ? 1 / std::sqrt(mobility) : 1;
  };
  for (Index j = 0; j < b.size(); ++j)
    for (Index i = 0; i < b.size(); ++i) dense->G(i, j) *= scale(i) * scale(j);
  for (Index i = 0; i < b.size(); ++i) b[i] *= scale(i);
  solve_pivoted(dense->G, b, work.scratch, {.tolerance = hardly_moves});
  for (Index i = 0; i < b.size(); ++i) b[i] *= scale(i);
  return true;
}

}  // namespace

/// With Λ' the impulses that are remembered and Λ those of the step, the change G⁺G(Λ − Λ') is what
/// of it the motion determines. Of the rest, in which errors alternate, a little is taken over.
void hold_undetermined_impulses(Moreau::Workspace& work, State& state, VectorRef impulses) {
  if (work.bilaterals == 0) return;
  const double last_step = work.memory.last_step(state.z);
  const double ratio = last_step > 0 ? work.result.step / last_step : 0;
  const auto last = work.memory.impulses(state.z);
  auto remembered = work.own_memory.mobility(state.z);
  VectorMap largest(remembered.data(), remembered.size());
  for (const Island& island : work.set.islands) {
    if (island.bilaterals == 0) continue;
    const std::span<const RowGroup> rows = groups_of(work.set, island).first(at(island.bilaterals));
    for (const RowGroup& row : rows)
      largest[row.number] = std::max(largest[row.number], work.mobility[row.first_row]);
    if (island.contacts > 0 || !has_undetermined(work, rows, largest)) continue;
    Arena::Frame frame(work.scratch);
    VectorMap change = frame.vector(island.bilaterals);
    work.island_correction.setZero();
    for (const RowGroup& row : rows)
      add_effect(work, work.set, row, 0,
                 work.solution.impulse[row.first_row] - ratio * last[row.number],
                 work.island_correction);
    for (Index i = 0; i < change.size(); ++i)
      change[i] = rate_of(work, work.set, rows[at(i)], 0, work.island_correction.data());
    if (!solve_determined(work, rows, largest, change)) continue;
    double known = 0, rest = 0;  // squares, as velocities of the rows
    for (Index i = 0; i < change.size(); ++i) {
      const RowGroup& row = rows[at(i)];
      const double held = ratio * last[row.number] + change[i];
      const double open = work.solution.impulse[row.first_row] - held;
      known += held * held * largest[row.number];
      rest += open * open * largest[row.number];
      impulses[row.number] = held;
    }
    const double share = rest > 0 ? std::min(1.0, taken_over * std::sqrt(known / rest)) : 0;
    for (const RowGroup& row : rows)
      impulses[row.number] += share * (work.solution.impulse[row.first_row] - impulses[row.number]);
  }
}

bool take_rows_on_branch(Moreau::Workspace& work, const State& state, double step) {
  work.loops.switches = work.middle.switches;
  arrange_rows(work, {.relays = false, .singular_loops = true}, work.drift);
  if (rests_in_singular_position(work, state)) {
    work.result.status = StepStatus::singular_position;
    return false;
  }
  write_curvature(work, state);
  work.redundant = std::ranges::all_of(work.loop_ranks, [](Index rank) { return rank < 0; });
  if (work.redundant) return true;
  work.curvature = work.correction;
  if (take_rows_after(work, state, 0.5 * step)) return true;
  constexpr double far_enough = 5e-5;  // from the singular position
  const double rate = largest_rate(work, state.u);
  if (work.may_be_shorter && 0.25 * step * rate > far_enough) {
    work.shorter_step = 0.5 * step;
    return false;
  }
  const double shift = std::max(0.05 * step, far_enough / rate);
  for (const double shifts : {1.0, -1.0, 2.4, -2.4})
    if (take_rows_after(work, state, 0.5 * step + shifts * shift)) return true;
  work.result.status = StepStatus::singular_position;
  return false;
}

}  // namespace backlash
