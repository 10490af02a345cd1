// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/module.h"
#include "png.h"
#include "png_module.h"

namespace backlash::cli {

bool can_render_png() { return true; }

std::string render_png(const std::string& svg, double scale) {
  const void* const loaded = load_module("backlash_png", "PNG files cannot be written");
  return static_cast<const PngModule*>(loaded)->render(svg, scale);
}

}  // namespace backlash::cli
