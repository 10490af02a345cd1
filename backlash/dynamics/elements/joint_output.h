// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "backlash/dynamics/kernel/coordinate.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// The play of a journal in its bearing, in the plane.
struct JournalPlay {
  PlainVec2 p_AP{};  ///< middle of the bearing [m]
  double gap = 0;    ///< radial, when centred [m]
};

/// The play of a slider in its guide, in the plane.
struct GuidePlay {
  Coordinate<Plane> across{}, tilt{};
  double gap = 0;  ///< on each side, when centred [m]
};

/// The play of teeth.
template <class S>
struct ToothPlay {
  CoupledCoordinates<S> coupling{};
  double gap = 0;  ///< on each side [m] or [rad]
};

/// All kinds of play.
template <class S>
struct Plays;
template <>
struct Plays<Plane> {
  using Kind = std::variant<std::monostate, JournalPlay, GuidePlay, ToothPlay<Plane>>;
};
template <>
struct Plays<Space> {
  using Kind = std::variant<std::monostate, ToothPlay<Space>>;
};

/// A joint as its outputs see it; or its drive, or a set-valued force, which have a reaction alone.
template <class S>
struct JointOutput {
  std::string name{};
  int a = -1, b = -1;                     ///< bodies of the tree; −1: the ground
  typename S::Vec p_BQ = S::Vec::Zero();  ///< [m]
  int carried = -1;  ///< the body that it carries in the tree, a or b; −1: rows hold it
  ReactionKind reaction = ReactionKind::none;
  std::vector<Coordinate<S>> coordinates{};  ///< of a joint that is not in the tree
  typename Plays<S>::Kind play{};
  Origin::Kind kind = Origin::Kind::joint;
  int row = -1;  ///< of a drive: its row among Parts::constraints
};

/// A force in h as its outputs see it.
struct ForceOutput {
  std::string name{};  ///< of its columns
  int element = -1;    ///< index into Parts::forces
  double factor = 1;   ///< of what acts along its coordinate: a motor's is that of its rotor
};

}  // namespace backlash
