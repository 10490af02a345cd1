// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/contact_problem.h"

#include <cmath>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ContactProblem good() {
  const std::vector<Law> laws{Bilateral{1}, Coulomb{.friction = 0.3}};
  return dense_problem(Matrix::Identity(3, 3), Vector::Ones(3), laws);
}

void expect_refused(const ContactProblem& problem, const char* quantity) {
  EXPECT_THAT([&] { validate(problem); }, ThrowsMessage<InputError>(HasSubstr(quantity)));
}

TEST(ContactProblem, NumbersTheRowsOfItsBlocksInOrder) {
  const ContactProblem problem = good();
  EXPECT_EQ(problem.blocks[0].first, 0);
  EXPECT_EQ(problem.blocks[1].first, 1);
  EXPECT_EQ(count_rows(problem), 3);
  EXPECT_EQ(count_rows(ContactProblem{}), 0);
  EXPECT_NO_THROW(validate(problem));
  EXPECT_NO_THROW(validate(ContactProblem{}));
}

TEST(ContactProblem, RefusesNumbersThatAreNotFinite) {
  ContactProblem problem = good();
  std::get<DenseDelassus>(problem.delassus).G(1, 2) = std::nan("");
  expect_refused(problem, "Delassus matrix(1, 2)");
  problem = good();
  problem.free_velocity[2] = INFINITY;
  expect_refused(problem, "free velocity[2]");
  problem = good();
  problem.velocity_scale = std::nan("");
  expect_refused(problem, "velocity scale");
  problem = good();
  problem.row_length = Vector::Constant(3, std::nan(""));
  expect_refused(problem, "row length");
}

TEST(ContactProblem, RefusesSizesThatDoNotFit) {
  ContactProblem problem = good();
  problem.free_velocity = Vector::Ones(2);
  expect_refused(problem, "free velocity");
  problem = good();
  problem.delassus = DenseDelassus{Matrix::Identity(4, 4)};
  expect_refused(problem, "Delassus operator");
  problem = good();
  problem.delassus = DenseDelassus{Matrix::Ones(3, 2)};
  expect_refused(problem, "columns of the Delassus matrix");
  problem = good();
  problem.row_length = Vector::Ones(2);
  expect_refused(problem, "row lengths");
}

TEST(ContactProblem, RefusesANegativeDiagonal) {
  ContactProblem problem = good();
  std::get<DenseDelassus>(problem.delassus).G(0, 0) = -1;
  expect_refused(problem, "Delassus diagonal [0]");
}

TEST(ContactProblem, RefusesLawsThatMakeNoSenseNamingTheBlock) {
  ContactProblem problem = good();
  problem.blocks[1].law = Coulomb{.friction = -0.3};
  expect_refused(problem, "block 1: friction");
}

TEST(ContactProblem, RefusesFactorsThatAreNotFinite) {
  Matrix W = Matrix::Identity(3, 3);
  W(1, 1) = std::nan("");
  ContactProblem problem = good();
  problem.delassus = block_delassus(W.sparseView(), std::vector<Matrix>{Matrix::Identity(3, 3)});
  expect_refused(problem, "directions W");
}

TEST(ContactProblem, RefusesFactorsWhoseRowsDoNotFitTogether) {
  ContactProblem problem = good();
  const BlockDelassus G = block_delassus(Matrix::Identity(3, 3).sparseView());
  BlockDelassus damaged = G;
  damaged.velocity[1] = 3;
  problem.delassus = damaged;
  expect_refused(problem, "row 1 acts on velocity 3 after -1, expected ascending from 0 to 2");
  damaged = G;
  damaged.W.pop_back();
  problem.delassus = damaged;
  expect_refused(problem, "entries of W");
  damaged = G;
  damaged.first.pop_back();
  problem.delassus = damaged;
  expect_refused(problem, "end of the last row of W");
}

}  // namespace
}  // namespace backlash
