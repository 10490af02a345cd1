// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contact that lasts is of order 2 in position, velocity and force (theory 4.11): every shape on
// every other that it may slide on, every clearance, stop and coupling with play, with every
// set-valued law that matters while contact lasts, in both choices of coordinates.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "support/models.h"

namespace backlash::test::lasting_contact_order {
namespace {

/// What the law of a contact does while it lasts.
struct Law {
  const char* name;
  const char* keys;
  enum Does { nothing, slides, sticks } does;
  bool everywhere = false;  ///< or where one mechanism of each kind will do
};
constexpr Law laws[] = {
    {"frictionless", "restitution: 0.3", Law::nothing, true},
    {"frictionless, plastic", "restitution: 0", Law::nothing},
    {"sliding", "restitution: 0.3, friction: 0.1", Law::slides, true},
    {"sliding, Poisson", "restitution: 0.3, friction: 0.1, impact: poisson", Law::slides},
    {"sliding, Stronge", "restitution: 0.3, friction: 0.1, impact: stronge", Law::slides},
    {"sliding, static friction", "restitution: 0, friction: {static: 0.15, kinetic: 0.1}",
     Law::slides},
    {"sticking", "restitution: 0.3, friction: 2", Law::sticks, true},
    {"sticking, static friction", "restitution: 0, friction: {static: 2, kinetic: 0.3}",
     Law::sticks},
};

using Numbers = std::vector<double>;

/// A mechanism whose contacts last. Places x of its text are found so that contacts are closed at
/// the start, speeds v so that they stay closed and, if they are to stick, do not slide.
struct Lasting {
  std::string name;
  double step = 1e-3, until = 0.1;  ///< [s]
  std::function<std::string(const Law&, const Numbers& x, const Numbers& v)> text{};
  std::size_t contacts = 1;
  Numbers places{0};  ///< where the search begins: as many as there are gaps to close
  std::size_t sticking_speeds = 2;
  bool may_slide = true, may_stick = true;
  bool all_laws = true;
  std::function<void(State&)> prepare{};  ///< says what the text cannot say of the start
};

std::string with(const std::string& text, const Law& law, const char* coordinates) {
  return fmt::format(
      "{}laws: {{law: {{{}}}}}\nsimulation: {{coordinates: {}, initial_penetration: 0.5}}\n", text,
      law.keys, coordinates);
}

struct Named {
  const char *name, *shape;
};

constexpr Named tips[] = {
    {"circle", "circle: 20 mm, at: [0.3, 0]"},
    {"point", "point: [0.3, 0]"},
    {"box", "box: [30 mm, 30 mm], at: [0.3, 0], angle: 40 deg"},
    {"capsule", "capsule: {from: [0.3, 0], to: [0.28, 0.08], radius: 15 mm}"},
    {"profile", "profile: toe, at: [0.3, 0]"},
    {"outline",
     "outline: {path: [[0.29, -0.02], {to: [0.31, -0.02], radius: 0.0115}, [0.31, 0.02], [0.29, "
     "0.02]]}"}};
constexpr Named flats[] = {
    {"line", "line: {point: [0, 0], normal: [0, -1]}"},
    {"side of a box", "box: [200 mm, 20 mm], at: [0.28, 0]"},
    {"segment", "segment: [[0.2, 0], [0.35, 0]]"},
    {"side of a capsule", "capsule: {from: [0.15, 0], to: [0.4, 0], radius: 10 mm}"}};
constexpr Named round_rotors[] = {
    {"circle", "circle: 40 mm, at: [8 mm, 4 mm]"},
    {"cam", "cam: {radius: 40 mm + 4 mm*sin(phi) + 3 mm*cos(2*phi)}"},
    {"profile", "profile: egg"},
    {"outline",
     "outline: {path: [[60 mm, 30 mm], {to: [-60 mm, 30 mm], radius: 90 mm}, [-60 mm, -30 mm], "
     "[60 mm, -30 mm]]}"},
    {"arc", "arc: {centre: [5 mm, -20 mm], radius: 65 mm, from: 20 deg, to: 160 deg}"}};
constexpr Named other_rotors[] = {
    {"line", "line: {point: [0, 40 mm], normal: [0.1, 1]}"},
    {"segment", "segment: [[80 mm, 38 mm], [-80 mm, 42 mm]]"},
    {"side of a box", "box: [160 mm, 80 mm]"},
    {"side of a capsule", "capsule: {from: [-80 mm, 0], to: [80 mm, 0], radius: 40 mm}"},
    {"inside of an arc",
     "arc: {centre: [5 mm, 0.2], radius: 160 mm, from: 200 deg, to: 340 deg, side: inside}"},
    {"ring", "ring: 160 mm, at: [5 mm, 0.2]"},
    {"hollow of a profile", "profile: hollow"}};

/// The profiles that two bodies have: it takes long to prepare them.
std::string profiles_of(const Named& tip, const Named& rotor) {
  constexpr Named profiles[] = {
      {"egg",
       "[[48 mm, 0], [30 mm, 40 mm], [-30 mm, 33 mm], [-40 mm, 0], [-30 mm, -30 mm], [30 mm, -40 "
       "mm]]"},
      {"toe", "[[24 mm, 0], [0, 20 mm], [-24 mm, 0], [0, -22 mm]]"},
      {"hollow", "[[90 mm, 70 mm], [40 mm, 30 mm], [-40 mm, 32 mm], [-90 mm, 70 mm]]"}};
  std::string text;
  for (const auto& [name, points] : profiles)
    for (const Named& body : {tip, rotor})
      if (std::string_view(body.shape).starts_with(fmt::format("profile: {}", name)))
        text += fmt::format("  {}: {{{}, points: {}}}\n", name,
                            name == std::string_view("hollow") ? "degree: 3" : "periodic: true",
                            points);
  return text.empty() ? "" : "profiles:\n" + text;
}

/// A rotor that swings about the origin, and a lever that a spring presses on it, pivoted on a
/// carriage that stands still unless the contact sticks.
Lasting lever(const Named& tip, const Named& rotor) {
  Lasting mechanism{.name = fmt::format("{} on {}", tip.name, rotor.name)};
  mechanism.all_laws = std::string_view(tip.name) == "circle";
  mechanism.text = [=](const Law& law, const Numbers& x, const Numbers& v) {
    const bool moves = law.does == Law::sticks;
    return fmt::format(R"(
gravity: [0, -9.81]
{}bodies:
  carriage: {{mass: 0.4, inertia: 1e-3}}
  lever: {{mass: 0.5, inertia: 4e-3, com: [0.15, 0], shape: {{{}}}}}
  rotor: {{mass: 1, inertia: 0.02, com: [2 mm, 5 mm], shape: {{{}}}}}
joints:
  rail: {{type: prismatic, between: [ground, carriage], at: [[-0.3, 0.07], [0, 0]], initial: {{position: 0, speed: {}}}{}}}
  pivot: {{type: revolute, between: [carriage, lever], initial: {{angle: {}, speed: {}}}}}
  axis: {{type: revolute, between: [ground, rotor], initial: {{angle: 0.2, speed: -2}}}}
forces:
  press: {{type: joint_spring, joint: pivot, stiffness: 5, preload: -3}}
  turn: {{type: joint_spring, joint: axis, stiffness: 0.5, damping: 0.01}}
  back: {{type: joint_spring, joint: rail, stiffness: 200, damping: 2}}
contacts: {{touch: {{between: [rotor, lever], law: law}}}}
)",
                       profiles_of(tip, rotor), tip.shape, rotor.shape, moves ? v[1] : 0,
                       moves ? "" : ", drive: {speed: 0}", x[0], v[0]);
  };
  return mechanism;
}

/// What is driven, turned or pushed so that sliding does not end, or does not begin.
const char* pick(const Law& law, const char* free, const char* slides, const char* sticks) {
  return law.does == Law::nothing ? free : law.does == Law::slides ? slides : sticks;
}

Lasting pendulum_in_bearing() {
  Lasting m{.name = "journal of a pendulum", .step = 1.25e-4, .until = 0.06, .places = {-5e-3}};
  m.text = [](const Law& law, const Numbers& x, const Numbers& v) {
    return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  shaft: {{mass: 1, inertia: 1e-2}}
  pendulum: {{mass: 1, inertia: 0.01, com: [0, -0.2], initial: {{position: [1 mm, {}], angle: 0.4, velocity: [{}, {}], speed: 1}}}}
joints:
  axis: {{type: revolute, between: [ground, shaft], drive: {{speed: {}}}}}
  pin: {{type: revolute, between: [shaft, pendulum], clearance: {{gap: 5 mm, journal_radius: 20 mm, law: law}}}}
)",
                       x[0], v[1], v[0], pick(law, "0", "30", "0"));
  };
  return m;
}

Lasting pendulum_on_parallelogram() {
  Lasting m{.name = "journal on a loop", .step = 1.25e-4, .until = 0.06, .places = {-5e-3}};
  m.text = [](const Law& law, const Numbers& x, const Numbers& v) {
    return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  left: {{mass: 1, inertia: 1/1200, com: [0.05, 0]}}
  right: {{mass: 1, inertia: 1/1200, com: [0.05, 0]}}
  coupler: {{mass: 1, inertia: 1/120, com: [0.15, 0]}}
  rotor: {{mass: 0.1, inertia: 1e-3}}
  pendulum: {{mass: 1, inertia: 0.01, com: [0, -0.2], initial: {{position: [0.151, 0.1 + {}], angle: 0.4, velocity: [{}, {}], speed: 1}}}}
joints:
  A: {{type: revolute, between: [ground, left], initial: {{angle: 90 deg, speed: -3}}}}
  B: {{type: revolute, between: [left, coupler], at: [[0.1, 0], [0, 0]], initial: {{angle: -90 deg, speed: 3}}}}
  C: {{type: revolute, between: [ground, right], at: [[0.3, 0], [0, 0]], initial: {{angle: 90 deg, speed: -3}}}}
  D: {{type: revolute, between: [right, coupler], at: [[0.1, 0], [0.3, 0]]}}
  axis: {{type: revolute, between: [coupler, rotor], at: [[0.15, 0], [0, 0]], drive: {{speed: {}}}}}
  pin: {{type: revolute, between: [rotor, pendulum], clearance: {{gap: 5 mm, journal_radius: 20 mm, law: law}}}}
)",
                       x[0], v[1], v[0], pick(law, "0", "30", "0"));
  };
  return m;
}

Lasting four_bar() {
  Lasting m{.name = "journal of a four-bar", .step = 1.25e-4, .until = 0.012, .places = {2.14}};
  m.text = [](const Law& law, const Numbers& x, const Numbers& v) {
    return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  crank: {{mass: 0.2, inertia: 2e-4, com: [0.05, 0]}}
  coupler: {{mass: 0.5, inertia: 5e-3, com: [0.08, 0]}}
  bush: {{mass: 0.1, inertia: 1e-4}}
  rocker: {{mass: 0.4, inertia: 3e-3, com: [0.1, 0]}}
joints:
  A: {{type: revolute, between: [ground, crank], initial: {{angle: 1}}, drive: {{speed: 8}}}}
  B: {{type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]], initial: {{angle: -0.4517, speed: {}}}}}
  D: {{type: revolute, between: [ground, rocker], at: [[0.3, 0], [0, 0]], initial: {{angle: {}, speed: {}}}}}
  E: {{type: revolute, between: [coupler, bush], at: [[0.16607, 0], [0, 0]], drive: {{speed: {}}}}}
  C: {{type: revolute, between: [bush, rocker], at: [[0, 0], [0.2, 0]], clearance: {{gap: 4 mm, journal_radius: 30 mm, law: law}}}}
forces:
  load: {{type: torque, body: rocker, torque: 8}}
)",
                       v[1] - 8, x[0], v[0], pick(law, "0", "60", "0"));
  };
  return m;
}

Lasting slider(const char* name, const Numbers& places, const char* push) {
  const std::size_t contacts = places.size();
  Lasting m{.name = name, .step = 1.25e-4, .contacts = contacts, .places = places};
  if (contacts == 1) m.until = 0.018;  // until the other one lands
  m.sticking_speeds = contacts + 1;
  m.may_stick = push[0] == 0;  // wedged in its guide it may carry any force
  m.text = [=](const Law& law, const Numbers& x, const Numbers& v) {
    const double speed = law.does == Law::sticks ? v[contacts] : law.does == Law::slides ? 2 : 0.3;
    return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  carriage: {{mass: 1, inertia: 1e-2}}
  slider: {{mass: 1, inertia: 2e-3, com: [5 mm, 3 mm], initial: {{position: [0, {}], angle: {}, velocity: [{}, {}], speed: {}}}}}
joints:
  rail: {{type: prismatic, between: [ground, carriage], drive: {{position: 0.02*sin(8*t + 1)}}}}
  guide: {{type: prismatic, between: [carriage, slider], clearance: {{gap: 4 mm, length: 100 mm, width: 40 mm, law: law}}}}
forces:
  spring: {{type: spring, between: [ground, slider], at: [[0.5, 0], [0, 0]], stiffness: 80, length: 0.5}}
{})",
                       x[0], contacts == 1 ? 0.02 : x[1], speed, v[0], contacts == 1 ? 0.1 : v[1],
                       push);
  };
  return m;
}

std::vector<Lasting> sliders() {
  std::vector<Lasting> list;
  list.push_back(slider("slider on one side", {-4e-3, 0}, ""));
  list.push_back(slider("slider across its guide", {0, 0.07},
                        "  turn: {type: torque, body: slider, torque: 3}\n"));
  list.push_back(slider("slider on a corner", {-2e-3}, ""));
  return list;
}

/// A mechanism whose contact has no friction.
Lasting without_friction(const char* name, std::string text) {
  Lasting m{.name = name, .step = 2.5e-4, .places = {}, .may_slide = false, .may_stick = false};
  m.text = [text = std::move(text)](const Law&, const Numbers&, const Numbers&) { return text; };
  return m;
}

std::vector<Lasting> stops() {
  return {without_friction("stop of an elbow", R"(
gravity: [0, -9.81]
bodies: {upper: {mass: 1, inertia: 0.01, com: [0.2, 0]}, lower: {mass: 0.5, inertia: 4e-3, com: [0.1, 0.02]}}
joints:
  shoulder: {type: revolute, between: [ground, upper], initial: {angle: -0.5, speed: 2}}
  elbow: {type: revolute, between: [upper, lower], at: [[0.4, 0], [0, 0]], initial: {angle: 0.3, speed: 0}, limits: {lower: 0.3, law: law}}
forces: {press: {type: joint_spring, joint: elbow, stiffness: 0.1, preload: -3}}
)"),
          without_friction("stop of a slide", R"(
gravity: [0, -9.81]
bodies: {arm: {mass: 1, inertia: 0.01}, bead: {mass: 0.5, inertia: 4e-3, com: [0, 0.02]}}
joints:
  axis: {type: revolute, between: [ground, arm], initial: {angle: -0.5, speed: 12}}
  slide: {type: prismatic, between: [arm, bead], initial: {position: 0.3, speed: 0}, limits: {upper: 0.3, law: law}}
)")};
}

/// Two joints that are coupled with a play of 0.02 rad or m; at the start the second one is ahead
/// by all of it.
Lasting coupled(const char* name, const char* second, const char* mesh, double stiffness) {
  Lasting m =
      without_friction(name, fmt::format(R"(
bodies: {{first: {{mass: 1, inertia: 0.01}}, second: {{mass: 0.5, inertia: 4e-3}}}}
joints:
  one: {{type: revolute, between: [ground, first]}}
  two: {{type: {}, between: [ground, second]}}
  mesh: {{{}, clearance: {{gap: 0.02, law: law}}}}
forces:
  load: {{type: joint_force, joint: two, force: 5 + 2*sin(9*t)}}
  turn: {{type: joint_force, joint: one, force: 0.05*{}*cos(5*t)}}
  hold: {{type: joint_spring, joint: one, stiffness: {}, damping: {}}}
)",
                                         second, mesh, stiffness, stiffness, stiffness / 60));
  const bool turns = second == std::string_view("revolute");
  m.prepare = [turns](State& state) { state.q[state.q.size() == 2 ? 1 : turns ? 5 : 3] += 0.02; };
  return m;
}

std::vector<Lasting> teeth() {
  return {coupled("gear", "revolute", "type: gear, joints: [one, two], ratio: -1.5", 30),
          coupled("coupling", "revolute", "type: coupling, coordinates: [one.q, two.q], ratio: 0.7",
                  30),
          coupled("rack", "prismatic", "type: rack, pinion: one, rack: two, radius: 0.1", 3)};
}

/// Gaps at the start, and velocities of the contacts there, normal and tangential.
struct Start {
  Numbers gaps, speeds;
};

Start start_of(const Assembly& assembly, std::size_t contacts) {
  const System& system = *assembly.system;
  Configuration c = configuration(system, assembly.start);
  std::vector<ContactFrame> frames;
  system.find_contacts(c, 0.05, {}, frames);
  std::ranges::sort(frames, {}, &ContactFrame::gap);
  frames.resize(std::min(frames.size(), contacts));
  std::ranges::sort(frames, {}, &ContactFrame::key);
  std::vector<ContactVelocity> velocities(frames.size());
  system.write_contact_velocities(c, assembly.start.u, frames, velocities);
  Start start;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    start.gaps.push_back(frames[k].gap);
    start.speeds.push_back(velocities[k][0]);
  }
  for (std::size_t k = 0; k < frames.size(); ++k) start.speeds.push_back(velocities[k][1]);
  return start;
}

/// Newton's method with differences: x so that the first entries of f vanish.
template <class F>
void find_zero(Numbers& x, F f) {
  constexpr double h = 1e-6;
  const auto n = static_cast<Eigen::Index>(x.size());
  for (int k = 0; k < 30; ++k) {
    const Numbers now = f(x);
    if (now.size() < x.size()) throw std::runtime_error("no contact near the start");
    Matrix J(n, n);
    Vector residual(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      Numbers moved = x;
      moved[static_cast<std::size_t>(j)] += h;
      const Numbers then = f(moved);
      if (then.size() < x.size()) throw std::runtime_error("no contact near the start");
      for (Eigen::Index i = 0; i < n; ++i)
        J(i, j) = (then[static_cast<std::size_t>(i)] - now[static_cast<std::size_t>(i)]) / h;
      residual[j] = now[static_cast<std::size_t>(j)];
    }
    if (residual.cwiseAbs().maxCoeff() < 1e-13) return;
    const Vector by = J.partialPivLu().solve(residual);
    for (Eigen::Index j = 0; j < n; ++j) x[static_cast<std::size_t>(j)] -= by[j];
  }
}

/// With its contacts closed at the start: x and v are found.
std::string text_from_contact(const Lasting& m, const Law& law) {
  Numbers x = m.places;
  Numbers v(law.does == Law::sticks ? m.sticking_speeds : m.places.size(), 0.0);
  const auto text = [&](const Numbers& places, const Numbers& speeds) {
    Numbers all = speeds;
    all.resize(3, 0.0);
    return m.text(law, places, all);
  };
  const auto start = [&](const Numbers& places, const Numbers& speeds) {
    return start_of(assembled(with(text(places, speeds), law, "joint")), m.contacts);
  };
  if (!x.empty()) {
    find_zero(x, [&](const Numbers& p) { return start(p, v).gaps; });
    find_zero(v, [&](const Numbers& s) { return start(x, s).speeds; });
  }
  return text(x, v);
}

/// What is compared, at the ends of the longest steps.
struct Track {
  std::vector<Vector> position, velocity;
  /// Means of these steps, after a tenth of the run: those that begin it, in which forces are not
  /// foreseen, are off by more.
  std::vector<Vector> force;
};

/// Whether a contact does what its law is to do there.
bool does_so(const ContactOutcome& contact, const Law& law, double last_friction) {
  if (is_impact(contact)) return false;
  if (law.does == Law::sticks) return contact.state == ContactState::stick;
  return law.does == Law::nothing ||
         (contact.state == ContactState::slip && contact.impulse[1] * last_friction >= 0);
}

/// Normal forces, and the friction of all contacts together, over a step.
void add_forces(const StepResult& result, double step, Vector& force) {
  const Eigen::Index n = force.size() - 1;
  for (Eigen::Index k = 0; k < n; ++k) {
    const ContactOutcome& contact = result.contacts[static_cast<std::size_t>(k)];
    force[k] += contact.impulse[0] / step;
    force[n] += contact.impulse[1] / step;
  }
}

Track track_of(const Lasting& m, const Law& law, const Assembly& assembly, int parts) {
  const System& system = *assembly.system;
  const int bodies = static_cast<int>(system.info().bodies.size());
  Moreau integrator(system, {.step = m.step / parts});
  State state = assembly.start;
  Track track;
  Numbers friction(m.contacts, 0.0);
  const int steps = static_cast<int>(std::lround(m.until / m.step));
  for (int k = 0; k < steps; ++k) {
    Vector force = Vector::Zero(static_cast<Eigen::Index>(m.contacts) + 1);
    for (int i = 0; i < parts; ++i) {
      const StepResult& result = integrator.step(state, {.until = INFINITY});
      EXPECT_EQ(result.status, StepStatus::done) << state.t;
      EXPECT_EQ(result.contacts.size(), m.contacts) << "open at " << state.t;
      if (::testing::Test::HasFailure()) return track;
      for (std::size_t c = 0; c < m.contacts; ++c) {
        EXPECT_TRUE(does_so(result.contacts[c], law, friction[c])) << "changes at " << state.t;
        friction[c] = result.contacts[c].impulse[1];
      }
      add_forces(result, m.step, force);
    }
    Vector position(3 * bodies), velocity(3 * bodies);
    for (int b = 0; b < bodies; ++b) {
      const BodyMotion body = motion_of(system, state, b);
      position.segment(3 * b, 3) << body.p_W.x(), body.p_W.y(), 0.1 * body.angle;
      velocity.segment(3 * b, 3) << body.v_W.x(), body.v_W.y(), 0.1 * body.w_W.z();
    }
    track.position.push_back(position);
    track.velocity.push_back(velocity);
    if (10 * k >= steps) track.force.push_back(force);
  }
  return track;
}

double largest_difference(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, (a[k] - b[k]).cwiseAbs().maxCoeff());
  return most;
}
double largest(const std::vector<Vector>& a) {
  double most = 0;
  for (const Vector& x : a) most = std::max(most, x.cwiseAbs().maxCoeff());
  return most;
}

/// The order of what converges, or infinite where there is nothing but round-off.
double order(const std::vector<Vector>& coarse, const std::vector<Vector>& middle,
             const std::vector<Vector>& fine, double round_off) {
  const double first = largest_difference(coarse, middle),
               second = largest_difference(middle, fine);
  return first < round_off * (1 + largest(fine)) ? INFINITY : std::log2(first / second);
}

/// Of the order, which is 2 but for what higher ones add.
constexpr double least = 1.8;

void expect_order_two(const Lasting& m, const Law& law, const std::string& text,
                      const char* coordinates) {
  SCOPED_TRACE(fmt::format("{}, {}, {}", m.name, law.name, coordinates));
  Assembly assembly = assembled(with(text, law, coordinates));
  if (m.prepare) m.prepare(assembly.start);
  std::array<Track, 3> tracks;
  for (std::size_t k = 0; k < 3; ++k) tracks[k] = track_of(m, law, assembly, 1 << k);
  if (::testing::Test::HasFailure()) return;
  const auto found = [&](std::vector<Vector> Track::*what, double round_off) {
    return order(tracks[0].*what, tracks[1].*what, tracks[2].*what, round_off);
  };
  EXPECT_GT(found(&Track::position, 1e-12), least) << "position";
  EXPECT_GT(found(&Track::velocity, 1e-10), least) << "velocity";
  EXPECT_GT(found(&Track::force, 1e-8), least) << "force";
}

void expect_order_two(const Lasting& m) {
  for (const Law& law : laws) {
    if (!law.everywhere && !m.all_laws) continue;
    if (law.does == Law::slides && !m.may_slide) continue;
    if (law.does == Law::sticks && !m.may_stick) continue;
    const std::string text = text_from_contact(m, law);
    for (const char* coordinates : {"joint", "absolute"})
      expect_order_two(m, law, text, coordinates);
  }
}

TEST(LastingContactOrder, IsTwoOfJournalsInTheirBearings) {
  for (const Lasting& m : {pendulum_in_bearing(), pendulum_on_parallelogram(), four_bar()})
    expect_order_two(m);
}
TEST(LastingContactOrder, IsTwoOfSlidersInTheirGuides) {
  for (const Lasting& m : sliders()) expect_order_two(m);
}
TEST(LastingContactOrder, IsTwoOfStops) {
  for (const Lasting& m : stops()) expect_order_two(m);
}
TEST(LastingContactOrder, IsTwoOfTeethWithPlay) {
  for (const Lasting& m : teeth()) expect_order_two(m);
}

void expect_order_two_on(const Named& rotor) {
  for (const Named& tip : tips) expect_order_two(lever(tip, rotor));
}
TEST(LastingContactOrder, IsTwoOfEveryShapeOnARoundOne) {
  for (const Named& rotor : round_rotors) expect_order_two_on(rotor);
}
TEST(LastingContactOrder, IsTwoOfFlatShapesOnRoundOnes) {
  for (const Named& rotor : round_rotors)
    for (const Named& flat : flats) expect_order_two(lever(flat, rotor));
}
TEST(LastingContactOrder, IsTwoOfEveryShapeOnAFlatOrHollowOne) {
  for (const Named& rotor : other_rotors) expect_order_two_on(rotor);
}

}  // namespace
}  // namespace backlash::test::lasting_contact_order
