// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/cam_design.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"

namespace backlash {
namespace {

/// The two shapes with all ways in which they touch.
struct CamContact {
  const CamPair& pair;
  std::vector<FeaturePair> ways;
  double size;  ///< [m]

  /// The nearest points, the cam at an angle and the follower at a position.
  ClosestPoints at(double angle, double position) const {
    const Pose2 X_WC{std::cos(angle), std::sin(angle), 0, 0};
    const Vec2 p = pair.guide + position * pair.direction;
    ClosestPoints nearest{};
    nearest.gap = INFINITY;
    for (const FeaturePair& way : ways) {
      const ClosestPoints c = closest_points(way, X_WC, Pose2{1, 0, p.x(), p.y()});
      if (c.gap < nearest.gap) nearest = c;
    }
    return nearest;
  }
};

double extent(const Shape& shape) {
  double largest = 0;
  for (const Vec2& p : boundary(shape).points)
    if (p.allFinite()) largest = std::max(largest, p.norm());
  return largest;
}

CamContact contact_of(const CamPair& pair) {
  if (!(std::abs(pair.direction.norm() - 1) < 1e-9))
    throw InputError("cam: the follower's direction must be a unit vector");
  return {pair, feature_pairs(pair.cam, {}, pair.follower, {}),
          extent(pair.cam) + std::min(extent(pair.follower), 10 * extent(pair.cam)) +
              pair.guide.norm()};
}

/// The position in which the two touch, from one that is above it: the gap is a convex function of
/// it, so that Newton's method comes down to it.
ClosestPoints touching_points(const CamContact& contact, double angle, double& position) {
  constexpr int most = 100;
  for (int k = 0; k < most; ++k) {
    const ClosestPoints c = contact.at(angle, position);
    const double rise = c.n_W.dot(contact.pair.direction);
    if (!(rise > 1e-6)) break;
    position -= c.gap / rise;
    if (std::abs(c.gap) <= 1e-14 * contact.size) return c;
  }
  throw InputError(fmt::format(
      "cam: at {:.4g} deg the follower does not come down on the cam along its direction; check "
      "direction, guide and profile",
      angle * 180 / std::numbers::pi));
}

/// s′ and s″ from the closest points, the cam turning at 1 rad/s (theory 7.20, 7.21, 7.25).
void write_derivatives(const ClosestPoints& c, const Vec2& direction, CamDesignPoint& point) {
  const double rise = c.n_W.dot(direction), rho_A = c.radius_A, rho_B = c.radius_B;
  const Vec2 v_A = left_of(c.p_WA), t = left_of(c.n_W);  // n × t = 1
  point.slope = c.n_W.dot(v_A) / rise;
  const double sliding = t.dot(point.slope * direction - v_A);
  const bool flat_A = std::isinf(rho_A), flat_B = std::isinf(rho_B);
  const double turning = flat_A ? 1 : flat_B ? 0 : (sliding + rho_A) / (rho_A + rho_B);
  const double slip_A = flat_A ? sliding - rho_B * turning : rho_A * (turning - 1);
  const double bias = c.n_W.dot(c.p_WA) + turning * sliding + slip_A;
  point.bend = -bias / rise;
}

double pressing(const FollowerLoad& load, const CamDesignPoint& point) {
  return load.preload + load.stiffness * point.lift;
}

void find_lift_off(const FollowerLoad& load, CamDesign& design) {
  design.lift_off_speed = INFINITY;
  for (const CamDesignPoint& point : design.points) {
    if (!(point.bend < 0)) continue;
    const double speed =
        std::sqrt(std::max(0.0, pressing(load, point)) / (-load.mass * point.bend));
    if (speed >= design.lift_off_speed) continue;
    design.lift_off_speed = speed;
    design.lift_off_angle = point.angle;
  }
}

}  // namespace

double hertz_pressure(const HertzLine& line, double a, double b, double force) {
  const double curvature = 1 / a + 1 / b;
  if (!(force > 0) || !(line.width > 0) || !(curvature > 0)) return 0;
  return std::sqrt(force * line.modulus * curvature / (std::numbers::pi * line.width));
}

CamDesign design_cam(const CamPair& pair, const FollowerLoad& load, double speed,
                     const HertzLine& hertz, int points) {
  require_positive(load.mass, "cam: mass of the follower", "kg");
  require_not_negative(load.stiffness, "cam: stiffness of the spring", "N/m");
  require_not_negative(speed, "cam: speed", "rad/s");
  require_positive(points, "cam: points", "-");
  const CamContact contact = contact_of(pair);
  CamDesign design;
  design.smallest_radius = INFINITY;
  double lowest = INFINITY;
  std::vector<double> follower_radii;
  for (int k = 0; k < points; ++k) {
    CamDesignPoint point{.angle = 2 * std::numbers::pi * k / points};
    point.position = 3 * contact.size;
    const ClosestPoints c = touching_points(contact, point.angle, point.position);
    write_derivatives(c, pair.direction, point);
    point.pressure_angle =
        std::atan2(std::abs(cross(c.n_W, pair.direction)), c.n_W.dot(pair.direction));
    point.cam_radius = c.radius_A;
    follower_radii.push_back(c.radius_B);
    lowest = std::min(lowest, point.position);
    if (c.radius_A > 0) design.smallest_radius = std::min(design.smallest_radius, c.radius_A);
    design.points.push_back(point);
  }
  for (std::size_t k = 0; k < design.points.size(); ++k) {
    CamDesignPoint& point = design.points[k];
    point.lift = point.position - lowest;
    point.force = (load.mass * speed * speed * point.bend + pressing(load, point)) /
                  std::cos(point.pressure_angle);
    point.pressure = hertz_pressure(hertz, point.cam_radius, follower_radii[k], point.force);
    design.lift = std::max(design.lift, point.lift);
    design.largest_pressure_angle = std::max(design.largest_pressure_angle, point.pressure_angle);
    design.largest_pressure = std::max(design.largest_pressure, point.pressure);
  }
  find_lift_off(load, design);
  return design;
}

}  // namespace backlash
