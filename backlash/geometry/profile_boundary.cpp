// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/profile_boundary.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/plane.h"

namespace backlash {
namespace {

using Part = BoundaryPoint::Part;

/// Curvatures below this part of 1/size count as flat.
constexpr double flat = 1e-10;

double curvature_at(const nurbs::BezierPieces<2, 1>& facets, double u) {
  const auto jet = facets.at({u});
  return curvature(
      CurvePoint<2>{nurbs::vec<2>(jet.p), nurbs::vec<2>(jet.d[0]), nurbs::vec<2>(jet.dd[0][0])});
}

/// The most hollow of some places of each hollow stretch: where exactly does not matter.
std::vector<double> deepest_hollows(const nurbs::BezierPieces<2, 1>& facets) {
  constexpr int samples = 16;  // of a piece
  struct CurvatureSample {
    double u, curvature;
  };
  std::vector<CurvatureSample> all;
  for (int i = 0; i < facets.count(); ++i)
    for (int k = 0; k < samples; ++k) {
      const double u = facets.parameters(i, {(k + 0.5) / samples})[0];
      all.push_back({u, curvature_at(facets, u)});
    }
  const auto hollow = [&](const CurvatureSample& place) {
    return place.curvature * facets.size() < -1e-6;
  };
  // Of a closed curve the first stretch must not begin at the seam.
  if (facets.axis(0).closed) {
    const auto bulging = std::ranges::find_if_not(all, hollow);
    std::rotate(all.begin(), bulging, all.end());
  }
  std::vector<double> cuts;
  for (auto at = all.begin(); at != all.end();) {
    const auto begin = std::find_if(at, all.end(), hollow);
    const auto end = std::find_if_not(begin, all.end(), hollow);
    if (begin != end)
      cuts.push_back(
          std::min_element(begin, end, [](const CurvatureSample& a, const CurvatureSample& b) {
            return a.curvature < b.curvature;
          })->u);
    at = end;
  }
  return cuts;
}

}  // namespace

ProfileBoundary::ProfileBoundary(const NurbsCurve<2>& curve)
    : boundary_(curve), cuts_(deepest_hollows(boundary_.facets())) {
  for (const BoundaryVertex<2>& vertex : boundary_.vertices())
    if (vertex.kind == BoundaryVertex<2>::Kind::hollow) cuts_.push_back(vertex.parameter);
  if (curve.closed() && cuts_.size() == 1) {  // the two sides of one hollow are two parts
    const auto& axis = boundary_.facets().axis(0);
    cuts_.push_back(axis.in_domain(cuts_[0] + 0.5 * axis.period()));
  }
  std::ranges::sort(cuts_);
  const int cuts = static_cast<int>(cuts_.size());
  arcs_ = curve.closed() ? std::max(1, cuts) : cuts + 1;
}

int ProfileBoundary::part(const BoundaryPoint& at) const {
  if (at.part == Part::vertex) return arcs_ + at.index;
  const auto next = std::ranges::upper_bound(cuts_, at.parameters[0]);
  return static_cast<int>(next - cuts_.begin()) % arcs_;
}

double ProfileBoundary::parameter(const BoundaryPoint& at) const {
  return at.part == Part::vertex ? boundary_.vertices()[backlash::at(at.index)].parameter
                                 : at.parameters[0];
}

double ProfileBoundary::parameter_distance(double u, double v) const {
  const auto& axis = boundary_.facets().axis(0);
  const double apart = std::abs(u - v) / axis.period();
  return axis.closed ? std::min(apart, std::abs(1 - apart)) : apart;
}

double ProfileBoundary::radius(const BoundaryPoint& at) const {
  if (at.part == Part::vertex) return 0;
  const double curvature = curvature_at(boundary_.facets(), at.parameters[0]);
  return std::abs(curvature) * size() < flat ? INFINITY : 1 / curvature;
}

}  // namespace backlash
