// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "backlash/base/input_error.h"
#include "backlash/model/model.h"

namespace backlash::cli {

/// What a run will take, from its first moments: what follows may be harder.
struct RunEstimate {
  double steps = 0;
  bool equal_steps = false;             ///< then their number is exact
  double wall_time = 0;                 ///< [s], without the writing of files
  double rows = 0;                      ///< of output
  double bytes = 0;                     ///< of CSV and HDF5 together
  bool known = false;                   ///< the run came far enough
  std::optional<InputError> refusal{};  ///< why it does not begin
};

/// Runs a model that is right for a few hundredths of a second, and writes nothing.
RunEstimate estimate_run(const Model& model);

/// "10000 steps, about 0.05 s, 1001 rows, about 2 MB of results".
std::string describe(const RunEstimate& estimate);

}  // namespace backlash::cli
