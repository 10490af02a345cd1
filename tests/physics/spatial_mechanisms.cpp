// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/mechanism.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

Mat3 axes_of(const BodyMotion& m) {
  return rotation_matrix({m.orientation[0], m.orientation[1], m.orientation[2], m.orientation[3]});
}

/// A body of three different moments of inertia that no force acts on, about to tumble.
struct TumblingBody {
  Vec3 J{1, 2, 3.5}, w0{0.8, 0, 1.7};

  Assembly assembly() const {
    Model model{.title = "tumbling", .space = ModelSpace::space};
    model.bodies = {
        {.name = "body",
         .mass = 2,
         .inertia = {.xx = J[0], .yy = J[1], .zz = J[2]},
         .initial = InitialMotion{.velocity = Vec3(1, -2, 0.5), .angular_velocity = w0}}};
    return assemble(model);
  }

  /// In the body's axes, by Jacobi's elliptic functions [Landau and Lifshitz, §37].
  Vec3 velocity(double t) const {
    const double E2 = w0.dot(J.cwiseProduct(w0)), M2 = J.cwiseProduct(w0).squaredNorm();
    const double a = E2 * J[2] - M2, b = M2 - E2 * J[0];
    const double tau = t * std::sqrt((J[2] - J[1]) * b / (J[0] * J[1] * J[2]));
    const double k2 = (J[1] - J[0]) * a / ((J[2] - J[1]) * b);
    const double phi = amplitude(tau, std::sqrt(k2));
    return {std::sqrt(a / (J[0] * (J[2] - J[0]))) * std::cos(phi),
            std::sqrt(a / (J[1] * (J[2] - J[1]))) * std::sin(phi),
            std::sqrt(b / (J[2] * (J[2] - J[0])) * (1 - k2 * std::sin(phi) * std::sin(phi)))};
  }

  /// φ with F(φ, k) = τ, by Newton's method.
  static double amplitude(double tau, double k) {
    double phi = tau;
    for (int i = 0; i < 50; ++i) {
      const double s = k * std::sin(phi);
      phi -= (std::ellint_1(k, phi) - tau) * std::sqrt(1 - s * s);
    }
    return phi;
  }
};

TEST(TumblingBody, RotatesAsJacobisEllipticFunctionsSayAtOrderTwo) {
  const TumblingBody body;
  const Assembly assembly = body.assembly();
  const double until = 3;
  const auto error = [&](int steps) {
    const State end = run(*assembly.system, assembly.start, until / steps, until);
    const BodyMotion m = motion_of(*assembly.system, end);
    EXPECT_LT((m.p_W - until * Vec3(1, -2, 0.5)).norm(), 1e-11);
    EXPECT_NEAR(m.orientation.norm(), 1, 1e-14);
    return (axes_of(m).transpose() * m.w_W - body.velocity(until)).norm();
  };
  EXPECT_LT(error(3000), 1e-5);
  EXPECT_NEAR(observed_order(error, 300, 1200), 2, 0.05);
}

TEST(TumblingBody, KeepsEnergyAndAngularMomentumUpToOrderTwoForALongTime) {
  const TumblingBody body;
  const Assembly assembly = body.assembly();
  const auto drift = [&](int steps) {
    const State end = run(*assembly.system, assembly.start, 100.0 / steps, 100);
    const BodyMotion m = motion_of(*assembly.system, end);
    const Mat3 R = axes_of(m);
    const Vec3 momentum = R * body.J.cwiseProduct(R.transpose() * m.w_W);
    const Vec3 w = R.transpose() * m.w_W;
    const double energy = w.dot(body.J.cwiseProduct(w)),
                 before = body.w0.dot(body.J.cwiseProduct(body.w0));
    return (momentum - body.J.cwiseProduct(body.w0)).norm() + std::abs(energy - before);
  };
  EXPECT_LT(drift(20000), 2e-3);
  EXPECT_GT(drift(10000) / drift(20000), 3.5);
}

/// A symmetric top on its tip, tilted by an angle, that spins.
struct Top {
  double mass = 0.5, length = 0.06, J1 = 4e-4, J3 = 6e-4, tilt = 0.6, spin = 150;

  double about_tip() const { return J1 + mass * length * length; }

  /// With the angular velocity at the start, in the world.
  Assembly assembly(const Vec3& omega) const {
    Model model{.title = "top", .space = ModelSpace::space, .gravity = Vec3(0, 0, -g)};
    model.bodies = {{.name = "top",
                     .mass = mass,
                     .inertia = {.xx = J1, .yy = J1, .zz = J3},
                     .com = Vec3(0, 0, length)}};
    Joint tip{.name = "tip", .body_A = "ground", .body_B = "top", .kind = Spherical{}};
    const Vec3 rotation(0, tilt, 0);
    for (int i = 0; i < 3; ++i) tip.initial[static_cast<std::size_t>(i)] = {rotation[i], omega[i]};
    model.joints = {tip};
    return assemble(model);
  }
  Vec3 axis() const { return {std::sin(tilt), 0, std::cos(tilt)}; }
};

TEST(Top, PrecessesSteadilyWhereItsSpinAllowsIt) {
  const Top top;
  // J Ω² cos θ − J₃ ω₃ Ω + m g l = 0, of which Ω is the slow solution
  const double a = top.about_tip() * std::cos(top.tilt), b = top.J3 * top.spin,
               c = top.mass * g * top.length;
  const double rate = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  const double own = top.spin - rate * std::cos(top.tilt);
  const Assembly assembly = top.assembly(rate * Vec3::UnitZ() + own * top.axis());
  const double until = 0.5;
  const auto error = [&](int steps) {
    double largest = 0;
    const State end = run(*assembly.system, assembly.start, until / steps, until, {},
                          [&](const State& state, const StepResult&) {
                            const Vec3 axis = axes_of(motion_of(*assembly.system, state)).col(2);
                            largest = std::max(largest, std::abs(axis.z() - std::cos(top.tilt)));
                          });
    const Vec3 axis = axes_of(motion_of(*assembly.system, end)).col(2);
    const double angle = std::atan2(axis.y(), axis.x());
    return largest + std::abs(std::remainder(angle - rate * until, 2 * pi));
  };
  // The midpoint rule is off by (ω Δt)²/24 of an angle that is turned at ω.
  const int fine = 20000;
  EXPECT_LT(error(fine), std::pow(top.spin * until / fine, 2) / 24 * top.spin * until);
  EXPECT_NEAR(observed_order(error, 2500, 10000), 2, 0.1);
}

TEST(Top, ThatIsLetGoNutatesDownToTheOtherRootOfItsCubic) {
  const Top top;
  const Assembly assembly = top.assembly(top.spin * top.axis());
  // u̇² = (u₀ − u)(β(1 − u²) − a²(u₀ − u)), u = cos θ
  const double a = top.J3 * top.spin / top.about_tip(),
               beta = 2 * top.mass * g * top.length / top.about_tip(), u0 = std::cos(top.tilt);
  const double p = a * a / (2 * beta), lowest = p - std::sqrt(p * p - 2 * p * u0 + 1);
  double least = 1;
  const State end = run(*assembly.system, assembly.start, 1e-5, 0.2, {},
                        [&](const State& state, const StepResult&) {
                          const BodyMotion m = motion_of(*assembly.system, state);
                          const Mat3 R = axes_of(m);
                          least = std::min(least, R(2, 2));
                          EXPECT_NEAR(R.col(2).dot(m.w_W), top.spin, 1e-5);
                        });
  EXPECT_NEAR(least, lowest, 1e-6);
  const EnergyLedger before = energy_ledger(*assembly.system, assembly.start),
                     after = energy_ledger(*assembly.system, end);
  EXPECT_NEAR(energy_imbalance(before, after), 0, 1e-6 * before.kinetic);
}

/// A point mass on a rod without mass that hangs on a cross of two revolute joints.
Assembly spherical_pendulum(double length, double angle, double speed) {
  Model model{.title = "pendulum", .space = ModelSpace::space, .gravity = Vec3(0, 0, -g)};
  model.bodies = {{.name = "cross"}, {.name = "rod", .mass = 1, .com = Vec3(0, 0, -length)}};
  Joint outer{.name = "outer", .body_A = "ground", .body_B = "cross"};
  outer.kind = Revolute{.axis_A = Vec3::UnitX(), .axis_B = Vec3::UnitX()};
  outer.initial[0] = {0.0, speed / (length * std::cos(angle))};
  Joint inner{.name = "inner", .body_A = "cross", .body_B = "rod"};
  inner.kind = Revolute{.axis_A = Vec3::UnitY(), .axis_B = Vec3::UnitY()};
  inner.initial[0] = {-angle, 0.0};  // towards +x
  model.joints = {outer, inner};
  return assemble(model);
}

TEST(SphericalPendulum, IsAtItsOtherTurningHeightAfterHalfAPeriod) {
  const double length = 0.8, angle = 1.0, speed = 1.9;
  const Assembly assembly = spherical_pendulum(length, angle, speed);
  EXPECT_EQ(assembly.report.dofs, 2);
  // At the height −length u energy and angular momentum give u̇² = 2g/length (u − u₀)(u₁ − u)(u +
  // c).
  const double u0 = std::cos(angle), k = speed * speed / (2 * g * length);
  const double u1 = -k / 2 + std::sqrt(k * k / 4 - k * u0 + 1), c = k + u1;
  double half_period = 0;  // u = (u₀ + u₁)/2 − (u₁ − u₀)/2 cos φ takes the roots away
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double phi = (i + 0.5) * pi / n, u = (u0 + u1) / 2 - (u1 - u0) / 2 * std::cos(phi);
    half_period += pi / n / std::sqrt(2 * g / length * (u + c));
  }
  const auto height = [&](int steps) {
    const State end = run(*assembly.system, assembly.start, half_period / steps, half_period);
    const BodyMotion m = motion_of(*assembly.system, end, 1);
    return (axes_of(m) * Vec3(0, 0, -length)).z();
  };
  const State half = run(*assembly.system, assembly.start, half_period / 4000, half_period);
  const Vec3 arm = axes_of(motion_of(*assembly.system, half, 1)) * Vec3(0, 0, -length);
  const Vec3 v = motion_of(*assembly.system, half, 1).w_W.cross(arm);
  EXPECT_NEAR(height(4000), -length * u1, 1e-6);
  EXPECT_NEAR(v.z(), 0, 1e-5);
  // about the vertical nothing turns it
  EXPECT_NEAR(arm.cross(v).z(), length * std::sin(angle) * speed, 1e-5);
}

// Loops.

Body link(const std::string& name, const Vec3& com) {
  return {.name = name,
          .mass = 1,
          .inertia = {.xx = 0.02, .yy = 0.03, .zz = 0.025, .xy = 0.002},
          .com = com};
}

double loop_error(const System& system, const State& state) {
  Vector error(static_cast<Eigen::Index>(system.info().bilaterals.size()));
  system.bilateral_errors(configuration(system, state), error);
  return error.cwiseAbs().maxCoeff();
}

double rate_error(const System& system, const State& state) {
  const auto n = static_cast<Eigen::Index>(system.info().bilaterals.size());
  Matrix W = Matrix::Zero(system.info().velocities, n);
  Vector w = Vector::Zero(n);
  system.bilateral_rows(configuration(system, state), W, w);
  return (W.transpose() * state.u + w).cwiseAbs().maxCoeff();
}

/// Four links with revolute joints whose axes are neither parallel nor meet, which by counting
/// cannot move: a/sin α = b/sin β lets them [Bennett].
Model bennett_linkage() {
  const double a = 0.3, alpha = 0.7, beta = 1.2, b = a * std::sin(beta) / std::sin(alpha);
  Model model{.title = "bennett", .space = ModelSpace::space, .gravity = Vec3(0, 0, -g)};
  model.bodies = {link("one", {a / 2, 0, 0}), link("two", {b / 2, 0, 0}),
                  link("three", {a / 2, 0, 0})};
  const auto joint = [](const std::string& name, const std::string& A, const std::string& B,
                        double length, double twist) {
    return Joint{.name = name,
                 .body_A = A,
                 .body_B = B,
                 .kind = Revolute{.p_AP = Vec3(length, 0, 0),
                                  .axis_A = Vec3(0, -std::sin(twist), std::cos(twist))}};
  };
  model.joints = {joint("j1", "ground", "one", 0, 0), joint("j2", "one", "two", a, alpha),
                  joint("j3", "two", "three", b, beta), joint("j4", "three", "ground", a, alpha)};
  auto& last = std::get<Revolute>(model.joints[3].kind);
  last.p_BQ = Vec3(-b, 0, 0);
  last.axis_B = Vec3(0, std::sin(beta), std::cos(beta));
  const double angle = 1.1,
               second = 2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) /
                                      std::tan(angle / 2));
  model.joints[0].initial[0] = {angle, 5.0};
  model.joints[1].initial[0].position = second + 0.05;  // assembly finds the rest
  model.joints[2].initial[0].position = -angle;
  return model;
}

TEST(BennettLinkage, MovesThoughCountingForbidsItAndStaysClosed) {
  const Assembly assembly = assemble(bennett_linkage());
  EXPECT_EQ(assembly.report.dofs_by_counting, -2);
  EXPECT_EQ(assembly.report.dofs, 1);
  EXPECT_EQ(assembly.report.redundant.size(), 3u);  // 3 angles in the tree, 5 rows
  EXPECT_NEAR(assembly.start.q[0], 1.1, 0.05);      // all three are given, so that all give way
  EXPECT_EQ(assembly.start.u[0], 5.0);
  EXPECT_LT(loop_error(*assembly.system, assembly.start), 1e-12);
  EXPECT_LT(rate_error(*assembly.system, assembly.start), 1e-11);
  double worst = 0;
  const State end = run(*assembly.system, assembly.start, 1e-4, 1, {},
                        [&](const State& state, const StepResult&) {
                          worst = std::max(worst, loop_error(*assembly.system, state));
                        });
  EXPECT_LT(worst, 1e-10);
  const EnergyLedger before = energy_ledger(*assembly.system, assembly.start),
                     after = energy_ledger(*assembly.system, end);
  EXPECT_NEAR(energy_imbalance(before, after), 0, 1e-5 * before.kinetic);
}

/// A crank and a rocker with a coupler between two balls, about whose line it may spin.
Model ball_linkage(Coordinates coordinates) {
  Model model{.title = "rssr", .space = ModelSpace::space, .gravity = Vec3(0, 0, -g)};
  model.simulation.coordinates = coordinates;
  model.bodies = {link("crank", {0.05, 0, 0}), link("coupler", {0.2, 0, 0}),
                  link("rocker", {0, 0.15, 0})};
  Joint crank{.name = "crank_pin", .body_A = "ground", .body_B = "crank", .kind = Revolute{}};
  crank.initial[0] = {0.3, 8.0};
  const Joint first{.name = "first",
                    .body_A = "crank",
                    .body_B = "coupler",
                    .kind = Spherical{.p_AP = Vec3(0.1, 0, 0)}};
  const Joint second{.name = "second",
                     .body_A = "coupler",
                     .body_B = "rocker",
                     .kind = Spherical{.p_AP = Vec3(0.4, 0, 0), .p_BQ = Vec3(0, 0.3, 0)}};
  const Joint rocker{
      .name = "rocker_pin",
      .body_A = "ground",
      .body_B = "rocker",
      .kind = Revolute{
          .p_AP = Vec3(0.45, 0, -0.2), .axis_A = Vec3(0.6, 0, 0.8), .axis_B = Vec3::UnitX()}};
  model.joints = {crank, first, rocker, second};
  return model;
}

TEST(BallLinkage, HasTheFreedomOfItsCrankAndTheIdleSpinOfItsCoupler) {
  const Assembly assembly = assemble(ball_linkage(Coordinates::joint));
  EXPECT_EQ(assembly.report.dofs_by_counting, 2);
  EXPECT_EQ(assembly.report.dofs, 2);
  EXPECT_TRUE(assembly.report.redundant.empty());
  EXPECT_EQ(assembly.system->info().bilaterals.size(), 3u);
  EXPECT_LT(loop_error(*assembly.system, assembly.start), 1e-12);
}

TEST(BallLinkage, MovesAlikeInJointAndInAbsoluteCoordinates) {
  const Assembly joint = assemble(ball_linkage(Coordinates::joint)),
                 absolute = assemble(ball_linkage(Coordinates::absolute));
  EXPECT_EQ(absolute.system->info().bilaterals.size(), 16u);
  EXPECT_EQ(absolute.report.dofs, 2);
  // Assembly moves what is free by the least changes, which differ: go on from the same state.
  State start = absolute.start;
  for (int i = 0; i < 3; ++i) {
    const BodyMotion m = motion_of(*joint.system, joint.start, i);
    start.q.segment<3>(7 * i) = m.p_W;
    start.q.segment<4>(7 * i + 3) = m.orientation;
    start.u.segment<3>(6 * i) = m.v_W;
    start.u.segment<3>(6 * i + 3) = m.w_W;
  }
  EXPECT_LT(loop_error(*absolute.system, start), 1e-11);
  EXPECT_LT(rate_error(*absolute.system, start), 1e-10);
  const auto apart = [&](int steps) {
    const State a = run(*joint.system, joint.start, 0.3 / steps, 0.3),
                b = run(*absolute.system, start, 0.3 / steps, 0.3);
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += (motion_of(*joint.system, a, i).p_W - motion_of(*absolute.system, b, i).p_W).norm();
    EXPECT_LT(loop_error(*joint.system, a), 1e-10);
    EXPECT_LT(loop_error(*absolute.system, b), 1e-10);
    return sum;
  };
  EXPECT_LT(apart(3000), 1e-4);
  EXPECT_NEAR(observed_order(apart, 750, 3000), 2, 0.2);
}

TEST(SpatialJoints, ThatCloseLoopsHoldWhatTheyShould) {
  const auto rows = [](const JointKind& kind) {
    Model model{.title = "held", .space = ModelSpace::space};
    model.simulation.coordinates = Coordinates::absolute;
    model.bodies = {link("body", Vec3::Zero())};
    model.joints = {{.name = "joint", .body_A = "ground", .body_B = "body", .kind = kind}};
    const Assembly assembly = assemble(model);
    EXPECT_EQ(assembly.report.dofs, assembly.report.dofs_by_counting);
    EXPECT_TRUE(assembly.report.redundant.empty());
    return assembly.system->info().bilaterals.size();
  };
  EXPECT_EQ(rows(Spherical{.p_AP = Vec3(1, 2, 3)}), 3u);
  EXPECT_EQ(rows(Revolute{.axis_A = Vec3(0.6, 0, 0.8), .axis_B = Vec3(0, -1, 0)}), 5u);
  EXPECT_EQ(rows(Prismatic{.axis_A = Vec3(0, 0.6, 0.8), .rotation = Vec3(0.3, -1, 2)}), 5u);
  EXPECT_EQ(rows(PointOnLine{.axis_A = Vec3(0, 0.6, 0.8)}), 2u);
  EXPECT_EQ(rows(Planar{}), 3u);
}

TEST(SpatialPrismatic, CarriesItsBodyDownAnInclineWithTheReactionAcrossIt) {
  const Vec3 axis(0, 0.6, -0.8);
  Model model{.title = "chute", .space = ModelSpace::space, .gravity = Vec3(0, 0, -g)};
  model.bodies = {link("block", Vec3(0.1, -0.2, 0.3))};
  model.joints = {{.name = "chute",
                   .body_A = "ground",
                   .body_B = "block",
                   .kind = Prismatic{.axis_A = axis, .rotation = Vec3(0.2, 0.7, -0.4)}}};
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    model.simulation.coordinates = coordinates;
    const Assembly assembly = assemble(model);
    const State end = run(*assembly.system, assembly.start, 1e-3, 1);
    const BodyMotion m = motion_of(*assembly.system, end);
    EXPECT_LT((m.p_W - 0.5 * g * 0.8 * axis).norm(), 1e-9);
    EXPECT_LT(
        (rotation_vector({m.orientation[0], m.orientation[1], m.orientation[2], m.orientation[3]}) -
         Vec3(0.2, 0.7, -0.4))
            .norm(),
        1e-10);
  }
}

TEST(PlanarAndSpatial, TheSameMechanismMovesAlike) {
  const auto double_pendulum = [](ModelSpace space) {
    Model model{.title = "double", .space = space, .gravity = Vec3(0, -g, 0)};
    model.bodies = {link("upper", {0.5, 0, 0}), link("lower", {0.5, 0.1, 0})};
    Joint top{.name = "top", .body_A = "ground", .body_B = "upper", .kind = Revolute{}};
    top.initial[0] = {0.4, 1.0};
    Joint middle{.name = "middle",
                 .body_A = "upper",
                 .body_B = "lower",
                 .kind = Revolute{.p_AP = Vec3(1, 0, 0)}};
    middle.initial[0] = {-0.9, 2.0};
    model.joints = {top, middle};
    return assemble(model);
  };
  const Assembly plane = double_pendulum(ModelSpace::plane),
                 space = double_pendulum(ModelSpace::space);
  const State a = run(*plane.system, plane.start, 1e-3, 1),
              b = run(*space.system, space.start, 1e-3, 1);
  EXPECT_LT((a.q - b.q).norm(), 1e-10);
  EXPECT_LT((a.u - b.u).norm(), 1e-9);
}

}  // namespace
}  // namespace backlash::test
