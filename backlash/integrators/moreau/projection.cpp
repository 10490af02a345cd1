// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"
#include "backlash/solvers/automatic.h"
#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/reduction.h"

/// Projection of drift (theory 4.6): the nearest position in the metric of M where bilateral rows
/// hold and no contact is deeper than the limit. It is itself a contact problem, with errors and
/// depths in the place of velocities.
namespace backlash {
namespace {

using Index = Eigen::Index;

double energy(const System& system, const Configuration& c, const Vector& u) {
  return system.kinetic_energy(c, u) + system.potential_energy(c);
}

/// The contacts of the step at its end position: those marked as too deep with their depth, those
/// that last as held where they are, and others with what they may still close. Returns the depth
/// of the deepest that is to be projected, 0 if none is [m].
double write_closed_contacts(Moreau::Workspace& work, const State& state) {
  const double round_off = 1e-12 * work.system.info().length;
  double deepest = 0;
  ContactFrame frame;
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    if (!work.system.follow_contact(work.end, work.frames[k].key, state.contacts, frame)) continue;
    const bool deep = work.active[k].deep && frame.gap < -round_off;
    const double depth = -frame.gap * gap_length(work.system.info(), frame.key);
    work.overlap += std::max(0.0, depth);
    if (deep) deepest = std::max(deepest, depth);
    const bool held = !deep && work.active[k].lasts() && pushes(work, work.active[k]);
    if (!deep) frame.gap = held ? 0 : std::max(frame.gap, 0.0);
    work.deep.push_back(frame);
    work.deep_held.push_back(held);
  }
  return deepest;
}

/// What is near besides, which the projection must not push bodies into.
void add_neighbours(Moreau::Workspace& work, const State& state, double reach) {
  work.neighbours.clear();
  work.system.find_contacts(work.end, reach, state.contacts, work.neighbours);
  for (ContactFrame& frame : work.neighbours) {
    const auto place = std::ranges::lower_bound(work.deep, frame.key, {}, &ContactFrame::key);
    if (place != work.deep.end() && place->key == frame.key) continue;
    work.overlap += std::max(0.0, -frame.gap * gap_length(work.system.info(), frame.key));
    frame.gap = std::max(frame.gap, 0.0);
    work.deep_held.insert(work.deep_held.begin() + (place - work.deep.begin()), 0);
    work.deep.insert(place, frame);
  }
}

/// Contacts deeper than the limit of the user at the end position, of angles by their arc, with
/// what is too much of their depth as their gap; and those that stay and are marked as too deep,
/// with all of it. With the latter come the others that are closed, which must not become deeper by
/// it, nor be opened if they last. False if none is deep.
bool find_deep_contacts(Moreau::Workspace& work, const State& state) {
  work.overlap = 0;
  work.deep.clear();
  work.deep_held.clear();
  const SystemInfo& info = work.system.info();
  const double limit = work.options.penetration_limit;
  if (std::isfinite(limit)) {
    const double shallowest = std::min(limit, limit / info.length);
    work.system.find_contacts(work.end, -shallowest, state.contacts, work.deep);
    std::erase_if(work.deep, [&](const ContactFrame& frame) {
      return frame.gap * gap_length(info, frame.key) > -limit * (1 + 1e-12);
    });
    for (ContactFrame& frame : work.deep) frame.gap += limit / gap_length(info, frame.key);
    return !work.deep.empty();
  }
  if (std::ranges::none_of(work.active, &ActiveContact::deep)) return false;
  const double deepest = write_closed_contacts(work, state);
  add_neighbours(work, state, deepest);
  if (deepest == 0) work.deep.clear();
  return deepest > 0;
}

/// Of the bilateral rows [m].
double largest_error(const Moreau::Workspace& work, const VectorMap& errors) {
  double worst = 0;
  for (Index i = 0; i < errors.size(); ++i) {
    const BilateralInfo& row = work.system.info().bilaterals[static_cast<std::size_t>(i)];
    worst = std::max(worst, std::abs(errors[i]) * row.length);
  }
  return worst;
}

/// The impulses of the bilateral rows of an island that change their errors by `impulse`, in place.
/// Redundant ones agree but for second-order terms.
void solve_equations(Moreau::Workspace& work, const RowSet& set, const Island& island,
                     VectorBuffer& impulse) {
  ContactProblem& problem = problem_for(work, island.bilaterals);
  auto* dense = std::get_if<DenseDelassus>(&problem.delassus);
  const bool independent =
      work.rank == work.bilaterals && !work.near_singular;  // as the step found
  if (dense && independent) {
    write_delassus(work, set, groups_of(set, island).first(at(island.bilaterals)),
                   problem.delassus);
    if (factor_ldlt(dense->G)) return solve_ldlt(dense->G.data(), impulse.size(), impulse.data());
  }
  solve_bilaterals(work, set, island, impulse);
}

/// Impulses by which the contacts of an island are moved apart. Where they contradict each other
/// (wedged from wall to wall), or nearly so that bodies would go a long way, those that last may
/// open too, and each is moved by turns: a bounded number of sweeps shares what overlap is left.
void solve_projection(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  constexpr int sweeps = 20;
  VectorBuffer& impulse = work.island_solution.impulse;
  if (!work.gentle_projection) {
    impulse.setZero();
    solve_automatic(problem, {.tolerance = 1e-9, .effort = Effort::quick}, work.scratch,
                    work.island_solution);
    if (work.island_solution.status == SolverStatus::solved) return;
  }
  for (std::size_t k = at(island.bilaterals); k < problem.blocks.size(); ++k)
    problem.blocks[k].law = Unilateral{};
  impulse.setZero();
  Arena::Frame frame(work.scratch);
  sweep_gauss_seidel(problem, list_contacts(problem, frame), sweeps, work.scratch, impulse);
  work.gentle_projection = true;
}

/// What the rows of an island ask for, in the metric of M, added to the correction; of the rows of
/// the step the bilateral ones.
void correct_island(Moreau::Workspace& work, const RowSet& set, const Island& island,
                    const VectorMap& errors) {
  const bool equations = work.deep.empty() || island.contacts == 0;
  const std::span<const RowGroup> groups =
      groups_of(set, island).first(equations ? at(island.bilaterals) : island.groups());
  if (groups.empty()) return;
  VectorBuffer& impulse = work.island_solution.impulse;
  impulse.resize(static_cast<Index>(groups.size()));  // each has one row
  if (equations) {
    for (std::size_t i = 0; i < groups.size(); ++i)
      impulse[static_cast<Index>(i)] = -errors[groups[i].number];
    solve_equations(work, set, island, impulse);
  } else {
    ContactProblem& problem = problem_for(work, island.rows);
    write_delassus(work, set, groups, problem.delassus);
    problem.blocks.clear();
    problem.free_velocity.resize(island.rows);
    problem.row_length.resize(0);
    problem.velocity_scale = 0;
    for (const RowGroup& group : groups) {
      const Index row = group.first_row - island.first_row;
      const bool bilateral = group.kind == RowGroup::Kind::bilateral;
      const bool held = bilateral || (!work.deep_held.empty() && work.deep_held[at(group.number)]);
      problem.blocks.push_back({row, held ? Law{Bilateral{}} : Law{Unilateral{}}});
      problem.free_velocity[row] =
          bilateral ? errors[group.number] : work.deep[at(group.number)].gap;
    }
    solve_projection(work, island, problem);
  }
  for (const RowGroup& group : groups)
    add_effect(work, set, group, 0, impulse[group.first_row - island.first_row], work.correction);
}

/// Errors of the bilateral rows at the end position, and the contacts that are too deep there.
/// False if nothing is left to do.
bool find_drift(Moreau::Workspace& work, const State& state, VectorMap& errors) {
  const bool deep = find_deep_contacts(work, state);
  if (work.bilaterals > 0) work.system.bilateral_errors(work.end, errors);
  return deep ||
         largest_error(work, errors) > work.options.drift_tolerance * work.system.info().length;
}

/// Whether a drift below the tolerance is taken out nevertheless: where contacts last it is a part
/// of their gaps, and taken out in one step of many would be a peak of their forces (theory 4.6).
bool shakes_contacts(const Moreau::Workspace& work, const VectorMap& errors) {
  return work.lasting && !work.active.empty() &&
         largest_error(work, errors) > gap_round_off * work.system.info().length;
}

/// Whether the rows of the step, at the middle, will do for a first correction: their M⁻¹W is
/// there, and what their direction is off by is a part Δt of the correction, for the next one to
/// mend.
bool rows_of_step_do(const Moreau::Workspace& work) {
  return work.deep.empty() && !work.near_singular && work.options.scheme == Scheme::midpoint;
}

void write_drift_rows(Moreau::Workspace& work) {
  arrange_rows(work, {.relays = false, .frames = work.deep, .tangents = false}, work.drift);
  write_rows(work, work.end, work.deep, work.drift);
  write_mass_inverse_rows(work, work.drift);
}

/// One Newton step towards the admissible positions.
void correct_once(Moreau::Workspace& work, const RowSet& rows, const VectorMap& errors,
                  Vector& q_end) {
  work.correction.setZero();
  for (const Island& island : rows.islands) correct_island(work, rows, island, errors);
  work.projected_travel += work.correction;
  work.end.q = q_end;
  work.system.advance(work.end.q, work.correction, 1, q_end);
}

void return_to(Moreau::Workspace& work, const VectorMap& q, Vector& q_end) {
  work.end.q = q_end = q;
  work.system.configure(work.end);
}

/// Newton steps from a position that has drifted, configured as the end, until nothing is left to
/// do; `errors` are those that are left. Contacts without joints end where they overlap least.
void correct_drift(Moreau::Workspace& work, const State& state, VectorMap& errors, Vector& q_end) {
  constexpr int most_corrections = 5;
  Arena::Frame frame(work.scratch);
  VectorMap q_best = frame.vector(q_end.size());
  VectorMap travel_best = frame.vector(work.projected_travel.size());
  q_best = q_end;
  travel_best.setZero();
  double least = work.overlap;
  for (int k = 0; k < most_corrections; ++k) {
    const bool at_hand = k == 0 && rows_of_step_do(work);
    if (!at_hand) write_drift_rows(work);
    correct_once(work, at_hand ? work.set : work.drift, errors, q_end);
    work.end.q = q_end;
    work.system.configure(work.end);
    const bool drifted = find_drift(work, state, errors);
    if (work.bilaterals > 0 || work.overlap < least) {
      least = work.overlap;
      q_best = q_end;
      travel_best = work.projected_travel;
    }
    if (!drifted) break;
    if (work.overlap > least) work.gentle_projection = true;
  }
  if (work.overlap == least) return;
  return_to(work, q_best, q_end);
  work.projected_travel = travel_best;
  work.overlap = least;
}

}  // namespace

double project_drift(Moreau::Workspace& work, const State& state, double t_end, Vector& q_end) {
  constexpr double acceptable = 1e-10;  // × model length, or what the user asked for
  work.end.t = t_end;
  work.end.q = q_end;
  work.system.configure(work.end);
  Arena::Frame frame(work.scratch);
  VectorMap errors = frame.vector(work.bilaterals);
  work.gentle_projection = false;
  if (!find_drift(work, state, errors) && !shakes_contacts(work, errors)) return 0;
  const double energy_before = energy(work.system, work.end, work.u_end);
  work.projected = true;
  work.projected_travel.setZero();
  correct_drift(work, state, errors, q_end);
  const double tolerance = std::max(acceptable, work.options.drift_tolerance);
  if (largest_error(work, errors) > tolerance * work.system.info().length)
    work.result.status = StepStatus::drift_not_projected;
  return energy(work.system, work.end, work.u_end) - energy_before;
}

}  // namespace backlash
