// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/energy.h"
#include "backlash/dynamics/state.h"

namespace backlash {

/// Watches whether drives and locks contradict each other. Methods that keep them exactly fail
/// there; one that keeps them by their accelerations goes on with neither (theory 10.9).
class ContradictionWatch {
 public:
  explicit ContradictionWatch(const System& system);

  /// After each step. False if no motion fulfils all drives and locks; then message() says which.
  bool accepts(const State& state);

  const std::string& message() const { return message_; }

 private:
  const System& system_;
  Memory memory_;
  Configuration c_;
  Matrix W_;
  Vector w_;
  bool driven_;  ///< whether there is anything to watch
  std::string message_{};
};

}  // namespace backlash
