// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace backlash {

/// The candidate that a typo probably stands for, or an empty string if none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "; did you mean 'x'?", or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

}  // namespace backlash
