// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/closest_points.h"

namespace backlash {
namespace {

using Corners = std::span<const Corner>;

Candidates refused(std::string why) {
  Candidates none;
  none.refusal = std::move(why);
  return none;
}

Candidates one(const Touch& touch, Role first) {
  Candidates all;
  all.add(touch, first);
  return all;
}

template <class T>
Candidates on(Corners corners, const T& outline, Role first = Role::A) {
  return one(CornersOn<T>{corners, &outline}, first);
}

Candidates operator+(Candidates a, const Candidates& b) {
  for (const Candidates::Part& part : b.parts()) a.add(part.touch, part.first);
  return a;
}

/// Corners in a hole; a round one, which comes first, must be of a smaller radius.
Candidates inside_hole(Corners corners, const ConcaveArc& hole) {
  return on(corners[0].radius < hole.radius ? corners : corners.subspan(1), hole);
}

/// The profile itself must exist where it is touched by something else than a long face.
Candidates on_profile(Corners corners, const CamFeatures& cam) {
  if (cam.undercut)
    return refused(
        fmt::format("the cam has no profile near {:.0f} deg: its function jumps or bends "
                    "too sharply for its kind of follower; enlarge its base, or use a "
                    "line against a cam with the function 'flat'",
                    *cam.undercut * 180 / std::numbers::pi));
  return on(corners, cam.outline);
}

template <class Face>
Candidates face_on(const Face& face, const CamFeatures& cam) {
  return one(FaceOnCam<Face>{&face, &cam.outline}, Role::A);
}

/// The table of pairs: each unordered pair of kinds stands here once. What is not rounded touches
/// with its corners; what bulges is itself one rounded corner.
struct PairTable {
  using P = PointFeatures;
  using C = CircleFeatures;
  using R = RingFeatures;
  using S = SegmentFeatures;
  using L = LineFeatures;
  using G = PolygonFeatures;
  using O = OuterArcFeatures;
  using I = InnerArcFeatures;
  using M = CamFeatures;
  static constexpr auto B = Role::B;

  Candidates operator()(const P&, const P&) const { return refused(two_points); }
  Candidates operator()(const P& a, const C& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const R& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const S& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const L& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const G& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const O& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const I& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const P& a, const M& b) const { return on_profile(a.corners, b); }

  Candidates operator()(const C& a, const C& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const C& a, const R& b) const {
    if (a.outline.radius < b.outline.radius) return on(a.corners, b.outline);
    return refused(
        fmt::format("a circle of radius {} m does not fit into a ring of radius {} m; "
                    "make the circle smaller, or the ring a circle",
                    a.outline.radius, b.outline.radius));
  }
  Candidates operator()(const C& a, const S& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const C& a, const L& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const C& a, const G& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const C& a, const O& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const C& a, const I& b) const {
    return inside_hole(a.corners, b.outline) + on(b.corners, a.outline, B);
  }
  Candidates operator()(const C& a, const M& b) const { return on_profile(a.corners, b); }

  Candidates operator()(const R&, const R&) const { return refused(two_holes); }
  Candidates operator()(const R& a, const S& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const R&, const L&) const { return refused(unlimited); }
  Candidates operator()(const R& a, const G& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const O& a, const R& b) const { return inside_hole(a.corners, b.outline); }
  Candidates operator()(const R&, const I&) const { return refused(two_holes); }
  Candidates operator()(const R&, const M&) const { return refused(no_follower); }

  Candidates operator()(const S& a, const S& b) const {
    return on(a.corners, b.outline) + on(b.corners, a.outline, B);
  }
  Candidates operator()(const S& a, const L& b) const { return on(a.corners, b.outline); }
  Candidates operator()(const S& a, const G& b) const {
    return on(a.corners, b.outline) + on(b.corners, a.outline, B);
  }
  Candidates operator()(const S& a, const O& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const S& a, const I& b) const {
    return on(a.corners, b.outline) + on(b.corners, a.outline, B);
  }
  Candidates operator()(const S& a, const M& b) const {
    Candidates ends = on_profile(a.corners, b);
    return ends.refusal.empty() ? face_on(a.outline, b) + ends : ends;
  }

  Candidates operator()(const L&, const L&) const { return refused(unlimited); }
  Candidates operator()(const L& a, const G& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const L& a, const O& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const L& a, const I& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const L& a, const M& b) const { return face_on(a.outline, b); }

  Candidates operator()(const G& a, const G& b) const {
    return on(a.corners, b.outline) + on(b.corners, a.outline, B);
  }
  Candidates operator()(const G& a, const O& b) const { return on(b.corners, a.outline, B); }
  Candidates operator()(const G& a, const I& b) const {
    return on(a.corners, b.outline) + on(b.corners, a.outline, B);
  }
  Candidates operator()(const G&, const M&) const { return refused(no_follower); }

  Candidates operator()(const O& a, const O& b) const {
    const Corners ends_of_b = Corners(b.corners).subspan(1);
    return on(a.corners, b.open_outline) + on(ends_of_b, a.open_outline, B);
  }
  Candidates operator()(const O& a, const I& b) const {
    return inside_hole(a.corners, b.outline) + on(b.corners, a.open_outline, B);
  }
  Candidates operator()(const O& a, const M& b) const { return on_profile(a.corners, b); }

  Candidates operator()(const I&, const I&) const { return refused(two_holes); }
  Candidates operator()(const I&, const M&) const { return refused(no_follower); }

  Candidates operator()(const M&, const M&) const { return refused(no_follower); }

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
template <class FA, class FB>
Candidates table_entry(const FA& a, const FB& b) {
  if constexpr (std::is_invocable_v<PairTable, const FA&, const FB&>) {
    return PairTable{}(a, b);
  } else {
    Candidates out = PairTable{}(b, a);
    out.exchange();
    return out;
  }
}

void check_placed(const Shape& shape, const Pose& pose, std::string_view item) {
  validate(shape, item);
  require_finite(pose.p, fmt::format("{}: origin", item));
  require_finite(pose.rotation, fmt::format("{}: rotation", item));
}

template <class T>
int count_of(const CornersOn<T>& touch) {
  return static_cast<int>(touch.corners.size());
}
int count_of(const CornersOn<Outline>& touch) {
  return static_cast<int>(touch.corners.size()) * touch.outline->pieces;
}
template <class Face>
int count_of(const FaceOnCam<Face>&) {
  return 1;
}

}  // namespace

void Candidates::add(const Touch& touch, Role first) {
  const int more = std::visit([](const auto& t) { return count_of(t); }, touch);
  if (more == 0) return;
  list_[static_cast<std::size_t>(size_++)] = {touch, first, more};
  count_ += more;
}

void Candidates::exchange() {
  for (Part& part : list_) part.first = part.first == Role::A ? Role::B : Role::A;
  if (size_ == 2 && list_[0].first == Role::B && list_[1].first == Role::A)
    std::swap(list_[0], list_[1]);
}

Candidates candidates(const ShapeFeatures& A, const ShapeFeatures& B) {
  return std::visit([](const auto& a, const auto& b) { return table_entry(a, b); }, A, B);
}

std::vector<FeaturePair> feature_pairs(const Shape& A, const Pose& X_AS, const Shape& B,
                                       const Pose& X_BS) {
  check_placed(A, X_AS, "first shape");
  check_placed(B, X_BS, "second shape");
  const auto of_A = std::make_shared<const ShapeFeatures>(shape_features(A, X_AS));
  const auto of_B = std::make_shared<const ShapeFeatures>(shape_features(B, X_BS));
  const Candidates all = candidates(*of_A, *of_B);
  if (!all.refusal.empty()) throw InputError(refusal_message(kind_name(A), kind_name(B), all));
  std::vector<FeaturePair> pairs;
  for (int k = 0; k < all.count(); ++k) pairs.push_back({of_A, of_B, k});
  return pairs;
}

std::string refusal_message(std::string_view kind_A, std::string_view kind_B,
                            const Candidates& refused) {
  return fmt::format("shapes of the kinds '{}' and '{}' cannot touch each other: {}", kind_A,
                     kind_B, refused.refusal);
}

}  // namespace backlash
