// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/surface_form.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Facets = nurbs::BezierPieces<3, 2>;
using nurbs::vec;

struct Sample {
  Vec3 p, n;  ///< a place, and the normal out of the material
};

/// Places inside of the pieces, `each` both ways across one; calls use(jet).
template <class Use>
void for_each_sample(const Facets& facets, int each, Use use) {
  for (int i = 0; i < facets.count(); ++i)
    for (int j = 0; j < each; ++j)
      for (int k = 0; k < each; ++k) use(facets.at_piece(i, {(j + 0.5) / each, (k + 0.5) / each}));
}

double least_curvature(const Facets& facets) {
  constexpr int each = 8;
  double least = INFINITY;
  for_each_sample(facets, each, [&](const auto& at) {
    least = std::min(least, principal_curvatures({vec<3>(at.p), vec<3>(at.d[0]), vec<3>(at.d[1]),
                                                  vec<3>(at.dd[0][0]), vec<3>(at.dd[0][1]),
                                                  vec<3>(at.dd[1][1])})[0]);
  });
  return least;
}

std::vector<Sample> sampled(const Facets& facets) {
  constexpr double usual = 4096;  // of all pieces
  const int each = std::clamp(static_cast<int>(std::sqrt(usual / facets.count())), 2, 32);
  std::vector<Sample> all;
  for_each_sample(facets, each, [&](const auto& at) {
    const Vec3 n = vec<3>(at.d[0]).cross(vec<3>(at.d[1]));
    all.push_back({vec<3>(at.p), n.normalized()});
  });
  return all;
}

/// Of an edge, with the directions that point out of the surface along it.
std::vector<Sample> sampled_rim(const SurfaceBoundary& surface) {
  constexpr int least = 2, usual = 128;  // of a piece, and of an edge
  std::vector<Sample> all;
  for (const SurfaceEdge& edge : surface.edges()) {
    const int each = std::max(least, usual / edge.curve.count());
    for (int i = 0; i < edge.curve.count(); ++i)
      for (int k = 0; k < each; ++k) {
        const double t = edge.curve.parameters(i, {(k + 0.5) / each})[0];
        nurbs::Coords<double, 2> u;
        u[static_cast<std::size_t>(edge.across)] = edge.at;
        u[static_cast<std::size_t>(1 - edge.across)] = t;
        const auto at = surface.facets().at(u);
        const Vec3 along = vec<3>(at.d[static_cast<std::size_t>(1 - edge.across)]).normalized();
        const Vec3 out = -edge.inward * vec<3>(at.d[static_cast<std::size_t>(edge.across)]);
        all.push_back({vec<3>(at.p), (out - along.dot(out) * along).normalized()});
      }
  }
  return all;
}

/// The shortest way between places whose normals are opposite, through what is behind both.
double shortest_way(const std::vector<Sample>& all, double most) {
  constexpr double opposite = -0.95;
  double least = most * most;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Vec3 way = all[k].p - all[i].p;
      const double length = way.squaredNorm();
      if (length < least && way.dot(all[i].n) < 0 && way.dot(all[k].n) > 0 &&
          all[i].n.dot(all[k].n) < opposite)
        least = length;
    }
  return std::sqrt(least);
}

}  // namespace

SurfaceForm form_of(const SurfaceBoundary& surface) {
  const double most = 2 * surface.size();
  return {least_curvature(surface.facets()), std::min(shortest_way(sampled(surface.facets()), most),
                                                      shortest_way(sampled_rim(surface), most))};
}

}  // namespace backlash
