// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/check/trial.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/laws/free_impact.h"
#include "backlash/model/model.h"

namespace backlash {

/// What an impact on a compliant contact would be like, were there no other forces.
struct ContactImpact {
  ContactKey contact{};
  std::string law{};       ///< its name
  double mass = 0;         ///< felt where it was closest: 1/(wᵀM̄⁻¹w) (theory 8.1) [kg]
  double speed = 0;        ///< fastest approach of the first steps; 1 where there is none [m/s]
  bool approached = true;  ///< whether there was one
  FreeImpact impact{};
};

/// Of all compliant contacts that can move.
std::vector<ContactImpact> contact_impacts(const Model& model, const Assembly& assembly,
                                           const Trial& trial);

/// The name of the law that the contact of that name has; empty if no item of the model has it.
std::string law_of_contact(const Model& model, const std::string& contact);

}  // namespace backlash
