// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/run.h"

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/io/model/model_reader.h"
#include "support/models.h"

namespace backlash::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr const char* falling = R"(backlash: 1
title: A ball that falls on a floor
parameters: {drop: 0.2 m}
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 2, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.1 + drop]}}
contacts: {hit: {between: [ball, ground.floor], law: rubber}}
laws: {rubber: {restitution: 0.5, friction: 0.2}}
simulation: {step: 1e-3, until: 0.5}
output: {every: 0.01, points: {top: {body: ball, at: [0, 0.1]}}}
)";

Model falling_ball() { return parse_model(falling, "falling.yaml"); }

const NamedValue* option(const RunDescription& run, const std::string& name) {
  for (const NamedValue& value : run.options)
    if (value.name == name) return &value;
  return nullptr;
}

TEST(RunRecorder, HasNothingBeforeARunHasBegun) {
  RunRecorder recorder;
  EXPECT_EQ(recorder.rows(), 0);
  EXPECT_THROW(recorder.recording(), InputError);
}

TEST(Run, OfAModelTellsWhatItAmountedTo) {
  RunRecorder recorder;
  const RunOutcome outcome = run(falling_ball(), {}, recorder);
  EXPECT_EQ(outcome.report.status, RunStatus::done);
  EXPECT_EQ(outcome.report.t, 0.5);
  EXPECT_EQ(outcome.end.t, 0.5);
  EXPECT_EQ(outcome.report.run.steps, 500);
  EXPECT_GE(outcome.report.run.impacts, 1);
  EXPECT_NEAR(outcome.report.start.mechanical(), 2 * 9.81 * 0.3, 1e-12);
  EXPECT_LT(std::abs(outcome.report.made_by_method()), 1e-12);
  EXPECT_EQ(recorder.rows(), 51);
  EXPECT_EQ(outcome.description.title, "A ball that falls on a floor");
  EXPECT_THAT(outcome.description.parameters, ElementsAre(NamedValue{"drop", 0.2}));
}

TEST(Run, RemembersAllOptionsWithTheirDefaultsAndWhatItWasAskedToRemember) {
  RunObserver nobody;
  const RunOutcome outcome = run(falling_ball(), {.options = {{"law.rubber", "soft"}}}, nobody);
  const auto value = [&](const char* name) {
    const NamedValue* found = option(outcome.description, name);
    return found ? found->value : decltype(found->value)("missing");
  };
  EXPECT_EQ(std::get<std::string>(value("method")), "moreau");
  EXPECT_EQ(std::get<double>(value("step")), 1e-3);
  EXPECT_EQ(std::get<double>(value("until")), 0.5);
  EXPECT_EQ(std::get<double>(value("every")), 0.01);
  EXPECT_EQ(std::get<std::string>(value("solver")), "auto");
  EXPECT_EQ(std::get<double>(value("tolerance")), 1e-12);
  EXPECT_EQ(std::get<std::int64_t>(value("max_iterations")), 10000);
  EXPECT_EQ(std::get<std::string>(value("coordinates")), "joint");
  EXPECT_EQ(std::get<std::string>(value("law.rubber")), "soft");
  EXPECT_EQ(option(outcome.description, "theta"), nullptr);  // of no use in this scheme
}

TEST(Run, OfASystemOfOnesOwnGoesTheSameWay) {
  const SliderCrank crank;
  RunRecorder recorder;
  const RunOutcome outcome =
      run({.title = "crank",
           .system = crank,
           .start = slider_crank_start(crank),
           .simulation = {.options = {{.key = "step", .value = 1e-5}}, .until = 5e-3},
           .output = {.every = 1e-4}},
          {.steps = true}, recorder);
  EXPECT_EQ(outcome.report.status, RunStatus::done);
  EXPECT_EQ(recorder.rows(), 51);
  EXPECT_THAT(recorder.recording().steps, SizeIs(500));
  EXPECT_GE(outcome.report.run.impacts, 1);
}

/// Says that it has seen enough after some steps.
struct Impatient : RunObserver {
  long steps = 0, most = 0;
  bool told_end = false;
  explicit Impatient(long most_) : most(most_) {}
  bool observe(const State&, const StepResult&) override { return ++steps < most; }
  void end(const State&, const StepResult* failure) override { told_end = failure == nullptr; }
};

TEST(Run, EndsWhenItsObserverSaysSo) {
  Impatient observer(7);
  const RunOutcome outcome = run(falling_ball(), {}, observer);
  EXPECT_EQ(outcome.report.status, RunStatus::interrupted);
  EXPECT_EQ(outcome.report.run.steps, 7);
  EXPECT_DOUBLE_EQ(outcome.end.t, 7e-3);
  EXPECT_TRUE(observer.told_end);
}

TEST(Run, EndsWhenItIsAskedToStop) {
  std::stop_source source;
  source.request_stop();
  RunObserver nobody;
  const RunOutcome outcome = run(falling_ball(), {.stop = source.get_token()}, nobody);
  EXPECT_EQ(outcome.report.status, RunStatus::interrupted);
  EXPECT_EQ(outcome.report.run.steps, 1);
}

TEST(Run, ThatFailsSaysWhenAndWhyAndKeepsWhatWasReached) {
  const Model model = parse_model(R"(backlash: 1
bodies: {b: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, b]}}
forces: {push: {type: joint_force, joint: rail, force: 1 N*sqrt(1 - t/(52 ms))}}
simulation: {step: 1e-2, until: 1}
)",
                                  "m.yaml");
  RunRecorder recorder;
  const RunOutcome outcome = run(model, {}, recorder);
  EXPECT_EQ(outcome.report.status, RunStatus::failed);
  EXPECT_THAT(outcome.report.message,
              AllOf(HasSubstr("the step from t = 0.05"), HasSubstr("rail")));
  EXPECT_NEAR(outcome.end.t, 0.05, 1e-12);
  EXPECT_EQ(recorder.rows(), 6);
}

TEST(BadInput, OfARunIsAnErrorBeforeItsFirstStep) {
  struct Untouched : RunObserver {
    void begin(const RunStart&) override { ADD_FAILURE() << "it began"; }
  } observer;
  const auto attempt = [&](auto change) {
    return [&observer, change] {
      Model model = falling_ball();
      change(model);
      run(model, {}, observer);
    };
  };
  EXPECT_THAT(attempt([](Model& m) { m.output.every = 2; }),
              ThrowsMessage<InputError>(AllOf(HasSubstr("falling.yaml:11:9: output: every is 2 s"),
                                              HasSubstr("ends at 0.5 s (simulation.until)"))));
  EXPECT_THAT(attempt([](Model& m) { m.simulation.method = "euler"; }),
              ThrowsMessage<InputError>(HasSubstr("method 'euler' does not exist")));
  EXPECT_THAT(attempt([](Model& m) { set_option(m.simulation.options, "onset", "root"); }),
              ThrowsMessage<InputError>(HasSubstr("the method moreau has no option 'onset'")));
  EXPECT_THAT(attempt([](Model& m) { set_option(m.simulation.options, "step", 1e-20); }),
              ThrowsMessage<InputError>(HasSubstr("at t = 0.5 s it is lost in rounding")));
  EXPECT_THAT(attempt([](Model& m) { set_option(m.simulation.options, "step", 0.0); }),
              ThrowsMessage<InputError>(HasSubstr("step must be positive")));
  EXPECT_THAT(attempt([](Model& m) {
                m.simulation.method = "compliant";
                m.simulation.options.clear();
              }),
              ThrowsMessage<InputError>(HasSubstr("its law is set-valued")));
}

}  // namespace
}  // namespace backlash::test
