// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/geometry/shape.h"

namespace backlash {

/// The boundary of a shape as points along it, for pictures and estimates.
struct Boundary {
  std::vector<Vec2> points{};  ///< in the frame of the shape [m]; of a half-plane: one point on it
  bool closed = false;         ///< the last is joined to the first
};

/// Throws InputError as validate() does.
Boundary boundary(const Shape& shape);

}  // namespace backlash
