// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "backlash/dynamics/assembly/assemble.h"

/// The equilibrium that a run begins in, for people and as JSON.
namespace backlash::cli {

/// "stable: it comes back after a small push", …
std::string describe_stability(const Assembly& assembly);

/// Of what a contact carries: N, or N m where its gap is an angle.
std::string_view unit_of_load(const Assembly& assembly, const ContactLoad& load);

/// "K1 106.5 N, K8 799.4 N"; "none".
std::string describe_loads(const Assembly& assembly);

/// Iterations, coordinates that moved, and what contacts carry.
nlohmann::ordered_json rest_json(const Assembly& assembly);

}  // namespace backlash::cli
