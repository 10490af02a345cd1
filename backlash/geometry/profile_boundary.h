// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "backlash/geometry/nurbs/distance.h"

namespace backlash {

/// A curve as the boundary of a body, with the parts that its contacts are named by (theory 11.22):
/// the arcs between its hollows, and its corners.
class ProfileBoundary {
 public:
  explicit ProfileBoundary(const NurbsCurve<2>& curve);

  const ContactBoundary<2>& boundary() const { return boundary_; }
  double size() const { return boundary_.size(); }  ///< radius of a circle around it [m]

  /// Where the curve is a circle around its material: the disk, by which it touches. With it, the
  /// parameter of the point in a direction from its centre.
  struct Disk {
    Vec2 centre = Vec2::Zero();
    double radius = 0;  ///< [m]
  };
  const std::optional<Disk>& disk() const { return disk_; }
  double parameter_towards(const Vec2& direction) const;

  /// Of the thinnest part of its material, from samples (theory 7.27); at most its size [m].
  double thickness() const { return thickness_; }

  bool hollow() const { return !cuts_.empty(); }  ///< somewhere

  /// Smooth and without hollows: another such one touches it in one place at a time, unless both
  /// have straight stretches.
  bool convex() const { return convex_; }
  /// All of it lies behind each of its tangents, and those of its corners: it is closed and has no
  /// hollow, or is one straight line.
  bool behind_tangents() const { return behind_tangents_; }
  bool has_straight_stretches() const { return has_straight_stretches_; }

  int parts() const { return arcs_ + static_cast<int>(boundary_.vertices().size()); }
  int part(const BoundaryPoint& at) const;

  /// Where the point lies on the curve.
  double parameter(const BoundaryPoint& at) const;
  /// How far apart two parameters are, as a part of the whole curve; around a closed one.
  double parameter_distance(double u, double v) const;
  /// Of curvature there: > 0 bulges, 0 is a corner, < 0 a hollow, infinite flat [m].
  double radius(const BoundaryPoint& at) const;

 private:
  ContactBoundary<2> boundary_;
  std::vector<double> cuts_{};  ///< parameters where hollows are deepest, increasing
  int arcs_ = 1;
  double thickness_ = INFINITY;
  bool convex_ = false, behind_tangents_ = false, has_straight_stretches_ = false;
  std::optional<Disk> disk_{};
};

using SharedProfile = std::shared_ptr<const ProfileBoundary>;

}  // namespace backlash
