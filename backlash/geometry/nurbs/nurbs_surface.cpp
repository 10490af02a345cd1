// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/nurbs_surface.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"
#include "backlash/geometry/nurbs/conics.h"

namespace backlash {
namespace {

void require_grid(const NurbsSurfaceData& data, std::string_view item) {
  const std::size_t needed = at(data.size[0]) * at(data.size[1]);
  if (data.points.size() != needed)
    throw InputError(fmt::format("{}: a grid of {} × {} needs {} control points, has {}", item,
                                 data.size[0], data.size[1], needed, data.points.size()));
  for (std::size_t i = 0; i < data.points.size(); ++i)
    require_finite(Vector(data.points[i]), fmt::format("{}: control point {}", item, i + 1));
  if (!data.weights.empty() && data.weights.size() != needed)
    throw InputError(fmt::format("{}: {} weights for {} control points; one each, or none", item,
                                 data.weights.size(), needed));
  for (std::size_t i = 0; i < data.weights.size(); ++i)
    require_positive(data.weights[i], fmt::format("{}: weight {}", item, i + 1), "-");
}

using Homogeneous = Eigen::Vector4d;

/// The control points of the piece over two spans, in homogeneous coordinates.
void append_piece(const NurbsSurfaceData& data, const std::array<nurbs::SplineAxis, 2>& axes,
                  const nurbs::BezierSpan& u, const nurbs::BezierSpan& v,
                  std::vector<double>& control) {
  for (Eigen::Index k = 0; k < u.coefficients.rows(); ++k)
    for (Eigen::Index l = 0; l < v.coefficients.rows(); ++l) {
      Homogeneous h = Homogeneous::Zero();
      for (int i = 0; i <= axes[0].degree; ++i)
        for (int j = 0; j <= axes[1].degree; ++j) {
          const std::size_t row = at((u.point + i) % axes[0].given);
          const std::size_t at_ij = row * at(data.size[1]) + at((v.point + j) % axes[1].given);
          const double w = data.weights.empty() ? 1 : data.weights[at_ij];
          const double share = u.coefficients(k, i) * v.coefficients(l, j) * w;
          h.head<3>() += share * data.points[at_ij];
          h[3] += share;
        }
      control.insert(control.end(), h.data(), h.data() + 4);
    }
}

nurbs::BezierPieces<3, 2> surface_pieces(const NurbsSurfaceData& data,
                                         const std::array<nurbs::SplineAxis, 2>& axes) {
  nurbs::Coords<nurbs::BezierPieces<3, 2>::Axis, 2> breaks;
  std::array<std::vector<nurbs::BezierSpan>, 2> spans;
  for (std::size_t k = 0; k < 2; ++k) {
    spans[k] = nurbs::bezier_spans(axes[k]);
    breaks[k].degree = std::max(2, axes[k].degree);
    breaks[k].closed = axes[k].closed;
    breaks[k].breaks.push_back(axes[k].first());
    for (const nurbs::BezierSpan& span : spans[k]) breaks[k].breaks.push_back(span.upper);
  }
  std::vector<double> control;
  for (const nurbs::BezierSpan& u : spans[0])
    for (const nurbs::BezierSpan& v : spans[1]) append_piece(data, axes, u, v, control);
  return {breaks, std::move(control)};
}

Vec3 normal_of_jet(const nurbs::PatchJet<double, 3, 2>& jet) {
  return nurbs::vec<3>(jet.d[0]).cross(nurbs::vec<3>(jet.d[1]));
}

/// The same normal on both sides of every knot, and of the seam of a closed surface.
void require_smooth(const nurbs::BezierPieces<3, 2>& pieces, std::string_view item) {
  for (int k = 0; k < 2; ++k) {
    const auto& axis = pieces.axis(k);
    const auto& other = pieces.axis(1 - k);
    const int stride = k == 0 ? other.pieces() : 1, across = k == 0 ? 1 : axis.pieces();
    for (int i = axis.closed ? 0 : 1; i < axis.pieces(); ++i)
      for (int j = 0; j < other.pieces(); ++j)
        for (const double t : {0.25, 0.75}) {
          const int before = (i + axis.pieces() - 1) % axis.pieces();
          nurbs::Coords<double, 2> end{t, t}, start{t, t};
          end[at(k)] = 1;
          start[at(k)] = 0;
          const auto a = pieces.at_piece(before * stride + j * across, end);
          const auto b = pieces.at_piece(i * stride + j * across, start);
          const double u = axis.breaks[at(i)];
          const char* name = k == 0 ? "u" : "v";
          if ((nurbs::vec<3>(a.p) - nurbs::vec<3>(b.p)).norm() > 1e-9 * pieces.size())
            throw InputError(fmt::format(
                "{}: is said to be closed, but does not meet itself at {} = {}", item, name, u));
          const Vec3 m = normal_of_jet(a), n = normal_of_jet(b);
          if (m.cross(n).norm() > 1e-6 * m.norm() * n.norm() || m.dot(n) < 0)
            throw InputError(fmt::format(
                "{}: has an edge at {} = {}; give what lies on its two sides as two surfaces", item,
                name, u));
        }
  }
}

}  // namespace

NurbsSurface::NurbsSurface(NurbsSurfaceData data, std::string_view item) : data_(std::move(data)) {
  require_grid(data_, item);
  std::array<nurbs::SplineAxis, 2> axes;
  for (std::size_t k = 0; k < 2; ++k)
    axes[k] = nurbs::spline_axis(data_.degree[k], data_.size[k], data_.knots[k], data_.ends[k],
                                 fmt::format("{}, parameter {}", item, k == 0 ? "u" : "v"));
  pieces_ = surface_pieces(data_, axes);
  for (int i = 0; i < pieces_.count(); ++i) {
    const auto jet = pieces_.at_piece(i, {0.5, 0.5});
    if (normal_of_jet(jet).norm() <= 1e-14 * pieces_.size() * pieces_.size())
      throw InputError(fmt::format("{}: has no normal inside: control points coincide", item));
  }
  require_smooth(pieces_, item);
}

SurfacePoint NurbsSurface::at(double u, double v) const {
  const auto jet = pieces_.at({pieces_.axis(0).in_domain(u), pieces_.axis(1).in_domain(v)});
  using nurbs::vec;
  return {vec<3>(jet.p),        vec<3>(jet.d[0]),     vec<3>(jet.d[1]),
          vec<3>(jet.dd[0][0]), vec<3>(jet.dd[0][1]), vec<3>(jet.dd[1][1])};
}

std::array<double, 2> principal_curvatures(const SurfacePoint& at) {
  // The second fundamental form along e₁ = S_u/a and e₂ ⊥ e₁ in the tangent plane, where
  // S_v = b e₁ + c e₂: a symmetric matrix whose eigenvalues they are.
  const Vec3 n = normal(at);
  const double a = at.du.norm(), b = at.du.dot(at.dv) / a, c = (at.dv - b / a * at.du).norm();
  const double uu = -n.dot(at.duu), uv = -n.dot(at.duv), vv = -n.dot(at.dvv);
  const double k11 = uu / (a * a), k12 = (uv / a - b * k11) / c;
  const double k22 = (vv - b * (2 * c * k12 + b * k11)) / (c * c);
  const double mean = 0.5 * (k11 + k22), half = std::hypot(0.5 * (k11 - k22), k12);
  return {mean - half, mean + half};
}

NurbsSurfaceData reversed(NurbsSurfaceData data) {
  const std::size_t rows = at(data.size[0]), columns = at(data.size[1]);
  const auto reverse_rows = [&](auto& values) {
    for (std::size_t i = 0; 2 * i + 1 < rows && !values.empty(); ++i)
      for (std::size_t j = 0; j < columns; ++j)
        std::swap(values[i * columns + j], values[(rows - 1 - i) * columns + j]);
  };
  reverse_rows(data.points);
  reverse_rows(data.weights);
  std::vector<double>& knots = data.knots[0];
  std::reverse(knots.begin(), knots.end());
  const double ends = knots.empty() ? 0 : knots.front() + knots.back();
  for (double& knot : knots) knot = ends - knot;
  // Of a periodic axis points i … i + degree govern span i; backwards the first of them is another.
  if (data.ends[0] == SplineEnds::periodic) {
    const auto rotate_rows = [&](auto& values) {
      if (values.empty()) return;
      const std::size_t first = (rows - at(data.degree[0]) % rows) % rows;
      std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first * columns),
                  values.end());
    };
    rotate_rows(data.points);
    rotate_rows(data.weights);
  }
  return data;
}

NurbsSurfaceData transformed(NurbsSurfaceData data, const Mat3& M, const Vec3& shift) {
  if (!(M.determinant() > 0))
    throw InputError(
        "a surface can be turned, moved and stretched, not mirrored: det M must be > 0");
  for (Vec3& p : data.points) p = (M * p + shift).eval();
  return data;
}

NurbsSurface surface_of_revolution(const NurbsCurve<2>& profile, double angle) {
  const NurbsCurveData<2> circle = circular_arc(Vec2::Zero(), 1, 0, angle);
  const NurbsCurveData<2>& meridian = profile.data();
  const bool full = circle.ends == SplineEnds::closed;
  NurbsSurfaceData data;
  data.degree = {circle.degree, meridian.degree};
  data.size = {static_cast<int>(circle.points.size()), static_cast<int>(meridian.points.size())};
  data.knots = {circle.knots, meridian.knots};
  data.ends = {full ? SplineEnds::closed : SplineEnds::open, meridian.ends};
  for (std::size_t i = 0; i < circle.points.size(); ++i)
    for (std::size_t j = 0; j < meridian.points.size(); ++j) {
      const Vec2& around = circle.points[i];
      const Vec2& along = meridian.points[j];
      data.points.emplace_back(around.x() * along.x(), around.y() * along.x(), along.y());
      data.weights.push_back(circle.weights[i] *
                             (meridian.weights.empty() ? 1 : meridian.weights[j]));
    }
  return NurbsSurface(std::move(data), "surface of revolution");
}

NurbsSurface sphere_surface(double radius) {
  constexpr double quarter = std::numbers::pi / 2;
  NurbsCurveData<2> meridian = circular_arc(Vec2::Zero(), radius, -quarter, 2 * quarter);
  meridian.points.front().x() = meridian.points.back().x() = 0;  // on the axis, not beside it
  return surface_of_revolution(NurbsCurve<2>(std::move(meridian)), full_turn);
}

NurbsSurface torus_surface(double ring_radius, double tube_radius) {
  return surface_of_revolution(NurbsCurve<2>(circle_curve({ring_radius, 0}, tube_radius)),
                               full_turn);
}

}  // namespace backlash
