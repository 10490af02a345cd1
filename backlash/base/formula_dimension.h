// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/units.h"

namespace backlash {

/// What bare numbers beside variables in products stand for: SI values of whatever is expected, or
/// plain numbers. Beside units they are plain numbers.
enum class BareFactors { open, plain };

/// The tag of a constant whose dimension is not known, as a parameter without unit: it may stand
/// for anything, where a number that is written without unit is a plain one beside units.
inline constexpr int open_tag = -2;

/// As formula_dimension(), for which bare factors are open.
std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const std::optional<Dimension>> variables,
                                           BareFactors factors);

}  // namespace backlash
