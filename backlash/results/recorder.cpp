// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/recorder.h"

#include "backlash/base/input_error.h"

namespace backlash {

void Recording::clear() {
  states.clear();
  contacts.clear();
  events.clear();
}

Recorder::Recorder(const System& system, const State& start, double every)
    : system_(system), every_(every), start_(start.t), current_(system.info().contacts.size()) {
  require_not_negative(every, "time between outputs", "s");
  for (std::size_t i = 0; i < current_.size(); ++i) current_[i].contact = static_cast<int>(i);
  record(start);
}

void Recorder::observe(const State& state, const StepResult& result) {
  for (ContactRow& row : current_) {
    row.state = ContactState::open;
    for (double& force : row.force) force = 0;
  }
  for (const ContactOutcome& outcome : result.contacts) {
    ContactRow& row = current_[static_cast<std::size_t>(outcome.contact)];
    row.state = outcome.state;
    for (int i = 0; i < 3; ++i) {
      row.impulse[i] += outcome.impulse[i];
      row.force[i] = outcome.impulse[i] / result.step;
    }
  }
  append_events(system_, result, state, recording_.events);
  const double due = start_ + static_cast<double>(rows_) * every_;
  if (every_ == 0 || state.t >= due - 1e-6 * result.step) record(state);
}

void Recorder::finish(const State& state) {
  if (state.t > last_t_) record(state);
}

void Recorder::record(const State& state) {
  const Configuration c = configuration(system_, state.t, state.q);
  append_state_row(system_, c, state, recording_.states);
  Vector gaps(static_cast<Eigen::Index>(current_.size())), w(3);
  Matrix W(state.u.size(), 3);
  if (!current_.empty()) system_.gaps(c, gaps);
  for (ContactRow& row : current_) {
    const int rows = 1 + system_.info().contacts[static_cast<std::size_t>(row.contact)].tangents;
    W.setZero();
    w.setZero();
    system_.contact_rows(c, row.contact, W.leftCols(rows), w.head(rows));
    for (int i = 0; i < rows; ++i) row.gamma[i] = W.col(i).dot(state.u) + w[i];
    row.t = state.t;
    row.gap = gaps[row.contact];
    row.point = system_.contact_point(c, row.contact);
    recording_.contacts.push_back(row);
    for (double& impulse : row.impulse) impulse = 0;
  }
  last_t_ = state.t;
  while (every_ > 0 && start_ + static_cast<double>(rows_) * every_ <= state.t * (1 + 1e-12))
    ++rows_;
}

}  // namespace backlash
