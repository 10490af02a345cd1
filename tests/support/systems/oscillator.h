// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash::test {

struct OscillatorData {
  double mass = 1;       ///< [kg]
  double stiffness = 1;  ///< k [N/m]
  double hardening = 0;  ///< k₃ [N/m³]
  double damping = 0;    ///< c [N s/m]
  double gravity = 0;    ///< along −x [m/s²]
  double stop = -1e300;  ///< the mass stays at x ≥ stop [m]
  double length = 1;     ///< of the model, for the differences [m]
  ContactLaw law{};      ///< of the stop
};

/// m ẍ = −k x − k₃ x³ − c ẋ − m g above a stop. Its Jacobians are left to System's differences.
class Oscillator : public System {
 public:
  explicit Oscillator(const OscillatorData& data)
      : System({.name = "oscillator",
                .positions = 1,
                .velocities = 1,
                .contacts = {{"stop", data.law, 0}},
                .length = data.length}),
        data_(data) {}

  void mass(const Configuration&, MatrixRef M) const override { M(0, 0) = data_.mass; }
  void force(const Configuration& c, const Vector& u, VectorRef h) const override {
    const double x = c.q[0];
    h[0] = -data_.stiffness * x - data_.hardening * x * x * x - data_.damping * u[0] -
           data_.mass * data_.gravity;
  }
  void gaps(const Configuration& c, VectorRef g) const override { g[0] = c.q[0] - data_.stop; }
  void contact_rows(const Configuration&, int, MatrixRef W, VectorRef w) const override {
    W(0, 0) = 1;
    w[0] = 0;
  }
  double potential_energy(const Configuration& c) const override {
    const double square = c.q[0] * c.q[0];
    return 0.5 * data_.stiffness * square + 0.25 * data_.hardening * square * square +
           data_.mass * data_.gravity * c.q[0];
  }
  double applied_power(const Configuration&, const Vector& u, const Vector& along) const override {
    return -data_.damping * u[0] * along[0];
  }

 private:
  OscillatorData data_;
};

}  // namespace backlash::test
