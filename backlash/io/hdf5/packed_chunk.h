// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace backlash {

/// Values of equal size, one after the other.
struct ValueBytes {
  std::span<const unsigned char> bytes;
  std::size_t value_size = 8;  ///< [bytes]
};

/// Packs values as HDF5's filters "shuffle" and "deflate" do, so that every program reads them, in
/// a small part of the time: the first bytes of all values follow each other, then all second
/// bytes, and so on. Most of the first ones of a smooth motion repeat, and are coded as repetitions
/// (RFC 1951, fixed codes); the last ones are as good as random, and are stored as they are.
class ChunkPacker {
 public:
  /// What deflate's decoder and the inverse of shuffle make these values of; valid until the next
  /// call. `period`: values resemble those that many before, or the last one.
  std::span<const unsigned char> pack(const ValueBytes& values, std::size_t period = 1);

 private:
  void begin(std::size_t size);
  void put_plane(std::span<const unsigned char> plane, std::size_t period);
  void end();

  std::vector<unsigned char> shuffled_, packed_;
  unsigned char* out_ = nullptr;         ///< in packed_
  std::vector<unsigned char> constant_;  ///< the values of the last chunk that was all the same
  std::vector<unsigned char> packed_constant_;  ///< and what they were packed to
  std::size_t constant_count_ = 0;
};

}  // namespace backlash
