// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/closest_points.h"

namespace backlash {
namespace {

using Corners = std::span<const Corner>;

/// The outline of that kind, or null.
template <class T>
const T* get_outline(const SharedOutline& outline) {
  return outline ? std::get_if<T>(outline.get()) : nullptr;
}

Candidates refused(std::string why) {
  Candidates none;
  none.refusal = std::move(why);
  return none;
}

/// Those that fit into a hole: round corners, which come first, must be of a smaller radius.
Corners fitting(Corners corners, const SharedOutline& outline) {
  const auto* hole = get_outline<ConcaveArc>(outline);
  if (hole == nullptr) return corners;
  std::size_t large = 0;
  while (large < corners.size() && !(corners[large].radius < hole->radius)) ++large;
  return corners.subspan(large);
}

Corners sharp_ones(Corners corners) {
  std::size_t round = 0;
  while (round < corners.size() && corners[round].radius > 0) ++round;
  return corners.subspan(round);
}

/// Adds corners of the shape `first` on an outline of the other.
void add(Corners corners, const SharedOutline& outline, Role first, Candidates& all) {
  if (!outline || corners.empty()) return;
  std::visit(
      [&]<class T>(const T& o) {
        const Corners own = fitting(corners, outline);
        int count = static_cast<int>(own.size());
        if constexpr (InPieces<T>) count *= piece_count(o);
        all.add(CornersOn<T>{own, &o}, first, count);
      },
      *outline);
}

/// Whether the corners of X on the outline of Y are all ways in which the two can touch: X is
/// nothing but corners, and Y answers for its ends. Of two arcs, the ends of each count on the
/// other.
bool suffices(const ShapeFeatures& X, const ShapeFeatures& Y) {
  return !X.faces && Y.outline && (X.corners.size() == 1 || Y.faces);
}

/// Whether round corners of others that meet the faces of X meet its corners by that, too.
bool answers_for_ends(const ShapeFeatures& X) { return X.faces && X.faces == X.outline; }

/// Corners of each on the faces of the other, and on its round corners unless these meet them on
/// faces already; two round corners meet once.
void add_both_ways(const ShapeFeatures& A, const ShapeFeatures& B, Candidates& all) {
  add(A.corners, B.faces, Role::A, all);
  if (!answers_for_ends(A)) add(A.corners, B.round, Role::A, all);
  add(B.corners, A.faces, Role::B, all);
  if (!answers_for_ends(B)) add(sharp_ones(B.corners), A.round, Role::B, all);
}

constexpr const char* two_points = "give one of them a radius and make it a circle";
constexpr const char* two_holes =
    "both are holes; make the inner one a circle, or an arc with the side 'outside'";
constexpr const char* unlimited =
    "neither has an end or a corner; use a segment or a polygon for one of them";
/// Why there are no candidates.
std::string reason(const ShapeFeatures& A, const ShapeFeatures& B) {
  if (A.corners.empty() && B.corners.empty()) return unlimited;
  const ShapeFeatures& inner = A.corners.empty() ? B : A;
  const auto* hole = get_outline<ConcaveArc>((A.corners.empty() ? A : B).faces);
  if (hole == nullptr) return two_points;
  return fmt::format(
      "a circle of radius {} m does not fit into a ring of radius {} m; "
      "make the circle smaller, or the ring a circle",
      inner.corners[0].radius, hole->radius);
}

/// A flat face on a cam, if that is what the follower has.
template <class Face>
void add_face(const ShapeFeatures& follower, const Cam& cam, Role first, Candidates& all) {
  if (const auto* face = get_outline<Face>(follower.faces))
    all.add(FaceOnCam<Face>{face, &cam}, first, 1);
}

/// A profile must exist where a cam is touched by something else than a long face.
Candidates no_profile(const Cam& cam) {
  return refused(
      fmt::format("the cam has no profile near {:.0f} deg: its function jumps or bends "
                  "too sharply for its kind of follower; enlarge its base, or use a "
                  "line against a cam with the function 'flat'",
                  *cam.undercut * 180 / std::numbers::pi));
}

/// What a profile meets: a disk, a half-plane, or all of the other as a curve.
Candidates on_profile(const ShapeFeatures& owner, const ShapeFeatures& other, Role first) {
  if (const auto* cam = get_outline<Cam>(other.outline); cam && cam->undercut)
    return no_profile(*cam);
  const bool face_or_disk = !other.profile || get_outline<HalfPlane>(other.faces);
  if (!face_or_disk && owner.profile->disk() && !other.profile->disk())
    return on_profile(other, owner, first == Role::A ? Role::B : Role::A);
  ProfileTouch touch{.profile = owner.profile.get()};
  const bool disk = !other.faces && other.corners.size() == 1 && other.corners[0].normals.all();
  if (disk)
    touch.other = &other.corners[0];
  else if (const auto* face = get_outline<HalfPlane>(other.faces))
    touch.other = face;
  else
    touch.other = other.profile.get();
  Candidates all;
  all.add(touch, first, place_count(touch));
  return all;
}

/// Followers that are flat, or nothing but corners, meet the function of a cam; others its profile
/// as a curve.
Candidates on_cam(const ShapeFeatures& follower, const ShapeFeatures& owner, const Cam& cam,
                  Role first) {
  Candidates all;
  add_face<HalfPlane>(follower, cam, first, all);
  add_face<Wall>(follower, cam, first, all);
  const bool simple = !follower.faces || all.count() > 0;
  if (cam.undercut && !(simple && follower.corners.empty())) return no_profile(cam);
  if (!simple) return on_profile(owner, follower, first == Role::A ? Role::B : Role::A);
  add(follower.corners, owner.outline, first, all);
  return all;
}

void check_placed(const Shape& shape, const Pose& pose, std::string_view item) {
  validate(shape, item);
  require_finite(pose.p, fmt::format("{}: origin", item));
  require_finite(pose.rotation, fmt::format("{}: rotation", item));
}

}  // namespace

void Candidates::add(const Touch& touch, Role first, int count) {
  if (count == 0) return;
  list_[static_cast<std::size_t>(size_++)] = {touch, first, count};
  count_ += count;
}

Candidates candidates(const ShapeFeatures& A, const ShapeFeatures& B) {
  if (A.free_form) return on_profile(A, B, Role::A);
  if (B.free_form) return on_profile(B, A, Role::B);
  if (const auto* cam = get_outline<Cam>(B.outline)) return on_cam(A, B, *cam, Role::A);
  if (const auto* cam = get_outline<Cam>(A.outline)) return on_cam(B, A, *cam, Role::B);
  if (get_outline<ConcaveArc>(A.faces) && get_outline<ConcaveArc>(B.faces))
    return refused(two_holes);
  Candidates all;
  if (suffices(A, B))
    add(A.corners, B.outline, Role::A, all);
  else if (suffices(B, A))
    add(B.corners, A.outline, Role::B, all);
  else
    add_both_ways(A, B, all);
  if (all.count() == 0) all.refusal = reason(A, B);
  return all;
}

CandidatePlace place_of(const Candidates& all, int k, const ShapeFeatures& A,
                        const ShapeFeatures& B) {
  const auto [part, own] = all.find(k);
  CandidatePlace place{.side = part.first};
  const ShapeFeatures &own_shape = part.first == Role::A ? A : B,
                      &other = part.first == Role::A ? B : A;
  const std::vector<Corner>& corners = own_shape.corners;
  const auto find = [&, number = own]<class T>(const CornersOn<T>& touch) {
    int pieces = 1;
    if constexpr (InPieces<T>) pieces = piece_count(*touch.outline);
    const auto first = static_cast<int>(touch.corners.data() - corners.data());
    place.corner = first + number / pieces;
    if (pieces > 1) place.piece = number % pieces;
    place.on_end = other.round != other.faces && get_outline<T>(other.round) == touch.outline;
  };
  std::visit(
      [&](const auto& touch) {
        if constexpr (requires { touch.corners; }) find(touch);
      },
      part.touch);
  return place;
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
