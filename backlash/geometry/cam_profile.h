// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/geometry/cam_curve.h"
#include "backlash/geometry/nurbs/nurbs_curve.h"

namespace backlash {

/// A cam that has a profile as a curve of degree 5 around its centre, for what is no simple
/// follower (theory 11.26). Its parameter is the angle of the cam's function. It is off by at most
/// 1e-12 of its size, but for 1e-5 rad around kinks and jumps.
NurbsCurveData<2> cam_profile(const CamCurve& cam);

}  // namespace backlash
