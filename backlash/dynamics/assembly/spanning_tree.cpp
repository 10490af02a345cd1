// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/spanning_tree.h"

#include <algorithm>

#include "backlash/dynamics/assembly/initial_motion.h"

namespace backlash {
namespace {

Plane::Inertia inertia_in(Plane, const InertiaTensor& I) { return I.zz; }
Space::Inertia inertia_in(Space, const InertiaTensor& I) {
  Mat3 m;
  m << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return m;
}

/// In the plane a planar joint holds nothing.
template <class S>
constexpr bool planar_is_free = S::dimension == 2;

template <class S>
class Builder {
 public:
  explicit Builder(const Model& model) : model_(model) {
    tree_.body_of.assign(model.bodies.size(), -1);
    placed_.assign(model.bodies.size(), false);
    motion_.resize(model.bodies.size());
    used_.assign(model.joints.size(), false);
  }

  SpanningTree<S> build() {
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
  InitialMotion motion(int body) const {
    return body == ground ? InitialMotion{} : motion_[static_cast<std::size_t>(body)];
  }
  int tree_index(int body) const {
    return body == ground ? -1 : tree_.body_of[static_cast<std::size_t>(body)];
  }

  static bool carries_ideally(const Joint& joint) {
    if (joint.clearance) return false;
    return std::holds_alternative<Revolute>(joint.kind) ||
           std::holds_alternative<Prismatic>(joint.kind) ||
           std::holds_alternative<Fixed>(joint.kind) ||
           std::holds_alternative<Spherical>(joint.kind);
  }
  /// Held by the joint in directions that only A has.
  static bool carries_B(const Joint& joint) {
    return !planar_is_free<S> && !joint.clearance && std::holds_alternative<Planar>(joint.kind);
  }

  bool attach_ideal() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      if (used_[j] || !(carries_ideally(joint) || carries_B(joint))) continue;
      const int a = index(joint.body_A), b = index(joint.body_B);
      if (placed(a) == placed(b) || (!placed(a) && carries_B(joint))) continue;
      used_[j] = true;
      placed(a) ? attach_B(joint, a, b) : attach_A(joint, a, b);
      return true;
    }
    return false;
  }

  /// Joints that hold nothing still give coordinates. A clearance does on the ground alone: a body
  /// that hangs on another by play is free, so that neither feels the other's inertia.
  bool attach_loose() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      const bool planar = planar_is_free<S> && std::holds_alternative<Planar>(joint.kind);
      const bool loose = planar || joint.clearance.has_value();
      if (used_[j] || !loose || joint.body_A.empty()) continue;
      const int a = index(joint.body_A), b = index(joint.body_B);
      if (!placed(a) || placed(b) || (!planar && a != ground)) continue;
      used_[j] = planar;  // a clearance is still to be made of the others
      attach_loosely(joint, a, b);
      return true;
    }
    return false;
  }

  /// A rod says how far its body is, not where: that stays where it is by default, to be moved by
  /// the least that the rod asks for, unless both ends were in one point.
  bool leaves_in_place(const Joint& joint, int a, int b) const {
    const auto* rod = std::get_if<Rod>(&joint.kind);
    if (!rod) return false;
    const auto point = [&](int body, const Vec3& p_B) -> Vec3 {
      if (!placed(body)) return p_B;
      const Pose X_WB = motion(body).X_WB;
      return X_WB.p + rotated(X_WB.rotation, p_B);
    };
    return (point(a, rod->p_AP) - point(b, rod->p_BQ)).norm() > 1e-3 * rod->length;
  }

  /// A body that a joint connects to a placed one: the joint says where it is.
  bool attach_beside(bool by_rods) {
    for (const Joint& joint : model_.joints) {
      if (joint.body_A.empty() || std::holds_alternative<Rod>(joint.kind) != by_rods) continue;
      const int a = index(joint.body_A), b = index(joint.body_B);
      if (placed(a) == placed(b)) continue;
      const int body = placed(a) ? b : a;
      if (model_.bodies[static_cast<std::size_t>(body)].initial) continue;
      const InitialMotion m = leaves_in_place(joint, a, b) ? InitialMotion{}
                              : placed(a)                  ? motion_of_B(joint, motion(a))
                                                           : motion_of_A(joint, motion(b));
      const Start start = start_of(joint);
      add_free(body, m, start.q_given[0], start.u_given[0]);
      tree_.placing.push_back(&joint);
      return true;
    }
    return false;
  }

  bool attach_free() {
    if (attach_beside(false) || attach_beside(true)) return true;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      if (placed_[i]) continue;
      const bool given = model_.bodies[i].initial.has_value();
      add_free(static_cast<int>(i), model_.bodies[i].initial.value_or(InitialMotion{}), given,
               given);
      return true;
    }
    return false;
  }

  void attach_B(const Joint& joint, int a, int b) {
    const Frames f = frames_of(joint.kind);
    TreeBody<S> body = new_body(b);
    body.parent = tree_index(a);
    body.p_PJ = S::vec(f.p_AP);
    body.p_BJ = S::vec(f.p_BQ);
    body.rotation = S::rotation(f.rotation);
    body.joint = joint_along(joint.kind, f.axis_A);
    place(b, body, &joint, motion_of_B(joint, motion(a)));
    const Offset o = offset_of(joint);
    push_start(joint, o.rotation, o.omega_A);
  }

  /// The joint seen from B: A turns the other way, and moves against the axis.
  void attach_A(const Joint& joint, int a, int b) {
    const Frames f = frames_of(joint.kind);
    TreeBody<S> body = new_body(a);
    body.parent = tree_index(b);
    body.p_PJ = S::vec(f.p_BQ);
    body.p_BJ = S::vec(f.p_AP);
    body.rotation = S::rotation(-f.rotation);
    body.joint = joint_along(joint.kind, -rotated(-f.rotation, f.axis_A));
    place(a, body, &joint, motion_of_A(joint, motion(b)));
    const Offset o = offset_of(joint);
    push_start(joint, -o.rotation, -rotated(-o.rotation, o.omega_A));
  }

  void attach_loosely(const Joint& joint, int a, int b) {
    const Frames f = frames_of(joint.kind);
    TreeBody<S> body = new_body(b);
    body.joint = free_joint<S>();
    body.parent = tree_index(a);
    body.p_PJ = S::vec(f.p_AP);
    body.p_BJ = S::vec(f.p_BQ);
    const Offset o = offset_of(joint);
    place(b, body, &joint, motion_of_B(joint, motion(a)));
    const Start s = start_of(joint);
    const auto given = [](const std::array<bool, 6>& flags, int coordinate) {
      return coordinate >= 0 && flags[static_cast<std::size_t>(coordinate)];
    };
    for (int k = 0; k < S::dimension; ++k) {
      const int along = displacement_coordinate(joint.kind, k);
      push({o.d_A[k], o.rate_A[k]}, given(s.q_given, along), given(s.u_given, along));
    }
    const int angle = angle_coordinate(joint.kind);
    push_rotation(o.rotation, o.omega_A, given(s.q_given, angle), given(s.u_given, angle));
  }

  /// The coordinate of a joint that says where Q is along A's axis k; −1: none does.
  static int displacement_coordinate(const JointKind& kind, int k) {
    if (std::holds_alternative<Planar>(kind)) return k < 2 ? k : -1;
    return std::holds_alternative<Prismatic>(kind) ? 0 : -1;  // along its own axis
  }
  static int angle_coordinate(const JointKind& kind) {
    if (std::holds_alternative<Planar>(kind)) return 2;
    return std::holds_alternative<Revolute>(kind) ? 0 : -1;
  }

  static TreeJoint<S> joint_along(const JointKind& kind, const Vec3& axis) {
    if (std::holds_alternative<Revolute>(kind)) return revolute_joint<S>(S::angular(axis));
    if (std::holds_alternative<Prismatic>(kind)) return prismatic_joint<S>(S::vec(axis));
    if (std::holds_alternative<Spherical>(kind)) return ball_joint<S>();
    if (!std::holds_alternative<Planar>(kind)) return {};
    TreeJoint<S> joint = revolute_joint<S>();
    joint.translations = 2;
    joint.axes_P[0] = S::unit(0);
    joint.axes_P[1] = S::unit(1);
    return joint;
  }

  void add_free(int model_body, const InitialMotion& m, bool q_given, bool u_given) {
    TreeBody<S> body = new_body(model_body);
    body.joint = free_joint<S>();
    place(model_body, body, nullptr, m);
    for (int k = 0; k < S::dimension; ++k) push({m.X_WB.p[k], m.velocity[k]}, q_given, u_given);
    push_rotation(m.X_WB.rotation, m.angular_velocity, q_given, u_given);
  }

  TreeBody<S> new_body(int model_body) const {
    const Body& b = model_.bodies[static_cast<std::size_t>(model_body)];
    TreeBody<S> body;
    body.mass = b.mass;
    body.inertia = inertia_in(S{}, b.inertia);
    body.p_BC = S::vec(b.com);
    return body;
  }

  void place(int model_body, const TreeBody<S>& body, const Joint* inboard_joint,
             const InitialMotion& m) {
    const auto i = static_cast<std::size_t>(model_body);
    tree_.body_of[i] = static_cast<int>(tree_.bodies.size());
    tree_.bodies.push_back(body);
    tree_.inboard_joint.push_back(inboard_joint);
    placed_[i] = true;
    motion_[i] = m;
  }

  /// Of a joint that holds something; rotation and angular velocity as a spherical one has them.
  void push_start(const Joint& joint, const Vec3& rotation, const Vec3& omega_P) {
    const Start s = start_of(joint);
    if (std::holds_alternative<Spherical>(joint.kind)) {
      const auto any = [](const std::array<bool, 6>& given) {
        return given[0] || given[1] || given[2];
      };
      return push_rotation(rotation, omega_P, any(s.q_given), any(s.u_given));
    }
    const int n = tree_.bodies.back().joint.dofs();
    for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k)
      push({s.q[k], s.u[k]}, s.q_given[k], s.u_given[k]);
  }

  struct InitialValue {
    double q, u;
  };
  void push(const InitialValue& c, bool q_given, bool u_given) {
    tree_.position.push_back(c.q);
    push_speed(c.u, q_given, u_given);
  }
  void push_speed(double u, bool q_given, bool u_given) {
    tree_.speed.push_back(u);
    tree_.position_given.push_back(q_given);
    tree_.speed_given.push_back(u_given);
  }
  void push_rotation(const Vec3& rotation, const Vec3& omega_P, bool q_given, bool u_given) {
    double q[S::ball_positions];
    S::write_ball(S::rotation(rotation), q);
    tree_.position.insert(tree_.position.end(), std::begin(q), std::end(q));
    for (int k = 0; k < S::rotations; ++k)
      push_speed(S::dot(S::axis(k), S::angular(omega_P)), q_given, u_given);
  }

  const Model& model_;
  SpanningTree<S> tree_;
  std::vector<bool> placed_, used_;
  std::vector<InitialMotion> motion_;
};

/// The bodies in another order: order[i] is the old place of the body that comes to place i.
template <class S>
SpanningTree<S> reordered(const SpanningTree<S>& old, const std::vector<int>& order) {
  SpanningTree<S> tree;
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  const Tree<S> counted(old.bodies);
  for (const int i : order) {
    TreeBody<S> body = counted.body(i);
    if (body.parent >= 0) body.parent = place[static_cast<std::size_t>(body.parent)];
    tree.bodies.push_back(body);
    tree.inboard_joint.push_back(old.inboard_joint[static_cast<std::size_t>(i)]);
    for (int k = counted.first_position(i); k < counted.first_position(i + 1); ++k)
      tree.position.push_back(old.position[static_cast<std::size_t>(k)]);
    for (int k = 0; k < counted.joint_dofs(i); ++k) {
      const auto c = static_cast<std::size_t>(counted.first_dof(i) + k);
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
template <class S>
SpanningTree<S> gathered(const SpanningTree<S>& tree) {
  std::vector<int> root, order;
  std::vector<bool> still;  // fixed to the ground: what it carries are trees of their own
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const int parent = tree.bodies[i].parent;
    const bool grounded = parent < 0 || still[static_cast<std::size_t>(parent)];
    still.push_back(grounded && tree.bodies[i].joint.dofs() == 0);
    root.push_back(grounded ? static_cast<int>(i) : root[static_cast<std::size_t>(parent)]);
    order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return root[static_cast<std::size_t>(a)] < root[static_cast<std::size_t>(b)];
  });
  return reordered(tree, order);
}

}  // namespace

template <class S>
int SpanningTree<S>::find(const Model& model, const std::string& body) const {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].name == body) return body_of[i];
  return -1;
}

template <class S>
SpanningTree<S> span_tree(const Model& model) {
  return gathered(Builder<S>(model).build());
}

template struct SpanningTree<Plane>;
template struct SpanningTree<Space>;
template SpanningTree<Plane> span_tree(const Model&);
template SpanningTree<Space> span_tree(const Model&);

}  // namespace backlash
