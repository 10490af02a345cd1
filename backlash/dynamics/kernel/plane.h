// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/plain_vec2.h"
#include "backlash/dynamics/kernel/rigid_inertia.h"
#include "backlash/dynamics/kernel/twist.h"
#include "backlash/geometry/pose2.h"

namespace backlash {

struct ArticulatedInertia2;

/// The plane, as what moves in it is computed.
struct Plane {
  static constexpr int dimension = 2;
  static constexpr int rotations = 1;       ///< degrees of freedom of a rotation
  static constexpr int dof = 3;             ///< of a free body
  static constexpr int tangents = 1;        ///< of a contact
  static constexpr int ball_positions = 1;  ///< coordinates of any rotation

  using Vec = PlainVec2;
  using Angular = double;   ///< an angular velocity, a moment or the axis of a rotation
  using Rotation = double;  ///< an angle, which counts turns [rad]
  using Pose = Pose2;
  using Inertia = double;  ///< about the centre of mass [kg m²]
  using ArticulatedInertia = ArticulatedInertia2;

  static double no_rotation() { return 0; }
  static double no_inertia() { return 0; }
  static double axis(int) { return 1; }
  static Vec unit(int k) { return k == 0 ? Vec::UnitX() : Vec::UnitY(); }

  static double dot(double a, double b) { return a * b; }
  static Vec cross(double omega, const Vec& r) { return {-omega * r.y(), omega * r.x()}; }
  static double cross(const Vec& r, const Vec& f) { return r.x() * f.y() - r.y() * f.x(); }

  /// −ω × (ω × r).
  static Vec centrifugal(double omega, const Vec& r) { return (omega * omega) * r; }
  /// What α_parent becomes by the joint's own rotation while u̇ = 0: it stays zero.
  static double angular_bias(double, double, double) { return 0; }

  /// How much r · r adds to an inertia; and with two different vectors.
  static double square(const Vec& r) { return r.squaredNorm(); }
  static double mixed_square(const Vec& r, const Vec& s) { return r.dot(s); }

  static double composed(double first, double second) { return first + second; }
  static double about(double axis, double angle) { return axis * angle; }
  static Pose pose(double angle) { return {std::cos(angle), std::sin(angle), 0, 0}; }
  static Vec origin(const Pose& X) { return {X.x, X.y}; }
  static void set_origin(const Vec& p, Pose& X) {
    X.x = p.x();
    X.y = p.y();
  }
  static double turned(const Pose&, double inertia_B) { return inertia_B; }
  static double direction(const Pose&, double axis) { return axis; }
  static double local_direction(const Pose&, double axis) { return axis; }

  /// What descriptions give, which have no dimension.
  static Vec vec(const Vec3& v) { return {v.x(), v.y()}; }
  static double angular(const Vec3& v) { return v.z(); }
  static double rotation(const Vec3& v) { return v.z(); }

  /// A rotation as coordinates, and back.
  static double read_ball(const double* q) { return q[0]; }
  static void advance_ball(const double* q, const double* u, double dt, double* end) {
    end[0] = q[0] + dt * u[0];
  }
  static void ball_rate(const double*, const double* u, double* rate) { rate[0] = u[0]; }
  static void write_ball(double angle, double* q) { q[0] = angle; }
};

/// The inertia of an articulated body: symmetric, over (angular, x, y).
struct ArticulatedInertia2 {
  double aa = 0, ax = 0, ay = 0, xx = 0, xy = 0, yy = 0;

  ArticulatedInertia2() = default;
  ArticulatedInertia2(const RigidInertia<Plane>& I)
      : aa(I.angular), ax(-I.first_moment.y()), ay(I.first_moment.x()), xx(I.mass), yy(I.mass) {}

  double angular_trace() const { return aa; }
  double linear_trace() const { return xx + yy; }
};

inline Wrench<Plane> operator*(const ArticulatedInertia2& I, const Twist<Plane>& V) {
  const double a = V.angular, x = V.linear.x(), y = V.linear.y();
  return {I.aa * a + I.ax * x + I.ay * y,
          {I.ax * a + I.xx * x + I.xy * y, I.ay * a + I.xy * x + I.yy * y}};
}

/// The inverse takes a force to an acceleration.
inline Twist<Plane> operator*(const ArticulatedInertia2& K, const Wrench<Plane>& F) {
  const double a = F.angular, x = F.linear.x(), y = F.linear.y();
  return {K.aa * a + K.ax * x + K.ay * y,
          {K.ax * a + K.xx * x + K.xy * y, K.ay * a + K.xy * x + K.yy * y}};
}

/// I −= f (U Vᵀ + V Uᵀ)/2.
inline void subtract_product(double f, const Wrench<Plane>& U, const Wrench<Plane>& V,
                             ArticulatedInertia2& I) {
  const double a = f * V.angular, x = f * V.linear.x(), y = f * V.linear.y();
  I.aa -= U.angular * a;
  I.ax -= 0.5 * (U.angular * x + U.linear.x() * a);
  I.ay -= 0.5 * (U.angular * y + U.linear.y() * a);
  I.xx -= U.linear.x() * x;
  I.xy -= 0.5 * (U.linear.x() * y + U.linear.y() * x);
  I.yy -= U.linear.y() * y;
}
inline void subtract_square(double f, const Wrench<Plane>& U, ArticulatedInertia2& I) {
  const double a = U.angular, x = U.linear.x(), y = U.linear.y();
  I.aa -= f * a * a;
  I.ax -= f * a * x;
  I.ay -= f * a * y;
  I.xx -= f * x * x;
  I.xy -= f * x * y;
  I.yy -= f * y * y;
}

/// Adds an inertia about a reference that lies at r from the sum's.
inline void add_shifted(const ArticulatedInertia2& I, const PlainVec2& r,
                        ArticulatedInertia2& sum) {
  const double x = r.x(), y = r.y();
  const double ax = I.ax + x * I.xy - y * I.xx, ay = I.ay + x * I.yy - y * I.xy;
  sum.aa += I.aa + x * (ay + I.ay) - y * (ax + I.ax);
  sum.ax += ax;
  sum.ay += ay;
  sum.xx += I.xx;
  sum.xy += I.xy;
  sum.yy += I.yy;
}

/// The inverse, false if the matrix is not positive definite.
inline bool invert(const ArticulatedInertia2& A, ArticulatedInertia2& K) {
  const double a = A.xx * A.yy - A.xy * A.xy, b = A.ay * A.xy - A.ax * A.yy,
               c = A.ax * A.xy - A.ay * A.xx;
  const double det = A.aa * a + A.ax * b + A.ay * c;
  if (!(A.xx > 0) || !(a > 0) || !(det > 1e-15 * A.aa * a)) return false;
  const double f = 1 / det;
  K.aa = a * f;
  K.ax = b * f;
  K.ay = c * f;
  K.xx = (A.aa * A.yy - A.ay * A.ay) * f;
  K.xy = (A.ax * A.ay - A.aa * A.xy) * f;
  K.yy = (A.aa * A.xx - A.ax * A.ax) * f;
  return true;
}

}  // namespace backlash
