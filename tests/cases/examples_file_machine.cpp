// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "cases/example.h"

// Paper 000, section 5: the whole machine, with its points A to D.

namespace backlash::test::examples_file_machine {
namespace {

constexpr const char* file = "file_cutting_machine/model.yaml";

double lobe_period(const Example& machine) {
  return 2 * std::numbers::pi / (machine["lobes"] * machine["speed"]);
}

/// What one blow looked like.
struct Blow {
  double hit = NAN, hit_speed = 0;      ///< of the chisel on the file [s, m/s]
  double clash = NAN, clash_speed = 0;  ///< first one of pin and cam [s, m/s]
  double lowest_t = 0, lowest = 1;      ///< of the beater [s, m]
  double depth = 0;                     ///< of the file's yielding [m]
  double imbalance = 0;                 ///< relative
  double drive_work = 0;                ///< [J]
  double losses = 0;                    ///< in contacts, bed and guide [J]
};

Blow blow(const Example& machine, double step) {
  Blow found;
  const ExampleRun done =
      run(machine, step, lobe_period(machine), [&](const State& state, const StepResult&) {
        const double y = machine.body(state, "beater").p_W.y() - machine["base"];
        if (y < found.lowest) {
          found.lowest = y;
          found.lowest_t = state.t;
        }
        const double top = machine["base"] + machine["stroke"] - 0.03 - machine["presser_foot"];
        found.depth = std::max(found.depth, top - machine.body(state, "file").p_W.y());
      });
  for (const Event& event : done.events) {
    if (event.kind != EventKind::impact) continue;
    if (done.is_at(event, machine.contact("cut")) && std::isnan(found.hit)) {
      found.hit = event.t;
      found.hit_speed = -event.gamma_n_before;
    }
    if (done.is_at(event, machine.contact("cam_pin")) && std::isnan(found.clash)) {
      found.clash = event.t;
      found.clash_speed = -event.gamma_n_before;
    }
  }
  found.imbalance = done.imbalance();
  found.drive_work = done.after.bilaterals;
  found.losses = done.after.contact_loss - done.after.applied - done.after.relays;
  return found;
}

/// When, and how fast, a beater that falls from the top comes to the height y.
struct Fall {
  double t, speed;
};
Fall fall(const Example& machine, double y) {
  const double omega = std::sqrt(machine["stiffness"] / machine["mass"]);
  const double middle =
      -(machine["gravity"] + machine["preload"] / machine["mass"]) / (omega * omega);
  const double t = std::acos((y - middle) / (machine["stroke"] - middle)) / omega;
  return {t, omega * (machine["stroke"] - middle) * std::sin(omega * t)};
}

/// When the cam's lift has come to y.
double lift_time(const Example& machine, double y) {
  double low = 0, high = 1;  // of p = t/T
  for (int i = 0; i < 60; ++i) {
    const double p = (low + high) / 2, turn = 2 * std::numbers::pi;
    (machine["stroke"] * (p - std::sin(turn * p) / turn) < y ? low : high) = p;
  }
  return low * lobe_period(machine);
}

TEST(ExampleFileCuttingMachine, GoesThroughThePointsAToD) {
  const Example machine(file);
  const double step = 1e-5, y_B = machine["stroke"] - machine["presser_foot"];
  const Blow found = blow(machine, step);
  const Fall exact = fall(machine, y_B);
  // B: the chisel hits the file, as the oscillation of the beater says.
  EXPECT_NEAR(found.hit, exact.t, step);
  EXPECT_NEAR(found.hit_speed, exact.speed, 1e-3 * exact.speed);
  // C: the file gives way, by a third of a millimetre, whatever the step.
  EXPECT_GT(found.lowest_t, found.hit);
  EXPECT_LT(found.lowest_t, found.hit + 2e-4);
  EXPECT_NEAR(found.lowest, y_B - found.depth, 5e-5);
  const Blow fine = blow(machine, 2.5e-6);
  EXPECT_NEAR(found.depth, fine.depth, 0.01 * fine.depth);
  EXPECT_GT(found.depth, 3e-4);
  EXPECT_LT(found.depth, 4e-4);
  // D: the cam meets the beater again where it rests on the file, and not before.
  EXPECT_NEAR(found.clash, lift_time(machine, y_B), 2 * step);
  EXPECT_LT(found.clash_speed, 0.05 * found.hit_speed);
  // A: the beater is at the top again; what the drive gave, the blow has taken.
  EXPECT_LT(found.imbalance, 1e-12);
  EXPECT_NEAR(found.drive_work, found.losses, 1e-3 * found.losses);
}

TEST(ExampleFileCuttingMachine, RepeatsItsBlowSixTimesInATurn) {
  const Example machine(file);
  const double period = lobe_period(machine);
  const ExampleRun turn = run(machine, 1e-5, 6 * period);
  const std::vector<double> cuts = turn.times(EventKind::impact, machine.contact("cut"));
  std::vector<double> first;  // of each lobe
  for (const double t : cuts)
    if (first.empty() || std::floor(t / period) > std::floor(first.back() / period))
      first.push_back(t);
  ASSERT_EQ(first.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(first[i], first[0] + static_cast<double>(i) * period, 2e-5);
  EXPECT_NEAR(machine.body(turn.end, "cam").angle, 2 * std::numbers::pi, 1e-9);
}

TEST(ExampleFileCuttingMachine, ClashesWithTheCamWhenThePresserFootIsTooHigh) {
  const Blow right = blow(Example(file), 1e-5);
  const Blow close = blow(Example(file, {"presser_foot=16.7 mm"}), 1e-5);
  const Blow wrong = blow(Example(file, {"presser_foot=16.9 mm"}), 1e-5);
  for (const Blow* clash : {&close, &wrong}) {
    EXPECT_LT(clash->hit, clash->clash);
    EXPECT_LT(clash->clash, clash->hit + 1e-4);  // while the chisel still cuts
    EXPECT_GT(clash->clash_speed, 5 * right.clash_speed);
    EXPECT_LT(clash->depth, 0.8 * right.depth);
  }
  EXPECT_GT(wrong.clash_speed, close.clash_speed);
  EXPECT_LT(wrong.depth, close.depth);
}

TEST(ExampleFileCuttingMachine, IsTheCamFollowerOfThePaperWhenTheChiselMissesTheFile) {
  Example machine(file, {"presser_foot=18 mm"});
  const CamFollower by_hand;
  Moreau one(machine.system(), {}), other(by_hand, {});
  State a = machine.assembly.start, b = cam_follower_start(by_hand);
  double worst = 0;
  for (int n = 0; n < 5000; ++n) {
    one.step(a, 1e-5);
    other.step(b, 1e-5);
    worst = std::max(worst, std::abs(machine.body(a, "beater").p_W.y() - machine["base"] - b.q[0]));
  }
  EXPECT_LT(worst, 1e-9 * 0.017);
  const Blow found = blow(machine, 1e-5);
  EXPECT_TRUE(std::isnan(found.hit));
  EXPECT_NEAR(found.clash, 3.19800270386924e-3, 1e-5);  // of the event-driven reference
  EXPECT_NEAR(found.clash_speed, 8.37529208434308, 2e-3);
}

}  // namespace
}  // namespace backlash::test::examples_file_machine
