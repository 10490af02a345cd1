// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/compliant/contact_memory.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/energy.h"
#include "backlash/integrators/compliant/contact_memory.h"
#include "backlash/integrators/simulate.h"
#include "backlash/laws/free_impact.h"
#include "backlash/results/recorder.h"
#include "support/models.h"

namespace backlash::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

/// A ball of 1 kg and 0.1 m that falls from `gap` above a floor with this law.
std::string ball(const std::string& law, double gravity = 9.81, double gap = 0.01,
                 double speed = -1, double sliding = 0) {
  return fmt::format(R"(
gravity: [0, -{}]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  ball: {{mass: 1, inertia: 0.01, shape: {{circle: 0.1}},
         initial: {{position: [0, {}], velocity: [{}, {}]}}}}
contacts: {{hit: {{between: [ground.floor, ball], law: steel}}}}
laws: {{steel: {{{}}}}}
)",
                     gravity, 0.1 + gap, sliding, speed, law);
}

const char* const hertz = "model: hertz, stiffness: 1e9 N/m^1.5";

const std::string rattling = rattling_linkage(
    "model: lankarani-nikravesh, stiffness: 1e9 N/m^1.5, restitution: 0.8, friction: 0.1");

struct RunRecord {
  std::vector<State> states;
  std::vector<StepResult> results;
  RunSummary summary;
};

template <class Due>
RunRecord run_and_record(const Assembly& assembly, const CompliantOptions& options, double until,
                         Due&& due) {
  Compliant integrator(*assembly.system, options);
  State state = assembly.start;
  RunRecord record;
  record.summary =
      simulate(integrator, state, until, due, [&](const State& now, const StepResult& result) {
        record.states.push_back(now);
        record.results.push_back(result);
      });
  EXPECT_EQ(record.summary.status, StepStatus::done) << name(record.summary.status);
  return record;
}

RunRecord run_and_record(const Assembly& assembly, const CompliantOptions& options, double until) {
  return run_and_record(assembly, options, until, [](double) { return INFINITY; });
}

TEST(Compliant, RefusesASetValuedContactByItsName) {
  const Assembly assembly = assembled(ball("restitution: 0.5"));
  EXPECT_THAT(
      [&] { Compliant(*assembly.system, {}); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("contact 'hit'"), HasSubstr("set-valued"))));
}

TEST(Compliant, RefusesAClutchWithoutCapacityAndNamesTheKeyThatItNeeds) {
  const auto lever = [](const char* capacity) {
    return assembled(fmt::format(R"(
bodies: {{lever: {{mass: 1, inertia: 0.002}}, wheel: {{mass: 1, inertia: 0.01}}}}
joints:
  L: {{type: revolute, between: [ground, lever], initial: {{speed: 1}}}}
  W: {{type: revolute, between: [ground, wheel]}}
forces: {{clutch: {{type: one_way_clutch, between: [lever, wheel]{}}}}}
)",
                                 capacity));
  };
  EXPECT_THAT([&] { Compliant(*lever("").system, {}); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("'clutch'"), HasSubstr("'capacity'"), Not(HasSubstr("law")))));
  EXPECT_NO_THROW(Compliant(*lever(", capacity: 1 N m").system, {}));
}

TEST(Compliant, RefusesOptionsThatMakeNoSenseByTheirName) {
  const Assembly assembly = assembled(ball(hertz));
  const auto refuses = [&](auto option, double value, const std::string& name) {
    CompliantOptions options;
    options.*option = value;
    EXPECT_THAT([&] { Compliant(*assembly.system, options); },
                ThrowsMessage<InputError>(HasSubstr(name)));
  };
  for (const double value : {0.0, -1.0, double(NAN)}) {
    refuses(&CompliantOptions::relative_tolerance, value, "relative tolerance");
    refuses(&CompliantOptions::position_tolerance, value, "position tolerance");
    refuses(&CompliantOptions::angle_tolerance, value, "angle tolerance");
    refuses(&CompliantOptions::speed_tolerance, value, "speed tolerance");
    refuses(&CompliantOptions::angular_speed_tolerance, value, "angular speed tolerance");
    refuses(&CompliantOptions::step, value, "step");
    refuses(&CompliantOptions::max_step, value, "max_step");
    refuses(&CompliantOptions::max_onset_penetration, value, "max_onset_penetration");
  }
  refuses(&CompliantOptions::min_step, -1, "min_step");
}

TEST(Compliant, RefusesOptionsThatDoNotGoTogether) {
  const Assembly assembly = assembled(ball(hertz));
  const auto with = [&](const CompliantOptions& options) {
    return [&assembly, options] { Compliant(*assembly.system, options); };
  };
  EXPECT_THAT(with({.integrator = OdeMethod::rk4, .onset = Onset::procedure_2}),
              ThrowsMessage<InputError>(HasSubstr("procedure-2")));
  EXPECT_THAT(with({.live_contacts = true}), ThrowsMessage<InputError>(HasSubstr("live_contacts")));
}

TEST(Compliant, TakesTheSameStepsWheneverItsStateIsWanted) {
  const Assembly assembly = assembled(rattling);
  const double until = 0.01;
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf, OdeMethod::rk4})
    for (const Onset onset : {Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none}) {
      if (method == OdeMethod::rk4 && onset == Onset::procedure_2) continue;
      SCOPED_TRACE(fmt::format("{}, {}", name(method), name(onset)));
      const CompliantOptions options{
          .integrator = method, .onset = onset, .step = 1e-6, .max_step = 1e-5};
      const RunRecord whole = run_and_record(assembly, options, until);
      std::vector<State> ends;
      const RunRecord parts = run_and_record(assembly, options, until, [&](double t) {
        return t + (method == OdeMethod::rk4 ? 0.4e-6 : 1.7e-6);
      });
      for (std::size_t i = 0; i < parts.states.size(); ++i)
        if (!parts.results[i].interpolated) ends.push_back(parts.states[i]);
      EXPECT_GT(parts.states.size(), ends.size());
      ASSERT_EQ(ends.size(), whole.states.size());
      for (std::size_t i = 0; i < ends.size(); ++i) {
        ASSERT_EQ(ends[i].t, whole.states[i].t) << i;
        ASSERT_TRUE(ends[i].q == whole.states[i].q) << i;
        ASSERT_TRUE(ends[i].u == whole.states[i].u) << i;
      }
    }
}

TEST(Compliant, GoesOnFromASavedStateWithinTheTolerance) {
  const Assembly assembly = assembled(rattling);
  const CompliantOptions options{.relative_tolerance = 1e-10,
                                 .position_tolerance = 1e-12,
                                 .angle_tolerance = 1e-12,
                                 .speed_tolerance = 1e-10,
                                 .angular_speed_tolerance = 1e-10};
  const double until = 0.005;
  const RunRecord whole = run_and_record(assembly, options, until);
  const State& end = whole.states.back();
  int within_contact = 0;
  for (std::size_t i = 10; i < whole.states.size(); i += whole.states.size() / 8) {
    State state = whole.states[i];
    within_contact += !whole.results[i].contacts.empty();
    Compliant integrator(*assembly.system, options);
    simulate(integrator, state, until);
    EXPECT_LT((state.q - end.q).norm(), 1e-7) << i;
    EXPECT_LT((state.u - end.u).norm(), 1e-4 * end.u.norm()) << i;
    const EnergyLedger a = energy_ledger(*assembly.system, state),
                       b = energy_ledger(*assembly.system, end);
    EXPECT_NEAR(a.contact_loss, b.contact_loss, 1e-4 * b.contact_loss) << i;
  }
  EXPECT_GT(within_contact, 0);
}

TEST(Compliant, ListsStepsWhoseAcceptedLengthsAddUpToTheTimePassed) {
  const Assembly assembly = assembled(rattling);
  const double until = 0.01;
  for (const double every : {0.0, 3e-5}) {
    SCOPED_TRACE(every);
    Compliant integrator(*assembly.system, {});
    State state = assembly.start;
    Recorder recorder(*assembly.system, state, {.every = every, .steps = true});
    const RunSummary summary = simulate(
        integrator, state, until, [&](double) { return recorder.due(); },
        [&](const State& now, const StepResult& result) { recorder.observe(now, result); });
    double passed = 0;
    long rejected = 0;
    for (const StepRow& row : recorder.recording().steps) {
      EXPECT_GT(row.step, 0);
      if (!row.accepted) {
        ++rejected;
        EXPECT_NEAR(row.t - row.step, passed, 1e-15);
        continue;
      }
      passed += row.step;
      EXPECT_NEAR(row.t, passed, 1e-15);
    }
    EXPECT_NEAR(passed, until, 1e-14);
    EXPECT_GT(rejected, 0);
    EXPECT_EQ(rejected, summary.rejected_steps);
  }
}

TEST(Compliant, TellsOfAContactWhenItBeginsAndOfAllThatItDidWhenItEnds) {
  const double gap = 0.01, speed = 1;
  const Assembly assembly = assembled(
      ball("model: calibrated, stiffness: 1e9 N/m^1.5, restitution: 0.6", 0, gap, -speed));
  const CompliantOptions options{
      .relative_tolerance = 1e-11, .position_tolerance = 1e-14, .speed_tolerance = 1e-11};
  Compliant integrator(*assembly.system, options);
  State state = assembly.start;
  std::vector<Event> events;
  ContactDirectory directory(*assembly.system);
  EventFinder finder;
  simulate(
      integrator, state, 0.02, [](double) { return INFINITY; },
      [&](const State& now, const StepResult& result) {
        finder.append(*assembly.system, result, now, directory, events);
      });
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::impact);
  EXPECT_NEAR(events[0].t, gap / speed, 1e-12);
  EXPECT_NEAR(events[0].gamma_n_before, -speed, 1e-12);
  EXPECT_EQ(events[1].kind, EventKind::release);
  EXPECT_NEAR(events[1].gamma_n_before, -speed, 1e-12);
  EXPECT_NEAR(events[1].gamma_n_after, 0.6 * speed, 1e-8);
  EXPECT_NEAR(events[1].impulse_n, 1.6 * speed, 1e-8);  // m (γ⁺ − γ⁻)
  EXPECT_NEAR(events[1].energy_loss, 0.5 * (1 - 0.36) * speed * speed, 1e-8);  // kinetic
  EXPECT_NEAR(energy_ledger(*assembly.system, state).contact_loss, events[1].energy_loss, 1e-12);
  EXPECT_NEAR(state.u[1], 0.6 * speed, 1e-8);
}

class CompliantLaws : public ::testing::TestWithParam<std::string> {};

TEST_P(CompliantLaws, DeliverInARunWhatTheyDeliverInAFreeImpact) {
  for (const OdeMethod method : {OdeMethod::adams, OdeMethod::bdf}) {
    SCOPED_TRACE(name(method));
    const double speed = 0.7;
    const Assembly assembly = assembled(ball(GetParam(), 0, 0.01, -speed));
    const FreeImpact free =
        free_impact(assembly.system->info().contacts[0].compliant->normal, 1, speed);
    ASSERT_TRUE(free.complete);
    const CompliantOptions options{.integrator = method,
                                   .relative_tolerance = 1e-10,
                                   .position_tolerance = 1e-13,
                                   .speed_tolerance = 1e-10};
    Compliant integrator(*assembly.system, options);
    State state = assembly.start;
    double depth = 0;
    const RunSummary summary = simulate(
        integrator, state, 0.1,
        [&](double t) { return t + (t > 0.01 / speed ? free.compression_time / 500 : 1); },
        [&](const State& now, const StepResult& result) {
          depth = std::max(depth, 0.1 - now.q[1]);
          return result.released.empty();
        });
    ASSERT_EQ(summary.status, StepStatus::done) << name(summary.status);
    EXPECT_NEAR(state.u[1], free.restitution * speed, 1e-6 * speed);
    EXPECT_NEAR(depth, free.peak_depth, 1e-5 * free.peak_depth);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CompliantLaws,
    ::testing::Values("model: hertz, stiffness: 1e9 N/m^1.5",
                      "model: hunt-crossley, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: herbert-mcwhannell, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: lee-wang, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: lankarani-nikravesh, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: gonthier, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: zhiying-qishao, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: flores, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: hu-guo, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: calibrated, stiffness: 1e9 N/m^1.5, restitution: 0.5",
                      "model: calibrated, stiffness: 1e9 N/m^1.5, restitution: 0.05",
                      "model: kelvin-voigt, stiffness: 1e6 N/m, damping: 300 N s/m",
                      "model: kelvin-voigt, stiffness: 1e6 N/m, damping: 1500 N s/m",
                      "model: kelvin-voigt, stiffness: 1e6 N/m, damping: 3000 N s/m",
                      "model: anagnostopoulos, stiffness: 1e6 N/m, restitution: 0.5, mass: 1 kg",
                      "model: impact, stiffness: 1e8 N/m^1.5, damping: 1000 N s/m, depth: 0.1 mm",
                      "model: expression, force: 1e6*delta + 2e6*delta*ddelta"),
    [](const auto& tested) {
      std::string name = tested.param.substr(7, tested.param.find(',') - 7);
      std::erase(name, '-');
      return fmt::format("{}{}", name, tested.index);
    });

/// A block on a plane, with gravity as if the plane were inclined.
std::string block(const std::string& friction, double slope) {
  return fmt::format(R"(
gravity: [{}, {}]
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  block: {{mass: 1, inertia: 0.01, shape: {{box: [0.4, 0.02]}}, initial: {{position: [0, 0.01]}}}}
contacts: {{rest: {{between: [block, ground.floor], law: wood}}}}
laws: {{wood: {{model: kelvin-voigt, stiffness: 1e6 N/m, damping: 1000 N s/m, friction: {{{}}}}}}}
)",
                     9.81 * std::sin(slope), -9.81 * std::cos(slope), friction);
}

/// What becomes of the block in 0.5 s.
State slide(const std::string& friction, double slope, std::unique_ptr<System>& system) {
  Assembly assembly = assembled(block(friction, slope));
  system = std::move(assembly.system);
  const CompliantOptions options{.integrator = OdeMethod::bdf,
                                 .position_tolerance = 1e-12,
                                 .speed_tolerance = 1e-10,
                                 .angular_speed_tolerance = 1e-10};
  Compliant integrator(*system, options);
  State state = assembly.start;
  const RunSummary summary = simulate(integrator, state, 0.5);
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
  return state;
}

State slide(const std::string& friction, double slope) {
  std::unique_ptr<System> system;
  return slide(friction, slope, system);
}

TEST(CompliantFriction, LetsABlockCreepWhereTheCoefficientEqualsTheSlope) {
  const double slope = std::atan(0.2), share = 0.5;  // of μ = 0.4
  const auto speed = [&](const std::string& friction) { return slide(friction, slope).u[0]; };
  // theory 9.16 to 9.19, solved for the speed
  EXPECT_NEAR(speed("model: threlfall, friction: 0.4, speed: 0.01"),
              -0.01 / 3 * std::log(1 - share), 1e-8);
  EXPECT_NEAR(speed("model: ambrosio, friction: 0.4, lower_speed: 0.001, higher_speed: 0.01"),
              0.001 + 0.009 * share, 1e-8);
  EXPECT_NEAR(speed("model: bengisu-akay, static_friction: 0.4, kinetic_friction: 0.3, "
                    "speed: 0.01, decay: 100 s/m"),
              0.01 * (1 - std::sqrt(1 - share)), 1e-8);
  const double s = 0.5 - std::sin(std::asin(-share) / 3);  // of −1 + 2 s²(3 − 2s) = share
  EXPECT_NEAR(speed("model: adams-step, static_friction: 0.4, kinetic_friction: 0.3, "
                    "stiction_speed: 0.01, friction_speed: 0.02"),
              0.01 * (2 * s - 1), 1e-8);
}

TEST(CompliantFriction, LetsABlockRestOnBristlesBentAsFarAsTheSlopeAsks) {
  std::unique_ptr<System> system;
  const double stiffness = 1e4;
  const State state = slide(
      "model: lugre, static_friction: 0.4, kinetic_friction: 0.3, stribeck_speed: 0.001, "
      "stiffness: 1e4 m^-1, damping: 100 s/m",
      std::atan(0.2), system);
  EXPECT_NEAR(state.u[0], 0, 1e-8);
  ASSERT_EQ(state.contacts.size(), 2u);  // the two lower corners
  for (const ContactRecord& record : state.contacts) {
    EXPECT_GT(memory_of(record).entry_rate, 0);
    EXPECT_NEAR(memory_of(record).friction_state, 0.2 / stiffness, 1e-6 / stiffness);
  }
}

TEST(CompliantFriction, LetsABlockSlideFasterAndFasterOnASteeperSlope) {
  // At the end of the run by g (sin α − μ cos α) t, but for the first moments.
  const double slope = std::atan(0.6);
  for (const auto& [friction, sliding] : std::vector<std::pair<std::string, double>>{
           {"model: threlfall, friction: 0.4, speed: 0.001", 0.4 * (1 - std::exp(-3))},
           {"model: ambrosio, friction: 0.4, lower_speed: 1e-4, higher_speed: 0.001", 0.4},
           {"model: bengisu-akay, static_friction: 0.4, kinetic_friction: 0.3, speed: 0.001, "
            "decay: 1e4 s/m",
            0.3},
           {"model: adams-step, static_friction: 0.4, kinetic_friction: 0.3, stiction_speed: "
            "0.001, "
            "friction_speed: 0.002",
            0.3},
           {"model: lugre, static_friction: 0.4, kinetic_friction: 0.3, stribeck_speed: 0.001, "
            "stiffness: 1e5 m^-1, damping: 10 s/m",
            0.3}}) {
    SCOPED_TRACE(friction);
    const double expected = 9.81 * (std::sin(slope) - sliding * std::cos(slope)) * 0.5;
    EXPECT_NEAR(slide(friction, slope).u[0], expected, 2e-3 * expected);
  }
}

TEST(CompliantFriction, NeverBendsBristlesFurtherThanTheyHold) {
  std::string text = rattling;
  const std::string simple = "friction: 0.1}";
  text.replace(text.find(simple), simple.size(),
               "friction: {model: lugre, static_friction: 0.2, kinetic_friction: 0.1, "
               "stribeck_speed: 0.01, stiffness: 1e5 m^-1, damping: 10 s/m}}");
  const Assembly assembly = assembled(text);
  Compliant integrator(*assembly.system, {});
  State state = assembly.start;
  double most = 0;
  const RunSummary summary = simulate(
      integrator, state, 0.02, [](double) { return INFINITY; },
      [&](const State& now, const StepResult&) {
        for (const ContactRecord& record : now.contacts)
          most = std::max(most, std::abs(memory_of(record).friction_state));
      });
  EXPECT_EQ(summary.status, StepStatus::done);
  EXPECT_GT(summary.impacts, 3);
  EXPECT_GT(most, 0.1 / 1e5);  // they slide
  EXPECT_LT(most, 0.2 / 1e5 * (1 + 1e-6));
}

}  // namespace
}  // namespace backlash::test
