// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/geometry/pose2.h"
#include "backlash/scene/scene.h"

namespace backlash {

/// A contact at one time.
struct SceneTouch {
  std::string name{};
  Vec3 p_W = Vec3::Zero();  ///< [m]
  Vec3 n_W = Vec3::Zero();  ///< unit normal; zero: a contact of a coordinate, which has no place
  double gap = 0;           ///< [m] or [rad]
  ContactState state = ContactState::open;
};

/// Where everything in a scene is at one time.
struct SceneState {
  double t = 0;                       ///< [s]
  std::vector<Pose3> poses{};         ///< in the order of Scene::bodies
  std::vector<SceneTouch> touches{};  ///< contacts that are near
  double exaggeration = 1;            ///< how many times as large play is shown (exaggerate.h)

  const Pose3& pose(int body) const;  ///< of the ground, too
  Vec3 world(const ScenePoint& point) const { return pose(point.body).point(point.p_B); }
};

/// Of a System's state, with the contacts whose gap is at most `reach` [m].
SceneState scene_state(const System& system, const State& state, double reach);

}  // namespace backlash
