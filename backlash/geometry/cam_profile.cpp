// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/cam_profile.h"

#include <array>
#include <cmath>

#include "backlash/base/plane.h"

namespace backlash {
namespace {

using Piece = std::array<Vec2, 6>;  ///< control points

constexpr int first_pieces = 72, most_halvings = 13;
constexpr double tolerance = 1e-12;  ///< of the size

/// The piece from angle a to b with the points and tangents of the cam there and in the middle.
Piece piece_through(const CamProfilePoint& a, const CamProfilePoint& middle,
                    const CamProfilePoint& b, double length) {
  const Vec2 p1 = a.p + length / 5 * a.tangent, p4 = b.p - length / 5 * b.tangent;
  const Vec2 sum = (32 * middle.p - a.p - 5 * p1 - 5 * p4 - b.p) / 10;
  const Vec2 difference = (3.2 * length * middle.tangent + a.p + 3 * p1 - 3 * p4 - b.p) / 2;
  return {a.p, p1, 0.5 * (sum - difference), 0.5 * (sum + difference), p4, b.p};
}

Piece straight(const Vec2& a, const Vec2& b) {
  Piece p;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = a + static_cast<double>(i) / 5 * (b - a);
  return p;
}

/// By de Casteljau's rule.
Vec2 point_at(Piece p, double t) {
  for (std::size_t k = p.size() - 1; k > 0; --k)
    for (std::size_t i = 0; i < k; ++i) p[i] += t * (p[i + 1] - p[i]);
  return p[0];
}

/// Whether the profile has a kink or a jump between two angles that are next to each other.
bool breaks(const CamProfilePoint& a, const CamProfilePoint& b, double length) {
  const double kink = std::abs(cross(a.tangent.normalized(), b.tangent.normalized()));
  const Vec2 jump = b.p - a.p - 0.5 * length * (a.tangent + b.tangent);
  return kink > 1e-3 || jump.norm() > 1e-3 * length * (a.tangent.norm() + b.tangent.norm());
}

struct Fit {
  const CamCurve& cam;
  NurbsCurveData<2> curve{.degree = 5, .ends = SplineEnds::closed};

  void add(const Piece& p, double end) {
    curve.points.insert(curve.points.end(), p.begin() + 1, p.end());
    curve.knots.insert(curve.knots.end(), 5, end);
  }

  void fit(double lower, double upper, int halvings) {
    const double length = upper - lower, middle = 0.5 * (lower + upper);
    const CamProfilePoint a = cam.profile_point(lower), b = cam.profile_point(upper);
    const Piece p = piece_through(a, cam.profile_point(middle), b, length);
    double off = 0;
    for (const double t : {0.25, 0.75})
      off = std::max(off, (point_at(p, t) - cam.profile_point(lower + t * length).p).norm());
    if (off <= tolerance * cam.largest_radius()) return add(p, upper);
    if (halvings == most_halvings) {
      const bool bent = breaks(a, b, length);
      return add(bent ? straight(a.p, b.p) : p, upper);
    }
    fit(lower, middle, halvings + 1);
    fit(middle, upper, halvings + 1);
  }
};

}  // namespace

NurbsCurveData<2> cam_profile(const CamCurve& cam) {
  Fit fit{cam};
  fit.curve.points = {cam.profile_point(0).p};
  fit.curve.knots.assign(6, 0.0);
  for (int i = 0; i < first_pieces; ++i)
    fit.fit(full_turn * i / first_pieces, full_turn * (i + 1) / first_pieces, 0);
  fit.curve.points.back() = fit.curve.points.front();
  fit.curve.knots.push_back(full_turn);
  return fit.curve;
}

}  // namespace backlash
