// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/arena.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace backlash {
namespace {

TEST(Arena, GivesTheSameMemoryAgainAfterAFrameEnds) {
  Arena arena;
  const double* first = nullptr;
  for (int k = 0; k < 3; ++k) {
    Arena::Frame frame(arena);
    VectorMap v = frame.vector(10);
    v.setConstant(k);
    if (k == 0) first = v.data();
    EXPECT_EQ(v.data(), first);
  }
}

TEST(Arena, KeepsWhatAnOuterFrameHoldsWhileInnerFramesComeAndGo) {
  Arena arena;
  Arena::Frame outer(arena);
  VectorMap kept = outer.vector(100);
  kept.setConstant(7);
  for (int size = 1; size < 100000; size *= 3) {  // beyond the first chunk
    Arena::Frame inner(arena);
    inner.vector(size).setConstant(-1);
  }
  EXPECT_EQ(kept.sum(), 700);
}

TEST(Arena, GivesPiecesThatDoNotOverlapAndAreAligned) {
  Arena arena;
  Arena::Frame frame(arena);
  VectorMap a = frame.vector(3), b = frame.vector(5);
  MatrixMap C = frame.matrix(50, 100);
  std::span<char> d = frame.list<char>(1);
  a.setConstant(1);
  b.setConstant(2);
  C.setConstant(3);
  d[0] = 4;
  EXPECT_EQ(a.sum(), 3);
  EXPECT_EQ(b.sum(), 10);
  EXPECT_EQ(C.sum(), 15000);
  for (const double* p : {a.data(), b.data(), C.data()})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 32, 0u);
}

TEST(Arena, GivesEmptyPieces) {
  Arena arena;
  Arena::Frame frame(arena);
  EXPECT_EQ(frame.vector(0).size(), 0);
  EXPECT_TRUE(frame.list<int>(0).empty());
  EXPECT_EQ(frame.matrix(0, 5).cols(), 5);
}

}  // namespace
}  // namespace backlash
