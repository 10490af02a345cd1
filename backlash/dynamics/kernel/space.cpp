// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/space.h"

namespace backlash {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

/// r × as a matrix.
Mat3 cross_matrix(const Vec3& r) {
  Mat3 C;
  C << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return C;
}

template <class TwistOrWrench>
Vec6 stacked(const TwistOrWrench& s) {
  Vec6 v;
  v << s.angular, s.linear;
  return v;
}

}  // namespace

ArticulatedInertia3::ArticulatedInertia3(const RigidInertia<Space>& I) {
  const Mat3 C = cross_matrix(I.first_moment);
  m.topLeftCorner<3, 3>() = I.angular;
  m.topRightCorner<3, 3>() = C;
  m.bottomLeftCorner<3, 3>() = -C;
  m.bottomRightCorner<3, 3>() = I.mass * Mat3::Identity();
}

Wrench<Space> operator*(const ArticulatedInertia3& I, const Twist<Space>& V) {
  const Vec6 F = I.m * stacked(V);
  return {F.head<3>(), F.tail<3>()};
}

Twist<Space> operator*(const ArticulatedInertia3& K, const Wrench<Space>& F) {
  const Vec6 V = K.m * stacked(F);
  return {V.head<3>(), V.tail<3>()};
}

void subtract_product(double f, const Wrench<Space>& U, const Wrench<Space>& V,
                      ArticulatedInertia3& I) {
  const Vec6 u = stacked(U), v = stacked(V);
  I.m -= 0.5 * f * (u * v.transpose() + v * u.transpose());
}

void subtract_square(double f, const Wrench<Space>& U, ArticulatedInertia3& I) {
  const Vec6 u = stacked(U);
  I.m -= f * u * u.transpose();
}

void add_shifted(const ArticulatedInertia3& I, const Vec3& r, ArticulatedInertia3& sum) {
  const Mat3 C = cross_matrix(r);
  const Mat3 linear = I.m.bottomRightCorner<3, 3>(), old = I.m.topRightCorner<3, 3>();
  const Mat3 mixed = old + C * linear;
  sum.m.topLeftCorner<3, 3>() += I.m.topLeftCorner<3, 3>() + C * old.transpose() - mixed * C;
  sum.m.topRightCorner<3, 3>() += mixed;
  sum.m.bottomLeftCorner<3, 3>() += mixed.transpose();
  sum.m.bottomRightCorner<3, 3>() += linear;
}

bool invert(const ArticulatedInertia3& A, ArticulatedInertia3& K) {
  // L D Lᵀ from the last row on: the masses come first, as they are largest where bodies are small.
  ArticulatedInertia3::Mat6 m = A.m;
  K.m.setIdentity();
  for (int p = 5; p >= 0; --p) {  // Gauss–Jordan
    const double pivot = m(p, p);
    if (!(pivot > 1e-15 * A.m(p, p)) || !(pivot > 0)) return false;
    m.row(p) /= pivot;
    K.m.row(p) /= pivot;
    for (int i = 0; i < 6; ++i) {
      if (i == p) continue;
      const double f = m(i, p);
      m.row(i) -= f * m.row(p);
      K.m.row(i) -= f * K.m.row(p);
    }
  }
  return true;
}

}  // namespace backlash
