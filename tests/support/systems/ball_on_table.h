// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash::test {

struct BallOnTableData {
  double mass = 1;        ///< [kg]
  double gravity = 9.81;  ///< along −y [m/s²]
  double amplitude = 0;   ///< of the table, A [m]
  double frequency = 0;   ///< of the table, Ω [rad/s]
  ContactLaw law{};
};

/// A ball above a table at the height A sin Ωt: a rheonomic gap g = y − A sin Ωt.
class BallOnTable : public System {
 public:
  explicit BallOnTable(const BallOnTableData& data)
      : System({.name = "ball-on-table",
                .positions = 1,
                .velocities = 1,
                .contacts = {{"table", data.law, 0}}}),
        data_(data) {}

  double table(double t) const { return data_.amplitude * std::sin(data_.frequency * t); }
  double table_rate(double t) const {
    return data_.amplitude * data_.frequency * std::cos(data_.frequency * t);
  }

  void mass(const Configuration&, MatrixRef M) const override { M(0, 0) = data_.mass; }
  void force(const Configuration&, const Vector&, VectorRef h) const override {
    h[0] = -data_.mass * data_.gravity;
  }
  void gaps(const Configuration& c, VectorRef g) const override { g[0] = c.q[0] - table(c.t); }
  void contact_rows(const Configuration& c, int, MatrixRef W, VectorRef w) const override {
    W(0, 0) = 1;
    w[0] = -table_rate(c.t);
  }
  double potential_energy(const Configuration& c) const override {
    return data_.mass * data_.gravity * c.q[0];
  }

 private:
  BallOnTableData data_;
};

}  // namespace backlash::test
