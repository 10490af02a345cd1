// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/expression_code.h"

namespace backlash {

/// A comparison as the difference of its sides, which becomes positive where the comparison becomes
/// true, so that the time of that is found within a step; another formula as it is.
ExpressionCode comparison_as_difference(ExpressionCode code);

}  // namespace backlash
