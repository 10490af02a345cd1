// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "step_allocations.h"
#include "support/systems/ball_row.h"
#include "support/systems/pinned_crank.h"
#include "support/systems/planar_body.h"
#include "support/systems/space_body.h"

namespace backlash::test {
namespace {

TEST_F(Allocation, OnTheHeapIsCounted) {
  const long before = heap_allocations();
  const auto number = std::make_unique<double>(1);
  EXPECT_GT(heap_allocations(), before);
  const long between = heap_allocations();
  const Vector values = Vector::Constant(100, *number);
  EXPECT_GT(heap_allocations(), between);
  EXPECT_EQ(values.sum(), 100);
}

TEST_F(Allocation, DoesNotHappenInTheSliderCranksSteps) {
  // Warm: one hit of the upper guide (2.7 ms) and one of the lower (25.9 ms).
  const SliderCrank crank;
  expect_none(crank, slider_crank_start(crank), 1e-5, 2700, 7300);
}

TEST_F(Allocation, DoesNotHappenInAutomaticStepsNorWhereTheyAreRejected) {
  const SliderCrank crank;
  for_every_solver([&](MoreauOptions options) {
    options.automatic_step = true;
    Moreau integrator(crank, options);
    State state = slider_crank_start(crank);
    simulate(integrator, state, 0.027);  // warm, as above
    std::size_t rejected = 0;
    const long before = heap_allocations();
    while (state.t < 0.1) rejected += integrator.step(state, {.until = 0.1}).rejected.size();
    EXPECT_EQ(heap_allocations(), before);
    EXPECT_GT(rejected, 0u);
  });
}

TEST_F(Allocation, DoesNotHappenInATiltingSliderCranksSteps) {
  const SliderCrank crank;
  expect_none(crank, slider_crank_start(crank, 0.1), 1e-5, 2700, 7300);
}

TEST_F(Allocation, DoesNotHappenInTheCamFollowersSteps) {
  const CamFollower cam;
  expect_none(cam, cam_follower_start(cam), 1e-5, 400, 5000);
}

TEST_F(Allocation, DoesNotHappenInALoopsSteps) {
  const PinnedCrank crank({.gravity = 9.81, .copies = 2});  // redundant rows
  expect_none(crank, crank.start(0.2, 20), 1e-4, 10, 2000);
  const PinnedCrank driven(
      {.gravity = 9.81, .drive_speed = 20, .drive_swing = 0.3, .drive_frequency = 30});
  expect_none(driven, driven.start(0, 20), 1e-4, 10, 2000);
  const PinnedCrank bouncing(
      {.gravity = 9.81, .copies = 2, .floor = 0.153 * std::sin(0.3), .law = {.restitution = 0.5}});
  expect_none(bouncing, bouncing.start(0.5, 0), 1e-4, 2000, 5000);
}

TEST_F(Allocation, DoesNotHappenInABallsStepsInSpace) {
  const SpaceBody ball(
      {.inertia = {0.02, 0.03, 0.04}, .radius = 0.2, .law = {.restitution = 0.5, .friction = 0.3}});
  expect_none(ball, space_body_start(ball, {0, 0, 0.3}, {2, 1, 0}, {3, -5, 2}), 1e-3, 200, 1000);
}

TEST_F(Allocation, DoesNotHappenInStepsWithTwoLawsDryFrictionAndProjection) {
  PlanarBodyData data = wheel(1.5, 0.1, 0.5, {});
  data.dry_friction = 0.3;
  const ContactLaw law{.restitution = 0.4, .friction = 0.5};
  ContactLaw poisson = law;
  poisson.impact = ImpactLaw::poisson;
  data.touches = {{.name = "floor", .radius = 0.1, .law = poisson},
                  {.name = "wall", .radius = 0.1, .n_W = {-1, 0}, .offset = -0.3, .law = law}};
  const PlanarBody disk(data);
  const State start = initial_state(disk, 0, Vec3(0, 0.15, 0), Vec3(2, 0, 2));
  for_every_solver([&](MoreauOptions options) {
    options.penetration_limit = 1e-6;
    const Taken taken = count_allocations(disk, start, 1e-3, 300, 1000, options);
    EXPECT_EQ(taken.blocks, 0) << "in " << taken.steps << " steps, first at t = " << taken.first;
  });
}

}  // namespace
}  // namespace backlash::test
