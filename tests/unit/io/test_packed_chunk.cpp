// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/hdf5/packed_chunk.h"

#include <zlib.h>

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace backlash::test_packed_chunk {
namespace {

using Bytes = std::vector<unsigned char>;

/// What zlib, and the inverse of HDF5's shuffle, make of a packed chunk.
Bytes unpacked(std::span<const unsigned char> packed, std::size_t bytes, std::size_t value_size) {
  Bytes planes(bytes + 1), values(bytes);
  uLongf length = planes.size();
  if (uncompress(planes.data(), &length, packed.data(), packed.size()) != Z_OK || length != bytes)
    return {};
  const std::size_t count = bytes / value_size;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t b = 0; b < value_size; ++b) values[i * value_size + b] = planes[b * count + i];
  return values;
}

/// Bytes that are random, the same, slowly changing, or nearly those of a period before.
Bytes some_bytes(int kind, std::size_t size, std::size_t period, std::mt19937_64& random) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto any = static_cast<unsigned char>(random());
    const bool repeats = i >= period && random() % 40 != 0;
    bytes[i] = kind == 0   ? any
               : kind == 1 ? static_cast<unsigned char>(7)
               : kind == 2 ? static_cast<unsigned char>(i / (1 + random() % 7))
               : repeats   ? bytes[i - period]
                           : any;
  }
  return bytes;
}

TEST(PackedChunk, IsReadByZlib) {
  std::mt19937_64 random(1);
  ChunkPacker packer;
  for (int i = 0; i < 600; ++i) {
    const std::size_t value_size = std::array<std::size_t, 3>{1, 4, 8}[random() % 3];
    const std::size_t count = i % 100 == 0 ? 70000 : 1 + random() % 5000;
    const std::size_t period = i % 50 == 0 ? 300 : 1 + random() % 6;
    const Bytes values =
        some_bytes(static_cast<int>(random() % 4), count * value_size, period * value_size, random);
    const auto packed = packer.pack({values, value_size}, period);
    ASSERT_EQ(unpacked(packed, values.size(), value_size), values) << count << " " << value_size;
    EXPECT_LT(packed.size(), values.size() + values.size() / 1000 + 128);
  }
}

/// The first bytes of a smooth motion repeat, and what does not change takes no room.
TEST(PackedChunk, IsSmallWhereValuesResembleEachOther) {
  constexpr std::size_t count = 4096;
  std::vector<double> motion(count), constant(count, 0.1), alternating(count);
  for (std::size_t i = 0; i < count; ++i) {
    motion[i] = 0.3 * std::sin(1.5e-3 * static_cast<double>(i));
    alternating[i] = i % 2 == 0 ? 1 : -3.7;
  }
  ChunkPacker packer;
  const auto size = [&](const std::vector<double>& values, std::size_t period) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    return packer.pack({.bytes = {bytes, 8 * count}, .value_size = 8}, period).size();
  };
  EXPECT_LT(size(motion, 1), 0.8 * 8 * count);
  EXPECT_LT(size(constant, 1), 400u);
  EXPECT_LT(size(alternating, 2), 400u);
  EXPECT_GT(size(alternating, 1), 4 * size(alternating, 2));
}

TEST(PackedChunk, OfTheSameConstantIsTheSameAgain) {
  ChunkPacker packer;
  const Bytes one(800, 1), two(800, 2), fewer(400, 1);
  for (const Bytes* values : {&one, &two, &one, &one, &fewer, &one})
    EXPECT_EQ(unpacked(packer.pack({*values, 8}), values->size(), 8), *values);
}

}  // namespace
}  // namespace backlash::test_packed_chunk
