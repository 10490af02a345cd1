// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/model/force_info.h"
#include "backlash/model/member.h"

namespace backlash {

/// A clutch that slips: it holds B against A by any torque up to its limit, and turns back by the
/// limit while it slips, −λ ∈ limit · Sgn φ̇ (theory 3.4). Also serves prismatic joints.
struct TorqueLimiter {
  AngleTarget on{};
  double limit = 0;  ///< [N m] or [N]

  static ForceInfo info() { return {.name = "torque_limiter"}; }
  static NumberFields<TorqueLimiter> numbers() {
    return {{.key = "limit",
             .value = &TorqueLimiter::limit,
             .range = {NumberRange::Kind::not_negative},
             .unit = "N m",
             .linear_unit = "N",
             .meaning = "most that it transmits, and what it transmits while it slips"}};
  }
};

}  // namespace backlash
