// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Bodies that lie on each other, stand side by side and come to rest together: they hit when they
// meet, and then rest, whatever the step.

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::heaps {
namespace {

constexpr double g = 9.81;

/// What happened to the contacts of a run.
struct Events {
  int impacts = 0, rests = 0, releases = 0;
  double last_impact = 0;  ///< [s]
};

Events events_of(const Assembly& heap, double step, double until, State* end = nullptr) {
  Events events;
  const State last = run(
      *heap.system, heap.start, step, until, {}, [&](const State& state, const StepResult& result) {
        events.releases += static_cast<int>(result.released.size());
        for (const ContactOutcome& contact : result.contacts) {
          events.impacts += is_impact(contact);
          if (is_impact(contact)) events.last_impact = state.t;
          events.rests += !lasts(contact.before) && lasts(contact.state);
          events.releases += lasts(contact.before) && contact.state == ContactState::open;
        }
      });
  if (end) *end = last;
  return events;
}

std::string box(const std::string& name, double width, double height, double x, double y,
                double mass, const std::string& motion = "") {
  return fmt::format(
      "  {}: {{mass: {}, inertia: {}, shape: {{box: [{}, {}], groups: [all]}}, initial: "
      "{{position: "
      "[{}, {}]{}}}}}\n",
      name, mass, mass * (width * width + height * height) / 12, width, height, x, y, motion);
}

const char* const floor_and = R"(
gravity: [0, -9.81]
bodies:
  ground: {shape: {line: {normal: [0, 1]}}}
)";

std::string touching(double friction) {
  return fmt::format(R"(contacts:
  floor: {{between: [ground, all], law: dry}}
  each: {{between: [all, all], law: dry}}
laws: {{dry: {{friction: {}}}}}
)",
                     friction);
}

/// Six boxes of different width, 1 mm apart: each lands on two corners of the upper one, once. What
/// the method makes is the work of the weights on what landings are too deep.
TEST(Heap, OfBoxesThatFallOnEachOtherHitsWithTwoCornersEachAndRests) {
  std::string text = floor_and;
  for (int i = 0; i < 6; ++i)
    text += box(fmt::format("b{}", i), 0.1 - 0.01 * i, 0.05, 0.003 * (i % 2), 0.026 + 0.051 * i,
                1 + 0.3 * i);
  const Assembly heap = assembled(text + touching(0.4));
  for (const double step : {2e-3, 1e-3, 2e-4}) {
    SCOPED_TRACE(step);
    State end;
    const Events events = events_of(heap, step, 1, &end);
    EXPECT_EQ(events.impacts, 12);
    EXPECT_EQ(events.rests, 12);
    EXPECT_EQ(events.releases, 0);
    EXPECT_LT(end.u.norm(), 1e-12);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(motion_of(*heap.system, end, i).p_W.y(), 0.025 + 0.05 * i, 1e-9);
  }
}

/// Two boxes that land without restitution while the upper one slides.
TEST(Heap, OfTwoBoxesLandsOnceWhileTheUpperOneSlides) {
  const Assembly heap =
      assembled(std::string(floor_and) + box("low", 0.2, 0.06, 0, 0.035, 2) +
                box("high", 0.1, 0.06, -0.04, 0.1, 1, ", velocity: [0.5, 0]") + touching(0.3));
  for (const double step : {2e-3, 1e-3, 5e-4, 1e-4}) {
    SCOPED_TRACE(step);
    const Events events = events_of(heap, step, 0.5);
    EXPECT_EQ(events.impacts, 4);
    EXPECT_EQ(events.rests, 4);
    EXPECT_EQ(events.releases, 0);
  }
}

/// Ten discs in a trough roll and slide until they rest: their contacts press although all would
/// fall alike without the floor, and are not dropped and met again.
TEST(Heap, OfDiscsInATroughComesToRest) {
  std::string text = R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {l: {line: {normal: [1, 1]}}, r: {line: {normal: [-1, 1], point: [0.3, 0]}}, f: {line: {normal: [0, 1]}}}}
)";
  for (int row = 0, k = 0; row < 4; ++row)
    for (int i = 0; i < 4 - row; ++i, ++k)
      text += fmt::format(
          "  d{}: {{mass: 1, inertia: 4.5e-4, shape: {{circle: 0.03, groups: [all]}}, initial: "
          "{{position: [{}, {}]}}}}\n",
          k, 0.06 + 0.061 * i + 0.0305 * row, 0.031 + 0.055 * row);
  text += R"(contacts:
  l: {between: [ground.l, all], law: dry}
  r: {between: [ground.r, all], law: dry}
  f: {between: [ground.f, all], law: dry}
  each: {between: [all, all], law: dry}
laws: {dry: {friction: 0.2}}
)";
  const Assembly heap = assembled(text);
  for (const double step : {1e-3, 4e-4}) {
    SCOPED_TRACE(step);
    State end;
    const Events events = events_of(heap, step, 3, &end);
    EXPECT_LT(events.impacts, 150);
    EXPECT_LT(events.rests, 150);
    EXPECT_LT(events.last_impact, 2);
    EXPECT_LT(end.u.norm(), 1e-9);
  }
}

/// Boxes in a row, 1 mm apart, and a force on the first.
std::string row_of_boxes(int count, double mass, double force) {
  std::string text = floor_and, contacts = "contacts:\n";
  for (int i = 0; i < count; ++i) {
    text += box(fmt::format("b{}", i), 0.1, 0.06, 0.101 * i, 0.03, mass);
    contacts += fmt::format("  f{0}: {{between: [ground, b{0}], law: dry}}\n", i);
    if (i > 0)
      contacts += fmt::format("  p{0}: {{between: [b{1}, b{0}], law: smooth}}\n", i, i - 1);
  }
  return text + contacts +
         fmt::format(
             "forces: {{push: {{type: force, body: b0, force: [\"if(t < 1, {}, 0)\", 0]}}}}\n"
             "laws: {{dry: {{friction: 0.3}}, smooth: {{}}}}\n",
             force);
}

/// The corners of equal boxes side by side meet at the ends of each other's faces: which of two
/// corners at one place is on the face of the other, round-off decides, and whether it is a hair
/// apart when the next box is met. The boxes are met one by one, each by the momentum of those that
/// move, and slide on as one: without a face that touches in one corner alone, which would rock
/// them.
TEST(Heap, OfBoxesInARowThatAreMetOneByOneSlidesAsOne) {
  constexpr int count = 5;
  constexpr double force = 60, friction = 0.3, apart = 1e-3, until = 0.2;
  for (const double mass : {0.6, 2.0, 3.0}) {
    const auto acceleration = [&](int moving) { return force / (moving * mass) - friction * g; };
    double t = 0, v = 0;
    for (int moving = 1; moving < count; ++moving) {
      const double a = acceleration(moving), hit = std::sqrt(v * v + 2 * a * apart);
      t += (hit - v) / a;
      v = hit * moving / (moving + 1);
    }
    v += acceleration(count) * (until - t);
    const Assembly row = assembled(row_of_boxes(count, mass, force));
    for (const double step : {2e-3, 1e-3, 5e-4, 1e-4}) {
      SCOPED_TRACE(fmt::format("{} kg at {}", mass, step));
      State end;
      const Events events = events_of(row, step, until, &end);
      EXPECT_GE(events.impacts, 2 * (count - 1));  // of two corners, or of all four of two faces
      EXPECT_LE(events.impacts, 4 * (count - 1));
      // Of two at one place one may let go for a while. Without a face beyond its end: thousands.
      EXPECT_LE(events.rests, 2 * count + 10 * (count - 1));
      for (int i = 0; i < count; ++i) {
        const BodyMotion body = motion_of(*row.system, end, i);
        EXPECT_NEAR(body.v_W.x(), v, acceleration(1) * step);
        EXPECT_NEAR(body.p_W.y(), 0.03, 1e-9);
        EXPECT_NEAR(body.angle, 0, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace backlash::test::heaps
