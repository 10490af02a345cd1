// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace backlash::cli {

/// The page that a report fills, from apps/viewer; empty in a program that was built without it.
std::string_view report_template();

}  // namespace backlash::cli
