// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "backlash/base/types.h"

namespace backlash {

/// The user's data are wrong. The message names item, quantity, value, unit and bound.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throw InputError unless lower ≤ value ≤ upper (NaN fails too).
void require_in_range(double value, double lower, double upper, std::string_view quantity,
                      std::string_view unit);

/// Throw InputError unless value > 0 and finite.
void require_positive(double value, std::string_view quantity, std::string_view unit);

/// Throw InputError unless value ≥ 0 and finite.
void require_not_negative(double value, std::string_view quantity, std::string_view unit);

/// Throw InputError naming the first entry that is NaN or infinite.
void require_finite(double value, std::string_view quantity);
void require_finite(const MatrixView& values, std::string_view quantity);

/// Throw InputError unless found == expected.
void require_size(Eigen::Index found, Eigen::Index expected, std::string_view quantity);

}  // namespace backlash
