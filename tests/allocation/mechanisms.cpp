// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <numbers>

#include "backlash/base/expression.h"
#include "backlash/geometry/closest_points.h"
#include "step_allocations.h"
#include "support/models.h"

namespace backlash::test {
namespace {

TEST_F(Allocation, DoesNotHappenWhereClosestPointsAreSought) {
  const std::vector<Vec2> hook = {Vec2(0, 0),     Vec2(0.3, 0),   Vec2(0.3, 0.3),
                                  Vec2(0.2, 0.3), Vec2(0.2, 0.1), Vec2(0, 0.1)};
  const std::string_view phi[] = {"phi"};
  const CamProfile cam{.base = 0.1, .function = parse_expression("0.02*(1 - cos(phi))", phi)};
  const std::vector<Shape> shapes = {Point{},
                                     Circle{.radius = 0.1},
                                     box(0.4, 0.2),
                                     Polygon{hook},
                                     Segment{Vec2(0, 0), Vec2(0.5, 0)},
                                     Line{},
                                     Capsule{Vec2(0, 0), Vec2(0.5, 0), 0.1},
                                     cam};
  int pairs = 0;
  for (const Shape& A : shapes)
    for (const Shape& B : shapes) {
      std::vector<FeaturePair> candidates;
      try {
        candidates = feature_pairs(A, {}, B, {});
      } catch (const InputError&) {
        continue;  // two lines, for one
      }
      // Curves are followed, with memory: DoesNotHappenInTheStepsOfProfiles.
      if (profile_touch(backlash::candidates(*candidates[0].A, *candidates[0].B))) continue;
      for (const FeaturePair& pair : candidates) {
        const long before = heap_allocations();
        double sum = 0;
        for (int k = 0; k < 20; ++k)
          sum += closest_points(pair, pose2(planar_pose({0.01 * k, 0.3}, 0.2 * k)), {}).gap;
        EXPECT_EQ(heap_allocations(), before);
        EXPECT_TRUE(std::isfinite(sum));
        ++pairs;
      }
    }
  EXPECT_GT(pairs, 50);
}

TEST_F(Allocation, DoesNotHappenWhereFormulasAreEvaluated) {
  const std::string_view names[] = {"t", "x"};
  const Expression f = parse_expression(
      "if(t < 1, sin(3*t)*exp(-x) + step(t, 0, 0, 1, 2), max(x, t^2)) + mod(x, 2)/(1 + abs(t))",
      names);
  const long before = heap_allocations();
  double sum = 0;
  for (int k = 0; k < 100; ++k) {
    const std::array<double, 2> values{0.02 * k, 1 - 0.01 * k};
    sum += f(values);
    const std::array<Jet, 2> jets{Jet::variable(0.02 * k), Jet(1 - 0.01 * k)};
    sum += f(std::span<const Jet>(jets)).second;
  }
  EXPECT_EQ(heap_allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST_F(Allocation, DoesNotHappenInTheStepsOfAModelWithLoopsEventsFormulasAndSetValuedForces) {
  const Assembly assembly = assembled(R"yaml(
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.01, com: [0.05, 0]}
  coupler: {mass: 1, inertia: 0.02, com: [0.15, 0]}
  rocker: {mass: 1, inertia: 0.02, com: [0.1, 0]}
  gear: {mass: 1, inertia: 0.01}
joints:
  a: {type: revolute, between: [ground, crank], friction: {strength: 0.01}}
  b: {type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]], initial: {angle: 20 deg}}
  c: {type: revolute, between: [coupler, rocker], at: [[0.35, 0], [0.25, 0]], initial: {angle: 60 deg}}
  d: {type: revolute, between: [ground, rocker], at: [[0.4, 0], [0, 0]], limits: {lower: 0, law: steel}}
  e: {type: revolute, between: [ground, gear], at: [[0, 0.5], [0, 0]]}
  mesh: {type: gear, joints: [a, e], ratio: -1.5, clearance: {gap: 0.01, law: steel}}
states: {current: {rate: 10 - a.u - current}, slow: {rate: current - slow}}
forces:
  coil: {type: joint_force, joint: a, force: 0.01*slow}
  motor: {type: motor, joint: a, stall_torque: 2, no_load_speed: 50, command: "1 + 0.5*sin(20*t)"}
  wind: {type: force, body: coupler, force: ["-coupler.vx*2 N s/m", "if(coupler.y > 0, -1, 1)"], active: false}
  table: {type: table, joint: d, over: t, points: [[0, 0], [0.1, 1], [0.15, -1], [0.2, 0]], beyond: periodic}
  spring: {type: preloaded_spring, joint: e, stiffness: 1, preload: 0.5, dead_band: 0.1}
  clutch: {type: one_way_clutch, joint: a, capacity: 3}
events:
  on: {when: a.u - 10 rad/s, activate: [wind], once: false}
  off: {when: 10 - a.u, deactivate: [wind], once: false}
  at: {at: 0.1234, deactivate: [spring]}
laws: {steel: {restitution: 0.5}}
)yaml");
  expect_none(*assembly.system, assembly.start, 1e-4, 2000, 4000);
}

TEST_F(Allocation, DoesNotHappenWhereLoopsPassSingularPositions) {
  for (const char* coordinates : {"joint", "absolute"}) {
    const Assembly assembly = assembled(flat_parallelogram(coordinates));
    expect_none(*assembly.system, assembly.start, 1e-3, 800, 3000);  // the first is at 0.71 s
  }
}

TEST_F(Allocation, DoesNotHappenInTheStepsOfAHeapOfShapes) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 1, inertia: 0.1, shape: {box: [0.4, 0.2], groups: [all]}, initial: {position: [0, 0.3]}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1, groups: [all]}, initial: {position: [0.1, 0.7]}}
  cam:
    mass: 1
    inertia: 0.1
    shape: {cam: {radius: 0.1 + 0.02*cos(2*phi)}}
    initial: {position: [0.5, 0.4], speed: 3}
contacts:
  meet: {between: [all, all], law: wood}
  rest: {between: [[all, cam], ground.floor], law: wood}
  roll: {between: [cam, ball], law: wood}
laws: {wood: {restitution: 0.3, friction: 0.2}}
)");
  expect_none(*assembly.system, assembly.start, 1e-3, 700, 500);
}

TEST_F(Allocation, DoesNotHappenInTheStepsOfProfiles) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
profiles:
  bean: {periodic: true, points: [[0.9, 0.1], [0.7, 0.8], [0.2, 0.2], [-0.2, 0.2], [-0.7, 0.8],
                                  [-0.9, 0.1], [-0.5, -0.6], [0.5, -0.6]]}
  egg: {periodic: true, points: [[0.2, 0], [0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1], [0.1, -0.1]]}
bodies:
  ground: {shape: {profile: bean}}
  egg: {mass: 1, inertia: 0.01, shape: {profile: egg}, initial: {position: [0.1, 0.6], speed: 2}}
contacts: {touch: {between: [ground, egg], law: wood}}
laws: {wood: {restitution: 0.3, friction: 0.2}}
)");
  expect_none(*assembly.system, assembly.start, 1e-3, 250, 1000);  // it first touches at 0.229 s
}

TEST_F(Allocation, DoesNotHappenWhereContactsOfManyDiscsAreFound) {
  std::string bodies;  // columns of two
  for (int i = 0; i < 80; ++i)
    bodies += fmt::format(
        "  d{}: {{mass: 1, inertia: 0.01, shape: {{circle: 0.1, groups: [discs]}}, initial: "
        "{{position: [{}, {}]}}}}\n",
        i, 0.22 * (i % 40), 0.101 + 0.201 * (i / 40));
  const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -9.81]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
{}contacts:
  meet: {{between: [discs, discs], law: wood}}
  rest: {{between: [discs, ground.floor], law: wood}}
laws: {{wood: {{restitution: 0, friction: 0.2}}}}
)",
                                                  bodies));
  const Taken taken = count_allocations(*assembly.system, assembly.start, 1e-3, 100, 200, {});
  EXPECT_EQ(taken.blocks, 0) << "in " << taken.steps << " steps, first at t = " << taken.first;
}

}  // namespace
}  // namespace backlash::test
