// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/geometry/cam_curve.h"
#include "backlash/geometry/pose2.h"

/// What shapes are made of where they touch: rounded corners on one side, outlines on the other.
/// Points and directions in the frame of the feature's body, lengths [m].
namespace backlash {

/// Directions around `middle`: those d with d · middle ≥ cosine.
struct Cone {
  Vec2 middle = Vec2::UnitX();
  double cosine = -2;  ///< of half the opening; below −1: all directions

  bool all() const { return cosine < -1; }
  bool contains(const Vec2& d) const { return d.dot(middle) >= cosine; }
};

/// A corner, rounded with a radius: a point, a disk, the corner of a polygon, an end of a segment,
/// the round part of an arc. It can touch what lies in the directions of its normal cone (7.4).
struct Corner {
  Vec2 p = Vec2::Zero();
  double radius = 0;
  Cone normals{};
};

/// The boundary of a half-plane.
struct HalfPlane {
  Vec2 point;
  Vec2 normal;  ///< unit, out of the material
};

/// A straight wall from a, with ends, as deep as it is long.
struct Wall {
  Vec2 a;
  Vec2 along;   ///< unit, from a to the other end
  Vec2 normal;  ///< unit, out of the material: right of `along`
  double length;
};

/// One side of a polygon.
struct Side {
  Vec2 a;       ///< first corner
  Vec2 along;   ///< unit
  Vec2 normal;  ///< unit, outwards
  double length;
  bool hollow_end;  ///< whether the polygon turns right at the end of the side
  int piece;        ///< the convex piece of the outline that the side belongs to
};

/// A polygon's sides, cut into convex pieces that turn by 180° at most (7.8); a convex polygon is
/// one piece.
struct Outline {
  std::vector<Side> sides{};
  int pieces = 1;
  bool convex = true;
  Vec2 middle = Vec2::Zero();  ///< of a circle around all
  double size = 0;             ///< its radius
};

/// A convex piece of a polygon: touched at one place at a time.
struct OutlinePiece {
  const Outline* outline;
  int piece;
};

/// Whether an arc answers for its ends, too.
enum class ArcEnds {
  touched,  ///< beyond an end, the end is the closest point
  open      ///< the ends are corners of their own
};

/// A circle or part of one, touched from outside.
struct ConvexArc {
  Vec2 centre;
  double radius;
  Cone range{};  ///< the directions of its points from the centre
  std::array<Corner, 2> ends{};
  ArcEnds answer = ArcEnds::touched;
};

/// A round hole or part of one, touched from inside; a part is as deep as its radius.
struct ConcaveArc {
  Vec2 centre;
  double radius;
  Cone range{};
  std::array<Vec2, 2> ends{Vec2::Zero(), Vec2::Zero()};
};

/// A cam with its place in its body.
struct Cam {
  std::shared_ptr<const CamCurve> curve;
  Pose2 place{};
};

/// Corners against an outline: each corner is a candidate for touching, one on each piece of a
/// polygon.
template <class T>
struct CornersOn {
  std::span<const Corner> corners{};
  const T* outline = nullptr;
};

/// A flat face against a cam; the face's ends, if it has any, are corners of their own.
template <class Face>
struct FaceOnCam {
  const Face* face = nullptr;
  const Cam* cam = nullptr;
};

/// All ways of touching: a new one is added here, and functions for it in closest_points.cpp and
/// touch_radii.cpp.
using Touch =
    std::variant<CornersOn<HalfPlane>, CornersOn<Wall>, CornersOn<Outline>, CornersOn<ConvexArc>,
                 CornersOn<ConcaveArc>, CornersOn<Cam>, FaceOnCam<HalfPlane>, FaceOnCam<Wall>>;

enum class Role { A, B };

}  // namespace backlash
