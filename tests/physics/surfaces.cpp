// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Bodies in space that touch with NURBS surfaces.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "backlash/dynamics/surface_bodies.h"
#include "backlash/integrators/compliant/compliant.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::surfaces {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

/// About the x axis by a quarter turn: poles of surfaces of revolution go to the sides.
Mat3 aside() { return Eigen::AngleAxisd(pi / 2, Vec3::UnitX()).toRotationMatrix(); }

std::shared_ptr<const SurfaceBoundary> boundary(const NurbsSurfaceData& data) {
  return std::make_shared<const SurfaceBoundary>(NurbsSurface(data));
}

/// A hole of radius R around the origin, open nowhere.
std::shared_ptr<const SurfaceBoundary> spherical_bowl(double R) {
  return boundary(transformed(reversed(sphere_surface(R).data()), aside(), Vec3::Zero()));
}

constexpr double R = 1, r = 0.1, m = 2, L = R - r;

/// A ball in a bowl at the angle θ from the lowest place, J = k² m r².
SurfaceBodies ball_in_bowl(double angle, double friction, double k2 = 0.4) {
  const double J = k2 * m * r * r;
  backlash::SpaceBody ball{.name = "ball", .mass = m, .inertia = {J, J, J}};
  ball.X_WB.p = L * Vec3(std::sin(angle), 0, -std::cos(angle));
  return SurfaceBodies(
      {.bodies = {ball},
       .contacts = {{.name = "bowl",
                     .shapes = {-1, 0, spherical_bowl(R), SolidBall<3>{{0, 0, 0}, r}},
                     .law = {.friction = friction}}}});
}

/// Period of a pendulum of that length (reduced) and amplitude.
double period(double length, double amplitude) {
  return 4 * std::sqrt(length / g) * std::comp_ellint_1(std::sin(amplitude / 2));
}

double energy(const System& system, const State& state) {
  const Configuration c = configuration(system, state.t, state.q);
  return system.kinetic_energy(c, state.u) + system.potential_energy(c);
}

TEST(BallInABowl, SlidesLikeAPendulumToSecondOrder) {
  const double amplitude = 0.5, T = period(L, amplitude);
  const SurfaceBodies system = ball_in_bowl(amplitude, 0);
  const State start = system.start();
  const auto error = [&](int steps) {
    const State end = run(system, start, T / steps, T);
    return (end.q.head<3>() - start.q.head<3>()).norm() + 0.1 * end.u.head<3>().norm();
  };
  EXPECT_LT(error(400), 3e-4);
  EXPECT_GT(observed_order(error, 100, 400), 1.9);
}

TEST(BallInABowl, RollsSlowerByItsInertia) {
  const double amplitude = 0.4, k2 = 0.4, T = period((1 + k2) * L, amplitude);
  const SurfaceBodies system = ball_in_bowl(amplitude, 1, k2);
  const State start = system.start();
  const auto error = [&](int steps) {
    const State end = run(system, start, T / steps, T);
    return (end.q.head<3>() - start.q.head<3>()).norm() + 0.1 * end.u.head<3>().norm();
  };
  EXPECT_LT(error(400), 3e-4);
  EXPECT_GT(observed_order(error, 100, 400), 1.9);
}

TEST(BallInABowl, IsPressedByItsWeightAndItsSpeedAndKeepsItsEnergy) {
  const double amplitude = 0.8, step = 1e-4;
  const SurfaceBodies system = ball_in_bowl(amplitude, 0);
  const State start = system.start();
  const double E = energy(system, start);
  run(system, start, step, 0.5, {}, [&](const State& state, const StepResult& result) {
    ASSERT_EQ(result.contacts.size(), 1u);
    const double height = state.q[2] - 0.5 * step * state.u[2];  // in the middle of the step
    const double force = m * g * (3 * -height / L - 2 * std::cos(amplitude));
    EXPECT_NEAR(result.contacts[0].impulse[0] / step, force, 1e-4 * m * g) << state.t;
    EXPECT_NEAR(energy(system, state), E, 1e-6 * m * g * L) << state.t;
  });
}

TEST(BallInABowl, GoesRoundAtTheSpeedOfAConicalPendulum) {
  const double angle = 0.6, rate = std::sqrt(g / (L * std::cos(angle))), T = 2 * pi / rate;
  const SurfaceBodies system = ball_in_bowl(angle, 0);
  State start = system.start();
  start.u[1] = rate * L * std::sin(angle);
  const State end = run(system, start, T / 2000, T, {}, [&](const State& state, const StepResult&) {
    EXPECT_NEAR(state.q[2], -L * std::cos(angle), 1e-6);
  });
  EXPECT_LT((end.q.head<3>() - start.q.head<3>()).norm(), 1e-5);
}

CompliantLaw stiff(double friction) {
  CompliantLaw law{.normal = HystereticForce{.stiffness = 1e9}};
  if (friction > 0) law.friction = Threlfall{friction / 0.9502, 1e-3};
  return law;
}

TEST(BallInABowl, SwingsLikeAPendulumOnACompliantBowl) {
  const double amplitude = 0.5, J = 0.4 * m * r * r;
  const double depth = std::pow(m * g / 1e9, 2.0 / 3), T = period(L + depth, amplitude);
  backlash::SpaceBody ball{.name = "ball", .mass = m, .inertia = {J, J, J}};
  // At rest on the slope the bowl carries the part of the weight along its normal.
  const double at_rest = L + std::pow(m * g * std::cos(amplitude) / 1e9, 2.0 / 3);
  ball.X_WB.p = at_rest * Vec3(std::sin(amplitude), 0, -std::cos(amplitude));
  const SurfaceBodies system(
      {.bodies = {ball},
       .contacts = {{.name = "bowl",
                     .shapes = {-1, 0, spherical_bowl(R), SolidBall<3>{{0, 0, 0}, r}},
                     .compliant = stiff(0)}}});
  Compliant integrator(system, {.relative_tolerance = 1e-7});
  State state = system.start();
  const RunSummary summary = simulate(integrator, state, T);
  EXPECT_EQ(summary.status, StepStatus::done);
  EXPECT_LT((state.q.head<3>() - ball.X_WB.p).norm(), 1e-4);
  EXPECT_LT(state.u.head<3>().norm(), 1e-3);
}

/// A sphere written as a NURBS, of a body that slides on a plane until it rolls.
backlash::SpaceBody sliding_sphere(double v0) {
  const double J = 0.4 * m * r * r;
  backlash::SpaceBody body{.name = "sphere", .mass = m, .inertia = {J, J, J}, .v_W = {v0, 0, 0}};
  body.X_WB.p = {0, 0, r};
  return body;
}
SurfacePair sphere_on_plane() {
  return {0, -1, boundary(transformed(sphere_surface(r).data(), aside(), Vec3::Zero())),
          HalfSpace<3>{{0, 0, 0}, {0, 0, 1}}};
}

TEST(NurbsSphereOnAPlane, SlidesUntilItRollsAtFiveSeventhsOfItsSpeed) {
  const double v0 = 2, mu = 0.2, t_star = 2 * v0 / (7 * mu * g);
  const SurfaceBodies system(
      {.bodies = {sliding_sphere(v0)},
       .contacts = {{.name = "floor", .shapes = sphere_on_plane(), .law = {.friction = mu}}}});
  const State sliding = run(system, system.start(), t_star / 200, 0.5 * t_star);
  EXPECT_NEAR(sliding.u[0], v0 - mu * g * 0.5 * t_star, 1e-9);
  const State rolling = run(system, system.start(), t_star / 200, 1.5 * t_star);
  EXPECT_NEAR(rolling.u[0], 5.0 / 7 * v0, 1e-6);
  EXPECT_NEAR(rolling.q[2], r, 1e-7);
}

TEST(NurbsSphereOnAPlane, DoesSoOnACompliantFloor) {
  const double v0 = 2, mu = 0.2, t_star = 2 * v0 / (7 * mu * g);
  backlash::SpaceBody body = sliding_sphere(v0);
  body.X_WB.p.z() -= std::pow(m * g / 1e9, 2.0 / 3);  // its weight is carried
  const SurfaceBodies system(
      {.bodies = {body},
       .contacts = {{.name = "floor", .shapes = sphere_on_plane(), .compliant = stiff(mu)}}});
  Compliant integrator(system, {.relative_tolerance = 1e-7});
  State state = system.start();
  EXPECT_EQ(simulate(integrator, state, 1.5 * t_star).status, StepStatus::done);
  EXPECT_NEAR(state.u[0], 5.0 / 7 * v0, 3e-3);
}

/// An ellipsoid on its flat side rocks about y like a pendulum: ρ = a²/c at the bottom.
struct Rocker {
  double a = 0.3, b = 0.25, c = 0.15;
  double J() const { return m / 5 * (a * a + c * c); }
  double stiffness() const { return m * g * (a * a / c - c); }

  SurfaceBodies system(double angle, double friction) const {
    backlash::SpaceBody body{.name = "ellipsoid", .mass = m};
    body.inertia = m / 5 * Vec3(b * b + c * c, a * a + c * c, a * a + b * b);
    body.X_WB.R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    body.X_WB.p.z() = std::hypot(a * std::sin(angle), c * std::cos(angle));
    const Mat3 stretched = Vec3(a, b, c).asDiagonal();
    const NurbsSurfaceData data =
        transformed(sphere_surface(1).data(), stretched * aside(), Vec3::Zero());
    return SurfaceBodies(
        {.bodies = {body},
         .contacts = {{.name = "floor",
                       .shapes = {0, -1, boundary(data), HalfSpace<3>{{0, 0, 0}, {0, 0, 1}}},
                       .law = {.friction = friction}}}});
  }
};

/// Time of the second passage through the middle less that of the first, twice.
double measured_period(const SurfaceBodies& system, double until, double step) {
  std::vector<double> passages;
  double before = 1, t_before = 0;
  run(system, system.start(), step, until, {}, [&](const State& state, const StepResult&) {
    const double tilt = state.q[5];  // about y
    if (before * tilt < 0)
      passages.push_back(t_before + before / (before - tilt) * (state.t - t_before));
    before = tilt;
    t_before = state.t;
  });
  return passages.size() < 3 ? NAN : passages[2] - passages[0];
}

TEST(EllipsoidOnAPlane, RocksWithThePeriodOfItsCurvature) {
  const Rocker rocker;
  const double amplitude = 0.002;
  const double smooth = 2 * pi * std::sqrt(rocker.J() / rocker.stiffness());
  const double rolling =
      2 * pi * std::sqrt((rocker.J() + m * rocker.c * rocker.c) / rocker.stiffness());
  EXPECT_NEAR(measured_period(rocker.system(amplitude, 0), 2 * smooth, smooth / 1000), smooth,
              2e-4 * smooth);
  EXPECT_NEAR(measured_period(rocker.system(amplitude, 1), 2 * rolling, rolling / 1000), rolling,
              2e-4 * rolling);
}

TEST(EllipsoidOnAPlane, KeepsItsEnergyWhereItRocksFar) {
  const SurfaceBodies system = Rocker{}.system(0.7, 1);
  const State start = system.start();
  const double E = energy(system, start);
  run(system, start, 1e-4, 0.3, {}, [&](const State& state, const StepResult& result) {
    EXPECT_EQ(result.contacts.size(), 1u) << state.t;
    EXPECT_NEAR(energy(system, state), E, 1e-5 * m * g * 0.3) << state.t;
  });
}

TEST(TwoSurfaces, RollInABowlAsABallDoes) {
  const double amplitude = 0.4, J = 0.4 * m * r * r;
  backlash::SpaceBody ball{.name = "ball", .mass = m, .inertia = {J, J, J}};
  ball.X_WB.p = L * Vec3(std::sin(amplitude), 0, -std::cos(amplitude));
  const auto shell = boundary(transformed(sphere_surface(r).data(), aside(), Vec3::Zero()));
  const SurfaceBodies surfaces(
      {.bodies = {ball},
       .contacts = {
           {.name = "bowl", .shapes = {-1, 0, spherical_bowl(R), shell}, .law = {.friction = 1}}}});
  const State a = run(surfaces, surfaces.start(), 1e-3, 0.1);
  const State b = run(ball_in_bowl(amplitude, 1), ball_in_bowl(amplitude, 1).start(), 1e-3, 0.1);
  EXPECT_LT((a.q - b.q).norm(), 1e-9);
  EXPECT_LT((a.u - b.u).norm(), 1e-8);
}

/// Biases of all rows against differences of their rates along the motion with u̇ = 0.
void expect_biases(const SurfaceBodies& system, const Vector& u) {
  const double h = 1e-5;
  const Vector q = system.start().q;
  const auto rates_at = [&](double t) {
    Vector at = q;
    system.advance(q, u, t, at);
    const Configuration c = configuration(system, 0, at);
    std::vector<ContactFrame> frames;
    system.find_contacts(c, 0.2, {}, frames);
    EXPECT_EQ(frames.size(), 1u);
    ContactVelocity rates{};
    system.write_contact_velocities(c, u, frames, {&rates, 1});
    return rates;
  };
  const Configuration c = configuration(system, 0, q);
  std::vector<ContactFrame> frames;
  system.find_contacts(c, 0.2, {}, frames);
  ASSERT_EQ(frames.size(), 1u);
  ContactVelocity bias{};
  system.write_contact_biases(c, u, frames, {&bias, 1});
  const ContactVelocity before = rates_at(-h), after = rates_at(h);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(bias[i], (after[i] - before[i]) / (2 * h), 1e-5 * (1 + std::abs(bias[i]))) << i;
}

TEST(SurfaceContacts, HaveTheBiasesThatDifferencesShow) {
  Vector u(6);
  u << 0.5, -0.3, 0.2, 1.1, -2, 0.7;
  expect_biases(ball_in_bowl(0.4, 1), u);
  expect_biases(Rocker{}.system(0.3, 1), u);
  Vec3 axes(0.12, 0.1, 0.08);
  backlash::SpaceBody body{.name = "egg"};
  body.X_WB.p = {0.3, 0.1, -0.85};
  body.X_WB.R = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const auto egg = boundary(
      transformed(sphere_surface(1).data(), Mat3(axes.asDiagonal()) * aside(), Vec3::Zero()));
  expect_biases(SurfaceBodies({.bodies = {body},
                               .contacts = {{.name = "bowl",
                                             .shapes = {-1, 0, spherical_bowl(1.2), egg},
                                             .law = {.friction = 1}}}}),
                u);
}

}  // namespace
}  // namespace backlash::test::surfaces
