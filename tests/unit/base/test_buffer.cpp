// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/buffer.h"

#include <gtest/gtest.h>

namespace backlash {
namespace {

TEST(Buffer, BehavesLikeTheVectorItWasMadeFrom) {
  const Vector v = Vector::LinSpaced(5, 0, 4);
  VectorBuffer buffer = v;
  EXPECT_EQ(buffer.size(), 5);
  EXPECT_EQ(buffer.sum(), v.sum());
  buffer *= 2;
  EXPECT_EQ(buffer, Vector(2 * v));
}

TEST(Buffer, KeepsItsMemoryWhenItShrinksAndGrowsAgain) {
  VectorBuffer buffer;
  buffer.resize(8);
  const double* memory = buffer.data();
  buffer.resize(3);
  EXPECT_EQ(buffer.size(), 3);
  buffer.resize(8);
  EXPECT_EQ(buffer.data(), memory);
}

TEST(Buffer, CopiesAreIndependent) {
  VectorBuffer a = Vector::Ones(3);
  VectorBuffer b = a;
  b[0] = 5;
  EXPECT_EQ(a[0], 1);
  a = b;
  b[0] = 7;
  EXPECT_EQ(a[0], 5);
}

TEST(Buffer, IsEmptyAfterItWasMovedFromAndStillUsable) {
  MatrixBuffer a = Matrix::Identity(3, 3);
  MatrixBuffer b = std::move(a);
  EXPECT_EQ(b.sum(), 3);
  EXPECT_EQ(a.size(), 0);  // NOLINT(bugprone-use-after-move): this is what is tested
  a = Matrix::Ones(2, 2);
  EXPECT_EQ(a.sum(), 4);
  a = std::move(b);
  EXPECT_EQ(a.sum(), 3);
}

TEST(Buffer, TakesPartsOfItself) {
  VectorBuffer a = Vector::LinSpaced(4, 1, 4);
  a = Vector(a.tail(2));
  EXPECT_EQ(a, Vector(Vec2(3, 4)));
}

TEST(Buffer, StartsEmpty) {
  EXPECT_EQ(VectorBuffer().size(), 0);
  EXPECT_EQ(VectorBuffer().cols(), 1);
  EXPECT_EQ(MatrixBuffer().size(), 0);
}

}  // namespace
}  // namespace backlash
