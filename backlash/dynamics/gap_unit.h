// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace backlash {

/// What the gap of a contact is measured in. Of a stop on an angle and of a gear's teeth it is an
/// angle; then the velocity is in rad/s, the force a moment [N m] and the impulse in N m s.
enum class GapUnit { metre, radian };

constexpr std::string_view name(GapUnit unit) { return unit == GapUnit::metre ? "m" : "rad"; }

}  // namespace backlash
