// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/nurbs/pair_rates.h"

#include "backlash/geometry/nurbs/pair_conditions.h"

namespace backlash {
namespace {

using namespace nurbs;  // NOLINT: this file is about what is in there
using Part = BoundaryPoint::Part;

Vec2 turned(double w, const Vec2& d) { return backlash::cross(w, d); }
Vec3 turned(const Vec3& w, const Vec3& d) { return w.cross(d); }

/// The material of a body at a point r from its origin.
template <int D>
VecD<D> velocity(const FrameMotion<D>& m, const VecD<D>& r) {
  return m.v + turned(m.w, r);
}
template <int D>
VecD<D> acceleration(const FrameMotion<D>& m, const VecD<D>& r) {
  return m.a + turned(m.alpha, r) + turned(m.w, turned(m.w, r));
}

/// One side of a pair: its jet in the world, and how its material moves.
template <int D, int K>
struct MovingPart {
  PatchJet<double, D, K> jet;
  const FrameMotion<D>& motion;
  VecD<D> r;  ///< from the origin of its body [m]

  VecD<D> v() const { return velocity(motion, r); }
  VecD<D> d(std::size_t k) const { return vec<D>(jet.d[k]); }
  VecD<D> turned_d(std::size_t k) const { return turned(motion.w, d(k)); }
  VecD<D> slip(const double* rate) const {
    VecD<D> s = VecD<D>::Zero();
    for (std::size_t k = 0; k < K; ++k) s += rate[k] * d(k);
    return s;
  }
};

/// ∂G/∂t while the parameters stay, of a part l that faces a facet f, and of two that are nearest.
template <int D, int K>
Coords<double, K + D - 1> drift(const Facing<D, K>&, const MovingPart<D, K>& l,
                                const MovingPart<D, D - 1>& f) {
  Coords<double, K + D - 1> g;
  const VecD<D> apart = vec<D>(f.jet.p) - vec<D>(l.jet.p), rate = f.v() - l.v();
  const VecD<D> N = vec<D>(normal_jet(f.jet).n);
  for (std::size_t i = 0; i < K; ++i)
    g[i] = turned(f.motion.w, N).dot(l.d(i)) + N.dot(l.turned_d(i));
  for (std::size_t j = 0; j < D - 1; ++j) g[K + j] = rate.dot(f.d(j)) + apart.dot(f.turned_d(j));
  return g;
}
template <int D, int KA, int KB>
Coords<double, KA + KB> drift(const Nearest<D, KA, KB>&, const MovingPart<D, KA>& a,
                              const MovingPart<D, KB>& b) {
  Coords<double, KA + KB> g;
  const VecD<D> apart = vec<D>(b.jet.p) - vec<D>(a.jet.p), rate = b.v() - a.v();
  for (std::size_t i = 0; i < KA; ++i) g[i] = -rate.dot(a.d(i)) - apart.dot(a.turned_d(i));
  for (std::size_t j = 0; j < KB; ++j) g[KA + j] = rate.dot(b.d(j)) + apart.dot(b.turned_d(j));
  return g;
}

/// How the unit vector from l to f turns.
template <int D, int K>
VecD<D> normal_rate(const Facing<D, K>&, const MovingPart<D, K>&, const MovingPart<D, D - 1>& f,
                    const double* rate) {
  const auto N = normal_jet(f.jet);
  const VecD<D> n = vec<D>(N.n).normalized();
  VecD<D> change = VecD<D>::Zero();
  for (std::size_t m = 0; m < D - 1; ++m) change += rate[K + m] * vec<D>(N.d[m]);
  const VecD<D> of_parameters = (change - n.dot(change) * n) / vec<D>(N.n).norm();
  return -(turned(f.motion.w, n) + of_parameters);
}
template <int D, int KA, int KB>
VecD<D> normal_rate(const Nearest<D, KA, KB>&, const MovingPart<D, KA>& a,
                    const MovingPart<D, KB>& b, const double* rate) {
  const VecD<D> apart = vec<D>(b.jet.p) - vec<D>(a.jet.p);
  const VecD<D> n = apart.normalized();
  const VecD<D> change = b.v() + b.slip(rate + KA) - a.v() - a.slip(rate);
  return (change - n.dot(change) * n) / apart.norm();
}

/// All rates of l and f, the normal from l to f being n; l is A's part unless `swapped`.
template <class System, int D, int KL, int KF>
PairRates<D> rates_of(const System& system, const MovingPart<D, KL>& l, const MovingPart<D, KF>& f,
                      const VecD<D>& n) {
  PairRates<D> out;
  Equations<double, KL + KF> e;
  system(l.jet, f.jet, e);
  Coords<Coords<double, KL + KF>, KL + KF> inverse;
  if (!invert<KL + KF>(e.J, inverse)) return out;
  Coords<double, KL + KF> rate = product<KL + KF>(inverse, drift(system, l, f));
  for (double& x : rate) x = -x;
  out.regular = true;
  out.n_rate = normal_rate(system, l, f, rate.data());
  std::copy(rate.begin(), rate.begin() + KL, out.parameters_A.begin());
  std::copy(rate.begin() + KL, rate.end(), out.parameters_B.begin());
  out.slip_A = l.slip(rate.data());
  out.slip_B = f.slip(rate.data() + KL);
  const VecD<D> v = f.v() - l.v();
  const VecD<D> a_F = acceleration(f.motion, f.r) + turned(f.motion.w, out.slip_B);
  const VecD<D> a_L = acceleration(l.motion, l.r) + turned(l.motion.w, out.slip_A);
  out.gap_rate = n.dot(v);
  out.gap_acceleration = out.n_rate.dot(v) + n.dot(a_F - a_L);
  return out;
}

template <int D>
VecD<D> origin_of(const Placed<D>& body) {
  return body.X.point(VecD<D>(VecD<D>::Zero()));
}

template <int D>
PairRates<D> swapped(PairRates<D> rates) {
  std::swap(rates.parameters_A, rates.parameters_B);
  std::swap(rates.slip_A, rates.slip_B);
  rates.n_rate = -rates.n_rate;
  return rates;
}

/// The part of a body that a pair is on, given to `use` with its dimension known.
template <int D, class Use>
PairRates<D> with_part(const Placed<D>& body, const FrameMotion<D>& motion, const BoundaryPoint& at,
                       Use use) {
  const VecD<D> origin = origin_of(body);
  const auto part = [&](const auto& jet) {
    constexpr int K = static_cast<int>(std::tuple_size_v<std::decay_t<decltype(jet.d)>>);
    return use(MovingPart<D, K>{jet, motion, vec<D>(jet.p) - origin});
  };
  if (at.part == Part::facet) return part(facet_jet<D>(body, at));
  if (at.part == Part::vertex)
    return part(
        BezierPieces<D, 0>(body.X.point(body.boundary.vertices()[backlash::at(at.index)].p)).at());
  if constexpr (D == 3)
    return part(moved<3, 1>(
        body.boundary.edges()[backlash::at(at.index)].curve.at({at.parameters[0]}), &body.X));
  return {};
}

/// The rates of two parts, the second at least of the dimension of the first.
template <int D, int KL, int KF>
PairRates<D> rates_of_parts(const MovingPart<D, KL>& l, const MovingPart<D, KF>& f,
                            const VecD<D>& n) {
  const SearchLimits none{INFINITY, INFINITY};
  if constexpr (KF < KL) {
    return {};
  } else if constexpr (KF == D - 1) {
    return rates_of(Facing<D, KL>{none}, l, f, n);
  } else if constexpr (KF > 0) {
    return rates_of(Nearest<D, KL, KF>{none}, l, f, n);
  } else {
    const VecD<D> apart = vec<D>(f.jet.p) - vec<D>(l.jet.p), v = f.v() - l.v();
    PairRates<D> out{.regular = apart.norm() > 0, .gap_rate = n.dot(v)};
    out.n_rate = (v - n.dot(v) * n) / apart.norm();
    out.gap_acceleration =
        out.n_rate.dot(v) + n.dot(acceleration(f.motion, f.r) - acceleration(l.motion, l.r));
    return out;
  }
}

/// The rates of a part l that lies farthest against the normal m of a half-space (theory 11.12,
/// 11.25).
template <int D, int K>
PairRates<D> rates_on_half_space(const MovingPart<D, K>& l, const HalfSpace<D>& B,
                                 const FrameMotion<D>& motion_B, const FacingPair<D>& pair) {
  PairRates<D> out{.regular = true, .n_rate = turned(motion_B.w, pair.n_W)};
  if constexpr (K > 0) {
    Coords<Coords<double, K>, K> J, inverse;
    Coords<double, K> drift;
    for (std::size_t i = 0; i < K; ++i) {
      for (std::size_t k = 0; k < K; ++k) J[i][k] = B.normal.dot(vec<D>(l.jet.dd[i][k]));
      drift[i] = turned(motion_B.w, B.normal).dot(l.d(i)) + B.normal.dot(l.turned_d(i));
    }
    out.regular = invert<K>(J, inverse);
    if (!out.regular) return out;
    const Coords<double, K> rate = product<K>(inverse, drift);
    for (std::size_t i = 0; i < K; ++i) out.parameters_A[i] = -rate[i];
    out.slip_A = l.slip(out.parameters_A.data());
  }
  const VecD<D> n = pair.n_W, r_B = pair.p_WB - B.point;
  const VecD<D> v_B = velocity(motion_B, r_B), v = v_B - l.v();
  out.gap_rate = n.dot(v);
  out.slip_B = l.v() + out.slip_A + out.gap_rate * n + pair.gap * out.n_rate - v_B;
  out.gap_acceleration =
      out.n_rate.dot(v) + n.dot(acceleration(motion_B, r_B) + turned(motion_B.w, out.slip_B) -
                                acceleration(l.motion, l.r) - turned(l.motion.w, out.slip_A));
  return out;
}

}  // namespace

template <int D>
PairRates<D> pair_rates(const Placed<D>& A, const FrameMotion<D>& motion_A, const HalfSpace<D>& B,
                        const FrameMotion<D>& motion_B, const FacingPair<D>& pair) {
  return with_part<D>(A, motion_A, pair.A,
                      [&](const auto& l) { return rates_on_half_space(l, B, motion_B, pair); });
}

template <int D>
PairRates<D> pair_rates(const Placed<D>& A, const FrameMotion<D>& motion_A, const Placed<D>& B,
                        const FrameMotion<D>& motion_B, const FacingPair<D>& pair) {
  if (static_cast<int>(pair.A.part) < static_cast<int>(pair.B.part)) {  // A's is the larger part
    const FacingPair<D> other{pair.B, pair.A, pair.p_WB, pair.p_WA, -pair.n_W, pair.gap};
    return swapped(pair_rates(B, motion_B, A, motion_A, other));
  }
  return with_part<D>(A, motion_A, pair.A, [&](const auto& l) {
    return with_part<D>(B, motion_B, pair.B,
                        [&](const auto& f) { return rates_of_parts(l, f, pair.n_W); });
  });
}

template <int D>
PairRates<D> pair_rates(const Placed<D>& A, const FrameMotion<D>& motion_A, const SolidBall<D>& B,
                        const FrameMotion<D>& motion_B, const FacingPair<D>& pair) {
  const MovingPart<D, 0> centre{BezierPieces<D, 0>(B.centre).at(), motion_B, VecD<D>::Zero()};
  return swapped(with_part<D>(A, motion_A, pair.A, [&](const auto& f) {
    return rates_of_parts(centre, f, VecD<D>(-pair.n_W));
  }));
}

template PairRates<2> pair_rates(const Placed<2>&, const FrameMotion<2>&, const Placed<2>&,
                                 const FrameMotion<2>&, const FacingPair<2>&);
template PairRates<3> pair_rates(const Placed<3>&, const FrameMotion<3>&, const Placed<3>&,
                                 const FrameMotion<3>&, const FacingPair<3>&);
template PairRates<2> pair_rates(const Placed<2>&, const FrameMotion<2>&, const HalfSpace<2>&,
                                 const FrameMotion<2>&, const FacingPair<2>&);
template PairRates<3> pair_rates(const Placed<3>&, const FrameMotion<3>&, const HalfSpace<3>&,
                                 const FrameMotion<3>&, const FacingPair<3>&);
template PairRates<2> pair_rates(const Placed<2>&, const FrameMotion<2>&, const SolidBall<2>&,
                                 const FrameMotion<2>&, const FacingPair<2>&);
template PairRates<3> pair_rates(const Placed<3>&, const FrameMotion<3>&, const SolidBall<3>&,
                                 const FrameMotion<3>&, const FacingPair<3>&);

}  // namespace backlash
