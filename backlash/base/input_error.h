// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "backlash/base/source_location.h"
#include "backlash/base/types.h"

namespace backlash {

/// The user's data are wrong. The message names item, quantity, value, unit and bound. What keeps a
/// file from being read or written is an IoError.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// what() begins with the place, as far as it is known: "model.yaml:12:5: joints.guide: …".
  InputError(const SourceLocation& where, const std::string& message);

  const SourceLocation& where() const { return where_; }
  const std::string& message() const { return message_; }  ///< without the place

 private:
  SourceLocation where_{};
  std::string message_{what()};
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

/// Throw InputError unless 0 ≤ index < size.
void require_index(Eigen::Index index, Eigen::Index size, std::string_view quantity);

/// Throw InputError unless the choice is one of its enumeration, which begins at 0 and ends with
/// `last`.
template <class Choice>
void require_choice(Choice choice, Choice last, std::string_view quantity) {
  require_index(static_cast<Eigen::Index>(choice), static_cast<Eigen::Index>(last) + 1, quantity);
}

/// Throw InputError unless found == expected.
void require_size(Eigen::Index found, Eigen::Index expected, std::string_view quantity);

}  // namespace backlash
