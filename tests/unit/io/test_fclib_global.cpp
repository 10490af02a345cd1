// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <Eigen/LU>
#include "backlash/base/input_error.h"

#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/solvers/solver_table.h"
#include "fclib_problems.h"
#include "support/temporary_folder.h"

namespace backlash::test_fclib {
namespace {

using testing::HasSubstr;

void write_matrix(Hdf5Writer& file, const std::string& path, const Matrix& matrix) {
  std::vector<int> p, i;
  std::vector<double> x;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Eigen::Index col = 0; col < matrix.cols(); ++col) {
      if (matrix(row, col) == 0) continue;
      p.push_back(static_cast<int>(row));
      i.push_back(static_cast<int>(col));
      x.push_back(matrix(row, col));
    }
  file.group(path);
  file.integer(path + "/m", static_cast<int>(matrix.rows()));
  file.integer(path + "/n", static_cast<int>(matrix.cols()));
  file.integer(path + "/nzmax", static_cast<int>(x.size()));
  file.integer(path + "/nz", static_cast<int>(x.size()));
  file.integers(path + "/p", p);
  file.integers(path + "/i", i);
  file.numbers(path + "/x",
               Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())));
}

/// M v = H r + E λ + f, u = Hᵀv + w, 0 = Eᵀv + b.
struct GlobalProblem {
  Matrix M, H, E;
  Vector f, w, b, mu;
};

/// Planar bodies of three velocities each, every contact on two of them, and two equality rows.
GlobalProblem random_global(int bodies, int contacts) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto some = [&] { return normal(random); };
  const int m = 3 * bodies;
  GlobalProblem problem{Matrix::Zero(m, m),
                        Matrix::Zero(m, 2 * contacts),
                        Matrix::Zero(m, 2),
                        Vector::NullaryExpr(m, some),
                        Vector::NullaryExpr(2 * contacts, some),
                        Vector::NullaryExpr(2, some),
                        Vector::Constant(contacts, 0.3)};
  for (int k = 0; k < bodies; ++k) {
    const Matrix root = Matrix::NullaryExpr(3, 3, some);
    problem.M.block(3 * k, 3 * k, 3, 3) = root * root.transpose() + Matrix::Identity(3, 3);
  }
  for (int k = 0; k < contacts; ++k)
    for (const int body : {k % bodies, (k + 1) % bodies})
      problem.H.block(3 * body, 2 * k, 3, 2) = Matrix::NullaryExpr(3, 2, some);
  problem.E.topRows(3) = Matrix::NullaryExpr(3, 2, some);
  return problem;
}

void write_global(const GlobalProblem& problem, const std::filesystem::path& path) {
  Hdf5Writer file(path);
  file.group("/fclib_global");
  file.integer("/fclib_global/spacedim", 2);
  write_matrix(file, "/fclib_global/M", problem.M);
  write_matrix(file, "/fclib_global/H", problem.H);
  write_matrix(file, "/fclib_global/G", problem.E);
  file.group("/fclib_global/vectors");
  for (const auto& [name, values] :
       {std::pair{"f", &problem.f}, {"w", &problem.w}, {"b", &problem.b}, {"mu", &problem.mu}})
    file.numbers(std::string("/fclib_global/vectors/") + name, *values);
  file.commit();
}

TEST(FclibGlobal, APuckOfFclibSlides) {
  const FclibProblem file = read_fclib(data("fclib-global.hdf5"));
  EXPECT_EQ(file.info.title, "One puck, as a global problem");
  ASSERT_EQ(file.problem.blocks.size(), 1u);
  const ContactSolution found = solve(solver_table().front(), file.problem);
  EXPECT_EQ(found.status, SolverStatus::solved);
  // c = (−2, 3, 0) and μ = ½ of 1 kg: it is stopped by 2 N s and loses 1 m/s.
  EXPECT_LT((file.problem.free_velocity - Vec3(-2, 3, 0)).norm(), 1e-14);
  EXPECT_LT((found.impulse - Vec3(2, -1, 0)).norm(), 1e-13);
}

/// Small ones become a matrix and large ones factors; both are G = WᵀM⁻¹W, c = WᵀM⁻¹f + (w, b).
TEST(FclibGlobal, VelocitiesOfTheBodiesAreEliminated) {
  const TemporaryFolder folder;
  for (const int contacts : {7, 301}) {
    SCOPED_TRACE(contacts);
    const GlobalProblem global = random_global(contacts / 2, contacts);
    const std::filesystem::path path = folder / fmt::format("{}.hdf5", contacts);
    write_global(global, path);
    const ContactProblem problem = read_fclib(path).problem;
    EXPECT_EQ(std::holds_alternative<BlockDelassus>(problem.delassus), contacts == 301);
    Matrix W(global.M.rows(), 2 * contacts + 2);
    W << global.H, global.E;
    const Matrix G = W.transpose() * global.M.inverse() * W;
    Vector c = W.transpose() * global.M.inverse() * global.f;
    c.head(2 * contacts) += global.w;
    c.tail(2) += global.b;
    EXPECT_LT((dense(problem) - G).norm(), 1e-12 * G.norm());
    EXPECT_LT((problem.free_velocity - c).norm(), 1e-12 * c.norm());
    EXPECT_EQ(std::get<Bilateral>(problem.blocks.back().law).rows, 2);
  }
}

std::string complaint(const GlobalProblem& problem) {
  const TemporaryFolder folder;
  write_global(problem, folder / "bad.hdf5");
  try {
    read_fclib(folder / "bad.hdf5");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FclibGlobal, WhatIsNoGlobalProblemIsRefused) {
  const GlobalProblem good = random_global(3, 4);
  GlobalProblem bad = good;
  bad.M(0, 1) += 1;
  EXPECT_THAT(complaint(bad), HasSubstr("/fclib_global/M is not symmetric"));
  bad = good;
  bad.M.topLeftCorner(3, 3).setZero();
  EXPECT_THAT(complaint(bad), HasSubstr("/fclib_global/M is not positive definite"));
  bad = good;
  bad.H = good.H.topRows(8);
  EXPECT_THAT(complaint(bad), HasSubstr("/fclib_global/H/m is 8, expected 9, as M has rows"));
  bad = good;
  bad.H = good.H.leftCols(7);
  EXPECT_THAT(complaint(bad), HasSubstr("expected a positive multiple of spacedim = 2"));
  bad = good;
  bad.f = good.f.head(5);
  EXPECT_THAT(complaint(bad), HasSubstr("/vectors/f has 5 values, expected 9, as M has rows"));
  bad = good;
  bad.mu[2] = -1;
  EXPECT_THAT(complaint(bad), HasSubstr("/fclib_global/vectors/mu[2] is -1"));
}

/// A wheel that rolls onto the floor, as in test_rolling.cpp: H holds (N, T, R) of (v_x, v_y, ω).
void write_wheel(const std::filesystem::path& path, const Vector& rolling, int dimension = 3) {
  Hdf5Writer file(path);
  const std::string root = "/fclib_global_rolling";
  file.group(root);
  file.integer(root + "/spacedim", dimension);
  write_matrix(file, root + "/M", Vector(Vec3(2, 2, 0.05)).asDiagonal().toDenseMatrix());
  write_matrix(file, root + "/H", Matrix{{0, 1, 0}, {1, 0, 0}, {0, 0.3, 1}});
  file.group(root + "/vectors");
  const Vector f = Vec3(2 * 1.5, -3, -0.05 * 5), mu = Vector::Constant(1, 1), w = Vector::Zero(3);
  for (const auto& [name, values] :
       {std::pair{"f", &f}, {"w", &w}, {"mu", &mu}, {"mu_r", &rolling}})
    file.numbers(root + "/vectors/" + name, *values);
  file.commit();
}

TEST(FclibGlobal, RollingFrictionSlowsAWheel) {
  const TemporaryFolder folder;
  write_wheel(folder / "wheel.hdf5", Vector::Constant(1, 0.01));
  FclibProblem file = read_fclib(folder / "wheel.hdf5");
  EXPECT_LT((file.problem.free_velocity - Vec3(-1.5, 0, -5)).norm(), 1e-14);
  Arena scratch;
  ContactSolution found;
  solve_rolling(solver_table().front(), file.rolling, {.tolerance = 1e-13}, scratch, file.problem,
                found);
  EXPECT_EQ(found.status, SolverStatus::solved);
  const double moment = 0.01 * 3, change = moment / (0.05 + 2 * 0.3 * 0.3);
  EXPECT_LT((found.impulse - Vec3(3, -2 * 0.3 * change, moment)).norm(), 1e-12);
}

TEST(FclibGlobal, WrongRollingFrictionIsRefused) {
  const TemporaryFolder folder;
  const auto complaint_of = [&](const Vector& rolling, int dimension) -> std::string {
    write_wheel(folder / "bad.hdf5", rolling, dimension);
    try {
      read_fclib(folder / "bad.hdf5");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(complaint_of(Vector::Constant(1, -0.01), 3),
              HasSubstr("/fclib_global_rolling/vectors/mu_r[0] is -0.01, expected zero or more"));
  EXPECT_THAT(complaint_of(Vector::Constant(2, 0.01), 3),
              HasSubstr("mu_r has 2 values, expected 1"));
  EXPECT_THAT(complaint_of(Vector::Constant(1, 0.01), 2),
              HasSubstr("spacedim is 2, expected 3 or 5"));
}

}  // namespace
}  // namespace backlash::test_fclib
