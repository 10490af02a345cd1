// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/compliant/compliant.h"
#include "backlash/results/reaction_sums.h"
#include "support/models.h"
#include "support/observed_order.h"
#include "support/runs.h"

namespace backlash::test::profiles {
namespace {

constexpr double g = 9.81;

/// A circle by four quarters.
std::string circle_profile(double r) {
  return fmt::format(
      "{{degree: 2, closed: true, knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4], weights: [1, "
      "sqrt(0.5), "
      "1, sqrt(0.5), 1, sqrt(0.5), 1, sqrt(0.5), 1], points: [[{0}, 0], [{0}, {0}], [0, {0}], "
      "[-{0}, {0}], [-{0}, 0], [-{0}, -{0}], [0, -{0}], [{0}, -{0}], [{0}, 0]]}}",
      r);
}

/// A disk that rolls and slides down a round hill, both as they are written.
Assembly disk_on_hill(const std::string& hill, const std::string& disk, const std::string& law) {
  return assembled(fmt::format(R"(
gravity: [1, -{}]
profiles: {{hill: {}, disk: {}}}
bodies:
  ground: {{shape: {{{}}}}}
  disk: {{mass: 1, inertia: 0.005, shape: {{{}}},
         initial: {{position: [0, 1.1], velocity: [0.2, 0], speed: -3}}}}
laws: {{law: {{{}}}}}
contacts: {{touch: {{between: [ground, disk], law: law}}}}
)",
                               g, circle_profile(1), circle_profile(0.1), hill, disk, law));
}

struct Kinds {
  const char *hill, *disk;
};
constexpr Kinds kinds[] = {{"profile: hill", "circle: 0.1"},
                           {"circle: 1", "profile: disk"},
                           {"profile: hill", "profile: disk"}};

TEST(Profiles, OfCirclesMoveAsCirclesDoWithSetValuedLaws) {
  for (const double friction : {0.0, 0.05, 0.4}) {
    const std::string law = fmt::format("restitution: 0.3, friction: {}", friction);
    const Assembly plain = disk_on_hill("circle: 1", "circle: 0.1", law);
    std::vector<Vector> should;
    run(*plain.system, plain.start, 1e-3, 0.5, {},
        [&](const State& state, const StepResult&) { should.push_back(state.q); });
    for (const Kinds& kind : kinds) {
      SCOPED_TRACE(fmt::format("{} on {}, friction {}", kind.disk, kind.hill, friction));
      const Assembly written = disk_on_hill(kind.hill, kind.disk, law);
      std::size_t i = 0;
      double most = 0;
      run(*written.system, written.start, 1e-3, 0.5, {},
          [&](const State& state, const StepResult& result) {
            most = std::max(most, (state.q - should[i++]).cwiseAbs().maxCoeff());
            for (const ContactOutcome& contact : result.contacts) EXPECT_EQ(contact.key.feature, 0);
          });
      EXPECT_LT(most, 1e-12);
    }
  }
}

TEST(Profiles, OfCirclesMoveAsCirclesDoWithForces) {
  const std::string law =
      "model: impact, stiffness: 1e7 N/m^1.5, damping: 100 N s/m, depth: 0.1 mm, friction: 0.2";
  const auto end_of = [&](const char* hill, const char* disk) {
    const Assembly assembly = disk_on_hill(hill, disk, law);
    Compliant integrator(*assembly.system, {.relative_tolerance = 1e-11});
    State state = assembly.start;
    const RunSummary summary =
        simulate(integrator, state, 0.3, [](const State&, const StepResult&) {});
    EXPECT_EQ(summary.status, StepStatus::done);
    return state.q;
  };
  const Vector should = end_of("circle: 1", "circle: 0.1");
  for (const Kinds& kind : kinds)
    EXPECT_LT((end_of(kind.hill, kind.disk) - should).cwiseAbs().maxCoeff(), 2e-10)
        << kind.disk << " on " << kind.hill;
}

/// A valley y = x²/2, exactly: the parabola is a Bézier piece of degree 2. And a ball in it.
std::string valley(const std::string& ball, const std::string& law) {
  return fmt::format(R"(
gravity: [0, -{}]
profiles: {{valley: {{degree: 2, points: [[-2, 2], [0, -2], [2, 2]], material: right}}}}
bodies:
  ground: {{shape: {{profile: valley}}}}
  ball: {{mass: 1, inertia: 4e-3, shape: {{{}}}, {}
laws: {{law: {{{}}}}}
contacts: {{touch: {{between: [ground, ball], law: law}}}}
)",
                     g, ball, "initial: {position: [1 - 0.1/sqrt(2), 0.5 + 0.1/sqrt(2)]}}", law);
}

TEST(Profiles, AreFollowedWithSecondOrderWhileContactLasts) {
  for (const char* law : {"restitution: 0", "restitution: 0, friction: 0.9"}) {
    SCOPED_TRACE(law);
    const Assembly assembly = assembled(valley("circle: 0.1", law));
    const auto end = [&](int steps) {
      return run(*assembly.system, assembly.start, 0.5 / steps, 0.5).q;
    };
    const Vector exact = end(12800);
    const auto error = [&](int steps) { return (end(steps) - exact).norm(); };
    EXPECT_GT(observed_order(error, 400, 1600), 1.95);
    EXPECT_LT(error(400), 1e-4);
  }
}

TEST(Profiles, KeepTheEnergyOfWhatSlidesAlongThem) {
  const Assembly assembly = assembled(valley("circle: 0.1", "restitution: 0"));
  const double before = energy_ledger(*assembly.system, assembly.start).mechanical();
  double most = 0;
  std::set<std::int64_t> names;
  run(*assembly.system, assembly.start, 1e-3, 3, {},
      [&](const State& state, const StepResult& result) {
        most =
            std::max(most, std::abs(energy_ledger(*assembly.system, state).mechanical() - before));
        for (const ContactOutcome& contact : result.contacts) names.insert(contact.key.feature);
      });
  EXPECT_LT(most, 1e-4 * g);
  EXPECT_EQ(names.size(), 1u);  // through the hollow and back
}

TEST(Profiles, CarryADiskOnBothSidesOfAHollow) {
  // y = x²/2 against a disk of 1.5 m: it touches at ±x with √(1 + x²) = R, normals (∓x, 1)/R.
  const double R = 1.5, x = std::sqrt(R * R - 1), step = 1e-3;
  const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -{}]
profiles: {{valley: {{degree: 2, points: [[-2, 2], [0, -2], [2, 2]], material: right}}}}
bodies:
  ground: {{shape: {{profile: valley}}}}
  ball: {{mass: 2, inertia: 1, shape: {{circle: {}}}, initial: {{position: [0, {}]}}}}
laws: {{law: {{restitution: 0}}}}
contacts: {{touch: {{between: [ground, ball], law: law}}}}
)",
                                                  g, R, x * x / 2 + 1 - hair));
  std::set<std::int64_t> names;
  run(*assembly.system, assembly.start, step, 0.1, {},
      [&](const State& state, const StepResult& result) {
        ASSERT_EQ(result.contacts.size(), 2u);
        if (state.t < 0.05) return;  // until then it settles from within the hair
        for (const ContactOutcome& contact : result.contacts) {
          EXPECT_NEAR(contact.impulse[0] / step, 2 * g * R / 2,
                      1e-6);  // 2 N cos α = m g, cos α = 1/R
          names.insert(contact.key.feature);
        }
      });
  EXPECT_EQ(names.size(), 2u);
}

/// A rack with a ramp of 30° slides under a pawl that a spring presses down: the pawl climbs, drops
/// behind the ramp and rests there.
TEST(Profiles, LiftAPawlAndDropItBehindThem) {
  const double v = 0.1, k = 500, m = 0.05, r = 2e-3;
  const double c = std::sqrt(0.75), s = 0.5, ramp = 0.03 * c / s;
  const Assembly assembly = assembled(fmt::format(R"(
profiles:
  rack: {{degree: 1, material: right, points: [[-0.1, 0], [0, 0], [{}, 0.03], [{}, 0], [0.3, 0]]}}
bodies:
  slide: {{mass: 1, inertia: 1, shape: {{profile: rack}}}}
  pawl: {{mass: {}, inertia: 1e-7, shape: {{circle: {}}}}}
joints:
  bed: {{type: prismatic, between: [ground, slide], drive: {{position: -{}*t}}}}
  guide: {{type: prismatic, between: [ground, pawl], at: [[-0.05, 0], [0, 0]], axis: [0, 1], initial: {{position: {}}}}}
forces: {{spring: {{type: spring, between: [ground, pawl], at: [[-0.05, 0.2], [0, 0]], stiffness: {}, length: 0.218}}}}
laws: {{dead: {{restitution: 0}}}}
contacts: {{c: {{between: [slide, pawl], law: dead}}}}
)",
                                                  ramp, ramp, m, r, v, r, k));
  for (const double step : {2e-4, 1e-4}) {
    SCOPED_TRACE(step);
    double top = 0, least = 1;
    run(*assembly.system, assembly.start, step, 1.2, {},
        [&](const State& state, const StepResult& result) {
          const double y = state.q[1], x = v * (state.t - 0.5 * step) - 0.05;
          top = std::max(top, y);
          for (const ContactOutcome& contact : result.contacts)
            least = std::min(least, contact.gap);
          if (x < 0.01 || x > 0.04 || result.contacts.size() != 1) return;
          EXPECT_NEAR(y, (r + (x + 0.5 * v * step) * s) / c, 1e-9);  // on the ramp
          EXPECT_NEAR(result.contacts[0].impulse[0] / step, k * (0.018 + (r + x * s) / c) / c,
                      1e-3);
        });
    EXPECT_NEAR(top, 0.03 + r, 1e-6);
    EXPECT_GT(least, -5 * step);  // it lands at 4.6 m/s
    const State end = run(*assembly.system, assembly.start, step, 1.2);
    EXPECT_NEAR(end.q[1], r, 1e-6);
    EXPECT_NEAR(end.u[1], 0, 1e-9);
  }
}

TEST(Profiles, ThatAreMetAgainAreTheSameContactFromTheFirstStepOn) {
  // On either side of the floor of the valley, where contacts have two names.
  const Assembly assembly = assembled(
      valley("circle: 0.1", "model: impact, stiffness: 1e7 N/m^1.5, damping: 100, depth: 0.1 mm"));
  Compliant integrator(*assembly.system, {.relative_tolerance = 1e-8});
  State state = assembly.start;
  int impacts = 0;
  simulate(integrator, state, 1.5, [&](const State&, const StepResult& result) {
    for (const ContactOutcome& contact : result.contacts)
      if (contact.state == ContactState::impact) ++impacts;
  });
  EXPECT_EQ(state.t, 1.5);
  EXPECT_LT(impacts, 20);
}

/// Thin blades that turn fast and fly at each other meet once, in steps in which they turn by 2°
/// as in short ones.
TEST(Profiles, ThatAreThinAndFastMeetWhenTheyDo) {
  const Assembly assembly = assembled(R"(
profiles: {blade: {periodic: true, points: [[0.03, 0.00021], [0, 0.0003], [-0.03, 0.00021],
                                            [-0.03, -0.00021], [0, -0.0003], [0.03, -0.00021]]}}
bodies:
  A: {mass: 0.1, inertia: 2e-5, shape: {profile: blade},
      initial: {position: [0, 0], angle: 4.437283, velocity: [5, 0], speed: 345.981321}}
  B: {mass: 0.1, inertia: 2e-5, shape: {profile: blade},
      initial: {position: [0.08, 0.027047], angle: 3.973913, speed: -295.389754}}
laws: {law: {restitution: 0.5}}
contacts: {hit: {between: [A, B], law: law}}
)");
  struct Impact {
    double t, impulse;
  };
  const auto first_impact = [&](double step) {
    Impact first{INFINITY, 0};
    run(*assembly.system, assembly.start, step, 0.02, {},
        [&](const State& state, const StepResult& result) {
          for (const ContactOutcome& contact : result.contacts)
            if (contact.impulse[0] > 0 && state.t < first.t) first = {state.t, contact.impulse[0]};
        });
    return first;
  };
  const Impact fine = first_impact(5e-6), coarse = first_impact(1e-4);
  EXPECT_NEAR(coarse.t, fine.t, 1e-4);
  EXPECT_NEAR(coarse.impulse, fine.impulse, 2e-3 * fine.impulse);
}

/// A block with rounded corners, cubic, whose straight stretch from −4 mm to 4 mm lies on a floor.
TEST(Profiles, ThatAreStraightSomewhereLieOnBothEnds) {
  const double m = 0.1, step = 1e-4;
  for (const char* floor :
       {"line: {normal: [0, 1]}", "polygon: [[-1, -1], [1, -1], [1, 0], [-1, 0]]"})
    for (const double tilt : {0.0, 1e-9, 1e-6, 1e-3}) {
      SCOPED_TRACE(fmt::format("{}, tilt {}", floor, tilt));
      const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -{}]
profiles: {{block: {{periodic: true, points: [[-8 mm, 0], [-4 mm, 0], [0, 0], [4 mm, 0], [8 mm, 0], [12 mm, 5 mm],
                    [8 mm, 10 mm], [4 mm, 10 mm], [0, 10 mm], [-4 mm, 10 mm], [-8 mm, 10 mm], [-12 mm, 5 mm]]}}}}
bodies:
  ground: {{shape: {{{}}}}}
  block: {{mass: {}, inertia: 1e-5, com: [0, 5 mm], shape: {{profile: block}}, initial: {{angle: {}, position: [0, 0.1 mm]}}}}
laws: {{law: {{restitution: 0, friction: 0.3}}}}
contacts: {{foot: {{between: [ground, block], law: law}}}}
)",
                                                      g, floor, m, tilt));
      std::set<std::int64_t> names;
      double last = 0;
      const State end = run(*assembly.system, assembly.start, step, 0.3, {},
                            [&](const State& state, const StepResult& result) {
                              if (state.t < 0.2) return;
                              last = 0;
                              for (const ContactOutcome& contact : result.contacts) {
                                if (contact.impulse[0] == 0) continue;
                                last += contact.impulse[0] / step;
                                EXPECT_NEAR(contact.impulse[0] / step, m * g / 2, 1e-3 * m * g);
                                names.insert(contact.key.feature);
                              }
                              EXPECT_NEAR(last, m * g, 1e-9);
                            });
      EXPECT_EQ(names.size(), 2u);
      EXPECT_LT(end.u.cwiseAbs().maxCoeff(), 1e-9);
    }
}

/// A blade whose flank has no curvature in the middle hits a latch that is parallel to it:
/// v' = v + P/M and V' = P/m with P = −(1 + ε) v μ, 1/μ = 1/M + 1/m.
TEST(Profiles, WithoutCurvatureHitWhatIsParallelToThem) {
  const double M = 0.05, m = 0.02, restitution = 0.5;
  for (const char* latch :
       {"polygon: [[-0.1 mm, -12 mm], [0.1 mm, -12 mm], [0.1 mm, 12 mm], [-0.1 mm, 12 mm]]",
        "profile: blade", "line: {normal: [-1, 0]}"})
    for (const double v : {0.5, 60.0}) {
      SCOPED_TRACE(fmt::format("{} at {} m/s", latch, v));
      const Assembly assembly = assembled(fmt::format(R"(
profiles: {{blade: {{periodic: true, points: [[0.15 mm, 6 mm], [-0.15 mm, 6 mm], [-0.15 mm, 0],
                                            [-0.15 mm, -6 mm], [0.15 mm, -6 mm], [0.15 mm, 0]]}}}}
bodies:
  striker: {{mass: {}, inertia: 1e-6, shape: {{profile: blade}}}}
  tongue: {{mass: {}, inertia: 2e-6, shape: {{{}}}}}
joints:
  rail: {{type: prismatic, between: [ground, striker], axis: [1, 0], initial: {{position: 0, speed: {}}}}}
  slot: {{type: prismatic, between: [ground, tongue], axis: [1, 0], initial: {{position: 9.73 mm}}}}
laws: {{law: {{restitution: {}}}}}
contacts: {{hit: {{between: [striker, tongue], law: law}}}}
)",
                                                      M, m, latch, v, restitution));
      const State end = run(*assembly.system, assembly.start, 0.5e-3 / v, 0.015 / v);
      const double P = (1 + restitution) * v * M * m / (M + m);
      EXPECT_NEAR(end.u[0], v - P / M, 1e-12 * v);
      EXPECT_NEAR(end.u[1], P / m, 1e-12 * v);
    }
}

/// A roller at rest where its hollow, or all of its seat, has its own radius: the directions of the
/// contacts carry its weight.
TEST(Profiles, CarryARollerInAHollowOfItsOwnRadius) {
  const double step = 1e-3, m = 2;
  const std::string grooves[] = {
      "{degree: 2, points: [[-2, 2], [0, -2], [2, 2]], material: right}",
      "{degree: 2, points: [[-s, 1 - s], [0, 1 - 2*s], [s, 1 - s]], weights: [1, s, 1], "
      "material: right}"};
  for (const std::string& groove : grooves)
    for (const char* roller : {"circle: 1", "profile: disk"}) {
      SCOPED_TRACE(groove + roller);
      const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -{}]
parameters: {{s: sqrt(0.5)}}
profiles: {{groove: {}, disk: {}}}
bodies:
  ground: {{shape: {{profile: groove}}}}
  roller: {{mass: {}, inertia: 1, shape: {{{}}}, initial: {{position: [0, 1]}}}}
laws: {{law: {{restitution: 0}}}}
contacts: {{touch: {{between: [ground, roller], law: law}}}}
)",
                                                      g, groove, circle_profile(1), m, roller));
      const State end = run(*assembly.system, assembly.start, step, 0.2, {},
                            [&](const State& state, const StepResult& result) {
                              if (state.t < 0.1) return;  // until then it settles from rounding
                              double up = 0;
                              for (const ContactOutcome& contact : result.contacts)
                                up += contact.impulse[0] / step *
                                      (result.contacts.size() == 2 ? std::sqrt(0.5) : 1);
                              EXPECT_NEAR(up, m * g, 1e-6);
                            });
      EXPECT_NEAR(end.q[0], 0, 1e-9);
      EXPECT_NEAR(end.q[1], 1, 2 * g * step * step);
    }
}

/// An egg that turns under a roller on a guide: the reactions of its axle need the place of the
/// contact in each step, which is followed, and not searched from nothing.
TEST(Profiles, AreFollowedForReactionsToo) {
  const Assembly assembly = assembled(fmt::format(R"(
gravity: [0, -{}]
profiles: {{egg: {{periodic: true, points: [[0.3, 0], [0.2, 0.2], [0, 0.25], [-0.2, 0.2], [-0.25, 0], [-0.2, -0.2], [0, -0.25], [0.2, -0.2]]}}}}
bodies:
  egg: {{mass: 1, inertia: 0.02, shape: {{profile: egg}}}}
  roller: {{mass: 2, inertia: 0.01, shape: {{circle: 0.1}}}}
joints:
  axle: {{type: revolute, between: [ground, egg], drive: {{speed: 1}}}}
  guide: {{type: prismatic, between: [ground, roller], axis: [0, 1], initial: {{position: 0.4}}}}
laws: {{law: {{restitution: 0}}}}
contacts: {{touch: {{between: [egg, roller], law: law}}}}
)",
                                                  g));
  const System& system = *assembly.system;
  LastStep last(system.info());
  Vector reactions = no_reactions(system.info()).mean;
  State before = assembly.start;
  int touching = 0;
  run(system, assembly.start, 1e-3, 1, {}, [&](const State& state, const StepResult& result) {
    last.set(system, before, state);
    system.reactions(last, reactions);
    touching += !result.contacts.empty();
    before = state;
  });
  EXPECT_GT(touching, 500);
  ASSERT_EQ(last.middle.search.profiles.size(), 1u);
  EXPECT_LE(last.middle.search.profiles.begin()->second.searches, 5);
}

TEST(Profiles, ThatTouchWithoutASingleClosestPairEndTheRun) {
  // A disk that fills its hole.
  std::string hole = circle_profile(1);
  hole.replace(hole.rfind('}'), 1, ", material: right}");
  const Assembly assembly = assembled(fmt::format(R"(
profiles: {{hole: {}, disk: {}}}
bodies:
  ground: {{shape: {{profile: hole}}}}
  disk: {{mass: 1, inertia: 1, shape: {{profile: disk}}}}
laws: {{law: {{restitution: 0}}}}
contacts: {{touch: {{between: [ground, disk], law: law}}}}
)",
                                                  hole, circle_profile(1 + 1e-6)));
  Moreau integrator(*assembly.system, {.step = 2e-3});
  State state = assembly.start;
  EXPECT_EQ(integrator.step(state, 2e-3).status, StepStatus::not_finite);
}

}  // namespace
}  // namespace backlash::test::profiles
