// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/check/lints.h"
#include "backlash/dynamics/assembly/assembly_errors.h"
#include "backlash/dynamics/assembly/provenance.h"
#include "backlash/dynamics/energy.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/moreau/moreau_options.h"

namespace backlash {
namespace {

/// What cannot be, at its place.
Finding error_finding(const InputError& error) {
  const std::string& path = error.where().path;
  return {.severity = Severity::error,
          .where = error.where(),
          .message = path.empty() ? error.message() : path + ": " + error.message()};
}

/// All overlaps are to be reported, not only the first: so assembly is not to refuse any.
Assembly assemble_with_overlaps(Model model, OpenLoops open_loops = OpenLoops::refuse) {
  model.simulation.initial_penetration = INFINITY;
  return assemble(model, open_loops);
}

/// Of a model that cannot be put together: how far one gets, if anywhere.
Assembly best_attempt(const Model& model) {
  try {
    return assemble_with_overlaps(model, OpenLoops::keep);
  } catch (const InputError&) {
    return {};
  }
}

void report_failed_step(const Model& model, const Trial& trial, const std::string& unstable_step,
                        Findings& findings) {
  if (trial.status == StepStatus::done) return;
  const std::string why(unstable_step.empty() ? name(trial.status) : "its numbers explode");
  findings.push_back(
      {.severity = Severity::warning,
       .item = "simulation",
       .where = model.simulation.where,
       .message = fmt::format("step {} of the run, from t = {:g} s, fails: {}", trial.steps + 1,
                              trial.t, why),
       .advice = "look at the other findings, or run it with --steps to see what comes before"});
}

bool has_compliance(const SystemInfo& info) {
  return std::ranges::any_of(
      info.contacts, [](const ContactInfo& contact) { return contact.compliant.has_value(); });
}

/// The same model with set-valued laws that return as much in the place of the compliant ones.
Model rigid_twin(Model model) {
  for (NamedLaw& named : model.laws)
    if (const auto* law = std::get_if<CompliantDescription>(&named.law))
      named.law = ContactLaw{.restitution = delivered_restitution(*law).value_or(0.5),
                             .friction = sliding_friction(law->friction)};
  return model;
}

/// As the model says, or with steps as long as its method's.
MoreauOptions trial_options(const SimulationOptions& simulation) {
  if (simulation.method == "moreau") return moreau_options(simulation.options);
  MoreauOptions options;
  if (const double step = equal_step(simulation); step > 0) options.step = step;
  return options;
}

/// The first steps by Moreau's method, with compliant contacts as rigid ones: how fast and where to
/// is much the same.
Trial first_steps(const Model& model, const Assembly& assembly, long steps) {
  const SimulationOptions& s = model.simulation;
  const auto try_moreau = [&](const Assembly& tried) {
    Moreau integrator(*tried.system, trial_options(s));
    return try_steps(integrator, tried.start, s.until, steps);
  };
  if (!has_compliance(assembly.system->info())) return try_moreau(assembly);
  const Model twin = rigid_twin(model);
  const Assembly rigid = assemble_with_overlaps(twin);
  Trial trial = try_moreau(rigid);
  for (State& state : trial.samples) state.z.resize(0);  // its layout is the twin's
  return trial;
}

/// Whether the first steps succeed by the method of the model itself, which may take its time: of
/// another than Moreau's they are few.
Trial own_steps(const Model& model, const Assembly& assembly, const Trial& by_moreau) {
  constexpr long few = 20;
  if (model.simulation.method == "moreau") return by_moreau;
  const std::unique_ptr<Integrator> integrator =
      make_integrator(*assembly.system, model.simulation);
  return try_steps(*integrator, assembly.start, model.simulation.until,
                   std::min(few, by_moreau.steps));
}

/// A method for one kind of law and a contact that has another.
void report_method(const Model& model, const SystemInfo& info, Findings& findings) {
  const std::string& method = model.simulation.method;
  const bool of_forces = method == "compliant";
  for (const ContactInfo& contact : info.contacts) {
    if (contact.compliant.has_value() == of_forces) continue;
    findings.push_back(
        {.severity = Severity::error,
         .item = fmt::format("contact '{}'", contact.name),
         .where = location_of(model, contact.origin),
         .message =
             of_forces
                 ? "its law is set-valued, and the method compliant is for forces"
                 : fmt::format("its law is compliant, and the method {} is for set-valued laws",
                               method),
         .advice = of_forces
                       ? "choose simulation.method: moreau (--method moreau), or a law with a "
                         "'model' (--law)"
                       : "choose simulation.method: compliant (--method compliant), or a law "
                         "without 'model'"});
    return;
  }
}

/// The contacts of a start, but for those that yield under the load that they carry at rest.
std::vector<ContactFrame> unloaded(std::span<const ContactFrame> contacts,
                                   const std::optional<StaticStart>& rest) {
  std::vector<ContactFrame> others;
  for (const ContactFrame& contact : contacts)
    if (!rest ||
        !std::ranges::binary_search(rest->equilibrium.loads, contact.key, {}, &ContactLoad::key))
      others.push_back(contact);
  return others;
}

void require_finite_energy(const System& system, const State& start) {
  if (std::isfinite(energy_ledger(system, start).mechanical())) return;
  throw InputError(
      "the energy at the start is not finite: speeds, masses or lengths are too large");
}

void check_motion(const Model& model, const CheckOptions& options, CheckReport& report) {
  const System& system = *report.assembly.system;
  const SystemInfo& info = system.info();
  require_finite_energy(system, report.assembly.start);
  system.find_contacts(configuration(system, report.assembly.start), info.reach, {},
                       report.contacts);
  report_dofs(model, report.assembly.report, report.findings);
  find_overlaps(model, system, unloaded(report.contacts, report.assembly.report.rest),
                report.findings);
  find_integrator(model.simulation.method).all_options(info, model.simulation.options);
  require_step_within(model.simulation, report.assembly.start.t);
  // Steps from a start that is refused say nothing about the mechanism, and may take a minute each.
  const bool refused = count(report, Severity::error) > 0;
  report_method(model, info, report.findings);
  if (refused) return;
  // Nor do those of bodies that lie outside of their bearings.
  if (std::ranges::any_of(report.contacts, [&](const ContactFrame& contact) {
        return exceeds_play(info.contacts[static_cast<std::size_t>(contact.key.pair)], contact.gap);
      }))
    return;
  report.trial = first_steps(model, report.assembly, options.trial_steps);
  const Stiffness stiffness = find_stiffness(model, report.assembly, report.trial, report.findings);
  report.fastest_rate = stiffness.fastest_rate;
  if (count(report, Severity::error) == 0)
    report_failed_step(model, own_steps(model, report.assembly, report.trial),
                       stiffness.unstable_step, report.findings);
  report.impacts = contact_impacts(model, report.assembly, report.trial);
  find_compliance(model, info, report.impacts, report.findings);
  find_tunnelling(model, system, report.trial, report.findings);
  find_painleve(model, system, report.trial, report.findings);
  validate_output(model.output, model.simulation.until);
}

}  // namespace

CheckReport check(const Model& model, const CheckOptions& options) {
  CheckReport report;
  try {
    require_not_negative(static_cast<double>(options.trial_steps), "check: trial steps", "-");
    validate(model);
    find_unused(model, report.findings);
    find_implausible_inertia(model, report.findings);
    find_slipped_units(model, report.findings);
    find_idle_rows(model, report.findings);
    find_absent_play(model, report.findings);
    find_idle_friction(model, report.findings);
    find_profiles(model, report.findings);
    find_cam_seams(model, report.findings);
    find_undercut_cams(model, report.findings);
    report.assembly = assemble_with_overlaps(model);
    check_motion(model, options, report);
  } catch (const ItemError& error) {
    report.findings.push_back(error_finding(located(model, error)));
  } catch (const InputError& error) {
    report.findings.push_back(error_finding(error));
  }
  if (!report.assembly.system) report.attempt = best_attempt(model);
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return report;
}

int count(const CheckReport& report, Severity severity) {
  return static_cast<int>(std::ranges::count(report.findings, severity, &Finding::severity));
}

}  // namespace backlash
