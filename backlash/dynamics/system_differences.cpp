// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/dynamics/system.h"

/// What a System need not write itself, for it follows from the rest by differences.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// A step for central differences of a quantity of about that size: ∛ε of it.
double difference_step(double size) { return 6e-6 * std::max(1.0, std::abs(size)); }

/// One in time, so that q moves by about ∛ε [s].
double time_difference(const Vector& u) { return 6e-6 / std::max(u.cwiseAbs().maxCoeff(), 1.0); }

/// A configuration of the thread's own to move away from c, so that differences allocate nothing in
/// step after step.
Configuration& beside(const Configuration& c) {
  thread_local Configuration moved;
  moved.t = c.t;
  moved.q = c.q;
  moved.switches = c.switches;
  moved.cache = c.cache;
  return moved;
}

/// J.col(j) = ∂f/∂x_j by central differences, f written by `write` at x.
template <class Write>
void write_differences(VectorRef x, MatrixRef J, Write write) {
  thread_local Vector forward, backward;
  forward.resize(J.rows());
  backward.resize(J.rows());
  for (Index j = 0; j < J.cols(); ++j) {
    const double there = x[j], step = difference_step(there);
    x[j] = there + step;
    write(forward);
    x[j] = there - step;
    write(backward);
    x[j] = there;
    J.col(j) = (forward - backward) / (2 * step);
  }
}

/// J += ∂f/∂q N by central differences, f written by `write` at a configuration.
template <class Write>
void add_differences(const System& system, const Configuration& c, MatrixRef J, Write write) {
  Configuration moved = c;
  Vector direction = Vector::Zero(J.cols()), forward(J.rows()), backward(J.rows());
  const double step = 6e-6 * std::min(1.0, system.info().length);  // [m] and [rad]
  const auto write_at = [&](double distance, Vector& f) {
    system.advance(c.q, direction, distance, moved.q);
    system.configure(moved);
    write(moved, f);
  };
  for (Index j = 0; j < J.cols(); ++j) {
    direction[j] = 1;
    write_at(step, forward);
    write_at(-step, backward);
    direction[j] = 0;
    J.col(j) += (forward - backward) / (2 * step);
  }
}

/// ∂f/∂t by central differences, f written by `write` at a configuration.
template <class Write>
void write_time_difference(const System& system, const Configuration& c, VectorRef df_dt,
                           Write write) {
  Vector forward(df_dt.size()), backward(df_dt.size());
  Configuration moved = c;
  const double step = difference_step(c.t);
  const auto write_at = [&](double t, Vector& f) {
    moved.t = t;
    system.configure(moved);
    write(moved, f);
  };
  write_at(c.t + step, forward);
  write_at(c.t - step, backward);
  df_dt = (forward - backward) / (2 * step);
}

}  // namespace

void System::force_velocity_jacobian(const Configuration& c, const Vector& u,
                                     MatrixRef dh_du) const {
  Vector v = u;
  write_differences(v, dh_du, [&](VectorRef h) { force(c, v, h); });
}

void System::state_rate_state_jacobian(const Configuration& c, const Vector& u,
                                       MatrixRef df_dx) const {
  Configuration& moved = beside(c);
  write_differences(moved.q.tail(df_dx.cols()), df_dx, [&](VectorRef rates) {
    configure(moved);
    write_state_rates(moved, u, rates);
  });
}

void System::force_state_jacobian(const Configuration& c, const Vector& u, MatrixRef dh_dx) const {
  Configuration& moved = beside(c);
  write_differences(moved.q.tail(dh_dx.cols()), dh_dx, [&](VectorRef h) {
    configure(moved);
    force(moved, u, h);
  });
}

void System::state_rate_velocity_jacobian(const Configuration& c, const Vector& u,
                                          MatrixRef df_du) const {
  Vector v = u;
  write_differences(v, df_du, [&](VectorRef rates) { write_state_rates(c, v, rates); });
}

void System::state_rate_position_jacobian(const Configuration& c, const Vector& u,
                                          MatrixRef df_dq) const {
  df_dq.setZero();
  add_differences(*this, c, df_dq, [&](const Configuration& moved, VectorRef rates) {
    write_state_rates(moved, u, rates);
  });
}

void System::state_rate_time_derivative(const Configuration& c, const Vector& u,
                                        VectorRef df_dt) const {
  write_time_difference(*this, c, df_dt, [&](const Configuration& moved, VectorRef rates) {
    write_state_rates(moved, u, rates);
  });
}

void System::force_position_jacobian(const Configuration& c, const Vector& u,
                                     MatrixRef dh_dq) const {
  dh_dq.setZero();
  add_differences(*this, c, dh_dq,
                  [&](const Configuration& moved, VectorRef h) { force(moved, u, h); });
}

void System::force_time_derivative(const Configuration& c, const Vector& u, VectorRef dh_dt) const {
  write_time_difference(*this, c, dh_dt,
                        [&](const Configuration& moved, VectorRef h) { force(moved, u, h); });
}

void System::mass_position_jacobian(const Configuration& c, const Vector& a,
                                    MatrixRef dMa_dq) const {
  Matrix M(a.size(), a.size());
  dMa_dq.setZero();
  add_differences(*this, c, dMa_dq, [&](const Configuration& moved, VectorRef Ma) {
    M.setZero();
    mass(moved, M);
    Ma = M * a;
  });
}

void System::add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                                  const ContactVelocity& lambda, MatrixRef J) const {
  const int rows = 1 + info_.contacts[at(frame.key.pair)].tangents;
  Matrix W(J.rows(), rows);
  Vector w(rows);
  add_differences(*this, c, J, [&](const Configuration& moved, VectorRef force) {
    ContactFrame there = frame;
    find_contact(moved, frame.key, there);
    W.setZero();
    w.setZero();
    write_contact_rows(moved, there, W, w);
    force.setZero();
    for (int k = 0; k < rows; ++k) force += lambda[at(k)] * W.col(k);
  });
}

void System::add_bilateral_jacobian(const Configuration& c, const VectorView& lambda,
                                    MatrixRef J) const {
  Matrix W(J.rows(), lambda.size());
  Vector w(lambda.size());
  add_differences(*this, c, J, [&](const Configuration& moved, VectorRef force) {
    W.setZero();
    w.setZero();
    bilateral_rows(moved, W, w);
    force = W * lambda;
  });
}

void System::add_relay_jacobian(const Configuration& c, const VectorView& lambda,
                                MatrixRef J) const {
  Matrix W(J.rows(), lambda.size());
  Vector w(lambda.size()), limit(lambda.size());
  add_differences(*this, c, J, [&](const Configuration& moved, VectorRef force) {
    W.setZero();
    w.setZero();
    relay_rows(moved, W, w, limit);
    force = W * lambda;
  });
}

void System::write_contact_biases(const Configuration& c, const Vector& u,
                                  std::span<const ContactFrame> frames,
                                  std::span<ContactVelocity> biases) const {
  const double step = time_difference(u);
  Arena::Frame scratch(c.scratch);
  MatrixMap W = scratch.matrix(u.size(), 3);
  VectorMap w = scratch.vector(3);
  Configuration& moved = beside(c);
  const auto add_rates = [&](double dt, double factor) {
    advance(c.q, u, dt, moved.q);
    moved.t = c.t + dt;
    configure(moved);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      ContactFrame there = frames[i];
      find_contact(moved, frames[i].key, there);
      const int rows = 1 + info_.contacts[at(frames[i].key.pair)].tangents;
      W.setZero();
      w.setZero();
      write_contact_rows(moved, there, W.leftCols(rows), w.head(rows));
      for (int k = 0; k < rows; ++k) biases[i][at(k)] += factor * (W.col(k).dot(u) + w[k]);
    }
  };
  std::fill(biases.begin(), biases.end(), ContactVelocity{});
  add_rates(step, 1 / (2 * step));
  add_rates(-step, -1 / (2 * step));
}

void System::bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const {
  const auto n = static_cast<Index>(info_.bilaterals.size());
  const double step = time_difference(u);
  Arena::Frame scratch(c.scratch);
  MatrixMap W = scratch.matrix(u.size(), n);
  VectorMap w = scratch.vector(n);
  Configuration& moved = beside(c);
  const auto add_rates = [&](double dt, double factor) {
    advance(c.q, u, dt, moved.q);
    moved.t = c.t + dt;
    configure(moved);
    W.setZero();
    w.setZero();
    bilateral_rows(moved, W, w);
    for (Index i = 0; i < n; ++i) b[i] += factor * (W.col(i).dot(u) + w[i]);
  };
  b.setZero();
  add_rates(step, 1 / (2 * step));
  add_rates(-step, -1 / (2 * step));
}

}  // namespace backlash
