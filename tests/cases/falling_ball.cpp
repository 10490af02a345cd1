// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "backlash/laws/free_impact.h"
#include "cases/example.h"
#include "cases/stiff_impact.h"
#include "support/observed_order.h"

// Paper 004, the ball. Between impacts it flies on parabolas, and what a conservative impact does
// follows from its energy.

namespace backlash::test::falling_ball {
namespace {

const char* const file = "falling_ball/model.yaml";

/// The flight and the impact of the ball in closed form and by quadrature.
struct Exact {
  explicit Exact(const Example& ball)
      : radius(ball["R"]),
        g(ball["gravity"]),
        contact(std::sqrt(2 * (ball["height"] - radius) / g)),
        speed(g * contact),
        impact(stiff_impact(
            [&, K = ball["K"], m = ball["m"]](double D, double way) {
              // D^{5/2} − (D − w)^{5/2} without cancellation
              const double part = -std::expm1(2.5 * std::log1p(-way / D));
              return 0.8 * K / m * std::pow(D, 2.5) * part - 2 * g * way;
            },
            speed, 1e-3)) {}

  double radius, g, contact, speed;
  StiffImpact impact;
};

TEST(FallingBall, HasTheFiguresOfTheCase) {
  const Example ball(file);
  const Exact exact(ball);
  EXPECT_NEAR(exact.contact, 0.428352936878119, 1e-15);
  EXPECT_NEAR(exact.speed, 4.20214231077435, 1e-14);
  EXPECT_NEAR(exact.impact.depth, 1.84179410754e-4, 1e-15);
  EXPECT_NEAR(exact.impact.duration, 1.28997800580e-4, 1e-15);
  EXPECT_NEAR(ball["K"] * std::pow(exact.impact.depth, 1.5), 119866.9108, 1e-4);
  EXPECT_NEAR(2 * exact.contact + exact.impact.duration, 0.856834871556819, 1e-15);
}

TEST(FallingBall, MeetsTheFloorWhenAndAsFastAsAFreeFallSays) {
  const Example ball(file);
  const Exact exact(ball);
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf}) {
    SCOPED_TRACE(name(method));
    CompliantOptions options = compliant_options(ball);
    options.integrator = method;
    const ExampleRun found = run(ball, options, 0.43);
    ASSERT_EQ(found.events.size(), 2u);
    // A multistep method integrates a parabola exactly, but for its first steps and round-off.
    EXPECT_NEAR(found.events[0].t, exact.contact, 1e-12);
    EXPECT_NEAR(found.events[0].gamma_n_before, -exact.speed, 1e-11);
  }
}

TEST(FallingBall, SinksInAsDeepAsLongAndAsHardAsItsEnergySays) {
  const Example ball(file);
  const Exact exact(ball);
  double depth = 0, force = 0;
  Contacts look(ball);
  const ExampleRun found = attempt(
      ball, compliant_options(ball), 0.43,
      [&](double t) { return t > exact.contact ? t + 2e-8 : INFINITY; },
      [&](const State& state, const StepResult& result) {
        depth = std::max(depth, -look.gap(state, 0));
        force = std::max(force, look.force(result, 0));
      });
  ASSERT_EQ(found.events.size(), 2u);
  // Looked at every 20 ns; the turn in between is missed by ω²(10 ns)²/2 = 4e-8 at most.
  EXPECT_NEAR(depth, exact.impact.depth, 5e-8 * exact.impact.depth);
  EXPECT_NEAR(force, ball["K"] * std::pow(exact.impact.depth, 1.5), 1e-7 * force);
  EXPECT_NEAR(found.events[1].t - found.events[0].t, exact.impact.duration,
              1e-8 * exact.impact.duration);
}

TEST(FallingBall, RisesToWhereItCameFrom) {
  const Example ball(file);
  const Exact exact(ball);
  const double flight = 1 - exact.contact - exact.impact.duration;
  double apex = 0;
  run(ball, compliant_options(ball), 1, [&](const State& state, const StepResult&) {
    const BodyMotion motion = ball.body(state, "ball");
    const double v = motion.v_W.y();
    if (v > 0 && state.t > 0.43) apex = motion.p_W.y() + v * v / (2 * exact.g);
    if (state.t == 1) {
      EXPECT_NEAR(motion.p_W.y(),
                  exact.radius + exact.speed * flight - exact.g * flight * flight / 2, 5e-9);
      EXPECT_NEAR(motion.p_W.y(), 0.899465874119, 5e-9);
      EXPECT_NEAR(motion.p_W.x(), ball["vx"], 1e-12);
    }
  });
  EXPECT_NEAR(apex, ball["height"], 1e-8);
}

TEST(FallingBall, RepeatsItselfWithThePeriodOfTwoFlightsAndAnImpact) {
  const Example ball(file);
  const Exact exact(ball);
  const ExampleRun found = run(ball, compliant_options(ball), 4);
  const std::vector<double> hits = found.times(EventKind::impact, ContactKey{});
  ASSERT_EQ(hits.size(), 5u);
  for (std::size_t i = 1; i < hits.size(); ++i)
    EXPECT_NEAR(hits[i] - hits[i - 1], 2 * exact.contact + exact.impact.duration, 1e-9);
  EXPECT_LT(found.imbalance(), 1e-9);
}

TEST(FallingBall, RisesToWhatTheLawDelivers) {
  // Asked for 0.9 it delivers 0.913177 without gravity, which changes it by some 1e-5.
  const Example ball(file, {"restitution=0.9"});
  const double apexes[] = {0.85046786, 0.72577669};  // of an independent integration
  const Exact exact(ball);
  std::vector<double> found;
  double last = 0;
  run(ball, compliant_options(ball), 2, [&](const State& state, const StepResult&) {
    const BodyMotion motion = ball.body(state, "ball");
    const double v = motion.v_W.y();
    if (last > 0 && v <= 0) found.push_back(motion.p_W.y() + v * v / (2 * exact.g));
    last = v;
  });
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], apexes[0], 1e-8);
  EXPECT_NEAR(found[1], apexes[1], 1e-8);
  const FreeImpact free =
      free_impact(ball.system().info().contacts[0].compliant->normal, ball["m"], exact.speed);
  const double fall = ball["height"] - exact.radius;
  EXPECT_NEAR(found[0] - exact.radius, fall * free.restitution * free.restitution, 1e-4 * fall);
}

/// The height to which the ball has energy to rise: its greatest after the first impact [m].
double rise(const Example& ball, const CompliantOptions& options) {
  double height = 0;
  bool rises = false;
  run(ball, options, 0.5, [&](const State& state, const StepResult&) {
    const BodyMotion motion = ball.body(state, "ball");
    const double v = motion.v_W.y(), g = ball["gravity"];
    if (!(v > 0 && motion.p_W.y() > ball["R"])) return !rises;
    height = motion.p_W.y() + v * v / (2 * g);
    rises = true;
    return true;
  });
  return height;
}

TEST(FallingBall, IsThrownUpByStepsLongerThanItsImpact) {
  struct Figure {
    double step;  ///< [s]
    bool live;
    double height, within;  ///< [m]
  };
  // The case's figures; a frozen contact is one whose force acts from the step after on.
  const Figure figures[] = {{1e-3, true, 12091, 1},
                            {1e-4, true, 3.709, 5e-4},
                            {1e-3, false, 2.1e6, 5e4},
                            {1e-4, false, 7.706, 5e-4}};
  const Example ball(file);
  for (const Figure& figure : figures) {
    SCOPED_TRACE(figure.step);
    CompliantOptions options = compliant_options(ball);
    options.integrator = OdeMethod::rk4;
    options.onset = Onset::none;
    options.step = figure.step;
    options.live_contacts = figure.live;
    EXPECT_NEAR(rise(ball, options), figure.height, figure.within);
  }
}

/// What a contact gave that was not caught as it began.
struct Entry {
  double depth = 0;   ///< at which it was first in force [m]
  double gained = 0;  ///< mechanical energy afterwards, more than before [J]
  long warned = 0;
};

Entry entry(const Example& ball, const CompliantOptions& options) {
  Entry result;
  const ExampleRun found = attempt(
      ball, options, 0.6, [](double) { return INFINITY; },
      [&](const State&, const StepResult& step) {
        for (const ContactOutcome& c : step.contacts)
          if (is_impact(c)) result.depth = std::max(result.depth, -c.gap_before);
        return step.released.empty();
      });
  EXPECT_EQ(found.summary.status, StepStatus::done);
  result.gained = found.after.mechanical() - found.before.mechanical();
  result.warned = found.summary.warned_steps;
  return result;
}

/// ∫K δ^{3/2} dδ [J].
double stored(const Example& ball, double depth) { return 0.4 * ball["K"] * std::pow(depth, 2.5); }

TEST(FallingBall, GainsWhatTheSpringHoldsThatItDidNotWind) {
  const Example ball(file);
  for (const double step : {3e-3, 1e-3, 3e-4, 1e-4}) {
    SCOPED_TRACE(step);
    CompliantOptions options = compliant_options(ball);
    options.onset = Onset::none;
    options.max_step = step;
    const Entry found = entry(ball, options);
    ASSERT_GT(found.depth, 1e-5);
    EXPECT_NEAR(found.gained, stored(ball, found.depth), 1e-6 * found.gained);  // theory 10.3
  }
}

TEST(FallingBall, GainsNoMoreUnderProcedureTwoThanItsDepthLimitAllows) {
  const Example ball(file);
  for (const double limit : {1e-5, 1e-6, 1e-7, 1e-8}) {
    SCOPED_TRACE(limit);
    CompliantOptions options = compliant_options(ball);
    options.onset = Onset::procedure_2;
    options.max_onset_penetration = limit;
    const Entry found = entry(ball, options);
    EXPECT_GT(found.depth, 0);
    EXPECT_LE(found.depth, limit);
    EXPECT_LE(found.gained, stored(ball, limit) + 2e-8);
    EXPECT_EQ(found.warned, 0);
  }
}

TEST(FallingBall, IsWarnedOfWhereTheShortestStepIsTooLongForTheDepth) {
  // v h = 4.2 m/s × 0.1 µs = 0.42 µm: the limit of 10 nm is met by chance only. From some heights
  // it is; where it is not the step is taken all the same. (With tight tolerances it is the force
  // that begins within the step which makes steps short, and the limit is met.)
  int warned = 0;
  for (const char* height : {"height=0.90 m", "height=0.95 m", "height=1.00 m", "height=1.05 m",
                             "height=1.10 m", "height=1.15 m"}) {
    SCOPED_TRACE(height);
    const Example ball(file, {height});
    CompliantOptions options = compliant_options(ball);
    options.onset = Onset::procedure_2;
    options.relative_tolerance = options.speed_tolerance = 1e-6;
    options.position_tolerance = 1e-8;
    options.min_step = 1e-7;
    options.max_onset_penetration = 1e-8;
    const Entry found = entry(ball, options);
    EXPECT_EQ(found.warned, found.depth > options.max_onset_penetration ? 1 : 0);
    EXPECT_LT(found.depth, Exact(ball).speed * options.min_step);
    EXPECT_LE(found.gained,
              stored(ball, std::max(found.depth, options.max_onset_penetration)) + 1e-3);
    warned += found.warned > 0;
  }
  EXPECT_GE(warned, 1);
}

TEST(FallingBall, LosesUnderProcedureOneAsTheSquareOfTheStep) {
  // Linear interpolation over a step h, a share s of it into the fall: the ball is ½s(1−s)g h²
  // below the parabola, and by that much too low in energy (theory 10.4). Steps that the onset
  // divides in the same ratio show the order.
  const Example ball(file);
  const Exact exact(ball);
  const double share = 0.3;
  const auto error = [&](int steps) {
    const double h = exact.contact / (steps + share);
    CompliantOptions options = compliant_options(ball);
    options.integrator = OdeMethod::rk4;
    options.onset = Onset::procedure_1;
    options.step = h;
    State met;
    run(ball, options, 0.5, [&](const State& state, const StepResult&) {
      met = state;
      return state.t < exact.contact - 0.1 * h;
    });
    const BodyMotion motion = ball.body(met, "ball");
    const double v = motion.v_W.y();
    const double energy = exact.g * motion.p_W.y() + v * v / 2;
    const double lost = exact.g * ball["height"] - energy;
    EXPECT_NEAR(motion.p_W.y(), exact.radius, 1e-12);
    EXPECT_NEAR(lost, share * (1 - share) / 2 * exact.g * exact.g * h * h, 0.02 * lost);
    return std::abs(lost);
  };
  EXPECT_NEAR(observed_order(error, 20, 160), 2, 0.02);
}

}  // namespace
}  // namespace backlash::test::falling_ball
