// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "cases/example.h"

// A pin in the slots of a concave wheel, and a disc in its hollows.

namespace backlash::test::examples_geneva {
namespace {

constexpr const char* file = "geneva/model.yaml";
constexpr double pi = std::numbers::pi, step = 1e-4;

/// Where the wheel would be without play, and how far the pin then is from the wheel's axle.
struct Ideal {
  double angle;  ///< [rad]
  double pin;    ///< [m]
  bool engaged;  ///< the pin is in a slot
};
Ideal ideal(const Example& drive, double crank) {
  const double turns = std::floor(crank / (2 * pi)), alpha = crank - 2 * pi * turns - pi;
  const double x = drive["distance"] - drive["radius"] * std::cos(alpha);
  const double y = -drive["radius"] * std::sin(alpha);
  const bool engaged = std::abs(alpha) < pi / 4;
  const double within = engaged ? std::atan2(y, x) - pi / 4 : alpha < 0 ? 0 : -pi / 2;
  return {within - turns * pi / 2, std::hypot(x, y), engaged};
}

/// How far the load can turn the locked wheel: until the side of a hollow that lies nearest to its
/// end touches the disc.
double locked_play(const Example& drive) {
  return drive["lock_play"] / (drive["distance"] * std::sin(0.75 * drive["reach"]));
}

TEST(ExampleGeneva, MovesItsWheelByAQuarterInEachTurnAndLocksIt) {
  for (const Coordinates coordinates : {Coordinates::joint, Coordinates::absolute}) {
    const Example drive(file, {}, coordinates);
    const int turns = coordinates == Coordinates::joint ? 2 : 1;
    double off = 0, ratio = 0, moved = 0;
    const ExampleRun done =
        run(drive, step, turns + 0.25, [&](const State& state, const StepResult&) {
          const double crank = drive.body(state, "driver").angle;
          const BodyMotion wheel = drive.body(state, "wheel");
          const Ideal at = ideal(drive, crank);
          if (at.engaged)
            off = std::max(off, std::abs(wheel.angle - at.angle) * at.pin);
          else if (crank > 2 * pi && std::fmod(crank, 2 * pi) < pi / 2)
            moved = std::max(moved, std::abs(wheel.angle - at.angle - locked_play(drive)));
          if (at.engaged && std::abs(std::fmod(crank, 2 * pi) - pi) < 1e-3)
            ratio = wheel.w_W.z() / drive["speed"];
        });
    EXPECT_LT(off, 1.25 * drive["slot_play"]);            // the play, and what the walls give way
    EXPECT_NEAR(ratio, -1 / (std::sqrt(2.0) - 1), 2e-3);  // −sin 45°/(1 − sin 45°)
    EXPECT_LT(moved, 0.05 * locked_play(drive));
    EXPECT_NEAR(drive.body(done.end, "wheel").angle, -turns * pi / 2 + locked_play(drive), 1e-5);
    EXPECT_LT(done.imbalance(), 1e-10);
    // What the drive gave has turned the wheel against its load, or is lost.
    const double turned = drive.body(done.end, "wheel").angle;
    const double losses = done.after.contact_loss - done.after.relays - done.after.projections;
    EXPECT_NEAR(done.after.bilaterals, -drive["load"] * turned + losses,
                1e-6 * done.after.bilaterals);  // projections turn the wheel, too
  }
}

TEST(ExampleGeneva, LosesItsPlaceWithoutTheLock) {
  Model model = Example(file).model;
  std::erase_if(model.contacts, [](const ContactPair& pair) { return pair.name == "lock"; });
  const Example drive(std::move(model));
  const ExampleRun done = run(drive, step, 0.3);
  EXPECT_GT(drive.body(done.end, "wheel").angle, 0.1);
  const Example locked(file);
  EXPECT_LT(locked.body(run(locked, step, 0.3).end, "wheel").angle, 1.1 * locked_play(locked));
}

TEST(ExampleGeneva, HasTheMassOfItsOutline) {
  // Four quarters: the square of the tips, less what hollows and slots take, by the shoelace rule.
  const Example drive(file);
  const Body& wheel = *find_body(drive.model, "wheel");
  const auto& corners = std::get<Polygon>(wheel.shapes[0].shape).corners;
  double area = 0, second = 0;  // ∫ dA, ∫ r² dA
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const double cross = a.x() * b.y() - a.y() * b.x();
    area += cross / 2;
    second += cross * (a.squaredNorm() + a.dot(b) + b.squaredNorm()) / 12;
  }
  const double per_area = drive["density"] * drive["thickness"];
  EXPECT_NEAR(wheel.mass, per_area * area, 1e-12);
  EXPECT_NEAR(wheel.inertia.zz, per_area * second, 1e-15);
  EXPECT_LT(wheel.com.norm(), 1e-15);
}

}  // namespace
}  // namespace backlash::test::examples_geneva
