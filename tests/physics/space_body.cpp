// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/systems/space_body.h"

#include <cmath>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::space_body {
namespace {

constexpr double g = 9.81;

/// A ball of J = k² m r² on the floor, at first with any velocity and spin (in the world).
struct Ball {
  double mass = 1.4, radius = 0.3, k2 = 0.4, friction = 0.2;

  SpaceBody system() const {
    const double J = k2 * mass * radius * radius;
    return SpaceBody(
        {.mass = mass, .inertia = {J, J, J}, .radius = radius, .law = {.friction = friction}});
  }
  State start(const SpaceBody& body, const Vec3& v, const Vec3& spin) const {
    return space_body_start(body, Vec3(0, 0, radius), v, spin);
  }
  /// Velocity of the lowest point.
  Vec3 slip(const Vec3& v, const Vec3& spin) const { return v + spin.cross(Vec3(0, 0, -radius)); }
  double rolls_at(const Vec3& s0) const { return s0.norm() / (friction * g * (1 + 1 / k2)); }
};

TEST(BallInSpace, SlidesSpinsAndThenRollsAtTheSpeedThatItsInertiaLeaves) {
  const double v0 = 3, spin = 7, step = 1e-3;
  for (const double k2 : {0.4, 2.0 / 3}) {  // solid, hollow
    const Ball ball{.k2 = k2};
    const SpaceBody body = ball.system();
    const State start = ball.start(body, Vec3(v0, 0, 0), Vec3(0, 0, spin));
    const double t_star = v0 / (ball.friction * g * (1 + 1 / k2));
    for_every_disk_solver([&](const MoreauOptions& options) {
      double slid_until = 0;
      const State end =
          run(body, start, step, 1.5 * t_star, options,
              [&](const State& state, const StepResult& result) {
                const Vec3 v = state.u.head<3>(), w = rotation(state.q) * state.u.tail<3>();
                EXPECT_NEAR(state.q.tail<4>().norm(), 1, 1e-14);
                EXPECT_NEAR(w.z(), spin, 1e-11);  // nothing turns it about the vertical
                EXPECT_EQ(result.contacts.size(), 1u);
                if (ball.slip(v, w).norm() < 1e-9) return;
                slid_until = state.t;
                const double t = state.t;
                EXPECT_NEAR(v.x(), v0 - ball.friction * g * t, 1e-11);
                EXPECT_NEAR(v.y(), 0, 1e-11);
                EXPECT_NEAR(state.q[0], v0 * t - ball.friction * g * t * t / 2, 1e-11);
              });
      EXPECT_NEAR(slid_until, t_star, step);
      EXPECT_NEAR(end.u[0], v0 / (1 + k2), 1e-10);
      const Vec3 w = rotation(end.q) * end.u.tail<3>();
      EXPECT_NEAR(w.y(), end.u[0] / ball.radius, 1e-9);
      EXPECT_NEAR(w.x(), 0, 1e-9);
    });
  }
}

TEST(BallInSpace, WithSpinAcrossItsWayFollowsAParabolaUntilItRolls) {
  const Ball ball;
  const SpaceBody body = ball.system();
  const Vec3 v0(2, 0.5, 0), w0(6, -9, 4);  // spin and velocity not collinear
  const Vec3 s0 = ball.slip(v0, w0), direction = s0.normalized();
  const Vec3 a = -ball.friction * g * direction;
  const double t_star = ball.rolls_at(s0), step = 1e-3;
  for_every_disk_solver([&](const MoreauOptions& options) {
    double slid_until = 0;
    const State end =
        run(body, ball.start(body, v0, w0), step, 1.5 * t_star, options,
            [&](const State& state, const StepResult&) {
              const double t = state.t;
              const Vec3 v = state.u.head<3>(), w = rotation(state.q) * state.u.tail<3>();
              const Vec3 s = ball.slip(v, w);
              if (s.norm() < 1e-9) return;
              slid_until = t;
              EXPECT_LT((s.normalized() - direction).norm(), 1e-9);
              EXPECT_NEAR(s.norm(), s0.norm() - ball.friction * g * (1 + 1 / ball.k2) * t, 1e-10);
              const Vec3 p = v0 * t + a * t * t / 2 + Vec3(0, 0, ball.radius);
              EXPECT_LT((state.q.head<3>() - p).norm(), 1e-10);
              EXPECT_NEAR(w.z(), w0.z(), 1e-10);
            });
    EXPECT_NEAR(slid_until, t_star, step);
    EXPECT_LT((end.u.head<3>() - (v0 + a * t_star)).norm(), 1e-9);
    const Vec3 w = rotation(end.q) * end.u.tail<3>();
    EXPECT_LT(ball.slip(end.u.head<3>(), w).norm(), 1e-9);
    const EnergyLedger before = energy_ledger(body, ball.start(body, v0, w0));
    EXPECT_NEAR(energy_imbalance(before, energy_ledger(body, end)), 0, 1e-10 * before.kinetic);
  });
}

TEST(BallInSpace, RollsWhereItShouldAtOrderTwo) {
  const Ball ball;
  const SpaceBody body = ball.system();
  const Vec3 v0(2, 0.5, 0), w0(6, -9, 4), s0 = ball.slip(v0, w0);
  const Vec3 a = -ball.friction * g * s0.normalized();
  const double t_star = ball.rolls_at(s0), until = 1.5 * t_star;
  const Vec3 p = v0 * t_star + a * t_star * t_star / 2 + (v0 + a * t_star) * (until - t_star) +
                 Vec3(0, 0, ball.radius);
  const auto error = [&](int steps) {  // mean over where in its step the ball begins to roll
    double sum = 0;
    for (int i = 0; i < 16; ++i)
      sum += (run(body, ball.start(body, v0, w0), until / (steps + 0.1 * i), until).q.head<3>() - p)
                 .norm();
    return sum;
  };
  EXPECT_NEAR(observed_order(error, 50, 800), 2, 0.15);
}

TEST(BallInSpace, BouncesWithFrictionLikeADiskInThePlaneOfItsSlip) {
  const double e = 0.5, fall = 2;
  for (const double friction : {0.05, 0.9}) {  // slides through, or comes to roll
    Ball ball{.friction = friction};
    const double J = ball.k2 * ball.mass * ball.radius * ball.radius;
    const SpaceBody body({.mass = ball.mass,
                          .inertia = {J, J, J},
                          .gravity = {0, 0, 0},
                          .radius = ball.radius,
                          .law = {.restitution = e, .friction = friction}});
    const Vec3 v0(1, 0.4, -fall), w0(3, 2, -1), s0 = ball.slip(v0, w0);
    const Vec3 tangential(s0.x(), s0.y(), 0);
    const double P_N = (1 + e) * ball.mass * fall;
    const double to_roll = tangential.norm() * ball.mass / (1 + 1 / ball.k2);
    const double P_T = std::min(to_roll, friction * P_N);
    const Vec3 v = v0 + Vec3(0, 0, P_N / ball.mass) - P_T / ball.mass * tangential.normalized();
    for_every_disk_solver([&](const MoreauOptions& options) {
      const OneStep done =
          one_step(body, space_body_start(body, Vec3(0, 0, ball.radius), v0, w0), 1e-3, options);
      EXPECT_LT((done.state.u.head<3>() - v).norm(), 1e-10);
    });
  }
}

TEST(BallInSpace, IsApproximatedByAFacetedConeAndSaysSo) {
  const Ball ball;
  const SpaceBody body = ball.system();
  const Vec3 v0(2, 0.5, 0);
  for (const SolverEntry& solver : solver_table()) {
    if (solver.space_friction == SpaceFriction::disk) continue;
    const OneStep done =
        one_step(body, ball.start(body, v0, Vec3(0, 0, 0)), 1e-3,
                 {.solver = solver.name, .solver_options = {.tolerance = 1e-12, .facets = 16}});
    const double* P = done.result.contacts.at(0).impulse;
    EXPECT_EQ(done.result.solver_status, SolverStatus::approximated);
    const double share = std::hypot(P[1], P[2]) / (ball.friction * P[0]);
    EXPECT_LE(share, 1 + 1e-12);
    EXPECT_GE(share, std::cos(std::numbers::pi / 16) - 1e-12);
  }
}

/// Free of forces and of contacts.
SpaceBody free_body(const Vec3& inertia) {
  return SpaceBody({.mass = 1, .inertia = inertia, .gravity = {0, 0, 0}});
}

/// Largest difference of the rotation matrix, and of the spin in the body over its size.
double attitude_error(const State& state, const Mat3& R, const Vec3& w) {
  return std::max((rotation(state.q) - R).cwiseAbs().maxCoeff(),
                  (state.u.tail<3>() - w).norm() / w.norm());
}

TEST(FreeBody, ThatIsSymmetricPrecessesAtOrderTwoWithTheForceAtTheMiddleVelocity) {
  const double A = 2, C = 3, t = 1.5;
  const SpaceBody body = free_body({A, A, C});
  const Vec3 w0(1.2, -0.5, 2);
  // ω turns in the body at (C − A)/A ω₃; the body turns about L at |L|/A and about its axis.
  const double rate = (C - A) / A * w0.z();
  const Vec3 w = Eigen::AngleAxisd(rate * t, Vec3::UnitZ()) * w0;
  const Vec3 L(A * w0.x(), A * w0.y(), C * w0.z());
  const Mat3 R = (Eigen::AngleAxisd(L.norm() / A * t, L.normalized()) *
                  Eigen::AngleAxisd(-rate * t, Vec3::UnitZ()))
                     .toRotationMatrix();
  for (const ForceVelocity force_velocity : {ForceVelocity::midpoint, ForceVelocity::start}) {
    const auto error = [&](int steps) {
      const State start = space_body_start(body, Vec3::Zero(), Vec3::Zero(), w0);
      return attitude_error(run(body, start, t / steps, t, {.force_velocity = force_velocity}), R,
                            w);
    };
    const double order = force_velocity == ForceVelocity::midpoint ? 2 : 1;
    EXPECT_NEAR(observed_order(error, 200, 3200), order, 0.05);
  }
}

/// Euler's equations and q̇ = ½ q ω by the classical Runge–Kutta method.
struct Reference {
  Vec3 w;
  Eigen::Vector4d q{1, 0, 0, 0};
};

Reference runge_kutta(const Vec3& J, const Vec3& w0, double until, int steps) {
  const auto rate = [&](const Reference& r) {
    const Vec3 L = J.cwiseProduct(r.w);
    const Eigen::Quaterniond p(r.q[0], r.q[1], r.q[2], r.q[3]), s(0, r.w[0], r.w[1], r.w[2]);
    const Eigen::Quaterniond d = p * s;
    return Reference{(-r.w.cross(L)).cwiseQuotient(J),
                     0.5 * Eigen::Vector4d(d.w(), d.x(), d.y(), d.z())};
  };
  Reference r{w0};
  const double h = until / steps;
  const auto moved = [](const Reference& a, double dt, const Reference& k) {
    return Reference{a.w + dt * k.w, a.q + dt * k.q};
  };
  for (int i = 0; i < steps; ++i) {
    const Reference a = rate(r), b = rate(moved(r, h / 2, a)), c = rate(moved(r, h / 2, b)),
                    d = rate(moved(r, h, c));
    r.w += h / 6 * (a.w + 2 * b.w + 2 * c.w + d.w);
    r.q += h / 6 * (a.q + 2 * b.q + 2 * c.q + d.q);
  }
  return r;
}

TEST(FreeBody, WithThreeMomentsTumblesAtOrderTwoOrOne) {
  const Vec3 J(1, 2, 3.2), w0(0.1, 2, -0.05);  // near the unstable axis: it turns over
  const double t = 4;
  const SpaceBody body = free_body(J);
  const Reference reference = runge_kutta(J, w0, t, 20000);
  const Mat3 R = Eigen::Quaterniond(reference.q[0], reference.q[1], reference.q[2], reference.q[3])
                     .normalized()
                     .toRotationMatrix();
  ASSERT_LT(reference.w.y(), 0);  // it did
  const State start = space_body_start(body, Vec3::Zero(), Vec3::Zero(), w0);
  for (const ForceVelocity force_velocity : {ForceVelocity::midpoint, ForceVelocity::start}) {
    const auto error = [&](int steps) {
      return attitude_error(run(body, start, t / steps, t, {.force_velocity = force_velocity}), R,
                            reference.w);
    };
    const double order = force_velocity == ForceVelocity::midpoint ? 2 : 1;
    EXPECT_NEAR(observed_order(error, 2000, 16000), order, 0.1);
  }
  const auto implicit_error = [&](int steps) {
    return attitude_error(run(body, start, t / steps, t, {.scheme = Scheme::theta}), R,
                          reference.w);
  };
  EXPECT_NEAR(observed_order(implicit_error, 1000, 4000), 2, 0.1);
}

TEST(FreeBody, KeepsItsQuaternionItsEnergyAndItsAngularMomentum) {
  const Vec3 J(1, 2, 3.2), w0(0.1, 2, -0.05), L0 = J.cwiseProduct(w0);
  const SpaceBody body = free_body(J);
  const State start = space_body_start(body, Vec3::Zero(), Vec3(1, 2, 3), w0);
  const auto errors = [&](int steps) {
    const State end = run(body, start, 6.0 / steps, 6);
    EXPECT_NEAR(end.q.tail<4>().norm(), 1, 1e-14);
    EXPECT_LT((end.q.head<3>() - 6 * Vec3(1, 2, 3)).norm(), 1e-11);
    const Vec3 L = rotation(end.q) * J.cwiseProduct(Vec3(end.u.tail<3>()));
    const double energy = energy_imbalance(energy_ledger(body, start), energy_ledger(body, end));
    return Vec2((L - L0).norm(), std::abs(energy));
  };
  const Vec2 coarse = errors(1000), fine = errors(4000);
  EXPECT_GE(std::log(coarse[0] / fine[0]) / std::log(4), 1.9);
  EXPECT_GE(std::log(coarse[1] / fine[1]) / std::log(4), 1.9);
}

TEST(FreeBody, HasThePositionRateOfItsExponentialMap) {
  const SpaceBody body = free_body({1, 2, 3});
  Vector q(7), u(6), rate(7), forward(7), backward(7);
  q << 1, 2, 3, Eigen::Vector4d(0.5, -0.1, 0.7, 0.3).normalized();
  u << 0.3, -2, 1, 0.7, 1.1, -0.4;
  body.position_rate(configuration(body, 0, q), u, rate);
  const double h = 1e-6;
  body.advance(q, u, h, forward);
  body.advance(q, u, -h, backward);
  EXPECT_LT(((forward - backward) / (2 * h) - rate).norm(), 1e-9);
}

}  // namespace
}  // namespace backlash::test::space_body
