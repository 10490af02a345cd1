// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/geometry/feature.h"
#include "backlash/geometry/pose.h"
#include "backlash/geometry/pose2.h"
#include "backlash/geometry/shape.h"

namespace backlash {

/// The closest points of a feature of A and one of B, and how far apart they are (theory 7.1). With
/// velocities v_A, v_B of the material at the two points, ġ = n · (v_B − v_A) (theory 7.2).
struct ClosestPoints {
  Vec2 p_WA;   ///< on A's boundary, in the world [m]
  Vec2 p_WB;   ///< on B's boundary, in the world [m]
  Vec2 n_W;    ///< unit normal from A into B
  double gap;  ///< n · (p_WB − p_WA) [m]; negative: the shapes overlap by |gap|
  /// Radii of curvature at the points: > 0 bulges, 0 is a corner, < 0 a hollow, infinite flat [m].
  double radius_A = INFINITY, radius_B = INFINITY;
};

/// One candidate for touching: a feature of A and one of B. Two shapes may touch in several places
/// at once (a box on a line by two corners), each is a candidate. A value: all data are inside.
struct FeaturePair {
  Touch touch;
  Role first = Role::A;  ///< whose is the first feature of `touch`
};

/// All candidates for touching of two shapes, each with its pose in its body; in the same order for
/// the same shapes: what the corners of A touch, in the order of the corners, then those of B.
/// Throws InputError naming both kinds, and what to use instead, for shapes that cannot touch.
std::vector<FeaturePair> feature_pairs(const Shape& A, const Pose& X_AS, const Shape& B,
                                       const Pose& X_BS);

/// Where the two features are closest, their bodies being at X_WA and X_WB. Allocates nothing.
ClosestPoints closest_points(const FeaturePair& pair, const Pose2& X_WA, const Pose2& X_WB);

/// A circle around a feature, and around what counts as its inside.
struct FeatureBound {
  Vec2 centre;    ///< in the frame of the feature's body [m]
  double radius;  ///< [m]; infinite for a line and for a ring
};

/// For the broad phase: while the two circles are apart, the gap is at least their distance.
FeatureBound bound_of_A(const FeaturePair& pair);
FeatureBound bound_of_B(const FeaturePair& pair);

}  // namespace backlash
