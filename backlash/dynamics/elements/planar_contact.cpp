// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/planar_contact.h"

namespace backlash {
namespace {

PlainVec2 turned_left(const PlainVec2& d) { return {-d.y(), d.x()}; }

/// The angular velocity of a contact's normal (theory 7.20); σ is +1 if t is n turned left, else
/// −1.
double normal_rate(const ContactKinematics<Plane>& at, double sigma, double slip, double w_A,
                   double w_B) {
  if (!std::isfinite(at.radius_A)) return w_A;
  if (!std::isfinite(at.radius_B)) return w_B;
  const double distance = at.gap + at.radius_A + at.radius_B;  // of the centres of curvature
  // Where these are one, any direction is normal to both: it is left as it is.
  const bool same = std::abs(distance) <= 1e-9 * (std::abs(at.radius_A) + std::abs(at.radius_B));
  return same ? 0 : (sigma * slip + at.radius_A * w_A + at.radius_B * w_B) / distance;
}

/// Apart from contact_drift(), so that it is inlined where it is called in each step.
inline ContactDrift drift_of(const ContactKinematics<Plane>& at, double slip, double w_A,
                             double w_B) {
  const double sigma = Plane::cross(at.n_W, at.t_W[0]);
  const double w_n = normal_rate(at, sigma, slip, w_A, w_B);
  double along_A = sigma * at.radius_A * (w_n - w_A), along_B = sigma * at.radius_B * (w_B - w_n);
  if (!std::isfinite(at.radius_A)) along_A = slip + along_B - sigma * at.gap * w_n;
  if (!std::isfinite(at.radius_B)) along_B = along_A - slip + sigma * at.gap * w_n;
  return {w_n, along_A, along_B};
}

}  // namespace

ContactDrift contact_drift(const ContactKinematics<Plane>& at, double slip, double w_A,
                           double w_B) {
  return drift_of(at, slip, w_A, w_B);
}

PlanarTouch touch(const JournalInBearing& k, const Motion<Plane>& m, double reach) {
  const PlainVec2 p = m.pose(k.a).point(k.p_AP), q = m.pose(k.b).point(k.p_BQ), offset = q - p;
  const double eccentricity = offset.norm(), gap = k.gap - eccentricity;
  if (gap > reach) return std::nullopt;
  // Centred, every direction is as good as the next: take the bearing's own x.
  const PlainVec2 e =
      eccentricity > 0 ? offset / eccentricity : m.pose(k.a).direction(PlainVec2::UnitX());
  return ContactKinematics<Plane>{.p_WA = p + (k.journal_radius + k.gap) * e,
                                  .p_WB = q + k.journal_radius * e,
                                  .n_W = -e,
                                  .t_W = {turned_left(e)},
                                  .gap = gap,
                                  .radius_A = -(k.journal_radius + k.gap),
                                  .radius_B = k.journal_radius};
}

PlanarTouch touch(const CornerInGuide& k, const Motion<Plane>& m, double reach) {
  const SideDistance distance = distance_to_side(k, m);
  if (!distance.beside || distance.depth > reach) return std::nullopt;
  const PlainVec2 axis = m.pose(k.a).direction(k.axis_A), corner = m.pose(k.b).point(k.p_BC);
  const PlainVec2 across = k.side * turned_left(axis);
  return ContactKinematics<Plane>{.p_WA = corner + distance.depth * across,
                                  .p_WB = corner,
                                  .n_W = -across,
                                  .t_W = {axis},
                                  .gap = distance.depth,
                                  .radius_B = 0};
}

PlanarTouch touch(const GuideEndOnSlider& k, const Motion<Plane>& m, double reach) {
  const Pose2 B = m.pose(k.b);
  const PlainVec2 end = m.pose(k.a).point(k.p_AE), axis = B.direction(k.axis_B);
  const PlainVec2 offset = end - B.point(k.p_BQ);
  const PlainVec2 across = k.side * turned_left(axis);
  const double gap = across.dot(offset) - k.half_width;
  if (!(std::abs(axis.dot(offset)) < k.half_length) || gap > reach) return std::nullopt;
  return ContactKinematics<Plane>{.p_WA = end,
                                  .p_WB = end - gap * across,
                                  .n_W = -across,
                                  .t_W = {axis},
                                  .gap = gap,
                                  .radius_A = 0};
}

ContactKinematics<Plane> kinematics_of(const ClosestPoints& closest) {
  return {.p_WA = closest.p_WA,
          .p_WB = closest.p_WB,
          .n_W = closest.n_W,
          .t_W = {PlainVec2(closest.n_W.y(), -closest.n_W.x())},
          .gap = closest.gap,
          .radius_A = closest.radius_A,
          .radius_B = closest.radius_B,
          .parameters = closest.parameters};
}

PlanarTouch touch(const ShapeContact& k, const Motion<Plane>& m, double reach) {
  const ClosestPoints closest =
      closest_points(candidates(*k.A, *k.B), k.candidate, m.pose(k.a), m.pose(k.b));
  if (closest.gap > reach || closest.gap == INFINITY) return std::nullopt;
  return kinematics_of(closest);
}

RowRates rate_biases(const ContactKinematics<Plane>& at, int a, int b, const Motion<Plane>& m) {
  const PlainVec2 &n = at.n_W, &t = at.t_W[0];
  const PlainVec2 v = m.velocity(b, at.p_WB) - m.velocity(a, at.p_WA);
  const PlainVec2 drift = m.acceleration(b, at.p_WB) - m.acceleration(a, at.p_WA);
  const double approach = n.dot(v), slip = t.dot(v), sigma = Plane::cross(n, t);
  const double w_A = m.angular_velocity(a), w_B = m.angular_velocity(b);
  const auto [w_n, along_A, along_B] = drift_of(at, slip, w_A, w_B);
  return {n.dot(drift) + sigma * (w_n * slip + w_A * along_A - w_B * along_B),
          t.dot(drift) - sigma * w_n * approach, 0};
}

}  // namespace backlash
