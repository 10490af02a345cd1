// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "support/models.h"

/// Mechanisms whose contacts last, as texts of model files without `backlash: 1`, with what is
/// known of them in closed form.
namespace backlash::test::lasting {

inline constexpr double g = 9.81;  // [m/s²]

inline std::string in_coordinates(std::string_view coordinates) {
  return fmt::format("simulation: {{coordinates: {}}}\n", coordinates);
}

struct Swing {
  double angle = 0, rate = 0;  ///< from the lowest point [rad, rad/s]
};

/// A mechanism that is a pendulum while its contacts last.
struct Pendular {
  std::string text;
  Swing start;
  double stiffness = 0;  ///< a of θ̈ = −a sin θ [1/s²]
  std::size_t contacts = 1;
  /// The normal forces when it is there, in the order of the contacts [N].
  std::function<std::array<double, 2>(const Swing&)> forces;
};

/// A bead that loops in a ring: from √(5 g c) = 2.215 m/s on.
inline Pendular bead() {
  constexpr double m = 0.2, c = 0.1, v0 = 2.6;
  Pendular mechanism;
  mechanism.text = fmt::format(
      "gravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0}}\n"
      "bodies:\n  ground: {{shapes: {{guide: {{ring: {}}}}}}}\n"
      "  bead: {{mass: {}, inertia: 1e-5, shape: {{point: [0, 0]}}, initial: {{position: [0, -{}], "
      "velocity: [{}, 0]}}}}\n"
      "contacts:\n  touch: {{between: [ground.guide, bead], law: hard}}\n",
      g, c, m, c, v0);
  mechanism.start = {0, v0 / c};
  mechanism.stiffness = g / c;
  mechanism.forces = [](const Swing& s) {
    return std::array{m * c * s.rate * s.rate + m * g * std::cos(s.angle), 0.0};
  };
  return mechanism;
}

/// A disc that rolls in a ring, in swings of 30 degrees.
inline Pendular disc() {
  constexpr double m = 2, r = 0.05, R = 0.25, angle = 0.5;
  Pendular mechanism;
  mechanism.text = fmt::format(
      "gravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0.6}}\n"
      "bodies:\n  ground: {{shapes: {{guide: {{ring: {}}}}}}}\n"
      "  disc: {{mass: {}, inertia: {}, shape: {{circle: {}}}, initial: {{position: [{}, {}]}}}}\n"
      "contacts:\n  touch: {{between: [ground.guide, disc], law: hard}}\n",
      g, R, m, m * r * r / 2, r, (R - r) * std::sin(angle), -(R - r) * std::cos(angle));
  mechanism.start = {angle, 0};
  mechanism.stiffness = g / (1.5 * (R - r));
  mechanism.forces = [](const Swing& s) {
    return std::array{m * (R - r) * s.rate * s.rate + m * g * std::cos(s.angle), 0.0};
  };
  return mechanism;
}

/// A rod whose ends slide in a ring: N₁ and N₂ point to its centre, β off the rod's middle.
inline Pendular rod() {
  constexpr double m = 1.5, a = 0.12, R = 0.2, angle = 0.6;
  const double d = std::sqrt(R * R - a * a), J = d * d + a * a / 3;
  Pendular mechanism;
  mechanism.text = fmt::format(
      "gravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0}}\n"
      "bodies:\n  ground: {{shapes: {{guide: {{ring: {}}}}}}}\n"
      "  rod: {{mass: {}, inertia: {}, shapes: {{left: {{point: [-{}, 0]}}, right: {{point: [{}, "
      "0]}}}}, initial: {{position: [{}, {}], angle: {}}}}}\n"
      "contacts:\n  left: {{between: [ground.guide, rod.left], law: hard}}\n"
      "  right: {{between: [ground.guide, rod.right], law: hard}}\n",
      g, R, m, m * a * a / 3, a, a, d * std::sin(angle), -d * std::cos(angle), angle);
  mechanism.start = {angle, 0};
  mechanism.stiffness = g * d / J;
  mechanism.contacts = 2;
  mechanism.forces = [=](const Swing& s) {
    const double sum = (m * g * std::cos(s.angle) + m * d * s.rate * s.rate) / (d / R);
    const double difference = m * g * std::sin(s.angle) * (1 - d * d / J) / (a / R);
    return std::array{(sum + difference) / 2, (sum - difference) / 2};
  };
  return mechanism;
}

/// A journal that circles in a bearing without weight: its place, speed and force stay.
struct Journal {
  double friction = 0, radius = 0.01;         ///< of the journal; 0: a bead [m]
  double mass = 2, play = 1e-3, speed = 0.5;  ///< at the start [kg, m, m/s]

  double force(double v) const { return mass * v * v / play; }
  double speed_at(double t) const { return speed / (1 + friction * speed * t / play); }
  double angle_at(double t) const {
    return friction > 0 ? std::log(1 + friction * speed * t / play) / friction : speed / play * t;
  }
  std::string text() const {
    return fmt::format(
        "laws:\n  hard: {{restitution: 0.5, friction: {}}}\n"
        "bodies:\n  shaft: {{mass: {}, inertia: 0.01}}\n"
        "joints:\n  pin: {{type: revolute, between: [ground, shaft], at: [[0, 0], [0, 0]], "
        "clearance: {{gap: {}, journal_radius: {}, law: hard}}}}\n",
        friction, mass, play, radius);
  }
};

/// It starts on the right of its bearing.
inline Assembly circling(const Journal& journal, std::string_view coordinates) {
  Assembly assembly = assembled(journal.text() + in_coordinates(coordinates));
  assembly.start.q.head<2>() = Vec2(journal.play, 0);
  assembly.start.u.head<2>() = Vec2(0, journal.speed);
  return assembly;
}

/// A flat follower on an eccentric disc.
struct Follower {
  double m = 0.5, k = 2000, e = 0.01, omega = 30, F0 = 20, r = 0.03;

  double lift(double t) const { return r + e * std::sin(omega * t); }
  double force(double t) const {
    const double phase = std::sin(omega * t);
    return F0 + m * g + k * e * (1 + phase) - m * e * omega * omega * phase;
  }
  std::string text() const {
    return fmt::format(
        "gravity: [0, -{}]\nlaws:\n  hard: {{restitution: 0.5, friction: 0}}\n"
        "bodies:\n  cam: {{mass: 1, inertia: 1e-3, shape: {{circle: {}, at: [{}, 0]}}}}\n"
        "  follower: {{mass: {}, inertia: 1e-3, shape: {{line: {{point: [0, 0], normal: [0, "
        "-1]}}}}}}\n"
        "joints:\n  shaft: {{type: revolute, between: [ground, cam], at: [[0, 0], [0, 0]], "
        "drive: {{speed: {}}}}}\n"
        "  guide: {{type: prismatic, between: [ground, follower], at: [[0, 0], [0, 0]], axis: [0, "
        "1], initial: {{position: {}, speed: {}}}}}\n"
        "forces:\n  spring: {{type: joint_spring, joint: guide, stiffness: {}, rest: {}}}\n"
        "contacts:\n  touch: {{between: [cam, follower], law: hard}}\n",
        g, r, e, m, omega, r, e * omega, k, r - e - F0 / k);
  }
};

/// A floor that turns slowly with a block on it, its middle above the axis at the height h: it
/// holds until g sin α = μ (g cos α − ω² h).
struct RisingSlope {
  double mu = 0.5, omega = 0.1, h = 0.05;  ///< [rad/s, m]

  double last_angle() const {
    double alpha = std::atan(mu);
    for (int i = 0; i < 20; ++i)
      alpha = std::atan(mu * (1 - omega * omega * h / (g * std::cos(alpha))));
    return alpha;
  }
  std::string text() const {
    return fmt::format(
        "gravity: [0, -{}]\nlaws:\n  rough: {{restitution: 0, friction: {}}}\n"
        "bodies:\n  slope: {{mass: 1, inertia: 1, shape: {{line: {{normal: [0, 1]}}}}}}\n"
        "  block: {{mass: 2, inertia: 0.01, shape: {{box: [0.2, {}]}}, initial: {{position: "
        "[0, {}], velocity: [-{}, 0], speed: {}}}}}\n"
        "joints:\n  axis: {{type: revolute, between: [ground, slope], drive: {{speed: {}}}}}\n"
        "contacts:\n  feet: {{between: [slope, block], law: rough}}\n",
        g, mu, 2 * h, h, omega * h, omega, omega);
  }
};

/// A wheel on a belt, with a damper at its axle: ω = v/r, friction cω/r.
struct DampedWheel {
  double damping = 1e-3, J = 1e-4, r = 0.1, v = 0.4;

  double rate() const { return v / r; }
  double friction() const { return damping * rate() / r; }
  std::string text() const {
    return fmt::format(
        "gravity: [0, -{}]\nlaws:\n  rough: {{restitution: 0, friction: 0.5}}\n"
        "bodies:\n  belt: {{mass: 1, inertia: 1, shape: {{line: {{normal: [0, 1]}}}}}}\n"
        "  carrier: {{mass: 0.5, inertia: 1e-3}}\n"
        "  wheel: {{mass: 0.5, inertia: {}, shape: {{circle: {}}}}}\n"
        "joints:\n"
        "  rollers: {{type: prismatic, between: [ground, belt], axis: [1, 0], drive: "
        "{{speed: {}}}}}\n"
        "  lift: {{type: prismatic, between: [ground, carrier], axis: [0, 1], initial: "
        "{{position: {}}}}}\n"
        "  axle: {{type: revolute, between: [carrier, wheel]}}\n"
        "forces:\n  drag: {{type: joint_spring, joint: axle, stiffness: 0, damping: {}}}\n"
        "contacts:\n  tread: {{between: [belt, wheel], law: rough}}\n",
        g, J, r, v, r, damping);
  }
};

/// A crank and a rocker, driven; `play`: keys of the joint C, empty: an ideal pin.
inline std::string four_bar(const std::string& play) {
  return fmt::format(
      "gravity: [0, -{}]\nlaws:\n  steel: {{restitution: 0, friction: 0.3}}\n"
      "bodies:\n  crank: {{mass: 0.2, inertia: 2e-4, com: [0.05, 0]}}\n"
      "  coupler: {{mass: 0.5, inertia: 5e-3, com: [0.15, 0]}}\n"
      "  rocker: {{mass: 0.4, inertia: 3e-3, com: [0.1, 0]}}\n"
      "joints:\n  A: {{type: revolute, between: [ground, crank], initial: {{angle: 1}}, drive: "
      "{{speed: 4}}}}\n"
      "  B: {{type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]]}}\n"
      "  D: {{type: revolute, between: [ground, rocker], at: [[0.3, 0], [0, 0]], initial: {{guess: "
      "1.4}}}}\n"
      "  C: {{type: revolute, between: [coupler, rocker], at: [[0.3, 0], [0.2, 0]]{}}}\n",
      g, play);
}

inline std::string four_bar(double play) {
  return four_bar(fmt::format(", clearance: {{gap: {}, journal_radius: 0, law: steel}}", play));
}

/// The angle of its rocker where the crank has that angle and the pin is ideal: the rocker's end is
/// where circles about the crank's end and the rocker's axis meet.
inline double ideal_rocker(double crank) {
  const double x = 0.1 * std::cos(crank) - 0.3, y = 0.1 * std::sin(crank);  // from D to B
  const double d = std::hypot(x, y), to_B = std::atan2(y, x);
  const double angle = to_B - std::acos((d * d + 0.2 * 0.2 - 0.3 * 0.3) / (2 * d * 0.2));
  return angle < 0 ? angle + 2 * M_PI : angle;
}

}  // namespace backlash::test::lasting
