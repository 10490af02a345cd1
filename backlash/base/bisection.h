// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace backlash {

/// A root of f between `from` and `to`, where f has opposite signs (f(to) may be infinite), as near
/// as numbers can be: the end of the last bracket on the side of `to`.
template <class Function>
double bisect(Function f, double from, double to) {
  const bool sign = f(from) > 0;
  while (true) {
    const double middle = from + (to - from) / 2;
    if (middle == from || middle == to) return to;
    ((f(middle) > 0) == sign ? from : to) = middle;
  }
}

}  // namespace backlash
