// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace backlash {

/// The version of the library, as "major.minor.patch".
std::string_view version();

}  // namespace backlash
