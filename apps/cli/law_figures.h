// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "backlash/check/check.h"

/// What `check` says of the laws.
namespace backlash::cli {

/// "lankarani-nikravesh, restitution 0.9 asked for, 0.913177 delivered, without friction".
std::string describe_law(const NamedLaw& law, const CheckReport& report);

nlohmann::ordered_json laws_json(const Model& model);
nlohmann::ordered_json impacts_json(const CheckReport& report);

}  // namespace backlash::cli
