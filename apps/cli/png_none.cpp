// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/input_error.h"
#include "png.h"

namespace backlash::cli {

bool can_render_png() { return false; }

std::string render_png(const std::string&, double) {
  throw InputError(
      "this program was built without librsvg, which PNG files need; write an .svg, or build it "
      "again with librsvg (Debian: librsvg2-dev)");
}

}  // namespace backlash::cli
