// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/draw/drawing.h"
#include "backlash/draw/symbols.h"
#include "backlash/geometry/pose.h"

namespace backlash::drawing {

/// A mechanism on its way into a picture.
struct Picture {
  const Scene& scene;
  const SceneState& state;
  const View& view;
  Svg& svg;
  std::vector<Label> labels{};  ///< to be placed when all else is drawn
  Obstacles obstacles{};

  Vec2 world(const ScenePoint& point) const { return in_plane(state.world(point)); }
  Vec2 px(const ScenePoint& point) const { return view.px(world(point)); }
  /// A direction of a body, in the world.
  Vec2 direction(int body, const Vec3& d_B) const {
    return in_plane(state.pose(body).direction(d_B));
  }
};

/// Where a body comes to rest along the axis of a joint.
struct StopPlace {
  std::string name{};  ///< of the contact
  ScenePoint at{};
};
std::vector<StopPlace> stops(const SceneJoint& joint);

void draw_joints(Picture& picture);
void draw_forces(Picture& picture);

}  // namespace backlash::drawing
