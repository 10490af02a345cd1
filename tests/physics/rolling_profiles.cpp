// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

// Two equal ellipses that turn about foci 2a apart roll on each other: their contact lies on the
// line of the axes, and a force along it does nothing (theory 4.38).

namespace backlash::test::rolling_profiles {
namespace {

constexpr double until = 0.3, eccentricity = 0.6, start = 20 * M_PI / 180;

std::string ellipses(double friction, double step) {
  return fmt::format(R"yaml(backlash: 1
parameters: {{a: 30 mm, b: 24 mm, c: 18 mm, w: sqrt(0.5), start: 20 deg, other: "2*atan(tan(start/2)/4)"}}
profiles:
  ellipse:
    degree: 2
    closed: true
    points: [[a, 0], [a, b], [0, b], [-a, b], [-a, 0], [-a, -b], [0, -b], [a, -b], [a, 0]]
    weights: [1, w, 1, w, 1, w, 1, w, 1]
    knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
bodies:
  one: {{mass: 1, inertia: 5e-4, shape: {{profile: ellipse, at: [-c, 0]}}}}
  two: {{mass: 1, inertia: 5e-4, shape: {{profile: ellipse, at: [-c, 0]}}}}
joints:
  j1: {{type: revolute, between: [ground, one], drive: {{speed: -2}}, initial: {{angle: -start}}}}
  j2: {{type: revolute, between: [ground, two], at: [[2*a, 0], [0, 0]],
        initial: {{angle: other, speed: "2*(1-0.6*cos(other))/(1+0.6*cos(start))"}}}}
forces:
  load: {{type: torque, body: two, torque: -0.5}}
contacts: {{mesh: {{between: [one, two], law: steel}}}}
laws: {{steel: {{restitution: 0, friction: {}}}}}
simulation: {{step: {}, until: {}}}
)yaml",
                     friction, step, until);
}

struct Rolling {
  RunOutcome outcome;
  double most = 0;  ///< normal force [N]
};

Rolling roll(double friction, double step) {
  RunRecorder recorder;
  Rolling rolling;
  rolling.outcome = run(parse_model(ellipses(friction, step), "ellipses.yaml"), {}, recorder);
  rolling.most = rolling.outcome.report.loads.contact.force.value;
  return rolling;
}

TEST(RollingProfiles, OnFixedAxesHaveBoundedForcesWhateverTheirFriction) {
  const double one = start + 2 * until;
  const double two = 2 * std::atan(std::tan(one / 2) * (1 - eccentricity) / (1 + eccentricity));
  for (const double step : {1e-3, 3e-4, 1e-4, 5e-5, 2e-5, 1e-5}) {
    const double without = roll(0, step).most;
    for (const double friction : {0.1, 0.2, 0.3, 0.5}) {
      SCOPED_TRACE(fmt::format("friction {}, {} s", friction, step));
      const Rolling rolling = roll(friction, step);
      EXPECT_EQ(rolling.outcome.report.status, RunStatus::done) << rolling.outcome.report.message;
      EXPECT_NEAR(rolling.outcome.end.q[1], two, 1e-6);
      EXPECT_LT(rolling.most, 2 * without);
      EXPECT_LT(std::abs(rolling.outcome.report.made_by_method()),
                1e-4 * rolling.outcome.report.energy_at_hand);
    }
  }
}

}  // namespace
}  // namespace backlash::test::rolling_profiles
