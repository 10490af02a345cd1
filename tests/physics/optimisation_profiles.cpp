// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Places where profiles touch keep their names in steps by optimisation, wherever they slide.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test::optimisation_profiles {
namespace {

constexpr double g = 9.81;

struct Told {
  RunReport report;
  std::vector<Event> events;
};

Told told(const std::string& text) {
  RunRecorder recorder;
  RunReport report = run(parse_model("backlash: 1\n" + text, "profiles.yaml"), {}, recorder).report;
  return {std::move(report), recorder.recording().events};
}

/// A ball in the parabola y = 2.5 x², started at rest where it touches at x_c: through the lowest
/// place, where names change, and back. Its push is less than m g (1 + 2 h/R), by far.
TEST(OptimisationProfiles, ABallCrossesTheMiddleOfABowlWithoutAnEvent) {
  const double m = 0.1, r = 0.02, x_c = 0.05, slope = 5 * x_c, c = 1 / std::hypot(1, slope);
  for (const char* optimiser : {"ipopt", "slsqp"})
    for (const double h : {1e-3, 2e-4}) {
      SCOPED_TRACE(fmt::format("{} {} s", optimiser, h));
      const Told run = told(fmt::format(
          R"(gravity: [0, -{}]
profiles: {{bowl: {{degree: 2, points: [[-100 mm, 25 mm], [0, -25 mm], [100 mm, 25 mm]], material: right}}}}
bodies:
  ground: {{shape: {{profile: bowl}}}}
  ball: {{mass: {}, inertia: 2e-5, shape: {{circle: {}}}, initial: {{position: [{}, {}]}}}}
contacts: {{c: {{between: [ground, ball], law: f}}}}
laws: {{f: {{restitution: 0}}}}
simulation: {{method: optimisation, optimiser: {}, step: {}, until: 1}}
)",
          g, m, r, x_c - r * slope * c, 2.5 * x_c * x_c + r * c, optimiser, h));
      EXPECT_EQ(run.report.status, RunStatus::done) << run.report.message;
      EXPECT_EQ(run.report.run.impacts, 0);
      ASSERT_EQ(run.events.size(), 1u);
      EXPECT_EQ(run.events[0].kind, EventKind::rest);
      // At the lowest place m g + m v²/ρ, with v² = 2 g Δy of the centre and its path's radius
      // ρ = 1/5 m − r.
      const double fall = 2.5 * x_c * x_c + r * c - r;
      EXPECT_NEAR(run.report.loads.contact.force.value, m * g * (1 + 2 * fall / (0.2 - r)),
                  0.02 * m * g);
    }
}

/// A block with rounded corners slides over the edge of a table: it turns about the edge from where
/// x + μ h = x_edge, with x = v t − μ g t²/2, and meets nothing.
TEST(OptimisationProfiles, ABlockSlidesOffATableWithoutAnImpact) {
  const double v = 1, mu = 0.3, height = 0.02, edge = 0.1;
  const double tips = (v - std::sqrt(v * v - 2 * mu * g * (edge - mu * height))) / (mu * g);
  const Told run = told(fmt::format(
      R"(gravity: [0, -{}]
profiles:
  block: {{periodic: true, points: [[-50 mm, -20 mm], [-40 mm, -20 mm], [-20 mm, -20 mm], [0, -20 mm], [20 mm, -20 mm],
          [40 mm, -20 mm], [50 mm, -20 mm], [50 mm, 0], [50 mm, 20 mm], [40 mm, 20 mm], [20 mm, 20 mm], [0, 20 mm],
          [-20 mm, 20 mm], [-40 mm, 20 mm], [-50 mm, 20 mm], [-50 mm, 0]]}}
bodies:
  ground: {{shape: {{polygon: [[-1, -0.5], [{}, -0.5], [{}, 0], [-1, 0]]}}}}
  b: {{mass: 1, inertia: 9.67e-4, shape: {{profile: block}}, initial: {{position: [0, {}], velocity: [{}, 0]}}}}
contacts: {{foot: {{between: [ground, b], law: f}}}}
laws: {{f: {{restitution: 0, friction: {}}}}}
simulation: {{method: optimisation, step: 2e-4, until: 0.14}}
)",
      g, edge, edge, height, v, mu));
  EXPECT_EQ(run.report.status, RunStatus::done) << run.report.message;
  EXPECT_EQ(run.report.run.impacts, 0);
  EXPECT_EQ(run.report.run.gaining.count, 0);
  double last_release = 0;
  for (const Event& event : run.events)
    if (event.kind == EventKind::release) last_release = std::max(last_release, event.t);
  EXPECT_NEAR(last_release, tips, 2e-3);  // of the foot behind
}

}  // namespace
}  // namespace backlash::test::optimisation_profiles
