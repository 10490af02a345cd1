// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "backlash/check/check.h"

/// What `check` and `run` say of the laws.
namespace backlash::cli {

/// Where laws are at work: Hertz' stiffnesses, and what is delivered that was not asked for, follow
/// from what touches.
struct LawUses {
  const Model& model;
  const CheckReport& report;
};

/// "lankarani-nikravesh, K = 1e+10 N/m^1.5, n = 1.5, restitution 0.9 asked for, 0.913177 delivered,
/// without friction". Of laws that are asked for none, what they deliver in the impacts that were
/// looked at.
std::string describe_law(const NamedLaw& law, const LawUses* uses = nullptr);

nlohmann::ordered_json laws_json(const LawUses& uses);
nlohmann::ordered_json impacts_json(const CheckReport& report);

}  // namespace backlash::cli
