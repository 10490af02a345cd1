// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/base/source_location.h"
#include "backlash/model/signal.h"

namespace backlash {

/// A number that changes by a rate of its own while the mechanism moves: the current of a motor,
/// the integral of a controller, wear (theory 2.7). Formulas use it by its name.
struct StateVariable {
  std::string name{};
  SignalExpression rate{};  ///< [unit/s]
  double initial = 0;       ///< [unit]
  std::string unit{};       ///< SI, as far as it is known; empty: a plain number, or not known
  SourceLocation where{};
};

}  // namespace backlash
