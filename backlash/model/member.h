// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/number_range.h"

/// What a member of a family (a joint, a force) says of itself, so that the reader, the schema, the
/// reference, the checks, assembly and pictures need not know it.
namespace backlash {

/// A number that a member has.
template <class Member>
struct NumberField {
  std::string_view key;
  double Member::*value;
  NumberRange range{};
  std::string_view unit;           ///< SI
  std::string_view linear_unit{};  ///< where it acts along a translation; empty: the same
  std::string_view meaning;
};

template <class Member>
using NumberFields = std::vector<NumberField<Member>>;

template <class Member>
concept HasNumbers = requires {
  Member::numbers();
};

/// Throw InputError unless the value is finite and within the range.
void require_in_range(double value, const NumberRange& range, const std::string& quantity,
                      std::string_view unit);

/// Throw InputError naming the first number of a member that is out of its range.
template <class Member>
void check_numbers(const Member& member, const std::string& item) {
  if constexpr (HasNumbers<Member>)
    for (const NumberField<Member>& field : Member::numbers())
      require_in_range(member.*field.value, field.range, item + ": " + std::string(field.key),
                       field.unit);
}

}  // namespace backlash
