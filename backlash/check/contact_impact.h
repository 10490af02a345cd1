// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/check/mobility.h"
#include "backlash/check/trial.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/laws/free_impact.h"
#include "backlash/model/model.h"

namespace backlash {

/// What an impact on a compliant contact would be like, were there no other forces.
struct ContactImpact {
  ContactKey contact{};
  std::string law{};              ///< its name
  GapUnit unit = GapUnit::metre;  ///< of an angle, [kg] and [m/s] are [kg m²] and [rad/s]
  double mass = 0;   ///< felt where it met, or closed fastest: 1/(wᵀM̄⁻¹w) (theory 8.1) [kg]
  double speed = 0;  ///< fastest approach of the first steps; 1 where there is none [m/s]
  bool approached = true;  ///< whether there was one
  FreeImpact impact{};
};

/// 1/(wᵀM̄⁻¹w) of the contact's normal; 0 if nothing gives way to it: not without the joints, nor
/// beside what gives way along the surfaces.
double felt_mass(const System& system, const Configuration& c, const Mobility& mobility,
                 const ContactFrame& contact);

/// Of all compliant contacts that can move.
std::vector<ContactImpact> contact_impacts(const Model& model, const Assembly& assembly,
                                           const Trial& trial);

}  // namespace backlash
