// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/surface_contacts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/surface_form.h"

namespace backlash {
namespace {

using Part = BoundaryPoint::Part;
using Surface = std::shared_ptr<const SurfaceBoundary>;

/// As a share of the bodies: how far pairs of surfaces are known ahead, and after how much motion
/// they are searched again where places may be born.
constexpr double usual_reach = 0.2, margin_of_births = 0.002;

Pose3 pose_of(SurfaceContacts::Poses bodies, int body) {
  return body < 0 ? Pose3{} : bodies[static_cast<std::size_t>(body)];
}
FrameMotion<3> motion_of(SurfaceContacts::Motions motions, int body) {
  return body < 0 ? FrameMotion<3>{} : motions[static_cast<std::size_t>(body)];
}

Vec3 velocity(const FrameMotion<3>& m, const Vec3& r) { return m.v + m.w.cross(r); }
Vec3 acceleration(const FrameMotion<3>& m, const Vec3& r) {
  return m.a + m.alpha.cross(r) + m.w.cross(m.w.cross(r));
}
/// The motion of the same body at the point r from its origin.
FrameMotion<3> moved(const FrameMotion<3>& m, const Vec3& r) {
  return {velocity(m, r), m.w, acceleration(m, r), m.alpha};
}

SolidBall<3> placed(const SolidBall<3>& ball, const Pose3& X) {
  return {X.point(ball.centre), ball.radius};
}
HalfSpace<3> placed(const HalfSpace<3>& half, const Pose3& X) {
  return {X.point(half.point), X.direction(half.normal)};
}
Placed<3> placed(const Surface& surface, const Pose3& X) { return {*surface, X}; }

/// A ball around a shape, in the frame of its body; of a half-space an infinite one.
SolidBall<3> ball_around(const Surface& surface) {
  return {surface->facets().middle(), surface->size()};
}
SolidBall<3> ball_around(const SolidBall<3>& ball) { return ball; }
SolidBall<3> ball_around(const HalfSpace<3>& half) { return {half.point, INFINITY}; }
SolidBall<3> ball_around(const SpaceShape& shape) {
  return std::visit([](const auto& of) { return ball_around(of); }, shape);
}

/// Of the points of a ball on a body.
double greatest_speed(const SolidBall<3>& ball, int body, SurfaceContacts::Poses bodies,
                      SurfaceContacts::Motions motions) {
  if (body < 0) return 0;
  const FrameMotion<3> motion = motion_of(motions, body);
  const Vec3 r = pose_of(bodies, body).direction(ball.centre);
  return velocity(motion, r).norm() + ball.radius * motion.w.norm();
}

/// Of the balls around the shapes of a pair [m].
double distance_of_balls(const SurfacePair& shapes, SurfaceContacts::Poses bodies) {
  const SolidBall<3> A = placed(ball_around(shapes.A), pose_of(bodies, shapes.a));
  const SolidBall<3> B = placed(ball_around(shapes.B), pose_of(bodies, shapes.b));
  return (B.centre - A.centre).norm() - A.radius - B.radius;
}

// A feature of a key says which parts of the two boundaries touch, and which of several such places
// it is: 2 bits for a part and 16 for its number, for A and B, and 16 for the place.
constexpr int part_bits = 18, place_bits = 16;

std::int64_t code_of(const BoundaryPoint& at) {
  return (std::int64_t{static_cast<int>(at.part)} << 16) | at.index;
}
BoundaryPoint point_of(std::int64_t code, double u, double v) {
  return {static_cast<Part>((code >> 16) & 3), static_cast<int>(code & 0xffff), {u, v}};
}
std::int64_t feature_of(const FacingPair<3>& pair, int place) {
  return (((code_of(pair.A) << part_bits) | code_of(pair.B)) << place_bits) | place;
}
std::int64_t parts_of(std::int64_t feature) { return feature >> place_bits; }
int place_of(std::int64_t feature) { return static_cast<int>(feature & 0xffff); }

std::array<double, 4> parameters_of(const FacingPair<3>& pair) {
  return {pair.A.parameters[0], pair.A.parameters[1], pair.B.parameters[0], pair.B.parameters[1]};
}

FacingPair<3> pair_in(const ContactFrame& frame) {
  const std::int64_t parts = parts_of(frame.key.feature);
  const auto& x = frame.parameters;
  return {point_of(parts >> part_bits, x[0], x[1]),
          point_of(parts & ((std::int64_t{1} << part_bits) - 1), x[2], x[3]),
          frame.p_WA,
          frame.p_WB,
          frame.n_W,
          frame.gap};
}

/// How far apart two values of a parameter are, as a part of its range.
double apart(const nurbs::BezierPieces<3, 2>& surface, int axis, double x, double y) {
  const auto& range = surface.axis(axis);
  const double d = std::abs(x - y) / range.period();
  return range.closed ? std::min(d, std::abs(1 - d)) : d;
}

double apart(const SurfacePair& pair, const std::array<double, 4>& x,
             const std::array<double, 4>& y) {
  double most = 0;
  for (int k = 0; k < 2; ++k)
    most = std::max(most, apart(pair.A->facets(), k, x[static_cast<std::size_t>(k)],
                                y[static_cast<std::size_t>(k)]));
  if (const auto* B = std::get_if<Surface>(&pair.B))
    for (int k = 0; k < 2; ++k)
      most = std::max(most, apart((*B)->facets(), k, x[static_cast<std::size_t>(k) + 2],
                                  y[static_cast<std::size_t>(k) + 2]));
  return most;
}

/// Gives each pair the place that it had, where it is remembered near, and a free one where not.
void number_places(const SurfacePair& shapes, int number, std::span<const ContactRecord> remembered,
                   std::span<KeyedPair<3>> pairs) {
  constexpr double near = 0.1;  // of the parameters' ranges
  for (KeyedPair<3>& known : pairs) known.key = -1;
  const auto taken = [&](const FacingPair<3>& pair, int place) {
    return std::ranges::any_of(pairs, [&](const KeyedPair<3>& other) {
      return other.key == place && feature_of(other.pair, 0) == feature_of(pair, 0);
    });
  };
  for (const ContactRecord& record : remembered) {
    if (record.key.pair != number) continue;
    KeyedPair<3>* nearest = nullptr;
    double least = near;
    for (KeyedPair<3>& known : pairs) {
      if (known.key >= 0 || parts_of(feature_of(known.pair, 0)) != parts_of(record.key.feature))
        continue;
      const double d = apart(shapes, parameters_of(known.pair), record.parameters);
      if (!(d < least)) continue;
      least = d;
      nearest = &known;
    }
    if (nearest) nearest->key = place_of(record.key.feature);
  }
  for (KeyedPair<3>& known : pairs) {
    if (known.key >= 0) continue;
    int place = 0;
    while (taken(known.pair, place)) ++place;
    known.key = place;
  }
}

ContactFrame frame_of(int number, const KeyedPair<3>& known) {
  const FacingPair<3>& pair = known.pair;
  return {.key = {number, feature_of(pair, known.key)},
          .gap = pair.gap,
          .p_WA = pair.p_WA,
          .p_WB = pair.p_WB,
          .n_W = pair.n_W,
          .t_W = surface_tangents(pair.n_W),
          .parameters = parameters_of(pair)};
}

struct FormedSurface {
  const SurfaceBoundary& surface;
  SurfaceForm form;
  bool hollow() const { return form.hollow(surface.size()); }
};

/// Whether minima of the distance with gaps up to the reach may be born: not between two surfaces
/// without hollows, nor where one without edges bends more everywhere than the other is hollow
/// anywhere (theory 11.33).
bool places_may_be_born(const FormedSurface& A, const FormedSurface& B, double reach) {
  const double a = A.form.least_curvature, b = B.form.least_curvature;
  const double flat = -1e-6 / (A.surface.size() + B.surface.size());
  if (a > flat && b > flat) return false;
  const auto fits_into = [&](const FormedSurface& one, double bulge, double hollow) {
    return one.surface.edges().empty() && bulge > 0 && bulge * (1 + hollow * reach) > -hollow;
  };
  return !fits_into(A, a, b) && !fits_into(B, b, a);
}

/// How much motion may pass between two searches for the pairs of two surfaces [m].
double search_margin(const FormedSurface& A, const FormedSurface& B) {
  const double size = A.surface.size() + B.surface.size(), usual = 0.5 * usual_reach * size;
  const double reach = usual_reach * size + usual;
  return places_may_be_born(A, B, reach) ? margin_of_births * size : usual;
}

PairRates<3> rates_of(const SurfacePair& shapes, const FacingPair<3>& pair,
                      SurfaceContacts::Poses bodies, SurfaceContacts::Motions motions) {
  const Placed<3> A = placed(shapes.A, pose_of(bodies, shapes.a));
  const Pose3 X_WB = pose_of(bodies, shapes.b);
  const FrameMotion<3> a = motion_of(motions, shapes.a), b = motion_of(motions, shapes.b);
  return std::visit(
      [&]<class T>(const T& shape) {
        const auto B = placed(shape, X_WB);
        if constexpr (std::is_same_v<T, SolidBall<3>>)
          return pair_rates(A, a, B, moved(b, B.centre - X_WB.p), pair);
        else if constexpr (std::is_same_v<T, HalfSpace<3>>)
          return pair_rates(A, a, B, moved(b, B.point - X_WB.p), pair);
        else
          return pair_rates(A, a, B, b, pair);
      },
      shapes.B);
}

}  // namespace

std::array<Vec3, 2> surface_tangents(const Vec3& n) {
  constexpr double steep = 0.9;
  const Vec3 e = std::abs(n.x()) < steep ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t = (e - n.dot(e) * n).normalized();
  return {t, n.cross(t)};
}

std::array<Vec3, 2> surface_tangent_rates(const Vec3& n, const Vec3& n_rate) {
  const Vec3 t = surface_tangents(n)[0];
  const Vec3 e = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 change = -n_rate.dot(e) * n - n.dot(e) * n_rate;
  const Vec3 t_rate = (change - t.dot(change) * t) / (e - n.dot(e) * n).norm();
  return {t_rate, n_rate.cross(t) + n.cross(t_rate)};
}

SurfaceContacts::SurfaceContacts(std::vector<SurfacePair> pairs, int first_pair)
    : pairs_(std::move(pairs)), first_pair_(first_pair) {
  std::map<const SurfaceBoundary*, SurfaceForm> forms;
  const auto formed = [&](const Surface& surface) {
    const auto [known, is_new] = forms.try_emplace(surface.get());
    if (is_new) known->second = form_of(*surface);
    return FormedSurface{*surface, known->second};
  };
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto* B = std::get_if<Surface>(&pairs_[i].B);
    if (!pairs_[i].A || (B && !*B))
      throw InputError(fmt::format("pair {} of surfaces: a surface is missing", i + 1));
    const FormedSurface a = formed(pairs_[i].A);
    const double reach = usual_reach * (a.surface.size() + ball_around(pairs_[i].B).radius);
    if (B) {
      const FormedSurface b = formed(*B);
      prepared_.push_back({reach, search_margin(a, b), std::min(a.form.thickness, b.form.thickness),
                           a.hollow() || b.hollow()});
    } else {
      const auto* ball = std::get_if<SolidBall<3>>(&pairs_[i].B);
      const double depth = ball ? 0.5 * a.form.thickness + ball->radius : INFINITY;
      prepared_.push_back({reach, 0, depth, a.hollow()});
    }
  }
}

/// The pairs of points that face each other, to memory.surfaces[pair].pairs, nearest first.
void SurfaceContacts::find_pair(int number, Poses bodies, double reach,
                                ContactSearch& memory) const {
  const SurfacePair& shapes = pairs_[static_cast<std::size_t>(number)];
  PairTracking<3>& tracking = memory.surfaces[static_cast<std::size_t>(number)];
  const Placed<3> A = placed(shapes.A, pose_of(bodies, shapes.a));
  const Pose3 X_WB = pose_of(bodies, shapes.b);
  const auto keep_found = [&] {
    tracking.pairs.clear();
    for (const FacingPair<3>& pair : tracking.found) tracking.pairs.push_back({-1, pair});
  };
  if (const auto* B = std::get_if<Surface>(&shapes.B)) {
    const Prepared& prepared = prepared_[static_cast<std::size_t>(number)];
    if (reach <= prepared.reach) {
      update_pairs(A, placed(*B, X_WB), {.reach = prepared.reach, .margin = prepared.margin},
                   tracking);
      return;
    }
    find_pairs(A, placed(*B, X_WB), reach, tracking.found);
    tracking.searches = 0;
  } else if (const auto* ball = std::get_if<SolidBall<3>>(&shapes.B)) {
    find_pairs(A, placed(*ball, X_WB), reach, tracking.found);
  } else {
    find_pairs(A, placed(std::get<HalfSpace<3>>(shapes.B), X_WB), reach, tracking.found);
  }
  keep_found();
}

void SurfaceContacts::find(Poses bodies, double reach, std::span<const ContactRecord> remembered,
                           ContactSearch& memory, std::vector<ContactFrame>& frames) const {
  memory.surfaces.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (reach > prepared_[i].reach && distance_of_balls(pairs_[i], bodies) > reach) continue;
    find_pair(number, bodies, reach, memory);
    std::vector<KeyedPair<3>>& near = memory.surfaces[i].numbered;
    near.clear();
    for (const KeyedPair<3>& known : memory.surfaces[i].pairs)
      if (!(known.pair.gap > reach)) near.push_back(known);
    std::ranges::sort(near, {}, [](const KeyedPair<3>& known) { return known.pair.gap; });
    number_places(pairs_[i], first_pair_ + number, remembered, near);
    const std::size_t first = frames.size();
    for (const KeyedPair<3>& known : near) frames.push_back(frame_of(first_pair_ + number, known));
    std::ranges::sort(std::span(frames).subspan(first), {}, &ContactFrame::key);
  }
}

bool SurfaceContacts::find_one(Poses bodies, const ContactKey& key,
                               std::span<const ContactRecord> remembered, ContactSearch& memory,
                               ContactFrame& frame) const {
  memory.surfaces.resize(pairs_.size());
  const int number = key.pair - first_pair_;
  const SurfacePair& shapes = pair_of(key);
  const bool followed = std::holds_alternative<Surface>(shapes.B);
  const double ahead = prepared_[static_cast<std::size_t>(number)].reach;
  for (const double reach : {followed ? ahead : INFINITY, double{INFINITY}}) {
    find_pair(number, bodies, reach, memory);
    PairTracking<3>& tracking = memory.surfaces[static_cast<std::size_t>(number)];
    tracking.numbered = tracking.pairs;
    std::ranges::sort(tracking.numbered, {},
                      [](const KeyedPair<3>& known) { return known.pair.gap; });
    number_places(shapes, key.pair, remembered, tracking.numbered);
    for (const KeyedPair<3>& known : tracking.numbered)
      if (feature_of(known.pair, known.key) == key.feature) {
        frame = frame_of(key.pair, known);
        return true;
      }
    if (reach == INFINITY) break;
  }
  return false;
}

double SurfaceContacts::passing_travel(Poses bodies, Motions motions, double step) const {
  double travel = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const SurfacePair& shapes = pairs_[i];
    if (prepared_[i].depth == INFINITY) continue;
    const double own = step * (greatest_speed(ball_around(shapes.A), shapes.a, bodies, motions) +
                               greatest_speed(ball_around(shapes.B), shapes.b, bodies, motions));
    if (own > 0.5 * prepared_[i].depth) travel = std::max(travel, own);
  }
  return travel;
}

/// Far from each other, and in the middle of a hole, all places of two surfaces may be equally
/// near, and it takes long to tell them apart: what is not near is known well enough by how far it
/// is.
double SurfaceContacts::passing_reach(Poses bodies, double travel) const {
  double reach = travel;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    if (prepared_[i].depth < INFINITY)
      reach = std::min(reach, std::max(prepared_[i].reach, distance_of_balls(pairs_[i], bodies)));
  return reach;
}

/// What moves is where the smaller shape is.
PassingLimit SurfaceContacts::passing_limit(const ContactFrame& frame, Poses bodies,
                                            Motions motions) const {
  const SurfacePair& shapes = pair_of(frame.key);
  const Prepared& prepared = prepared_[static_cast<std::size_t>(frame.key.pair - first_pair_)];
  const SolidBall<3> A = ball_around(shapes.A), B = ball_around(shapes.B);
  const bool A_is_smaller = A.radius < B.radius;
  const int smaller = A_is_smaller ? shapes.a : shapes.b;
  const int larger = A_is_smaller ? shapes.b : shapes.a;
  const SolidBall<3> ball = placed(A_is_smaller ? A : B, pose_of(bodies, smaller));
  const FrameMotion<3> own =
      moved(motion_of(motions, smaller), ball.centre - pose_of(bodies, smaller).p);
  const FrameMotion<3> other =
      moved(motion_of(motions, larger), ball.centre - pose_of(bodies, larger).p);
  const double turning = (own.w - other.w).norm();
  PassingLimit limit{.depth = prepared.depth,
                     .may_jump = prepared.hollow,
                     .size = 2 * ball.radius,
                     .speed = (own.v - other.v).norm() + ball.radius * turning,
                     .angular = own.w.norm() + other.w.norm()};
  if (prepared.hollow) return limit;
  const Vec3& closest = A_is_smaller ? frame.p_WA : frame.p_WB;
  limit.turning = turning * ((closest - ball.centre).norm() + ball.radius);
  limit.bend = own.a.norm() + other.a.norm() +
               ball.radius * (own.w.squaredNorm() + other.w.squaredNorm() + own.alpha.norm() +
                              other.alpha.norm()) +
               2 * other.w.norm() * limit.speed;
  return limit;
}

ContactVelocity SurfaceContacts::velocities(const ContactFrame& frame, Poses bodies,
                                            Motions motions) const {
  const SurfacePair& shapes = pair_of(frame.key);
  const Vec3 v = velocity(motion_of(motions, shapes.b), frame.p_WB - pose_of(bodies, shapes.b).p) -
                 velocity(motion_of(motions, shapes.a), frame.p_WA - pose_of(bodies, shapes.a).p);
  return {frame.n_W.dot(v), frame.t_W[0].dot(v), frame.t_W[1].dot(v)};
}

/// (theory 11.23)
ContactVelocity SurfaceContacts::biases(const ContactFrame& frame, Poses bodies,
                                        Motions motions) const {
  const SurfacePair& shapes = pair_of(frame.key);
  const FacingPair<3> pair = pair_in(frame);
  PairRates<3> rates = rates_of(shapes, pair, bodies, motions);
  if (!rates.regular) rates = {};
  const FrameMotion<3> a = motion_of(motions, shapes.a), b = motion_of(motions, shapes.b);
  const Vec3 r_A = pair.p_WA - pose_of(bodies, shapes.a).p;
  const Vec3 r_B = pair.p_WB - pose_of(bodies, shapes.b).p;
  const Vec3 v_A = velocity(a, r_A), v_B = velocity(b, r_B), v = v_B - v_A;
  const Vec3& n_rate = rates.n_rate;
  const Vec3 slip_B = v_A + rates.slip_A + pair.n_W.dot(v) * pair.n_W + pair.gap * n_rate - v_B;
  const Vec3 change =
      acceleration(b, r_B) + b.w.cross(slip_B) - acceleration(a, r_A) - a.w.cross(rates.slip_A);
  const std::array<Vec3, 2> t_rate = surface_tangent_rates(pair.n_W, n_rate);
  return {n_rate.dot(v) + pair.n_W.dot(change), t_rate[0].dot(v) + frame.t_W[0].dot(change),
          t_rate[1].dot(v) + frame.t_W[1].dot(change)};
}

}  // namespace backlash
