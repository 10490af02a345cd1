// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace backlash::cli {

/// Whether this program was built with a library that makes pixels of SVG.
bool can_render_png();

/// The picture as a PNG file, with `scale` pixels for each of the SVG. Throws InputError if the
/// program was built without the library, and IoError if the library is missing or fails.
std::string render_png(const std::string& svg, double scale);

}  // namespace backlash::cli
