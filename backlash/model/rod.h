// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/types.h"
#include "backlash/model/joint_info.h"
#include "backlash/model/member.h"

namespace backlash {

/// A rod without mass between P of A and Q of B: their distance stays what it is (theory 6.8), and
/// both bodies may turn. No coordinate. At the start Q lies along A's x from P, unless B's place is
/// given or follows from other joints.
struct Rod {
  Vec3 p_AP = Vec3::Zero();  ///< [m]
  Vec3 p_BQ = Vec3::Zero();  ///< [m]
  double length = 0;         ///< [m]

  static JointInfo info() {
    return {.name = "rod", .holds = {Hold::distance}, .symbol = JointSymbol::rod};
  }
  static NumberFields<Rod> numbers() {
    return {{.key = "length",
             .value = &Rod::length,
             .range = {NumberRange::Kind::positive},
             .unit = "m",
             .meaning = "distance from P to Q"}};
  }
};

}  // namespace backlash
