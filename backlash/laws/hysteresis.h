// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "backlash/laws/normal_force.h"

namespace backlash {

/// A published rule for the hysteresis a of F = K δⁿ (1 + a δ̇/δ̇⁻) from the restitution e that is
/// asked for. What is delivered is another matter: delivered_restitution().
struct HysteresisRule {
  std::string_view name;           ///< as in a model file
  double (*hysteresis)(double e);  ///< a(e)
  double lowest;                   ///< restitution from here …
  bool lowest_included;            ///< … on, this one included or not, up to 1
  std::string_view source;         ///< where it is from
};

/// The restitution e that F = K δⁿ (1 + a δ̇/δ̇⁻) delivers in a free impact, whatever K, n, the
/// masses and the speed: the root of a (1 + e) = ln((1 + a)/(1 − a e)) (theory 9.6).
double delivered_restitution(double hysteresis);

/// The inverse: the hysteresis a that delivers e in (0, 1] (theory 9.6).
double calibrated_hysteresis(double restitution);

namespace hysteresis {
constexpr double hertz(double) { return 0; }
constexpr double hunt_crossley(double e) { return 3 * (1 - e) / 2; }
constexpr double herbert_mcwhannell(double e) {
  return 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3);
}
constexpr double lee_wang(double e) { return 3 * (1 - e) / 4; }
constexpr double lankarani_nikravesh(double e) { return 3 * (1 - e * e) / 4; }
constexpr double gonthier(double e) { return (1 - e * e) / e; }
inline double zhiying_qishao(double e) { return 3 * (1 - e * e) / 4 * std::exp(2 * (1 - e)); }
constexpr double flores(double e) { return 8 * (1 - e) / (5 * e); }
constexpr double hu_guo(double e) { return 3 * (1 - e) / (2 * e); }
}  // namespace hysteresis

/// All rules (theory 9.5). A new one is a function above and a row here.
inline constexpr std::array<HysteresisRule, 10> hysteresis_rules = {{
    {"hertz", hysteresis::hertz, 1, true, "Hertz 1881"},
    {"hunt-crossley", hysteresis::hunt_crossley, 0, true, "Hunt and Crossley 1975"},
    {"herbert-mcwhannell", hysteresis::herbert_mcwhannell, 0, true, "Herbert and McWhannell 1977"},
    {"lee-wang", hysteresis::lee_wang, 0, true, "Lee and Wang 1983"},
    {"lankarani-nikravesh", hysteresis::lankarani_nikravesh, 0, true,
     "Lankarani and Nikravesh 1990"},
    {"gonthier", hysteresis::gonthier, 0, false, "Gonthier et al. 2004, their approximation"},
    {"zhiying-qishao", hysteresis::zhiying_qishao, 0, true, "Zhiying and Qishao 2006"},
    {"flores", hysteresis::flores, 0, false, "Flores et al. 2011"},
    {"hu-guo", hysteresis::hu_guo, 0, false, "Hu and Guo 2015"},
    {"calibrated", calibrated_hysteresis, 0, false, "exact: Gonthier et al. 2004, their equation"},
}};

/// The rule of that name, or null.
const HysteresisRule* find_hysteresis_rule(std::string_view name);

/// a(e) of the rule. Throws InputError where the rule has no value; `item` names the contact.
double hysteresis_of(const HysteresisRule& rule, double restitution, std::string_view item);

/// Anagnostopoulos' damping of a spring and damper (theory 9.12), which delivers e in (0, 1] if the
/// contact may pull, and more where it may not. `mass` is the reduced mass of the bodies [kg].
KelvinVoigt anagnostopoulos(double restitution, double stiffness, double mass);

}  // namespace backlash
