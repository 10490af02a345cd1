// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/integrators/step_result.h"
#include "backlash/results/channel.h"
#include "backlash/results/event.h"

namespace backlash {

/// One contact at one time of output.
struct ContactRow {
  double t = 0;  ///< [s]
  int contact = 0;
  double gap = 0;                           ///< [m]
  double gamma[3]{};                        ///< normal and tangents [m/s]
  double impulse[3]{};                      ///< exchanged since the row before [N s]
  double force[3]{};                        ///< of the last step: its impulse over its length [N]
  ContactState state = ContactState::open;  ///< of the last step
  ContactPoint point;
};

/// What was recorded and not yet written.
struct Recording {
  std::vector<double> states;  ///< row after row, the columns of state_channels()
  std::vector<ContactRow> contacts;
  std::vector<Event> events;

  bool empty() const { return states.empty() && contacts.empty() && events.empty(); }
  void clear();
};

/// Watches a run and keeps what the user wants to see: states and contacts at regular times, and
/// every event.
class Recorder {
 public:
  /// A row every `every` seconds; 0: after every step. The first row is the start.
  Recorder(const System& system, const State& start, double every);

  void observe(const State& state, const StepResult& result);

  /// A last row for a run that ends between two times of output.
  void finish(const State& state);

  /// What was recorded and not yet written; the writer clears it.
  Recording& recording() { return recording_; }

 private:
  void record(const State& state);

  const System& system_;
  double every_;  ///< [s]
  double start_;  ///< [s]
  long rows_ = 0;
  double last_t_ = 0;                ///< of the last row [s]
  std::vector<ContactRow> current_;  ///< impulses so far, forces and states of the last step
  Recording recording_;
};

}  // namespace backlash
