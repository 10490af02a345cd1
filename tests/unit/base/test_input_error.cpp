// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/input_error.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace backlash {
namespace {

using ::testing::ThrowsMessage;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(InputError, NamesQuantityBoundsUnitAndValueOfANumberOutOfRange) {
  EXPECT_THAT(
      [] { require_in_range(1.3, 0, 1, "contact 'journal': restitution", "-"); },
      ThrowsMessage<InputError>("contact 'journal': restitution must lie in [0, 1] -, is 1.3"));
  EXPECT_THROW(require_in_range(std::nan(""), 0, 1, "x", "m"), InputError);
  EXPECT_NO_THROW(require_in_range(0, 0, 1, "x", "m"));
  EXPECT_NO_THROW(require_in_range(1, 0, 1, "x", "m"));
}

TEST(InputError, RefusesMassesThatAreNotPositiveAndFinite) {
  for (const double bad : {0.0, -1.0, infinity, std::nan("")})
    EXPECT_THROW(require_positive(bad, "mass", "kg"), InputError) << bad;
  EXPECT_NO_THROW(require_positive(1e-300, "mass", "kg"));
}

TEST(InputError, AcceptsZeroWhereOnlyNegativeIsWrong) {
  EXPECT_NO_THROW(require_not_negative(0, "friction", "-"));
  for (const double bad : {-1e-300, infinity, std::nan("")})
    EXPECT_THROW(require_not_negative(bad, "friction", "-"), InputError) << bad;
}

TEST(InputError, NamesTheEntryThatIsNotFinite) {
  Matrix A = Matrix::Zero(2, 3);
  A(1, 2) = infinity;
  EXPECT_THAT([&] { require_finite(A, "mass matrix"); },
              ThrowsMessage<InputError>("mass matrix(1, 2) must be finite, is inf"));
  EXPECT_THAT([&] { require_finite(MatrixView(A.col(2)), "velocity"); },
              ThrowsMessage<InputError>("velocity[1] must be finite, is inf"));
}

TEST(InputError, NamesBothSizes) {
  EXPECT_THAT([] { require_size(2, 3, "free velocity"); },
              ThrowsMessage<InputError>("free velocity must have size 3, has 2"));
}

}  // namespace
}  // namespace backlash
