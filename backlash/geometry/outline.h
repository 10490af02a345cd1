// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "backlash/geometry/cam_outline.h"
#include "backlash/geometry/polygon_outline.h"
#include "backlash/geometry/round_outline.h"
#include "backlash/geometry/shapes/capsule.h"
#include "backlash/geometry/straight_outline.h"

namespace backlash {

/// All outlines that corners may touch. Each says where a corner is closest to it (foot), what
/// holds it (circle_around) and how round it is (touch_radius); one in pieces, how many there are
/// (piece_count), and says this of each (piece_of). How deep its material is: passing_depth.h.
using Outline =
    std::variant<HalfPlane, Wall, PolygonOutline, ConvexArc, RoundCorners, ConcaveArc, Cam, Bar>;

template <class T>
concept InPieces = requires(const T& outline) {
  piece_count(outline);
};

/// An outline that features share.
using SharedOutline = std::shared_ptr<const Outline>;

template <class T>
SharedOutline shared_outline(T outline) {
  return std::make_shared<const Outline>(std::move(outline));
}

}  // namespace backlash
