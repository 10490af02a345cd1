// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/hand_derived/slider_crank.h"

#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// Entries of the cache: sines and cosines of the three angles.
enum { s1, c1, s2, c2, s3, c3, cache_size };

/// Which side of the guide a corner is on (+1 upper) and which end of the slider (+1 far from the
/// crank).
struct SliderCorner {
  double side, end;
};

SliderCorner corner(int number) { return {number <= 2 ? 1.0 : -1.0, number % 2 == 0 ? 1.0 : -1.0}; }

void validate(const SliderCrankData& data) {
  require_positive(data.crank_length, "crank: length", "m");
  require_positive(data.rod_length, "rod: length", "m");
  require_not_negative(data.half_length, "slider: half length", "m");
  require_not_negative(data.half_width, "slider: half width", "m");
  require_not_negative(data.clearance, "guide: clearance", "m");
  require_finite(data.gravity, "gravity");
  const char* names[] = {"crank", "rod", "slider"};
  for (int i = 0; i < 3; ++i) {
    require_positive(data.mass[i], fmt::format("{}: mass", names[i]), "kg");
    require_positive(data.inertia[i], fmt::format("{}: inertia", names[i]), "kg m²");
  }
}

/// Throws InputError, before anything is computed from wrong data.
SystemInfo slider_crank_info(const SliderCrankData& data) {
  validate(data);
  SystemInfo info{.name = "slider-crank", .positions = 3, .velocities = 3, .cache = cache_size};
  for (const int number : data.corner_order) {
    require_in_range(number, 1, 4, "slider-crank: number of a corner", "-");
    info.contacts.push_back({fmt::format("guide.{}", number), data.law, 1});
    info.contacts.back().play = data.clearance;
  }
  info.position_names = {"crank.angle.q", "rod.angle.q", "slider.angle.q"};
  info.velocity_names = {"crank.angle.u", "rod.angle.u", "slider.angle.u"};
  info.angular = {true, true, true};
  info.bodies = {"crank", "rod", "slider"};
  info.length = data.crank_length + data.rod_length;
  return info;
}

}  // namespace

SliderCrank::SliderCrank(const SliderCrankData& data)
    : System(slider_crank_info(data)), data_(data) {
  const auto& m = data.mass;
  const double l1 = data.crank_length, l2 = data.rod_length;
  m11_ = data.inertia[0] + (m[0] / 4 + m[1] + m[2]) * l1 * l1;  // eq. (90)
  m12_ = (m[1] / 2 + m[2]) * l1 * l2;                           // eq. (91)
  m22_ = data.inertia[1] + (m[1] / 4 + m[2]) * l2 * l2;         // eq. (93)
  m33_ = data.inertia[2];                                       // eq. (94)
  weight1_ = (m[0] / 2 + m[1] + m[2]) * data.gravity * l1;
  weight2_ = (m[1] / 2 + m[2]) * data.gravity * l2;
}

void SliderCrank::configure(Configuration& c) const {
  for (int i = 0; i < 3; ++i) {
    const double angle = c.q[i], sine = std::sin(angle), cosine = std::cos(angle);
    c.cache[2 * i] = sine;
    c.cache[2 * i + 1] = cosine;
  }
}

void SliderCrank::mass(const Configuration& c, MatrixRef M) const {
  const Vector& k = c.cache;
  const double coupling = m12_ * (k[c2] * k[c1] + k[s2] * k[s1]);  // cos(θ2 − θ1)
  M(0, 0) = m11_;
  M(1, 1) = m22_;
  M(2, 2) = m33_;
  M(0, 1) = M(1, 0) = coupling;
  M(0, 2) = M(2, 0) = M(1, 2) = M(2, 1) = 0;
}

void SliderCrank::force(const Configuration& c, const Vector& u, VectorRef h) const {
  const Vector& k = c.cache;
  const double coupling = m12_ * (k[s2] * k[c1] - k[c2] * k[s1]);  // sin(θ2 − θ1)
  h[0] = coupling * u[1] * u[1] - weight1_ * k[c1];                // eq. (95)
  h[1] = -coupling * u[0] * u[0] - weight2_ * k[c2];               // eq. (96)
  h[2] = 0;
}

void SliderCrank::force_velocity_jacobian(const Configuration& c, const Vector& u,
                                          MatrixRef dh_du) const {
  const Vector& k = c.cache;
  const double coupling = m12_ * (k[s2] * k[c1] - k[c2] * k[s1]);  // sin(θ2 − θ1)
  dh_du.setZero();
  dh_du(0, 1) = 2 * coupling * u[1];
  dh_du(1, 0) = -2 * coupling * u[0];
}

void SliderCrank::force_position_jacobian(const Configuration& c, const Vector& u,
                                          MatrixRef dh_dq) const {
  const Vector& k = c.cache;
  const double coupling = m12_ * (k[c2] * k[c1] + k[s2] * k[s1]);  // cos(θ2 − θ1)
  dh_dq.setZero();
  dh_dq(0, 1) = coupling * u[1] * u[1];
  dh_dq(0, 0) = -dh_dq(0, 1) + weight1_ * k[s1];
  dh_dq(1, 0) = coupling * u[0] * u[0];
  dh_dq(1, 1) = -dh_dq(1, 0) + weight2_ * k[s2];
}

void SliderCrank::force_time_derivative(const Configuration&, const Vector&,
                                        VectorRef dh_dt) const {
  dh_dt.setZero();
}

void SliderCrank::mass_position_jacobian(const Configuration& c, const Vector& a,
                                         MatrixRef dMa_dq) const {
  const Vector& k = c.cache;
  const double coupling = m12_ * (k[s2] * k[c1] - k[c2] * k[s1]);  // sin(θ2 − θ1)
  dMa_dq.setZero();
  dMa_dq(0, 0) = coupling * a[1];
  dMa_dq(0, 1) = -coupling * a[1];
  dMa_dq(1, 0) = coupling * a[0];
  dMa_dq(1, 1) = -coupling * a[0];
}

void SliderCrank::add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                                       const ContactVelocity& lambda, MatrixRef J) const {
  const Vector& k = c.cache;
  const auto [side, end] = corner(data_.corner_order[frame.key.pair]);
  const double l1 = data_.crank_length, l2 = data_.rod_length;
  const double along = end * data_.half_length, across = data_.half_width;
  J(0, 0) += lambda[0] * side * l1 * k[s1] - lambda[1] * l1 * k[c1];
  J(1, 1) += lambda[0] * side * l2 * k[s2] - lambda[1] * l2 * k[c2];
  J(2, 2) += lambda[0] * (side * along * k[s3] + across * k[c3]) +
             lambda[1] * (-along * k[c3] + side * across * k[s3]);
}

void SliderCrank::gaps(const Configuration& c, VectorRef g) const {
  const Vector& k = c.cache;
  const double height = data_.crank_length * k[s1] + data_.rod_length * k[s2];
  const double half_guide = data_.half_width + data_.clearance;
  for (int i = 0; i < 4; ++i) {
    const auto [side, end] = corner(data_.corner_order[i]);
    g[i] = half_guide - side * (height + end * data_.half_length * k[s3]) -
           data_.half_width * k[c3];  // eqs (98)–(104)
  }
}

void SliderCrank::contact_rows(const Configuration& c, int contact, MatrixRef W,
                               VectorRef w) const {
  const Vector& k = c.cache;
  const auto [side, end] = corner(data_.corner_order[contact]);
  const double l1 = data_.crank_length, l2 = data_.rod_length;
  const double along = end * data_.half_length, across = data_.half_width;
  W(0, 0) = -side * l1 * k[c1];  // eqs (106)–(113)
  W(1, 0) = -side * l2 * k[c2];
  W(2, 0) = -side * along * k[c3] + across * k[s3];
  W(0, 1) = -l1 * k[s1];
  W(1, 1) = -l2 * k[s2];
  W(2, 1) = -along * k[s3] - side * across * k[c3];
  w[0] = w[1] = 0;
}

void SliderCrank::write_contact_biases(const Configuration& c, const Vector& u,
                                       std::span<const ContactFrame> frames,
                                       std::span<ContactVelocity> biases) const {
  const Vector& k = c.cache;
  const double l1 = data_.crank_length * u[0] * u[0], l2 = data_.rod_length * u[1] * u[1];
  const double along = data_.half_length * u[2] * u[2], across = data_.half_width * u[2] * u[2];
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto [side, end] = corner(data_.corner_order[frames[i].key.pair]);
    biases[i] = {
        side * (l1 * k[s1] + l2 * k[s2] + end * along * k[s3]) + across * k[c3],
        -l1 * k[c1] - l2 * k[c2] - end * along * k[c3] + side * across * k[s3],
    };
  }
}

ContactPoint SliderCrank::contact_point(const Configuration& c, int contact) const {
  const Vector& k = c.cache;
  const auto [side, end] = corner(data_.corner_order[contact]);
  const double along = end * data_.half_length, across = side * data_.half_width;
  const double x = data_.crank_length * k[c1] + data_.rod_length * k[c2];
  const double y = data_.crank_length * k[s1] + data_.rod_length * k[s2];
  return {Vec3(x + along * k[c3] - across * k[s3], y + along * k[s3] + across * k[c3], 0),
          Vec3(0, -side, 0)};
}

double SliderCrank::potential_energy(const Configuration& c) const {
  return weight1_ * c.cache[s1] + weight2_ * c.cache[s2];
}

BodyMotion SliderCrank::body_motion(const Configuration& c, const Vector& u, int body) const {
  const Vector& k = c.cache;
  BodyMotion motion;
  const double length[2] = {data_.crank_length, data_.rod_length};
  for (int i = 0; i < body; ++i) {  // frames at the pins, of the slider at its middle
    motion.p_W += length[i] * Vec3(k[2 * i + 1], k[2 * i], 0);
    motion.v_W += length[i] * u[i] * Vec3(-k[2 * i], k[2 * i + 1], 0);
  }
  motion.angle = c.q[body];
  motion.w_W = Vec3(0, 0, u[body]);
  return motion;
}

State slider_crank_start(const System& system, double slider_speed) {
  return initial_state(system, 0, Vec3(0, 0, 0), Vec3(150, -75, slider_speed));
}

}  // namespace backlash
