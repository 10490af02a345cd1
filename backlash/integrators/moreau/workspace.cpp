// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/workspace.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Index = Eigen::Index;

Index count(const auto& list) { return static_cast<Index>(list.size()); }

/// Whether all rows say which mass blocks they act on. The matrix of the θ-scheme is not M, and
/// has no blocks.
bool may_be_taken_apart(const SystemInfo& info, Scheme scheme) {
  const auto name_blocks = [](const auto& rows) {
    return std::none_of(rows.begin(), rows.end(), [](const auto& r) { return r.blocks.empty(); });
  };
  return info.mass_blocks.size() > 1 && scheme == Scheme::midpoint && name_blocks(info.contacts) &&
         name_blocks(info.bilaterals) && name_blocks(info.relays);
}

/// By which positions move points of the model: lengths 1, angles the model's length, states not.
Vector levers_of(const SystemInfo& info) {
  Vector levers = Vector::Ones(info.positions);
  const auto states = static_cast<Index>(info.states.size());
  levers.tail(states).setZero();
  if (info.positions - states != info.velocities) return levers;  // quaternions are not angles
  for (std::size_t i = 0; i < info.angular.size(); ++i)
    if (info.angular[i]) levers[static_cast<Index>(i)] = info.length;
  return levers;
}

/// Which mass blocks are those of bodies without joints.
std::vector<char> free_blocks_of(const SystemInfo& info) {
  const int dofs = info.space == 2 ? 3 : 6;
  std::vector<char> is_free;
  for (const MassBlock& block : info.mass_blocks) is_free.push_back(block.size == dofs);
  const auto bind = [&](const auto& rows) {
    for (const auto& row : rows)
      for (const int block : row.blocks) is_free[at(block)] = 0;
  };
  bind(info.bilaterals);
  bind(info.relays);
  for (const ContactInfo& contact : info.contacts)
    if (contact.play > 0)
      for (const int block : contact.blocks) is_free[at(block)] = 0;
  return is_free;
}

}  // namespace

Moreau::Workspace::Workspace(const System& system_, const MoreauOptions& options_)
    : system(system_),
      options(options_),
      memory(system_.info()),
      solver(find_solver(options_.solver)),
      bilaterals(count(system_.info().bilaterals)),
      relays(count(system_.info().relays)),
      loads(system_),
      switched_rows(system_.info()),
      states(system_),
      event_search(system_.info()) {
  const SystemInfo& info = system.info();
  const Index n = info.velocities;
  options.solver = solver.name;  // which lives as long as the program
  result.rejected.reserve(8);
  for (Configuration* c : {&middle, &end, &loops}) {
    c->q.setZero(info.positions);
    c->cache.setZero(info.cache);
    c->switches.setZero(count(info.switches));
  }
  for (Vector* v : {&u_middle, &acceleration, &u_free, &u_end, &correction, &curvature,
                    &island_correction, &mean_acceleration, &projected_travel})
    v->setZero(n);
  for (Vector* v :
       {&states_start, &states_middle, &states_theta, &state_rates_start, &state_rates_middle})
    v->setZero(states.size());
  loop_states.assign(at(bilaterals), LoopState::regular);
  for (const BilateralInfo& row : info.bilaterals) {
    const auto like = std::ranges::find_if(info.bilaterals, [&](const BilateralInfo& other) {
      return other.origin.item == row.origin.item && other.origin.kind == row.origin.kind &&
             other.unit == row.unit;
    });
    like_rows.push_back(static_cast<int>(like - info.bilaterals.begin()));
  }
  loop_ranks.reserve(at(bilaterals));
  q_end.setZero(info.positions);
  own_memory = {memory.size(), bilaterals, n, relays};
  bilateral_start.resize(bilaterals);
  bilateral_target.resize(bilaterals);
  bias.resize(bilaterals);
  driven_rate.resize(bilaterals);
  driven_rate.fill(NAN);
  has_drives = std::ranges::any_of(info.bilaterals, is_driven);
  for (VectorBuffer* v :
       {&relay_strength, &relay_constant, &relay_displacement, &relay_limit, &relay_impulse})
    v->resize(relays);
  for (const RelayInfo& relay : info.relays)
    has_ranges = has_ranges || relay.law != RelayLaw::friction;
  prepare_friction();
  const std::size_t usual = usual_contacts(info);  // more must grow
  for (auto* list : {&result.contacts, &result.released}) list->reserve(usual);
  for (auto* list : {&frames, &deep, &neighbours}) list->reserve(usual);
  deep_velocities.reserve(usual);
  deep_held.reserve(usual);
  meeting.reserve(usual);
  known.reserve(usual);
  island_losses.reserve(info.mass_blocks.size() + 1);
  island_lifts.reserve(info.mass_blocks.size() + 1);
  guard.scratch.reserve(usual, info.positions);
  if (options.automatic_step) result.rejected.reserve(128);
  active.reserve(usual);
  records.reserve(usual);
  result.events.reserve(2 * info.events.size());
  has_events = !info.events.empty() || !info.switches.empty();
  event_conditions.setZero(count(info.events));
  measures = StepMeasures(info);
  for (const ContactInfo& contact : info.contacts)
    has_phases = has_phases || contact.law.impact != ImpactLaw::newton;
  prepare_islands();
  for (Arena* arena : {&scratch, &middle.scratch, &end.scratch})
    Arena::Frame{*arena};  // first memory is taken here, not in some later step
  small.delassus = DenseDelassus{};
  large.delassus = BlockDelassus{};
  if (options.scheme == Scheme::theta) {
    for (Matrix* m : {&M_theta, &dh_du, &dh_dq, &iteration_matrix}) m->setZero(n, n);
    for (Vector* v : {&h, &u_theta, &u_iterate, &unbalance}) v->setZero(n);
  }
}

void Moreau::Workspace::prepare_friction() {
  const SystemInfo& info = system.info();
  relay_modes.assign(at(relays), FrictionMode::unknown);
  const auto holds_more = [](const RelayInfo& relay) {
    return backlash::has_static_friction(relay);
  };
  has_static_friction = std::ranges::any_of(info.relays, holds_more) ||
                        std::ranges::any_of(info.contacts, [](const ContactInfo& contact) {
                          return backlash::has_static_friction(contact.law);
                        });
  has_varying_friction = has_static_friction || loads.any();
}

void Moreau::Workspace::prepare_islands() {
  const SystemInfo& info = system.info();
  separable = may_be_taken_apart(info, options.scheme);
  projects_drift = bilaterals > 0 || std::isfinite(options.penetration_limit);
  lasting = options.scheme == Scheme::midpoint && options.contact_scheme == ContactScheme::lasting;
  free_blocks = free_blocks_of(info);
  may_foresee = lasting && separable && !options.automatic_step &&
                std::isinf(options.penetration_limit) &&
                std::ranges::count(free_blocks, char{1}) > 1;
  blocks = separable ? info.mass_blocks : std::vector<MassBlock>{{0, info.velocities}};
  position_levers = levers_of(info);
  full_rows.resize(info.velocities, 3);
  full_rows.setZero();
  const auto add = [&](RowGroup::Kind kind, const auto& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      RowGroup& group = standing.emplace_back();
      group.kind = kind;
      group.number = static_cast<int>(i);
      if (separable)
        std::copy(rows[i].blocks.begin(), rows[i].blocks.end(), group.blocks.begin());
      else
        group.blocks.front() = 0;
      set_velocities(*this, group);
    }
  };
  add(RowGroup::Kind::bilateral, info.bilaterals);
  add(RowGroup::Kind::relay, info.relays);
  whole = {.kind = RowGroup::Kind::contact, .blocks = {0, -1, -1, -1}};
  set_velocities(*this, whole);
  for (std::size_t b = 0; b < blocks.size(); ++b) standing_parent.push_back(static_cast<int>(b));
  for (const RowGroup& group : standing) connect_blocks(group.blocks, standing_parent);
  parent = island_of = standing_parent;
  place.resize(blocks.size());
  for (RowSet* rows : {&set, &drift}) {
    rows->islands.reserve(blocks.size());
    rows->groups.reserve(standing.size() + frames.capacity());
  }
  unsorted.reserve(set.groups.capacity());
}

}  // namespace backlash
