// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/dynamics/kernel/tree.h"

namespace backlash::planar {
namespace {

/// Everything a tree tells of one state.
struct Motion {
  Vector cache;
  std::vector<Screw> velocities;
  Matrix factors;
  double kinetic = 0;  ///< [J]
};

Motion motion_of(const Tree& tree, const Vector& q, const Vector& u) {
  Motion m{.cache = Vector::Zero(tree.cache_size()), .velocities = {}, .factors = {}};
  m.velocities.resize(static_cast<std::size_t>(tree.size()));
  tree.configure(q, m.cache);
  tree.write_velocities(m.cache, u, m.velocities);
  EXPECT_TRUE(tree.factor_mass(m.cache, m.factors));
  m.kinetic = tree.kinetic_energy(m.cache, m.velocities);
  return m;
}

Vector solve(const Tree& tree, const Motion& m, Vector b) {
  Arena scratch;
  tree.solve_mass(m.cache, m.factors, {0, tree.size()}, scratch, b);
  return b;
}

Vector force(const Tree& tree, const Motion& m, const Vector& u, const Vec2& gravity) {
  Vector h(tree.dofs());
  std::vector<Screw> accelerations(static_cast<std::size_t>(tree.size()));
  std::vector<Screw> forces(accelerations.size());
  std::vector<Screw> velocities = accelerations;
  tree.write_motion(m.cache, u, velocities, accelerations);
  tree.write_weight_and_inertia(m.cache, velocities, accelerations, gravity, forces);
  tree.write_force(m.cache, forces, h);
  return h;
}

Tree slider_crank_tree() {
  const SliderCrankData d;
  TreeBody crank{.kind = TreeJointKind::revolute,
                 .mass = d.mass[0],
                 .inertia = d.inertia[0],
                 .p_BC = Vec2(d.crank_length / 2, 0)};
  TreeBody rod{.parent = 0,
               .kind = TreeJointKind::revolute,
               .p_PJ = Vec2(d.crank_length, 0),
               .mass = d.mass[1],
               .inertia = d.inertia[1],
               .p_BC = Vec2(d.rod_length / 2, 0)};
  TreeBody slider{.parent = 1,
                  .kind = TreeJointKind::revolute,
                  .p_PJ = Vec2(d.rod_length, 0),
                  .mass = d.mass[2],
                  .inertia = d.inertia[2]};
  return Tree({crank, rod, slider});
}

TEST(PlanarTree, ThreeLinksAccelerateAsTheHandDerivedSliderCrank) {
  const Tree tree = slider_crank_tree();
  const SliderCrank by_hand;
  const Vec3 angles(0.7, -0.4, 0.1), speeds(120, -50, 3);
  const Vec3 q(angles[0], angles[1] - angles[0], angles[2] - angles[1]);
  const Vec3 u(speeds[0], speeds[1] - speeds[0], speeds[2] - speeds[1]);
  const Motion m = motion_of(tree, q, u);
  const Vector a = solve(tree, m, force(tree, m, u, Vec2(0, -9.81)));

  const Configuration c = configuration(by_hand, 0, angles);
  Matrix factors;
  ASSERT_TRUE(by_hand.factor_mass(c, factors));
  Vector expected(3);
  by_hand.force(c, speeds, expected);
  by_hand.solve_mass(c, factors, expected);
  EXPECT_NEAR(a[0], expected[0], 1e-11 * expected.norm());
  EXPECT_NEAR(a[0] + a[1], expected[1], 1e-11 * expected.norm());
  EXPECT_NEAR(a[0] + a[1] + a[2], expected[2], 1e-11 * expected.norm());
  Matrix scratch;
  EXPECT_NEAR(m.kinetic, by_hand.kinetic_energy(c, speeds, scratch), 1e-13 * m.kinetic);
}

/// A tree with branches and all kinds of joints.
Tree random_tree(std::mt19937& random, int size) {
  std::uniform_real_distribution<double> in(-1, 1);
  std::vector<TreeBody> bodies;
  for (int i = 0; i < size; ++i) {
    TreeBody b{.parent = i == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(i)),
               .kind = static_cast<TreeJointKind>(random() % 4),
               .p_PJ = Vec2(in(random), in(random)),
               .p_BJ = Vec2(in(random), in(random)),
               .axis_P = Vec2(in(random), in(random)).normalized(),
               .angle = in(random),
               .sense = random() % 2 == 0 ? 1.0 : -1.0,
               .mass = 1.5 + in(random),
               .inertia = 0.3 + 0.2 * in(random),
               .p_BC = Vec2(in(random), in(random))};
    if (i == 0) b.kind = TreeJointKind::free;
    bodies.push_back(b);
  }
  return Tree(bodies);
}

Vector random_vector(std::mt19937& random, Eigen::Index n) {
  std::uniform_real_distribution<double> in(-1, 1);
  return Vector::NullaryExpr(n, [&] { return in(random); });
}

class RandomTree : public ::testing::TestWithParam<int> {
 protected:
  RandomTree()
      : random(static_cast<unsigned>(GetParam())), tree(random_tree(random, 2 + GetParam() % 9)) {
    q = random_vector(random, tree.dofs());
    u = random_vector(random, tree.dofs());
  }
  std::mt19937 random;
  Tree tree;
  Vector q, u;
};

TEST_P(RandomTree, InverseMassIsSymmetricAndBelongsToTheKineticEnergy) {
  const Motion m = motion_of(tree, q, u);
  const Eigen::Index n = tree.dofs();
  Matrix inverse(n, n);
  for (Eigen::Index j = 0; j < n; ++j) inverse.col(j) = solve(tree, m, Vector::Unit(n, j));
  EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-10 * inverse.norm());
  Arena scratch;
  Matrix M(n, n);
  tree.write_mass(m.cache, scratch, M);
  EXPECT_LT((M * inverse - Matrix::Identity(n, n)).norm(), 1e-9);
  EXPECT_NEAR(0.5 * u.dot(M * u), m.kinetic, 1e-12 * m.kinetic);
}

TEST_P(RandomTree, KeepsItsEnergyWhereNoForceActs) {
  const auto energy_at = [&](double dt) {
    const Motion m = motion_of(tree, q, u);
    const Vector a = solve(tree, m, force(tree, m, u, Vec2::Zero()));
    const Vector q_later = q + dt * u + 0.5 * dt * dt * a, u_later = u + dt * a;
    return motion_of(tree, q_later, u_later).kinetic;
  };
  const double dt = 1e-4, slope = (energy_at(dt) - energy_at(-dt)) / (2 * dt);
  EXPECT_NEAR(slope, 0, 1e-5 * energy_at(0));
}

TEST_P(RandomTree, AForceAndItsReactionMoveAlongTheRelativeVelocityOfTheirPoints) {
  const Motion m = motion_of(tree, q, u);
  const int a = static_cast<int>(random() % static_cast<unsigned>(tree.size() + 1)) - 1;
  const int b = static_cast<int>(random() % static_cast<unsigned>(tree.size()));
  const Vec2 p(0.3, -0.8), d(0.6, 0.8);
  Vector w = Vector::Zero(tree.dofs()), alone = w;
  tree.add_force(m.cache, a, b, p, d, w);
  const Vec2 relative =
      tree.velocity_at(m.cache, m.velocities, b, p) - tree.velocity_at(m.cache, m.velocities, a, p);
  EXPECT_NEAR(w.dot(u), d.dot(relative), 1e-12 * (1 + w.norm()));
  tree.add_force(m.cache, b, p, d, alone);
  EXPECT_NEAR(alone.dot(u), d.dot(tree.velocity_at(m.cache, m.velocities, b, p)), 1e-12);
  Vector turning = Vector::Zero(tree.dofs());
  tree.add_moment(b, 2, turning);
  EXPECT_NEAR(turning.dot(u), 2 * m.velocities[static_cast<std::size_t>(b)].turn, 1e-12);
}

TEST_P(RandomTree, VelocitiesAreRatesOfPositions) {
  const double dt = 1e-6;
  const Motion now = motion_of(tree, q, u), later = motion_of(tree, q + dt * u, u),
               before = motion_of(tree, q - dt * u, u);
  for (int i = 0; i < tree.size(); ++i) {
    const Vec2 point(0.2, 0.5);
    const Vec2 rate = (tree.placement(later.cache, i).point(point) -
                       tree.placement(before.cache, i).point(point)) /
                      (2 * dt);
    const Vec2 v =
        tree.velocity_at(now.cache, now.velocities, i, tree.placement(now.cache, i).point(point));
    EXPECT_LT((rate - v).norm(), 1e-8 * (1 + v.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTree, ::testing::Range(1, 25));

TEST(PlanarTree, ABodyThatCanTurnWithoutInertiaIsRefused) {
  TreeBody point{.kind = TreeJointKind::revolute, .mass = 1};
  const Tree tree({point});
  Vector cache = Vector::Zero(tree.cache_size());
  tree.configure(Vector::Zero(1), cache);
  Matrix factors;
  EXPECT_FALSE(tree.factor_mass(cache, factors));
}

}  // namespace
}  // namespace backlash::planar
