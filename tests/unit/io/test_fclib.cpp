// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/fclib/fclib.h"

#include <bit>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <random>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using Index = Eigen::Index;

std::filesystem::path data(const std::string& name) {
  return std::filesystem::path(data_folder()) / "fclib" / name;
}

Matrix dense(const ContactProblem& problem) {
  Matrix G(problem.free_velocity.size(), problem.free_velocity.size());
  write_dense(problem.delassus, G);
  return G;
}

/// Equal to the last bit, the sign of zeros too.
bool same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index k = 0; k < a.size(); ++k)
    if (std::bit_cast<std::uint64_t>(a.data()[k]) != std::bit_cast<std::uint64_t>(b.data()[k]))
      return false;
  return true;
}

/// Contacts and equality rows over random bodies, with zeros in G, one of them negative.
FclibProblem random_problem(int contacts, int dimension, int equality_rows) {
  std::mt19937 random(static_cast<unsigned>(7 * contacts + dimension + 100 * equality_rows));
  std::normal_distribution<double> normal;
  const Index n = contacts * dimension + equality_rows;
  const Matrix W = Matrix::NullaryExpr(n, n + 2, [&] { return normal(random); });
  Matrix G = W * W.transpose();
  G = (G + G.transpose()).eval() / 2;
  G(0, n - 1) = G(n - 1, 0) = 0;
  G(1, n - 1) = G(n - 1, 1) = -0.0;
  FclibProblem result;
  result.problem.delassus = DenseDelassus{G};
  result.problem.free_velocity = Vector::NullaryExpr(n, [&] { return normal(random); });
  result.problem.free_velocity[0] = std::numeric_limits<double>::denorm_min();
  for (int k = 0; k < contacts; ++k)
    append(result.problem, Coulomb{.friction = 0.1 * k, .tangents = dimension - 1});
  if (equality_rows > 0) append(result.problem, Bilateral{.rows = equality_rows});
  result.info = {"A title", "Zwei Wörter", ""};
  result.solution = Vector::NullaryExpr(n, [&] { return normal(random); });
  for (int k = 0; k < 2; ++k)
    result.guesses.push_back(Vector::NullaryExpr(n, [&] { return normal(random); }));
  return result;
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

// Wrong input

/// The complaint about a copy of a genuine file with something changed in it.
std::string complaint(const std::function<void(Hdf5Writer&)>& change,
                      const std::string& source = "fclib-pucks-columns.hdf5") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "broken.hdf5";
  Hdf5Writer writer(file, data(source));
  change(writer);
  writer.commit();
  testing::internal::CaptureStderr();
  std::string message = "accepted";
  try {
    read_fclib(file);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "HDF5 must not print";
  if (message.starts_with(file.string() + ": ")) message.erase(0, file.string().size() + 2);
  return message;
}

void change(Hdf5Writer& file, const std::string& path, int value) {
  file.remove(path);
  file.integer(path, value);
}
void change(Hdf5Writer& file, const std::string& path, const std::vector<int>& values) {
  file.remove(path);
  file.integers(path, values);
}
void change(Hdf5Writer& file, const std::string& path, const Vector& values) {
  file.remove(path);
  file.numbers(path, values);
}

const std::string W = "/fclib_local/W", V = "/fclib_local/V", vectors = "/fclib_local/vectors";

TEST(FclibBadInput, FilesThatAreNoProblem) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      [&] { read_fclib(folder / "none.hdf5"); },
      ThrowsMessage<InputError>((folder / "none.hdf5").string() + ": there is no such file"));
  EXPECT_THAT([&] { read_fclib(folder.path()); },
              ThrowsMessage<InputError>(HasSubstr("is a folder, expected an HDF5 file")));
  std::ofstream(folder / "text.hdf5") << "not HDF5";
  EXPECT_THAT([&] { read_fclib(folder / "text.hdf5"); },
              ThrowsMessage<InputError>(HasSubstr("text.hdf5: is not an HDF5 file")));
  EXPECT_THAT([] { read_fclib(data("fclib-global.hdf5")); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("/fclib_local is missing: this is a global problem"),
                        HasSubstr("/fclib_global"), HasSubstr("only local"))));
  Hdf5Writer writer(folder / "other.hdf5");
  writer.commit();
  EXPECT_THAT([&] { read_fclib(folder / "other.hdf5"); },
              ThrowsMessage<InputError>(
                  HasSubstr("/fclib_local is missing: this is not a problem of FCLib")));
}

TEST(FclibBadInput, TruncatedFilesAreRefused) {
  const TemporaryFolder folder;
  std::ifstream whole(data("fclib-pucks-rows.hdf5"), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(whole), {});
  for (const std::size_t size : {std::size_t(100), bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(folder / "cut.hdf5", std::ios::binary) << bytes.substr(0, size);
    EXPECT_THROW(read_fclib(folder / "cut.hdf5"), InputError) << size;
  }
}

TEST(FclibBadInput, MissingParts) {
  EXPECT_EQ(complaint([](auto& f) { f.remove("/fclib_local/spacedim"); }),
            "/fclib_local/spacedim is missing");
  EXPECT_EQ(complaint([](auto& f) { f.remove(W); }), W + "/m is missing");
  EXPECT_EQ(complaint([](auto& f) { f.remove(W + "/x"); }), W + "/x is missing");
  EXPECT_EQ(complaint([](auto& f) { f.remove(vectors + "/q"); }), vectors + "/q is missing");
  EXPECT_EQ(complaint([](auto& f) { f.remove(vectors + "/s"); }), vectors + "/s is missing");
  EXPECT_EQ(complaint([](auto& f) { f.remove("/fclib_local/R"); }),
            "/fclib_local/R is missing, but /fclib_local/V is there: equality rows need both V "
            "and R");
  EXPECT_EQ(complaint([](auto& f) { f.remove(V); }),
            "/fclib_local/V is missing, but /fclib_local/R is there: equality rows need both V "
            "and R");
  EXPECT_EQ(complaint([](auto& f) { f.remove("/guesses/2"); }),
            "/guesses/2 is missing, but /guesses/number_of_guesses is 2");
}

TEST(FclibBadInput, SizesThatDoNotFit) {
  EXPECT_EQ(complaint([](auto& f) { change(f, "/fclib_local/spacedim", 4); }),
            "/fclib_local/spacedim is 4, expected 2 or 3");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, "/fclib_local/spacedim", std::vector{3, 3});
            }),
            "/fclib_local/spacedim holds 2 values, expected one");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/m", 7); }),
            W + "/m is 7, expected a positive multiple of spacedim = 3");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/m", 0); }),
            W + "/m is 0, expected a positive multiple of spacedim = 3");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/m", -6); }),
            W + "/m is -6, expected a number of rows or columns");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/n", 9); }),
            W + "/n is 9, expected 6, as many as rows");
  EXPECT_EQ(complaint([](auto& f) { change(f, V + "/m", 5); }),
            V + "/m is 5, expected 6, as W has rows");
  EXPECT_EQ(complaint([](auto& f) { change(f, V + "/n", 3); }),
            V + "/n is 3, expected 2, as R has rows");
  EXPECT_EQ(complaint([](auto& f) { change(f, vectors + "/q", Vector(Vector::Ones(5))); }),
            vectors + "/q has 5 values, expected 6, as W has rows");
  EXPECT_EQ(complaint([](auto& f) { change(f, vectors + "/mu", Vector(Vector::Ones(6))); }),
            vectors + "/mu has 6 values, expected 2, one for each contact");
  EXPECT_EQ(complaint([](auto& f) { change(f, vectors + "/s", Vector(Vector::Ones(1))); }),
            vectors + "/s has 1 values, expected 2, as R has rows");
  EXPECT_EQ(complaint([](auto& f) { change(f, "/solution/r", Vector(Vector::Ones(1))); }),
            "/solution/r has 1 values, expected 6, as W has rows (/fclib_local/W/m)");
}

TEST(FclibBadInput, SparseMatricesThatMakeNoSense) {
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/nz", -3); }),
            W + "/nz is -3, expected the number of triplets, -1 for compressed columns or -2 for "
                "compressed rows");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, W + "/p", std::vector{0, 1, 2, 3});
            }),
            W + "/p has 4 values, expected 7");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, W + "/p", std::vector{1, 1, 2, 3, 4, 5, 6});
            }),
            W + "/p begins with 1, expected 0");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, W + "/p", std::vector{0, 1, 3, 2, 4, 5, 6});
            }),
            W + "/p[3] is 2, expected at least 3, the value before it");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, W + "/p", std::vector{0, 1, 2, 3, 4, 5, 9});
            }),
            W + "/i has 6 values, expected 9");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, W + "/i", std::vector{0, 1, 6, 3, 4, 5});
            }),
            W + "/i[2] is 6, expected an index from 0 to 5");
  EXPECT_EQ(complaint([](auto& f) {
              change(f, W + "/i", std::vector{0, -1, 2, 3, 4, 5});
            }),
            W + "/i[1] is -1, expected an index from 0 to 5");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/x", Vector(Vector::Ones(4))); }),
            W + "/x has 4 values, expected 6");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/nz", 8); }, "fclib-pucks-triplets.hdf5"),
            W + "/p has 6 values, expected 8");
  EXPECT_EQ(complaint(
                [](auto& f) {
                  change(f, V + "/i", std::vector{0, 1, 9});
                },
                "fclib-pucks-triplets.hdf5"),
            V + "/i[2] is 9, expected an index from 0 to 1");
}

TEST(FclibBadInput, ValuesThatMakeNoSense) {
  Vector q(6);
  q << 1, 2, std::numeric_limits<double>::quiet_NaN(), 4, 5, 6;
  EXPECT_EQ(complaint([&](auto& f) { change(f, vectors + "/q", q); }),
            vectors + "/q[2] is nan, expected a finite number");
  q[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint([&](auto& f) { change(f, W + "/x", q); }),
            W + "/x[2] is inf, expected a finite number");
  EXPECT_EQ(complaint([](auto& f) { change(f, vectors + "/mu", Vector(Vec2(0.5, -0.1))); }),
            vectors + "/mu[1] is -0.1, expected zero or more");
  EXPECT_THAT(complaint([](auto& f) { change(f, W + "/x", Vector(-Vector::Ones(6))); }),
              AllOf(StartsWith("/fclib_local is no contact problem: "), HasSubstr("diagonal")));
  EXPECT_EQ(complaint([](auto& f) {
              f.remove(vectors + "/q");
              f.text(vectors + "/q", "many");
            }),
            vectors + "/q holds text, expected numbers");
  EXPECT_EQ(complaint([](auto& f) { change(f, W + "/m", Vector(Vector::Ones(1))); }),
            W + "/m holds floating-point numbers, expected integers");
}

TEST(Fclib, TripletsInTheOrderOfCSparseAreRecognisedByTheirRange) {
  const TemporaryFolder folder;
  const Hdf5Reader genuine(data("fclib-pucks-triplets.hdf5"));
  const auto ints = [&](const std::string& path) {
    const std::vector<std::int64_t> values = genuine.integers(path);
    return std::vector<int>(values.begin(), values.end());
  };
  Hdf5Writer writer(folder / "swapped.hdf5", data("fclib-pucks-triplets.hdf5"));
  change(writer, V + "/p", ints(V + "/i"));
  change(writer, V + "/i", ints(V + "/p"));
  writer.commit();
  EXPECT_EQ(dense(read_fclib(folder / "swapped.hdf5").problem), dense(pucks()));
}

TEST(FclibBadInput, WhatTheFormatCannotHoldIsRefusedAndNothingIsLost) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "kept.hdf5";
  write_fclib(random_problem(2, 2, 0), file);
  const auto refusal = [&](std::vector<Law> laws) {
    Index n = 0;
    for (const Law& law : laws) n += rows(law);
    FclibProblem problem;
    problem.problem = dense_problem(Matrix::Identity(n, n), Vector::Zero(n), laws);
    try {
      write_fclib(problem, file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal({Coulomb{}, Relay{}}),
            "block 1 of the problem is dry friction of given strength: FCLib's format cannot hold "
            "it");
  EXPECT_THAT(refusal({Unilateral{}}), StartsWith("block 0 of the problem is unilateral"));
  EXPECT_THAT(refusal({Coulomb{}, Coulomb{.tangents = 2}}), HasSubstr("has 2 tangents"));
  EXPECT_THAT(refusal({Coulomb{.preload = 1}}), HasSubstr("has a preload of 1 N s"));
  EXPECT_THAT(refusal({Bilateral{}}), HasSubstr("has no contact"));

  FclibProblem lopsided;
  Matrix G = Matrix::Identity(3, 3);
  G(0, 2) = 0.5;
  lopsided.problem = dense_problem(G, Vector::Zero(3), std::vector<Law>{Coulomb{}, Bilateral{}});
  EXPECT_THAT([&] { write_fclib(lopsided, file); },
              ThrowsMessage<InputError>(HasSubstr("act on each other differently")));

  EXPECT_EQ(read_fclib(file).problem.blocks.size(), 2u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "a temporary file was left";
}

TEST(FclibBadInput, AFolderThatIsNotThereIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { write_fclib(random_problem(1, 2, 0), folder / "no" / "x.hdf5"); },
              ThrowsMessage<IoError>(AllOf(HasSubstr("x.hdf5"), HasSubstr("cannot be written"))));
}

}  // namespace
}  // namespace backlash
