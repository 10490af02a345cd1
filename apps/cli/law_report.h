// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "backlash/check/check.h"

/// What `check` and `run` say of the laws.
namespace backlash::cli {

/// "lankarani-nikravesh, restitution 0.9 asked for, 0.913177 delivered, without friction". Of laws
/// that are asked for none, what they deliver in the impacts that were looked at.
std::string describe_law(const NamedLaw& law, std::span<const ContactImpact> impacts = {});

nlohmann::ordered_json laws_json(const Model& model);
nlohmann::ordered_json impacts_json(const CheckReport& report);

}  // namespace backlash::cli
