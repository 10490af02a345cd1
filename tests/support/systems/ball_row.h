// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"

namespace backlash::test {

/// Equal balls of unit diameter on a line; contact i is between balls i and i + 1.
class BallRow : public System {
 public:
  BallRow(double mass, const std::vector<ContactLaw>& laws)
      : System(ball_row_info(laws)), mass_(mass) {}

  void mass(const Configuration&, MatrixRef M) const override {
    M.setZero();
    M.diagonal().setConstant(mass_);
  }
  void force(const Configuration&, const Vector&, VectorRef h) const override { h.setZero(); }
  void gaps(const Configuration& c, VectorRef g) const override {
    for (Eigen::Index i = 0; i < g.size(); ++i) g[i] = c.q[i + 1] - c.q[i] - 1;
  }
  void contact_rows(const Configuration&, int contact, MatrixRef W, VectorRef w) const override {
    W.setZero();
    W(contact, 0) = -1;
    W(contact + 1, 0) = 1;
    w[0] = 0;
  }

 private:
  static SystemInfo ball_row_info(const std::vector<ContactLaw>& laws) {
    const int balls = static_cast<int>(laws.size()) + 1;
    SystemInfo info{.name = "ball-row", .positions = balls, .velocities = balls};
    for (const ContactLaw& law : laws)
      info.contacts.push_back({"pair " + std::to_string(info.contacts.size() + 1), law, 0});
    return info;
  }

  double mass_;
};

/// All balls touch; the first one arrives with the speed v, the others are at rest.
inline State arriving_ball(const BallRow& balls, double v) {
  const Eigen::Index n = balls.info().positions;
  Vector q(n), u(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    q[i] = static_cast<double>(i);
    u[i] = i == 0 ? v : 0;
  }
  return initial_state(balls, 0, q, u);
}

}  // namespace backlash::test
