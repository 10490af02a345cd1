// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>

#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/results/columns.h"
#include "backlash/results/recorder.h"

namespace backlash {
namespace {

using test::expect_refused;
using test::Misuse;

TEST(Misuse, OfARecorderIsRefused) {
  const SliderCrank crank;
  const CamFollower cam;
  const State start = slider_crank_start(crank), other = cam_follower_start(cam);
  const auto recording = [&](const RecorderOptions& options, const std::string& complaint) {
    return Misuse{[=, &crank] { Recorder(crank, start, options); }, complaint};
  };
  const auto point = [](const char* name, int body, double x = 0) {
    return RecorderOptions{.points = {{name, body, Vec3(x, 0, 0)}}};
  };
  const RecordedPoint tip{"tip", 0};
  expect_refused({
      recording({.every = NAN}, "time between outputs"),
      recording({.every = -1}, "time between outputs"),
      recording(point("tip", 3), "point 'tip': number of its body must lie in [-1, 2] -, is 3"),
      recording(point("tip", -2), "point 'tip': number of its body"),
      recording(point("tip", 0, NAN), "point 'tip': place [0] must be finite, is nan"),
      recording(point("", 0), "a recorded point has no name"),
      recording({.points = {tip, tip}}, "there is another recorded point 'tip'"),
      {[&] { Recorder(crank, other, {}); },
       "positions of the configuration must have size 3, has 1"},
      {[&] {
         point_motion(std::vector<BodyMotion>(3), 2, {"tip", 9});
       },
       "point 'tip': number of its body must lie in [0, 2], is 9"},
  });
}

TEST(Misuse, OfARecordersStepsIsRefused) {
  const SliderCrank crank;
  const CamFollower cam;
  const State start = slider_crank_start(crank), other = cam_follower_start(cam);
  Recorder recorder(crank, start, {});
  const auto observing = [&](const State& state, const std::function<void(StepResult&)>& change,
                             const std::string& complaint) {
    StepResult result;
    result.step = 1;
    change(result);
    return Misuse{[=, &recorder] { recorder.observe(state, result); }, complaint};
  };
  using R = StepResult;
  expect_refused({
      observing(
          other, [](R&) {}, "positions of the state to record must have size 3, has 1"),
      observing(
          start, [](R& r) { r.step = 0; }, "length of the step to record must be positive"),
      observing(
          start,
          [](R& r) {
            r.contacts = {{.key = {99, 0}}};
          },
          "contact of the step to record must lie in [0, 3], is 99"),
      observing(
          start,
          [](R& r) {
            r.released = {{.key = {-1, 0}, .before = ContactState::slip}};
          },
          "contact of the step"),
      observing(
          start, [](R& r) { r.events = {{.event = 0}}; },
          "event of the step is 0, but there are none"),
      {[&] { recorder.finish(other); }, "positions of the state to record"},
  });
}

TEST(Misuse, OfARecordingIsRefused) {
  const SystemInfo info = SliderCrank().info();
  const std::vector<Channel> channels = state_channels(info);
  const std::vector<RecordedContact> contacts{{"guide.1", {0, 0}}};
  const auto with = [&](const std::function<void(Recording&)>& change,
                        const std::string& complaint) {
    Recording recording;
    change(recording);
    return Misuse{[=] { require_finite(recording, info, channels, contacts); }, complaint};
  };
  using R = Recording;
  expect_refused({
      with(
          [](R& r) {
            r.states = {1, 2};
          },
          "values, are 2 values"),
      with([](R& r) { r.contacts.emplace_back().contact = 1; },
           "the number of a contact must lie in"),
      with([](R& r) { r.contacts.emplace_back().gap = NAN; },
           "the gap of contact 'guide.1' is nan"),
      with([](R& r) { r.contacts.emplace_back().state = static_cast<ContactState>(9); },
           "the state"),
      with([](R& r) { r.events.emplace_back().contact = -1; }, "the number of an event"),
      with(
          [](R& r) {
            Event& event = r.events.emplace_back();
            event.contact = 0;
            event.kind = static_cast<EventKind>(9);
          },
          "the kind must lie in"),
  });
}

}  // namespace
}  // namespace backlash
