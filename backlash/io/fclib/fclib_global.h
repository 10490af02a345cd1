// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/fclib/fclib.h"
#include "backlash/io/fclib/stored_matrix.h"

namespace backlash::fclib {

/// A global problem, M v = H r + E λ + f, u = Hᵀv + w, 0 = Eᵀv + b (FCLib calls E `G`), with the
/// velocities v of the bodies eliminated: W = (H E), G = WᵀM⁻¹W, c = WᵀM⁻¹f + (w, b)
/// (theory 2.5). Large ones are kept as the factors W and M⁻¹W. `group` is global_root or, with
/// rolling friction, rolling_root.
RowCount read_global(const Hdf5Reader& file, const std::string& group, FclibProblem& result);

}  // namespace backlash::fclib
