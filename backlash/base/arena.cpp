// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/arena.h"

#include <algorithm>

namespace backlash {

void Arena::open_chunk(std::size_t bytes) {
  constexpr std::size_t smallest_chunk = std::size_t{1} << 15;
  for (std::size_t i = top_.chunk + 1; i < chunks_.size(); ++i) {
    if (chunks_[i].size < bytes) continue;
    top_ = {chunks_[i].memory, chunks_[i].memory + chunks_[i].size, i};
    return;
  }
  const std::size_t previous = chunks_.empty() ? 0 : chunks_.back().size;
  const std::size_t size = std::max({smallest_chunk, 2 * previous, bytes});
  auto owner = std::make_unique_for_overwrite<std::byte[]>(size + alignment);
  void* memory = owner.get();
  std::size_t space = size + alignment;
  std::align(alignment, size, memory, space);
  auto* start = static_cast<std::byte*>(memory);
  chunks_.push_back({std::move(owner), start, size});
  top_ = {start, start + size, chunks_.size() - 1};
}

}  // namespace backlash
