// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/check/lints.h"

namespace backlash {
namespace {

double friction_of(const LawKind& law) {
  if (const auto* rigid = std::get_if<ContactLaw>(&law)) return rigid->friction;
  return sliding_friction(std::get<CompliantDescription>(law).friction);
}

}  // namespace

void find_idle_friction(const Model& model, Findings& findings) {
  for (const Joint& joint : model.joints) {
    const auto* clearance =
        joint.clearance ? std::get_if<RevoluteClearance>(&*joint.clearance) : nullptr;
    if (!clearance || clearance->journal_radius > 0) continue;
    const NamedLaw* law = find_law(model, clearance->law);
    if (!law || !(friction_of(law->law) > 0)) continue;
    findings.push_back(
        {.severity = Severity::warning,
         .item = fmt::format("joint '{}'", joint.name),
         .where = joint.where,
         .message = fmt::format("the law '{}' has friction, but the journal has no radius: "
                                "friction acts at its middle and does not brake its rotation",
                                law->name),
         .advice = "give the clearance a journal_radius, or a law without friction"});
  }
}

}  // namespace backlash
