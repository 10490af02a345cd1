// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/units.h"

namespace backlash {

/// What bare numbers in products stand for: SI values of whatever is expected, or plain numbers.
enum class BareFactors { open, plain };

/// As formula_dimension(), for which bare factors are open.
std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const std::optional<Dimension>> variables,
                                           BareFactors factors);

}  // namespace backlash
