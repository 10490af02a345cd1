// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/base/arena.h"
#include "backlash/solvers/coupling.h"
#include "backlash/solvers/delassus.h"
#include "backlash/solvers/reduction.h"

namespace backlash {

/// The factors of a Delassus operator as compressed rows in borrowed memory, as in BlockDelassus.
struct FactorRows {
  Eigen::Index velocities = 0;
  std::span<const Eigen::Index> first;
  std::span<const int> velocity;
  std::span<const double> W, mass_inverse_W;

  std::size_t begin(Eigen::Index row) const { return at(first[at(row)]); }
  std::size_t end(Eigen::Index row) const { return at(first[at(row + 1)]); }

  void scatter(Eigen::Index row, double impulse, VectorMap& response) const {
    for (std::size_t e = begin(row); e < end(row); ++e)
      response[velocity[e]] += mass_inverse_W[e] * impulse;
  }
  double gather(Eigen::Index row, const VectorMap& response) const {
    double sum = 0;
    for (std::size_t e = begin(row); e < end(row); ++e) sum += W[e] * response[velocity[e]];
    return sum;
  }
  double diagonal(Eigen::Index row) const {
    double sum = 0;
    for (std::size_t e = begin(row); e < end(row); ++e) sum += W[e] * mass_inverse_W[e];
    return sum;
  }
};

/// Of a matrix: unit vectors as directions, and of its columns what is not zero.
FactorRows factor_rows(const Delassus& G, Arena::Frame& frame);

/// r of contacts as the residual has it: one over the diagonal, or over its largest entry for a row
/// that nothing can move; one for both tangents.
void set_r_of_rows(const FactorRows& G, std::span<Contact> contacts);

/// The contacts of each velocity; ends are those whose directions have it.
Incidence contacts_by_velocity(const FactorRows& G, std::span<const Contact> contacts,
                               Arena::Frame& frame);

}  // namespace backlash
