// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/temporary_file.h"

#include <random>

#include <fmt/format.h>

namespace backlash {

std::filesystem::path temporary_name(const std::filesystem::path& file) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}.part", file.string(), random(), random());
}

}  // namespace backlash
