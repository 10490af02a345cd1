// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/dynamics/assembly/build_joints.h"
#include "backlash/dynamics/elements/outputs.h"

namespace backlash {
namespace {

/// The body that the joint carries in the tree and leaves less than all degrees of freedom.
template <class S>
int carried_by(const SpanningTree<S>& tree, const Joint& joint) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i)
    if (tree.inboard_joint[i] == &joint && tree.bodies[i].joint.dofs() < S::dof)
      return static_cast<int>(i);
  return -1;
}

template <class S>
ReactionKind reaction_of(const MechanismBuilder<S>& builder, const Joint& joint) {
  if (S::dimension == 2 && std::holds_alternative<Planar>(joint.kind)) return ReactionKind::none;
  if (holds(joint.kind, Hold::distance)) return ReactionKind::tension;
  if (std::holds_alternative<Gear>(joint.kind)) return ReactionKind::torque;
  if (std::holds_alternative<Rack>(joint.kind)) return ReactionKind::force;
  if (std::holds_alternative<Coupling>(joint.kind))
    return coupling_of(builder, joint).second.kind == Coordinate<S>::Kind::angle
               ? ReactionKind::torque
               : ReactionKind::force;
  return ReactionKind::full;
}

template <class S>
void set_tooth_play(const MechanismBuilder<S>& builder, const Joint& joint,
                    JointOutput<S>& output) {
  if (const auto* c = std::get_if<ToothClearance>(&*joint.clearance))
    output.play = ToothPlay<S>{coupling_of(builder, joint), c->gap};
}

void set_play(const MechanismBuilder<Space>& builder, const Joint& joint,
              JointOutput<Space>& output) {
  set_tooth_play(builder, joint, output);
}
void set_play(const MechanismBuilder<Plane>& builder, const Joint& joint,
              JointOutput<Plane>& output) {
  const Ends ends = ends_of(builder, joint);
  if (const auto* c = std::get_if<RevoluteClearance>(&*joint.clearance))
    output.play = JournalPlay{in_plane(std::get<Revolute>(joint.kind).p_AP), c->gap};
  if (const auto* c = std::get_if<PrismaticClearance>(&*joint.clearance)) {
    const auto& j = std::get<Prismatic>(joint.kind);
    GuidePlay play{displacement_along<Plane>(ends, j.p_AP, j.p_BQ, left_of(j.axis_A)),
                   angle_about<Plane>(ends, Vec3::UnitZ()), c->gap};
    play.tilt.zero = j.rotation.z();
    output.play = play;
  }
  set_tooth_play(builder, joint, output);
}

/// Not a rotation in space, which results show by the bodies.
template <class S>
bool has_single_coordinates(const JointKind& kind) {
  return S::dimension == 2 ||
         !(std::holds_alternative<Spherical>(kind) || std::holds_alternative<PointOnLine>(kind));
}

/// Whether the mechanism has the coordinates of a joint among its own.
template <class S>
bool in_tree(const SpanningTree<S>& tree, const Joint& joint) {
  for (const Joint* inboard_joint : tree.inboard_joint)
    if (inboard_joint == &joint) return !joint.clearance;
  return false;
}

template <class S>
JointOutput<S> output_of(const MechanismBuilder<S>& builder, const Joint& joint) {
  const Ends ends = ends_of(builder, joint);
  JointOutput<S> output{.name = joint.name, .a = ends.a, .b = ends.b};
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.p_BQ; }) output.p_BQ = S::vec(kind.p_BQ);
      },
      joint.kind);
  output.carried = carried_by(builder.tree, joint);
  output.reaction = reaction_of(builder, joint);
  if (!in_tree(builder.tree, joint) && has_single_coordinates<S>(joint.kind))
    for (std::size_t i = 0; i < coordinate_types(joint.kind).size(); ++i)
      output.coordinates.push_back(
          coordinate_of(builder, joint.name, static_cast<int>(i), joint.where));
  if (joint.clearance) set_play(builder, joint, output);
  return output;
}

}  // namespace

template <class S>
void add_joint_outputs(MechanismBuilder<S>& builder) {
  std::vector<JointOutput<S>>& outputs = builder.parts.joints;
  for (const Joint& joint : builder.model.joints) outputs.push_back(output_of(builder, joint));
  outputs.insert(outputs.end(), builder.set_valued_forces.begin(), builder.set_valued_forces.end());
  for (std::size_t i = 0; i < builder.info.bilaterals.size(); ++i) {
    const BilateralInfo& row = builder.info.bilaterals[i];
    if (row.origin.kind != Origin::Kind::drive) continue;
    const bool turns = row.unit == GapUnit::radian;
    outputs.push_back({.name = row.origin.item,
                       .reaction = turns ? ReactionKind::drive_torque : ReactionKind::drive_force,
                       .kind = Origin::Kind::drive,
                       .row = static_cast<int>(i)});
  }
}

template <class S>
void name_outputs(const Parts<S>& parts, SystemInfo& info) {
  LastStep last(info);
  Configuration& c = last.middle;
  parts.tree.configure(c.q, c.cache);
  for (const JointOutput<S>& joint : parts.joints)
    info.reacting_joints.push_back({joint.name, joint.reaction, joint.kind});
  const IntervalReactions none = no_reactions(info);
  OutputSink sink([&](const OutputItem& item, const char* quantity, const char* unit, double) {
    info.outputs.push_back({fmt::format("{}.{}", item.name, quantity), unit,
                            next_origin(info.outputs, item.name, item.kind)});
  });
  write_outputs<S>(parts, info, {c, last.velocity, last, none}, sink);
}

template void add_joint_outputs(MechanismBuilder<Plane>&);
template void name_outputs(const Parts<Plane>&, SystemInfo&);
template void add_joint_outputs(MechanismBuilder<Space>&);
template void name_outputs(const Parts<Space>&, SystemInfo&);

}  // namespace backlash
