// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "backlash/dynamics/kernel/coordinate.h"

namespace backlash::planar {

/// The play of a journal in its bearing.
struct JournalPlay {
  Vec2 p_AP = Vec2::Zero();  ///< middle of the bearing [m]
  double gap = 0;            ///< radial, when centred [m]
};

/// The play of a slider in its guide.
struct GuidePlay {
  Coordinate across{}, tilt{};
  double gap = 0;  ///< on each side, when centred [m]
};

/// The play of teeth.
struct ToothPlay {
  CoupledCoordinates coupling{};
  double gap = 0;  ///< on each side [m] or [rad]
};

/// A joint as its outputs see it.
struct JointPart {
  enum class Reaction {
    none,    ///< it holds nothing
    full,    ///< a force on B at Q and a torque about it
    torque,  ///< of a gear, along the second coordinate
    force    ///< of a rack, along the second coordinate
  };
  std::string name{};
  int a = -1, b = -1;        ///< bodies of the tree; −1: the ground
  Vec2 p_BQ = Vec2::Zero();  ///< [m]
  int carried = -1;          ///< the body that it carries in the tree, a or b; −1: rows hold it
  Reaction reaction = Reaction::none;
  std::vector<Coordinate> coordinates{};  ///< of a joint that is not in the tree
  std::variant<std::monostate, JournalPlay, GuidePlay, ToothPlay> play{};
};

}  // namespace backlash::planar
