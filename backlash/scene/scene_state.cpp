// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/scene/scene_state.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "backlash/geometry/quaternion.h"

namespace backlash {
namespace {

Pose3 pose_of(const BodyMotion& motion, int space) {
  if (space == 3) {
    const Eigen::Vector4d& o = motion.orientation;
    return {rotation_matrix(Quaternion{o[0], o[1], o[2], o[3]}), motion.p_W};
  }
  Mat3 R = Mat3::Identity();
  R.topLeftCorner<2, 2>() = Eigen::Rotation2Dd(motion.angle).toRotationMatrix();
  return {R, motion.p_W};
}

ContactState state_of(const State& state, const ContactKey& key) {
  const auto found = std::ranges::find(state.contacts, key, &ContactRecord::key);
  return found == state.contacts.end() ? ContactState::open : found->state;
}

}  // namespace

const Pose3& SceneState::pose(int body) const {
  static const Pose3 ground{};
  return body == ground_body ? ground : poses[static_cast<std::size_t>(body)];
}

SceneState scene_state(const System& system, const State& state, double reach) {
  const SystemInfo& info = system.info();
  const Configuration c = configuration(system, state);
  SceneState scene{.t = state.t};
  for (std::size_t i = 0; i < info.bodies.size(); ++i)
    scene.poses.push_back(pose_of(system.body_motion(c, state.u, static_cast<int>(i)), info.space));
  std::vector<ContactFrame> contacts;
  system.find_contacts(c, reach, state.contacts, contacts);
  for (const ContactFrame& contact : contacts)
    scene.touches.push_back({system.contact_name(contact.key), contact.p_WB, contact.n_W,
                             contact.gap, state_of(state, contact.key)});
  return scene;
}

}  // namespace backlash
