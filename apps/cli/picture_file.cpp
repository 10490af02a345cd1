// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "picture_file.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/results/atomic_file.h"
#include "png.h"

namespace backlash::cli {

void require_picture_name(const std::filesystem::path& file) {
  if (file == "-" || file.extension() == ".svg") return;
  if (file.extension() != ".png")
    throw InputError(fmt::format("{}: a picture is an .svg or a .png file", file.string()));
  if (!can_render_png()) render_png("", 1);
}

void write_picture(const std::filesystem::path& file, const std::string& svg) {
  constexpr double scale = 2;  // sharp on screens of today
  write_text(file, file.extension() == ".png" ? render_png(svg, scale) : svg);
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  if (file == "-") {
    fmt::print("{}", text);
    return;
  }
  PartFile part(file);
  part.append(text);
  part.publish();
}

}  // namespace backlash::cli
