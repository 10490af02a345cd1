// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/expression.h"
#include "backlash/dynamics/kernel/coordinate.h"

namespace backlash::planar {

/// A formula whose variables are read off the motion.
struct Formula {
  /// What one variable is.
  struct Input {
    enum class Kind { time, position, rate, x, y, angle, vx, vy, omega };
    Kind kind = Kind::time;
    Coordinate coordinate{};  ///< of a position or rate
    int body = -1;            ///< of the others: its frame
  };
  Expression expression{};
  std::vector<Input> inputs{};
};

/// Most variables that a formula may have.
inline constexpr std::size_t most_inputs = 16;

/// What an input is now.
double read(const Formula::Input& input, const Motion& motion, double t);

double evaluate(const Formula& formula, const Motion& motion, double t);

}  // namespace backlash::planar
