// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <variant>

#include "backlash/base/expression.h"
#include "backlash/base/jet.h"
#include "backlash/base/table.h"
#include "backlash/base/types.h"
#include "backlash/geometry/shapes/cam.h"

namespace backlash {

/// Where something is closest to a cam, in the cam's frame (origin at its centre).
struct CamPoint {
  Vec2 p;           ///< on the profile [m]
  Vec2 normal;      ///< unit, out of the cam
  double distance;  ///< along the normal [m]; negative: inside
  double radius;    ///< of the profile's curvature there: > 0 bulges, < 0 is hollow [m]
};

/// A point of a cam's profile, and how it moves with the angle of the cam's function.
struct CamProfilePoint {
  Vec2 p;        ///< [m]
  Vec2 tangent;  ///< [m/rad]
};

/// The profile of a cam, ready for searches. Const after construction, evaluated without
/// allocation.
///
/// Closest points are found from the best of `samples` points of the curve, by Newton's method with
/// the exact derivatives of the function, kept between the neighbours of that sample by bisection.
/// So the answer is a local minimum in any case, and the global one where the minima differ by more
/// than the distance to the curve varies between two samples. Samples are looked at only in blocks
/// that may hold the best one.
class CamCurve {
 public:
  static constexpr int samples = 360;

  /// Throws InputError as validate() does.
  explicit CamCurve(const CamProfile& profile);

  /// ρ(φ) = base + f(φ), with its derivatives [m].
  Jet function(double angle) const;

  /// The point of the profile that belongs to the angle φ (theory 7.12 to 7.17).
  CamProfilePoint profile_point(double angle) const;

  /// The point of the profile that is closest to p (theory 7.13, 7.15).
  CamPoint closest_to_point(const Vec2& p) const;

  /// The point that lies farthest in the unit direction d, which is the normal there: where a face
  /// with the normal −d touches (theory 7.12, 7.16). `distance` is −d · p.
  CamPoint farthest(const Vec2& d) const;

  double largest_radius() const { return largest_radius_; }    ///< of a circle around all [m]
  double smallest_radius() const { return smallest_radius_; }  ///< of one inside, sampled [m]

  bool hollow() const { return hollow_; }  ///< somewhere, at samples

  /// An angle [rad] where the function belongs to no real profile (theory 7.14, 7.17).
  std::optional<double> undercut() const;

 private:
  struct Place;  ///< a point of the sampled curve with its derivatives

  /// A circle around neighbouring samples; for `flat` of their normals, and their least ρ.
  struct Block {
    double x, y, radius, support;
  };
  static constexpr int blocks = 24, block_size = samples / blocks;
  double radius_at(const Place& place) const;  ///< of the profile's curvature [m]

  template <class Value, class Bound>
  int best_sample(const Value& value, const Bound& bound) const;
  void make_blocks();

  Place place(double angle) const;
  int nearest_sample(const Vec2& p) const;
  CamPoint closest_on_envelope(const Vec2& p) const;
  CamPoint closest_on_curve(const Vec2& p) const;
  bool outside_curve(const Vec2& p) const;
  bool undercut_between(int sample) const;

  std::variant<Expression, TableFunction> f_;
  double base_;
  CamFunction meaning_;
  double offset_;  ///< the profile lies inside the curve of radius ρ + offset by this much [m]
  double largest_radius_ = 0, smallest_radius_ = INFINITY;
  bool hollow_ = false;
  std::array<double, samples> x_, y_;    ///< of the curve; for `flat`: of the normal
  std::array<double, samples> support_;  ///< for `flat`: ρ
  std::array<Block, blocks> blocks_;
};

}  // namespace backlash
