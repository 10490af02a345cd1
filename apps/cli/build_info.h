// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// How this program was built; the values come from CMake.
namespace backlash::cli {

struct BuildInfo {
  std::string_view name, value;
};

/// Compiler, kind of build, system.
std::span<const BuildInfo> build_info();

/// The libraries that it was built with, and their versions.
std::span<const BuildInfo> library_versions();

/// Those that it may go without, and what for: yes or no.
std::span<const BuildInfo> optional_libraries();

}  // namespace backlash::cli
