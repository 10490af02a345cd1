// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"

namespace backlash::test {

/// What a run of a model file recorded, by the names of its channels.
struct RecordedRun {
  std::vector<Channel> channels{};
  std::vector<double> states{};
  RunReport report{};

  std::size_t rows() const { return states.size() / channels.size(); }
  std::size_t column(const std::string& name) const {
    const auto found = std::ranges::find(channels, name, &Channel::name);
    if (found == channels.end()) throw InputError("there is no channel " + name);
    return static_cast<std::size_t>(found - channels.begin());
  }
  double at(const std::string& name, std::size_t row) const {
    return states.at(row * channels.size() + column(name));
  }
  std::string unit(const std::string& name) const { return channels[column(name)].unit; }
  std::vector<double> all(const std::string& name) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < rows(); ++i) values.push_back(at(name, i));
    return values;
  }
};

/// Keeps the channels besides what is recorded.
class ChannelRecorder final : public RunRecorder {
 public:
  void begin(const RunStart& start) override {
    channels = state_channels(start.system.info(), start.recorded);
    RunRecorder::begin(start);
  }
  std::vector<Channel> channels;
};

inline RecordedRun recorded_run(const Model& model) {
  ChannelRecorder recorder;
  RunReport report = run(model, {}, recorder).report;
  return {recorder.channels, recorder.recording().states, std::move(report)};
}
inline RecordedRun recorded_run(const std::string& text) {
  return recorded_run(parse_model(text, "model.yaml"));
}

/// Of a run that has to succeed.
inline RunReport report_of(const std::string& text) {
  RunReport report = recorded_run(text).report;
  EXPECT_EQ(report.status, RunStatus::done) << report.message;
  return report;
}

}  // namespace backlash::test
