// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/results/run_results.h"

namespace backlash {

/// How pictures of a motion are laid out.
struct SnapshotOptions {
  std::string title{};
  double width = 900;       ///< of all [px]
  double exaggeration = 1;  ///< how many times as large play is drawn
  int columns = 0;          ///< pictures beside each other; 0: as many as look well
};

/// Pictures of the mechanism at these times [s], all to one scale and of one part of the world,
/// each with its time below (SVG). Throws InputError if the results hold no scene, and for times
/// outside of the run.
std::string snapshots_svg(const Results& results, const std::vector<double>& times,
                          const SnapshotOptions& options);

}  // namespace backlash
