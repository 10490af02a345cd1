// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "support/random_trees.h"

namespace backlash::test {
namespace {

template <class S>
Vector solved(const Tree<S>& tree, const TreeState<S>& state, Vector b) {
  Matrix factors;
  EXPECT_TRUE(tree.factor_mass(state.cache, factors));
  Arena scratch;
  tree.solve_mass(state.cache, factors, {0, tree.size()}, scratch, b);
  return b;
}

template <class S>
Vector force(const Tree<S>& tree, const TreeState<S>& state, const typename S::Vec& gravity) {
  Vector h(tree.dofs());
  Arena scratch;
  Arena::Frame frame(scratch);
  const BodyRoom<S> bodies(tree.size(), frame);
  tree.write_weight_and_inertia(state.cache, state.u, gravity, bodies);
  tree.write_force(state.cache, bodies.forces, h.data());
  return h;
}

TEST(PlanarTree, ThreeLinksAccelerateAsTheHandDerivedSliderCrank) {
  const SliderCrankData d;
  const auto link = [&](int i, double at, double com) {
    const auto k = static_cast<std::size_t>(i);
    TreeBody<Plane> body;
    body.parent = i - 1;
    body.joint = revolute_joint<Plane>();
    body.p_PJ = {at, 0};
    body.mass = d.mass[k];
    body.inertia = d.inertia[k];
    body.p_BC = {com, 0};
    return body;
  };
  const Tree<Plane> tree({link(0, 0, d.crank_length / 2), link(1, d.crank_length, d.rod_length / 2),
                          link(2, d.rod_length, 0)});
  const SliderCrank by_hand;
  const Vec3 angles(0.7, -0.4, 0.1), speeds(120, -50, 3);
  const Vec3 q(angles[0], angles[1] - angles[0], angles[2] - angles[1]);
  const Vec3 u(speeds[0], speeds[1] - speeds[0], speeds[2] - speeds[1]);
  const TreeState<Plane> state(tree, q, u);
  const Vector a = solved(tree, state, force(tree, state, {0, -9.81}));

  const Configuration c = configuration(by_hand, 0, angles);
  Matrix factors;
  ASSERT_TRUE(by_hand.factor_mass(c, factors));
  Vector expected(3);
  by_hand.force(c, speeds, expected);
  by_hand.solve_mass(c, factors, expected);
  EXPECT_NEAR(a[0], expected[0], 1e-11 * expected.norm());
  EXPECT_NEAR(a[0] + a[1], expected[1], 1e-11 * expected.norm());
  EXPECT_NEAR(a[0] + a[1] + a[2], expected[2], 1e-11 * expected.norm());
  const double kinetic = tree.kinetic_energy(state.cache, state.velocities);
  EXPECT_NEAR(kinetic, by_hand.kinetic_energy(c, speeds), 1e-13 * kinetic);
}

/// Random trees with branches and all kinds of joints.
template <class S>
class RandomTrees : public ::testing::Test {
 protected:
  template <class Check>
  void for_all(Check check) {
    for (unsigned seed = 1; seed < 25; ++seed) {
      SCOPED_TRACE(seed);
      RandomTree<S> random(seed, 2 + static_cast<int>(seed) % 9);
      check(random);
    }
  }
};

using Dimensions = ::testing::Types<Plane, Space>;
TYPED_TEST_SUITE(RandomTrees, Dimensions);

TYPED_TEST(RandomTrees, InverseMassIsSymmetricAndBelongsToTheKineticEnergy) {
  this->for_all([](RandomTree<TypeParam>& random) {
    const Tree<TypeParam>& tree = random.tree;
    const TreeState<TypeParam> state(tree, random.q, random.u);
    const Eigen::Index n = tree.dofs();
    Matrix inverse(n, n);
    for (Eigen::Index j = 0; j < n; ++j) inverse.col(j) = solved(tree, state, Vector::Unit(n, j));
    EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-10 * inverse.norm());
    Arena scratch;
    Matrix M(n, n);
    tree.write_mass(state.cache, scratch, M);
    M = Matrix(M.selfadjointView<Eigen::Lower>());
    EXPECT_LT((M * inverse - Matrix::Identity(n, n)).norm(), 1e-9);
    const double kinetic = tree.kinetic_energy(state.cache, state.velocities);
    EXPECT_NEAR(0.5 * random.u.dot(M * random.u), kinetic, 1e-12 * kinetic);
  });
}

TYPED_TEST(RandomTrees, KeepTheirEnergyWhereNoForceActs) {
  this->for_all([](RandomTree<TypeParam>& random) {
    const Tree<TypeParam>& tree = random.tree;
    const auto energy_at = [&](double dt) {
      const TreeState<TypeParam> now(tree, random.q, random.u);
      const Vector a = solved(tree, now, force(tree, now, TypeParam::Vec::Zero()));
      const Vector middle = random.u + 0.5 * dt * a, u_later = random.u + dt * a;
      Vector q_later = random.q;
      tree.advance(random.q, middle, dt, q_later);
      const TreeState<TypeParam> later(tree, q_later, u_later);
      return tree.kinetic_energy(later.cache, later.velocities);
    };
    const double dt = 1e-4, slope = (energy_at(dt) - energy_at(-dt)) / (2 * dt);
    EXPECT_NEAR(slope, 0, 1e-5 * energy_at(0));
  });
}

TYPED_TEST(RandomTrees, AForceAndItsReactionMoveAlongTheRelativeVelocityOfTheirPoints) {
  using Vec = typename TypeParam::Vec;
  this->for_all([](RandomTree<TypeParam>& random) {
    const Tree<TypeParam>& tree = random.tree;
    const TreeState<TypeParam> state(tree, random.q, random.u);
    const int a = random.body() - 1, b = random.body() % tree.size();
    const Vec p = random.vec(), d = random.vec();
    const auto velocity = [&](int body) {
      return tree.velocity_at(state.cache, state.velocities, body, p);
    };
    Vector w = Vector::Zero(tree.dofs()), alone = w;
    tree.add_force(state.cache, a, b, p, d, w);
    EXPECT_NEAR(w.dot(random.u), d.dot(Vec(velocity(b) - velocity(a))), 1e-12 * (1 + w.norm()));
    tree.add_force(state.cache, b, p, d, alone);
    EXPECT_NEAR(alone.dot(random.u), d.dot(velocity(b)), 1e-12 * (1 + alone.norm()));
    Vector rotating = Vector::Zero(tree.dofs());
    const typename TypeParam::Angular moment = 2 * TypeParam::axis(0);
    tree.add_moment(state.cache, b, moment, rotating);
    EXPECT_NEAR(rotating.dot(random.u),
                TypeParam::dot(moment, state.velocities[static_cast<std::size_t>(b)].angular),
                1e-12);
  });
}

TYPED_TEST(RandomTrees, VelocitiesAreRatesOfPositionsAndAccelerationsRatesOfVelocities) {
  using Vec = typename TypeParam::Vec;
  this->for_all([](RandomTree<TypeParam>& random) {
    const Tree<TypeParam>& tree = random.tree;
    const double dt = 1e-5;
    const TreeState<TypeParam> now(tree, random.q, random.u), later = random.after(dt),
                                                              before = random.after(-dt);
    for (int i = 0; i < tree.size(); ++i) {
      const Vec point = random.vec();
      const auto place = [&](const TreeState<TypeParam>& s) {
        return Vec(tree.pose(s.cache, i).point(point));
      };
      const auto velocity = [&](const TreeState<TypeParam>& s) {
        return tree.velocity_at(s.cache, s.velocities, i, place(s));
      };
      const Vec rate = (place(later) - place(before)) / (2 * dt), v = velocity(now);
      EXPECT_LT(Vec(rate - v).norm(), 1e-8 * (1 + v.norm()));
      const Vec slope = (velocity(later) - velocity(before)) / (2 * dt);
      const Vec a =
          tree.acceleration_at(now.cache, now.velocities, now.accelerations, i, place(now));
      EXPECT_LT(Vec(slope - a).norm(), 1e-6 * (1 + a.norm()));
    }
  });
}

TYPED_TEST(RandomTrees, PositionsHaveTheRateOfTheirAdvance) {
  this->for_all([](RandomTree<TypeParam>& random) {
    const Tree<TypeParam>& tree = random.tree;
    const double dt = 1e-5;
    Vector rate(tree.positions()), later = random.q, before = random.q;
    tree.position_rate(random.q, random.u, rate);
    tree.advance(random.q, random.u, dt, later);
    tree.advance(random.q, random.u, -dt, before);
    EXPECT_LT(((later - before) / (2 * dt) - rate).norm(), 1e-8 * (1 + rate.norm()));
  });
}

TEST(PlanarTree, ABodyThatCanTurnWithoutInertiaIsRefused) {
  const Tree<Plane> tree = single_body<Plane>(revolute_joint<Plane>());
  Vector cache = Vector::Zero(tree.cache_size());
  tree.configure(Vector::Zero(1), cache);
  Matrix factors;
  EXPECT_FALSE(tree.factor_mass(cache, factors));
}

TEST(SpatialTree, ABodyThatCanTurnWithoutInertiaIsRefused) {
  const Mat3 rod = Vec3(0, 1, 1).asDiagonal();  // turns about x without inertia
  const Tree<Space> tree = single_body<Space>(ball_joint<Space>(), rod);
  Vector cache = Vector::Zero(tree.cache_size());
  tree.configure(Eigen::Vector4d(1, 0, 0, 0), cache);
  Matrix factors;
  EXPECT_FALSE(tree.factor_mass(cache, factors));
  EXPECT_EQ(tree.body_without_inertia(cache), 0);
}

}  // namespace
}  // namespace backlash::test
