// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/plane.h"
#include "backlash/dynamics/elements/outputs.h"
#include "backlash/dynamics/kernel/moving_frame.h"

/// Reactions of the joints in a step (theory 6.10): what rows do is known from their multipliers,
/// what the joints of the tree do follows from the motion.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// Sums up what the rows of a step do: on the bodies, and on behalf of the joints.
template <class S>
class RowSums {
 public:
  RowSums(const Parts<S>& parts, const Motion<S>& motion, std::span<Wrench<S>> forces,
          std::span<Wrench<S>> own)
      : parts_(parts), motion_(motion), forces_(forces), own_(own) {
    std::fill(own.begin(), own.end(), Wrench<S>{});
  }

  /// Of a row that belongs to a joint, or to none (−1); `along` is its part along the second
  /// coordinate of a gear or rack, or along a rod. What belongs to a joint of the tree is part of
  /// what that joint transmits, and not a force from outside.
  void add(int owner, const Loads<S>& loads, double along) {
    if (owner >= 0) book(parts_.joints[at(owner)], loads, along, own_[at(owner)]);
    if (owner >= 0 && parts_.joints[at(owner)].carried >= 0) return;
    for (const Load<S>& load : loads.all()) add_force(load, motion_, forces_);
  }

 private:
  void book(const JointOutput<S>& joint, const Loads<S>& loads, double along,
            Wrench<S>& sum) const {
    if (joint.reaction != ReactionKind::full) {
      sum.linear += along * S::Vec::UnitX();
      return;
    }
    const typename S::Vec q_W = motion_.pose(joint.b).point(joint.p_BQ);
    for (const Load<S>& load : loads.all()) {
      if (load.body != joint.b) continue;
      add_shifted<S>({load.moment, load.force}, load.p_W - q_W, sum);
    }
  }

  const Parts<S>& parts_;
  const Motion<S>& motion_;
  std::span<Wrench<S>> forces_, own_;
};

/// Of a contact's normal along its coordinate: of a tooth's flank, a stop, a clutch; else 1.
template <class S>
double normal_sign(const ContactKind<S>& contact) {
  return std::visit(
      [](const auto& kind) -> double {
        if constexpr (requires { kind.sign; })
          return kind.sign;
        else
          return 1;
      },
      contact);
}

/// Where a contact of the step was, in its middle; places of profiles are followed from where the
/// step found them.
template <class S>
std::optional<ContactKinematics<S>> where(const Parts<S>& parts, const ContactKey& key,
                                          const ContactKind<S>& contact, const Motion<S>& motion,
                                          const LastStep& last) {
  if constexpr (S::dimension == 2)
    if (parts.is_of_shapes(key)) {
      ContactFrame frame;
      if (!parts.shapes.find_one(last.middle, motion, key, last.remembered, frame)) return {};
      return kinematics_of<S>(frame);
    }
  return touch<S>(contact, motion);
}

template <class S>
void add_rows(const Parts<S>& parts, const Motion<S>& motion, const LastStep& last,
              RowSums<S>& sums) {
  const Memory& memory = last.memory;
  const Vector& force = last.row_forces;
  for (std::size_t i = 0; i < parts.constraints.size(); ++i) {
    const double f = force[static_cast<Index>(i)];
    if (f == 0) continue;
    sums.add(parts.constraints[i].owner, loads(parts.constraints[i], motion, f), f);
  }
  for (std::size_t i = 0; i < parts.relays.size(); ++i) {
    const CoordinateRelay<S>& relay = parts.relays[i].kind;
    const double f = relay.sign * force[memory.first_relay_row() + static_cast<Index>(i)];
    Loads<S> along;
    add_loads(relay.coordinate, motion, f, along);
    sums.add(parts.relays[i].owner, along, f);
  }
  for (const ContactForce& pushing : last.contacts) {
    const int owner =
        parts.is_of_shapes(pushing.key) ? -1 : parts.contacts[at(pushing.key.pair)].owner;
    parts.visit_contact(pushing.key, [&](const ContactKind<S>& contact) {
      const std::optional<ContactKinematics<S>> touching =
          where<S>(parts, pushing.key, contact, motion, last);
      if (!touching) return;
      sums.add(owner, loads<S>(contact, *touching, motion, pushing.force),
               normal_sign<S>(contact) * pushing.force[0]);
    });
  }
}

/// What a joint of the tree does to B about Q, from the sum of all other forces on what it carries.
/// Along its degrees of freedom it does only what its own rows do.
template <class S>
Wrench<S> transmitted(const JointOutput<S>& joint, const Wrench<S>& carried_forces,
                      const Wrench<S>& own, const Motion<S>& motion) {
  const double sign = joint.carried == joint.b ? -1 : 1;
  Wrench<S> on_B;
  const BodyKinematics<S>& carried = bodies_in<S>(motion.cache)[joint.carried];
  const typename S::Vec q_W = motion.pose(joint.b).point(joint.p_BQ);
  add_shifted<S>({sign * carried_forces.angular, sign * carried_forces.linear},
                 carried.reference - q_W, on_B);
  const TreeJoint<S>& kind = motion.tree.body(joint.carried).joint;
  for (int k = 0; k < kind.rotations(); ++k) {
    const typename S::Angular& axis = carried.rotations[at(k)];
    on_B.angular += S::dot(axis, own.angular - on_B.angular) * axis;
  }
  for (int k = 0; k < kind.translations; ++k) {
    const typename S::Vec& axis = carried.translations[at(k)];
    on_B.linear += axis.dot(typename S::Vec(own.linear - on_B.linear)) * axis;
  }
  return on_B;
}

void append(const Wrench<Plane>& reaction, double*& values) {
  *values++ = reaction.linear.x();
  *values++ = reaction.linear.y();
  *values++ = reaction.angular;
}
void append(const Wrench<Space>& reaction, double*& values) {
  for (int i = 0; i < 3; ++i) *values++ = reaction.linear[i];
  for (int i = 0; i < 3; ++i) *values++ = reaction.angular[i];
}

double magnitude(double torque) { return std::abs(torque); }
double magnitude(const Vec3& torque) { return torque.norm(); }

template <class S>
void write_wrenches(const Parts<S>& parts, const LastStep& last, std::span<Wrench<S>> reactions) {
  const Tree<S>& tree = parts.tree;
  const Configuration& c = last.middle;
  Arena::Frame scratch(c.scratch);
  const BodyRoom<S> bodies(tree.size(), scratch);
  const auto [velocities, accelerations, forces] = bodies;
  const Motion<S> motion{tree, c.cache, velocities};
  RowSums<S> sums(parts, motion, forces, reactions);
  if (last.step == 0) return;
  tree.write_weight_and_inertia(c.cache, last.velocity, parts.gravity, bodies);
  tree.write_velocities(c.cache, last.acceleration, accelerations);
  tree.add_inertia(c.cache, accelerations, forces);
  for (const Element<ForceKind<S>>& force : parts.forces) {
    if (!force.on(c)) continue;
    add(force.kind, motion, c.t, forces);
    if (force.owner >= 0)
      reactions[at(force.owner)].linear += strength(force.kind, motion, c.t) * S::Vec::UnitX();
  }
  add_rows(parts, motion, last, sums);
  tree.write_force(c.cache, forces, scratch.vector(tree.dofs()).data());
  for (std::size_t j = 0; j < parts.joints.size(); ++j) {
    const JointOutput<S>& joint = parts.joints[j];
    if (joint.carried >= 0)
      reactions[j] = transmitted(joint, forces[at(joint.carried)], reactions[j], motion);
    if (joint.row >= 0) reactions[j].linear = last.row_forces[joint.row] * S::Vec::UnitX();
  }
}

}  // namespace

template <class S>
void write_reactions(const Parts<S>& parts, const LastStep& last, VectorRef values) {
  Arena::Frame scratch(last.middle.scratch);
  const std::span<Wrench<S>> wrenches =
      scratch.list<Wrench<S>>(static_cast<int>(parts.joints.size()));
  write_wrenches(parts, last, wrenches);
  double* next = values.data();
  for (const Wrench<S>& wrench : wrenches) append(wrench, next);
}

template <class S>
void write_relay_loads(const Parts<S>& parts, const SystemInfo& info, const LastStep& step,
                       VectorRef loads) {
  Arena::Frame scratch(step.middle.scratch);
  const std::span<Wrench<S>> wrenches =
      scratch.list<Wrench<S>>(static_cast<int>(parts.joints.size()));
  write_wrenches(parts, step, wrenches);
  const Motion<S> motion{parts.tree, step.middle.cache};
  for (std::size_t i = 0; i < parts.relays.size(); ++i) {
    const Element<CoordinateRelay<S>>& relay = parts.relays[i];
    const bool loaded = relay.owner >= 0 && is_loaded(info.relays[i]);
    loads[static_cast<Index>(i)] =
        loaded ? load<S>(relay.kind, wrenches[at(relay.owner)], motion) : 0;
  }
}

template <class S>
void write_measures(const Parts<S>& parts, const LastStep& last, VectorRef measured) {
  Arena::Frame scratch(last.middle.scratch);
  const std::span<Wrench<S>> wrenches =
      scratch.list<Wrench<S>>(static_cast<int>(parts.joints.size()));
  write_wrenches(parts, last, wrenches);
  const auto contact_force = [&]([[maybe_unused]] int entry) {
    double sum = 0;
    if constexpr (S::dimension == 2)
      for (const ContactForce& contact : last.contacts)
        if (parts.is_of_shapes(contact.key) && parts.shapes.entry_of(contact.key.pair) == entry)
          sum += contact.force[0];
    return sum;
  };
  for (std::size_t i = 0; i < parts.measures.size(); ++i) {
    const Measure& measure = parts.measures[i];
    double& value = measured[static_cast<Index>(i)];
    if (measure.kind == Measure::Kind::contact)
      value = contact_force(measure.index);
    else if (measure.kind == Measure::Kind::reaction_force)
      value = wrenches[at(measure.index)].linear.norm();
    else if (measure.kind == Measure::Kind::reaction_torque)
      value = magnitude(wrenches[at(measure.index)].angular);
    else
      value = std::abs(last.row_forces[measure.index]);
  }
}

template void write_measures(const Parts<Plane>&, const LastStep&, VectorRef);
template void write_measures(const Parts<Space>&, const LastStep&, VectorRef);
template void write_reactions(const Parts<Plane>&, const LastStep&, VectorRef);
template void write_reactions(const Parts<Space>&, const LastStep&, VectorRef);
template void write_relay_loads(const Parts<Plane>&, const SystemInfo&, const LastStep&, VectorRef);
template void write_relay_loads(const Parts<Space>&, const SystemInfo&, const LastStep&, VectorRef);

}  // namespace backlash
