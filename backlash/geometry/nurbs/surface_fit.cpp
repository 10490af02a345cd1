// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/surface_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/fit_axis.h"

namespace backlash {
namespace {

using Parameters = std::array<std::vector<double>, 2>;
constexpr std::array names{"u", "v"};

const Vec3& point_of(const PointGrid& grid, int i, int j) {
  return grid.points[at(i) * at(grid.size[1]) + at(j)];
}
/// The `along`-th point along parameter k, `across` being the place along the other one.
const Vec3& point_of(const PointGrid& grid, std::size_t k, int along, int across) {
  return k == 0 ? point_of(grid, along, across) : point_of(grid, across, along);
}

/// Whether all points with this place along parameter k are one.
bool is_pole(const PointGrid& grid, std::size_t k, int along) {
  for (int j = 1; j < grid.size[1 - k]; ++j)
    if (point_of(grid, k, along, j) != point_of(grid, k, along, 0)) return false;
  return true;
}

void require_grid(const PointGrid& grid) {
  if (grid.size[0] < 2 || grid.size[1] < 2 ||
      grid.points.size() != at(grid.size[0]) * at(grid.size[1]))
    throw InputError(fmt::format("a grid of {} × {} points for a surface has {} points",
                                 grid.size[0], grid.size[1], grid.points.size()));
  for (std::size_t i = 0; i < grid.points.size(); ++i)
    require_finite(Vector(grid.points[i]), fmt::format("point {} of a surface", i + 1));
}

/// Means over the lines of the grid along parameter k of the ways from point to point, each as part
/// of its line; of a periodic one with one more, the first point's again.
std::vector<double> chord_parameters(const PointGrid& grid, std::size_t k, SplineEnds ends) {
  const int points = grid.size[k];
  const int chords = ends == SplineEnds::periodic ? points : points - 1;
  std::vector<double> u(at(chords + 1), 0.0);
  int lines = 0;
  for (int across = 0; across < grid.size[1 - k]; ++across) {
    if (is_pole(grid, 1 - k, across)) continue;
    std::vector<double> ways{0};
    for (int i = 0; i < chords; ++i) {
      const int next = (i + 1) % points;
      const double way = (point_of(grid, k, next, across) - point_of(grid, k, i, across)).norm();
      if (!(way > 0))
        throw InputError(fmt::format(
            "points {} and {} along {} of a surface are the same, at the {}-th place along {}",
            i + 1, next + 1, names[k], across + 1, names[1 - k]));
      ways.push_back(ways.back() + way);
    }
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += ways[i] / ways.back();
    ++lines;
  }
  if (lines == 0) throw InputError("all points of a surface lie on a line");
  for (double& x : u) x /= lines;
  return u;
}

void require_closed_poles(const PointGrid& grid, std::size_t k, const FitAxis& axis) {
  if (axis.control_points == grid.size[k]) return;
  for (const int end : {0, grid.size[k] - 1})
    if (is_pole(grid, k, end))
      throw InputError(fmt::format(
          "a surface near points has a pole at an end of {}: it stays closed there only if it goes "
          "through all points along {}; give as many control points as points, {}",
          names[k], names[k], grid.size[k]));
}

/// The tensor product (theory 11.34): splines along v through the points, and splines along u
/// through their control points.
NurbsSurface solved_surface(const PointGrid& grid, const std::array<FitAxis, 2>& axes,
                            const Parameters& u, NurbsSurfaceData data) {
  std::array<nurbs::SplineAxis, 2> splines;
  for (std::size_t k = 0; k < 2; ++k) {
    data.size[k] = axes[k].control_points;
    splines[k] = nurbs::spline_axis(axes[k].degree, data.size[k], data.knots[k], axes[k].ends,
                                    "surface through points");
  }
  data.points.assign(at(data.size[0]) * at(data.size[1]), Vec3::Zero());
  for (int c = 0; c < 3; ++c) {
    Matrix values(grid.size[1], grid.size[0]);
    for (int i = 0; i < grid.size[0]; ++i)
      for (int j = 0; j < grid.size[1]; ++j) values(j, i) = point_of(grid, i, j)[c];
    const Matrix along_v = nurbs::fit_control(splines[1], u[1], values);
    const Matrix control = nurbs::fit_control(splines[0], u[0], along_v.transpose());
    for (int i = 0; i < data.size[0]; ++i)
      for (int j = 0; j < data.size[1]; ++j)
        data.points[at(i) * at(data.size[1]) + at(j)][c] = control(i, j);
  }
  return NurbsSurface(std::move(data), "surface through points");
}

/// One step of Newton's method towards the closest point, of Gauss and Newton where that is no
/// minimum; zero at a pole.
Eigen::Vector2d step_to_foot(const SurfacePoint& at, const Vec3& p) {
  const Vec3 r = at.p - p;
  const Eigen::Vector2d slope(r.dot(at.du), r.dot(at.dv));
  Eigen::Matrix2d first;
  first << at.du.dot(at.du), at.du.dot(at.dv), at.du.dot(at.dv), at.dv.dot(at.dv);
  Eigen::Matrix2d bend;
  bend << r.dot(at.duu), r.dot(at.duv), r.dot(at.duv), r.dot(at.dvv);
  for (const Eigen::Matrix2d& H : {Eigen::Matrix2d(first + bend), first}) {
    const double det = H(0, 0) * H(1, 1) - H(0, 1) * H(1, 0);
    if (H(0, 0) > 0 && det > 1e-12 * first(0, 0) * first(1, 1))
      return {-(H(1, 1) * slope[0] - H(0, 1) * slope[1]) / det,
              -(H(0, 0) * slope[1] - H(1, 0) * slope[0]) / det};
  }
  return Eigen::Vector2d::Zero();
}

/// The parameters of the closest point of the surface near u, and its distance.
double project(const NurbsSurface& surface, const Vec3& p, Eigen::Vector2d& u) {
  constexpr int most = 30;
  const auto inside = [&](const Eigen::Vector2d& x) {
    return Eigen::Vector2d(surface.pieces().axis(0).in_domain(x[0]),
                           surface.pieces().axis(1).in_domain(x[1]));
  };
  SurfacePoint at = surface.at(u[0], u[1]);
  double distance = (at.p - p).norm();
  for (int k = 0; k < most; ++k) {
    const Eigen::Vector2d step = step_to_foot(at, p);
    bool nearer = false;
    for (double part = 1; part > 1e-4 && !nearer; part /= 4) {
      const Eigen::Vector2d tried = inside(u + part * step);
      const SurfacePoint there = surface.at(tried[0], tried[1]);
      nearer = (there.p - p).norm() < distance;
      if (!nearer) continue;
      u = tried;
      at = there;
      distance = (at.p - p).norm();
    }
    if (!nearer) break;
  }
  return distance;
}

/// `x` or what is a whole number of periods from it, whatever is nearest to `near`.
double nearest_turn(double x, double near, const nurbs::BezierPieces<3, 2>::Axis& axis) {
  return axis.closed ? x + axis.period() * std::round((near - x) / axis.period()) : x;
}

/// The largest distance of a point, and the means over lines of the grid of the parameters of the
/// closest points.
double project_all(const NurbsSurface& surface, const PointGrid& grid, const Parameters& u,
                   Parameters& feet) {
  double deviation = 0;
  feet = u;
  for (std::size_t k = 0; k < 2; ++k)
    for (int i = 0; i < grid.size[k]; ++i) feet[k][at(i)] = 0;
  for (int i = 0; i < grid.size[0]; ++i)
    for (int j = 0; j < grid.size[1]; ++j) {
      const Eigen::Vector2d start(u[0][at(i)], u[1][at(j)]);
      Eigen::Vector2d foot(surface.pieces().axis(0).in_domain(start[0]),
                           surface.pieces().axis(1).in_domain(start[1]));
      deviation = std::max(deviation, project(surface, point_of(grid, i, j), foot));
      for (int k = 0; k < 2; ++k)
        foot[k] = nearest_turn(foot[k], start[k], surface.pieces().axis(k));
      feet[0][at(i)] += foot[0] / grid.size[1];
      feet[1][at(j)] += foot[1] / grid.size[0];
    }
  return deviation;
}

/// Ends of open parameters stay where they are. False if the parameters do not increase any more.
bool make_parameters(Parameters& u, const std::array<FitAxis, 2>& axes) {
  for (std::size_t k = 0; k < 2; ++k) {
    if (axes[k].ends != SplineEnds::periodic) u[k].front() = 0;
    u[k].back() = u[k].front() + 1;
    if (std::ranges::adjacent_find(u[k], std::ranges::greater_equal{}) != u[k].end()) return false;
  }
  return true;
}

}  // namespace

SurfaceFit interpolated_surface(const PointGrid& grid, const std::array<FitAxis, 2>& axes) {
  std::array<FitAxis, 2> all = axes;
  for (FitAxis& axis : all) axis.control_points = 0;
  return fitted_surface(grid, all);
}

SurfaceFit fitted_surface(const PointGrid& grid, const std::array<FitAxis, 2>& given) {
  require_grid(grid);
  std::array<FitAxis, 2> axes = given;
  NurbsSurfaceData data;
  Parameters u;
  bool smooths = false;
  for (std::size_t k = 0; k < 2; ++k) {
    FitAxis& axis = axes[k];
    if (axis.control_points == 0) axis.control_points = grid.size[k];
    nurbs::require_fit({at(grid.size[k]), axis.control_points, axis.degree, axis.ends},
                       fmt::format("surface, along {},", names[k]));
    require_closed_poles(grid, k, axis);
    u[k] = chord_parameters(grid, k, axis.ends);
    data.degree[k] = axis.degree;
    data.ends[k] = axis.ends;
    data.knots[k] = nurbs::fit_knots(u[k], axis.control_points, axis.degree, axis.ends);
    smooths = smooths || axis.control_points < grid.size[k];
  }
  NurbsSurface surface = solved_surface(grid, axes, u, data);
  Parameters feet;
  double deviation = project_all(surface, grid, u, feet);
  for (int round = 0; round < (smooths ? 8 : 0) && make_parameters(feet, axes); ++round) {
    const Parameters better = feet;  // the closest points have better parameters
    NurbsSurface next = solved_surface(grid, axes, better, data);
    const double after = project_all(next, grid, better, feet);
    if (!(after < deviation)) break;
    surface = std::move(next);
    deviation = after;
  }
  std::array<int, 2> smooth{};
  for (std::size_t k = 0; k < 2; ++k)
    smooth[k] = nurbs::continuity(nurbs::spline_axis(axes[k].degree, axes[k].control_points,
                                                     data.knots[k], axes[k].ends, "surface"));
  return {std::move(surface), smooth, deviation};
}

}  // namespace backlash
