// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/bezier_pieces.h"

#include <algorithm>

namespace backlash::nurbs {
namespace {

/// Whether the points of a curve lie on a line, or those of a surface in a plane, to rounding.
template <int D, int K>
bool lie_flat(const std::vector<VecD<D>>& points) {
  VecD<D> mean = VecD<D>::Zero();
  for (const VecD<D>& p : points) mean += p / static_cast<double>(points.size());
  std::vector<VecD<D>> rest;
  for (const VecD<D>& p : points) rest.push_back(p - mean);
  const auto longest = [&]() -> VecD<D> {
    return *std::ranges::max_element(rest, {}, [](const VecD<D>& r) { return r.squaredNorm(); });
  };
  const double extent = longest().norm();
  for (int k = 0; k < K; ++k) {  // without their parts along K directions, the longest ones
    const VecD<D> axis = longest().normalized();
    for (VecD<D>& r : rest) r -= axis.dot(r) * axis;
  }
  return longest().norm() <= 1e-13 * extent;
}

}  // namespace

template <int D, int K>
double BezierPieces<D, K>::Axis::in_domain(double u) const {
  if (u >= first() && u <= last()) return u;
  if (!closed) return std::clamp(u, first(), last());
  const double wrapped = u - period() * std::floor((u - first()) / period());
  return std::clamp(wrapped, first(), last());
}

template <int D, int K>
int BezierPieces<D, K>::Axis::piece(double u) const {
  int i = static_cast<int>((u - first()) / period() * pieces());
  i = std::clamp(i, 0, pieces() - 1);
  while (i > 0 && u < breaks[static_cast<std::size_t>(i)]) --i;
  while (i + 1 < pieces() && u >= breaks[static_cast<std::size_t>(i) + 1]) ++i;
  return i;
}

template <int D, int K>
BezierPieces<D, K>::BezierPieces(Coords<Axis, K> axes, std::vector<double> control)
    : axes_(std::move(axes)), control_(std::move(control)) {
  numbers_ = D + 1;
  std::size_t pieces = 1;
  for (const Axis& axis : axes_) {
    numbers_ *= axis.degree + 1;
    pieces *= static_cast<std::size_t>(axis.pieces());
  }
  straight_.resize(pieces);
  bound();
}

template <int D, int K>
PieceView<K> BezierPieces<D, K>::piece(int index) const {
  PieceView<K> out{control_.data() + static_cast<std::ptrdiff_t>(index) * numbers_, {}};
  for (std::size_t k = 0; k < K; ++k) out.degree[k] = axes_[k].degree;
  return out;
}

template <int D, int K>
Coords<int, K> BezierPieces<D, K>::place(int index) const {
  if constexpr (K == 1) return {index};
  if constexpr (K == 2) return {index / axes_[1].pieces(), index % axes_[1].pieces()};
}

template <int D, int K>
Coords<double, K> BezierPieces<D, K>::parameters(int index, const Coords<double, K>& t) const {
  const Coords<int, K> at = place(index);
  Coords<double, K> u;
  for (std::size_t k = 0; k < K; ++k) {
    const double* b = axes_[k].breaks.data() + at[k];
    u[k] = t[k] == 1 ? b[1] : b[0] + t[k] * (b[1] - b[0]);
  }
  return u;
}

template <int D, int K>
PatchJet<double, D, K> BezierPieces<D, K>::at(const Coords<double, K>& u) const {
  Coords<double, K> t, rate;  // t = (u − break) rate
  int index = 0;
  for (std::size_t k = 0; k < K; ++k) {
    const int i = axes_[k].piece(u[k]);
    const double* b = axes_[k].breaks.data() + i;
    rate[k] = 1 / (b[1] - b[0]);
    t[k] = (u[k] - b[0]) * rate[k];
    index = index * axes_[k].pieces() + i;
  }
  PatchJet<double, D, K> out = piece_jet<D, K>(piece(index), t);
  for (std::size_t k = 0; k < K; ++k) {
    for (double& x : out.d[k]) x *= rate[k];
    for (std::size_t l = 0; l < K; ++l)
      for (double& x : out.dd[k][l]) x *= rate[k] * rate[l];
  }
  return out;
}

template <int D, int K>
PatchJet<double, D, K> BezierPieces<D, K>::at_piece(int index, const Coords<double, K>& t) const {
  return piece_jet<D, K>(piece(index), t);
}

template <int D, int K>
CellPart<D, K> BezierPieces<D, K>::part(int index, const Coords<Interval, K>& box,
                                        const PoseD<D>* X) const {
  const SubPiece<D, K> sub = restricted<D, K>(piece(index), box, X);
  Coords<double, K> half;
  half.fill(0.5);
  return {piece_jet<D, K>({sub.h, sub.degree}, half), enclosure<D, K>(sub)};
}

template <int D, int K>
void BezierPieces<D, K>::bound() {
  const Coords<double, D> infinite = [] {
    Coords<double, D> x;
    x.fill(INFINITY);
    return x;
  }();
  VecD<D> lower = vec<D>(infinite), upper = -lower;
  Coords<double, K> half;
  half.fill(0.5);
  for (int i = 0; i < count(); ++i) {
    const PieceView<K> view = piece(i);
    std::vector<VecD<D>> points;
    for (const double* h = view.h; h < view.h + numbers_; h += D + 1)
      points.push_back(Eigen::Map<const VecD<D>>(h) / h[D]);
    const VecD<D> centre = vec<D>(piece_jet<D, K>(view, half).p);
    double radius = 0;
    for (const VecD<D>& p : points) {
      radius = std::max(radius, (p - centre).norm());
      lower = lower.cwiseMin(p);
      upper = upper.cwiseMax(p);
    }
    if constexpr (D == 2) cones_.push_back(normal_cone(view));
    centres_.push_back(centre);
    radii_.push_back(radius);
    straight_[static_cast<std::size_t>(i)] = lie_flat<D, K>(points);
  }
  middle_ = 0.5 * (lower + upper);
  for (int i = 0; i < count(); ++i) {
    const PieceView<K> view = piece(i);
    for (const double* h = view.h; h < view.h + numbers_; h += D + 1)
      size_ = std::max(size_, (Eigen::Map<const VecD<D>>(h) / h[D] - middle_).norm());
  }
}

template class BezierPieces<2, 1>;
template class BezierPieces<3, 1>;
template class BezierPieces<3, 2>;

}  // namespace backlash::nurbs
