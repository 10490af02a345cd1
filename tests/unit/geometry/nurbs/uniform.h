// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

namespace backlash::test {

/// Numbers that are the same in each run.
struct Uniform {
  std::mt19937 bits;
  double operator()(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(bits()) / 4294967296.0);
  }
  int index(int count) { return static_cast<int>((*this)(0, count)); }
};

}  // namespace backlash::test
