// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/delassus.h"

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

TEST(Delassus, BothFormsGiveTheSameEntriesProductsAndMatrix) {
  for (const std::uint64_t seed : {3u, 8u, 21u, 22u}) {
    const test::RandomProblem random = test::random_problem(seed);
    const Delassus &dense = random.dense.delassus, &factors = random.factors.delassus;
    const Eigen::Index n = size(dense);
    ASSERT_EQ(size(factors), n);
    Matrix G(n, n);
    write_dense(factors, G);
    const double scale = G.cwiseAbs().maxCoeff();
    test::Random numbers(seed);
    Vector impulse(n), a(n), b(n);
    for (Eigen::Index i = 0; i < n; ++i) impulse[i] = numbers.uniform(-1, 1);
    Arena scratch;
    apply(dense, impulse, scratch, a);
    apply(factors, impulse, scratch, b);
    EXPECT_LT((a - b).norm(), 1e-13 * scale * impulse.norm());
    EXPECT_LT((a - G * impulse).norm(), 1e-13 * scale * impulse.norm());
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i < n; ++i) {
        EXPECT_NEAR(entry(dense, i, j), entry(factors, i, j), 1e-14 * scale);
        EXPECT_EQ(G(i, j), entry(factors, i, j));
        EXPECT_NEAR(G(i, j), G(j, i), 1e-14 * scale);
      }
  }
}

TEST(Delassus, ScatteringOneRowAfterTheOtherAddsUpToTheProduct) {
  const test::RandomProblem random = test::random_problem(12);
  for (const Delassus* G : {&random.dense.delassus, &random.factors.delassus}) {
    const Eigen::Index n = size(*G);
    const Vector impulse = Vector::LinSpaced(n, -1, 2);
    Vector response = Vector::Zero(response_size(*G)), row(1), product(n);
    for (Eigen::Index i = 0; i < n; ++i) scatter(*G, i, impulse.segment(i, 1), response);
    Arena scratch;
    apply(*G, impulse, scratch, product);
    for (Eigen::Index i = 0; i < n; ++i) {
      gather(*G, i, response, row);
      EXPECT_NEAR(row[0], product[i], 1e-13 * product.norm());
    }
  }
}

TEST(Delassus, IsMassInverseSeenThroughTheDirections) {
  Matrix W(3, 2);
  W << 1, 0, 2, -1, 0, 3;
  const std::vector<Matrix> blocks{Matrix::Constant(1, 1, 0.5), Matrix::Identity(2, 2) * 4};
  const Delassus G = block_delassus(W.sparseView(), blocks);
  EXPECT_EQ(response_size(G), 3);
  EXPECT_EQ(entry(G, 0, 0), 0.5 * 1 * 1 + 4 * 2 * 2);
  EXPECT_EQ(entry(G, 0, 1), 4 * 2 * -1);
  EXPECT_EQ(entry(G, 1, 1), 4 * (1 + 3 * 3));
}

TEST(Delassus, OfASparseMatrixIsThatMatrixSymmetricOrNot) {
  Matrix G(3, 3);
  G << 2, 0, 0.5, 0, 0, 0, 0.25, -1, 3;
  const Delassus factors = block_delassus(G.sparseView());
  Matrix written(3, 3);
  write_dense(factors, written);
  EXPECT_EQ(written, G);
}

TEST(Delassus, IsRefilledRowByRow) {
  BlockDelassus G;
  for (const double mass : {2.0, 4.0}) {
    clear(G, 3);
    append_entry(G, 0, 1, 1 / mass);
    append_entry(G, 2, -1, -1 / mass);
    end_row(G);
    append_entry(G, 2, 3, 3 / mass);
    end_row(G);
    EXPECT_EQ(G.rows(), 2);
    EXPECT_EQ(entry(G, 0, 0), 2 / mass);
    EXPECT_EQ(entry(G, 0, 1), -3 / mass);
    EXPECT_EQ(entry(G, 1, 1), 9 / mass);
  }
}

TEST(Delassus, RefusesBlocksThatDoNotFitTheDirections) {
  const Matrix W = Matrix::Identity(3, 3);
  const std::vector<Matrix> blocks{Matrix::Identity(2, 2)};
  EXPECT_THAT([&] { block_delassus(W.sparseView(), blocks); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("inverse mass")));
}

}  // namespace
}  // namespace backlash
