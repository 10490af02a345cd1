// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/nurbs_curve.h"

#include <array>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

template <int D>
void require_control_points(const NurbsCurveData<D>& data, std::string_view item) {
  for (std::size_t i = 0; i < data.points.size(); ++i)
    require_finite(Vector(data.points[i]), fmt::format("{}: control point {}", item, i + 1));
  if (!data.weights.empty() && data.weights.size() != data.points.size())
    throw InputError(fmt::format("{}: {} weights for {} control points; one each, or none", item,
                                 data.weights.size(), data.points.size()));
  for (std::size_t i = 0; i < data.weights.size(); ++i)
    require_positive(data.weights[i], fmt::format("{}: weight {}", item, i + 1), "-");
}

template <int D>
nurbs::BezierPieces<D, 1> curve_pieces(const NurbsCurveData<D>& data,
                                       const nurbs::SplineAxis& axis) {
  typename nurbs::BezierPieces<D, 1>::Axis breaks;
  breaks.degree = std::max(2, axis.degree);
  breaks.closed = axis.closed;
  breaks.breaks.push_back(axis.first());
  std::vector<double> control;
  for (const nurbs::BezierSpan& span : nurbs::bezier_spans(axis)) {
    breaks.breaks.push_back(span.upper);
    for (Eigen::Index k = 0; k < span.coefficients.rows(); ++k) {
      Eigen::Matrix<double, D + 1, 1> h = Eigen::Matrix<double, D + 1, 1>::Zero();
      for (int j = 0; j <= axis.degree; ++j) {
        const std::size_t i = at((span.point + j) % axis.given);
        const double w = data.weights.empty() ? 1 : data.weights[i];
        h.template head<D>() += span.coefficients(k, j) * w * data.points[i];
        h[D] += span.coefficients(k, j) * w;
      }
      control.insert(control.end(), h.data(), h.data() + D + 1);
    }
  }
  return {{breaks}, std::move(control)};
}

/// A curve that stands still somewhere has no normal there.
template <int D>
void require_regular(const nurbs::BezierPieces<D, 1>& pieces, std::string_view item) {
  for (int i = 0; i < pieces.count(); ++i)
    for (const double t : {0.0, 0.5, 1.0}) {
      const auto jet = pieces.at_piece(i, {t});
      if (nurbs::vec<D>(jet.d[0]).norm() > 1e-9 * pieces.size()) continue;
      throw InputError(
          fmt::format("{}: has no direction at the parameter {}: control points that coincide must "
                      "be one point, with a multiple knot for a corner",
                      item, pieces.parameters(i, {t})[0]));
    }
}

/// Gauss' rule with five points on a part of a piece.
template <class Integrand>
double gauss(double from, double to, Integrand f) {
  constexpr std::array<double, 3> x{0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array<double, 3> w{0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = w[0] * f(middle);
  for (std::size_t i = 1; i < 3; ++i)
    sum += w[i] * (f(middle - half * x[i]) + f(middle + half * x[i]));
  return half * sum;
}

template <int D, class Integrand>
double integral(const NurbsCurve<D>& curve, double from, double to, Integrand f) {
  constexpr int parts = 16;
  double sum = 0;
  const std::vector<double>& breaks = curve.pieces().axis(0).breaks;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double a = std::max(from, breaks[i]), b = std::min(to, breaks[i + 1]);
    if (a >= b) continue;
    for (int k = 0; k < parts; ++k)
      sum += gauss(a + (b - a) * k / parts, a + (b - a) * (k + 1) / parts,
                   [&](double u) { return f(curve.at(u)); });
  }
  return sum;
}

}  // namespace

template <int D>
NurbsCurve<D>::NurbsCurve(NurbsCurveData<D> data, std::string_view item) : data_(std::move(data)) {
  require_control_points(data_, item);
  const nurbs::SplineAxis axis = nurbs::spline_axis(
      data_.degree, static_cast<int>(data_.points.size()), data_.knots, data_.ends, item);
  continuity_ = nurbs::continuity(axis);
  pieces_ = curve_pieces(data_, axis);
  if (!(pieces_.size() > 0))
    throw InputError(fmt::format("{}: all control points are the same", item));
  require_regular(pieces_, item);
  const double opening = (at(first()).p - nurbs::vec<D>(pieces_.at({last()}).p)).norm();
  if (closed() && opening > 1e-9 * pieces_.size())
    throw InputError(
        fmt::format("{}: is said to be closed, but its ends are {} m apart; give the "
                    "first control point again at the end, or make it periodic",
                    item, opening));
}

template <int D>
CurvePoint<D> NurbsCurve<D>::at(double u) const {
  const nurbs::PatchJet<double, D, 1> jet = pieces_.at({pieces_.axis(0).in_domain(u)});
  return {nurbs::vec<D>(jet.p), nurbs::vec<D>(jet.d[0]), nurbs::vec<D>(jet.dd[0][0])};
}

double curvature(const CurvePoint<2>& at) {
  const double speed = at.d.norm();
  return cross(at.d, at.dd) / (speed * speed * speed);
}

double curvature(const CurvePoint<3>& at) {
  const double speed = at.d.norm();
  return at.d.cross(at.dd).norm() / (speed * speed * speed);
}

template <int D>
NurbsCurveData<D> reversed(NurbsCurveData<D> data) {
  std::reverse(data.points.begin(), data.points.end());
  std::reverse(data.weights.begin(), data.weights.end());
  if (data.ends == SplineEnds::periodic && !data.points.empty()) {
    // Points i … i + degree govern span i: backwards, the first of them is another one.
    const auto n = static_cast<std::ptrdiff_t>(data.points.size());
    const std::ptrdiff_t first = (n - data.degree % n) % n;
    std::rotate(data.points.begin(), data.points.begin() + first, data.points.end());
    if (!data.weights.empty())
      std::rotate(data.weights.begin(), data.weights.begin() + first, data.weights.end());
  }
  if (data.knots.empty()) return data;
  const double sum = data.knots.front() + data.knots.back();
  std::reverse(data.knots.begin(), data.knots.end());
  for (double& knot : data.knots) knot = sum - knot;
  return data;
}

double signed_area(const NurbsCurve<2>& curve) {
  return integral(curve, curve.first(), curve.last(),
                  [](const CurvePoint<2>& at) { return 0.5 * cross(at.p, at.d); });
}

/// By Green's theorem: ½, ⅓ and ¼ ∮ of p × p′ times 1, p and |p|².
AreaIntegrals area_integrals(const NurbsCurve<2>& curve) {
  const auto around = [&](auto factor) {
    return integral(curve, curve.first(), curve.last(),
                    [&](const CurvePoint<2>& at) { return factor(at.p) * cross(at.p, at.d); });
  };
  return {around([](const Vec2&) { return 0.5; }),
          {around([](const Vec2& p) { return p.x() / 3; }),
           around([](const Vec2& p) { return p.y() / 3; })},
          around([](const Vec2& p) { return p.squaredNorm() / 4; })};
}

template <int D>
double arc_length(const NurbsCurve<D>& curve, double from, double to) {
  return integral(curve, from, to, [](const CurvePoint<D>& at) { return at.d.norm(); });
}

template class NurbsCurve<2>;
template class NurbsCurve<3>;
template NurbsCurveData<2> reversed(NurbsCurveData<2>);
template NurbsCurveData<3> reversed(NurbsCurveData<3>);
template double arc_length(const NurbsCurve<2>&, double, double);
template double arc_length(const NurbsCurve<3>&, double, double);

}  // namespace backlash
