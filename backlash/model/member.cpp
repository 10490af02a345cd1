// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/member.h"

#include "backlash/base/input_error.h"

namespace backlash {

void require_in_range(double value, const NumberRange& range, const std::string& quantity,
                      std::string_view unit) {
  switch (range.kind) {
    case NumberRange::Kind::any:
      return require_finite(value, quantity);
    case NumberRange::Kind::positive:
      return require_positive(value, quantity, unit);
    case NumberRange::Kind::not_negative:
      return require_not_negative(value, quantity, unit);
    case NumberRange::Kind::between:
      return require_in_range(value, range.lower, range.upper, quantity, unit);
  }
}

}  // namespace backlash
