// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace backlash::cli {

/// What the module that holds librsvg exports (backlash/io/module.h).
struct PngModule {
  const char* version;
  std::string (*render)(const std::string& svg, double scale);
};

}  // namespace backlash::cli

extern "C" const backlash::cli::PngModule backlash_png;
