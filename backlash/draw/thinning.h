// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "backlash/base/types.h"

namespace backlash {

/// The indices of the points of a curve that are enough to draw it in columns of this width, in
/// their order: of each run of points in one column the first, the lowest, the highest and the
/// last. The lowest and highest point of the whole are among them. NaN in x or y breaks the curve;
/// of such points one is kept.
std::vector<std::size_t> thinned(std::span<const Vec2> points, double column);

}  // namespace backlash
