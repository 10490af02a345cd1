// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash::test {

/// Crank and rocker at 300 rpm with play in one pin, of the first contact: bounces, stick and slip;
/// the journal is swung round at each end of the rocker's travel.
inline constexpr const char* crank_rocker = R"(
gravity: [0, -9.81]
bodies:
  crank: {mass: 0.3, inertia: 2e-4, com: [0.05, 0]}
  coupler: {mass: 0.05, inertia: 4e-4, com: [0.15, 0]}
  rocker: {mass: 0.5, inertia: 3e-3, com: [0.12, 0]}
joints:
  A: {type: revolute, between: [ground, crank], drive: {speed: 300 rpm}}
  B: {type: revolute, between: [crank, coupler], at: [[0.1, 0], [0, 0]]}
  C: {type: revolute, between: [coupler, rocker], at: [[0.3, 0], [0.25, 0]],
      clearance: {gap: 0.2 mm, journal_radius: 10 mm, law: steel}}
  D: {type: revolute, between: [ground, rocker], at: [[0.28, 0], [0, 0]], initial: {guess: 1.9}}
laws: {steel: {restitution: 0.3, friction: 0.1}}
)";

}  // namespace backlash::test
