// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/laws/compliant_law.h"
#include "backlash/laws/material.h"

namespace backlash {

/// What a user says of a contact that is a force (theory 9). The numbers of each contact follow
/// from it and from what touches there: resolve().
struct CompliantDescription {
  std::string model{};                                ///< one of compliant_models()
  std::optional<double> restitution{};                ///< e that is asked for
  std::optional<double> stiffness{};                  ///< K [N/m^exponent]
  bool stiffness_has_unit = true;                     ///< false: a bare number, taken as SI
  std::optional<std::array<Material, 2>> material{};  ///< K is Hertz' stiffness of these two
  double exponent = 1.5;
  std::optional<double> damping{};  ///< c of kelvin-voigt and impact [N s/m]
  double depth = 0;                 ///< d of impact [m]
  Expression force{};               ///< of the model expression; see ForceFormula [N]
  std::optional<double> mass{};     ///< reduced mass for Anagnostopoulos' damping [kg]
  FrictionForce friction{};
  double slowest_entry = 1e-4;  ///< least δ̇⁻ [m/s]
};

/// The names that `model` may have: those of hysteresis_rules, then those below.
std::vector<std::string_view> compliant_models();
inline constexpr std::string_view kelvin_voigt_model = "kelvin-voigt",
                                  anagnostopoulos_model = "anagnostopoulos",
                                  impact_model = "impact", formula_model = "expression";

/// Friction μ > 0 as a regularised force: ADAMS' cubic step up to this speed [m/s], and Coulomb's
/// μ N beyond; if it is larger while it sticks, up to that, which falls to μ N at twice the speed
/// (theory 9.19).
FrictionForce regularised_friction(double friction, double speed, double static_friction = 0);
inline constexpr double default_friction_speed = 1e-3;  ///< [m/s]

/// What touches at one contact.
struct ContactSetting {
  std::optional<double> radius_A{}, radius_B{};  ///< as hertz_stiffness() has them; absent: varies
  double mass = 0;                               ///< reduced mass of the bodies [kg]; 0: unknown
  std::string_view
      rounding{};  ///< the key by which a user rounds what is a corner, if there is one
};

/// The law of one contact. Throws InputError where the stiffness would need radii, or the damping a
/// mass, that the contact does not have; `item` names the contact.
CompliantLaw resolve(const CompliantDescription& law, const ContactSetting& setting,
                     std::string_view item);

/// What of the setting the law's numbers follow from.
bool depends_on_radii(const CompliantDescription& law);
bool depends_on_mass(const CompliantDescription& law);

/// What is delivered for the restitution that is asked for, where both exist and no contact needs
/// to be known for it.
std::optional<double> delivered_restitution(const CompliantDescription& law);

/// Throw InputError unless model and numbers make sense; `item` names the law in the message.
void validate(const CompliantDescription& law, std::string_view item);

}  // namespace backlash
