// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/fclib/fclib_global.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <Eigen/SparseCholesky>

namespace backlash::fclib {
namespace {

using MassFactors = Eigen::SimplicialLDLT<Sparse>;

Sparse read_sparse(const Hdf5Reader& file, const StoredMatrix& stored, TripletOrder order) {
  const Entries entries = read_entries(file, stored, order);
  Sparse matrix(stored.size.rows, stored.size.cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse read_mass(const Hdf5Reader& file, const StoredMatrix& stored, TripletOrder order) {
  constexpr double round_off = 1e-10;
  if (stored.size.rows == 0)
    file.refuse(stored.path + "/m", "is 0, expected a positive number of velocities");
  require_extent(file, stored.path + "/n", stored.size.cols, stored.size.rows, "as many as rows");
  Sparse M = read_sparse(file, stored, order);
  const Sparse difference = M - Sparse(M.transpose());
  if (difference.norm() > round_off * M.norm())
    file.refuse(stored.path, "is not symmetric, expected a mass matrix");
  return M;
}

/// M factored. It must be positive definite: velocities without mass cannot be eliminated.
void factor(const Hdf5Reader& file, const StoredMatrix& stored, const Sparse& M,
            MassFactors& factors) {
  constexpr double smallest = 1e-14;  // pivot, as a part of the largest
  factors.compute(M);
  const bool done = factors.info() == Eigen::Success;
  const Vector pivots = done ? Vector(factors.vectorD()) : Vector();
  if (!done || !(pivots.minCoeff() > smallest * pivots.maxCoeff()))
    file.refuse(stored.path, "is not positive definite, expected a mass matrix");
}

/// H and, if there is one, the matrix of the equality rows beside it.
struct Directions {
  Sparse W;
  RowCount count;
};

Directions read_directions(const Hdf5Reader& file, const std::string& group, TripletOrder order,
                           Index velocities) {
  const std::string path_H = group + "/H", path_G = group + "/G";
  const StoredMatrix H = read_stored(file, path_H);
  require_extent(file, path_H + "/m", H.size.rows, velocities, "as M has rows");
  Entries all = read_entries(file, H, order);
  Directions directions{Sparse(), {H.size.cols, 0}};
  if (file.has(path_G)) {
    const StoredMatrix G = read_stored(file, path_G);
    require_extent(file, path_G + "/m", G.size.rows, velocities, "as M has rows");
    directions.count.equality = G.size.cols;
    for (const auto& entry : read_entries(file, G, order))
      all.push_back(triplet(entry.row(), H.size.cols + entry.col(), entry.value()));
  }
  directions.W.resize(velocities, H.size.cols + directions.count.equality);
  directions.W.setFromTriplets(all.begin(), all.end());
  return directions;
}

/// Both factors, row by row over the velocities that either has.
BlockDelassus write_factors(const Sparse& W, const MassFactors& mass) {
  constexpr std::size_t largest = 50'000'000;  // entries
  BlockDelassus factors;
  clear(factors, W.rows());
  Vector direction(W.rows());
  for (Index row = 0; row < W.cols(); ++row) {
    direction = W.col(row);
    const Vector mass_inverse = mass.solve(direction);
    for (Index v = 0; v < W.rows(); ++v)
      if (direction[v] != 0 || mass_inverse[v] != 0)
        append_entry(factors, static_cast<int>(v), direction[v], mass_inverse[v]);
    end_row(factors);
    if (factors.velocity.size() > largest) throw std::bad_alloc();
  }
  return factors;
}

/// Contacts with rows (N, T, R) in the plane and (N, T1, T2, R1, R2) in space.
void append_rolling_contacts(const Hdf5Reader& file, const std::string& group, Index contacts,
                             int dimension, FclibProblem& result) {
  const Vector friction = read_coefficients(file, group + "/vectors/mu", contacts);
  const Vector rolling = read_coefficients(file, group + "/vectors/mu_r", contacts);
  ContactProblem& problem = result.problem;
  const int tangents = dimension / 2;
  for (Index k = 0; k < contacts; ++k) {
    append(problem, Coulomb{.friction = friction[k], .tangents = tangents});
    result.rolling.push_back(
        {.relay = problem.blocks.size(), .normal = k * dimension, .coefficient = rolling[k]});
    append(problem, Relay{.rows = tangents});
  }
}

}  // namespace

RowCount read_global(const Hdf5Reader& file, const std::string& group, FclibProblem& result) {
  ContactProblem& problem = result.problem;
  const bool rolls = group == rolling_root;
  const TripletOrder order = triplet_order(file, group);
  const int dimension =
      rolls ? read_dimension(file, group, 3, 5) : read_dimension(file, group, 2, 3);
  const StoredMatrix stored = read_stored(file, group + "/M");
  const Sparse M = read_mass(file, stored, order);
  const auto [W, count] = read_directions(file, group, order, M.rows());
  if (count.contact == 0 || count.contact % dimension != 0)
    file.refuse(group + "/H/n", fmt::format("is {}, expected a positive multiple of spacedim = {}",
                                            count.contact, dimension));
  const Index contacts = count.contact / dimension;
  if (rolls)
    append_rolling_contacts(file, group, contacts, dimension, result);
  else
    append_contacts(file, group, contacts, dimension, problem);
  if (count.equality > 0) append(problem, Bilateral{.rows = static_cast<int>(count.equality)});
  const std::string vectors = group + "/vectors/";
  const Vector f = read_vector(file, vectors + "f", M.rows(), "as M has rows");
  problem.free_velocity.resize(W.cols());
  problem.free_velocity.head(count.contact) =
      read_vector(file, vectors + "w", count.contact, "as H has columns");
  if (count.equality > 0)
    problem.free_velocity.tail(count.equality) =
        read_vector(file, vectors + "b", count.equality, "as G has columns");
  MassFactors mass;
  factor(file, stored, M, mass);
  problem.free_velocity += W.transpose() * mass.solve(f);
  problem.delassus = write_factors(W, mass);
  if (W.cols() > largest_dense_fclib) return count;
  Matrix G(W.cols(), W.cols());
  write_dense(problem.delassus, G);
  problem.delassus = DenseDelassus{0.5 * (G + G.transpose())};
  return count;
}

}  // namespace backlash::fclib
