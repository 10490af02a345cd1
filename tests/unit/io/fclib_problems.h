// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <random>

#include "backlash/io/fclib/fclib.h"
#include "support/paths.h"

namespace backlash::test_fclib {

/// A file that FCLib or Siconos wrote.
inline std::filesystem::path data(const std::string& name) {
  return std::filesystem::path(data_folder()) / "fclib" / name;
}

inline Matrix dense(const ContactProblem& problem) {
  Matrix G(problem.free_velocity.size(), problem.free_velocity.size());
  write_dense(problem.delassus, G);
  return G;
}

/// Contacts and equality rows over random bodies, with zeros in G, one of them negative.
inline FclibProblem random_problem(int contacts, int dimension, int equality_rows) {
  std::mt19937 random(static_cast<unsigned>(7 * contacts + dimension + 100 * equality_rows));
  std::normal_distribution<double> normal;
  const Eigen::Index n = contacts * dimension + equality_rows;
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

}  // namespace backlash::test_fclib
