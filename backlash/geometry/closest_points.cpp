// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/closest_points.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace backlash {
namespace {

/// A corner of the body at X_WC, in the frame of the outline's body at X_WO.
Corner seen_from(const Pose2& X_WO, const Pose2& X_WC, const Corner& corner) {
  const Vec2 middle = X_WO.local_direction(X_WC.direction(corner.normals.middle));
  return {X_WO.local_point(X_WC.point(corner.p)), corner.radius, {middle, corner.normals.cosine}};
}

/// From a corner at c_W to its foot: (theory 7.3), or (theory 7.5) where it cannot touch.
ClosestPoints answer(const Vec2& c_W, double radius, const Foot& f, const Pose2& X_WO) {
  const Vec2 n_W = X_WO.direction(f.normal), p_WO = X_WO.point(f.p);
  if (f.touches) return {c_W - radius * n_W, p_WO, -n_W, f.s - radius, radius, f.radius};
  const double side = f.s < 0 ? -1 : 1;
  return {c_W + side * radius * n_W, p_WO, -side * n_W, std::abs(f.s) + radius, radius, f.radius};
}

template <class T>
ClosestPoints closest(const Corner& corner, const T& outline, const Pose2& X_WC,
                      const Pose2& X_WO) {
  const Foot f = foot(outline, seen_from(X_WO, X_WC, corner));
  return answer(X_WC.point(corner.p), corner.radius, f, X_WO);
}

/// The point of the cam that lies farthest into a face through p_W with the normal m_W.
ClosestPoints face_meets(const Cam& cam, const Vec2& p_W, const Vec2& m_W, const Pose2& X_WO) {
  const Vec2 d = cam.place.local_direction(X_WO.local_direction(-m_W));
  const CamPoint farthest = cam.curve->farthest(d);
  const Vec2 q_W = X_WO.point(cam.place.point(farthest.p));
  const double gap = m_W.dot(q_W - p_W);
  return {q_W - gap * m_W, q_W, m_W, gap, INFINITY, farthest.radius};
}

/// (theory 7.12, 7.16)
ClosestPoints closest(const FaceOnCam<HalfPlane>& pair, const Pose2& X_WF, const Pose2& X_WO) {
  const HalfPlane& face = *pair.face;
  return face_meets(*pair.cam, X_WF.point(face.point), X_WF.direction(face.normal), X_WO);
}

/// The same between the ends of the face; beyond them, the distance of the end (theory 7.5).
ClosestPoints closest(const FaceOnCam<Wall>& pair, const Pose2& X_WF, const Pose2& X_WO) {
  const Wall& face = *pair.face;
  const Vec2 a_W = X_WF.point(face.a);
  const ClosestPoints c = face_meets(*pair.cam, a_W, X_WF.direction(face.normal), X_WO);
  const double t = X_WF.direction(face.along).dot(c.p_WA - a_W);
  const double tolerance = same_place * face.length;
  if (-tolerance <= t && t <= face.length + tolerance && c.gap >= -face.length) return c;
  const double end = t < 0.5 * face.length ? 0 : face.length;
  const Vec2 e_W = X_WF.point(face.a + end * face.along);
  Foot f = foot(*pair.cam, Corner{X_WO.local_point(e_W)});
  f.touches = false;
  return answer(e_W, 0, f, X_WO);
}

/// (theory 7.18)
bool far_apart(const EnclosingCircle& a, const Pose2& X_WA, const EnclosingCircle& b,
               const Pose2& X_WB, double reach) {
  const Vec2 d = X_WB.point(b.centre) - X_WA.point(a.centre);
  const double radii = a.radius + b.radius, far = std::max(1.1 * radii, radii + reach);
  return d.squaredNorm() > far * far;
}

/// The poses of the bodies of the first and the second feature, and what was found as A and B see
/// it.
struct Poses {
  const Pose2 &X_W1, &X_W2;
  Role first;

  Poses(Role first_, const Pose2& X_WA, const Pose2& X_WB)
      : X_W1(first_ == Role::A ? X_WA : X_WB),
        X_W2(first_ == Role::A ? X_WB : X_WA),
        first(first_) {}
  ClosestPoints in_order(const ClosestPoints& c) const {
    if (first == Role::A) return c;
    return {
        c.p_WB, c.p_WA, -c.n_W, c.gap, c.radius_B, c.radius_A, {c.parameters[1], c.parameters[0]}};
  }
};

// Candidate k of each way of touching.

template <class T>
ClosestPoints closest(const CornersOn<T>& touch, int k, const Poses& X) {
  if constexpr (InPieces<T>) {
    const auto [corner, piece] = std::div(k, piece_count(*touch.outline));
    return closest(touch.corners[static_cast<std::size_t>(corner)], piece_of(*touch.outline, piece),
                   X.X_W1, X.X_W2);
  } else {
    return closest(touch.corners[static_cast<std::size_t>(k)], *touch.outline, X.X_W1, X.X_W2);
  }
}
template <class Face>
ClosestPoints closest(const FaceOnCam<Face>& touch, int, const Poses& X) {
  return closest(touch, X.X_W1, X.X_W2);
}

/// Those within reach, in the order of their names.
std::size_t find_places(const ProfileTouch& touch, const Poses& X, double reach,
                        std::span<const KnownPlace> known, ProfileMemory& memory,
                        std::span<NearCandidate> found) {
  std::size_t count = 0;
  const bool regular =
      for_each_contact(touch, X.X_W1, X.X_W2, reach, known, memory, [&](const ProfileContact& c) {
        found[count++] = {c.place, X.in_order({c.pair.p_WA, c.pair.p_WB, c.pair.n_W, c.pair.gap,
                                               c.radius_1, c.radius_2, c.parameters})};
      });
  if (!regular) {
    found[0] = {0, X.in_order({X.X_W1.point(Vec2::Zero().eval()), X.X_W2.point(Vec2::Zero().eval()),
                               Vec2::UnitX(), NAN})};
    return 1;
  }
  std::ranges::sort(found.first(count), {}, &NearCandidate::candidate);
  return count;
}

/// From nothing, wherever the two are.
ClosestPoints closest(const ProfileTouch& touch, int k, const Poses& X) {
  ProfileMemory memory;
  ClosestPoints out{Vec2::Zero(), Vec2::Zero(), Vec2::UnitX(), INFINITY};
  const bool regular =
      for_each_contact(touch, X.X_W1, X.X_W2, INFINITY, {}, memory, [&](const ProfileContact& c) {
        if (c.place == k)
          out = {c.pair.p_WA, c.pair.p_WB, c.pair.n_W,  c.pair.gap,
                 c.radius_1,  c.radius_2,  c.parameters};
      });
  if (!regular) out.gap = NAN;
  return out;
}

/// Calls visit(k) for those candidates of a way of touching that are not far apart.
template <class T, class Visit>
void for_each_not_far(const CornersOn<T>& touch, const Poses& X, double reach, int count,
                      Visit&& visit) {
  if (count == 1) return visit(0);  // whoever asks knows that the shapes are not far apart
  const EnclosingCircle all = circle_around(*touch.outline);
  const int each = count / static_cast<int>(touch.corners.size());
  for (int i = 0; i < count; i += each) {
    const Corner& corner = touch.corners[static_cast<std::size_t>(i / each)];
    if (far_apart(circle_around(corner), X.X_W1, all, X.X_W2, reach)) continue;
    for (int k = i; k < i + each; ++k) visit(k);
  }
}
template <class Visit>
void for_each_not_far(const ProfileTouch&, const Poses&, double, int, Visit&&) {}  // all at once
template <class Face, class Visit>
void for_each_not_far(const FaceOnCam<Face>&, const Poses&, double, int, Visit&& visit) {
  visit(0);
}

}  // namespace

ClosestPoints closest_points(const Candidates& all, int k, const Pose2& X_WA, const Pose2& X_WB) {
  const std::pair<const Candidates::Part&, int> found = all.find(k);
  const Candidates::Part& part = found.first;
  const Poses X(part.first, X_WA, X_WB);
  return X.in_order(
      std::visit([&](const auto& touch) { return closest(touch, found.second, X); }, part.touch));
}

std::size_t find_near(const Candidates& all, const Pose2& X_WA, const Pose2& X_WB, double reach,
                      std::span<NearCandidate> found) {
  const double far = std::max(reach, 0.0);  // circles know nothing of overlap
  std::size_t count = 0;
  int first = 0;
  for (const Candidates::Part& part : all.parts()) {
    const Poses X(part.first, X_WA, X_WB);
    if (const auto* profile = std::get_if<ProfileTouch>(&part.touch)) {
      ProfileMemory memory;
      return find_places(*profile, X, reach, {}, memory, found);
    }
    const auto look_at = [&](const auto& touch) {
      for_each_not_far(touch, X, far, part.count, [&](int k) {
        const ClosestPoints c = closest(touch, k, X);
        if (!(c.gap > reach)) found[count++] = {first + k, X.in_order(c)};
      });
    };
    std::visit(look_at, part.touch);
    first += part.count;
  }
  return count;
}

const ProfileTouch* profile_touch(const Candidates& all) {
  return all.count() == 0 ? nullptr : std::get_if<ProfileTouch>(&all.parts()[0].touch);
}

std::size_t find_near(const Candidates& all, const Pose2& X_WA, const Pose2& X_WB, double reach,
                      const ProfileSearch& search, std::span<NearCandidate> found) {
  const Candidates::Part& part = all.parts()[0];
  const Poses X(part.first, X_WA, X_WB);
  std::array<KnownPlace, 32> known;  // more in one pair are not recognised
  const std::size_t count = std::min(search.known.size(), known.size());
  for (std::size_t i = 0; i < count; ++i) {
    known[i] = search.known[i];
    if (part.first == Role::B) std::swap(known[i].parameters[0], known[i].parameters[1]);
  }
  return find_places(std::get<ProfileTouch>(part.touch), X, reach, {known.data(), count},
                     search.memory, found);
}

}  // namespace backlash
