// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/dynamics/assembly/provenance.h"
#include "backlash/integrators/integrator_table.h"

namespace backlash {
namespace {

constexpr double noticeable = 5e-4;     ///< difference of restitutions that is reported
constexpr double considerable = 0.02;   ///< difference of restitutions that spoils results
constexpr double much_of_room = 0.1;    ///< depth over the play or the thickness
constexpr double steps_of_impact = 20;  ///< that resolve a contact

void add(const NamedLaw& law, Severity severity, std::string message, std::string advice,
         Findings& findings) {
  findings.push_back({.severity = severity,
                      .item = fmt::format("law '{}'", law.name),
                      .where = law.where,
                      .message = std::move(message),
                      .advice = std::move(advice)});
}

/// Asked for and delivered, where they differ.
void compare_restitution(const NamedLaw& named, const CompliantDescription& law,
                         Findings& findings) {
  const std::optional<double> delivered = delivered_restitution(law);
  if (!delivered || !law.restitution) return;
  const double difference = std::abs(*delivered - *law.restitution);
  if (difference < noticeable) return;
  add(named, difference > considerable ? Severity::warning : Severity::note,
      fmt::format("{} is asked for a restitution of {:g} and delivers {:.6g}", law.model,
                  *law.restitution, *delivered),
      "choose the model calibrated, which delivers what it is asked for", findings);
}

void check_unit(const NamedLaw& named, const CompliantDescription& law, Findings& findings) {
  if (!law.stiffness || law.stiffness_has_unit || law.exponent == 1) return;
  add(named, Severity::warning,
      fmt::format(
          "the stiffness {:g} has no unit and is taken as N/m^{:g}; in N/mm^{:g} it would be "
          "{:.3g} times as much",
          *law.stiffness, law.exponent, law.exponent, std::pow(1000.0, law.exponent)),
      fmt::format("write the unit: {:g} N/m^{:g}", *law.stiffness, law.exponent), findings);
}

/// What a contact does in an impact, beside what there is travel and time for.
struct ImpactLint {
  const Model& model;
  const ContactInfo& info;
  const ContactImpact& found;
  Findings& findings;

  void add(Severity severity, std::string message, std::string advice) const {
    findings.push_back({.severity = severity,
                        .item = fmt::format("contact '{}'", info.name),
                        .where = location_of(model, info.origin),
                        .message = std::move(message),
                        .advice = std::move(advice)});
  }

  std::string meeting() const {
    return fmt::format("{:.4g} {} at {:.4g} {}/s", found.mass,
                       info.unit == GapUnit::radian ? "kg m²" : "kg", found.speed, name(info.unit));
  }

  void check_end() const {
    if (found.impact.complete) return;
    add(Severity::warning,
        fmt::format("the force of law '{}' does not part what meets there, {}", found.law,
                    meeting()),
        "look at the formula: its force must be positive for delta > 0 and ddelta < 0, too");
  }

  void check_depth() const {
    const AvailableTravel travel = available_travel(model, info.origin);
    const double depth = found.impact.peak_depth;
    if (!found.approached || !found.impact.complete || !(depth > much_of_room * travel.size))
      return;
    add(Severity::warning,
        fmt::format("an impact of {} goes {:.3g} {} deep; {} is {:.4g} {}", meeting(), depth,
                    name(info.unit), travel.what, travel.size, name(info.unit)),
        fmt::format("look at the stiffness of law '{}' and at its unit", found.law));
  }

  void check_step() const {
    const double duration = found.impact.compression_time + found.impact.restitution_time;
    const double step = equal_step(model.simulation);
    const bool fixed = step > 0 && model.simulation.method == "compliant";  // others refuse it
    if (!fixed || !found.approached || !found.impact.complete) return;
    if (!(step * steps_of_impact > duration)) return;
    add(step > duration / 2 ? Severity::warning : Severity::note,
        fmt::format("an impact of {} lasts {:.3g} s; the step is {:g} s", meeting(), duration,
                    step),
        fmt::format(
            "choose simulation.step of at most {:.2g} s, or integrator: adams, which chooses its "
            "steps",
            duration / steps_of_impact));
  }

  void check_angle() const {
    if (info.unit != GapUnit::radian) return;
    add(Severity::note,
        fmt::format(
            "law '{}' acts on an angle here: its N/m are taken as N m/rad, as on a lever of "
            "1 m",
            found.law),
        "give the stop a law of its own, with K r^(n+1) for a lever of r metres");
  }
};

}  // namespace

void find_compliance(const Model& model, const SystemInfo& info,
                     const std::vector<ContactImpact>& impacts, Findings& findings) {
  for (const NamedLaw& named : model.laws)
    if (const auto* law = std::get_if<CompliantDescription>(&named.law)) {
      compare_restitution(named, *law, findings);
      check_unit(named, *law, findings);
    }
  for (const ContactImpact& found : impacts) {
    const ImpactLint lint{model, info.contacts[static_cast<std::size_t>(found.contact.pair)], found,
                          findings};
    lint.check_end();
    lint.check_depth();
    lint.check_step();
    lint.check_angle();
  }
}

}  // namespace backlash
