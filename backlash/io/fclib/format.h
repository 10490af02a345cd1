// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/SparseCore>

/// What reading and writing FCLib's files share.
namespace backlash::fclib {

using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

inline const std::string root = "/fclib_local";
inline const std::string global_root = "/fclib_global";
inline const std::string rolling_root = "/fclib_global_rolling";

inline Eigen::Triplet<double> triplet(Index row, Index col, double value) {
  return {static_cast<int>(row), static_cast<int>(col), value};
}

}  // namespace backlash::fclib
