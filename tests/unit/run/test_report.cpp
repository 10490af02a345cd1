// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// What a run is told to have been: its hardest impact, its deepest contact, its energy.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "support/built_methods.h"

namespace backlash::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunOutcome run_of(const std::string& text, RunObserver& observer) {
  return run(parse_model("backlash: 1\n" + text, "report.yaml"), {}, observer);
}

RunReport report_of(const std::string& text) {
  RunObserver nobody;
  return run_of(text, nobody).report;
}

constexpr const char* bouncing = R"(gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 2, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.3]}}
contacts: {hit: {between: [ball, ground.floor], law: rubber}}
laws: {rubber: {restitution: 0.5}}
simulation: {step: 1e-4, until: 1}
)";

TEST(RunReport, OfADriveThatPushesAgainstWhatCannotGiveWaySaysSo) {
  const std::string jaws = R"(
bodies:
  ground: {shape: {line: {point: [0, 0], normal: [1, 0]}}}
  ram: {mass: 1, inertia: 1e-3, shape: {box: [0.1, 0.1]}}
  ball: {mass: 1, inertia: 1e-3, shape: {circle: 0.05}, initial: {position: [0.05, 0]}}
joints:
  slide: {type: prismatic, between: [ground, ram], initial: {position: 0.2}, drive: {speed: -1 m/s}}
laws: {hard: {}}
contacts: {wall: {between: [ground, ball], law: hard}, jaw: {between: [ball, ram], law: hard}}
simulation: {step: 1e-3, until: 1}
)";
  const RunReport report = report_of(jaws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_THAT(report.message, AllOf(HasSubstr("'slide.drive' pushes against the closed contacts "
                                              "wall, jaw, and nothing there can give way"),
                                    ::testing::Not(HasSubstr("another solver"))));
}

bool is_built_for(const std::string& simulation) {
  return simulation.find("optimisation") == std::string::npos ||
         test::is_built(find_integrator("optimisation"));
}

/// Wheels of a pair, of which one is driven and an event locks the other, or the same.
std::string driven_pair(const std::string& events) {
  return R"(
bodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.1}}
joints:
  A: {type: revolute, between: [ground, a], drive: {speed: 1}}
  B: {type: revolute, between: [ground, b]}
  G: {type: gear, joints: [A, B], ratio: -1}
events: )" +
         events;
}

TEST(RunReport, OfADriveAndALockThatContradictEachOtherSaysSo) {
  const std::string two_drives =
      "{off: {at: 0.05, deactivate: [A.drive]}, hold: {at: 0.1, lock: [A]}, "
      "on: {at: 0.15, activate: [A.drive]}}\n";
  for (const char* method : {"{step: 1e-3, until: 0.3}", "{method: compliant, until: 0.3}",
                             "{method: optimisation, step: 1e-3, until: 0.3}"}) {
    SCOPED_TRACE(method);
    if (!is_built_for(method)) continue;
    const std::string rest = std::string("simulation: ") + method + "\n";
    const RunReport other = report_of(driven_pair("{e: {at: 0.1, lock: [B]}}\n") + rest);
    EXPECT_EQ(other.status, RunStatus::failed);
    EXPECT_THAT(other.message, AllOf(HasSubstr("'A.drive' and 'B.lock' contradict each other"),
                                     ::testing::Not(HasSubstr("another solver"))));
    EXPECT_NEAR(other.t, 0.1, 1e-2);
    const RunReport same = report_of(driven_pair("{e: {at: 0.1, lock: [A]}}\n") + rest);
    EXPECT_EQ(same.status, RunStatus::failed);
    EXPECT_THAT(same.message, HasSubstr("'A.drive' and 'A.lock' contradict each other"));
    const RunReport late = report_of(driven_pair(two_drives) + rest);
    EXPECT_EQ(late.status, RunStatus::failed);
    EXPECT_THAT(late.message, HasSubstr("'A.drive' and 'A.lock' contradict each other"));
    EXPECT_NEAR(late.t, 0.15, 1e-2);
    const RunReport none =
        report_of(driven_pair("{e: {at: 0.1, deactivate: [A.drive], lock: [B]}}\n") + rest);
    EXPECT_EQ(none.status, RunStatus::done) << none.message;
  }
}

/// A slider is driven over the place where crank and rod are stretched.
TEST(RunReport, OfADriveThatLeadsALoopWhereItCannotGoNamesTheDrive) {
  for (const char* method :
       {"{step: 1e-3, until: 1}", "{method: optimisation, step: 1e-3, until: 1}"}) {
    SCOPED_TRACE(method);
    if (!is_built_for(method)) continue;
    const RunReport report = report_of(std::string(R"(
bodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.1}, s: {mass: 1, inertia: 0.1}}
joints:
  A: {type: revolute, between: [ground, a], initial: {guess: 30 deg}}
  B: {type: revolute, between: [a, b], at: [[0.1, 0], [0, 0]]}
  C: {type: revolute, between: [b, s], at: [[0.2, 0], [0, 0]]}
  G: {type: prismatic, between: [ground, s], initial: {position: 0.28}, drive: {speed: 0.1}}
simulation: )") + method + "\n");
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_NEAR(report.t, 0.2, 2e-3);
    EXPECT_THAT(report.message, HasSubstr("'G.drive' leads the loops to a position where they are "
                                          "stretched or folded"));
  }
}

/// What the first step of a drive from rest gets wrong is of its order of energy, and no failure.
TEST(RunReport, OfADriveThatStartsAMassFromRestWithinAStepIsNoFailure) {
  for (const double t0 : {0.10005, 0.10009, 0.100001}) {
    const std::string text = fmt::format(R"(
bodies: {{a: {{mass: 1, inertia: 0.1}}}}
joints:
  A: {{type: prismatic, between: [ground, a], drive: {{position: "if(t > {0}, 5*(t - {0})^2, 0) "}}}}
simulation: {{step: 1e-4, until: 0.2}}
)",
                                         t0);
    RunObserver nobody;
    const RunOutcome outcome = run_of(text, nobody);
    EXPECT_EQ(outcome.report.status, RunStatus::done) << outcome.report.message;
    EXPECT_NEAR(outcome.end.q[0], 5 * (0.2 - t0) * (0.2 - t0), 1e-9);
  }
}

/// The force of an impact is its impulse over a step, whatever the step.
TEST(RunReport, OfAnEventThatAnImpactTripsWarnsThatItDependsOnTheStep) {
  const auto warnings = [](const char* limit) {
    const RunReport report = report_of(
        std::string(bouncing) + "events: {trip: {when: hit.force > " + limit + ", stop: true}}\n");
    std::string all;
    for (const std::string& warning : report.run_warnings) all += warning + "\n";
    return all;
  };
  EXPECT_THAT(warnings("1 kN"),
              AllOf(HasSubstr("event 'trip' waits for a force and happened at t = 0.2"),
                    HasSubstr("an impact in 'hit'"), HasSubstr("depends on the step")));
  EXPECT_THAT(warnings("1e9 N"), ::testing::Not(HasSubstr("trip")));
}

TEST(RunReport, OfAForceThatGrowsWithoutBoundNamesTheCoordinate) {
  for (const char* force : {"-1 N m^2/slide.q^2", "500 N s/m*slide.u"}) {
    const RunReport report = report_of(fmt::format(R"(
bodies: {{block: {{mass: 1, inertia: 1}}}}
joints:
  slide: {{type: prismatic, between: [ground, block], initial: {{position: 1, speed: 1 mm/s}}}}
forces: {{pull: {{type: joint_force, joint: slide, force: "{}"}}}}
simulation: {{method: compliant, until: 10, energy_error: 1000}}
)",
                                                   force));
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_THAT(report.message, AllOf(HasSubstr("there slide.u is "),
                                      HasSubstr("a force on it grows without bound")));
  }
}

TEST(RunReport, OfAJointWithHardlyAnyPlayAdvisesNoStepThatFails) {
  const RunReport report = report_of(R"(
gravity: [0, -9.81]
bodies: {arm: {mass: 1, inertia: 1e-2, com: [0.1, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm], clearance: {gap: 1e-9 m, journal_radius: 5 mm, law: dry}}
laws: {dry: {restitution: 0, friction: 0.1}}
simulation: {step: 1e-4, until: 0.3}
)");
  EXPECT_THAT(report.message, AllOf(HasSubstr("too deep"), HasSubstr("as an ideal one"),
                                    ::testing::Not(HasSubstr("step: auto"))));
}

TEST(RunReport, TellsTheHardestImpact) {
  const RunReport report = report_of(bouncing);
  const double v = std::sqrt(2 * 9.81 * 0.2);  // from 0.2 m; mass 2, restitution 0.5
  EXPECT_NEAR(report.run.hardest.t, v / 9.81, 1e-4);
  EXPECT_EQ(report.hardest_at, "hit");
  EXPECT_NEAR(report.run.hardest.speed, v, 9.81e-4);
  EXPECT_NEAR(report.run.hardest.impulse, 1.5 * 2 * v, 4 * 9.81e-4);
  EXPECT_NEAR(report.run.hardest.energy, 0.75 * v * v, 5e-3);
}

/// 0.5ᵏ of the first speed is a hundredth of it or more for k = 0 … 6; a shorter step finds more of
/// the endless sequence, but not of these, and what the others take is in the event `rest`.
TEST(RunReport, CountsAsManyImpactsWhateverTheStep) {
  const std::string text = bouncing;
  const double all = 2 * 9.81 * 0.2;  // energy that is lost until it rests
  long small = -1;
  for (const char* step : {"1e-4", "1e-5", "1e-6"}) {
    std::string finer = text;
    finer.replace(finer.find("1e-4"), 4, step);
    RunRecorder recorder;
    const RunSummary summary = run_of(finer, recorder).report.run;
    EXPECT_EQ(summary.impacts, 7) << step;
    EXPECT_GT(summary.small_bounces, small) << step;
    small = summary.small_bounces;
    const std::vector<Event>& events = recorder.recording().events;
    ASSERT_EQ(events.size(), 8u);
    double lost = 0;
    for (const Event& event : events) lost += event.energy_loss;
    EXPECT_NEAR(lost, all, 20 * std::stod(step));
    EXPECT_GE(events.back().energy_loss, summary.small_bounce_loss);
  }
  EXPECT_GT(small, 5);
}

/// A weight that meets a damped spring at v and stays on it. When it has sprung back it stops for
/// the second time, after t₂: the contact's force and the weight took m v away, so that the
/// impulse of the impact is m (v + g t₂). What the contact carries afterwards is no impact.
TEST(RunReport, CountsOfAContactThatCarriesTheImpactItBeganWith) {
  const double m = 2, v = 0.05, g = 9.81;
  RunRecorder recorder;
  const RunReport report = run_of(fmt::format(R"(gravity: [0, -{}]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  weight: {{mass: {}, inertia: 0.1, shape: {{circle: 0.1}}, initial: {{position: [0, 0.1001], velocity: [0, -{}]}}}}
contacts: {{pad: {{between: [weight, ground.floor], law: soft}}}}
laws: {{soft: {{model: kelvin-voigt, stiffness: 1e5 N/m, damping: 200 N s/m}}}}
simulation: {{method: compliant, relative_tolerance: 1e-9, until: 1}}
)",
                                              g, m, v),
                                  recorder)
                               .report;
  const std::vector<Event>& events = recorder.recording().events;
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::impact);
  EXPECT_EQ(events[1].kind, EventKind::rest);
  const double met = -events[0].gamma_n_before, t = events[1].t - events[0].t;
  EXPECT_NEAR(met, std::sqrt(v * v + 2 * g * 1e-4), 1e-6);
  EXPECT_NEAR(events[1].impulse_n, m * (met + g * t), 1e-4 * m * met);
  EXPECT_NEAR(report.run.hardest.impulse, events[1].impulse_n, 1e-12);
  EXPECT_NEAR(report.run.hardest.speed, met, 1e-12);
  EXPECT_LT(report.run.hardest.impulse, 0.05 * m * g);  // which it carries in one second
}

TEST(RunReport, OfAZenoSequenceEndsInOneRest) {
  RunRecorder recorder;
  run_of(bouncing, recorder);
  const std::vector<Event>& events = recorder.recording().events;
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, EventKind::rest);
  const double end = std::sqrt(2 * 0.2 / 9.81) * (1 + 2 * 0.5 / (1 - 0.5));
  EXPECT_NEAR(events.back().t, end, 2e-3);
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    EXPECT_EQ(events[i].kind, EventKind::impact);
    EXPECT_LE(events[i].t, events[i + 1].t);
  }
}

/// A shaft that circles in its bearing without forces, thrown along it.
std::string circling(const char* simulation) {
  return fmt::format(
      "bodies:\n  shaft: {{mass: 2, inertia: 0.01, initial: {{position: [1e-3, 0], velocity: [0, "
      "0.5]}}}}\njoints:\n  pin: {{type: revolute, between: [ground, shaft], clearance: {{gap: "
      "1e-3, law: steel}}}}\nlaws: {{steel: {{restitution: 0}}}}\nsimulation: {{coordinates: "
      "absolute, until: 0.5, {}}}\n",
      simulation);
}

TEST(RunReport, WarnsOfAContactThatIsDeepInItsPlayAndNamesTheStepThatCuresIt) {
  const RunReport deep = report_of(circling("step: 2e-5, contact_scheme: original"));
  EXPECT_GT(deep.run.deepest.of_play, 0.1);
  EXPECT_THAT(deep.run_warnings,
              ElementsAre(AllOf(HasSubstr("contact 'pin.1' was"), HasSubstr("% of its play"),
                                HasSubstr("; a step of "), HasSubstr(" s would keep it below"))));
  const RunReport by_default = report_of(circling("step: 1e-4"));
  EXPECT_THAT(by_default.run_warnings, IsEmpty());
  EXPECT_LT(by_default.run.deepest.of_play, 1e-3);
  EXPECT_EQ(by_default.deepest_at, "pin.1");
}

/// A spring so stiff that the explicit scheme gains energy: Δt ω = 2.2 where 2 is too much.
std::string unstable(const char* more) {
  return fmt::format(
      "bodies: {{weight: {{mass: 1, inertia: 1}}}}\n"
      "joints: {{guide: {{type: prismatic, between: [ground, weight], initial: {{position: "
      "0.1}}}}}}\n"
      "forces: {{spring: {{type: joint_spring, joint: guide, stiffness: 4.84e6}}}}\n"
      "simulation: {{step: 1e-3, until: 0.05{}}}\n",
      more);
}

TEST(RunReport, OfAMethodThatMakesEnergyIsAFailureUnlessToldToGoOn) {
  const RunReport failed = report_of(unstable(""));
  EXPECT_EQ(failed.status, RunStatus::failed);
  EXPECT_THAT(failed.message,
              AllOf(HasSubstr("the method itself has made"), HasSubstr("of the energy at hand"),
                    HasSubstr("energy_error (now 0.1)")));
  EXPECT_GT(std::abs(failed.made_by_method()), 0.1 * failed.energy_at_hand);
  const RunReport accepted = report_of(unstable(", energy_error: 1e9"));
  EXPECT_EQ(accepted.status, RunStatus::done);
  EXPECT_THAT(accepted.run_warnings, ElementsAre(HasSubstr("the method itself made")));
}

/// A latch that holds for a second: the first steps after it are as inaccurate as those of a run
/// that begins from rest (of implicit Euler's method, half of what falls is lost in the first),
/// also beside something small that moves all the time.
TEST(RunReport, OfALatchThatLetsGoIsNoFailure) {
  const std::string latched = R"(gravity: [0, -9.81]
bodies: {weight: {mass: 1, inertia: 1}, wheel: {mass: 0, inertia: 1e-3}}
joints:
  guide: {type: prismatic, between: [ground, weight], axis: [0, 1]}
  axle: {type: revolute, between: [ground, wheel], initial: {speed: SPEED}}
events: {hold: {at: 0, lock: [guide]}, fall: {at: 1, release: [guide]}}
)";
  for (const char* speed : {"0", "0.1"})
    for (const IntegratorEntry& method : integrator_table()) {
      if (!is_built(method)) continue;
      SCOPED_TRACE(fmt::format("{}, {} rad/s", method.name, speed));
      std::string text = latched;
      text.replace(text.find("SPEED"), 5, speed);
      const RunReport report =
          report_of(fmt::format("{}simulation: {{until: 2, method: {}{}}}\n", text, method.name,
                                method.name == "compliant" ? "" : ", step: 1e-3"));
      EXPECT_EQ(report.status, RunStatus::done) << report.message;
      EXPECT_NEAR(report.energy_at_hand, 9.81 * 9.81, 0.01 * 9.81 * 9.81);  // m g h, twice
    }
}

/// A spring that a latch lets go of is no excuse for steps beyond its limit of stability.
TEST(RunReport, OfALatchThatLetsGoOfASpringBeyondStabilityIsAFailure) {
  std::string text = unstable("");
  text.replace(text.find("0.05"), 4, "1.05");
  text.insert(text.find("simulation"),
              "events: {hold: {at: 0, lock: [guide]}, go: {at: 1, release: [guide]}}\n");
  const RunReport failed = report_of(text);
  EXPECT_EQ(failed.status, RunStatus::failed);
  EXPECT_THAT(failed.message, HasSubstr("the method itself has made"));
}

/// A weight that is dropped on a spring of no damping, from rest: all of its energy is kinetic at
/// one moment and potential at another, whatever the steps.
TEST(RunReport, MeasuresByAnEnergyAtHandThatDoesNotDependOnSteps) {
  const std::string text = R"(bodies: {weight: {mass: 1, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], initial: {position: 0.1}}}
forces: {spring: {type: joint_spring, joint: guide, stiffness: 400, damping: DAMPING}}
simulation: {step: STEP, until: UNTIL}
)";
  const auto at_hand = [&](const char* step, const char* until, const char* damping) {
    std::string filled = text;
    filled.replace(filled.find("STEP"), 4, step);
    filled.replace(filled.find("UNTIL"), 5, until);
    filled.replace(filled.find("DAMPING"), 7, damping);
    const RunReport report = report_of(filled);
    EXPECT_EQ(report.status, RunStatus::done);
    return report.energy_at_hand;
  };
  for (const char* step : {"1e-3", "1e-4", "1e-5"})
    for (const char* until : {"0.2", "2"})
      EXPECT_NEAR(at_hand(step, until, "0"), 2 * 2, 0.3) << step << " " << until;
  // Damped at once, all of it goes through the damper too, and is not forgotten: 2 J in the spring,
  // 2 J through the damper, and what was kinetic.
  const double damped = at_hand("1e-4", "1", "20");
  EXPECT_GT(damped, 4);
  EXPECT_GE(at_hand("1e-4", "10", "20"), damped);
}

/// A shaft at constant speed against a damper: the drive's work, not the little that moves.
TEST(RunReport, MeasuresLongDrivenRunsByTheWorkThatWentThrough) {
  const RunReport report = report_of(R"(bodies: {shaft: {mass: 1, inertia: 1e-3}}
joints: {axle: {type: revolute, between: [ground, shaft], drive: {speed: 10}}}
forces: {oil: {type: joint_spring, joint: axle, damping: 0.5}}
simulation: {step: 1e-2, until: 20}
)");
  EXPECT_EQ(report.status, RunStatus::done);
  const double work = 0.5 * 10 * 10 * 20;  // in by the drive, out by the damper
  EXPECT_NEAR(report.energy_at_hand, work + 0.5 * 1e-3 * 100, 1e-6 * work);
}

/// A box on a floor that is given so little that its corners' depths weigh more.
TEST(RunReport, OfAMotionBelowTheDepthOfContactsIsNoFailure) {
  const RunReport report = report_of(R"(gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 2.16, inertia: 0.00785, shape: {box: [0.2, 0.06]}, initial: {position: [0, 0.03], speed: 1e-3}}
contacts: {base: {between: [box, ground.floor], law: clay}}
laws: {clay: {friction: 0.5}}
simulation: {step: 1e-4, until: 1}
)");
  EXPECT_EQ(report.status, RunStatus::done) << report.message;
  const double length = std::hypot(0.1, 0.03);  // of the model: half of the box's diagonal
  EXPECT_NEAR(report.energy_at_hand, 2e-6 * length * 2.16 * 9.81, 1e-9);  // theory 4.21
}

/// It falls in the first step, and is lifted out of the floor.
TEST(RunReport, OfABodyThatBeginsAHairAboveItsSupportIsDone) {
  for (const char* gap : {"0.1 nm", "29 nm", "0.2 um", "1 um", "3 um", "20 um"})
    for (const char* step : {"1e-3", "1e-4"}) {
      SCOPED_TRACE(fmt::format("{}, {} s", gap, step));
      const RunReport report = report_of(fmt::format(R"(gravity: [0, -9.81]
bodies:
  ground: {{shape: {{line: {{normal: [0, 1]}}}}}}
  ball: {{mass: 0.1, inertia: 2e-5, shape: {{circle: 20 mm}}, initial: {{position: [0, 20 mm + {}]}}}}
contacts: {{c: {{between: [ground, ball], law: plastic}}}}
laws: {{plastic: {{restitution: 0}}}}
simulation: {{until: 2, step: {}}}
)",
                                                     gap, step));
      EXPECT_EQ(report.status, RunStatus::done) << report.message;
      EXPECT_LT(std::abs(report.made_by_method()), 0.1 * report.energy_at_hand);
    }
}

/// A pendulum of 0.1 mm whose joint closes a loop: all that it has is m g d (1 − cos 20°), once as
/// kinetic energy and once as potential, though forces make eighty times as much in ten steps.
TEST(RunReport, MeasuresASmallMotionByWhatItHas) {
  const RunReport report = report_of(R"(gravity: [0, -9.81]
bodies: {bob: {mass: 1, inertia: 1e-10}}
joints: {pin: {type: revolute, between: [ground, bob], at: [[0, 0], [0, 0.1 mm]], initial: {angle: 20 deg}}}
simulation: {step: 1e-3, until: 3, coordinates: absolute}
)");
  EXPECT_EQ(report.status, RunStatus::done) << report.message;
  const double has = 9.81 * 1e-4 * (1 - std::cos(20 * M_PI / 180));
  EXPECT_NEAR(report.energy_at_hand, 2 * has, 0.3 * has);
  EXPECT_GT(std::abs(report.made_by_method()), 1e-3 * report.energy_at_hand);
  EXPECT_THAT(report.run_warnings, ElementsAre(HasSubstr("the method itself made")));
}

/// What little moves there is the depth of contacts that long steps allow, not energy that was
/// made.
TEST(RunReport, OfADiscAtRestInAHollowIsDoneAtLongSteps) {
  for (const char* step : {"1e-3", "4e-3", "1e-2", "2e-2"}) {
    RunRecorder recorder;
    const RunReport report = run_of(fmt::format(R"(gravity: [0, -9.81]
profiles:
  bean: {{periodic: true, points: [[0.9, 0.1], [0.5, -0.6], [-0.5, -0.6], [-0.9, 0.1], [-0.7, 0.8],
                                  [-0.2, 0.2], [0.2, 0.2], [0.7, 0.8]]}}
bodies:
  ground: {{shape: {{profile: bean}}}}
  disc: {{mass: 2, inertia: 0.02, shape: {{circle: 0.5}}, initial: {{position: [0.05, 1.1]}}}}
forces: {{side: {{type: force, body: disc, force: [4, 0]}}}}
laws: {{dead: {{restitution: 0.5}}}}
contacts: {{groove: {{between: [disc, ground], law: dead}}}}
initial: equilibrium
simulation: {{step: {}, until: 2}}
)",
                                                step),
                                    recorder)
                                 .report;
    SCOPED_TRACE(step);
    EXPECT_EQ(report.status, RunStatus::done) << report.message;
    EXPECT_THAT(report.run_warnings, IsEmpty());
    EXPECT_LT(std::abs(report.made_by_method()), 1e-6 * report.energy_at_hand);
    EXPECT_THAT(recorder.recording().events, IsEmpty());
  }
}

/// Rows of ten corners that differ in the eleventh digit: Newton's method alone ends at 1.7e-11.
TEST(RunReport, OfAPileOfBricksNeedsNoOtherSolver) {
  std::string bodies;
  const double x[] = {0, 8e-3, -6e-3, 4e-3, -3e-3};
  for (int k = 0; k < 5; ++k)
    bodies += fmt::format(
        "  b{}: {{mass: 2.16, inertia: 2.16*(0.2^2+0.06^2)/12, shape: {{box: [0.2, 0.06], groups: "
        "[brick]}}, initial: {{position: [{}, {}]}}}}\n",
        k + 1, x[k], (2 * k + 1) * 0.03 + (k + 1) * 5e-3);
  const RunReport report = report_of(
      "gravity: [0, -9.81]\nbodies:\n  ground: {shapes: {floor: {line: {point: [0, 0], normal: [0, "
      "1]}}}}\n" +
      bodies + R"(contacts:
  base: {between: [b1, ground.floor], law: clay}
  pile: {between: [brick, brick], law: clay}
laws: {clay: {restitution: 0.3, friction: 0.5}}
simulation: {step: 1e-4, until: 0.3}
)");
  EXPECT_EQ(report.status, RunStatus::done) << report.message;
  EXPECT_EQ(report.run.imprecise_steps, 0);
}

/// A crank that turns by more than half a radian in a step.
TEST(RunReport, OfALoopThatIsLostSaysHowFarAStepGoes) {
  const RunReport report = report_of(R"yaml(bodies:
  crank: {mass: 0.5, inertia: 0.02}
  rod: {mass: 0.3, inertia: 2e-4, com: [0.03, 0]}
  slider: {mass: 0.4, inertia: 1e-4}
joints:
  main: {type: revolute, between: [ground, crank], initial: {angle: 70 deg, speed: 20 rad/s}}
  big: {type: revolute, between: [crank, rod], at: [[0.06, 0], [0, 0]], initial: {guess: -140 deg}}
  small: {type: revolute, between: [rod, slider], at: [[0.06, 0], [0, 0]]}
  guide: {type: prismatic, between: [ground, slider], axis: [1, 0], initial: {guess: 0.04}}
forces:
  gas: {type: joint_force, joint: guide, force: "-200*sin(main.q)"}
  load: {type: joint_force, joint: main, force: -2 N m}
simulation: {until: 5, step: 1e-3, energy_error: 1e9}
)yaml");
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_THAT(report.message, AllOf(HasSubstr("positions that fulfil the joints not found"),
                                    HasSubstr(" rad in a step: take steps shorter than ")));
}

TEST(RunReport, OfAMechanismAtRestTakesRoundOffForNothing) {
  RunRecorder recorder;
  const RunReport report = run_of(R"(gravity: [0.3, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  block: {mass: 2, inertia: 0.1, shape: {box: [0.2, 0.1]}, initial: {position: [0, 0.05]}}
contacts: {hit: {between: [block, ground.floor], law: rough}}
laws: {rough: {friction: 0.4}}
simulation: {step: 1e-3, until: 2}
)",
                                  recorder)
                               .report;
  const std::vector<Event>& events = recorder.recording().events;
  ASSERT_EQ(events.size(), 2u);  // two corners; not before the start
  for (const Event& event : events) {
    EXPECT_EQ(event.kind, EventKind::rest);
    EXPECT_GE(event.t, 0);
  }
  EXPECT_EQ(report.status, RunStatus::done) << report.message;
  EXPECT_THAT(report.run_warnings, IsEmpty());
  EXPECT_EQ(report.run.impacts, 0);
}

}  // namespace
}  // namespace backlash::test
