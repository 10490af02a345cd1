// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/switched_rows.h"

#include <algorithm>

namespace backlash {

SwitchedRows::SwitchedRows(const SystemInfo& info) {
  for (const BilateralInfo& row : info.bilaterals) {
    const auto found = std::ranges::find_if(info.switches, [&](const SwitchInfo& item) {
      return !item.number && item.kind == row.origin.kind && item.name == row.origin.item;
    });
    const bool none = found == info.switches.end();
    items_.push_back(none ? -1 : static_cast<int>(found - info.switches.begin()));
  }
}

}  // namespace backlash
