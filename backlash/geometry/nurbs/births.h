// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/distance.h"

namespace backlash {

/// Which pairs are of interest.
struct BirthLimits {
  double reach;  ///< gaps up to this [m]
  double depth;  ///< and overlaps [m]
};

/// How far two bodies may move against each other, `margin` at most, so that no minimum of the
/// distance is born between smooth parts of hollow curves (theory 11.27) [m]. The motion is what
/// (theory 11.16) calls so: of a ball that of its centre, of a half-space that of A against it. 0
/// where it would be less than a thousandth of the margin.
double motion_without_birth(const Placed<2>& A, const Placed<2>& B, const BirthLimits& limits,
                            double margin);
double motion_without_birth(const Placed<2>& A, const SolidBall<2>& B, const BirthLimits& limits,
                            double margin);
double motion_without_birth(const Placed<2>& A, const HalfSpace<2>& B, const BirthLimits& limits,
                            double margin);

}  // namespace backlash
