// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/scene/exaggerate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "backlash/base/decompositions.h"
#include "backlash/base/plane.h"
#include "backlash/geometry/pose.h"

namespace backlash {
namespace {

/// Bodies that are moved: x, y and angle of each, one below the other.
struct MovedBodies {
  Vector x{};

  explicit MovedBodies(const std::vector<Pose3>& poses)
      : x(3 * static_cast<Eigen::Index>(poses.size())) {
    for (std::size_t i = 0; i < poses.size(); ++i)
      x.segment<3>(3 * static_cast<Eigen::Index>(i)) =
          Vec3(poses[i].p.x(), poses[i].p.y(), std::atan2(poses[i].R(1, 0), poses[i].R(0, 0)));
  }

  double angle(int body) const { return body == ground_body ? 0 : x[3 * body + 2]; }
  Vec2 origin(int body) const {
    return body == ground_body ? Vec2(Vec2::Zero()) : Vec2(x.segment<2>(3 * body));
  }
  Vec2 world(const ScenePoint& point) const {
    return origin(point.body) + rotated(angle(point.body), in_plane(point.p_B));
  }
};

/// How B of a joint is displaced: Q from P in the axes of A, and its angle, less what is kept.
Vec3 displacement(const SceneJoint& joint, const MovedBodies& at) {
  const Vec2 q_A = rotated(-at.angle(joint.p.body), at.world(joint.q) - at.origin(joint.p.body));
  const double tilt = at.angle(joint.q.body) - at.angle(joint.p.body) - joint.angle;
  const Vec2 e = q_A - in_plane(joint.p.p_B);
  return {e.x(), e.y(), std::remainder(tilt, 2 * std::numbers::pi)};
}

/// The rate of displacement() with the place of all bodies.
Matrix displacement_jacobian(const SceneJoint& joint, const MovedBodies& at) {
  Matrix J = Matrix::Zero(3, at.x.size());
  const double angle = at.angle(joint.p.body);
  const Vec2 q_A = rotated(-angle, at.world(joint.q) - at.origin(joint.p.body));
  Eigen::Matrix2d to_A;
  to_A << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  if (const int b = joint.q.body; b != ground_body) {
    J.block<2, 2>(0, 3 * b) += to_A;
    J.block<2, 1>(0, 3 * b + 2) += to_A * left_of(at.world(joint.q) - at.origin(b));
    J(2, 3 * b + 2) += 1;
  }
  if (const int a = joint.p.body; a != ground_body) {
    J.block<2, 2>(0, 3 * a) -= to_A;
    J.block<2, 1>(0, 3 * a + 2) -= left_of(q_A);
    J(2, 3 * a + 2) -= 1;
  }
  return J;
}

bool has_play(const SceneJoint& joint) {
  return joint.clearance && joint.clearance->kind != SceneClearance::Kind::teeth &&
         joint.clearance->gap > 0;
}

/// What a joint keeps of its displacement, one line for each.
Matrix kept(const SceneJoint& joint) {
  const Vec2 across = left_of(in_plane(joint.axis));
  const bool turns = joint.symbol != JointSymbol::slide && joint.symbol != JointSymbol::weld;
  Matrix rows(joint.slides() ? 1 : 2, 3);
  if (joint.slides())
    rows << across.x(), across.y(), 0;
  else
    rows << 1, 0, 0, 0, 1, 0;
  if (turns && !(has_play(joint) && joint.slides())) return rows;
  rows.conservativeResize(rows.rows() + 1, 3);
  rows.bottomRows(1) << 0, 0, 1;
  return rows;
}

/// One joint, and where it is to bring its bodies.
struct Goal {
  const SceneJoint* joint;
  Matrix rows;  ///< of the displacement
  Vec3 target;
  double softness;  ///< 0: holds first, where not all can
};

std::vector<Goal> goals_of(const Scene& scene, const MovedBodies& truth, double factor) {
  std::vector<Goal> goals;
  for (const SceneJoint& joint : scene.joints) {
    const bool held = joint.symbol != JointSymbol::none && joint.symbol != JointSymbol::rod;
    if (joint.is_coupling() || (!held && !has_play(joint))) continue;
    const bool play = has_play(joint);
    goals.push_back(
        {&joint, kept(joint), (play ? factor : 1) * displacement(joint, truth), play ? 0 : 1e-6});
  }
  return goals;
}

/// The rows of all goals, what is missing to them, and how soft they are.
struct Rows {
  Matrix J;
  Vector missing, softness;
};

Rows rows_of(const std::vector<Goal>& goals, const MovedBodies& at) {
  Eigen::Index count = 0;
  for (const Goal& goal : goals) count += goal.rows.rows();
  Rows all{Matrix(count, at.x.size()), Vector(count), Vector(count)};
  Eigen::Index first = 0;
  for (const Goal& goal : goals) {
    const Eigen::Index n = goal.rows.rows();
    Vec3 missing = goal.target - displacement(*goal.joint, at);
    missing[2] = std::remainder(missing[2], 2 * std::numbers::pi);
    all.J.middleRows(first, n) = goal.rows * displacement_jacobian(*goal.joint, at);
    all.missing.segment(first, n) = goal.rows * missing;
    all.softness.segment(first, n).setConstant(goal.softness + 1e-12);
    first += n;
  }
  return all;
}

double size_of(const Scene& scene, const MovedBodies& at) {
  Vec2 low = Vec2::Constant(INFINITY), high = -low;
  for (const SceneJoint& joint : scene.joints) {
    low = low.cwiseMin(at.world(joint.p)).cwiseMin(at.world(joint.q));
    high = high.cwiseMax(at.world(joint.p)).cwiseMax(at.world(joint.q));
  }
  const double size = (high - low).norm();
  return size > 0 ? size : 1;
}

/// The least motion that meets the goals, an angle counting by the arc at a fifth of the size.
void move_to(const std::vector<Goal>& goals, double size, MovedBodies& at) {
  Vector weight = Vector::Ones(at.x.size());
  for (Eigen::Index i = 2; i < weight.size(); i += 3) weight[i] = 25 / (size * size);
  for (int iteration = 0; iteration < 8; ++iteration) {
    const Rows rows = rows_of(goals, at);
    if (rows.missing.cwiseAbs().maxCoeff() < 1e-9 * size) return;
    const Matrix WJt = weight.asDiagonal() * rows.J.transpose();
    Matrix A = rows.J * WJt;
    A.diagonal() += rows.softness;
    at.x += WJt * solve_symmetric(A, rows.missing);
  }
}

Pose3 pose_of(const MovedBodies& at, int body) {
  Pose3 pose;
  const double angle = at.angle(body);
  pose.R.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle),
      std::cos(angle);
  pose.p.head<2>() = at.origin(body);
  return pose;
}

/// Contacts of a clearance go with the second body of its joint.
void move_touches(const Scene& scene, const SceneState& before, SceneState& after) {
  for (SceneTouch& touch : after.touches) {
    const SceneContact* origin = find_origin(scene, touch.name);
    if (!origin || origin->kind != Origin::Kind::clearance) continue;
    const SceneJoint* joint = find_joint(scene, origin->item);
    if (!joint || joint->q.body == ground_body) continue;
    const Pose3 &from = before.pose(joint->q.body), &to = after.pose(joint->q.body);
    touch.p_W = to.point(from.local_point(touch.p_W));
    touch.n_W = to.direction(from.local_direction(touch.n_W));
  }
}

}  // namespace

SceneState exaggerated(const Scene& scene, const SceneState& state, double factor) {
  SceneState moved = state;
  moved.exaggeration = factor;
  if (factor == 1 || std::ranges::none_of(scene.joints, has_play)) return moved;
  MovedBodies at(state.poses);
  move_to(goals_of(scene, at, factor), size_of(scene, at), at);
  for (std::size_t i = 0; i < moved.poses.size(); ++i)
    moved.poses[i] = pose_of(at, static_cast<int>(i));
  move_touches(scene, state, moved);
  return moved;
}

}  // namespace backlash
