// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/spanning_tree.h"

#include <algorithm>

#include "backlash/dynamics/assembly/initial_motion.h"

namespace backlash::planar {
namespace {

class Builder {
 public:
  explicit Builder(const Model& model) : model_(model) {
    tree_.body_of.assign(model.bodies.size(), -1);
    placed_.assign(model.bodies.size(), false);
    motion_.resize(model.bodies.size());
    used_.assign(model.joints.size(), false);
  }

  SpanningTree build() {
    const bool absolute = model_.simulation.coordinates == Coordinates::absolute;
    while (true) {
      if (!absolute && (attach_ideal() || attach_loose())) continue;
      if (!attach_free()) break;
    }
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (!used_[j]) tree_.loop_joints.push_back(&model_.joints[j]);
    return tree_;
  }

 private:
  static constexpr int ground = -1, nowhere = -2;

  /// Index of a body of the model; `ground`; `nowhere` for a joint that couples others.
  int index(const std::string& name) const {
    if (name == ground_name) return ground;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      if (model_.bodies[i].name == name) return static_cast<int>(i);
    return nowhere;
  }
  bool placed(int body) const { return body == ground || placed_[static_cast<std::size_t>(body)]; }
  Motion0 motion(int body) const {
    return body == ground ? Motion0{} : motion_[static_cast<std::size_t>(body)];
  }
  int tree_index(int body) const {
    return body == ground ? -1 : tree_.body_of[static_cast<std::size_t>(body)];
  }

  static bool carries_ideally(const Joint& joint) {
    if (joint.clearance) return false;
    return std::holds_alternative<Revolute>(joint.kind) ||
           std::holds_alternative<Prismatic>(joint.kind) ||
           std::holds_alternative<Fixed>(joint.kind);
  }

  bool attach_ideal() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      if (used_[j] || !carries_ideally(joint)) continue;
      const int a = index(joint.body_A), b = index(joint.body_B);
      if (placed(a) == placed(b)) continue;
      used_[j] = true;
      placed(a) ? attach_B(joint, a, b) : attach_A(joint, a, b);
      return true;
    }
    return false;
  }

  /// Joints that hold nothing still give coordinates: small ones, of what moves in the play.
  bool attach_loose() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      const bool planar = std::holds_alternative<Planar>(joint.kind);
      const bool loose = planar || joint.clearance.has_value();
      if (used_[j] || !loose || joint.body_A.empty()) continue;
      const int a = index(joint.body_A), b = index(joint.body_B);
      if (!placed(a) || placed(b)) continue;
      used_[j] = planar;  // a clearance is still to be made of the others
      attach_loosely(joint, a, b);
      return true;
    }
    return false;
  }

  bool attach_free() {
    // Bodies that a joint connects to placed ones come first: the joint says where they are.
    for (const Joint& joint : model_.joints) {
      if (joint.body_A.empty()) continue;
      const int a = index(joint.body_A), b = index(joint.body_B);
      if (placed(a) == placed(b)) continue;
      const int body = placed(a) ? b : a;
      if (model_.bodies[static_cast<std::size_t>(body)].initial) continue;
      const Motion0 m = placed(a) ? motion_of_B(joint, motion(a)) : motion_of_A(joint, motion(b));
      const Start start = start_of(joint);
      add_free(body, m, start.q_given[0], start.u_given[0]);
      tree_.placing.push_back(&joint);
      return true;
    }
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      if (placed_[i]) continue;
      Motion0 m;
      const bool given = model_.bodies[i].initial.has_value();
      if (given)
        m = {model_.bodies[i].initial->X_WB, model_.bodies[i].initial->velocity,
             model_.bodies[i].initial->speed};
      add_free(static_cast<int>(i), m, given, given);
      return true;
    }
    return false;
  }

  void attach_B(const Joint& joint, int a, int b) {
    const Frames f = frames_of(joint.kind);
    TreeBody body = new_body(b);
    body.parent = tree_index(a);
    body.p_PJ = f.p_AP;
    body.p_BJ = f.p_BQ;
    body.axis_P = f.axis_A;
    body.angle = f.angle;
    add(b, body, joint, motion_of_B(joint, motion(a)));
  }

  /// The joint seen from B: A turns the other way, and moves against the axis.
  void attach_A(const Joint& joint, int a, int b) {
    const Frames f = frames_of(joint.kind);
    TreeBody body = new_body(a);
    body.parent = tree_index(b);
    body.p_PJ = f.p_BQ;
    body.p_BJ = f.p_AP;
    body.axis_P = -rotated(-f.angle, f.axis_A);
    body.angle = -f.angle;
    body.sense = -1;
    add(a, body, joint, motion_of_A(joint, motion(b)));
  }

  void attach_loosely(const Joint& joint, int a, int b) {
    const Frames f = frames_of(joint.kind);
    TreeBody body = new_body(b);
    body.kind = TreeJointKind::free;
    body.parent = tree_index(a);
    body.p_PJ = f.p_AP;
    body.p_BJ = f.p_BQ;
    const Offset o = offset_of(joint);
    place(b, body, &joint, motion_of_B(joint, motion(a)));
    const Start s = start_of(joint);
    const bool turns = std::holds_alternative<Revolute>(joint.kind);
    push({o.d_A.x(), o.rate_A.x()}, !turns && s.q_given[0], !turns && s.u_given[0]);
    push({o.d_A.y(), o.rate_A.y()}, false, false);
    push({o.angle, o.omega}, turns && s.q_given[0], turns && s.u_given[0]);
  }

  void add(int model_body, TreeBody body, const Joint& joint, const Motion0& m) {
    body.kind = std::holds_alternative<Revolute>(joint.kind)    ? TreeJointKind::revolute
                : std::holds_alternative<Prismatic>(joint.kind) ? TreeJointKind::prismatic
                                                                : TreeJointKind::fixed;
    place(model_body, body, &joint, m);
    if (body.kind == TreeJointKind::fixed) return;
    const Start s = start_of(joint);
    push({s.q[0], s.u[0]}, s.q_given[0], s.u_given[0]);
  }

  void add_free(int model_body, const Motion0& m, bool q_given, bool u_given) {
    TreeBody body = new_body(model_body);
    body.kind = TreeJointKind::free;
    place(model_body, body, nullptr, m);
    push({m.X_WB.p.x(), m.v.x()}, q_given, u_given);
    push({m.X_WB.p.y(), m.v.y()}, q_given, u_given);
    push({m.X_WB.angle, m.omega}, q_given, u_given);
  }

  TreeBody new_body(int model_body) const {
    const Body& b = model_.bodies[static_cast<std::size_t>(model_body)];
    TreeBody body;
    body.mass = b.mass;
    body.inertia = b.inertia;
    body.p_BC = b.com;
    return body;
  }

  void place(int model_body, const TreeBody& body, const Joint* inboard_joint, const Motion0& m) {
    const auto i = static_cast<std::size_t>(model_body);
    tree_.body_of[i] = static_cast<int>(tree_.bodies.size());
    tree_.bodies.push_back(body);
    tree_.inboard_joint.push_back(inboard_joint);
    placed_[i] = true;
    motion_[i] = m;
  }

  struct Coordinate0 {
    double q, u;
  };
  void push(const Coordinate0& c, bool q_given, bool u_given) {
    tree_.position.push_back(c.q);
    tree_.speed.push_back(c.u);
    tree_.position_given.push_back(q_given);
    tree_.speed_given.push_back(u_given);
  }

  const Model& model_;
  SpanningTree tree_;
  std::vector<bool> placed_, used_;
  std::vector<Motion0> motion_;
};

/// The bodies in another order: order[i] is the old place of the body that comes to place i.
SpanningTree reordered(const SpanningTree& old, const std::vector<int>& order) {
  SpanningTree tree;
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  const Tree counted(old.bodies);
  for (const int i : order) {
    TreeBody body = counted.body(i);
    if (body.parent >= 0) body.parent = place[static_cast<std::size_t>(body.parent)];
    tree.bodies.push_back(body);
    tree.inboard_joint.push_back(old.inboard_joint[static_cast<std::size_t>(i)]);
    for (int k = 0; k < counted.joint_dofs(i); ++k) {
      const auto c = static_cast<std::size_t>(counted.first_dof(i) + k);
      tree.position.push_back(old.position[c]);
      tree.speed.push_back(old.speed[c]);
      tree.position_given.push_back(old.position_given[c]);
      tree.speed_given.push_back(old.speed_given[c]);
    }
  }
  for (const int i : old.body_of) tree.body_of.push_back(place[static_cast<std::size_t>(i)]);
  tree.loop_joints = old.loop_joints;
  tree.placing = old.placing;
  return tree;
}

/// Tree after tree, each in the order in which it grew.
SpanningTree gathered(const SpanningTree& tree) {
  std::vector<int> root, order;
  std::vector<bool> still;  // fixed to the ground: what it carries are trees of their own
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const int parent = tree.bodies[i].parent;
    const bool grounded = parent < 0 || still[static_cast<std::size_t>(parent)];
    still.push_back(grounded && tree.bodies[i].kind == TreeJointKind::fixed);
    root.push_back(grounded ? static_cast<int>(i) : root[static_cast<std::size_t>(parent)]);
    order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return root[static_cast<std::size_t>(a)] < root[static_cast<std::size_t>(b)];
  });
  return reordered(tree, order);
}

}  // namespace

int SpanningTree::find(const Model& model, const std::string& body) const {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].name == body) return body_of[i];
  return -1;
}

SpanningTree span_tree(const Model& model) { return gathered(Builder(model).build()); }

}  // namespace backlash::planar
