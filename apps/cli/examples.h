// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "embedded_files.h"

/// The examples and templates that the program carries with it.
namespace backlash::cli {

std::vector<std::string> example_names();
std::vector<std::string> template_names();

/// The text of an example's model file; empty if there is none of that name.
std::string_view example_model(std::string_view name);

}  // namespace backlash::cli
