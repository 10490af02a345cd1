// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/profile_touch.h"

#include <algorithm>
#include <optional>

#include "backlash/geometry/nurbs/births.h"
#include "backlash/geometry/nurbs/pair_conditions.h"

namespace backlash {
namespace {

/// More places may be touched between two parts, if they are hollow or have corners.
constexpr int spare_places = 4;

/// A place that moved by more than this part of its curve is another one.
constexpr double farthest_slip = 0.1;

/// The other as a disk, in its frame: a corner, or a curve that is a circle.
std::optional<SolidBall<2>> disk_of_other(const ProfileTouch& touch) {
  if (const auto* corner = std::get_if<const Corner*>(&touch.other))
    return SolidBall<2>{(*corner)->p, (*corner)->radius};
  const auto* profile = std::get_if<const ProfileBoundary*>(&touch.other);
  if (!profile || !(*profile)->disk()) return {};
  return SolidBall<2>{(*profile)->disk()->centre, (*profile)->disk()->radius};
}

/// The other body as distances know it.
template <class Use>
auto with_other(const ProfileTouch& touch, const Pose2& X, Use&& use) {
  if (const auto disk = disk_of_other(touch))
    return use(SolidBall<2>{X.point(disk->centre), disk->radius});
  if (const auto* profile = std::get_if<const ProfileBoundary*>(&touch.other))
    return use(Placed<2>{(*profile)->boundary(), X});
  const HalfPlane& face = *std::get<const HalfPlane*>(touch.other);
  return use(HalfSpace<2>{X.point(face.point), X.direction(face.normal)});
}

const ProfileBoundary* other_profile(const ProfileTouch& touch) {
  const auto* profile = std::get_if<const ProfileBoundary*>(&touch.other);
  return profile ? *profile : nullptr;
}

int other_parts(const ProfileTouch& touch) {
  const ProfileBoundary* other = other_profile(touch);
  return other ? other->parts() : 1;
}

/// Whether the two touch in one place at a time.
bool one_place(const ProfileTouch& touch) {
  const ProfileBoundary* other = other_profile(touch);
  const bool straight = touch.profile->has_straight_stretches();
  if (!touch.profile->convex()) return false;
  if (other) return other->convex() && !(straight && other->has_straight_stretches());
  return !straight || std::holds_alternative<const Corner*>(touch.other);
}

int part_pairs(const ProfileTouch& touch) { return touch.profile->parts() * other_parts(touch); }

/// The size of the smaller one that has any [m].
double size_of(const ProfileTouch& touch) {
  const ProfileBoundary* other = other_profile(touch);
  return other ? std::min(touch.profile->size(), other->size()) : touch.profile->size();
}

/// The farthest that a point of a circle has moved with its frame.
double farthest_motion(const Pose2& then, const Pose2& now, const Vec2& centre, double radius) {
  const double turned = std::hypot(now.c - then.c, now.s - then.s);
  return (now.point(centre) - then.point(centre)).norm() + radius * turned;
}

Pose2 inverse(const Pose2& X) { return nurbs::relative_pose(X, Pose2{}); }

/// How much gaps may have changed since the last search, at most (theory 11.16).
double relative_motion(const ProfileTouch& touch, const Pose2& then, const Pose2& now) {
  if (const auto disk = disk_of_other(touch)) return farthest_motion(then, now, disk->centre, 0);
  if (const ProfileBoundary* other = other_profile(touch))
    return farthest_motion(then, now, other->boundary().facets().middle(), other->size());
  return farthest_motion(inverse(then), inverse(now), touch.profile->boundary().facets().middle(),
                         touch.profile->size());
}

std::array<double, 2> parameters_of(const ProfileTouch& touch, const FacingPair<2>& pair) {
  const ProfileBoundary* other = other_profile(touch);
  return {touch.profile->parameter(pair.A), other ? other->parameter(pair.B) : 0};
}

/// How far a point [in the body's frame] is outside of the material of a closed boundary; < 0:
/// inside [m].
double distance_outside(const ContactBoundary<2>& boundary, const Vec2& p) {
  const double beyond = (p - boundary.facets().middle()).norm() - boundary.size();
  if (beyond > 0) return beyond;
  return nurbs::nearest_point<2>(boundary, p).gap;
}

/// Whether some part of a curve is in the material of a closed boundary, by more than a thousandth
/// of the size: pieces are halved until they are inside, or too far out to reach it.
bool enters(const ContactBoundary<2>& boundary, const nurbs::BezierPieces<2, 1>& pieces,
            const Pose2& X) {
  if (!boundary.facets().axis(0).closed) return false;
  const double smallest = 1e-3 * boundary.size();
  std::array<nurbs::Interval, 64> stack;
  for (int i = 0; i < pieces.count(); ++i) {
    std::size_t top = 0;
    stack[top++] = {0, 1};
    while (top > 0) {
      const nurbs::Interval range = stack[--top];
      const nurbs::CellPart<2, 1> part = pieces.part(i, {range}, &X);
      const Vec2 p = nurbs::vec<2>(part.middle.p);
      double farthest = 0;
      for (std::size_t c = 0; c < 2; ++c)
        farthest = std::hypot(farthest, (part.all.p[c] - part.middle.p[c]).magnitude());
      const double outside = distance_outside(boundary, p);
      if (outside < -smallest) return true;
      if (outside > farthest || farthest < smallest || top + 2 > stack.size()) continue;
      stack[top++] = {range.lower, range.middle()};
      stack[top++] = {range.middle(), range.upper};
    }
  }
  return false;
}

/// Whether each pair of closest points has a line between the two, so that one which does not
/// overlap proves that they do not (theory 11.9).
bool pairs_separate(const ProfileTouch& touch) {
  const ProfileBoundary* other = other_profile(touch);
  return other && touch.profile->behind_tangents() && other->behind_tangents();
}

/// Where no pair overlaps: whether one is so deep in the other that it has no way out.
bool swallowed(const ProfileTouch& touch, const Pose2& X_12) {
  const ContactBoundary<2>& first = touch.profile->boundary();
  if (const auto disk = disk_of_other(touch))
    return first.facets().axis(0).closed && distance_outside(first, X_12.point(disk->centre)) < 0;
  const ProfileBoundary* other = other_profile(touch);
  if (other == nullptr) return false;
  const ContactBoundary<2>& second = other->boundary();
  return enters(first, second.facets(), X_12) || enters(second, first.facets(), inverse(X_12));
}

bool is_open(const ProfileBoundary* profile) {
  return profile != nullptr && !profile->boundary().facets().axis(0).closed;
}

/// Whether the two may overlap, seen from the last search: they did, or have come a long way since,
/// or from behind an open curve.
bool may_overlap(const ProfileTouch& touch, const ProfileMemory& memory, double moved) {
  if (is_open(touch.profile) || is_open(other_profile(touch))) return true;
  if (memory.margin < 0 || memory.singular || moved > memory.reach + 2 * memory.margin) return true;
  return std::ranges::any_of(memory.pairs, [](const FacingPair<2>& pair) { return pair.gap <= 0; });
}

/// Cuts the margin to what cannot bring a pair that does not exist yet (theory 11.27).
void limit_margin(const ProfileTouch& touch, const Placed<2>& first, const Pose2& X_W2,
                  ProfileMemory& memory) {
  const ProfileBoundary* other = other_profile(touch);
  if (!touch.profile->hollow() && !(other && other->hollow())) return;
  double deepest = 0;
  for (const FacingPair<2>& pair : memory.pairs) deepest = std::max(deepest, -pair.gap);
  // What is born farther away is known before it is near.
  const double near = std::isfinite(memory.reach) ? memory.reach : 2 * memory.margin;
  const BirthLimits limits{near, deepest + memory.margin};
  memory.margin = with_other(touch, X_W2, [&](const auto& body) {
    return motion_without_birth(first, body, limits, memory.margin);
  });
}

/// Searches for all pairs, within a margin that is the wider the less there is.
void search_again(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
                  double moved, ProfileMemory& memory) {
  constexpr std::size_t usual = 16;  // pairs at a time, without allocation
  constexpr double part = 0.02;      // of the size
  memory.pairs.reserve(usual);
  memory.gaps.reserve(usual);
  memory.places.reserve(usual);
  memory.waiting.reserve(usual);
  memory.waiting_gaps.reserve(usual);
  const bool deep = may_overlap(touch, memory, moved);
  const double size = size_of(touch), least = part * size;
  const bool lonely = memory.margin >= 0 && memory.pairs.empty();
  memory.margin = lonely ? std::min(2 * std::max(memory.margin, least), size) : least;
  memory.reach = std::max(reach, 0.0);
  memory.X_12 = nurbs::relative_pose(X_W1, X_W2);
  memory.singular = false;
  ++memory.searches;
  const Placed<2> first{touch.profile->boundary(), X_W1};
  const auto find = [&](double within) {
    return with_other(touch, X_W2, [&](const auto& other) {
      return find_pairs(first, other, within, memory.pairs, &memory.waiting);
    });
  };
  if (find(memory.reach + memory.margin) == DistanceStatus::singular) {
    memory.singular = find(0.0) == DistanceStatus::singular;  // do they touch there?
    find(memory.reach + memory.margin);
  }
  const auto overlaps = [](const FacingPair<2>& pair) { return pair.gap <= 0; };
  const bool proven_apart = !memory.pairs.empty() && pairs_separate(touch);
  if (deep && !memory.singular && !proven_apart && std::ranges::none_of(memory.pairs, overlaps))
    memory.singular = swallowed(touch, memory.X_12);
  if (!one_place(touch))  // so that names depend on places, not on gaps
    std::ranges::sort(memory.pairs, {},
                      [&](const FacingPair<2>& pair) { return parameters_of(touch, pair); });
  if (!memory.pairs.empty()) {  // look again soon: others may be born
    memory.reach += memory.margin - least;
    memory.margin = least;
    limit_margin(touch, first, X_W2, memory);
  }
  memory.gaps.clear();
  for (const FacingPair<2>& pair : memory.pairs) memory.gaps.push_back(pair.gap);
  memory.waiting_gaps.clear();
  for (const FacingPair<2>& pair : memory.waiting) memory.waiting_gaps.push_back(pair.gap);
}

/// What overlaps by no more than this does not do so at its far side [m].
double thin_overlap(const ProfileTouch& touch) {
  const ProfileBoundary* other = other_profile(touch);
  const double least = touch.profile->thickness();
  return 1e-3 * (other ? std::min(least, other->thickness()) : least);
}

/// Whether a pair may be what it was: its gap changed by no more than the bodies moved (theory
/// 11.28), and what overlaps, more than a little, did not come a long way.
bool continues(const ProfileTouch& touch, double gap, double moved, const ProfileMemory& memory,
               const FacingPair<2>& pair) {
  if (std::abs(pair.gap - gap) > moved + 1e-9 * size_of(touch)) return false;
  return pair.gap > -thin_overlap(touch) || moved <= std::max(memory.margin, 0.0);
}

/// Whether two pairs ended in the same place, so that one of them left its own.
bool any_merged(const ProfileTouch& touch, const ProfileMemory& memory) {
  const double near = 1e-7 * size_of(touch);
  const auto same = [&](const FacingPair<2>& a, const FacingPair<2>& b) {
    return a.gap < INFINITY && b.gap < INFINITY && (a.p_WA - b.p_WA).norm() < near &&
           (a.p_WB - b.p_WB).norm() < near;
  };
  for (std::size_t i = 0; i < memory.pairs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same(memory.pairs[i], memory.pairs[j])) return true;
  return false;
}

/// Follows those that may be within reach; false where one is lost.
bool follow_all(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
                double moved, ProfileMemory& memory) {
  const Placed<2> first{touch.profile->boundary(), X_W1};
  for (std::size_t i = 0; i < memory.pairs.size(); ++i) {
    if (memory.gaps[i] - moved > reach) {
      memory.pairs[i].gap = INFINITY;  // out of reach, wherever it is now
      continue;
    }
    const bool kept = with_other(
        touch, X_W2, [&](const auto& other) { return follow(first, other, memory.pairs[i]); });
    if (!kept || !continues(touch, memory.gaps[i], moved, memory, memory.pairs[i])) return false;
  }
  return !any_merged(touch, memory);
}

/// Whether none of those that did not count does so now.
bool all_wait(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
              double moved, ProfileMemory& memory) {
  const Placed<2> first{touch.profile->boundary(), X_W1};
  for (std::size_t i = 0; i < memory.waiting.size(); ++i) {
    if (memory.waiting_gaps[i] - moved > reach) continue;
    const bool waits = with_other(touch, X_W2, [&](const auto& other) {
      return still_waits(first, other, memory.waiting[i]);
    });
    if (!waits) return false;
  }
  return true;
}

/// Where the pairs lie on a curve that is a circle: it was met as a disk.
void locate_on_disk(const ProfileTouch& touch, const Pose2& X_W2, ProfileMemory& memory) {
  const ProfileBoundary* other = other_profile(touch);
  if (!other || !other->disk()) return;
  for (FacingPair<2>& pair : memory.pairs)
    if (pair.gap < INFINITY)
      pair.B.parameters[0] =
          other->parameter_towards(X_W2.local_point(pair.p_WB) - other->disk()->centre);
}

/// How far a pair is from a place that was known, as a part of the curves.
double slip(const ProfileTouch& touch, const FacingPair<2>& pair, const KnownPlace& known) {
  const std::array<double, 2> now = parameters_of(touch, pair);
  const ProfileBoundary* other = other_profile(touch);
  const double along = touch.profile->parameter_distance(now[0], known.parameters[0]);
  return other ? std::max(along, other->parameter_distance(now[1], known.parameters[1])) : along;
}

int default_place(const ProfileTouch& touch, const FacingPair<2>& pair) {
  if (one_place(touch)) return 0;
  const ProfileBoundary* other = other_profile(touch);
  return touch.profile->part(pair.A) * other_parts(touch) + (other ? other->part(pair.B) : 0);
}

/// Those that are known keep their names: of two, the one that moved less.
void recognise(const ProfileTouch& touch, std::span<const KnownPlace> known,
               ProfileMemory& memory) {
  for (const KnownPlace& place : known) {
    double least = farthest_slip;
    std::size_t best = memory.pairs.size();
    for (std::size_t i = 0; i < memory.pairs.size(); ++i) {
      const double moved = slip(touch, memory.pairs[i], place);
      if (moved >= least) continue;
      const auto nearer = [&](const KnownPlace& rival) {
        return slip(touch, memory.pairs[i], rival) < moved;
      };
      if (std::ranges::any_of(known, nearer)) continue;
      least = moved;
      best = i;
    }
    if (best < memory.pairs.size()) memory.places[best] = place.place;
  }
}

/// The others are named after the parts that they lie on, or if that name is taken by a spare one.
void name_others(const ProfileTouch& touch, std::span<const KnownPlace> known,
                 ProfileMemory& memory) {
  const auto taken = [&](int place) {
    return std::ranges::find(memory.places, place) != memory.places.end() ||
           (!one_place(touch) &&
            std::ranges::find(known, place, &KnownPlace::place) != known.end());
  };
  const int pairs = part_pairs(touch), all = place_count(touch);
  for (std::size_t i = 0; i < memory.pairs.size(); ++i) {
    if (memory.places[i] >= 0) continue;
    int place = default_place(touch, memory.pairs[i]);
    while (place < all && taken(place)) place += pairs;
    if (place < all) memory.places[i] = place;
  }
}

}  // namespace

int place_count(const ProfileTouch& touch) {
  return one_place(touch) ? 1 : spare_places * part_pairs(touch);
}

void update_profile(const ProfileTouch& touch, const Pose2& X_W1, const Pose2& X_W2, double reach,
                    std::span<const KnownPlace> known, ProfileMemory& memory) {
  const Pose2 X_12 = nurbs::relative_pose(X_W1, X_W2);
  const double moved = memory.margin < 0 ? INFINITY : relative_motion(touch, memory.X_12, X_12);
  const bool all_known = one_place(touch) && memory.pairs.size() == 1 && memory.margin >= 0;
  const bool enough =
      (moved <= memory.margin && reach + moved <= memory.reach + memory.margin) || all_known;
  if (!enough || memory.singular) {
    search_again(touch, X_W1, X_W2, reach, moved, memory);
  } else if (!follow_all(touch, X_W1, X_W2, reach, moved, memory)) {
    ++memory.jumps;
    search_again(touch, X_W1, X_W2, reach, moved, memory);
  } else if (!all_wait(touch, X_W1, X_W2, reach, moved, memory)) {
    search_again(touch, X_W1, X_W2, reach, moved, memory);
  } else if (all_known && memory.pairs[0].gap < INFINITY) {
    memory.X_12 = X_12;
    memory.gaps[0] = memory.pairs[0].gap;
  }
  locate_on_disk(touch, X_W2, memory);
  memory.places.assign(memory.pairs.size(), -1);
  recognise(touch, known, memory);
  name_others(touch, known, memory);
}

ProfileContact profile_contact(const ProfileTouch& touch, const ProfileMemory& memory,
                               std::size_t i) {
  const FacingPair<2>& pair = memory.pairs[i];
  ProfileContact out{memory.places[i], pair, touch.profile->radius(pair.A), INFINITY,
                     parameters_of(touch, pair)};
  if (const ProfileBoundary* other = other_profile(touch))
    out.radius_2 = other->radius(pair.B);
  else if (const auto* corner = std::get_if<const Corner*>(&touch.other))
    out.radius_2 = (*corner)->radius;
  return out;
}

}  // namespace backlash
