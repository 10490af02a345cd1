// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <fmt/format.h>

#include "backlash/check/lints.h"

namespace backlash {
namespace {

std::set<std::string> laws_in_use(const Model& model) {
  std::set<std::string> used;
  for (const ContactPair& pair : model.contacts) used.insert(pair.law);
  for (const Joint& joint : model.joints) {
    if (joint.limits) used.insert(joint.limits->law);
    if (joint.clearance)
      std::visit([&](const auto& clearance) { used.insert(clearance.law); }, *joint.clearance);
  }
  return used;
}

}  // namespace

void find_unused(const Model& model, Findings& findings) {
  for (const Parameter& parameter : model.parameters)
    if (!parameter.used)
      findings.push_back({.severity = Severity::warning,
                          .item = fmt::format("parameter '{}'", parameter.name),
                          .where = parameter.where,
                          .message = "nothing uses it, so changing it changes nothing",
                          .advice = "delete it, or use it where its value is written as a number"});
  const std::set<std::string> used = laws_in_use(model);
  for (const NamedLaw& law : model.laws)
    if (!used.contains(law.name))
      findings.push_back({.severity = Severity::note,
                          .item = fmt::format("law '{}'", law.name),
                          .where = law.where,
                          .message = "no contact, clearance or limit uses it",
                          .advice = "delete it, or name it where it belongs"});
}

}  // namespace backlash
