// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/arena.h"

#include <algorithm>

namespace backlash {

std::byte* Arena::take(std::size_t bytes) {
  constexpr std::size_t alignment = 32, smallest_chunk = std::size_t{1} << 15;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  while (top_.chunk < chunks_.size()) {
    if (top_.used + bytes <= chunks_[top_.chunk].size) {
      std::byte* memory = chunks_[top_.chunk].memory.get() + top_.used;
      top_.used += bytes;
      return memory;
    }
    top_ = {top_.chunk + 1, 0};
  }
  const std::size_t previous = chunks_.empty() ? 0 : chunks_.back().size;
  const std::size_t size = std::max({smallest_chunk, 2 * previous, bytes});
  chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
  top_ = {chunks_.size() - 1, bytes};
  return chunks_.back().memory.get();
}

}  // namespace backlash
