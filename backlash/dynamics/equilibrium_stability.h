// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/equilibrium.h"
#include "backlash/dynamics/statics.h"

namespace backlash {

/// A basis of the moves that change none of these rows.
Matrix free_moves(const Matrix& W);

/// A basis of the moves that bilateral rows, contacts that push and friction that holds leave free.
Matrix free_moves(const Statics& s, const Vector& loads);

/// The largest K/M of a coordinate [1/s²].
double fastest_rate(const Statics& s);

struct StabilityVerdict {
  Stability stability = Stability::held;
  bool friction_at_limit = false;  ///< the least more sets it in motion
  Vector escape{};                 ///< if unstable: the move of mass 1 that leads away fastest
};

/// Whether what rests there under these loads of contacts and dry friction is stable: by the least
/// eigenvalue of K in what contacts and friction leave free (theory 6.22).
StabilityVerdict judge_stability(const Statics& s, const Vector& loads);

}  // namespace backlash
