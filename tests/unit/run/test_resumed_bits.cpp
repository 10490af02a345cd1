// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "support/built_methods.h"
#include "support/paths.h"

/// Runs that are saved after some step and go on from what was saved.
namespace backlash::test_resumed_bits {
namespace {

template <class T>
void append_bytes(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// All numbers of what was recorded.
std::string bytes_of(const Recording& recording) {
  std::string bytes;
  for (const double x : recording.states) append_bytes(x, bytes);
  for (const ContactRow& row : recording.contacts) {
    for (const double x : {row.t, row.gap, row.peak_n, row.impact_n}) append_bytes(x, bytes);
    for (const auto* three : {&row.gamma, &row.impulse, &row.force}) append_bytes(*three, bytes);
    append_bytes(row.parameters, bytes);
    for (const Vec3* v : {&row.point.p_W, &row.point.n_W})
      bytes.append(reinterpret_cast<const char*>(v->data()), 3 * sizeof(double));
  }
  for (const Event& event : recording.events)
    for (const double x : {event.t, event.impulse_n, event.energy_loss}) append_bytes(x, bytes);
  return bytes;
}

/// What it takes to go on.
struct Saved {
  std::string progress{}, recorder{};
};

/// Keeps what each step recorded, and saves the run after some of them.
class Saver : public RunRecorder {
 public:
  /// Saves after every so many steps, and ends after `most`.
  Saver(long every, long most, const Saved* resumed = nullptr)
      : every_(every), most_(most), resumed_(resumed) {}

  void begin(const RunStart& start) override {
    RunRecorder::begin(start);
    progress_ = &start.progress;
    if (resumed_) restore_recorder(resumed_->recorder, start.progress.state);
    recording().clear();
    if (!resumed_) save(0);
  }

  bool observe(const State& state, const StepResult& result) override {
    const bool finite = RunRecorder::observe(state, result);
    steps.push_back(bytes_of(recording()));
    recording().clear();
    const long n = std::ssize(steps);
    if (n % every_ == 0) save(n);
    return finite && n < most_;
  }

  std::vector<std::string> steps{};
  std::map<long, Saved> saved{};  ///< by the steps before

 private:
  void save(long n) { saved[n] = {backlash::save(*progress_), save_recorder()}; }

  long every_, most_;
  const Saved* resumed_;
  const RunProgress* progress_ = nullptr;
};

/// Resumed after every `apart` steps, it records the same in the next `compared` steps, and
/// remembers the same after them.
void expect_same_bits_from(const Model& model, long steps, long apart, long compared) {
  Saver whole(apart, steps);
  run(model, {}, whole);
  ASSERT_GT(std::ssize(whole.steps), steps / 2);
  for (const auto& [before, saved] : whole.saved) {
    SCOPED_TRACE(fmt::format("resumed after {} steps", before));
    Saver part(compared, compared, &saved);
    run(model, {.resume = saved.progress}, part);
    for (std::size_t k = 0; k < part.steps.size(); ++k) {
      const std::size_t at = static_cast<std::size_t>(before) + k;
      if (at >= whole.steps.size()) break;
      ASSERT_TRUE(part.steps[k] == whole.steps[at]) << k << " steps later";
    }
    const auto then = whole.saved.find(before + compared);
    if (then == whole.saved.end() || part.saved.empty()) continue;
    EXPECT_TRUE(part.saved.begin()->second.progress == then->second.progress);
    EXPECT_TRUE(part.saved.begin()->second.recorder == then->second.recorder);
  }
}

/// A cam of a free form that lifts a roller and a plate, in guides whose friction grows with what
/// they carry; what the guide carries switches the spring, and another event locks.
std::string cam(const std::string& simulation) {
  return R"(
backlash: 1
gravity: [0, -9.81]
parameters: {limit: 60 N}
profiles:
  lobe: {periodic: true, points: [[0.05, 0], [0.034, 0.033], [0, 0.04], [-0.026, 0.027],
         [-0.035, 0], [-0.026, -0.027], [0, -0.036], [0.032, -0.032]]}
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1], point: [0, -0.05]}}}}
  cam: {mass: 1, inertia: 1e-3, shape: {profile: lobe}}
  roller: {mass: 0.4, inertia: 1e-3, shape: {circle: 0.01}}
  loose: {mass: 0.1, inertia: 1e-4, shape: {profile: lobe}, initial: {position: [0.4, 0.02], speed: 3}}
joints:
  shaft: {type: revolute, between: [ground, cam], drive: {speed: 20}, friction: {coefficient: 0.1, radius: 5 mm}}
  guide: {type: prismatic, between: [ground, roller], axis: [0, 1], initial: {position: 0.07}, friction: {coefficient: 0.2, length: 40 mm}}
forces: {spring: {type: joint_spring, joint: guide, stiffness: 2000, preload: 10}}
contacts:
  lift: {between: [cam, roller], law: steel}
  fall: {between: [loose, ground.floor], law: steel}
laws: {steel: {restitution: 0.3, friction: 0.2}}
events:
  heavy: {when: guide.force - limit, deactivate: [spring]}
  later: {at: 60 ms, activate: [spring]}
output: {every: step}
simulation: {until: 0.2, )" +
         simulation + "}\n";
}

TEST(ResumedBits, OfCamsAreThoseOfARunWithoutABreak) {
  for (const char* simulation :
       {"step: 1e-4", "step: auto", "step: 1e-4, scheme: theta", "step: 1e-4, solver: lemke"}) {
    SCOPED_TRACE(simulation);
    expect_same_bits_from(parse_model(cam(simulation), "cam.yaml"), 2000, 20, 40);
  }
}

/// Rows within steps, of which what was there before the step is a part.
TEST(ResumedBits, OfRowsBetweenStepsAreThoseOfARunWithoutABreak) {
  std::string text = cam("step: 1e-4");
  text.replace(text.find("every: step"), 11, "every: 7e-5");
  expect_same_bits_from(parse_model(text, "cam.yaml"), 2000, 20, 40);
}

/// The circuit breaker with rigid contacts: a cam of a free form, latches, and reactions of joints.
TEST(ResumedBits, OfTheCircuitBreakerAreThoseOfARunWithoutABreak) {
  Model model = read_model(source_folder() + "/examples/circuit_breaker/model.yaml");
  for (ContactPair& contact : model.contacts) contact.law = "rigid";
  model.simulation = {
      .method = "moreau", .options = {{.key = "step", .value = 2e-5}}, .until = 0.2};
  model.output.every = 0;
  expect_same_bits_from(model, 6000, 50, 100);
}

}  // namespace
}  // namespace backlash::test_resumed_bits
