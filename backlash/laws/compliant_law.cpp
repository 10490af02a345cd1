// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/compliant_law.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

void validate(const CompliantLaw& law, std::string_view item) {
  validate(law.normal, item);
  validate(law.friction, item);
  require_positive(law.slowest_entry, fmt::format("{}: slowest entry", item), "m/s");
}

}  // namespace backlash
