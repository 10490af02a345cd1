// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "backlash/base/types.h"

namespace backlash {

/// Scratch memory for numerical work: what a Frame takes is given back when the Frame ends, and
/// the memory itself stays, so that after the first few uses nothing is allocated any more.
class Arena {
 public:
  class Frame;

  Arena() = default;
  Arena(const Arena&) {}  // a copy begins empty: scratch is nobody's data
  Arena& operator=(const Arena&) { return *this; }

 private:
  struct Top {
    std::byte* next = nullptr;  ///< what is taken next
    std::byte* end = nullptr;   ///< of the chunk that it lies in
    std::size_t chunk = 0;
  };
  struct Chunk {
    std::unique_ptr<std::byte[]> owner;
    std::byte* memory = nullptr;  ///< aligned
    std::size_t size = 0;         ///< [bytes]
  };

  static constexpr std::size_t alignment = 32;  // [bytes]

  std::byte* take(std::size_t bytes) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (static_cast<std::size_t>(top_.end - top_.next) < bytes) open_chunk(bytes);
    std::byte* memory = top_.next;
    top_.next += bytes;
    return memory;
  }

  /// Moves the top to the start of a chunk that has so many bytes, the next that has or a new one.
  void open_chunk(std::size_t bytes);

  /// With a chunk from the first use on, so that what ends can return to it.
  const Top& top() {
    if (!top_.next) open_chunk(alignment);
    return top_;
  }

  std::vector<Chunk> chunks_;
  Top top_;
};

/// What is taken through a Frame lives until the Frame is destroyed. Contents start undefined.
class Arena::Frame {
 public:
  explicit Frame(Arena& arena) : arena_(arena), start_(arena.top()) {}
  ~Frame() { arena_.top_ = start_; }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  VectorMap vector(Eigen::Index size) { return {array<double>(size), size}; }
  MatrixMap matrix(Eigen::Index rows, Eigen::Index cols) {
    return {array<double>(rows * cols), rows, cols};
  }
  template <class T>
  std::span<T> list(Eigen::Index size) {
    return {array<T>(size), static_cast<std::size_t>(size)};
  }
  /// The same for plain structs of numbers, even if they have initial values: those are not set.
  /// Such objects come to life by themselves in an array of bytes [C++20, intro.object].
  template <class T>
  std::span<T> room(Eigen::Index size) {
    static_assert(std::is_aggregate_v<T> && std::is_trivially_destructible_v<T>);
    const auto n = static_cast<std::size_t>(size);
    return {reinterpret_cast<T*>(arena_.take(n * sizeof(T))), n};
  }

 private:
  template <class T>
  T* array(Eigen::Index size) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (arena_.take(static_cast<std::size_t>(size) * sizeof(T)))
        T[static_cast<std::size_t>(size)];
  }

  Arena& arena_;
  Top start_;
};

}  // namespace backlash
