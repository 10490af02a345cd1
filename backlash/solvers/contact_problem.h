// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/buffer.h"
#include "backlash/laws/set_valued.h"
#include "backlash/solvers/delassus.h"

namespace backlash {

/// Consecutive rows of a problem that obey one law.
struct LawBlock {
  Eigen::Index first = 0;  ///< its first row
  Law law;
};

/// Find impulses Λ with ξ = G Λ + c such that every block obeys its law (theory 2.6).
/// Rows of a block: bilateral rows; or the normal row, then its tangents; or dry friction's rows.
struct ContactProblem {
  Delassus delassus;           ///< G [1/kg]
  VectorBuffer free_velocity;  ///< c: what ξ would be without impulses [m/s]
  std::vector<LawBlock> blocks;
  VectorBuffer row_length;    ///< [m] for rows whose velocity is in rad/s, 1 else; empty: all 1
  double velocity_scale = 0;  ///< relative residuals refer to the larger of ‖c‖ and this [m/s]
};

/// Add a block below the last one.
void append(ContactProblem& problem, const Law& law);

/// How many rows the blocks take together.
Eigen::Index count_rows(const ContactProblem& problem);

/// A problem given by its matrix. Throws InputError as validate() does.
ContactProblem dense_problem(const MatrixView& G, const VectorView& c, std::span<const Law> laws);

/// Throw InputError unless sizes fit, all numbers are finite and all laws make sense.
void validate(const ContactProblem& problem);

}  // namespace backlash
