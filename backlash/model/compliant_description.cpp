// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/compliant_description.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/laws/contact_law.h"
#include "backlash/laws/free_impact.h"
#include "backlash/laws/hysteresis.h"

namespace backlash {
namespace {

[[noreturn]] void refuse(std::string_view item, const std::string& what) {
  throw InputError(fmt::format("{}: {}", item, what));
}

bool is_spring_and_damper(const CompliantDescription& law) {
  return law.model == kelvin_voigt_model || law.model == anagnostopoulos_model;
}

double restitution_of(const CompliantDescription& law, std::string_view item) {
  if (!law.restitution) refuse(item, fmt::format("the law {} needs a restitution", law.model));
  return *law.restitution;
}

double stiffness_of(const CompliantDescription& law, const ContactSetting& setting,
                    std::string_view item) {
  if (law.stiffness) return *law.stiffness;
  if (!law.material) refuse(item, fmt::format("the law {} needs a stiffness", law.model));
  if (!setting.radius_A || !setting.radius_B)
    refuse(item,
           "what touches has no constant radius, so that Hertz' stiffness does not follow from the "
           "material; give the law a stiffness");
  if ((*setting.radius_A == 0 || *setting.radius_B == 0) && !setting.rounding.empty())
    refuse(item, fmt::format("Hertz' stiffness needs {}; give it, or give the law a stiffness",
                             setting.rounding));
  return hertz_stiffness((*law.material)[0], (*law.material)[1], *setting.radius_A,
                         *setting.radius_B, item);
}

double damping_of(const CompliantDescription& law, double stiffness, const ContactSetting& setting,
                  std::string_view item) {
  if (law.damping) return *law.damping;
  const double e = restitution_of(law, item);
  if (!(e > 0 && e <= 1))
    refuse(item,
           fmt::format("restitution must lie in (0, 1] - with the law {}, is {}", law.model, e));
  const double mass = law.mass.value_or(setting.mass);
  if (!(mass > 0))
    refuse(item, fmt::format("the law {} makes its damping from the restitution and the mass that "
                             "collides, which does not follow from the bodies here; give 'mass'",
                             law.model));
  require_positive(stiffness, fmt::format("{}: stiffness", item), "N/m");
  require_positive(mass, fmt::format("{}: mass", item), "kg");
  return anagnostopoulos(e, stiffness, mass).damping;
}

NormalForce normal_force_of(const CompliantDescription& law, const ContactSetting& setting,
                            std::string_view item) {
  if (law.model == formula_model) return ForceFormula{law.force};
  const double K = stiffness_of(law, setting, item);
  if (is_spring_and_damper(law)) return KelvinVoigt{K, damping_of(law, K, setting, item)};
  if (law.model == impact_model)
    return AdamsImpact{K, law.exponent, law.damping.value_or(0), law.depth};
  const HysteresisRule* rule = find_hysteresis_rule(law.model);
  if (rule == nullptr) {
    const std::vector<std::string_view> models = compliant_models();
    const std::vector<std::string> known(models.begin(), models.end());
    refuse(item, fmt::format("there is no compliant law '{}'{}", law.model,
                             did_you_mean(law.model, known)));
  }
  const double e = rule->lowest == 1 ? law.restitution.value_or(1) : restitution_of(law, item);
  return HystereticForce{K, law.exponent, hysteresis_of(*rule, e, item)};
}

}  // namespace

std::vector<std::string_view> compliant_models() {
  std::vector<std::string_view> names;
  for (const HysteresisRule& rule : hysteresis_rules) names.push_back(rule.name);
  names.insert(names.end(),
               {kelvin_voigt_model, anagnostopoulos_model, impact_model, formula_model});
  return names;
}

FrictionForce regularised_friction(double friction, double speed, double static_friction) {
  require_not_negative(friction, "friction", "-");
  require_static_friction(static_friction, friction, "friction");
  if (friction == 0 && static_friction == 0) return Frictionless{};
  require_positive(speed, "speed of the friction", "m/s");
  return AdamsStep{std::max(static_friction, friction), friction, speed, 2 * speed};
}

CompliantLaw resolve(const CompliantDescription& law, const ContactSetting& setting,
                     std::string_view item) {
  return {normal_force_of(law, setting, item), law.friction, law.slowest_entry};
}

bool depends_on_radii(const CompliantDescription& law) {
  return !law.stiffness && law.model != formula_model;
}

bool depends_on_mass(const CompliantDescription& law) {
  return is_spring_and_damper(law) && !law.damping && !law.mass;
}

std::optional<double> delivered_restitution(const CompliantDescription& law) {
  if (is_spring_and_damper(law)) {
    if (law.damping || !law.restitution) return std::nullopt;
    return free_impact(anagnostopoulos(*law.restitution, 1, 1), 1, 1).restitution;
  }
  const HysteresisRule* rule = find_hysteresis_rule(law.model);
  if (rule == nullptr) return std::nullopt;
  return delivered_restitution(
      hysteresis_of(*rule, law.restitution.value_or(1), fmt::format("law {}", law.model)));
}

void validate(const CompliantDescription& law, std::string_view item) {
  if (law.damping) require_not_negative(*law.damping, fmt::format("{}: damping", item), "N s/m");
  if (law.stiffness && law.material) refuse(item, "give a stiffness or a material, not both");
  if (law.material) {
    for (const Material& material : *law.material)
      validate(material, fmt::format("{}: material", item));
    if (law.exponent != 1.5)
      refuse(item, fmt::format("exponent must be 1.5 with a material, whose stiffness is Hertz', "
                               "is {}",
                               law.exponent));
  }
  if (law.mass) require_positive(*law.mass, fmt::format("{}: mass", item), "kg");
  // A ball on a plane has all that any law asks for.
  validate(resolve(law, {1.0, flat, 1.0}, item), item);
}

}  // namespace backlash
