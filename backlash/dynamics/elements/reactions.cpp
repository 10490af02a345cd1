// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/plane.h"
#include "backlash/dynamics/elements/outputs.h"
#include "backlash/dynamics/kernel/moving_frame.h"

/// Reactions of the joints in a step (theory 6.6): what rows do is known from their multipliers,
/// what the joints of the tree do follows from the motion.
namespace backlash::planar {
namespace {

using Index = Eigen::Index;

/// Sums up what the rows of a step do: on the bodies, and on behalf of the joints.
class RowSums {
 public:
  RowSums(const Parts& parts, const Motion& motion, std::span<Screw> forces, std::span<Screw> own)
      : parts_(parts), motion_(motion), forces_(forces), own_(own) {
    std::fill(own.begin(), own.end(), Screw{});
  }

  /// Of a row that belongs to a joint, or to none (−1); `along` is its part along the second
  /// coordinate of a gear or rack. What belongs to a joint of the tree is part of what that joint
  /// transmits, and not a force from outside.
  void add(int owner, const Loads& loads, double along) {
    if (owner >= 0) book(parts_.joints[at(owner)], loads, along, own_[at(owner)]);
    if (owner >= 0 && parts_.joints[at(owner)].carried >= 0) return;
    for (const Load& load : loads.all()) add_force(load, motion_, forces_);
  }

 private:
  void book(const JointPart& joint, const Loads& loads, double along, Screw& sum) const {
    if (joint.reaction != JointPart::Reaction::full) {
      sum.turn += along;
      return;
    }
    const Vec2 q_W = motion_.placement(joint.b).point(joint.p_BQ);
    for (const Load& load : loads.all()) {
      if (load.body != joint.b) continue;
      sum.turn += load.moment;
      if (!load.force.isZero(0)) sum.turn += cross(load.p_W - q_W, load.force);
      sum.x += load.force.x();
      sum.y += load.force.y();
    }
  }

  const Parts& parts_;
  const Motion& motion_;
  std::span<Screw> forces_, own_;
};

void add_rows(const Parts& parts, const Motion& motion, const LastStep& last, RowSums& sums) {
  const Memory& memory = last.memory;
  const Vector& force = last.row_forces;
  for (std::size_t i = 0; i < parts.constraints.size(); ++i) {
    const double f = force[static_cast<Index>(i)];
    sums.add(parts.constraints[i].owner, loads(parts.constraints[i], motion, f), f);
  }
  for (std::size_t i = 0; i < parts.relays.size(); ++i) {
    const CoordinateRelay& relay = parts.relays[i].kind;
    const double f = relay.sign * force[memory.first_relay_row() + static_cast<Index>(i)];
    Loads along;
    add_loads(relay.coordinate, motion, f, along);
    sums.add(parts.relays[i].owner, along, f);
  }
  for (const ContactForce& pushing : last.contacts) {
    const Element<ContactKind>& contact = parts.contacts[at(pushing.key.pair)];
    const std::optional<ContactKinematics> touching = touch(contact.kind, motion);
    if (!touching) continue;
    const auto* flank = std::get_if<ToothFlank>(&contact.kind);
    const double normal = pushing.force[0];
    sums.add(contact.owner, loads(contact.kind, *touching, motion, normal, pushing.force[1]),
             flank ? flank->sign * normal : normal);
  }
}

/// What a joint of the tree does to B about Q, from the sum of all other forces on what it carries.
/// Along its degree of freedom it does only what its own rows do.
Screw transmitted(const JointPart& joint, const Screw& carried_forces, const Screw& own,
                  const Motion& motion) {
  const double sign = joint.carried == joint.b ? -1 : 1;
  const Screw& f = carried_forces;
  Screw on_B{sign * f.turn, sign * f.x, sign * f.y};
  const Vec2 q_W = motion.placement(joint.b).point(joint.p_BQ);
  const Vec2 arm = motion.tree.reference(motion.cache, joint.carried) - q_W;
  on_B.turn += cross(arm, {on_B.x, on_B.y});
  const TreeBody& body = motion.tree.body(joint.carried);
  if (body.kind == TreeJointKind::revolute) on_B.turn = own.turn;
  if (body.kind == TreeJointKind::prismatic) {
    const Vec2 axis = motion.placement(body.parent).direction(body.axis_P);
    const double excess = axis.dot(Vec2(own.x - on_B.x, own.y - on_B.y));
    on_B.x += excess * axis.x();
    on_B.y += excess * axis.y();
  }
  return on_B;
}

}  // namespace

void write_reactions(const Parts& parts, const LastStep& last, std::span<Screw> reactions) {
  const Tree& tree = parts.tree;
  const Configuration& c = last.middle;
  MovingFrame frame(tree, c, last.velocity, MovingFrame::Depth::accelerations);
  const Motion& motion = frame.motion();
  Arena::Frame scratch(c.scratch);
  const std::span<Screw> forces = frame.forces(), accelerations = scratch.list<Screw>(tree.size());
  RowSums sums(parts, motion, forces, reactions);
  if (last.step == 0) return;
  tree.write_velocities(c.cache, last.acceleration, accelerations);  // what u̇ adds
  for (int i = 0; i < tree.size(); ++i) {
    accelerations[at(i)].turn += motion.accelerations[at(i)].turn;
    accelerations[at(i)].x += motion.accelerations[at(i)].x;
    accelerations[at(i)].y += motion.accelerations[at(i)].y;
  }
  tree.write_weight_and_inertia(c.cache, motion.velocities, accelerations, parts.gravity, forces);
  for (const Element<ForceKind>& force : parts.forces)
    if (force.on(c)) add(force.kind, motion, c.t, forces);
  add_rows(parts, motion, last, sums);
  tree.write_force(c.cache, forces, scratch.vector(tree.dofs()));
  for (std::size_t j = 0; j < parts.joints.size(); ++j)
    if (parts.joints[j].carried >= 0)
      reactions[j] =
          transmitted(parts.joints[j], forces[at(parts.joints[j].carried)], reactions[j], motion);
}

}  // namespace backlash::planar
