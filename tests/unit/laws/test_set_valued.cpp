// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/set_valued.h"

#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Vector projected(const Law& law, Vector trial) {
  project(law, trial);
  return trial;
}

Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

const std::vector<Law> every_law{Bilateral{1},
                                 Bilateral{3},
                                 Unilateral{},
                                 Coulomb{.friction = 0},
                                 Coulomb{.friction = 0.4},
                                 Coulomb{.friction = 1.3, .tangents = 2},
                                 Coulomb{.friction = 0.4, .preload = 0.7},
                                 Coulomb{.friction = 0.4, .tangents = 2, .preload = 0.7},
                                 Relay{.limit = 0.5},
                                 Relay{.limit = 0.5, .rows = 2},
                                 Relay{.limit = 0}};

TEST(Laws, ProjectingTwiceIsProjectingOnce) {
  test::Random random(1);
  for (const Law& law : every_law)
    for (int k = 0; k < 100; ++k) {
      const Vector trial = random.uniform(0, 3) * random.unit_vector(rows(law));
      const Vector once = projected(law, trial);
      EXPECT_LT((projected(law, once) - once).norm(), 1e-15);
    }
}

TEST(Laws, ProjectionToAFixedSetBringsNoTwoPointsFartherApart) {
  test::Random random(2);
  for (const Law& law : every_law) {
    if (const auto* coulomb = std::get_if<Coulomb>(&law); coulomb && coulomb->friction > 0)
      continue;  // its set depends on the normal impulse
    for (int k = 0; k < 100; ++k) {
      const Vector a = random.uniform(0, 3) * random.unit_vector(rows(law));
      const Vector b = random.uniform(0, 3) * random.unit_vector(rows(law));
      EXPECT_LE((projected(law, a) - projected(law, b)).norm(), (a - b).norm() * (1 + 1e-14));
    }
  }
}

TEST(Laws, BilateralTakesEveryImpulse) {
  const Vector trial = vector({-3, 4});
  EXPECT_EQ(projected(Bilateral{2}, trial), trial);
}

TEST(Laws, UnilateralPushesAndNeverPulls) {
  EXPECT_EQ(projected(Unilateral{}, vector({2})), vector({2}));
  EXPECT_EQ(projected(Unilateral{}, vector({-2})), vector({0}));
  EXPECT_EQ(projected(Unilateral{}, vector({0})), vector({0}));
}

TEST(Laws, CoulombInThePlaneSticksUpToMuTimesTheNormalImpulseAndIsCutThere) {
  const Coulomb law{.friction = 0.5};
  EXPECT_EQ(projected(law, vector({2, 0.999})), vector({2, 0.999}));
  EXPECT_EQ(projected(law, vector({2, 1.001})), vector({2, 0.5 * 2}));
  EXPECT_EQ(projected(law, vector({2, -7})), vector({2, -0.5 * 2}));
  EXPECT_EQ(projected(law, vector({-1, 3})), vector({0, 0}));
}

TEST(Laws, CoulombInSpaceCutsAlongTheRadiusOfTheDisk) {
  const Coulomb law{.friction = 0.5, .tangents = 2};
  EXPECT_EQ(projected(law, vector({2, 0.6, 0.79})), vector({2, 0.6, 0.79}));
  const Vector cut = projected(law, vector({2, 3, 4}));
  EXPECT_NEAR(cut[1], 0.5 * 2 * 3 / 5, 1e-15);
  EXPECT_NEAR(cut[2], 0.5 * 2 * 4 / 5, 1e-15);
}

TEST(Laws, PreloadAddsToTheNormalImpulseInFrictionAlsoWhereTheContactOpens) {
  const Coulomb law{.friction = 0.5, .preload = 3};
  EXPECT_EQ(projected(law, vector({2, 9})), vector({2, 0.5 * (2 + 3)}));
  EXPECT_EQ(projected(law, vector({-2, 9})), vector({0, 0.5 * 3}));
  EXPECT_EQ(projected(law, vector({-2, 1})), vector({0, 1}));
}

TEST(Laws, RelayIsCutAtItsLimitOnBothSides) {
  const Relay law{.limit = 0.3};
  EXPECT_EQ(projected(law, vector({0.29})), vector({0.29}));
  EXPECT_EQ(projected(law, vector({0.31})), vector({0.3}));
  EXPECT_EQ(projected(law, vector({-5})), vector({-0.3}));
  const Vector disk = projected(Relay{.limit = 1, .rows = 2}, vector({3, -4}));
  EXPECT_NEAR((disk - vector({0.6, -0.8})).norm(), 0, 1e-15);
}

TEST(Laws, RowsCountTheNormalAndItsTangents) {
  EXPECT_EQ(rows(Bilateral{4}), 4);
  EXPECT_EQ(rows(Unilateral{}), 1);
  EXPECT_EQ(rows(Coulomb{.tangents = 1}), 2);
  EXPECT_EQ(rows(Coulomb{.tangents = 2}), 3);
  EXPECT_EQ(rows(Relay{.rows = 2}), 2);
}

TEST(Laws, ValidateNamesItemAndQuantity) {
  const auto message = [](const Law& law, const char* part) {
    EXPECT_THAT(
        [&] { validate(law, "contact 'cam'"); },
        ThrowsMessage<InputError>(::testing::AllOf(HasSubstr("contact 'cam'"), HasSubstr(part))));
  };
  message(Coulomb{.friction = -0.1}, "friction");
  message(Coulomb{.friction = std::nan("")}, "friction");
  message(Coulomb{.preload = -1}, "preload");
  message(Coulomb{.tangents = 3}, "tangent rows");
  message(Coulomb{.tangents = 0}, "tangent rows");
  message(Relay{.limit = -1}, "limit of the dry friction");
  message(Relay{.rows = 3}, "rows of the dry friction");
  message(Bilateral{0}, "bilateral rows");
  for (const Law& law : every_law) EXPECT_NO_THROW(validate(law, "contact"));
}

}  // namespace
}  // namespace backlash
