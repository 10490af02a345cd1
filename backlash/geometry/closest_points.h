// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/geometry/pose.h"
#include "backlash/geometry/pose2.h"
#include "backlash/geometry/shape.h"
#include "backlash/geometry/shape_features.h"
#include "backlash/geometry/touch.h"

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
  std::array<double, 2> parameters{};  ///< of profiles: where on the curve of A and of B
};

/// The candidates for touching of two shapes A and B: features of A against features of B. Two
/// shapes may touch in several places at once (a box on a line by two corners), each is a
/// candidate. What the corners of A touch comes first, in the order of the corners, then those of
/// B: in the same order for the same shapes. Refers to the features of the shapes.
class Candidates {
 public:
  struct Part {
    Touch touch{};
    Role first = Role::A;  ///< whose is the first feature of `touch`
    int count = 0;         ///< candidates
  };

  std::string refusal{};  ///< if the shapes cannot touch: why, and what to use instead

  std::span<const Part> parts() const { return {list_.data(), static_cast<std::size_t>(size_)}; }
  int count() const { return count_; }

  /// The part that has candidate k, and which of its own that is.
  std::pair<const Part&, int> find(int k) const {
    const Part* part = list_.data();
    for (; k >= part->count; ++part) k -= part->count;
    return {*part, k};
  }

  void add(const Touch& touch, Role first, int count);

 private:
  std::array<Part, 4> list_{};
  int size_ = 0, count_ = 0;
};

/// Allocates nothing, unless the shapes cannot touch.
Candidates candidates(const ShapeFeatures& A, const ShapeFeatures& B);

/// Which place of the two shapes a candidate is.
struct CandidatePlace {
  Role side = Role::A;  ///< whose corner it is
  int corner = -1;      ///< from 0, in the order of ShapeFeatures::corners; −1: no corner
  int piece = -1;       ///< of the other's outline, if that has several; else −1
  bool on_end = false;  ///< the other is met at its round ends, not at its faces
};
CandidatePlace place_of(const Candidates& all, int k, const ShapeFeatures& A,
                        const ShapeFeatures& B);

/// Names both kinds, and what to use instead.
std::string refusal_message(std::string_view kind_A, std::string_view kind_B,
                            const Candidates& refused);

/// Where the features of candidate k are closest, the bodies being at X_WA and X_WB. The gap is
/// infinite where profiles have no such pair of points now, and no number where they touch and no
/// single pair is closest.
ClosestPoints closest_points(const Candidates& all, int k, const Pose2& X_WA, const Pose2& X_WB);

/// A candidate that is near.
struct NearCandidate {
  int candidate;
  ClosestPoints closest;
};

/// Writes those candidates whose gap is at most `reach` [m] (or no number) to `found`, which has
/// room for all, in their order, and returns how many. Those whose features are in circles that are
/// far apart (theory 7.18) are not looked at.
std::size_t find_near(const Candidates& all, const Pose2& X_WA, const Pose2& X_WB, double reach,
                      std::span<NearCandidate> found);

/// Of profiles: what is known of them, and what their searches leave for the next.
struct ProfileSearch {
  std::span<const KnownPlace> known{};  ///< parameters on A and B
  ProfileMemory& memory;
};

/// The profiles that touch, if that is what the candidates are; else null.
const ProfileTouch* profile_touch(const Candidates& all);

/// The same as find_near() for profiles, which follows what was found before.
std::size_t find_near(const Candidates& all, const Pose2& X_WA, const Pose2& X_WB, double reach,
                      const ProfileSearch& search, std::span<NearCandidate> found);

/// One candidate with its shapes. A value: all data are inside.
struct FeaturePair {
  std::shared_ptr<const ShapeFeatures> A, B;
  int candidate = 0;
};

/// All candidates for touching of two shapes, each with its pose in its body. Throws InputError for
/// shapes that make no sense, and naming both kinds, and what to use instead, for shapes that
/// cannot touch.
std::vector<FeaturePair> feature_pairs(const Shape& A, const Pose& X_AS, const Shape& B,
                                       const Pose& X_BS);

inline ClosestPoints closest_points(const FeaturePair& pair, const Pose2& X_WA, const Pose2& X_WB) {
  return closest_points(candidates(*pair.A, *pair.B), pair.candidate, X_WA, X_WB);
}

}  // namespace backlash
