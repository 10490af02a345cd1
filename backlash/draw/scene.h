// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backlash/draw/symbols.h"
#include "backlash/draw/view.h"
#include "backlash/dynamics/state.h"
#include "backlash/geometry/pose.h"
#include "backlash/model/model.h"

namespace backlash::drawing {

/// A mechanism on its way into a picture.
struct Scene {
  const Model& model;
  const System& system;
  const State& state;
  const std::map<std::string, Pose2>& poses;  ///< of all bodies, ground included
  const View& view;
  Svg& svg;
  std::vector<Label> labels{};  ///< to be placed when all else is drawn
  Obstacles obstacles{};

  Vec2 world(const std::string& body, const Vec2& p_B) const { return poses.at(body).point(p_B); }
  Vec2 px(const std::string& body, const Vec2& p_B) const { return view.px(world(body, p_B)); }
  Vec2 px(const std::string& body, const Vec3& p_B) const { return px(body, in_plane(p_B)); }
};

/// Where a body comes to rest along the axis of a joint.
struct StopPlace {
  std::string name{};  ///< of the contact
  Vec2 p_A = Vec2::Zero(), axis_A = Vec2::UnitX();
};
std::vector<StopPlace> stops(const Joint& joint);

void draw_joints(Scene& scene);
void draw_forces(Scene& scene);

}  // namespace backlash::drawing
