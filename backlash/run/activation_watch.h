// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/base/archive.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// Watches for contacts that events turn on while their bodies overlap. At the start of a run that
/// is an error (simulation.initial_penetration); later the event is what makes it so.
class ActivationWatch {
 public:
  /// `allowed`: an overlap that is not reported [m].
  ActivationWatch(const System& system, const State& start, double allowed);

  /// After each step.
  void look(const State& state, const StepResult& result);

  /// One sentence for each event and contact, about the first time.
  std::vector<std::string> warnings(const std::string& method) const;

  /// The first of them in a message about energy; empty: there was none.
  std::string cause() const;

  void archive(Archive& a) { a(found_, q_); }

 private:
  struct Overlap {
    double t = 0;  ///< [s]
    int event = 0;
    ContactKey key{};
    double depth = 0;  ///< [m, rad]

    void archive(Archive& a) { a(t, event, key, depth); }
  };

  void look_at(const EventOutcome& happened, const Vector& q, const State& state);
  std::string describe(const Overlap& overlap) const;

  const System& system_;
  Memory memory_;
  double allowed_;
  bool any_;  ///< events turn contacts on
  Vector q_;  ///< after the last step
  Configuration c_;
  std::vector<ContactFrame> frames_;
  std::vector<Overlap> found_;
};

}  // namespace backlash
