// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "backlash/geometry/nurbs/nurbs_surface.h"

/// Surfaces from grids of points that were measured or computed (theory 11.34).
namespace backlash {

/// Points in rows (along v) and columns (along u), the index along v running faster. All points of
/// the first or last row or column may be one: a pole.
struct PointGrid {
  std::array<int, 2> size{};       ///< how many along u and v
  std::span<const Vec3> points{};  ///< [m]
};

struct SurfaceFit {
  NurbsSurface surface;
  std::array<int, 2> continuity;  ///< so many derivatives are continuous everywhere, along u and v
  double max_deviation;           ///< the largest distance of a point from the surface [m]
};

/// How a surface is made along u or v.
struct FitAxis {
  int degree = 3;
  SplineEnds ends = SplineEnds::open;
  int control_points = 0;  ///< 0: as many as points, which the surface then goes through
};

/// The surface through all points of the grid; along a periodic parameter the last of them are
/// joined to the first, which are not given again. Throws InputError for too few points, and for
/// neighbours that coincide.
SurfaceFit interpolated_surface(const PointGrid& grid, const std::array<FitAxis, 2>& axes = {});

/// The surface with so many control points that is closest to the points in the mean of squares.
/// Fewer control points than points smooth what was measured; the deviation says how much. Along
/// the parameter that ends at a pole it must go through all points.
SurfaceFit fitted_surface(const PointGrid& grid, const std::array<FitAxis, 2>& axes);

}  // namespace backlash
