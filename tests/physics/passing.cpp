// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Fast thin parts do not pass through thin ones between two steps (theory 4.20).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/shape.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/optimisation/optimisation.h"
#include "support/built_methods.h"
#include "support/models.h"
#include "support/runs.h"

namespace backlash::test::passing {
namespace {

constexpr double speed = 30, restitution = 0.5, step = 1e-3;  // 30 mm in a step

/// A thin shape that is met from the right (+1) or from the left (−1), and where its front is.
struct ThinShape {
  std::string kind, from_right, from_left;
  bool hollow = false;  ///< the other is inside, near its middle at the start
};

const std::vector<ThinShape>& thin_shapes() {
  static const std::vector<ThinShape> all{
      {"point", "point: [0, 0]", "point: [0, 0]"},
      {"circle", "circle: 0.5 mm", "circle: 0.5 mm"},
      {"ring", "ring: 20 mm", "ring: 20 mm", true},
      {"segment", "segment: [[0, -1 mm], [0, 1 mm]]", "segment: [[0, 1 mm], [0, -1 mm]]"},
      {"line", "line: {normal: [1, 0]}", "line: {normal: [-1, 0]}"},
      {"polygon", "box: [1 mm, 4 mm]", "box: [1 mm, 4 mm]"},
      {"polygon",
       "polygon: [[0, -4 mm], [1 mm, -4 mm], [1 mm, 3 mm], [3 mm, 3 mm], [3 mm, 4 mm], [0, 4 mm]]",
       "polygon: [[0, -4 mm], [0, 4 mm], [-3 mm, 4 mm], [-3 mm, 3 mm], [-1 mm, 3 mm], [-1 mm, -4 "
       "mm]]"},
      {"arc", "arc: {radius: 2 mm, from: -60 deg, to: 60 deg}",
       "arc: {radius: 2 mm, from: 120 deg, to: 240 deg}"},
      {"arc", "arc: {radius: 20 mm, from: 120 deg, to: 240 deg, side: inside}",
       "arc: {radius: 20 mm, from: -60 deg, to: 60 deg, side: inside}", true},
      {"cam", "cam: {radius: 1 mm + 0.1 mm * cos(2*phi)}",
       "cam: {radius: 1 mm + 0.1 mm * cos(2*phi)}"},
      {"capsule", "capsule: {from: [0, -2 mm], to: [0, 2 mm], radius: 0.5 mm}",
       "capsule: {from: [0, -2 mm], to: [0, 2 mm], radius: 0.5 mm}"},
      {"outline",
       "outline: {path: [[-0.5 mm, -2 mm], [0.5 mm, -2 mm], [0.5 mm, 2 mm], [-0.5 mm, 2 mm]]}",
       "outline: {path: [[-0.5 mm, -2 mm], [0.5 mm, -2 mm], [0.5 mm, 2 mm], [-0.5 mm, 2 mm]]}"},
      {"profile", "profile: lens", "profile: lens"},
      {"profile", "profile: knife", "profile: knife"},
      {"profile", "profile: shell_to_right", "profile: shell_to_left"},
      {"profile", "profile: hole", "profile: hole", true}};
  return all;
}

/// Smooth and closed; thin and hollow; open; and a hole.
constexpr const char* thin_profiles = R"(
  lens: {periodic: true, points: [[1 mm, 0], [0, 4 mm], [-1 mm, 0], [0, -4 mm]]}
  knife: {periodic: true, points: [[1 mm, 2 mm], [0, 4 mm], [-1 mm, 2 mm], [-0.5 mm, 0], [-1 mm, -2 mm], [0, -4 mm], [1 mm, -2 mm], [0.5 mm, 0]]}
  shell_to_right: {degree: 2, points: [[0, -2 mm], [1 mm, 0], [0, 2 mm]]}
  shell_to_left: {degree: 2, points: [[0, -2 mm], [-1 mm, 0], [0, 2 mm]], material: right}
  hole: {periodic: true, material: right, points: [[30 mm, 0], [0, 30 mm], [-30 mm, 0], [0, -30 mm]]}
)";

/// A part that slides to the left against a latch, or nothing if the two cannot touch.
std::optional<Assembly> shot(const ThinShape& flyer, const ThinShape& latch, double start,
                             std::string_view law) {
  try {
    return assembled(fmt::format(R"(
profiles: {}
bodies:
  ground: {{shapes: {{latch: {{{}}}}}}}
  flyer: {{mass: 1e-3, inertia: 1e-6, shapes: {{front: {{{}, at: [0, 0.2 mm]}}}}}}
joints:
  rail: {{type: prismatic, between: [ground, flyer], initial: {{position: {}, speed: -{}}}}}
laws: {{hit: {{{}}}}}
contacts: {{touch: {{between: [ground, flyer], law: hit}}}}
)",
                                 thin_profiles, latch.from_right, flyer.from_left, start, speed,
                                 law));
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.find("cannot touch") == std::string::npos &&
        message.find("does not fit") == std::string::npos)
      throw;
    return std::nullopt;
  }
}

/// How long it flies: in a hole until it is on its way back; how exactly it is known how fast; and
/// whether it is seen before it is deep.
struct Flight {
  double until, tolerance;
  bool shallow = true;
};

/// An open curve in a hole has no closest points as long as it faces the other way: nothing says
/// how near it is (theory 4.20).
bool faces_away(const ThinShape& open, const ThinShape& hole) {
  const bool is_open = open.kind == "segment" || (open.kind == "arc" && !open.hollow) ||
                       open.from_right.starts_with("profile: shell");
  return is_open && hole.hollow && hole.kind != "arc";
}

/// Round normals turn in the step of the impact. Of a polygon that lands on the tips of a knife it
/// is asked only that it flies back: it meets them aslant.
double tolerance_of(const ThinShape& flyer, const ThinShape& latch) {
  const bool tips = flyer.from_left.starts_with("polygon") && latch.from_right.ends_with("knife");
  return tips ? 0.99 * restitution * speed : 0.01 * speed;
}

bool closed_hole(const ThinShape& shape) { return shape.hollow && shape.kind != "arc"; }

/// Calls check(assembly, flight) for every pair of shapes that can touch, from several distances.
template <class Check>
int for_every_pair(std::string_view law, int distances, Check check) {
  int pairs = 0;
  for (const ThinShape& flyer : thin_shapes())
    for (const ThinShape& latch : thin_shapes()) {
      if (flyer.hollow && latch.hollow) continue;
      if ((closed_hole(flyer) && latch.kind == "line") ||
          (closed_hole(latch) && flyer.kind == "line"))
        continue;  // a half-plane fits into no hole
      bool meets = true;
      for (int k = 0; k < distances && meets; ++k) {
        const bool inside = flyer.hollow || latch.hollow;
        const double start = (inside ? 2e-3 : 0.05) + 3.7e-3 * k;
        const auto assembly = shot(flyer, latch, start, law);
        meets = assembly.has_value();
        if (!meets) continue;
        SCOPED_TRACE(
            fmt::format("{} against {}, from {} m", flyer.from_left, latch.from_right, start));
        check(*assembly, Flight{inside ? 1.5e-3 : 0.02, tolerance_of(flyer, latch),
                                !faces_away(flyer, latch) && !faces_away(latch, flyer)});
      }
      pairs += meets;
    }
  return pairs;
}

const std::string set_valued = fmt::format("restitution: {}", restitution);

/// Nothing is deeper in anything than from where it is pushed back the way it came (theory 4.20).
void expect_shallow(const System& system, const State& state) {
  std::vector<ContactFrame> frames;
  const Configuration c = configuration(system, state);
  system.find_contacts(c, 0, state.contacts, frames);
  std::vector<PassingLimit> limits(frames.size());
  system.write_passing_limits(c, state.u, frames, limits);
  for (std::size_t k = 0; k < frames.size(); ++k)
    EXPECT_GT(frames[k].gap, -0.25 * limits[k].depth) << state.t;
}

/// It flies back as fast as the law has it.
void expect_bounce(const State& end, const Flight& flight) {
  EXPECT_NEAR(end.u[0], restitution * speed, flight.tolerance);
}

TEST(Passing, TableHasEveryShape) {
  std::set<std::string> listed;
  for (const ThinShape& shape : thin_shapes()) listed.insert(shape.kind);
  const auto names = []<class... S>(const std::variant<S...>*) {
    return std::set<std::string>{std::string(S::name)...};
  };
  EXPECT_EQ(listed, names(static_cast<const Shape*>(nullptr)));
}

TEST(Passing, DoesNotHappenInEqualStepsForAnyPairOfShapes) {
  const int pairs =
      for_every_pair(set_valued, 4, [](const Assembly& assembly, const Flight& flight) {
        const State end = run(*assembly.system, assembly.start, step, flight.until, {},
                              [&](const State& state, const StepResult&) {
                                if (flight.shallow) expect_shallow(*assembly.system, state);
                              });
        expect_bounce(end, flight);
      });
  EXPECT_GE(pairs, 80);
}

TEST(Passing, DoesNotHappenInAutomaticStepsForAnyPairOfShapes) {
  for_every_pair(set_valued, 1, [](const Assembly& assembly, const Flight& flight) {
    Moreau integrator(*assembly.system, {.automatic_step = true, .max_step = step});
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, flight.until).status, StepStatus::done);
    expect_bounce(state, flight);
  });
}

TEST(Passing, DoesNotHappenWithCompliantContactsForAnyPairOfShapes) {
  const std::string law =
      fmt::format("model: calibrated, restitution: {}, stiffness: 1e10 N/m^1.5", restitution);
  for_every_pair(law, 1, [](const Assembly& assembly, const Flight& flight) {
    Compliant integrator(*assembly.system, {});
    State state = assembly.start;
    const auto begins_at_the_surface = [](const State&, const StepResult& result) {
      for (const ContactOutcome& contact : result.contacts)
        if (contact.state == ContactState::impact) {
          EXPECT_GT(contact.gap_before, -1e-12);
        }
    };
    const RunSummary summary = simulate(integrator, state, flight.until, begins_at_the_surface);
    EXPECT_EQ(summary.status, StepStatus::done);
    expect_bounce(state, flight);
  });
}

TEST(Passing, DoesNotHappenInStepsByOptimisationForAnyPairOfShapes) {
  if (!is_built(find_integrator("optimisation"))) GTEST_SKIP() << "built without Ipopt";
  for_every_pair(set_valued, 1, [](const Assembly& assembly, const Flight& flight) {
    Optimisation integrator(*assembly.system, {.step = step});
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, flight.until).status, StepStatus::done);
    expect_bounce(state, flight);
  });
}

/// Not where nothing can happen: two parts that ride along together, touching, and a flywheel
/// beside them, all fast.
TEST(Passing, ShortensNoStepsOfFastPartsThatCannotPass) {
  const Assembly assembly = assembled(R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {stop: {box: [1 mm, 1 mm], at: [0, -0.5]}}}
  carriage: {mass: 1, inertia: 1e-3, shapes: {table: {box: [20 mm, 1 mm]}}}
  rider: {mass: 0.1, inertia: 1e-5, shapes: {feet: {box: [4 mm, 1 mm]}}, initial: {position: [0, 1 mm], velocity: [30, 0]}}
  flywheel: {mass: 1, inertia: 1e-2, shapes: {rim: {circle: 0.1}}}
joints:
  rail: {type: prismatic, between: [ground, carriage], initial: {speed: 30}}
  axle: {type: revolute, between: [ground, flywheel], at: [[0, 5], [0, 0]], initial: {speed: 1000}}
laws: {hit: {restitution: 0, friction: 0.3}}
contacts: {touch: {between: [carriage, rider], law: hit}, far: {between: [ground, flywheel], law: hit}}
)");
  int steps = 0;
  const State end = run(*assembly.system, assembly.start, step, 0.1, {},
                        [&](const State&, const StepResult&) { ++steps; });
  EXPECT_EQ(steps, 100);
  EXPECT_NEAR(end.u[0], 30, 1e-9);
}

/// A thin bar that turns by 0.4 rad in a step, and a thin peg in its way.
TEST(Passing, DoesNotHappenWhereABarTurnsFast) {
  for (const double angle : {0.3, 0.7, 1.1, 1.5}) {
    const Assembly assembly = assembled(fmt::format(R"(
bodies:
  ground: {{shapes: {{peg: {{circle: 0.5 mm, at: [0, 0.15]}}}}}}
  bar: {{mass: 0.1, inertia: 1e-3, shapes: {{bar: {{capsule: {{from: [0, 0], to: [0.2, 0], radius: 0.5 mm}}}}}}}}
joints: {{pin: {{type: revolute, between: [ground, bar], initial: {{angle: {}, speed: 400}}}}}}
laws: {{hit: {{restitution: 0.5}}}}
contacts: {{touch: {{between: [ground, bar], law: hit}}}}
)",
                                                    angle));
    const State end = run(*assembly.system, assembly.start, step, 5e-3);
    EXPECT_NEAR(end.u[0], -200, 0.01) << angle;
  }
}

/// The same where it would turn many times in a step: it is thrown back and forth between the sides
/// of the post, at half of its speed each time.
TEST(Passing, DoesNotHappenWhereARodSpinsAtFiftyThousandRadiansPerSecond) {
  constexpr double fast = 5e4, fine = 1e-3, until = 3e-3;
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shapes: {post: {circle: 0.5 mm, at: [0, 0.15]}}}
  rod: {mass: 0.1, inertia: 1e-3, shapes: {rod: {capsule: {from: [0, 0], to: [0.2, 0], radius: 0.5 mm}}}}
joints: {pin: {type: revolute, between: [ground, rod], initial: {angle: 0.3, speed: 5e4}}}
laws: {hit: {restitution: 0.5}}
contacts: {touch: {between: [ground, rod], law: hit}}
)");
  const double half_width = std::asin(1e-3 / 0.15), upper = std::numbers::pi / 2 - half_width,
               lower = std::numbers::pi / 2 + half_width - 2 * std::numbers::pi;
  double speed_at_end = fast, t = (upper - 0.3) / fast;  // of the next impact
  for (; t < until; t += (upper - lower) / speed_at_end) speed_at_end /= 2;
  const auto expect_bounces = [&](Integrator& integrator) {
    State state = assembly.start;
    const auto in_between = [&](const State& now, const StepResult&) {
      ASSERT_LT(now.q[0], upper + fine);
      ASSERT_GT(now.q[0], lower - fine);
    };
    EXPECT_EQ(simulate(integrator, state, until, in_between).status, StepStatus::done);
    EXPECT_NEAR(std::abs(state.u[0]), speed_at_end, fine * speed_at_end);
  };
  Moreau equal(*assembly.system, {.step = step});
  expect_bounces(equal);
  Moreau automatic(*assembly.system, {.automatic_step = true, .max_step = step});
  expect_bounces(automatic);
  if (!is_built(find_integrator("optimisation"))) return;
  Optimisation optimisation(*assembly.system, {.step = step});
  expect_bounces(optimisation);
}

/// Where even that is not enough, here so near to the post that it is met in less than the shortest
/// step, a step fails and says which bodies they are.
TEST(Passing, EndsAStepThatIsTooShortToSeeIt) {
  const Assembly assembly = assembled(R"(
bodies:
  ground: {shapes: {post: {circle: 0.5 mm, at: [0, 0.15]}}}
  rod: {mass: 0.1, inertia: 1e-3, shapes: {rod: {capsule: {from: [0, 0], to: [0.2, 0], radius: 0.5 mm}}}}
joints: {pin: {type: revolute, between: [ground, rod], initial: {angle: 1.56, speed: 1e8}}}
laws: {hit: {restitution: 0.5}}
contacts: {touch: {between: [ground, rod], law: hit}}
)");
  const auto expect_failure = [&](Integrator& integrator) {
    State state = assembly.start;
    EXPECT_EQ(simulate(integrator, state, 1e-3).status, StepStatus::would_pass);
    ASSERT_TRUE(integrator.last_result().contact.has_value());
    EXPECT_EQ(assembly.system->contact_name(*integrator.last_result().contact), "touch");
  };
  Moreau equal(*assembly.system, {.step = step});
  expect_failure(equal);
  Moreau automatic(*assembly.system, {.automatic_step = true, .max_step = step});
  expect_failure(automatic);
  if (!is_built(find_integrator("optimisation"))) return;
  Optimisation optimisation(*assembly.system, {.step = step});
  expect_failure(optimisation);
}

/// Into a small pocket, through its mouth, in steps that are many times as long: its floor is not
/// what is closest at the start.
TEST(Passing, DoesNotHappenThroughTheFloorOfAPocket) {
  for (const char* pocket : {"arc: {radius: 3 mm, from: 90 deg, to: 270 deg, side: inside}",
                             "profile: pocket", "cam: {radius: 6 mm - 3 mm*exp(2*(cos(phi) - 1))}"})
    for (const char* flyer : {"point: [0, 0]", "circle: 0.5 mm", "profile: lens"})
      for (const double start : {0.05, 0.061, 0.073, 0.088}) {
        SCOPED_TRACE(fmt::format("{} into {} from {} m", flyer, pocket, start));
        const Assembly assembly = assembled(fmt::format(R"(
profiles:
  lens: {{periodic: true, points: [[1 mm, 0], [0, 0.5 mm], [-1 mm, 0], [0, -0.5 mm]]}}
  pocket: {{degree: 2, points: [[0, 3 mm], [-6 mm, 0], [0, -3 mm]], material: right}}
bodies:
  ground: {{shapes: {{pocket: {{{}}}}}}}
  flyer: {{mass: 1e-3, inertia: 1e-9, shapes: {{front: {{{}}}}}}}
joints:
  rail: {{type: prismatic, between: [ground, flyer], initial: {{position: {}, speed: -{}}}}}
laws: {{hit: {{restitution: {}}}}}
contacts: {{touch: {{between: [ground, flyer], law: hit}}}}
)",
                                                        pocket, flyer, start, speed, restitution));
        const State end = run(*assembly.system, assembly.start, step, 0.01, {},
                              [&](const State& state, const StepResult&) {
                                expect_shallow(*assembly.system, state);
                              });
        EXPECT_NEAR(end.u[0], restitution * speed, 0.01 * speed);
      }
}

/// What an impact makes fast passes nothing in the rest of its step either.
TEST(Passing, DoesNotHappenToABodyThatWasHit) {
  for (const double start : {0.02, 0.031, 0.042}) {
    const Assembly assembly = assembled(fmt::format(R"(
bodies:
  ground: {{shapes: {{latch: {{box: [1 mm, 4 mm], at: [-3 mm, 0]}}}}}}
  hammer: {{mass: 1e-3, inertia: 1e-6, shapes: {{front: {{circle: 2 mm}}}}}}
  ball: {{mass: 1e-3, inertia: 1e-6, shapes: {{front: {{circle: 0.5 mm}}}}}}
joints:
  rail: {{type: prismatic, between: [ground, hammer], initial: {{position: {}, speed: -30}}}}
  path: {{type: prismatic, between: [ground, ball]}}
laws: {{hit: {{restitution: 1}}}}
contacts:
  blow: {{between: [hammer, ball], law: hit}}
  touch: {{between: [ground, ball], law: hit}}
)",
                                                    start));
    const State end = run(*assembly.system, assembly.start, step, 0.02);
    EXPECT_GT(end.q[1], -3e-3) << start;
    EXPECT_NEAR(std::max(end.u[0], end.u[1]), 30, 1e-9) << start;
  }
}

/// Steps that were shortened end where equal steps would have ended.
TEST(Passing, ReturnsToTheTimesOfEqualSteps) {
  const Assembly assembly = *shot(thin_shapes()[0], thin_shapes()[5], 0.05, set_valued);
  std::vector<double> times;
  int steps = 0;
  run(*assembly.system, assembly.start, step, 0.02, {}, [&](const State& state, const StepResult&) {
    ++steps;
    times.push_back(state.t);
  });
  for (int k = 1; k <= 20; ++k) EXPECT_EQ(std::ranges::count(times, k * step), 1) << k;
  EXPECT_GT(steps, 20);
  EXPECT_LT(steps, 60);
}

}  // namespace
}  // namespace backlash::test::passing
