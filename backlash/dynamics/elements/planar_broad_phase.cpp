// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/planar_broad_phase.h"

#include <cmath>
#include <limits>

namespace backlash {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A circle around two circles.
FeatureBound around(const FeatureBound& p, const FeatureBound& q) {
  if (!std::isfinite(p.radius) || !std::isfinite(q.radius)) return {p.centre, infinity};
  const Vec2 d = q.centre - p.centre;
  const double distance = d.norm();
  if (distance + q.radius <= p.radius) return p;
  if (distance + p.radius <= q.radius) return q;
  const double radius = 0.5 * (distance + p.radius + q.radius);
  return {p.centre + (radius - p.radius) / distance * d, radius * (1 + 1e-14)};
}

/// (theory 7.18)
double far_apart(const Pose2& X_WA, const FeatureBound& A, const Pose2& X_WB,
                 const FeatureBound& B) {
  const double radii = A.radius + B.radius;
  const Vec2 d = X_WB.point(B.centre) - X_WA.point(A.centre);
  const double near = 1.1 * radii;
  const double square = d.squaredNorm();
  return square > near * near ? std::sqrt(square) - radii : 0;
}

ContactRun run_of_one(std::size_t i, const ContactKind<Plane>& contact) {
  if (const auto* shapes = std::get_if<ShapeContact>(&contact))
    return {i, 1, shapes->a, shapes->b, shapes->A, shapes->B};
  return {i, 1, -1, -1, {Vec2::Zero(), infinity}, {Vec2::Zero(), infinity}};
}
ContactRun run_of_one(std::size_t i, const ContactKind<Space>&) {
  return {i, 1, -1, -1, {Vec2::Zero(), infinity}, {Vec2::Zero(), infinity}};
}

bool bounded(const FeatureBound& A, const FeatureBound& B) {
  return A.radius + B.radius < infinity;
}

bool belong_together(const ContactRun& p, const ContactRun& q) {
  return bounded(p.A, p.B) && bounded(q.A, q.B) && p.a == q.a && p.b == q.b;
}

}  // namespace

template <class S>
std::vector<ContactRun> contact_runs(const std::vector<const ContactKind<S>*>& contacts) {
  std::vector<ContactRun> runs;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactRun next = run_of_one(i, *contacts[i]);
    if (runs.empty() || !belong_together(runs.back(), next)) {
      runs.push_back(next);
      continue;
    }
    ContactRun& last = runs.back();
    ++last.count;
    last.A = around(last.A, next.A);
    last.B = around(last.B, next.B);
  }
  return runs;
}

double far_apart(const ContactRun& run, const Motion<Plane>& motion) {
  if (!bounded(run.A, run.B)) return 0;
  return far_apart(motion.pose(run.a), run.A, motion.pose(run.b), run.B);
}

double far_apart(const ContactRun&, const Motion<Space>&) { return 0; }

template <>
double far_apart<Plane>(const ContactKind<Plane>& contact, const Motion<Plane>& motion) {
  const auto* shapes = std::get_if<ShapeContact>(&contact);
  if (!shapes) return 0;
  return far_apart(motion.pose(shapes->a), shapes->A, motion.pose(shapes->b), shapes->B);
}
template <>
double far_apart<Space>(const ContactKind<Space>&, const Motion<Space>&) {
  return 0;
}

template std::vector<ContactRun> contact_runs<Plane>(const std::vector<const ContactKind<Plane>*>&);
template std::vector<ContactRun> contact_runs<Space>(const std::vector<const ContactKind<Space>*>&);

}  // namespace backlash
