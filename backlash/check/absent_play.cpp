// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/check/lints.h"

namespace backlash {

void find_absent_play(const Model& model, Findings& findings) {
  for (const Joint& joint : model.joints) {
    if (!joint.clearance) continue;
    const double gap = std::visit([](const auto& c) { return c.gap; }, *joint.clearance);
    if (gap > 0) continue;
    findings.push_back({.severity = Severity::warning,
                        .item = fmt::format("joint '{}'", joint.name),
                        .where = joint.where,
                        .message = "its clearance has a gap of 0: there is no play, and what "
                                   "touches on both sides costs more than an ideal joint",
                        .advice = "give the gap, or delete the clearance for an ideal joint"});
  }
}

}  // namespace backlash
