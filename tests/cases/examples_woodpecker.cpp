// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "cases/example.h"

// Glocker's woodpecker toy: stick, slip and impact add up to a limit cycle.

namespace backlash::test::examples_woodpecker {
namespace {

constexpr const char* file = "woodpecker/model.yaml";

/// The toy as published: y and the angles of sleeve and bird, linear in the angles.
class LinearToy : public System {
 public:
  explicit LinearToy(const Example& toy) : System(info_of(toy)), toy_(toy) {}

  void mass(const Configuration&, MatrixRef M) const override {
    const double m = toy_["bird_mass"], lM = toy_["l_M"], lG = toy_["l_G"];
    M << m + toy_["sleeve_mass"], m * lM, m * lG,                   //
        m * lM, toy_["sleeve_inertia"] + m * lM * lM, m * lM * lG,  //
        m * lG, m * lM * lG, toy_["bird_inertia"] + m * lG * lG;
  }
  void force(const Configuration& c, const Vector&, VectorRef h) const override {
    const double m = toy_["bird_mass"], g = toy_["gravity"];
    const double torque = toy_["stiffness"] * (c.q[2] - c.q[1]);
    h << -(m + toy_["sleeve_mass"]) * g, torque - m * g * toy_["l_M"],
        -torque - m * g * toy_["l_G"];
  }
  void gaps(const Configuration& c, VectorRef g) const override {
    const double play = toy_["sleeve_radius"] - toy_["pole_radius"];
    g[0] = toy_["l_M"] + toy_["l_G"] - toy_["l_S"] - toy_["pole_radius"] - toy_["h_S"] * c.q[2];
    g[1] = play + toy_["sleeve_height"] * c.q[1];
    g[2] = play - toy_["sleeve_height"] * c.q[1];
  }
  void contact_rows(const Configuration&, int contact, MatrixRef W, VectorRef w) const override {
    const double side = contact == 1 ? 1 : -1;
    w.setZero();
    if (contact == 0)
      W << 0, 1, 0, toy_["l_M"], -toy_["h_S"], toy_["l_G"] - toy_["l_S"];
    else
      W << 0, 1, side * toy_["sleeve_height"], toy_["sleeve_radius"], 0, 0;
  }

 private:
  static SystemInfo info_of(const Example& toy) {
    SystemInfo info{.name = "linear woodpecker", .positions = 3, .velocities = 3};
    for (const char* name : {"beak", "lower", "upper"})
      info.contacts.push_back(
          toy.system().info().contacts[static_cast<std::size_t>(toy.contact(name).pair)]);
    for (ContactInfo& contact : info.contacts) contact.blocks.clear();  // M is one block here
    return info;
  }
  const Example& toy_;
};

TEST(ExampleWoodpecker, HasThePublishedEquationsWhereItsAnglesAreSmall) {
  const Example toy(file, {"sleeve_angle=0 rad", "bird_angle=0 rad"});
  const LinearToy linear(toy);
  const System& system = toy.system();
  const State& start = toy.assembly.start;
  const Configuration c = configuration(system, 0, start.q);
  const Configuration d = configuration(linear, 0, Vec3::Zero());
  // From ẏ and the rates of both angles to the velocities of the assembled System, which are the
  // sleeve's ẋ, ẏ and ω, and the bird's ω against it.
  Matrix T = Matrix::Zero(4, 3), M = Matrix::Zero(4, 4), published = Matrix::Zero(3, 3);
  T(1, 0) = T(2, 1) = T(3, 2) = 1;
  T(3, 1) = -1;
  system.mass(c, M);
  linear.mass(d, published);
  EXPECT_LT((T.transpose() * M * T - published).cwiseAbs().maxCoeff(), 1e-18);
  Vector h = Vector::Zero(4), force = Vector::Zero(3), gap(3), w = Vector::Zero(2);
  system.force(c, Vector::Zero(4), h);
  linear.force(d, Vector::Zero(3), force);
  EXPECT_LT((T.transpose() * h - force).cwiseAbs().maxCoeff(), 1e-15);
  linear.gaps(d, gap);
  for (int i = 0; i < 3; ++i) {
    const ContactInfo& info = linear.info().contacts[static_cast<std::size_t>(i)];
    SCOPED_TRACE(info.name);
    Matrix W = Matrix::Zero(4, 2), rows = Matrix::Zero(3, 2);
    ContactFrame frame;
    ASSERT_TRUE(system.find_contact(c, toy.contact(info.name), frame));
    system.write_contact_rows(c, frame, W, w);
    linear.contact_rows(d, i, rows, w);
    Matrix directions = T.transpose() * W;
    directions.col(1) *= directions(0, 1);  // upwards
    EXPECT_NEAR(frame.gap, gap[i], 1e-17);
    EXPECT_LT((directions - rows).cwiseAbs().maxCoeff(), 1e-15);
  }
}

TEST(ExampleWoodpecker, PublishedStartLiesOnTheCycleOfThePublishedEquations) {
  const Example toy(file);
  const LinearToy linear(toy);
  State state = initial_state(linear, 0, Vec3(0, -0.1036, -0.2788), Vec3(-0.3411, 0, -7.4583));
  std::vector<double> strokes;
  Moreau integrator(linear, {.step = 5e-6});  // times of impacts are of first order
  simulate(integrator, state, 0.9, [&](const State& now, const StepResult& result) {
    for (const ContactOutcome& c : result.contacts)
      if (c.key.pair == 0 && c.state == ContactState::impact) strokes.push_back(now.t);
  });
  ASSERT_GE(strokes.size(), 6u);
  for (std::size_t i = 1; i < strokes.size(); ++i)
    EXPECT_NEAR(strokes[i] - strokes[i - 1], 0.146, 2e-4);  // no transient, not even at first
}

/// The last cycles of a run, from beak stroke to beak stroke.
struct Cycle {
  double period = 0, spread = 0;  ///< mean, and largest difference from it [s]
  double speed = 0;               ///< of the beak [m/s]
  double drop = 0, loss = 0;      ///< in one cycle [m, J]
};

Cycle last_cycles(const Example& toy, double step, double until) {
  constexpr std::size_t cycles = 5;
  struct Stroke {
    double t, y, loss;
  };
  std::vector<Stroke> strokes;
  const ContactKey beak = toy.contact("beak");
  const ExampleRun done = run(toy, step, until, [&](const State& state, const StepResult& result) {
    for (const ContactOutcome& c : result.contacts)
      if (c.key == beak && c.state == ContactState::impact)
        strokes.push_back({state.t, toy.body(state, "sleeve").p_W.y(),
                           energy_ledger(toy.system(), state).contact_loss});
  });
  Cycle cycle;
  if (strokes.size() < cycles + 1) return cycle;
  const Stroke& first = strokes[strokes.size() - 1 - cycles];
  cycle.period = (strokes.back().t - first.t) / cycles;
  cycle.drop = (first.y - strokes.back().y) / cycles;
  cycle.loss = (strokes.back().loss - first.loss) / cycles;
  for (std::size_t i = strokes.size() - cycles; i < strokes.size(); ++i)
    cycle.spread = std::max(cycle.spread, std::abs(strokes[i].t - strokes[i - 1].t - cycle.period));
  for (const Event& event : done.events)
    if (done.is_at(event, beak) && event.kind == EventKind::impact)
      cycle.speed = -event.gamma_n_before;
  EXPECT_LT(done.imbalance(), 1e-3);
  return cycle;
}

TEST(ExampleWoodpecker, SettlesInOneLimitCycleFromSeveralStarts) {
  const Cycle usual = last_cycles(Example(file), 2e-5, 1.4);
  ASSERT_GT(usual.period, 0.1);
  EXPECT_LT(usual.period, 0.2);
  EXPECT_LT(usual.spread, 1e-3 * usual.period);
  // What falls by the drop in a cycle and is as fast after it as before has lost m g times that.
  const Example toy(file);
  const double weight = (toy["sleeve_mass"] + toy["bird_mass"]) * toy["gravity"];
  EXPECT_NEAR(usual.loss, weight * usual.drop, 2e-3 * usual.loss);
  for (const std::string start : {"bird_speed=-12 rad/s", "bird_speed=-5 rad/s"}) {
    SCOPED_TRACE(start);
    const Cycle other = last_cycles(Example(file, {start}), 2e-5, 1.4);
    EXPECT_NEAR(other.period, usual.period, 1e-3 * usual.period);
    EXPECT_NEAR(other.speed, usual.speed, 2e-3 * usual.speed);
    EXPECT_NEAR(other.drop, usual.drop, 5e-3 * usual.drop);
  }
}

TEST(ExampleWoodpecker, HasTheSameCycleInAbsoluteCoordinatesAndWithHalfTheStep) {
  const Cycle joint = last_cycles(Example(file), 2e-5, 1.0);
  const Cycle fine = last_cycles(Example(file), 1e-5, 1.0);
  const Cycle absolute = last_cycles(Example(file, {}, Coordinates::absolute), 2e-5, 1.0);
  for (const Cycle* other : {&fine, &absolute}) {
    EXPECT_NEAR(other->period, joint.period, 1e-3 * joint.period);
    EXPECT_NEAR(other->speed, joint.speed, 2e-3 * joint.speed);
    EXPECT_NEAR(other->drop, joint.drop, 5e-3 * joint.drop);
  }
}

TEST(ExampleWoodpecker, SticksAndSlipsOnceACycle) {
  const Example toy(file);
  const ExampleRun done = run(toy, 2e-5, 1.0);
  const auto count = [&](EventKind kind, const char* contact) {
    const std::vector<double> times = done.times(kind, toy.contact(contact));
    return std::count_if(times.begin(), times.end(), [](double t) { return t > 0.2; });
  };
  const auto beats = count(EventKind::impact, "beak");
  EXPECT_GE(beats, 5);
  EXPECT_NEAR(static_cast<double>(count(EventKind::stick, "lower")), static_cast<double>(beats), 1);
  EXPECT_NEAR(static_cast<double>(count(EventKind::slip, "lower")), static_cast<double>(beats), 1);
}

TEST(ExampleWoodpecker, FallsOffWhereFrictionIsTooWeakToHoldIt) {
  const Example smooth(file, {"friction=0.2"});
  const double fall = smooth.body(run(smooth, 2e-5, 1.0).end, "sleeve").p_W.y();
  const Example rough(file);
  EXPECT_LT(fall, 10 * rough.body(run(rough, 2e-5, 1.0).end, "sleeve").p_W.y());
}

}  // namespace
}  // namespace backlash::test::examples_woodpecker
