// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/condition.h"

#include <limits>

namespace backlash {

/// Both sides stand before the sign. Where they are equal the least number that there is makes
/// "at least" and "at most" true.
ExpressionCode comparison_as_difference(ExpressionCode code) {
  const Operation sign = code.back().operation;
  const bool above = sign == Operation::greater || sign == Operation::greater_equal;
  const bool below = sign == Operation::less || sign == Operation::less_equal;
  if (!above && !below) return code;
  code.back().operation = Operation::subtract;
  const int column = code.back().column;
  if (below) code.push_back({.operation = Operation::negate, .column = column});
  if (sign == Operation::greater || sign == Operation::less) return code;
  code.push_back({.value = std::numeric_limits<double>::denorm_min(), .column = column});
  code.push_back({.operation = Operation::add, .column = column});
  return code;
}

}  // namespace backlash
