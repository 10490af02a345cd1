// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "support/models.h"
#include "support/runs.h"
#include "support/systems/ball_row.h"
#include "support/systems/pinned_crank.h"
#include "support/systems/planar_body.h"
#include "support/systems/space_body.h"

namespace backlash::test {
namespace {

/// A mechanism with contacts, a start, and a step that brings it through impacts in 400 steps.
struct Example {
  std::string name;
  std::unique_ptr<System> system;
  State start;
  double step;
};

std::vector<Example> examples() {
  std::vector<Example> list;
  const auto add = [&](std::string name, std::unique_ptr<System> system, State start, double step) {
    list.push_back({std::move(name), std::move(system), std::move(start), step});
  };
  auto crank = std::make_unique<SliderCrank>();
  State crank_start = slider_crank_start(*crank);
  add("slider-crank", std::move(crank), std::move(crank_start), 3e-5);
  auto tilted = std::make_unique<SliderCrank>();
  State tilted_start = slider_crank_start(*tilted, 0.1);
  add("tilted slider-crank", std::move(tilted), std::move(tilted_start), 3e-5);
  auto cam = std::make_unique<CamFollower>();
  State cam_start = cam_follower_start(*cam);
  add("cam-follower", std::move(cam), std::move(cam_start), 1e-4);

  PlanarBodyData data = wheel(1.5, 0.1, 0.5, {});
  data.damping = 0.1;
  data.dry_friction = 0.3;
  const ContactLaw law{.restitution = 0.4, .friction = 0.5};
  ContactLaw poisson = law;
  poisson.impact = ImpactLaw::poisson;
  data.touches = {{.name = "floor", .radius = 0.1, .law = poisson},
                  {.name = "wall", .radius = 0.1, .n_W = {-1, 0}, .offset = -0.3, .law = law}};
  auto disk = std::make_unique<PlanarBody>(data);
  State disk_start = initial_state(*disk, 0, Vec3(0, 0.15, 0), Vec3(2, 0, 2));
  add("disk with two laws and dry friction", std::move(disk), std::move(disk_start), 1e-3);

  auto ball = std::make_unique<SpaceBody>(SpaceBodyData{
      .inertia = {0.02, 0.03, 0.04}, .radius = 0.2, .law = {.restitution = 0.5, .friction = 0.3}});
  State ball_start = space_body_start(*ball, Vec3(0, 0, 0.3), Vec3(2, 1, 0), Vec3(3, -5, 2));
  add("lopsided ball", std::move(ball), std::move(ball_start), 1e-3);

  auto driven = std::make_unique<PinnedCrank>(PinnedCrankData{
      .gravity = 9.81, .copies = 2, .drive_speed = 20, .drive_swing = 0.3, .drive_frequency = 30});
  State driven_start = driven->start(0, 20);
  add("driven crank with redundant rows", std::move(driven), std::move(driven_start), 1e-4);

  auto bouncing = std::make_unique<PinnedCrank>(
      PinnedCrankData{.gravity = 9.81, .copies = 2, .floor = 0.0452, .law = {.restitution = 0.5}});
  State bouncing_start = bouncing->start(0.5, 0);
  add("bouncing crank with redundant rows", std::move(bouncing), std::move(bouncing_start), 1e-3);

  Assembly switched = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.15]}}
forces: {lift: {type: force, body: ball, force: [1, 15], active: false}}
events:
  low: {when: 0.13 - ball.y, activate: [lift], once: false}
  high: {when: ball.y - 0.14, deactivate: [lift], once: false}
  late: {at: 0.1234, deactivate: [lift]}
contacts: {hit: {between: [ball, ground.floor], law: rubber}}
laws: {rubber: {restitution: 0.7, friction: 0.2}}
)");
  Assembly set_valued = assembled(R"(
bodies:
  one: {mass: 1, inertia: 0.2}
  two: {mass: 1, inertia: 0.3}
  block: {mass: 1, inertia: 1}
joints:
  a: {type: revolute, between: [ground, one], initial: {speed: 4}}
  b: {type: revolute, between: [ground, two], at: [[1, 0], [0, 0]]}
  mesh: {type: gear, joints: [a, b], ratio: -2, clearance: {gap: 0.05, law: steel}}
  rail: {type: prismatic, between: [ground, block], initial: {position: 0.02, speed: 0.5}}
forces:
  clutch: {type: one_way_clutch, joint: b, capacity: 1}
  spring: {type: preloaded_spring, joint: rail, preload: 5, stiffness: 10, dead_band: 0.01}
  rest: {type: preloaded_spring, joint: a, preload: 1, stiffness: 0}
laws: {steel: {restitution: 0.6}}
)");
  Assembly cams = assembled(R"(
gravity: [0, -9.81]
profiles:
  free: {periodic: true, points: [[0.085, 0], [0.055, 0.045], [0, 0.055], [-0.045, 0.045],
         [-0.06, 0], [-0.045, -0.045], [0, -0.055], [0.055, -0.045]], weights: [2, 1, 1, 1, 1, 1, 1, 1]}
  fixed: {periodic: true, points: [[0.15, 0], [0.12, 0.07], [0, 0.11], [-0.12, 0.08],
          [-0.16, 0], [-0.12, -0.08], [0, -0.1], [0.12, -0.07]]}
bodies:
  ground: {shape: {profile: fixed}}
  cam: {mass: 1, inertia: 1.8e-3, shape: {profile: free}, initial: {position: [-0.01, 0.18], angle: 1.5}}
contacts: {touch: {between: [cam, ground], law: steel}}
laws: {steel: {restitution: 0.3, friction: 0.2}}
)");
  add("profiles", std::move(cams.system), std::move(cams.start), 1e-3);
  add("set-valued forces", std::move(set_valued.system), std::move(set_valued.start), 1e-3);
  add("switched force", std::move(switched.system), std::move(switched.start), 1e-3);
  return list;
}

void take_steps(Moreau& integrator, State& state, double step, int count) {
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(integrator.step(state, step).status, StepStatus::done) << "at " << state.t;
}

void expect_same_bits(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_TRUE(a.q == b.q) << (a.q - b.q).transpose();
  EXPECT_TRUE(a.u == b.u) << (a.u - b.u).transpose();
  EXPECT_TRUE(a.z == b.z) << (a.z - b.z).transpose();
}

TEST(SavedState, ContinuesToTheSameBitsInANewIntegrator) {
  for (const Example& example : examples())
    for_every_solver([&](const MoreauOptions& options) {
      SCOPED_TRACE(example.name);
      Moreau integrator(*example.system, options);
      State state = example.start;
      for (const int before : {1, 90, 120}) {
        take_steps(integrator, state, example.step, before);
        State copy = state, in_between = state;
        Moreau fresh(*example.system, options);
        take_steps(fresh, copy, example.step, 60);
        take_steps(integrator, in_between, example.step, 60);
        expect_same_bits(copy, in_between);
      }
    });
}

TEST(SavedState, ContinuesToTheSameBitsWhateverTheIntegratorDidInBetween) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
      Moreau integrator(*example.system, {.scheme = scheme});
      State state = example.start;
      take_steps(integrator, state, example.step, 100);
      State first = state, second = state;
      take_steps(integrator, first, example.step, 100);
      State elsewhere = example.start;  // another run of the same integrator
      take_steps(integrator, elsewhere, 0.7 * example.step, 37);
      take_steps(integrator, second, example.step, 100);
      expect_same_bits(first, second);
    }
  }
}

TEST(SavedState, MeetsImpactsInTheseExamples) {
  for (const Example& example : examples()) {
    if (example.system->info().contacts.empty()) continue;
    SCOPED_TRACE(example.name);
    State state = example.start;
    Moreau integrator(*example.system, {.step = example.step});
    const RunSummary summary = simulate(integrator, state, 270 * example.step);
    EXPECT_EQ(summary.status, StepStatus::done);
    EXPECT_GT(summary.impacts, 0);
    EXPECT_LT(summary.worst_residual, 1e-12);
  }
}

}  // namespace
}  // namespace backlash::test
