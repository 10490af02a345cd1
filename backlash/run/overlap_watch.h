// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/integrators/step_result.h"

namespace backlash {

/// Watches for overlaps that cannot be: as deep as a part is large, or deeper than where bodies are
/// still pushed apart (theory 7.27).
class OverlapWatch {
 public:
  explicit OverlapWatch(const System& system) : system_(system) {}

  /// After each step. False if an overlap cannot be; then message() says which.
  bool accepts(const State& state, const StepResult& result);

  const std::string& message() const { return message_; }

 private:
  bool accepts_contact(const ContactKey& key, const State& state);

  const System& system_;
  double seen_ = 0;  ///< no shallower overlap is looked at again [m]
  std::string message_;
};

}  // namespace backlash
