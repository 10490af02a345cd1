// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/kernel/coordinate.h"

#include <gtest/gtest.h>

#include "backlash/dynamics/elements/constraint.h"
#include "backlash/dynamics/elements/force_element.h"
#include "support/random_trees.h"

namespace backlash::test {
namespace {

void set_axis(Coordinate<Plane>&, std::mt19937&) {}
void set_axis(Coordinate<Space>& angle, std::mt19937& random) {
  angle.measure.axis_A = random_axis(Space{}, random);
  angle.measure.zero_A = angle.measure.axis_A.unitOrthogonal();
  angle.measure.zero_B = random_axis(Space{}, random);
}

/// In space an angle is that of a joint only where the axes are parallel; its rate is always that
/// about its axis.
template <class S>
bool has_value(const Coordinate<S>& c) {
  return S::dimension == 2 || c.kind != Coordinate<S>::Kind::angle;
}

template <class S>
typename S::Vec unit(const typename S::Vec& v) {
  return v / v.norm();
}

/// All kinds, between any two bodies.
template <class S>
std::vector<Coordinate<S>> random_coordinates(RandomTree<S>& random) {
  using Kind = typename Coordinate<S>::Kind;
  std::vector<Coordinate<S>> all;
  for (const Kind kind : {Kind::angle, Kind::displacement, Kind::distance}) {
    Coordinate<S> c{.kind = kind, .a = random.body() - 1, .b = random.body() - 1};
    c.p_AP = random.vec();
    c.p_BQ = random.vec();
    c.axis_A = unit<S>(random.vec());
    c.zero = 0.3;
    set_axis(c, random.engine);
    all.push_back(c);
  }
  return all;
}

template <class S>
class Elements : public ::testing::Test {
 protected:
  template <class Check>
  void for_all(Check check) {
    for (unsigned seed = 1; seed < 25; ++seed) {
      SCOPED_TRACE(seed);
      RandomTree<S> random(seed, 2 + static_cast<int>(seed) % 5);
      check(random);
    }
  }
};

using Dimensions = ::testing::Types<Plane, Space>;
TYPED_TEST_SUITE(Elements, Dimensions);

/// `direction(motion, w)` adds the direction of a rate, whose rate while u̇ = 0 is `bias`.
template <class S, class Direction>
void expect_bias(const RandomTree<S>& random, Direction direction, double bias) {
  const double h = 1e-5;
  const auto rate_at = [&](const TreeState<S>& state) {
    Vector w = Vector::Zero(random.tree.dofs());
    direction(state.motion(), w);
    return w.dot(random.u);
  };
  const double slope = (rate_at(random.after(h)) - rate_at(random.after(-h))) / (2 * h);
  EXPECT_NEAR(bias, slope, 1e-7 * (1 + std::abs(bias)));
}

TYPED_TEST(Elements, CoordinatesHaveTheRatesOfTheirValuesAndTheBiasOfTheirRates) {
  using S = TypeParam;
  this->for_all([](RandomTree<S>& random) {
    const double h = 1e-5;
    const TreeState<S> now(random.tree, random.q, random.u), later = random.after(h),
                                                             before = random.after(-h);
    const std::vector<Coordinate<S>> all = random_coordinates(random);
    for (const Coordinate<S>& c : all) {
      const double slope = (value(c, later.motion()) - value(c, before.motion())) / (2 * h);
      if (has_value(c)) {
        EXPECT_NEAR(rate(c, now.motion()), slope, 1e-8 * (1 + std::abs(slope)));
      }
      Vector w = Vector::Zero(random.tree.dofs());
      add_direction(c, now.motion(), 2, w);
      EXPECT_NEAR(w.dot(random.u), 2 * rate(c, now.motion()), 1e-11);
      expect_bias(
          random, [&](const Motion<S>& m, VectorRef d) { add_direction(c, m, 1, d); },
          rate_bias(c, now.motion()));
    }
    const CoupledCoordinates<S> coupling{all[1], all[2], -1.5, 0.2};
    expect_bias(
        random, [&](const Motion<S>& m, VectorRef d) { add_direction(coupling, m, 1, d); },
        rate_bias(coupling, now.motion()));
  });
}

TYPED_TEST(Elements, CoordinatesLoadTheirBodiesAsTheirDirectionsSay) {
  using S = TypeParam;
  this->for_all([](RandomTree<S>& random) {
    const TreeState<S> now(random.tree, random.q, random.u);
    const Motion<S> motion = now.motion();
    for (const Coordinate<S>& c : random_coordinates(random)) {
      Loads<S> loads;
      add_loads(c, motion, 3, loads);
      double power = 0;
      typename S::Vec sum = S::Vec::Zero();
      for (const Load<S>& load : loads.all()) {
        sum += load.force;
        power += load.force.dot(motion.velocity(load.body, load.p_W)) +
                 S::dot(load.moment, motion.angular_velocity(load.body));
      }
      EXPECT_LT(sum.norm(), 1e-13);
      EXPECT_NEAR(power, 3 * rate(c, motion), 1e-11);
      std::vector<Wrench<S>> forces(now.velocities.size());
      add_force<S>(c, motion, 3, forces);
      double through_references = 0;
      for (std::size_t i = 0; i < forces.size(); ++i)
        through_references += dot(now.velocities[i], forces[i]);
      EXPECT_NEAR(through_references, power, 1e-11);
    }
  });
}

TYPED_TEST(Elements, ConstraintRowsAreTheRatesOfTheirErrorsAndLoadTheirBodiesSo) {
  using S = TypeParam;
  this->for_all([](RandomTree<S>& random) {
    const int a = random.body() - 1, b = random.body() - 1;
    const std::vector<Coordinate<S>> coordinates = random_coordinates(random);
    std::vector<ConstraintKind<S>> kinds{
        CoincidentPoints<S>{a, b, random.vec(), random.vec(), S::unit(1)},
        KeptCoordinate<S>{coordinates[1]},
        CoupledCoordinates<S>{coordinates[1], coordinates[2], 0.7},
        DrivenCoordinate<S>{coordinates[2], Expression(0.3)}};
    if constexpr (S::dimension == 3)
      kinds.push_back(
          PerpendicularDirections<S>{a, b, unit<S>(random.vec()), unit<S>(random.vec())});
    const double h = 1e-5;
    const TreeState<S> now(random.tree, random.q, random.u), later = random.after(h),
                                                             before = random.after(-h);
    for (const ConstraintKind<S>& kind : kinds) {
      SCOPED_TRACE(kind.index());
      const Constraint<S> row{.kind = kind};
      const auto direction = [&](const Motion<S>& m, VectorRef d) { add_row(row, m, 0, d); };
      Vector w = Vector::Zero(random.tree.dofs());
      direction(now.motion(), w);
      const double slope =
          (error(row, later.motion(), 0) - error(row, before.motion(), 0)) / (2 * h);
      EXPECT_NEAR(w.dot(random.u), slope, 1e-8 * (1 + std::abs(slope)));
      expect_bias(random, direction, bias(row, now.motion(), 0));
      double power = 0;
      const Loads<S> of_row = loads(row, now.motion(), 2);
      for (const Load<S>& load : of_row.all())
        power += load.force.dot(now.motion().velocity(load.body, load.p_W)) +
                 S::dot(load.moment, now.motion().angular_velocity(load.body));
      EXPECT_NEAR(power, 2 * w.dot(random.u), 1e-11);
    }
  });
}

TYPED_TEST(Elements, ElasticForcesHaveThePowerThatTheirEnergyLoses) {
  using S = TypeParam;
  this->for_all([](RandomTree<S>& random) {
    const Coordinate<S> c = random_coordinates(random)[2];
    BushingForce<S> bushing{.a = random.body() - 1, .b = random.body() - 1};
    bushing.p_AF = random.vec();
    bushing.p_BG = random.vec();
    bushing.rotation_AF = random_rotation(S{}, random.engine);
    bushing.rotation_BG = random_rotation(S{}, random.engine);
    bushing.stiffness = random.vec();
    bushing.angular_stiffness = 3 * S::axis(0);
    const double h = 1e-5;
    const TreeState<S> now(random.tree, random.q, random.u), later = random.after(h),
                                                             before = random.after(-h);
    for (const ForceKind<S>& force :
         {ForceKind<S>(CoordinateSpring<S>{.coordinate = c, .stiffness = 7, .rest = 0.2}),
          ForceKind<S>(bushing)}) {
      std::vector<Wrench<S>> forces(now.velocities.size());
      add<S>(force, now.motion(), 0, forces);
      double power = 0;
      for (std::size_t i = 0; i < forces.size(); ++i) power += dot(now.velocities[i], forces[i]);
      const double loss =
          (energy<S>(force, before.motion()) - energy<S>(force, later.motion())) / (2 * h);
      EXPECT_NEAR(power, loss, 1e-7 * (1 + std::abs(loss)));
    }
  });
}

TYPED_TEST(Elements, ADistanceOfTwoPointsThatCoincideHasNoDirection) {
  using S = TypeParam;
  const Tree<S> tree = single_body<S>(free_joint<S>());
  Vector q = Vector::Zero(tree.positions());
  S::write_ball({}, q.data() + S::dimension);
  const TreeState<S> now(tree, q, Vector::Ones(tree.dofs()));
  const Coordinate<S> c{.kind = Coordinate<S>::Kind::distance, .a = -1, .b = 0};
  EXPECT_EQ(value(c, now.motion()), 0);
  EXPECT_EQ(rate(c, now.motion()), 0);
  EXPECT_EQ(rate_bias(c, now.motion()), 0);
}

TEST(SpatialAngle, OfARevoluteJointIsItsCoordinateAndCountsTurnsInTheTree) {
  const Vec3 axis = Vec3(1, 2, -0.5).normalized();
  const Tree<Space> tree = single_body<Space>(revolute_joint<Space>(axis));
  Coordinate<Space> loop{.kind = Coordinate<Space>::Kind::angle, .a = -1, .b = 0};
  loop.measure.axis_A = axis;
  loop.measure.zero_A = loop.measure.zero_B = axis.unitOrthogonal();
  Coordinate<Space> counted = loop;
  counted.measure.carried = 0;
  for (const double angle : {-3.0, -0.4, 0.0, 1.0, 3.0, 20.0}) {
    const TreeState<Space> now(tree, Vector::Constant(1, angle), Vector::Constant(1, 2.0));
    EXPECT_NEAR(std::remainder(value(loop, now.motion()) - angle, 2 * M_PI), 0, 1e-14);
    EXPECT_EQ(value(counted, now.motion()), angle);
    EXPECT_NEAR(rate(loop, now.motion()), 2, 1e-15);
  }
}

}  // namespace
}  // namespace backlash::test
