// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/last_step.h"
#include "backlash/io/model/model_reader.h"

namespace backlash::test {

/// The mechanism of a model file's text, to which `backlash: 1` is added.
inline Assembly assembled(std::string_view text) {
  return assemble(parse_model("backlash: 1\n" + std::string(text), "model.yaml"));
}

/// How a body of the mechanism moves.
inline BodyMotion motion_of(const System& system, const State& state, int body = 0) {
  return system.body_motion(configuration(system, state), state.u, body);
}

/// The outputs after a step, by name.
using Outputs = std::map<std::string, double>;
inline Outputs outputs_of(const System& system, const State& before, const State& now) {
  const auto& infos = system.info().outputs;
  Vector values = Vector::Zero(static_cast<Eigen::Index>(infos.size()));
  LastStep last(system.info());
  last.set(system, before, now);
  IntervalReactions reactions = no_reactions(system.info());
  system.reactions(last, reactions.mean);
  raise_peaks(system.info(), reactions.mean, last.middle.t, reactions);
  system.outputs({configuration(system, now), now.u, last, reactions}, values);
  Outputs outputs;
  for (std::size_t i = 0; i < infos.size(); ++i)
    outputs[infos[i].name] = values[static_cast<Eigen::Index>(i)];
  return outputs;
}

/// An arm that falls against a stop at an angle, and a block that is pushed against one at a
/// distance.
inline constexpr std::string_view two_stops = R"(
bodies: {arm: {mass: 1, inertia: 0.1}, block: {mass: 1, inertia: 1}}
joints:
  pin: {type: revolute, between: [ground, arm], initial: {angle: 0.01, speed: -3},
        limits: {lower: 0, law: dead}}
  rail: {type: prismatic, between: [ground, block], initial: {position: 0.01, speed: -0.5},
         limits: {lower: 0, law: dead}}
laws: {dead: {restitution: 0}}
)";

/// The slider-crank of paper 001 with an ideal guide, its crank at that speed [rad/s].
inline std::string ideal_slider_crank(double speed) {
  return fmt::format(R"(
gravity: [0, -9.81]
parameters: {{speed: {}}}
bodies:
  crank:  {{mass: 0.038, inertia: 7.4e-5, com: [0.0765, 0]}}
  rod:    {{mass: 0.038, inertia: 5.9e-4, com: [0.153, 0]}}
  slider: {{mass: 0.076, inertia: 2.7e-6}}
joints:
  main:  {{type: revolute, between: [ground, crank], initial: {{angle: 0, speed: speed}}}}
  big:   {{type: revolute, between: [crank, rod], at: [[0.153, 0], [0, 0]],
          initial: {{angle: 0, speed: -1.5*speed}}}}
  small: {{type: revolute, between: [rod, slider], at: [[0.306, 0], [0, 0]],
          initial: {{angle: 0, speed: 0.5*speed}}}}
  guide: {{type: prismatic, between: [ground, slider]}}
)",
                     speed);
}

/// Two rods and a coupler of 1 m and 1 kg on a base of 1 m, laid flat twice a turn; coordinates
/// `joint` or `absolute`.
inline std::string flat_parallelogram(std::string_view coordinates) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  left: {{mass: 1, inertia: 1/12, com: [0.5, 0]}}
  right: {{mass: 1, inertia: 1/12, com: [0.5, 0]}}
  coupler: {{mass: 1, inertia: 1/12, com: [0.5, 0]}}
joints:
  A: {{type: revolute, between: [ground, left], initial: {{angle: 90 deg, speed: -1}}}}
  B: {{type: revolute, between: [left, coupler], at: [[1, 0], [0, 0]], initial: {{angle: -90 deg, speed: 1}}}}
  C: {{type: revolute, between: [ground, right], at: [[1, 0], [0, 0]], initial: {{angle: 90 deg, speed: -1}}}}
  D: {{type: revolute, between: [right, coupler], at: [[1, 0], [1, 0]]}}
simulation: {{coordinates: {}}}
)",
                     coordinates);
}

/// Two pins with play in a driven linkage: several contacts, a loop, and flights between. `law` are
/// the keys of its contacts.
inline std::string rattling_linkage(std::string_view law) {
  return fmt::format(R"(
gravity: [0, -9.81]
bodies:
  crank: {{mass: 0.3, inertia: 1e-4, com: [0.025, 0]}}
  rod: {{mass: 0.2, inertia: 3e-4, com: [0.06, 0]}}
  slider: {{mass: 0.1, inertia: 1e-4}}
joints:
  main: {{type: revolute, between: [ground, crank], drive: {{speed: 50}}}}
  big: {{type: revolute, between: [crank, rod], at: [[0.05, 0], [0, 0]],
        initial: {{angle: 0, speed: -50*(1 + 0.05/0.12)}},
        clearance: {{gap: 0.2 mm, journal_radius: 10 mm, law: steel}}}}
  small: {{type: revolute, between: [rod, slider], at: [[0.12, 0], [0, 0]],
          initial: {{angle: 0, speed: 50*0.05/0.12}},
          clearance: {{gap: 0.2 mm, journal_radius: 10 mm, law: steel}}}}
  guide: {{type: prismatic, between: [ground, slider], initial: {{position: 0.17}}}}
laws: {{steel: {{{}}}}}
)",
                     law);
}

}  // namespace backlash::test
