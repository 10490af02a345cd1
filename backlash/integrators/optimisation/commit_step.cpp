// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "backlash/base/decompositions.h"
#include "backlash/base/linear.h"
#include "backlash/integrators/optimisation/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Work = Optimisation::Workspace;

/// Whether the step after one of the length `last` (0: the first) is so much longer or shorter that
/// it is felt in its forces (theory 12.17).
bool is_uneven(double last, double length) {
  constexpr double round_off = 1e-6;
  return !(std::abs(last - length) <= round_off * length);
}

/// Work of a row's impulse on the mechanism [J] (theory 4.7): of a moving surface or a drive, and
/// of the mean slip, whose negative is dissipated.
struct RowWork {
  double surface = 0, slip = 0;
};

RowWork work_of(const Work& work, const Vector& mean, Index row) {
  const double impulse = work.impulses[row];
  const double gamma = 0.5 * (work.gamma_before[row] + work.gamma_after[row]);
  return {impulse * (work.equations.directions().col(row).dot(mean) - gamma), impulse * gamma};
}

/// A contact without force is open; but one that carried and touches still goes on, so that
/// contacts that redundancy leaves without load do not come and go with the round-off of theirs.
ContactState state_of(const Work& work, const State& state, Index i) {
  const double least = least_impulse(work.impulses);
  const ContactRecord* record = find_record(state.contacts, work.equations.candidates()[at(i)].key);
  const bool carried = record && lasts(record->state);
  if (!work.active.closed[at(i)] || work.impulses[i] <= (carried ? -least : least))
    return ContactState::open;
  if (closes_now(work, state, i)) return ContactState::impact;
  const int box = work.equations.candidates()[at(i)].box;
  return box >= 0 && work.newton.sticks(box, work.point) ? ContactState::stick : ContactState::slip;
}

/// When the free motion would have closed it.
double time_of_closing(const Work& work, const State& state, const ContactOutcome& outcome,
                       Index i) {
  const double before = outcome.gap_before, after = work.free_gaps[at(i)];
  const double h = work.equations.length();
  return before > 0 && after < 0 ? state.t + h * before / (before - after) : state.t;
}

/// With what velocities bodies meet in a step, by the way of their gap (theory 12.19), and when.
void report_meeting(const Work& work, const State& state, Index i, ContactOutcome& outcome) {
  outcome.t = time_of_closing(work, state, outcome, i);
  outcome.gamma_before[0] = work.approach[i];
  if (!work.bounces && outcome.gap_before > 0)
    outcome.gamma_after[0] = -outcome.gap_before / work.equations.length();
}

/// A plastic impact ends in the step after the one in which it begins (theory 12.3): what it did in
/// the first, in ContactRecord::own. Without an impact that goes on all are zero.
struct BegunImpact {
  double approach = 0;                ///< γ_N before it, < 0 [m/s]
  double normal = 0, tangential = 0;  ///< impulses [N s]
  double loss = 0;                    ///< [J]
  double unused[4]{};
};

BegunImpact begun_impact(const ContactRecord& record) {
  return std::bit_cast<BegunImpact>(record.own);
}

/// All of an impact that began in the step before: what it did there is added.
void complete(const BegunImpact& begun, ContactOutcome& outcome) {
  outcome.gamma_before[0] = begun.approach;
  outcome.impulse[0] += begun.normal;
  outcome.impulse[1] += begun.tangential;
  outcome.loss += begun.loss;
}

/// Remembers an impact that goes on, and reports one that has come to its end.
void follow_impact(Work& work, const ContactRecord* record, const ContactOutcome& outcome,
                   ContactRecord& entry) {
  if (is_impact(outcome) && is_unfinished(outcome)) {
    entry.own =
        std::bit_cast<std::array<double, 8>>(BegunImpact{.approach = outcome.gamma_before[0],
                                                         .normal = outcome.impulse[0],
                                                         .tangential = outcome.impulse[1],
                                                         .loss = outcome.loss});
  } else if (outcome.ends_impact) {
    complete(begun_impact(*record), work.result.settled.emplace_back(outcome));
  }
}

void commit_contact(Work& work, const Vector& mean, Index i, State& state) {
  const Memory& memory = work.memory;
  const Candidate& candidate = work.equations.candidates()[at(i)];
  ContactOutcome& outcome = work.result.contacts.emplace_back();
  const ContactRecord* record = find_record(state.contacts, candidate.key);
  outcome.key = candidate.key;
  outcome.gap = work.equations.values()[i] - candidate.overlap;
  if (!std::isnan(work.gaps_before[i])) outcome.gap_before = work.gaps_before[i];
  outcome.point = {candidate.frame.p_WB, candidate.frame.n_W};
  outcome.before = record ? record->state : ContactState::open;
  outcome.state = state_of(work, state, i);
  const Index rows[2] = {i, work.equations.first_box() + candidate.box};
  for (int k = 0; k < (candidate.box < 0 ? 1 : 2); ++k) {
    outcome.gamma_before[k] = work.gamma_before[rows[k]];
    outcome.gamma_after[k] = work.gamma_after[rows[k]];
    outcome.impulse[k] = work.impulses[rows[k]];
    const auto [surface, slip] = work_of(work, mean, rows[k]);
    memory.contact_work(state.z) += surface;
    if (k == 0 && lasts(outcome.before))
      memory.projection_energy(state.z) += slip;  // what keeps it closed is no loss of its own
    else
      outcome.loss -= slip;
  }
  if (outcome.state == ContactState::impact) report_meeting(work, state, i, outcome);
  memory.contact_work(state.z) -= outcome.loss;
  memory.contact_loss(state.z) += outcome.loss;
  outcome.ends_impact = record && begun_impact(*record).approach < 0 && lasts(outcome.state);
  if (is_impact(outcome) || (record && begun_impact(*record).approach < 0))
    memory.impact_loss(state.z) += outcome.loss;
  ContactRecord& entry = work.records.emplace_back();
  entry.key = candidate.key;
  entry.state = outcome.state;
  std::copy(std::begin(outcome.impulse), std::end(outcome.impulse), entry.impulse.begin());
  entry.parameters = candidate.frame.parameters;
  follow_impact(work, record, outcome, entry);
}

void commit_contacts(Work& work, const Vector& mean, State& state) {
  work.records.clear();
  for (Index i = 0; i < work.equations.contacts(); ++i)
    if (work.active.closed[at(i)]) commit_contact(work, mean, i, state);
  for (const ContactRecord& record : state.contacts)
    if (record.state != ContactState::open && !find_record(work.records, record.key))
      complete(begun_impact(record), work.result.released.emplace_back(ContactOutcome{
                                         .key = record.key, .before = record.state}));
  state.contacts.swap(work.records);
}

void commit_standing_rows(Work& work, const Vector& mean, State& state) {
  const Memory& memory = work.memory;
  auto impulses = memory.impulses(state.z);
  for (Index i = 0; i < work.equations.bilaterals(); ++i) {
    const Index row = work.equations.first_bilateral() + i;
    const bool moves = !work.equations.directions().col(row).isZero(0);
    if (!moves && work.switched_rows.is_off(i, work.switches)) work.impulses[row] = 0;
    const auto [surface, slip] = work_of(work, mean, row);
    impulses[i] = work.impulses[row];
    memory.bilateral_work(state.z) += surface;
    memory.projection_energy(state.z) += slip;  // it should do none
  }
  for (Index k = 0; k < work.equations.boxes(); ++k) {
    const int relay = work.equations.box_rows()[at(k)].relay;
    if (relay < 0) continue;
    const Index row = work.equations.first_box() + k;
    const auto [surface, slip] = work_of(work, mean, row);
    impulses[memory.first_relay_row() + relay] = work.impulses[row];
    memory.relay_work(state.z)[relay] += surface + slip;
  }
}

/// What the contacts made together where bodies met: one may give what another takes. Not what is
/// round-off of what was done, and not what impulses do along the velocities that forces change in
/// the same step, which vanishes with its length (theory 3.11). Needs the outcomes, and the state
/// as the step began.
void note_gain(Work& work, const Vector& change_by_forces) {
  constexpr double round_off = 1e-9;
  work.result.gain = {};
  ImpactGain gain;
  double size = 0, by_forces = 0, most = -INFINITY;
  for (std::size_t k = 0, i = 0; k < work.result.contacts.size(); ++k, ++i) {
    while (!work.active.closed[i]) ++i;
    const ContactOutcome& outcome = work.result.contacts[k];
    const auto& W = work.equations.directions().col(static_cast<Index>(i));
    by_forces += std::abs(outcome.impulse[0] * W.dot(change_by_forces));
    double own = 0;
    for (int j = 0; j < 2; ++j) {
      const double before = outcome.gamma_before[j], after = outcome.gamma_after[j];
      own += 0.5 * outcome.impulse[j] * (before + after);
      size += std::abs(outcome.impulse[j]) * (std::abs(before) + std::abs(after));
    }
    gain.energy += own;
    if (own > most) gain.key = outcome.key;
    most = std::max(most, own);
  }
  const auto meets = [](const ContactOutcome& outcome) { return is_impact(outcome); };
  if (std::ranges::any_of(work.result.contacts, meets) &&
      gain.energy > round_off * size + by_forces)
    work.result.gain = gain;
}

/// Whether rows of the loops nearly vanish or depend on each other: the smallest pivot of
/// W_Bᵀ M⁻¹ W_B, rows scaled by what they move at most (theory 4.14). Rows that are redundant
/// everywhere do not count, nor those that are switched off, which are zero: what events lock may
/// depend on what holds already.
bool is_nearly_singular(Work& work, State& state) {
  constexpr double near_singular = 1e-3, redundant = 1e-12;
  const Index m = work.equations.bilaterals();
  if (m == 0) return false;
  auto mobility = work.own.mobility(state.z);
  if (work.memory.last_step(state.z) == 0)
    write_loop_mobility(work.system, work.start, work.mobility, mobility);
  work.W = work.equations.directions().middleCols(work.equations.first_bilateral(), m);
  Matrix G = work.W.transpose() * Cholesky(work.equations.mass()).solve_columns(work.W);
  mobility = mobility.cwiseMax(G.diagonal()).eval();
  const Vector scale = mobility.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  G = scale.asDiagonal() * G * scale.asDiagonal();
  Matrix factors = G;
  Vector none = Vector::Zero(m);
  double& rank = work.own.rank(state.z);
  const auto off = static_cast<double>((G.diagonal().array() == 0).count());
  if (std::exchange(work.own.rows_off(state.z), off) != off) rank = 0;
  const Index now = solve_pivoted(factors, none, work.scratch, {.tolerance = redundant}).rank;
  rank = std::max(rank, static_cast<double>(now));
  const auto expected = static_cast<Index>(rank);
  if (expected == 0) return false;
  none.setZero();
  const PivotedRank found = solve_pivoted(G, none, work.scratch, {.most = expected});
  return found.rank < expected || found.smallest < near_singular;
}

}  // namespace

void commit_step(Optimisation::Workspace& work, double t_end, State& state) {
  const Vector mean = 0.5 * (state.u + work.u_end);
  const double h = work.equations.length();
  work.result.uneven = is_uneven(work.memory.last_step(state.z), h);
  work.memory.applied_work(state.z) +=
      h * work.system.applied_power(work.equations.configuration(), work.point.u, mean);
  commit_standing_rows(work, mean, state);
  commit_contacts(work, mean, state);
  note_gain(work, work.free.u - state.u);
  work.result.singular = is_nearly_singular(work, state);
  work.memory.last_step(state.z) = h;
  state.t = t_end;
  state.q = work.equations.configuration().q;
  state.u = work.u_end;
}

}  // namespace backlash
