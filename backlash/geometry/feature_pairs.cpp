// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/closest_points.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

/// Either candidates, or why there are none and what to use instead.
struct Candidates {
  std::vector<FeaturePair> pairs{};
  std::string refusal{};
};

Candidates refused(std::string why) { return {{}, std::move(why)}; }

template <class T>
Candidates on(const std::vector<Corner>& corners, const T& outline, Role first = Role::A) {
  Candidates out;
  for (const Corner& corner : corners) out.pairs.push_back({CornerOn<T>{corner, outline}, first});
  return out;
}

Candidates on(const std::vector<Corner>& corners, const std::vector<OutlinePiece>& pieces,
              Role first = Role::A) {
  Candidates out;
  for (const Corner& corner : corners)
    for (const OutlinePiece& piece : pieces)
      out.pairs.push_back({CornerOn<OutlinePiece>{corner, piece}, first});
  return out;
}

Candidates operator+(Candidates a, const Candidates& b) {
  a.pairs.insert(a.pairs.end(), b.pairs.begin(), b.pairs.end());
  return a;
}

/// A corner of finite radius in a hole of finite radius.
Candidates inside_hole(const std::vector<Corner>& corners, const ConcaveArc& hole) {
  std::vector<Corner> fitting;
  for (const Corner& corner : corners)
    if (corner.radius < hole.radius) fitting.push_back(corner);
  return on(fitting, hole);
}

/// The profile itself must exist where it is touched by something else than a long face.
Candidates on_profile(const std::vector<Corner>& corners, const Cam& cam) {
  if (const auto angle = cam.curve->undercut())
    return refused(
        fmt::format("the cam has no profile near {:.0f} deg: its function jumps or bends "
                    "too sharply for its kind of follower; enlarge its base, or use a "
                    "line against a cam with the function 'flat'",
                    *angle * 180 / std::numbers::pi));
  return on(corners, cam);
}

template <class Face>
Candidates face_on(const Face& face, const Cam& cam) {
  return {{{FaceOnCam<Face>{face, cam}, Role::A}}, {}};
}

/// The table of pairs: each unordered pair of kinds stands here once. What is not rounded touches
/// with its corners; what bulges is itself one rounded corner.
struct PairTable {
  using P = Point;
  using C = Circle;
  using R = Ring;
  using S = Segment;
  using L = Line;
  using G = Polygon;
  using O = OuterArc;
  using I = InnerArc;
  static constexpr auto open = ArcEnds::open;
  static constexpr auto touched = ArcEnds::touched;
  static constexpr auto B = Role::B;

  Candidates operator()(const P&, const P&) const { return refused(two_points); }
  Candidates operator()(const P& a, const C& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const P& a, const R& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const P& a, const S& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const P& a, const L& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const P& a, const G& b) const { return on(corners(a), pieces(b)); }
  Candidates operator()(const P& a, const O& b) const {
    return on(corners(a), outline(b, touched));
  }
  Candidates operator()(const P& a, const I& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const P& a, const Cam& b) const { return on_profile(corners(a), b); }

  Candidates operator()(const C& a, const C& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const C& a, const R& b) const {
    if (a.radius < b.radius) return on(corners(a), outline(b));
    return refused(
        fmt::format("a circle of radius {} m does not fit into a ring of radius {} m; "
                    "make the circle smaller, or the ring a circle",
                    a.radius, b.radius));
  }
  Candidates operator()(const C& a, const S& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const C& a, const L& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const C& a, const G& b) const { return on(corners(a), pieces(b)); }
  Candidates operator()(const C& a, const O& b) const {
    return on(corners(a), outline(b, touched));
  }
  Candidates operator()(const C& a, const I& b) const {
    return inside_hole(corners(a), outline(b)) + on(corners(b), outline(a), B);
  }
  Candidates operator()(const C& a, const Cam& b) const { return on_profile(corners(a), b); }

  Candidates operator()(const R&, const R&) const { return refused(two_holes); }
  Candidates operator()(const R& a, const S& b) const { return on(corners(b), outline(a), B); }
  Candidates operator()(const R&, const L&) const { return refused(unlimited); }
  Candidates operator()(const R& a, const G& b) const { return on(corners(b), outline(a), B); }
  Candidates operator()(const O& a, const R& b) const {
    return inside_hole(corners(a), outline(b));
  }
  Candidates operator()(const R&, const I&) const { return refused(two_holes); }
  Candidates operator()(const R&, const Cam&) const { return refused(no_follower); }

  Candidates operator()(const S& a, const S& b) const {
    return on(corners(a), outline(b)) + on(corners(b), outline(a), B);
  }
  Candidates operator()(const S& a, const L& b) const { return on(corners(a), outline(b)); }
  Candidates operator()(const S& a, const G& b) const {
    return on(corners(a), pieces(b)) + on(corners(b), outline(a), B);
  }
  Candidates operator()(const S& a, const O& b) const { return on(corners(b), outline(a), B); }
  Candidates operator()(const S& a, const I& b) const {
    return on(corners(a), outline(b)) + on(corners(b), outline(a), B);
  }
  Candidates operator()(const S& a, const Cam& b) const {
    Candidates ends = on_profile(corners(a), b);
    return ends.refusal.empty() ? face_on(outline(a), b) + ends : ends;
  }

  Candidates operator()(const L&, const L&) const { return refused(unlimited); }
  Candidates operator()(const L& a, const G& b) const { return on(corners(b), outline(a), B); }
  Candidates operator()(const L& a, const O& b) const { return on(corners(b), outline(a), B); }
  Candidates operator()(const L& a, const I& b) const { return on(corners(b), outline(a), B); }
  Candidates operator()(const L& a, const Cam& b) const { return face_on(outline(a), b); }

  Candidates operator()(const G& a, const G& b) const {
    return on(corners(a), pieces(b)) + on(corners(b), pieces(a), B);
  }
  Candidates operator()(const G& a, const O& b) const { return on(corners(b), pieces(a), B); }
  Candidates operator()(const G& a, const I& b) const {
    return on(corners(a), outline(b)) + on(corners(b), pieces(a), B);
  }
  Candidates operator()(const G&, const Cam&) const { return refused(no_follower); }

  Candidates operator()(const O& a, const O& b) const {
    const std::vector<Corner> of_a = corners(a), of_b = corners(b);
    return on(of_a, outline(b, open)) + on({of_b[1], of_b[2]}, outline(a, open), B);
  }
  Candidates operator()(const O& a, const I& b) const {
    return inside_hole(corners(a), outline(b)) + on(corners(b), outline(a, open), B);
  }
  Candidates operator()(const O& a, const Cam& b) const { return on_profile(corners(a), b); }

  Candidates operator()(const I&, const I&) const { return refused(two_holes); }
  Candidates operator()(const I&, const Cam&) const { return refused(no_follower); }

  Candidates operator()(const Cam&, const Cam&) const { return refused(no_follower); }

  static constexpr const char* two_points = "give one of them a radius and make it a circle";
  static constexpr const char* two_holes =
      "both are holes; make the inner one a circle, or an arc with the side 'outside'";
  static constexpr const char* unlimited =
      "neither has an end or a corner; use a segment or a polygon for one of them";
  static constexpr const char* no_follower =
      "a cam is touched by a point, a circle, an arc with the side 'outside', a segment or a line; "
      "use one of these for the part of the outline that meets the cam";
};

/// The entry of the table for a and b, or the one for b and a read the other way round.
template <class SA, class SB>
Candidates candidates(const SA& a, const SB& b) {
  if constexpr (std::is_invocable_v<PairTable, const SA&, const SB&>) {
    return PairTable{}(a, b);
  } else {
    Candidates out = PairTable{}(b, a);
    for (FeaturePair& pair : out.pairs) pair.first = pair.first == Role::A ? Role::B : Role::A;
    return out;
  }
}

}  // namespace

std::vector<FeaturePair> feature_pairs(const Shape& A, const Pose& X_AS, const Shape& B,
                                       const Pose& X_BS) {
  Candidates out = std::visit([](const auto& a, const auto& b) { return candidates(a, b); },
                              placed(A, X_AS), placed(B, X_BS));
  if (!out.refusal.empty())
    throw InputError(fmt::format("shapes of the kinds '{}' and '{}' cannot touch each other: {}",
                                 kind_name(A), kind_name(B), out.refusal));
  std::stable_partition(out.pairs.begin(), out.pairs.end(),
                        [](const FeaturePair& pair) { return pair.first == Role::A; });
  return std::move(out.pairs);
}

}  // namespace backlash
