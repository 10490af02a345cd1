// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Friction that grows with what a joint carries (theory 6.19), and that is larger while it sticks
// (theory 3.13).

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::joint_friction {
namespace {

constexpr double g = 9.81;
constexpr const char* both_coordinates[] = {"joint", "absolute"};

/// Angle and rate of the only body, or its place and velocity along x.
struct Rotation {
  double angle, speed;
};
Rotation rotation(const System& system, const State& state) {
  const BodyMotion motion = motion_of(system, state);
  return {motion.angle, motion.w_W.z()};
}
struct Travel {
  double x, v;
};
Travel travel(const System& system, const State& state) {
  const BodyMotion motion = motion_of(system, state);
  return {motion.p_W.x(), motion.v_W.x()};
}

State run_compliant(const Assembly& assembly, double until, double speed) {
  CompliantOptions options;
  options.smoothing.speed = speed;
  options.relative_tolerance = 1e-9;
  Compliant integrator(*assembly.system, options);
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, until);
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status);
  return state;
}

// A lever on a pin, horizontal at the start: mass 2, inertia J_c, its centre `offset` from the pin.
constexpr double m = 2, J_c = 0.01, mu = 0.2, r = 0.05;

Assembly lever(double offset, const std::string& friction, const std::string& coordinates,
               const std::string& more = "") {
  return assembled(fmt::format(R"(
gravity: [0, -9.81]
bodies: {{lever: {{mass: {}, inertia: {}, com: [{}, 0]}}}}
joints: {{pin: {{type: revolute, between: [ground, lever], friction: {{{}}}{}}}}}
simulation: {{coordinates: {}}}
)",
                               m, J_c, offset, friction, more, coordinates));
}
const std::string pin = fmt::format("coefficient: {}, radius: {}", mu, r);

TEST(PinFriction, HoldsAWeightIfItHangsWithinTheCircleOfFriction) {
  for (const char* coordinates : both_coordinates)
    for (const double side : {1.0, -1.0}) {
      const Assembly held = lever(side * 0.99 * mu * r, pin, coordinates);
      for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
        const State end = run(*held.system, held.start, 1e-3, 0.5, {.scheme = scheme});
        EXPECT_NEAR(rotation(*held.system, end).angle, 0, 1e-12);
        EXPECT_NEAR(rotation(*held.system, end).speed, 0, 1e-12);
      }
    }
}

/// α (J_c + m e²) = m e g − μ r N with N = m (g − α e).
TEST(PinFriction, LetsItFallBeyondWithWhatIsLeft) {
  for (const char* coordinates : both_coordinates) {
    const double e = 1.5 * mu * r, t = 1e-3;
    const double alpha = m * g * (e - mu * r) / (J_c + m * e * e - mu * r * m * e);
    const Assembly assembly = lever(e, pin, coordinates);
    for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
      const State end = run(*assembly.system, assembly.start, t / 100, t, {.scheme = scheme});
      EXPECT_NEAR(rotation(*assembly.system, end).speed, -alpha * t, 1e-6 * alpha * t);
    }
    const State smooth = run_compliant(assembly, t, 1e-9);
    EXPECT_NEAR(rotation(*assembly.system, smooth).speed, -alpha * t, 1e-4 * alpha * t);
  }
}

TEST(PinFriction, SlowsALoadedJournalEvenlyUntilItStopsForGood) {
  const double omega = 3, alpha = mu * m * g * r / J_c, t_stop = omega / alpha;
  for (const char* coordinates : both_coordinates) {
    const Assembly assembly = lever(0, pin, coordinates, ", initial: {speed: 3}");
    const EnergyLedger start = energy_ledger(*assembly.system, assembly.start);
    for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
      const MoreauOptions options{.scheme = scheme};
      const State on = run(*assembly.system, assembly.start, 1e-3, 0.1, options);
      EXPECT_NEAR(rotation(*assembly.system, on).speed, omega - alpha * on.t, 1e-10);
      const State end = run(*assembly.system, assembly.start, 1e-3, 2 * t_stop, options);
      EXPECT_NEAR(rotation(*assembly.system, end).speed, 0, 1e-12);
      EXPECT_NEAR(rotation(*assembly.system, end).angle, omega * t_stop / 2, 1e-3 * omega);
      const EnergyLedger ledger = energy_ledger(*assembly.system, end);
      EXPECT_NEAR(ledger.relays, -0.5 * J_c * omega * omega, 1e-12);
      EXPECT_NEAR(energy_imbalance(start, ledger), 0, 1e-12);
    }
    const State smooth = run_compliant(assembly, 0.1, 1e-5);
    EXPECT_NEAR(rotation(*assembly.system, smooth).speed, omega - alpha * smooth.t, 1e-7);
    EXPECT_NEAR(energy_imbalance(start, energy_ledger(*assembly.system, smooth)), 0, 1e-8);
  }
}

TEST(PinFriction, AddsToTheConstantStrength) {
  const double strength = 0.1, alpha = (strength + mu * m * g * r) / J_c;
  const Assembly assembly = lever(0, pin + ", strength: 0.1", "joint", ", initial: {speed: 5}");
  const State end = run(*assembly.system, assembly.start, 1e-3, 0.1);
  EXPECT_NEAR(rotation(*assembly.system, end).speed, 5 - alpha * end.t, 1e-10);
}

/// Without weight the pin carries what holds the body on its circle and what slows it:
/// N = m l √(ω⁴ + ω̇²), so that ω̇ = −c ω² with c = a/√(1 − a²), a = μ r m l/J.
TEST(PinFriction, OfAWhirlingBodyIsOfSecondOrder) {
  const double l = 0.5, J = J_c + m * l * l, a = mu * r * m * l / J, omega = 20, t = 0.5;
  const double c = a / std::sqrt(1 - a * a), exact = omega / (1 + c * omega * t);
  for (const char* coordinates : both_coordinates) {
    const Assembly assembly = assembled(fmt::format(R"(
bodies: {{arm: {{mass: {}, inertia: {}, com: [0.5, 0]}}}}
joints: {{pin: {{type: revolute, between: [ground, arm], friction: {{{}}}, initial: {{speed: 20}}}}}}
simulation: {{coordinates: {}}}
)",
                                                    m, J_c, pin, coordinates));
    const auto error = [&](int steps) {
      const State end = run(*assembly.system, assembly.start, t / steps, t);
      return std::abs(rotation(*assembly.system, end).speed - exact);
    };
    EXPECT_LT(error(1000), 1e-4 * omega);
    EXPECT_GT(observed_order(error, 500, 1000), 1.9);
    const State smooth = run_compliant(assembly, t, 1e-5);
    EXPECT_NEAR(rotation(*assembly.system, smooth).speed, exact, 1e-6 * omega);
  }
}

// A slider on a straight guide.
constexpr double length = 0.06;
const std::string guide = fmt::format("coefficient: {}, length: {}", mu, length);

Assembly slider(const std::string& body, const std::string& friction, const std::string& joint,
                const std::string& rest, const std::string& coordinates) {
  return assembled(fmt::format(R"(
bodies: {{slider: {{mass: {}, inertia: {}, {}}}}}
joints: {{rail: {{type: prismatic, between: [ground, slider], friction: {{{}}}{}}}}}
simulation: {{coordinates: {}}}
{}
)",
                               m, J_c, body, friction, joint, coordinates, rest));
}

/// Pushed along the axis at a lever a, the guide carries ±P a/L at its ends.
std::string push(double force, double lever) {
  return fmt::format("forces: {{push: {{type: force, body: slider, at: [0, {}], force: [{}, 0]}}}}",
                     lever, force);
}

TEST(GuideFriction, LocksItselfBeyondTheLeverThatLengthAndFrictionGive) {
  const double critical = length / (2 * mu), P = 50, t = 0.1;
  for (const char* coordinates : both_coordinates)
    for (const double side : {1.0, -1.0}) {
      const Assembly locked =
          slider("com: [0, 0]", guide, "", push(side * P, 1.01 * critical), coordinates);
      const State held = run(*locked.system, locked.start, 1e-3, t);
      EXPECT_NEAR(travel(*locked.system, held).v, 0, 1e-12);
      EXPECT_NEAR(travel(*locked.system, held).x, 0, 1e-13);
      const double lever = 0.75 * critical, a = side * P / m * (1 - lever / critical);
      const Assembly free = slider("com: [0, 0]", guide, "", push(side * P, lever), coordinates);
      const State end = run(*free.system, free.start, 1e-3, t);
      EXPECT_NEAR(travel(*free.system, end).v, a * t, 1e-10);
      const State smooth = run_compliant(free, t, 1e-6);
      EXPECT_NEAR(travel(*free.system, smooth).v, a * t, 1e-5);
    }
}

/// Of a force across the axis and a moment the larger one counts: max(F, 2 M/L).
TEST(GuideFriction, TakesBothEndsOfTheGuide) {
  const double F = 30, t = 0.05, v = 2;
  for (const char* coordinates : both_coordinates)
    for (const double lever : {0.0, 0.4 * length, 0.6 * length, 3 * length}) {
      const Assembly assembly = slider(
          "com: [0, 0]", guide, ", initial: {speed: 2}",
          fmt::format(
              "forces: {{press: {{type: force, body: slider, at: [{}, 0], force: [0, {}]}}}}",
              lever, -F),
          coordinates);
      const double pressed = F * std::max(1.0, 2 * lever / length);
      const State end = run(*assembly.system, assembly.start, 1e-3, t);
      EXPECT_NEAR(travel(*assembly.system, end).v, std::max(0.0, v - mu * pressed / m * t), 1e-10)
          << lever;
    }
}

/// With its centre of mass at c along and d above the axis a slider that slows loads its guide by
/// that: a = 2 μ g c/(L − 2 μ d). Beyond d = L/(2μ) there is no such motion, and it jams at once.
TEST(GuideFriction, JamsASliderWhoseCentreOfMassIsHighAboveItsGuide) {
  const double c = 0.05, v = 0.5, t = 0.02;
  const auto make = [&](double d, const char* coordinates) {
    return slider(fmt::format("com: [{}, {}]", c, d), guide, ", initial: {speed: 0.5}",
                  "gravity: [0, -9.81]", coordinates);
  };
  for (const char* coordinates : both_coordinates) {
    const double d = 0.8 * length / (2 * mu), a = 2 * mu * g * c / (length - 2 * mu * d);
    ASSERT_LT(a * t, v);
    const Assembly sliding = make(d, coordinates);
    const State end = run(*sliding.system, sliding.start, 1e-3, t);
    EXPECT_NEAR(travel(*sliding.system, end).v, v - a * t, 1e-9);
    const Assembly jammed = make(1.2 * length / (2 * mu), coordinates);
    const EnergyLedger start = energy_ledger(*jammed.system, jammed.start);
    const State stopped = run(*jammed.system, jammed.start, 1e-3, 1e-3);
    EXPECT_NEAR(travel(*jammed.system, stopped).v, 0, 1e-12);
    const EnergyLedger ledger = energy_ledger(*jammed.system, stopped);
    EXPECT_NEAR(ledger.relays, -0.5 * m * v * v, 1e-10);
    EXPECT_NEAR(energy_imbalance(start, ledger), 0, 1e-10);
  }
}

TEST(SlotFriction, OfAPinIsThatOfTheForceAcross) {
  for (const char* coordinates : both_coordinates) {
    const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -9.81]
bodies: {{pin: {{mass: {}, inertia: {}}}}}
joints: {{slot: {{type: point_on_line, between: [ground, pin], friction: {{coefficient: {}}},
                initial: {{velocity: 2, speed: 7}}}}}}
simulation: {{coordinates: {}}}
)",
                                                    m, J_c, mu, coordinates));
    const State end = run(*assembly.system, assembly.start, 1e-3, 0.1);
    EXPECT_NEAR(travel(*assembly.system, end).v, 2 - mu * g * end.t, 1e-10);
    EXPECT_NEAR(rotation(*assembly.system, end).speed, 7, 1e-10);
  }
}

/// A slider-crank with friction in these joints, after 0.2 s of its turning on by itself.
double crank_angle(const std::string& joints, const char* coordinates, int steps) {
  std::string text = ideal_slider_crank(30);
  for (const std::string joint : {"main", "big", "small", "guide"}) {
    if (joints.find(joint) == std::string::npos) continue;
    const std::size_t at = text.find('{', text.find("  " + joint + ":"));
    text.insert(at + 1, joint == "guide" ? "friction: {coefficient: 0.1, length: 40 mm}, "
                                         : "friction: {coefficient: 0.1, radius: 8 mm}, ");
  }
  const Assembly assembly =
      assembled(text + fmt::format("simulation: {{coordinates: {}}}\n", coordinates));
  const State state = run(*assembly.system, assembly.start, 0.2 / steps, 0.2);
  const EnergyLedger start = energy_ledger(*assembly.system, assembly.start);
  const EnergyLedger ledger = energy_ledger(*assembly.system, state);
  EXPECT_LT(ledger.relays, -0.05 * start.kinetic);
  EXPECT_NEAR(energy_imbalance(start, ledger), 0, 1e-4 * start.kinetic);
  return rotation(*assembly.system, state).angle;
}

TEST(JointFriction, InALoopIsOfSecondOrderInBothCoordinates) {
  const std::string never_reversed = "main big";
  const double exact = crank_angle(never_reversed, "joint", 16000);
  for (const char* coordinates : both_coordinates) {
    const auto error = [&](int steps) {
      return std::abs(crank_angle(never_reversed, coordinates, steps) - exact);
    };
    EXPECT_LT(error(2000), 2e-5) << coordinates;
    EXPECT_GT(observed_order(error, 1000, 2000), 1.7) << coordinates;
  }
}

TEST(JointFriction, OfAllJointsOfALoopIsTheSameInBothCoordinates) {
  const std::string all = "main big small guide";
  const double expected = crank_angle(all, "joint", 8000);
  EXPECT_NEAR(crank_angle(all, "absolute", 8000), expected, 1e-5);
}

// Static and kinetic coefficients.
const std::string two_coefficients = fmt::format("static: 0.3, kinetic: 0.2, radius: {}", r);

std::string twist(const std::string& torque) {
  return fmt::format("forces: {{twist: {{type: joint_force, joint: pin, force: {}}}}}", torque);
}

TEST(StaticFriction, OfAJointIsTornLooseAtItsOwnAndRubsByTheKineticOne) {
  const double limit = 0.3 * m * g * r, kinetic = 0.2 * m * g * r, rate = 1;  // rate: [N m/s]
  const double t_loose = limit / rate, until = t_loose + 0.1;
  for (const char* coordinates : both_coordinates) {
    const Assembly assembly =
        assembled(fmt::format(R"(
gravity: [0, -9.81]
bodies: {{rotor: {{mass: {}, inertia: {}}}}}
joints: {{pin: {{type: revolute, between: [ground, rotor], friction: {{{}}}}}}}
{}
simulation: {{coordinates: {}}}
)",
                              m, J_c, two_coefficients, twist("1*t"), coordinates));
    for (const Scheme scheme : {Scheme::midpoint, Scheme::theta}) {
      const double step = 1e-4;
      const MoreauOptions options{.scheme = scheme};
      const State before = run(*assembly.system, assembly.start, step, t_loose - 2 * step, options);
      EXPECT_NEAR(rotation(*assembly.system, before).speed, 0, 1e-13);
      const State end = run(*assembly.system, assembly.start, step, until, options);
      const double speed =
          (0.5 * rate * (until * until - t_loose * t_loose) - kinetic * (until - t_loose)) / J_c;
      EXPECT_NEAR(rotation(*assembly.system, end).speed, speed, 2 * (limit - kinetic) * step / J_c);
    }
  }
}

/// Turned against a load between the two limits a rotor stops, and stays; with the kinetic
/// coefficient alone it would turn back.
TEST(StaticFriction, OfAJointHoldsWhatComesToRest) {
  const double kinetic = 0.2 * m * g * r, load = 0.25 * m * g * r, omega = 2;
  const double t_stop = omega * J_c / (load + kinetic);
  for (const char* coordinates : both_coordinates)
    for (const bool holds : {true, false}) {
      const Assembly assembly = assembled(fmt::format(
          R"(
gravity: [0, -9.81]
bodies: {{rotor: {{mass: {}, inertia: {}}}}}
joints: {{pin: {{type: revolute, between: [ground, rotor], friction: {{{}}}, initial: {{speed: -2}}}}}}
{}
simulation: {{coordinates: {}}}
)",
          m, J_c, holds ? two_coefficients : fmt::format("coefficient: 0.2, radius: {}", r),
          twist(fmt::format("{}", load)), coordinates));
      const State end = run(*assembly.system, assembly.start, 1e-4, t_stop + 0.1);
      const double turned_back = (load - kinetic) * 0.1 / J_c;
      const double in_the_step_of_reversal = 2 * kinetic * 1e-4 / J_c;
      EXPECT_NEAR(rotation(*assembly.system, end).speed, holds ? 0 : turned_back,
                  holds ? 1e-12 : in_the_step_of_reversal);
    }
}

/// A block on a plane of the slope tan φ, with static .4 and kinetic .2.
Assembly block(double slope, const std::string& friction, double speed) {
  const double phi = std::atan(slope);
  return assembled(fmt::format(R"(
gravity: [{}, {}]
bodies:
  ground: {{shapes: {{plane: {{line: {{normal: [0, 1]}}}}}}}}
  block: {{mass: {}, inertia: 1, shape: {{box: [0.2, 0.1]}},
          initial: {{position: [0, 0.05], velocity: [{}, 0]}}}}
contacts: {{rest: {{between: [block, ground], law: wood}}}}
laws: {{wood: {{friction: {}}}}}
)",
                               -g * std::sin(phi), -g * std::cos(phi), m, speed, friction));
}

TEST(StaticFriction, OfAContactHoldsABlockOnASlopeBetweenTheTwoCoefficients) {
  for_every_solver([](const MoreauOptions& options) {
    const Assembly assembly = block(0.39, "{static: 0.4, kinetic: 0.2}", 0);
    const State end = run(*assembly.system, assembly.start, 1e-3, 0.3, options);
    EXPECT_NEAR(travel(*assembly.system, end).v, 0, 1e-11);
    EXPECT_NEAR(travel(*assembly.system, end).x, 0, 1e-11);
  });
}

TEST(StaticFriction, OfAContactLetsItSlideByTheKineticOneBeyondIt) {
  const double phi = std::atan(0.41), a = -g * (std::sin(phi) - 0.2 * std::cos(phi));
  const Assembly assembly = block(0.41, "{static: 0.4, kinetic: 0.2}", 0);
  const State end = run(*assembly.system, assembly.start, 1e-3, 0.3);
  EXPECT_NEAR(travel(*assembly.system, end).v, a * end.t, 1e-10);
}

TEST(StaticFriction, OfAContactHoldsABlockThatSlidUphillAndCameToRest) {
  const double phi = std::atan(0.3), v = 1;
  const double up = g * (std::sin(phi) + 0.2 * std::cos(phi)), t_stop = v / up;
  const double down = g * (std::sin(phi) - 0.2 * std::cos(phi));
  for (const double step : {1e-3, 1.3e-4}) {
    const Assembly held = block(0.3, "{static: 0.4, kinetic: 0.2}", v);
    const State end = run(*held.system, held.start, step, t_stop + 0.2);
    EXPECT_NEAR(travel(*held.system, end).v, 0, 1e-11);
    EXPECT_NEAR(travel(*held.system, end).x, v * t_stop / 2, 2 * v * step);
    const Assembly back = block(0.3, "0.2", v);
    const State returned = run(*back.system, back.start, step, t_stop + 0.2);
    const double in_the_step_of_reversal = 2 * 0.2 * g * step;
    EXPECT_NEAR(travel(*back.system, returned).v, -down * 0.2, in_the_step_of_reversal);
  }
}

}  // namespace
}  // namespace backlash::test::joint_friction
