// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <variant>
#include <vector>

#include "backlash/geometry/feature.h"
#include "backlash/geometry/profile_boundary.h"
#include "backlash/geometry/straight_outline.h"

/// How profiles of any form touch others: where, found with certainty and followed (theory 11.22).
namespace backlash {

/// A profile against another boundary, a disk (a corner) or a half-plane.
struct ProfileTouch {
  const ProfileBoundary* profile = nullptr;
  std::variant<const ProfileBoundary*, const Corner*, const HalfPlane*> other{};
};

/// Names that places where the two touch may have, from 0 on: candidates for touching.
int place_count(const ProfileTouch& touch);

/// What a search leaves for the next one, which then follows what this one found. What is found
/// does not depend on it, but for round-off. A value: copying it is saving it.
struct ProfileMemory {
  Pose2 X_12{};        ///< of the other in the frame of the profile's body, at the last search
  double reach = 0;    ///< all pairs with a gap up to reach + margin were found [m]
  double margin = -1;  ///< search again after so much relative motion [m]; < 0: never searched
  std::vector<FacingPair<2>> pairs{};    ///< where they were last
  std::vector<double> gaps{};            ///< of them, at the last search [m]
  std::vector<int> places{};             ///< names of the pairs in a search; −1: none
  std::vector<FacingPair<2>> waiting{};  ///< pairs that may count soon
  std::vector<double> waiting_gaps{};    ///< of them, at the last search [m]
  bool singular = false;  ///< they touch where no single pair is closest (theory 11.9)
  long searches = 0;      ///< so far
  long jumps = 0;         ///< pairs that were lost where they should have been followed

  void archive(Archive& a) {
    a(X_12, reach, margin, pairs, gaps, places, waiting, waiting_gaps, singular, searches, jumps);
  }
};

/// A place that was touched before: it keeps its name wherever it has moved since.
struct KnownPlace {
  int place = 0;
  std::array<double, 2> parameters{};  ///< on the profile, and on the other
};

/// A pair of points with the name of their place.
struct ProfileContact {
  int place;
  FacingPair<2> pair;                ///< A is the profile
  double radius_1, radius_2;         ///< of curvature [m]
  std::array<double, 2> parameters;  ///< on the profile, and on the other
};

/// Calls use(ProfileContact) for those with a gap of at most `reach` [m], not in order. False if
/// the two touch and no single pair is closest. Allocates nothing once `memory` has room.
template <class Use>
bool for_each_contact(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
                      std::span<const KnownPlace> known, ProfileMemory& memory, Use&& use);

/// Brings the pairs of the memory to where the bodies are now (theory 11.16), and names them.
void update_profile(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
                    std::span<const KnownPlace> known, ProfileMemory& memory);

/// Of a pair of the memory.
ProfileContact profile_contact(const ProfileTouch& touch, const ProfileMemory& memory,
                               std::size_t pair);

template <class Use>
bool for_each_contact(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
                      std::span<const KnownPlace> known, ProfileMemory& memory, Use&& use) {
  update_profile(touch, X_W1, X_W2, reach, known, memory);
  for (std::size_t i = 0; i < memory.pairs.size(); ++i)
    if (memory.places[i] >= 0 && memory.pairs[i].gap <= reach)
      use(profile_contact(touch, memory, i));
  return !memory.singular;
}

}  // namespace backlash
