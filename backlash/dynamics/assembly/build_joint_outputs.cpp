// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/dynamics/assembly/build_joints.h"
#include "backlash/dynamics/elements/outputs.h"

namespace backlash::planar {
namespace {

using Reaction = JointPart::Reaction;

/// The body that the joint carries in the tree and leaves less than all degrees of freedom.
int carried_by(const SpanningTree& tree, const Joint& joint) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i)
    if (tree.inboard_joint[i] == &joint && tree.bodies[i].kind != TreeJointKind::free)
      return static_cast<int>(i);
  return -1;
}

Reaction reaction_of(const Joint& joint) {
  if (std::holds_alternative<Planar>(joint.kind)) return Reaction::none;
  if (std::holds_alternative<Gear>(joint.kind)) return Reaction::torque;
  if (std::holds_alternative<Rack>(joint.kind)) return Reaction::force;
  return Reaction::full;
}

void set_play(const MechanismBuilder& builder, const Joint& joint, JointPart& part) {
  const Ends ends = ends_of(builder, joint);
  if (const auto* c = std::get_if<RevoluteClearance>(&*joint.clearance))
    part.play = JournalPlay{std::get<Revolute>(joint.kind).p_AP, c->gap};
  if (const auto* c = std::get_if<PrismaticClearance>(&*joint.clearance)) {
    const auto& j = std::get<Prismatic>(joint.kind);
    part.play =
        GuidePlay{{Coordinate::Kind::way, ends.a, ends.b, j.p_AP, j.p_BQ, left_of(j.axis_A)},
                  angle_between(ends, j.angle),
                  c->gap};
  }
  if (const auto* c = std::get_if<ToothClearance>(&*joint.clearance))
    part.play = ToothPlay{coupling_of(builder, joint), c->gap};
}

/// Whether the mechanism has the coordinates of a joint among its own.
bool in_tree(const SpanningTree& tree, const Joint& joint) {
  for (const Joint* inboard_joint : tree.inboard_joint)
    if (inboard_joint == &joint) return !joint.clearance;
  return false;
}

JointPart part_of(const MechanismBuilder& builder, const Joint& joint) {
  const Ends ends = ends_of(builder, joint);
  JointPart part{.name = joint.name, .a = ends.a, .b = ends.b};
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { kind.p_BQ; }) part.p_BQ = kind.p_BQ;
      },
      joint.kind);
  part.carried = carried_by(builder.tree, joint);
  part.reaction = reaction_of(joint);
  if (!in_tree(builder.tree, joint))
    for (std::size_t i = 0; i < coordinate_types(joint.kind).size(); ++i)
      part.coordinates.push_back(
          coordinate_of(builder, joint.name, static_cast<int>(i), joint.where));
  if (joint.clearance) set_play(builder, joint, part);
  return part;
}

}  // namespace

void add_joint_outputs(MechanismBuilder& builder) {
  for (const Joint& joint : builder.model.joints)
    builder.parts.joints.push_back(part_of(builder, joint));
}

void name_outputs(const Parts& parts, SystemInfo& info) {
  LastStep last(info);
  Configuration& c = last.middle;
  parts.tree.configure(c.q, c.cache);
  write_outputs(parts, info, {c, last.velocity, last},
                [&](const std::string& item, const char* quantity, const char* unit, double) {
                  info.outputs.push_back({fmt::format("{}.{}", item, quantity), unit});
                });
}

}  // namespace backlash::planar
