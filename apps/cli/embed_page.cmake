# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0

# Writes the C++ source `output` that holds the file `page`, for report_template.h.
# Run by the build: cmake -D output=... -D page=... -P embed_page.cmake
file(READ ${page} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${output} "// Made by embed_page.cmake.
#include \"report_template.h\"

namespace backlash::cli {
namespace {

const unsigned char bytes[] = {${bytes}0};

}  // namespace

std::string_view report_template() {
  return {reinterpret_cast<const char*>(bytes), sizeof bytes - 1};
}

}  // namespace backlash::cli
")
