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

/// Whether an overlap at the end of the step, beside those of landings, is to be removed.
bool overlap_counts(const Moreau::Workspace& work, const ContactFrame& frame) {
  if (!work.foresees || !may_be_foreseen(work, frame)) return false;
  const ContactInfo& contact = work.system.info().contacts[at(frame.key.pair)];
  return frame.gap < -gap_resolution(work.system.info(), contact);
}

double energy(const System& system, const Configuration& c, const Vector& u) {
  return system.kinetic_energy(c, u) + system.potential_energy(c);
}

/// Whether one that lands is moved to its surface from wherever it is, open ones as well.
bool is_pulled(const Moreau::Workspace& work, const ActiveContact& contact) {
  return contact.early && work.projection_care == ProjectionCare::none;
}

/// What a contact of the step, found at its end position, asks the projection for: those that land
/// come to their surface, those that last are held where they are, others do not overlap. Returns
/// how far it is to be moved [m].
double demand_of(const Moreau::Workspace& work, const ActiveContact& contact, ContactFrame& frame,
                 bool& held) {
  const double unfelt = (contact.foreseen ? 1e-10 : 1e-12) * work.system.info().length;
  const bool landing = contact.off && (is_pulled(work, contact) || frame.gap < 0);
  const bool bounces = contact.impact && contact.info->law.restitution > 0;
  const bool stays = contact.foreseen ? !bounces : contact.lasts();
  held = landing ? frame.gap > 0 : stays && pushes(work, contact);
  const bool overlaps = frame.gap < 0 && overlap_counts(work, frame);
  if (held && !landing && !overlaps) frame.gap = 0;
  if (held && overlaps) held = false;
  if (!landing && !overlaps) frame.gap = std::max(frame.gap, 0.0);
  return (landing && std::abs(frame.gap) > unfelt) || overlaps ? std::abs(frame.gap) : 0;
}

/// The contacts of the step at its end position. Returns how far the farthest of them is to be
/// moved, 0 if none is [m].
double write_closed_contacts(Moreau::Workspace& work, const State& state) {
  double farthest = 0;
  ContactFrame frame;
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    if (!work.system.follow_contact(work.end, work.frames[k].key, state.contacts, frame)) continue;
    const double length = gap_length(work.system.info(), frame.key);
    const ActiveContact& contact = work.active[k];
    const bool pulled = contact.off && is_pulled(work, contact);
    work.overlap += length * (pulled ? std::abs(frame.gap) : std::max(0.0, -frame.gap));
    bool held = false;
    farthest = std::max(farthest, length * demand_of(work, work.active[k], frame, held));
    work.deep.push_back(frame);
    work.deep_held.push_back(held);
  }
  return farthest;
}

/// Puts the neighbours, none of which is held, among the contacts of the step, by their keys.
void merge_neighbours(Moreau::Workspace& work) {
  std::size_t k = work.deep.size(), n = work.neighbours.size();
  work.deep.resize(k + n);
  work.deep_held.resize(k + n);
  for (std::size_t next = k + n; n > 0;) {
    const bool own = k > 0 && work.neighbours[n - 1].key < work.deep[k - 1].key;
    --(own ? k : n);
    --next;
    work.deep[next] = own ? work.deep[k] : work.neighbours[n];
    work.deep_held[next] = own ? work.deep_held[k] : char{0};
  }
}

/// What is near besides, which the projection must not push bodies into. Returns the deepest of
/// those that overlap [m].
double add_neighbours(Moreau::Workspace& work, const State& state, double reach) {
  work.neighbours.clear();
  work.system.find_contacts(work.end, reach, state.contacts, work.neighbours);
  double deepest = 0;
  std::erase_if(work.neighbours, [&](const ContactFrame& frame) {
    return std::ranges::binary_search(work.deep, frame.key, {}, &ContactFrame::key);
  });
  for (ContactFrame& frame : work.neighbours) {
    const double depth = -frame.gap * gap_length(work.system.info(), frame.key);
    work.overlap += std::max(0.0, depth);
    if (overlap_counts(work, frame))
      deepest = std::max(deepest, depth);
    else
      frame.gap = std::max(frame.gap, 0.0);
  }
  merge_neighbours(work);
  return deepest;
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
  if (!work.landed) return false;
  double farthest = write_closed_contacts(work, state);
  work.landing_travel = std::max(work.landing_travel, farthest);
  farthest = std::max(farthest, add_neighbours(work, state, work.landing_travel));
  if (farthest == 0) work.deep.clear();
  return farthest > 0;
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
/// open too; and where that does not help, each is moved by turns: a bounded number of sweeps
/// shares what overlap is left.
void solve_projection(Moreau::Workspace& work, const Island& island, ContactProblem& problem) {
  constexpr int sweeps = 20;
  VectorBuffer& impulse = work.island_solution.impulse;
  for (const bool may_open : {false, true}) {
    if (work.projection_care == ProjectionCare::by_turns) break;
    if (may_open)
      for (std::size_t k = at(island.bilaterals); k < problem.blocks.size(); ++k)
        problem.blocks[k].law = Unilateral{};
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
  work.projection_care = ProjectionCare::by_turns;
}

/// What the contacts of an island do to the potential energy by these impulses [J].
double lift_of(const Moreau::Workspace& work, const RowSet& set, const Island& island) {
  double lift = 0;
  for (const RowGroup& group : groups_of(set, island).last(at(island.contacts)))
    lift -= work.island_solution.impulse[group.first_row - island.first_row] *
            rate_of(work, set, group, 0, work.acceleration.data());
  return lift;
}

/// Takes of a correction as much as its landings pay for: what the way took that bodies fell too
/// far was booked as theirs (theory 4.36). Bilateral rows hold nevertheless.
void limit_to_losses(Moreau::Workspace& work, const RowSet& set, std::size_t number,
                     const VectorMap& errors) {
  const Island& island = set.islands[number];
  VectorBuffer& impulse = work.island_solution.impulse;
  if (!work.foresees) return;
  double& lift = work.island_lifts[number];
  lift = lift_of(work, set, island);
  const double loss = std::max(0.0, work.island_losses[number]);
  if (!(lift > loss)) return;
  const double part = loss / lift;
  lift *= part;
  for (Index i = 0; i < impulse.size(); ++i) impulse[i] *= part;
  if (island.bilaterals == 0) return;
  VectorBuffer& rest = work.extra_impulse;
  rest.resize(island.bilaterals);
  const auto groups = groups_of(set, island).first(at(island.bilaterals));
  for (std::size_t i = 0; i < groups.size(); ++i)
    rest[static_cast<Index>(i)] = (part - 1) * errors[groups[i].number];
  solve_equations(work, set, island, rest);
  for (Index i = 0; i < rest.size(); ++i) impulse[i] += rest[i];
}

/// What the rows of an island ask for, in the metric of M, added to the correction; of the rows of
/// the step the bilateral ones.
void correct_island(Moreau::Workspace& work, const RowSet& set, std::size_t number,
                    const VectorMap& errors) {
  const Island& island = set.islands[number];
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
    limit_to_losses(work, set, number, errors);
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

/// What the landings of each island have taken so far.
void sum_losses(Moreau::Workspace& work, const RowSet& rows) {
  work.island_losses.assign(rows.islands.size(), 0);
  work.island_lifts.assign(rows.islands.size(), 0);
  for (std::size_t k = 0; !work.deep.empty() && k < work.active.size(); ++k)
    if (const int island = island_of(work, work.frames[k]); island >= 0)
      work.island_losses[at(island)] += work.active[k].loss;
}

/// What they give back of it for being moved.
void charge_losses(Moreau::Workspace& work) {
  for (std::size_t k = 0; !work.deep.empty() && k < work.active.size(); ++k) {
    const int island = island_of(work, work.frames[k]);
    if (island < 0 || !(work.island_losses[at(island)] > 0)) continue;
    ActiveContact& contact = work.active[k];
    const double part =
        contact.loss * work.island_lifts[at(island)] / work.island_losses[at(island)];
    contact.loss -= part;
    contact.given_back += part;
  }
}

/// One Newton step towards the admissible positions.
void correct_once(Moreau::Workspace& work, const RowSet& rows, const VectorMap& errors,
                  Vector& q_end) {
  work.correction.setZero();
  if (work.foresees) sum_losses(work, rows);
  for (std::size_t i = 0; i < rows.islands.size(); ++i) correct_island(work, rows, i, errors);
  if (work.foresees) charge_losses(work);
  work.projected_travel += work.correction;
  work.end.q = q_end;
  work.system.advance(work.end.q, work.correction, 1, q_end);
}

/// The position on the way of a projection at which bodies overlap least.
struct BestPosition {
  VectorMap q, travel, given_back;
  double overlap;

  void take(const Moreau::Workspace& work, const Vector& q_end) {
    q = q_end;
    travel = work.projected_travel;
    for (std::size_t i = 0; i < work.active.size(); ++i)
      given_back[static_cast<Index>(i)] = work.active[i].given_back;
    overlap = work.overlap;
  }

  void return_to(Moreau::Workspace& work, Vector& q_end) const {
    work.end.q = q_end = q;
    work.system.configure(work.end);
    work.projected_travel = travel;
    for (std::size_t i = 0; i < work.active.size(); ++i) {
      ActiveContact& contact = work.active[i];
      contact.loss += contact.given_back - given_back[static_cast<Index>(i)];
      contact.given_back = given_back[static_cast<Index>(i)];
    }
    work.overlap = overlap;
  }
};

/// Newton steps from a position that has drifted, configured as the end, until nothing is left to
/// do; `errors` are those that are left. Contacts without joints end where they overlap least: from
/// there it is tried with more care where a step went too far.
void correct_drift(Moreau::Workspace& work, const State& state, VectorMap& errors, Vector& q_end) {
  constexpr int most_corrections = 5;
  Arena::Frame frame(work.scratch);
  BestPosition best{frame.vector(q_end.size()), frame.vector(work.projected_travel.size()),
                    frame.vector(static_cast<Index>(work.active.size())), 0};
  best.take(work, q_end);
  bool drifted = true;
  for (int k = 0; k < most_corrections && drifted; ++k) {
    const bool at_hand = k == 0 && rows_of_step_do(work);
    if (!at_hand) write_drift_rows(work);
    correct_once(work, at_hand ? work.set : work.drift, errors, q_end);
    work.end.q = q_end;
    work.system.configure(work.end);
    drifted = find_drift(work, state, errors);
    if (work.bilaterals > 0 || work.overlap <= best.overlap) {
      best.take(work, q_end);
    } else if (work.projection_care != ProjectionCare::by_turns) {
      const bool pulls = work.foresees && work.projection_care == ProjectionCare::none;
      work.projection_care = pulls ? ProjectionCare::no_pull : ProjectionCare::by_turns;
      best.return_to(work, q_end);
      drifted = find_drift(work, state, errors);
      best.overlap = work.overlap;  // by what is asked for now
    }
  }
  if (work.overlap > best.overlap) best.return_to(work, q_end);
}

/// What the projection did to the energy, beside the work of forces along it, is charged to the
/// landings in the proportion of their lifts (theory 4.36). Returns what is left for the method.
double charge_energy(Moreau::Workspace& work, double added) {
  constexpr double most = 1.5;  // of the lift, to first order; beyond it is another thing
  double lift = 0;
  for (const ActiveContact& contact : work.active) lift += contact.given_back;
  if (lift == 0) return added;
  const double applied =
      work.system.applied_power(work.middle, work.u_middle, work.projected_travel);
  const double ratio = (added - applied) / lift;
  const double part = ratio >= 0 && ratio <= most ? ratio : 0;
  for (ActiveContact& contact : work.active) contact.given_back *= part;
  return added - part * lift;
}

}  // namespace

double project_drift(Moreau::Workspace& work, const State& state, double t_end, Vector& q_end) {
  constexpr double acceptable = 1e-10;  // × model length, or what the user asked for
  work.end.t = t_end;
  work.end.q = q_end;
  work.system.configure(work.end);
  Arena::Frame frame(work.scratch);
  VectorMap errors = frame.vector(work.bilaterals);
  work.projection_care = ProjectionCare::none;
  if (!find_drift(work, state, errors) && !shakes_contacts(work, errors)) return 0;
  const double energy_before = energy(work.system, work.end, work.u_end);
  work.projected = true;
  work.projected_travel.setZero();
  correct_drift(work, state, errors, q_end);
  const double tolerance = std::max(acceptable, work.options.drift_tolerance);
  if (largest_error(work, errors) > tolerance * work.system.info().length)
    work.result.status = StepStatus::drift_not_projected;
  return charge_energy(work, energy(work.system, work.end, work.u_end) - energy_before);
}

}  // namespace backlash
