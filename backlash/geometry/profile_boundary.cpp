// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/profile_boundary.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "backlash/base/plane.h"
#include "backlash/geometry/nurbs/normal_feet.h"

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
  struct Place {
    double u, curvature;
  };
  std::vector<Place> all;
  for (int i = 0; i < facets.count(); ++i)
    for (int k = 0; k < samples; ++k) {
      const double u = facets.parameters(i, {(k + 0.5) / samples})[0];
      all.push_back({u, curvature_at(facets, u)});
    }
  const auto hollow = [&](const Place& place) { return place.curvature * facets.size() < -1e-6; };
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
      cuts.push_back(std::min_element(begin, end, [](const Place& a, const Place& b) {
                       return a.curvature < b.curvature;
                     })->u);
    at = end;
  }
  return cuts;
}

struct Sample {
  Vec2 p, n;  ///< a place, and the normal out of the material
};

std::vector<Sample> sampled(const nurbs::BezierPieces<2, 1>& facets) {
  constexpr int least = 2, usual = 256;  // of a piece, and of all
  const int each = std::max(least, usual / facets.count());
  std::vector<Sample> all;
  for (int i = 0; i < facets.count(); ++i)
    for (int k = 0; k < each; ++k) {
      const auto jet = facets.at_piece(i, {(k + 0.5) / each});
      const Vec2 tangent = nurbs::vec<2>(jet.d[0]).normalized();
      all.push_back({nurbs::vec<2>(jet.p), {tangent.y(), -tangent.x()}});
    }
  return all;
}

/// The shortest way through the material between places whose normals are opposite; of an open
/// curve its ends are no farther apart than it is thick. Pairs of points are not looked for deeper
/// than curves are large.
double least_thickness(const nurbs::BezierPieces<2, 1>& facets) {
  constexpr double opposite = -0.95;
  const std::vector<Sample> all = sampled(facets);
  double least = 2 * facets.size();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Vec2 way = all[k].p - all[i].p;
      const bool through = way.dot(all[i].n) < 0 && way.dot(all[k].n) > 0;
      if (through && all[i].n.dot(all[k].n) < opposite) least = std::min(least, way.norm());
    }
  const auto& axis = facets.axis(0);
  if (axis.closed) return least;
  const Vec2 first = nurbs::vec<2>(facets.at({axis.first()}).p);
  const Vec2 last = nurbs::vec<2>(facets.at({axis.last()}).p);
  return std::min(least, (last - first).norm());
}

/// Whether a closed curve turns by one turn only; one that bulges everywhere may have loops.
bool turns_once(const nurbs::BezierPieces<2, 1>& facets) {
  const std::vector<Sample> all = sampled(facets);
  double turn = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec2 &a = all[i].n, &b = all[(i + 1) % all.size()].n;
    turn += std::atan2(cross(a, b), a.dot(b));
  }
  return std::abs(turn - full_turn) < 1e-6;
}

/// A circle has all of its points around the centre of its curvature.
std::optional<ProfileBoundary::Disk> disk_of(const nurbs::BezierPieces<2, 1>& facets) {
  const auto& axis = facets.axis(0);
  const auto jet = facets.at({axis.first()});
  const double curvature = curvature_at(facets, axis.first());
  if (!axis.closed || curvature * facets.size() < 0.5) return {};
  const double radius = 1 / curvature;
  const Vec2 centre =
      nurbs::vec<2>(jet.p) + radius * left_of(Vec2(nurbs::vec<2>(jet.d[0]).normalized()));
  bool around = false;
  nurbs::for_each_foot(facets, centre, INFINITY, [&](const nurbs::CurveFoot& foot) {
    around = around || nurbs::is_whole(facets, foot);
  });
  if (!around) return {};
  return ProfileBoundary::Disk{centre, radius};
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
  thickness_ = least_thickness(boundary_.facets());
  using Vertex = BoundaryVertex<2>;
  const auto flat = [](const Vertex& vertex) { return vertex.kind == Vertex::Kind::flat; };
  convex_ = cuts_.empty() && std::ranges::all_of(boundary_.vertices(), flat);
  const auto& facets = boundary_.facets();
  const bool line = facets.count() == 1 && facets.straight(0);
  if (convex_) disk_ = disk_of(facets);
  behind_tangents_ = cuts_.empty() && std::ranges::none_of(boundary_.vertices(), flat) &&
                     (curve.closed() ? turns_once(facets) : line);
  has_straight_stretches_ = std::ranges::any_of(
      boundary_.vertices(), [&](const Vertex& vertex) { return flat(vertex) && vertex.count > 0; });
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

double ProfileBoundary::parameter_towards(const Vec2& direction) const {
  constexpr int parts = 4;  // of a piece: less than half a turn each
  const auto& facets = boundary_.facets();
  const auto across = [&](int piece, double t) {
    const auto jet = facets.at_piece(piece, {t});
    const Vec2 from_centre = nurbs::vec<2>(jet.p) - disk_->centre;
    return std::array{cross(from_centre, direction), from_centre.dot(direction),
                      cross(Vec2(nurbs::vec<2>(jet.d[0])), direction)};
  };
  for (int i = 0; i < facets.count(); ++i)
    for (int k = 0; k < parts; ++k) {
      double a = static_cast<double>(k) / parts, b = static_cast<double>(k + 1) / parts;
      const auto at_a = across(i, a), at_b = across(i, b);
      if (at_a[0] < 0 || at_b[0] >= 0 || at_a[1] + at_b[1] <= 0) continue;
      double t = a + (b - a) * at_a[0] / (at_a[0] - at_b[0]);
      for (int n = 0; n < 6; ++n) {
        const auto at_t = across(i, t);
        t = std::clamp(t - at_t[0] / at_t[2], a, b);
      }
      return facets.parameters(i, {t})[0];
    }
  return facets.axis(0).first();
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
