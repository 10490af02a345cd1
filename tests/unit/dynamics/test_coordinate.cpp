// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/coordinate.h"

#include <gtest/gtest.h>

namespace backlash::planar {
namespace {

/// A slider on the ground that carries an arm, and a free body.
Tree some_tree() {
  TreeBody slider{.kind = TreeJointKind::prismatic, .axis_P = Vec2(0.6, 0.8), .mass = 1};
  TreeBody arm{.parent = 0, .kind = TreeJointKind::revolute, .p_PJ = Vec2(0.1, 0.2), .mass = 1};
  TreeBody loose{.kind = TreeJointKind::free, .mass = 1, .inertia = 1};
  return Tree({slider, arm, loose});
}

/// All kinds, between the ground, the arm and the free body.
std::vector<Coordinate> some_coordinates() {
  using Kind = Coordinate::Kind;
  const Vec2 p(0.2, -0.1), q(0.3, 0.4), axis(0.8, -0.6);
  return {{.kind = Kind::angle, .a = 1, .b = 2, .zero = 0.3},
          {.kind = Kind::way, .a = -1, .b = 1, .p_AP = p, .p_BQ = q, .axis_A = axis, .zero = 0.1},
          {.kind = Kind::way, .a = 1, .b = 2, .p_AP = p, .p_BQ = q, .axis_A = axis},
          {.kind = Kind::distance, .a = -1, .b = 1, .p_AP = p, .p_BQ = q},
          {.kind = Kind::distance, .a = 2, .b = 1, .p_AP = p, .p_BQ = q, .zero = 0.2}};
}

/// Positions, velocities and accelerations at u̇ = 0, with the memory that they are in.
struct Moving {
  Moving(const Tree& tree, const Vector& q, const Vector& u)
      : cache(tree.cache_size()),
        velocities(static_cast<std::size_t>(tree.size())),
        accelerations(velocities.size()),
        motion{tree, cache, velocities, accelerations} {
    tree.configure(q, cache);
    tree.write_motion(cache, u, velocities, accelerations);
  }
  Vector cache;
  std::vector<Screw> velocities, accelerations;
  Motion motion;
};

TEST(Coordinate, HasTheRateOfItsValueAndTheBiasOfItsRate) {
  const Tree tree = some_tree();
  const Vector q = Vector::LinSpaced(5, -0.5, 0.9), u = Vector::LinSpaced(5, 2, -1.3);
  const double h = 1e-5;
  const Moving now(tree, q, u), later(tree, q + h * u, u), before(tree, q - h * u, u);
  const auto expect_derivatives = [&](const auto& c) {
    Vector w = Vector::Zero(5);
    add_direction(c, now.motion, 2, w);
    const double slope = (value(c, later.motion) - value(c, before.motion)) / (2 * h);
    EXPECT_NEAR(w.dot(u), 2 * slope, 1e-8);
    const auto rate_at = [&](const Motion& motion) {
      Vector direction = Vector::Zero(5);
      add_direction(c, motion, 1, direction);
      return direction.dot(u);
    };
    EXPECT_NEAR(rate_bias(c, now.motion),
                (rate_at(later.motion) - rate_at(before.motion)) / (2 * h), 1e-7);
  };
  const std::vector<Coordinate> all = some_coordinates();
  for (const Coordinate& c : all) {
    expect_derivatives(c);
    const double slope = (value(c, later.motion) - value(c, before.motion)) / (2 * h);
    EXPECT_NEAR(rate(c, now.motion), slope, 1e-8);
  }
  expect_derivatives(CoupledCoordinates{all[1], all[4], -1.5, 0.2});
}

TEST(Coordinate, LoadsItsBodiesAsItsDirectionSays) {
  const Tree tree = some_tree();
  const Vector q = Vector::LinSpaced(5, -0.5, 0.9), u = Vector::LinSpaced(5, 2, -1.3);
  const Moving now(tree, q, u);
  for (const Coordinate& c : some_coordinates()) {
    Loads loads;
    add_loads(c, now.motion, 3, loads);
    double power = 0;
    Vec2 sum = Vec2::Zero();
    for (const Load& load : loads.all()) {
      sum += load.force;
      power += load.force.dot(now.motion.velocity(load.body, load.p_W)) +
               load.moment * now.motion.turning(load.body);
    }
    EXPECT_LT(sum.norm(), 1e-14);
    EXPECT_NEAR(power, 3 * rate(c, now.motion), 1e-12);
    std::vector<Screw> forces(3);
    add_force(c, now.motion, 3, forces);
    double through_references = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Screw &f = forces[i], &v = now.velocities[i];
      through_references += f.turn * v.turn + f.x * v.x + f.y * v.y;
    }
    EXPECT_NEAR(through_references, power, 1e-12);
  }
}

TEST(Coordinate, OfTwoPointsThatCoincideHasNoDirection) {
  const Tree tree = some_tree();
  const Moving now(tree, Vector::Zero(5), Vector::Ones(5));
  const Coordinate c{.kind = Coordinate::Kind::distance, .a = -1, .b = 2};
  EXPECT_EQ(value(c, now.motion), 0);
  EXPECT_EQ(rate(c, now.motion), 0);
  EXPECT_EQ(rate_bias(c, now.motion), 0);
}

}  // namespace
}  // namespace backlash::planar
