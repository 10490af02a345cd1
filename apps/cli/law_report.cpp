// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "law_report.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "backlash/dynamics/assembly/provenance.h"

namespace backlash::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string friction_phrase(double friction) {
  return friction > 0 ? fmt::format("friction {:.4g}", friction) : std::string("without friction");
}

std::string_view impact_phrase(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::newton:
      return "";
    case ImpactLaw::poisson:
      return " (Poisson's law)";
    case ImpactLaw::stronge:
      return " (Stronge's law)";
  }
  return "";
}

std::string describe(const ContactLaw& law) {
  return fmt::format("set-valued, restitution {:g}{}, {}{}", law.restitution,
                     impact_phrase(law.impact), friction_phrase(law.friction),
                     has_static_friction(law)
                         ? fmt::format(" that slides, {:.4g} that sticks", law.static_friction)
                         : "");
}

/// K δⁿ of a law: the least and the largest K of its contacts.
struct Stiffness {
  double least = INFINITY, largest = 0;  ///< [N/m^exponent]
  double exponent = 1;
  bool of_materials = false;

  void add(const NormalForce& force) {
    std::visit(
        [&](const auto& f) {
          if constexpr (requires { f.stiffness; }) {
            least = std::min(least, f.stiffness);
            largest = std::max(largest, f.stiffness);
          }
          if constexpr (requires { f.exponent; }) exponent = f.exponent;
        },
        force);
  }
  bool known() const { return largest > 0; }
};

Stiffness stiffness_of(const NamedLaw& named, const LawUses* uses) {
  const auto& law = std::get<CompliantDescription>(named.law);
  Stiffness result{.of_materials = law.material.has_value()};
  if (law.stiffness) {
    const bool linear = law.model == kelvin_voigt_model || law.model == anagnostopoulos_model;
    result.add(HystereticForce{*law.stiffness, linear ? 1 : law.exponent});
  } else if (uses && uses->report.assembly.system) {
    for (const ContactInfo& contact : uses->report.assembly.system->info().contacts)
      if (contact.compliant && law_of(uses->model, contact.origin) == named.name)
        result.add(contact.compliant->normal);
  }
  return result;
}

std::string describe(const Stiffness& found) {
  if (!found.known()) return found.of_materials ? "K by Hertz from its materials, " : "";
  const double n = found.exponent;
  const std::string unit = n == 1 ? "N/m" : fmt::format("N/m^{:g}", n);
  const std::string range = found.largest > found.least
                                ? fmt::format("{:.4g} … {:.4g}", found.least, found.largest)
                                : fmt::format("{:.4g}", found.least);
  return fmt::format("K = {} {}{}, n = {:g}, ", range, unit, found.of_materials ? " by Hertz" : "",
                     n);
}

/// What is delivered for what is asked for; of laws that are asked for nothing, in an impact.
std::string describe_restitution(const CompliantDescription& law, const std::string& name,
                                 std::span<const ContactImpact> impacts) {
  if (const std::optional<double> delivered = delivered_restitution(law))
    return fmt::format("restitution {:g} asked for, {:.6g} delivered", law.restitution.value_or(1),
                       *delivered);
  const auto impact = std::ranges::find(impacts, name, &ContactImpact::law);
  if (impact == impacts.end()) return "restitution by speed and mass";
  if (!impact->impact.complete) return "no restitution: what meets does not part";
  return fmt::format("restitution {:.4g} delivered for {:.4g} {} at {:.4g} {}/s",
                     impact->impact.restitution, impact->mass,
                     impact->unit == GapUnit::radian ? "kg m²" : "kg", impact->speed,
                     backlash::name(impact->unit));
}

}  // namespace

std::string describe_law(const NamedLaw& named, const LawUses* uses) {
  if (const auto* law = std::get_if<ContactLaw>(&named.law)) return describe(*law);
  const auto& law = std::get<CompliantDescription>(named.law);
  const auto impacts = uses ? std::span(uses->report.impacts) : std::span<const ContactImpact>();
  return fmt::format("{}, {}{}, {}", law.model, describe(stiffness_of(named, uses)),
                     describe_restitution(law, named.name, impacts),
                     friction_phrase(sliding_friction(law.friction)));
}

Json laws_json(const LawUses& uses) {
  Json json = Json::array();
  for (const NamedLaw& named : uses.model.laws) {
    Json entry{{"name", named.name}};
    if (const auto* law = std::get_if<ContactLaw>(&named.law)) {
      entry["model"] = "set-valued";
      entry["restitution"] = law->restitution;
      entry["friction"] = law->friction;
      if (has_static_friction(*law)) entry["static_friction"] = law->static_friction;
    } else {
      const auto& compliant = std::get<CompliantDescription>(named.law);
      const std::optional<double> delivered = delivered_restitution(compliant);
      entry["model"] = compliant.model;
      const Stiffness stiffness = stiffness_of(named, &uses);
      if (stiffness.known()) {
        entry["stiffness"] = {stiffness.least, stiffness.largest};
        entry["exponent"] = stiffness.exponent;
      }
      if (compliant.restitution) entry["restitution"] = *compliant.restitution;
      if (delivered) entry["delivered_restitution"] = *delivered;
      entry["friction"] = sliding_friction(compliant.friction);
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json impacts_json(const CheckReport& report) {
  Json json = Json::array();
  const System& system = *report.assembly.system;
  for (const ContactImpact& found : report.impacts)
    json.push_back({{"contact", system.contact_name(found.contact)},
                    {"law", found.law},
                    {"unit", backlash::name(found.unit)},
                    {"mass", found.mass},
                    {"speed", found.speed},
                    {"parts_again", found.impact.complete},
                    {"restitution", found.impact.restitution},
                    {"duration", found.impact.compression_time + found.impact.restitution_time},
                    {"peak_force", found.impact.peak_force},
                    {"peak_depth", found.impact.peak_depth}});
  return json;
}

}  // namespace backlash::cli
