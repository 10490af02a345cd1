// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace backlash::test {

/// Slope of log(error) over log(Δt): the order at which `error(steps)` falls.
template <class ErrorOfSteps>
double observed_order(ErrorOfSteps error, int coarse, int fine) {
  return std::log(error(coarse) / error(fine)) / std::log(double(fine) / coarse);
}

}  // namespace backlash::test
