// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/nurbs/contact_boundary.h"

namespace backlash {

/// What samples of a surface say of its form.
struct SurfaceForm {
  double least_curvature = 0;   ///< principal, the smallest: < 0 in a hollow [1/m]
  double thickness = INFINITY;  ///< of the thinnest part of its material (theory 7.27) [m]

  /// Beyond what rounding makes of a flat.
  bool hollow(double size) const { return least_curvature * size < -1e-6; }
};

SurfaceForm form_of(const SurfaceBoundary& surface);

}  // namespace backlash
