// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash {

/// Bounds on a number.
struct NumberRange {
  enum class Kind { any, positive, not_negative, between } kind = Kind::any;
  double lower = 0, upper = 0;  ///< of between
};

}  // namespace backlash
