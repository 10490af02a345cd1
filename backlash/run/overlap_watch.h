// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/base/archive.h"
#include "backlash/dynamics/energy.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// Watches for overlaps that cannot be: as deep as a part is large, or deeper than where bodies are
/// still pushed apart (theory 7.27). At the end of a step, and where its contacts were found: at
/// the middle of one that is too long a body may be deep in another which pushes it out at once.
class OverlapWatch {
 public:
  OverlapWatch(const System& system, const State& start);

  /// After each step. False if an overlap cannot be; then message() says which.
  bool accepts(const State& state, const StepResult& result);

  const std::string& message() const { return message_; }

  void archive(Archive& a) { a(seen_); }

 private:
  bool accepts_contact(const ContactOutcome& contact, const StepResult& result, const State& state);

  const System& system_;
  Memory memory_;
  Configuration c_;  ///< of the last look
  double seen_ = 0;  ///< no shallower overlap is looked at again [m]
  std::string message_;
};

}  // namespace backlash
