// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assemble.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/planar/closure.h"
#include "backlash/dynamics/planar/contact_parts.h"
#include "backlash/dynamics/planar/force_parts.h"
#include "backlash/dynamics/planar/formula_parts.h"
#include "backlash/dynamics/planar/joint_parts.h"
#include "backlash/dynamics/planar/mass_blocks.h"
#include "backlash/dynamics/planar/outputs.h"
#include "backlash/dynamics/planar/refusals.h"

namespace backlash {
namespace {

using planar::Draft;
using planar::Mechanism;
using planar::SpanningTree;

/// The largest distance that the model mentions [m].
double model_length(const Model& model, const SpanningTree& tree) {
  double length = 0;
  for (const planar::TreeBody& body : tree.bodies)
    length = std::max({length, body.p_PJ.norm(), body.p_BJ.norm(), body.p_BC.norm()});
  for (const Joint& joint : model.joints)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.p_AP; })
            length = std::max({length, kind.p_AP.norm(), kind.p_BQ.norm()});
        },
        joint.kind);
  return length > 0 ? length : 1;
}

/// Names of the coordinates: of the joint that carries a body, or of a free body itself.
void name_coordinates(const Model& model, const SpanningTree& tree, SystemInfo& info) {
  std::vector<std::string> free_names(tree.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    free_names[static_cast<std::size_t>(tree.body_of[i])] = model.bodies[i].name;
  const planar::Tree counted(tree.bodies);
  for (int i = 0; i < counted.size(); ++i) {
    const Joint* carrier = tree.carrier[static_cast<std::size_t>(i)];
    const std::string& name = carrier ? carrier->name : free_names[static_cast<std::size_t>(i)];
    const int n = counted.joint_freedoms(i);
    for (int k = 1; k <= n; ++k) {
      const std::string number = n == 1 ? "" : std::to_string(k);
      info.position_names.push_back(fmt::format("{}.q{}", name, number));
      info.velocity_names.push_back(fmt::format("{}.u{}", name, number));
      info.turning.push_back(counted.turns(counted.first_freedom(i) + k - 1));
    }
  }
}

/// Angles that joints outside of the tree keep count turns: take the nearest.
void settle_turns(std::vector<planar::Constraint>& constraints, const planar::Motion& motion) {
  for (planar::Constraint& constraint : constraints) {
    auto* kept = std::get_if<planar::KeptCoordinate>(&constraint.kind);
    if (!kept || kept->coordinate.kind != planar::Coordinate::Kind::angle) continue;
    constexpr double turn = 2 * std::numbers::pi;
    kept->coordinate.zero += turn * std::round(value(kept->coordinate, motion) / turn);
  }
}

/// Gears and racks keep the relation that they start with.
void settle_couplings(std::vector<planar::Constraint>& constraints, const planar::Motion& motion) {
  for (planar::Constraint& constraint : constraints)
    if (auto* coupled = std::get_if<planar::CoupledCoordinates>(&constraint.kind))
      coupled->constant += value(*coupled, motion);
}

/// Those with play begin in its middle. False if there are none.
bool settle_teeth(planar::Parts& parts, const planar::Motion& motion) {
  bool any = false;
  const auto settle = [&](planar::CoupledCoordinates& coupling) {
    coupling.constant += value(coupling, motion);
    any = true;
  };
  for (auto& contact : parts.contacts)
    if (auto* flank = std::get_if<planar::ToothFlank>(&contact.kind)) settle(flank->coupling);
  for (planar::JointPart& joint : parts.joints)
    if (auto* play = std::get_if<planar::ToothPlay>(&joint.play)) settle(play->coupling);
  return any;
}

int counted_freedoms(const Model& model) {
  int freedoms_left = 3 * static_cast<int>(model.bodies.size());
  for (const Joint& joint : model.joints) {
    if (joint.clearance) continue;
    const bool couples = joint.body_A.empty();
    freedoms_left -= couples ? 1 : 3 - static_cast<int>(freedoms(joint.kind).size());
  }
  return freedoms_left;
}

bool drives(const std::string& row) { return row.ends_with(".drive"); }

AssemblyReport report_on(const Model& model, const Draft& draft, const Mechanism& mechanism,
                         const Vector& q) {
  AssemblyReport report;
  report.bodies = static_cast<int>(model.bodies.size());
  report.freedoms_by_counting = counted_freedoms(model);
  report.loops = draft.loops;
  report.redundant = redundant_rows(mechanism, q);
  int rows = 0;
  for (const planar::Constraint& row : mechanism.parts().constraints) rows += !drives(row.name);
  for (const std::string& row : report.redundant) rows -= !drives(row);
  refuse_idle_drives(draft, report.redundant);
  report.freedoms = mechanism.info().velocities - rows;
  const std::vector<const Joint*>& placing = draft.tree.placing;
  for (const Joint* joint : draft.tree.others)
    for (const InitialCoordinate& initial : joint->initial)
      if (!joint->clearance && (initial.position || initial.speed) &&
          std::find(placing.begin(), placing.end(), joint) == placing.end()) {
        report.warnings.push_back(
            fmt::format("joint '{}' closes a loop: its initial values are not used", joint->name));
        break;
      }
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Joint* carrier = draft.tree.carrier[static_cast<std::size_t>(draft.tree.body_of[i])];
    if (model.bodies[i].initial && carrier)
      report.warnings.push_back(fmt::format(
          "body '{}' is carried by joint '{}': its own initial motion is not used, give "
          "that of the joint",
          model.bodies[i].name, carrier->name));
  }
  return report;
}

void note_changes(const std::vector<std::string>& names, const std::vector<double>& before,
                  const Vector& after, std::vector<Adjustment>& adjusted) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double now = after[static_cast<Eigen::Index>(i)];
    if (std::abs(now - before[i]) > 1e-12 * (1 + std::abs(before[i])))
      adjusted.push_back({names[i], before[i], now});
  }
}

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

Assembly assemble(const Model& model) {
  if (model.bodies.empty()) throw InputError("the model has no bodies");
  const SpanningTree tree = planar::span_tree(model);
  Draft draft{.model = model, .tree = tree};
  draft.info.name = model.title;
  draft.info.length = model_length(model, tree);
  draft.parts.tree = planar::Tree(tree.bodies);
  draft.parts.gravity = model.gravity;
  draft.parts.body_of = tree.body_of;
  draft.info.positions = draft.info.velocities = draft.parts.tree.freedoms();
  if (draft.info.velocities == 0)
    throw InputError("nothing can move: the joints hold all bodies to the ground");
  draft.info.cache = static_cast<int>(draft.parts.tree.cache_size());
  for (const Body& body : model.bodies) draft.info.bodies.push_back(body.name);
  name_coordinates(model, tree, draft.info);
  add_joints(draft);
  add_forces(draft);
  add_contacts(draft);
  add_events(draft);
  add_joint_outputs(draft);
  name_outputs(draft.parts, draft.info);

  Vector q = to_vector(tree.position), u = to_vector(tree.speed);
  Vector cache(draft.parts.tree.cache_size());
  draft.parts.tree.configure(q, cache);
  settle_turns(draft.parts.constraints, {draft.parts.tree, cache});
  settle_couplings(draft.parts.constraints, {draft.parts.tree, cache});
  write_mass_blocks(draft.parts, draft.info);
  auto mechanism = std::make_unique<Mechanism>(draft.info, draft.parts);
  if (!close_loops(*mechanism, {tree.position_given, tree.speed_given}, q, u)) {
    refuse_idle_drives(draft, redundant_rows(*mechanism, q));
    refuse_open_loop(draft, *mechanism, q);
  }
  draft.parts.tree.configure(q, cache);
  if (settle_teeth(draft.parts, {draft.parts.tree, cache}))
    mechanism = std::make_unique<Mechanism>(draft.info, draft.parts);

  Assembly assembly;
  assembly.start = initial_state(*mechanism, 0, q, u);
  refuse_missing_inertia(draft, *mechanism, assembly.start);
  refuse_overlap(draft, *mechanism, assembly.start);
  assembly.report = report_on(model, draft, *mechanism, q);
  note_changes(draft.info.position_names, tree.position, q, assembly.report.adjusted);
  note_changes(draft.info.velocity_names, tree.speed, u, assembly.report.adjusted);
  assembly.system = std::move(mechanism);
  return assembly;
}

}  // namespace backlash
