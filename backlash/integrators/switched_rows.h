// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/system.h"

namespace backlash {

/// Which bilateral rows events turn on and off: drives and locks of joints. One that is off moves
/// nothing, and carries nothing: its impulse, which no motion determines, is zero.
class SwitchedRows {
 public:
  explicit SwitchedRows(const SystemInfo& info);

  /// Of a row that moves nothing.
  bool is_off(Eigen::Index row, const Vector& switches) const {
    const int item = items_[static_cast<std::size_t>(row)];
    return item >= 0 && switches[item] == 0;
  }

 private:
  std::vector<int> items_;  ///< indices into SystemInfo::switches; −1: none
};

}  // namespace backlash
