// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/systems/pinned_crank.h"

#include <cmath>
#include <string>

namespace backlash::test {
namespace {

enum { sine, cosine, cache_size };

SystemInfo pinned_crank_info(const PinnedCrankData& data) {
  SystemInfo info{.name = "pinned-crank", .positions = 3, .velocities = 3, .cache = cache_size};
  for (int i = 0; i < data.copies; ++i) {
    info.bilaterals.push_back({"pin.x" + std::to_string(i)});
    info.bilaterals.push_back({"pin.y" + std::to_string(i)});
  }
  if (data.drive_speed != 0 || data.drive_swing != 0)
    info.bilaterals.push_back({"drive", data.length});
  if (std::isfinite(data.floor)) info.contacts = {{"floor", data.law, 1}};
  info.length = data.length;
  return info;
}

}  // namespace

PinnedCrank::PinnedCrank(const PinnedCrankData& data)
    : System(pinned_crank_info(data)), data_(data) {}

void PinnedCrank::configure(Configuration& c) const {
  c.cache[sine] = std::sin(c.q[2]);
  c.cache[cosine] = std::cos(c.q[2]);
}

void PinnedCrank::mass(const Configuration&, MatrixRef M) const {
  M.setZero();
  M(0, 0) = M(1, 1) = data_.mass;
  M(2, 2) = data_.inertia;
}

void PinnedCrank::force(const Configuration&, const Vector&, VectorRef h) const {
  h[0] = h[2] = 0;
  h[1] = -data_.mass * data_.gravity;
}

void PinnedCrank::bilateral_errors(const Configuration& c, VectorRef g) const {
  const double half = data_.length / 2;
  for (int i = 0; i < data_.copies; ++i) {
    g[2 * i] = c.q[0] - half * c.cache[cosine];
    g[2 * i + 1] = c.q[1] - half * c.cache[sine];
  }
  if (driven()) g[2 * data_.copies] = c.q[2] - drive_angle(c.t);
}

void PinnedCrank::bilateral_rows(const Configuration& c, MatrixRef W, VectorRef w) const {
  const double half = data_.length / 2;
  W.setZero();
  w.setZero();
  for (int i = 0; i < data_.copies; ++i) {
    W(0, 2 * i) = 1;
    W(2, 2 * i) = half * c.cache[sine];
    W(1, 2 * i + 1) = 1;
    W(2, 2 * i + 1) = -half * c.cache[cosine];
  }
  if (!driven()) return;
  W(2, 2 * data_.copies) = 1;
  w[2 * data_.copies] = -drive_rate(c.t);
}

void PinnedCrank::bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const {
  const double centripetal = data_.length / 2 * u[2] * u[2];
  for (int i = 0; i < data_.copies; ++i) {
    b[2 * i] = centripetal * c.cache[cosine];
    b[2 * i + 1] = centripetal * c.cache[sine];
  }
  if (driven()) b[2 * data_.copies] = -drive_acceleration(c.t);
}

void PinnedCrank::gaps(const Configuration& c, VectorRef g) const {
  if (g.size() > 0) g[0] = c.q[1] + data_.length / 2 * c.cache[sine] - data_.floor;
}

void PinnedCrank::contact_rows(const Configuration& c, int, MatrixRef W, VectorRef w) const {
  const double half = data_.length / 2;
  W.setZero();
  w.setZero();
  W(1, 0) = 1;
  W(2, 0) = half * c.cache[cosine];
  W(0, 1) = 1;
  W(2, 1) = -half * c.cache[sine];
}

double PinnedCrank::potential_energy(const Configuration& c) const {
  return data_.mass * data_.gravity * c.q[1];
}

double PinnedCrank::drive_angle(double t) const {
  return data_.drive_speed * t + data_.drive_swing * (1 - std::cos(data_.drive_frequency * t));
}
double PinnedCrank::drive_rate(double t) const {
  return data_.drive_speed +
         data_.drive_swing * data_.drive_frequency * std::sin(data_.drive_frequency * t);
}
double PinnedCrank::drive_acceleration(double t) const {
  return data_.drive_swing * data_.drive_frequency * data_.drive_frequency *
         std::cos(data_.drive_frequency * t);
}

State PinnedCrank::start(double angle, double rate) const {
  const double x = data_.length / 2 * std::cos(angle), y = data_.length / 2 * std::sin(angle);
  return initial_state(*this, 0, Vec3(x, y, angle), Vec3(-y * rate, x * rate, rate));
}

Vector PinnedCrank::constraint_velocity(const State& state) const {
  const auto rows = static_cast<Eigen::Index>(info().bilaterals.size());
  const Configuration c = configuration(*this, state.t, state.q);
  Matrix W = Matrix::Zero(3, rows);
  Vector w = Vector::Zero(rows);
  bilateral_rows(c, W, w);
  return W.transpose() * state.u + w;
}

}  // namespace backlash::test
