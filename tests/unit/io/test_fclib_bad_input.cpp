// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <functional>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/io/fclib/fclib.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "support/temporary_folder.h"
#include "unit/io/fclib_problems.h"

namespace backlash::test_fclib {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using Index = Eigen::Index;

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
            "/solution/r has 1 values, expected 6, as there are rows of contacts");
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
}  // namespace backlash::test_fclib
