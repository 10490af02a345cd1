// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/base/source_location.h"
#include "backlash/base/units.h"

namespace backlash {

/// A quantity that is recorded besides those that every run has: a formula of the channels of the
/// results.
struct OutputQuantity {
  std::string name{};
  Expression expression{};              ///< variable i is channels[i]
  std::vector<std::string> channels{};  ///< "main.u", "motor.torque", "floor.force", …
  ExpressionCode code{};                ///< of the formula, from which its unit follows
  std::vector<Dimension> tags{};        ///< of its literals, as in formula_dimension()
  SourceLocation where{};
};

}  // namespace backlash
