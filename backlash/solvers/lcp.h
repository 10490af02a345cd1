// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/arena.h"
#include "backlash/base/types.h"

namespace backlash {

enum class LcpStatus { solved, ray, pivot_limit };

struct LcpResult {
  LcpStatus status = LcpStatus::pivot_limit;
  int pivots = 0;
};

/// Find z with y = A z + b and 0 ≤ y ⊥ z ≥ 0 by Lemke's method with lexicographic ties, decided to
/// `tie_tolerance` (theory 5.7). Rows and columns should be scaled to size one.
LcpResult solve_lcp(const MatrixView& A, const VectorView& b, int max_pivots, double tie_tolerance,
                    Arena& scratch, VectorRef z);

}  // namespace backlash
