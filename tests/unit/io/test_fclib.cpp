// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/fclib/fclib.h"

#include <bit>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/temporary_folder.h"
#include "unit/io/fclib_problems.h"

namespace backlash {
namespace {

using namespace test_fclib;
using Index = Eigen::Index;

/// Equal to the last bit, the sign of zeros too.
bool same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index k = 0; k < a.size(); ++k)
    if (std::bit_cast<std::uint64_t>(a.data()[k]) != std::bit_cast<std::uint64_t>(b.data()[k]))
      return false;
  return true;
}

void expect_same_laws(const ContactProblem& a, const ContactProblem& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t k = 0; k < a.blocks.size(); ++k) {
    EXPECT_EQ(a.blocks[k].first, b.blocks[k].first);
    ASSERT_EQ(a.blocks[k].law.index(), b.blocks[k].law.index());
    EXPECT_EQ(rows(a.blocks[k].law), rows(b.blocks[k].law));
    if (const auto* law = std::get_if<Coulomb>(&a.blocks[k].law)) {
      EXPECT_EQ(law->friction, std::get<Coulomb>(b.blocks[k].law).friction);
    }
  }
}

TEST(Fclib, WhatIsWrittenReadsBackToTheSameBits) {
  const TemporaryFolder folder;
  for (const int dimension : {2, 3})
    for (const int equality_rows : {0, 3})
      for (const FclibForm form : {FclibForm::triplets, FclibForm::columns, FclibForm::rows}) {
        const FclibProblem written = random_problem(4, dimension, equality_rows);
        write_fclib(written, folder / "problem.hdf5", form);
        const FclibProblem read = read_fclib(folder / "problem.hdf5");
        EXPECT_TRUE(same_bits(dense(read.problem), dense(written.problem)));
        EXPECT_TRUE(same_bits(read.problem.free_velocity, written.problem.free_velocity));
        expect_same_laws(read.problem, written.problem);
        ASSERT_TRUE(read.solution);
        EXPECT_TRUE(same_bits(*read.solution, *written.solution));
        ASSERT_EQ(read.guesses.size(), 2u);
        EXPECT_TRUE(same_bits(read.guesses[1], written.guesses[1]));
        EXPECT_EQ(read.info.title, "A title");
        EXPECT_EQ(read.info.description, "Zwei Wörter");
        EXPECT_EQ(read.info.math_info, "");
        EXPECT_EQ(read.problem.velocity_scale, 0);
      }
}

TEST(Fclib, AMatrixWithoutEntriesIsWrittenAndRead) {
  const TemporaryFolder folder;
  for (const FclibForm form : {FclibForm::triplets, FclibForm::columns, FclibForm::rows}) {
    FclibProblem problem;
    problem.problem = dense_problem(Matrix::Zero(3, 3), Vector::Zero(3),
                                    std::vector<Law>{Coulomb{.friction = 0.5}, Bilateral{}});
    write_fclib(problem, folder / "zero.hdf5", form);
    EXPECT_TRUE(dense(read_fclib(folder / "zero.hdf5").problem).isZero(0));
  }
}

TEST(Fclib, LargeProblemsStaySparse) {
  const TemporaryFolder folder;
  const Index n = largest_dense_fclib + 102;  // of which a third are contacts
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2 + 0.001 * i);
    if (i + 4 < n) entries.emplace_back(i, i + 4, -0.5), entries.emplace_back(i + 4, i, -0.25);
  }
  Eigen::SparseMatrix<double> G(n, n);
  G.setFromTriplets(entries.begin(), entries.end());
  FclibProblem written;
  written.problem.delassus = block_delassus(G);
  written.problem.free_velocity = Vector::LinSpaced(n, -1, 1);
  for (Index k = 0; k < n / 3; ++k)
    append(written.problem, Coulomb{.friction = 0.3, .tangents = 2});
  write_fclib(written, folder / "large.hdf5");
  const FclibProblem read = read_fclib(folder / "large.hdf5");
  ASSERT_TRUE(std::holds_alternative<BlockDelassus>(read.problem.delassus));
  EXPECT_TRUE(same_bits(dense(read.problem), dense(written.problem)));
  const ContactSolution solution = solve(find_solver("auto"), read.problem);
  EXPECT_EQ(solution.status, SolverStatus::solved);
}

TEST(Fclib, RowsAreReorderedContactsFirst) {
  const TemporaryFolder folder;
  const FclibProblem straight = random_problem(2, 2, 2);
  const Matrix G = dense(straight.problem);
  const std::vector<Index> order{4, 0, 1, 5, 2, 3};  // equality, contact, equality, contact
  FclibProblem mixed;
  mixed.problem = dense_problem(
      Matrix(G(order, order)), Vector(straight.problem.free_velocity(order)),
      std::vector<Law>{Bilateral{}, Coulomb{.friction = 0}, Bilateral{}, Coulomb{.friction = 0.1}});
  mixed.solution = Vector((*straight.solution)(order));
  write_fclib(mixed, folder / "mixed.hdf5");
  const FclibProblem read = read_fclib(folder / "mixed.hdf5");
  EXPECT_TRUE(same_bits(dense(read.problem), G));
  EXPECT_TRUE(same_bits(read.problem.free_velocity, straight.problem.free_velocity));
  EXPECT_TRUE(same_bits(*read.solution, *straight.solution));
  expect_same_laws(read.problem, straight.problem);
}

// Files that FCLib wrote

/// Two pucks of 1 kg and 2 kg with their rails (README of the data).
ContactProblem pucks() {
  Matrix G = Matrix::Zero(8, 8);
  G.diagonal() << 1, 1, 1, 0.5, 0.5, 0.5, 1, 1;
  G(2, 6) = G(6, 2) = 1;
  G(4, 7) = G(7, 4) = G(5, 7) = G(7, 5) = 0.5;
  Vector c(8);
  c << -2, 3.6, 2, 1, 0.5, 0.25, 6, 0.75;
  return dense_problem(
      G, c,
      std::vector<Law>{Coulomb{.friction = 0.5, .tangents = 2},
                       Coulomb{.friction = 0.9, .tangents = 2}, Bilateral{.rows = 2}});
}

TEST(FclibWrittenByFclib, AllThreeSparseFormsGiveTheSameProblem) {
  for (const char* form : {"triplets", "columns", "rows"}) {
    SCOPED_TRACE(form);
    const FclibProblem read = read_fclib(data(std::string("fclib-pucks-") + form + ".hdf5"));
    EXPECT_EQ(dense(read.problem), dense(pucks()));
    EXPECT_EQ(Vector(read.problem.free_velocity), Vector(pucks().free_velocity));
    expect_same_laws(read.problem, pucks());
    EXPECT_EQ(read.info.title, "Two pucks on rails");
    EXPECT_EQ(read.info.math_info, "unique solution");
    ASSERT_EQ(read.guesses.size(), 2u);
    ASSERT_TRUE(read.solution);
    EXPECT_LT(residual(read.problem, *read.solution).absolute, 1e-15);
    EXPECT_GT(residual(read.problem, read.guesses[1]).absolute, 0.1);
  }
}

TEST(FclibWrittenByFclib, PlanarProblemHasItsClosedForm) {
  const FclibProblem read = read_fclib(data("fclib-blocks-plane.hdf5"));
  Vector expected(8);  // slides, sticks, lifts off, has no friction
  expected << 2, -0.3 * 2, 2, -0.2, 0, 0, 2, 0;
  EXPECT_FALSE(read.solution);
  EXPECT_TRUE(read.guesses.empty());
  EXPECT_LT(residual(read.problem, expected).absolute, 1e-15);
  const ContactSolution solution = solve(find_solver("auto"), read.problem);
  EXPECT_LT((solution.impulse - expected).norm(), 1e-12);
}

TEST(FclibWrittenByFclib, StackOfBoxesIsRead) {
  const FclibProblem read = read_fclib(data("fclib-boxes-stack.hdf5"));
  EXPECT_EQ(read.problem.blocks.size(), 48u);
  EXPECT_EQ(read.info.title, "Boxes Stack");
  const Matrix G = dense(read.problem);
  EXPECT_LT((G - G.transpose()).norm(), 1e-12 * G.norm());
}

// Files that Siconos wrote

TEST(FclibWrittenBySiconos, TripletsHaveTheOrderOfCSparse) {
  const Matrix rows = dense(read_fclib(data("siconos-slider-crank.hdf5")).problem);
  const Matrix triplets = dense(read_fclib(data("siconos-slider-crank-triplets.hdf5")).problem);
  EXPECT_GT((rows - rows.transpose()).norm(), 1e-7 * rows.norm()) << "else the test proves nothing";
  EXPECT_TRUE(same_bits(rows, triplets));
}

TEST(FclibWrittenBySiconos, ItsSolutionsPassTheJudge) {
  for (const char* name : {"siconos-slider-crank", "siconos-confeti", "siconos-rover"}) {
    SCOPED_TRACE(name);
    const FclibProblem read = read_fclib(data(std::string(name) + ".hdf5"));
    ASSERT_TRUE(read.solution);
    EXPECT_LT(residual(read.problem, *read.solution).relative, 1e-13);
  }
}

// What relative residuals refer to

TEST(Fclib, RelativeResidualsReferToTheContactsFreeVelocity) {
  ContactProblem problem = pucks();
  EXPECT_DOUBLE_EQ(fclib_velocity_scale(problem), problem.free_velocity.head(6).norm());
  problem.free_velocity.head(6).setZero();
  EXPECT_DOUBLE_EQ(fclib_velocity_scale(problem), problem.free_velocity.tail(2).norm());
}

// Solutions

TEST(Fclib, ASolutionIsAddedToACopyOfTheProblem) {
  const TemporaryFolder folder;
  Vector impulse(8);
  impulse << 1, 2, 3, 4, 5, 6, 7, 8;
  write_fclib_solution(data("fclib-pucks-rows.hdf5"), impulse, folder / "solved.hdf5");
  const FclibProblem read = read_fclib(folder / "solved.hdf5");
  EXPECT_TRUE(same_bits(*read.solution, impulse));
  EXPECT_EQ(dense(read.problem), dense(pucks()));
  EXPECT_EQ(read.guesses.size(), 2u);
  const Hdf5Reader file(folder / "solved.hdf5");
  const Vector u = dense(pucks()).topRows(6) * impulse + pucks().free_velocity.head(6);
  EXPECT_LT((file.numbers("/solution/u") - u).norm(), 1e-14);
  EXPECT_EQ(file.text("/fclib_local/W/comment"), "one puck of 1 kg, one of 2 kg");
}

TEST(Fclib, TripletsInTheOrderOfCSparseAreRecognisedByTheirRange) {
  const std::string V = "/fclib_local/V";
  const TemporaryFolder folder;
  const Hdf5Reader genuine(data("fclib-pucks-triplets.hdf5"));
  const auto ints = [&](const std::string& path) {
    const std::vector<std::int64_t> values = genuine.integers(path);
    return std::vector<int>(values.begin(), values.end());
  };
  Hdf5Writer writer(folder / "swapped.hdf5", data("fclib-pucks-triplets.hdf5"));
  for (const auto& [name, other] : {std::pair("/p", "/i"), std::pair("/i", "/p")}) {
    writer.remove(V + name);
    writer.integers(V + name, ints(V + other));
  }
  writer.commit();
  EXPECT_EQ(dense(read_fclib(folder / "swapped.hdf5").problem), dense(pucks()));
}

/// Planar contacts in pairs that feel each other, but not alike: W_ij ≠ W_ji. Each slides or
/// sticks.
FclibProblem asymmetric_problem(int contacts) {
  const Eigen::Index n = 2 * contacts;
  Eigen::SparseMatrix<double> W(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 1 + 0.1 * (i % 5));
    const int other = i % 4 < 2 ? i + 2 : i - 2;  // of the other contact
    if (other < n) entries.emplace_back(i, other, i % 4 < 2 ? 0.3 : 0.1);
  }
  W.setFromTriplets(entries.begin(), entries.end());
  FclibProblem file;
  file.problem.delassus = block_delassus(W);
  file.problem.free_velocity.resize(n);
  for (int k = 0; k < contacts; ++k) {
    file.problem.free_velocity[2 * k] = -1;
    file.problem.free_velocity[2 * k + 1] = k % 3 - 1;
    append(file.problem, Coulomb{.friction = 0.4, .tangents = 1});
  }
  return file;
}

/// A matrix is kept dense up to some size and sparse above; what it says is solved on both sides.
TEST(Fclib, WThatIsNotSymmetricIsSolvedAsItIsGivenAtAnySize) {
  const TemporaryFolder folder;
  for (const int contacts : {299, 301, 1000, 1001})
    for (const char* name : {"auto", "newton", "proximal-newton", "admm", "gauss-seidel"}) {
      SCOPED_TRACE(fmt::format("{} contacts, {}", contacts, name));
      const std::filesystem::path path = folder / fmt::format("{}-{}.hdf5", contacts, name);
      write_fclib(asymmetric_problem(contacts), path);
      const ContactProblem read = read_fclib(path).problem;
      EXPECT_EQ(std::holds_alternative<DenseDelassus>(read.delassus), contacts == 299);
      EXPECT_EQ(entry(read.delassus, 0, 2), 0.3);
      EXPECT_EQ(entry(read.delassus, 2, 0), 0.1);
      const ContactSolution found = solve(find_solver(name), read, {.tolerance = 1e-11});
      EXPECT_EQ(found.status, SolverStatus::solved);
      // The first pair: Λ_N + 0.3 Λ_N' = 1 and 1.2 Λ_N' + 0.1 Λ_N = 1.
      const double determinant = 1 * 1.2 - 0.3 * 0.1;
      EXPECT_NEAR(found.impulse[0], (1.2 - 0.3) / determinant, 1e-9);
      EXPECT_NEAR(found.impulse[2], (1 - 0.1) / determinant, 1e-9);
    }
}

}  // namespace
}  // namespace backlash
