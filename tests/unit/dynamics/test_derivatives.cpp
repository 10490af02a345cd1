// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "support/models.h"

namespace backlash::test {
namespace {

/// A chain of bodies on revolute and prismatic joints with every kind of force on it, a loop, and
/// relays.
constexpr const char* everything = R"(
gravity: [1, -9.81]
bodies:
  one: {mass: 2, inertia: 0.3, com: [0.3, 0.1]}
  two: {mass: 1, inertia: 0.2, com: [0.2, -0.1]}
  three: {mass: 3, inertia: 0.1, com: [0.1, 0.2]}
  four: {mass: 0.5, inertia: 0.05}
joints:
  a: {type: revolute, between: [ground, one], at: [[0.1, 0.2], [0, 0]]}
  b: {type: prismatic, between: [one, two], at: [[0.5, 0], [0.1, 0.1]], axis: [0.6, 0.8]}
  c: {type: revolute, between: [two, three], at: [[0.4, 0], [0, 0.1]], friction: {strength: 2}}
  d: {type: rod, between: [three, four], at: [[0.2, 0], [0, 0.1]], length: 0.7}
  e: {type: point_on_line, between: [two, four], at: [[0, 0.3], [0.1, 0]], axis: [1, 0]}
  f: {type: gear, joints: [a, c], ratio: -2}
  g: {type: coupling, coordinates: [b.q, e.q1], ratio: 1.5}
tables: {stiffening: {points: [[-2, -9], [0, 1], [0.5, 2], [2, 11]], beyond: linear}}
forces:
  rope: {type: spring, between: [ground, three], at: [[0.1, 0.5], [0.2, 0.1]], stiffness: 40, length: 0.2, damping: 2, acts: pulling}
  stop: {type: spring, between: [ground, four], at: [[0.3, 0.4], [0.2, 0.1]], stiffness: 60, length: 3, damping: 2, acts: pushing}
  valve: {type: damper, between: [one, four], at: [[0.3, 0.1], [0.2, 0.3]], damping: 5, acts: pulling}
  air: {type: tension, between: [two, three], at: [[0.3, 0.1], [0.2, 0.3]], tension: 'stiffening(length) - 3 N*s^2/m^2*rate^2*cos(t/(1 s))'}
  spring: {type: spring, between: [one, three], at: [[0.1, 0], [0.2, 0.3]], stiffness: 50, length: 0.3, damping: 3}
  band: {type: torsion_spring, joint: c, stiffness: 7, damping: 0.3, dead_band: 0.05}
  slide: {type: joint_spring, joint: b, stiffness: 30, damping: 1, rest: 0.1}
  rubber: {type: bushing, between: [two, four], at: [[0.1, 0.2], [0.3, 0.1]], stiffness: [20, 30, 4], damping: [1, 2, 0.5]}
  push: {type: force, body: three, at: [0.1, 0.2], force: ['2 N*sin(3*t/(1 s)) + 3 N/rad*a.q', '5 N*s/m^2*three.y*three.vx'], axes: body}
  turn: {type: torque, body: four, reaction: one, torque: '2 N*m/rad^2*three.angle^2 + 0.3 N*m*s^2/rad^2*four.omega*a.u'}
  drive: {type: motor, joint: a, stall_torque: 5, no_load_speed: 20, command: cos(t/(1 s))}
  map: {type: table, joint: b, over: a.q, interpolation: cubic, points: [[-4, 1], [-1, 2], [0, 0], [1, 3], [4, 1]]}
)";

struct Point {
  Configuration c;
  Vector u, a;
};

Point random_point(const System& system, const State& start, unsigned seed, double spread) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> in(-1, 1);
  Vector q = start.q;
  for (double& x : q) x += spread * in(engine);
  Point point{configuration(system, 0.3, q), start.u, start.u};
  for (double& x : point.u) x = 2 * in(engine);
  for (double& x : point.a) x = 2 * in(engine);
  return point;
}

void expect_near(const Matrix& found, const Matrix& expected, const char* what) {
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 2e-7 * (1 + expected.cwiseAbs().maxCoeff()))
      << what << "\n"
      << found << "\n\n"
      << expected;
}

/// All derivatives that a System gives itself, against the differences of System.
void compare(const System& system, const Point& p) {
  const auto n = static_cast<Eigen::Index>(system.info().velocities);
  Matrix own = Matrix::Zero(n, n), differences = own;
  system.force_position_jacobian(p.c, p.u, own);
  system.System::force_position_jacobian(p.c, p.u, differences);
  expect_near(own, differences, "dh/dq");
  system.force_velocity_jacobian(p.c, p.u, own);
  system.System::force_velocity_jacobian(p.c, p.u, differences);
  expect_near(own, differences, "dh/du");
  system.mass_position_jacobian(p.c, p.a, own);
  system.System::mass_position_jacobian(p.c, p.a, differences);
  expect_near(own, differences, "dMa/dq");
  Vector by_time = Vector::Zero(n), by_time_differences = by_time;
  system.force_time_derivative(p.c, p.u, by_time);
  system.System::force_time_derivative(p.c, p.u, by_time_differences);
  expect_near(by_time, by_time_differences, "dh/dt");

  Vector lambda =
      Vector::LinSpaced(static_cast<Eigen::Index>(system.info().bilaterals.size()), -1, 2);
  own.setZero();
  differences.setZero();
  system.add_bilateral_jacobian(p.c, lambda, own);
  system.System::add_bilateral_jacobian(p.c, lambda, differences);
  expect_near(own, differences, "bilateral rows");
  lambda = Vector::LinSpaced(static_cast<Eigen::Index>(system.info().relays.size()), -1, 2);
  own.setZero();
  differences.setZero();
  system.add_relay_jacobian(p.c, lambda, own);
  system.System::add_relay_jacobian(p.c, lambda, differences);
  expect_near(own, differences, "relays");
}

/// Those of state variables.
void compare_states(const System& system, const Point& p) {
  const auto n = static_cast<Eigen::Index>(system.info().velocities),
             states = static_cast<Eigen::Index>(system.info().states.size());
  Matrix own = Matrix::Zero(states, states), differences = own;
  system.state_rate_state_jacobian(p.c, p.u, own);
  system.System::state_rate_state_jacobian(p.c, p.u, differences);
  expect_near(own, differences, "df/dx");
  own.setZero(states, n);
  differences = own;
  system.state_rate_velocity_jacobian(p.c, p.u, own);
  system.System::state_rate_velocity_jacobian(p.c, p.u, differences);
  expect_near(own, differences, "df/du");
  system.state_rate_position_jacobian(p.c, p.u, own);
  system.System::state_rate_position_jacobian(p.c, p.u, differences);
  expect_near(own, differences, "df/dq");
  own.setZero(n, states);
  differences = own;
  system.force_state_jacobian(p.c, p.u, own);
  system.System::force_state_jacobian(p.c, p.u, differences);
  expect_near(own, differences, "dh/dx");
  Vector by_time = Vector::Zero(states), by_time_differences = by_time;
  system.state_rate_time_derivative(p.c, p.u, by_time);
  system.System::state_rate_time_derivative(p.c, p.u, by_time_differences);
  expect_near(by_time, by_time_differences, "df/dt");
}

/// The rows of all contacts within reach; how many there were.
int compare_contacts(const System& system, const Point& p, double reach) {
  const auto n = static_cast<Eigen::Index>(system.info().velocities);
  std::vector<ContactFrame> frames;
  system.find_contacts(p.c, reach, {}, frames);
  for (const ContactFrame& frame : frames)
    for (const ContactVelocity& lambda : {ContactVelocity{1, 0, 0}, ContactVelocity{0.5, -2, 0}}) {
      Matrix own = Matrix::Zero(n, n), differences = own;
      system.add_contact_jacobian(p.c, frame, lambda, own);
      system.System::add_contact_jacobian(p.c, frame, lambda, differences);
      expect_near(own, differences, system.contact_name(frame.key).c_str());
    }
  return static_cast<int>(frames.size());
}

TEST(Derivatives, OfAPlanarMechanismAreThoseThatDifferencesFind) {
  const Assembly assembly = assembled(everything);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    compare(*assembly.system, random_point(*assembly.system, assembly.start, seed, 0.3));
  }
}

/// Forces of every kind that takes a formula, and rates of everything that formulas know.
TEST(Derivatives, OfStateVariablesAreThoseThatDifferencesFind) {
  const Assembly assembly = assembled(R"(
gravity: [1, -9.81]
bodies:
  one: {mass: 2, inertia: 0.3, com: [0.3, 0.1]}
  two: {mass: 1, inertia: 0.2, com: [0.2, -0.1]}
joints:
  a: {type: revolute, between: [ground, one], at: [[0.1, 0.2], [0, 0]]}
  b: {type: prismatic, between: [one, two], at: [[0.5, 0], [0.1, 0.1]], axis: [0.6, 0.8]}
states:
  x: {rate: '-3*x + x*y + 2*sin(5*a.q) + b.u*two.y + cos(3*t)', initial: 0.4}
  y: {rate: '-y^3 + two.vy*x + two.angle*two.omega + exp(z)*t', initial: -0.6}
  z: {rate: 'b.q - 1 s/m*two.x*two.vx', initial: 0.1}
forces:
  push: {type: force, body: two, at: [0.1, 0.2], force: ['20*x*y', '30*y^2 + 1 N/m*two.x'], axes: body}
  pull: {type: force, body: one, at: [0.3, 0.1], force: ['a.u*y', 'exp(x)']}
  turn: {type: torque, body: two, reaction: one, torque: 'x^2*z + a.u*y'}
  slide: {type: joint_force, joint: b, force: 'sin(z)*b.q'}
  drive: {type: motor, joint: a, stall_torque: 5, no_load_speed: 20, command: cos(y)}
  map: {type: table, joint: b, over: x, interpolation: cubic, points: [[-4, 1], [-1, 2], [0, 0], [1, 3], [4, 1]]}
)");
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Point p = random_point(*assembly.system, assembly.start, seed, 0.3);
    compare(*assembly.system, p);
    compare_states(*assembly.system, p);
  }
}

/// In space the rates have their own derivatives by the states alone.
TEST(Derivatives, OfStateVariablesInSpaceAreThoseThatDifferencesFind) {
  Model model = parse_model(R"(
backlash: 1
bodies: {one: {mass: 2, inertia: 0.3}}
states:
  x: {rate: '-3*x + x*y + one.vx*one.y + cos(3*t)', initial: 0.4}
  y: {rate: '-y^3 + one.vy*x', initial: -0.6}
forces: {pull: {type: force, body: one, at: [0.3, 0.1], force: ['y', 'exp(x)']}}
)",
                            "model.yaml");
  model.space = ModelSpace::space;
  model.bodies[0].inertia = {.xx = 0.3, .yy = 0.2, .zz = 0.4};
  const Assembly assembly = assemble(model);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    compare_states(*assembly.system, random_point(*assembly.system, assembly.start, seed, 0.3));
  }
}

TEST(Derivatives, OfContactsOfClearancesAreThoseThatDifferencesFind) {
  const Assembly assembly = assembled(R"(
bodies:
  crank: {mass: 1, inertia: 0.1}
  rod: {mass: 1, inertia: 0.1}
  slider: {mass: 1, inertia: 0.1}
joints:
  main: {type: revolute, between: [ground, crank], limits: {lower: -1, upper: 2, law: dry}}
  pin: {type: revolute, between: [crank, rod], at: [[1, 0], [0, 0]],
        clearance: {gap: 0.01, journal_radius: 0.1, law: dry}}
  small: {type: revolute, between: [rod, slider], at: [[2, 0], [0, 0]]}
  guide: {type: prismatic, between: [crank, slider], clearance: {length: 0.4, width: 0.2, gap: 0.01, law: dry}}
laws: {dry: {friction: 0.3}}
)");
  int compared = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Point p = random_point(*assembly.system, assembly.start, seed, 0.4);
    compare(*assembly.system, p);
    compared += compare_contacts(*assembly.system, p, INFINITY);
  }
  EXPECT_GT(compared, 100);
}

TEST(Derivatives, OfContactsOfShapesAreThoseThatDifferencesFind) {
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shapes: {floor: {line: {point: [0, -0.5], normal: [0, 1]}}, ball: {circle: 0.5, at: [0, 1]}}}
  arm: {mass: 1, inertia: 0.1, shapes: {tip: {circle: 0.1, at: [1, 0]}}}
  box: {mass: 1, inertia: 0.1, shape: {box: [0.4, 0.2]}, initial: {position: [1.3, 0.4]}}
  roller: {mass: 1, inertia: 0.1, shape: {circle: 0.3}, initial: {position: [-0.8, 0.6]}}
joints: {pivot: {type: revolute, between: [ground, arm]}}
contacts:
  one: {between: [arm.tip, ground.floor], law: dry}
  two: {between: [box, ground.ball], law: dry}
  three: {between: [roller, ground.ball], law: dry}
  four: {between: [box, arm.tip], law: dry}
laws: {dry: {friction: 0.3}}
)");
  int compared = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    compared += compare_contacts(*assembly.system,
                                 random_point(*assembly.system, assembly.start, seed, 0.15), 0.4);
  }
  EXPECT_GT(compared, 40);
}

/// Of curves without any simple form: two that bulge and one that is hollow in places, with each
/// other and with the simple outlines.
TEST(Derivatives, OfContactsOfProfilesAreThoseThatDifferencesFind) {
  const Assembly assembly = assembled(R"(
profiles:
  egg: {periodic: true, weights: [2, 1, 1, 1, 1, 1],
        points: [[0.4, 0], [0.2, 0.25], [-0.2, 0.25], [-0.3, 0], [-0.2, -0.2], [0.2, -0.2]]}
  bean: {periodic: true, points: [[1.5, 0], [1.2, 0.7], [0, 0.6], [-1.2, 0.8], [-1.6, 0], [0, -0.9]]}
bodies:
  ground: {shapes: {bean: {profile: bean}}}
  arm: {mass: 1, inertia: 0.1, shapes: {tip: {profile: egg, at: [1, 0]}}}
  egg: {mass: 1, inertia: 0.1, shape: {profile: egg}, initial: {position: [0.5, 1.2], angle: 0.4}}
  disc: {mass: 1, inertia: 0.1, shape: {circle: 0.3}, initial: {position: [-1.3, 1.2]}}
joints: {pivot: {type: revolute, between: [ground, arm], at: [[1.2, 0.9], [0, 0]]}}
contacts:
  one: {between: [egg, ground.bean], law: dry}
  two: {between: [arm.tip, ground.bean], law: dry}
  three: {between: [disc, ground.bean], law: dry}
  four: {between: [egg, arm.tip], law: dry}
laws: {dry: {friction: 0.3}}
)");
  int compared = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    compared += compare_contacts(*assembly.system,
                                 random_point(*assembly.system, assembly.start, seed, 0.1), 2);
  }
  EXPECT_GE(compared, 80);
}

TEST(Derivatives, OfHandDerivedSystemsAreThoseThatDifferencesFind) {
  const SliderCrank crank;
  const CamFollower cam;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const Point at_crank = random_point(crank, slider_crank_start(crank), seed, 1);
    compare(crank, at_crank);
    compare_contacts(crank, at_crank, INFINITY);
    const Point at_cam = random_point(cam, cam_follower_start(cam), seed, 0.01);
    compare(cam, at_cam);
    compare_contacts(cam, at_cam, INFINITY);
  }
}

}  // namespace
}  // namespace backlash::test
