// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/assembly/provenance.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/run/contradiction_watch.h"
#include "backlash/run/energy_watch.h"
#include "backlash/run/explosion.h"
#include "backlash/run/pushing_drives.h"
#include "backlash/scene/build_scene.h"

namespace backlash {
namespace {

std::vector<RecordedPoint> points_of(const Model& model, const SystemInfo& info) {
  std::vector<RecordedPoint> points;
  for (const OutputPoint& point : model.output.points) {
    int body = -1;
    for (std::size_t i = 0; i < info.bodies.size(); ++i)
      if (info.bodies[i] == point.at.body) body = static_cast<int>(i);
    points.push_back({point.name, body, point.at.p_B});
  }
  return points;
}

std::vector<NamedValue> parameters_of(const Model& model) {
  std::vector<NamedValue> values;
  for (const Parameter& parameter : model.parameters)
    values.push_back({parameter.name, parameter.value});
  return values;
}

/// What compliant laws are asked for and deliver.
void append_laws(const Model& model, std::vector<NamedValue>& options) {
  for (const NamedLaw& named : model.laws) {
    const auto* law = std::get_if<CompliantDescription>(&named.law);
    const std::optional<double> delivered = law ? delivered_restitution(*law) : std::nullopt;
    if (!delivered) continue;
    options.push_back(
        {fmt::format("law.{}.restitution", named.name), law->restitution.value_or(1)});
    options.push_back({fmt::format("law.{}.delivered_restitution", named.name), *delivered});
  }
}

NamedValue named(const Option& option) {
  if (const double* number = std::get_if<double>(&option.value)) return {option.key, *number};
  if (const auto* whole = std::get_if<std::int64_t>(&option.value)) return {option.key, *whole};
  return {option.key, to_string(option.value)};
}

/// Time between rows [s], 0: each step. If nobody says it there are about 2000 of them, at the ends
/// of equal steps.
double time_between_rows(const RunSetup& setup, double equal_step) {
  constexpr double usual_rows = 2000;
  if (setup.output.every) return *setup.output.every;
  const double interval = (setup.simulation.until - setup.start.t) / usual_rows;
  if (equal_step == 0) return interval;
  const double steps = std::round(interval / equal_step);
  return steps > 1 ? steps * equal_step : 0;
}

RunDescription describe(const RunSetup& setup, const RunRequest& request, double equal_step) {
  const SimulationOptions& s = setup.simulation;
  std::vector<NamedValue> options = request.options;
  options.push_back({"method", s.method});
  const Options all = find_integrator(s.method).all_options(setup.system.info(), s.options);
  for (const Option& option : all) options.push_back(named(option));
  options.push_back({"until", s.until});
  options.push_back({"energy_error", s.energy_error});
  const double every = time_between_rows(setup, equal_step);
  options.push_back({"every", every});
  const double interval = every > 0 ? every : equal_step;
  const double rows = interval > 0 ? std::ceil((s.until - setup.start.t) / interval) + 2 : 0;
  return {.title = setup.title,
          .model = request.texts,
          .options = options,
          .parameters = setup.parameters,
          .scene = setup.scene,
          .plots = setup.output.plots,
          .expected_rows = rows,
          .provenance = request.provenance};
}

/// "0.064 %", "104 %", "1.2e+09 %"
std::string percent(double share) {
  const bool whole = share > 0.995 && share < 1e4;
  return whole ? fmt::format("{:.0f} %", 100 * share) : fmt::format("{:.2g} %", 100 * share);
}

/// A number of one digit, not above x.
double round_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return unit * std::floor(x / unit * (1 + 1e-12));
}

void name_contacts(const System& system, RunReport& report) {
  const HardestImpact& hardest = report.run.hardest;
  const DeepestContact& deepest = report.run.deepest;
  if (!std::isnan(hardest.t)) {
    report.hardest_at = system.contact_name(hardest.key);
    report.hardest_unit = system.info().contacts[static_cast<std::size_t>(hardest.key.pair)].unit;
  }
  if (!std::isnan(deepest.t)) report.deepest_at = system.contact_name(deepest.key);
  const GainingImpacts& gaining = report.run.gaining;
  if (!std::isnan(report.run.undetermined.t))
    report.undetermined_at = system.contact_name(report.run.undetermined.key);
  if (gaining.count > 0) report.gaining_at = system.contact_name(gaining.largest.key);
}

/// Rows beyond what anybody reads, from a slip in `every`.
void require_few_rows(const RunSetup& setup, double equal_step) {
  constexpr double most = 1e7;
  const double every = setup.output.every.value_or(0);
  const double rows = (setup.simulation.until - setup.start.t) / every;
  if (every == 0 || every >= equal_step || rows < most) return;
  throw InputError(
      fmt::format("output.every: {} s, shorter than a step of {} s, would write {:.2g} rows", every,
                  equal_step, rows));
}

/// Steps of Moreau's that follow the motion: where they are short is part of the results.
bool has_automatic_steps(const SimulationOptions& simulation) {
  const Option* step = find_option(simulation.options, "step");
  return simulation.method == "moreau" && step && to_string(step->value) == "auto";
}

/// "contact 'pin.1' was 35 % of its play too deep at t = …", and the step that would cure it.
void warn_of_depth(double step, RunReport& report) {
  constexpr double acceptable = 0.1;
  const DeepestContact& deepest = report.run.deepest;
  if (!(deepest.of_play > acceptable)) return;
  std::string text = fmt::format("contact '{}' was {} of its play too deep at t = {:.6g} s",
                                 report.deepest_at, percent(deepest.of_play), deepest.t);
  if (deepest.of_play > 1) {  // how the depth depends on the step is then not known
    text +=
        "; leave the clearance out: beside so little play steps are so long that the joint moves "
        "as an ideal one";
  } else if (step > 0) {
    text += fmt::format("; a step of {:.1g} s would keep it below {}",
                        round_down(0.5 * step * acceptable / deepest.of_play), percent(acceptable));
  } else {
    text += "; a smaller step_tolerance makes it less";
  }
  if (deepest.of_play > 1 && report.status == RunStatus::done) {
    report.status = RunStatus::failed;
    report.message = text;
  } else {
    report.run_warnings.push_back(text);
  }
}

/// What to change for a more accurate run.
std::string_view cure(const SimulationOptions& simulation) {
  const Option* integrator = find_option(simulation.options, "integrator");
  const bool rk4 = integrator && to_string(integrator->value) == "rk4";
  if (simulation.method == "compliant" && !rk4) return "a smaller relative_tolerance makes";
  return has_automatic_steps(simulation) ? "a smaller step_tolerance makes" : "shorter steps make";
}

/// Why a method has made or lost energy, and the cure.
std::string describe_cause(const SimulationOptions& simulation, const ActivationWatch& activations,
                           double made) {
  if (const std::string cause = activations.cause(); made > 0 && !cause.empty())
    return fmt::format(
        "{}: moving bodies out of each other takes energy, whatever the step; turn it on while "
        "they are apart",
        cause);
  return fmt::format("{} less of it", cure(simulation));
}

void warn_of_energy(const SimulationOptions& simulation, const ActivationWatch& activations,
                    RunReport& report) {
  constexpr double acceptable = 1e-3;
  const double share = report.made_by_method() / report.energy_at_hand;
  if (!(std::abs(share) > acceptable) || !std::isfinite(share)) return;
  report.run_warnings.push_back(
      fmt::format("the method itself {} {:.3g} J, {} of the energy at hand; {}",
                  share > 0 ? "made" : "lost", std::abs(report.made_by_method()),
                  percent(std::abs(share)), describe_cause(simulation, activations, share)));
}

/// Whether the work of forces is booked as one product per step, not as an integral along it.
bool books_work_by_step(const Integrator& integrator, const SimulationOptions& simulation) {
  return integrator.equal_step() > 0 || simulation.method != "compliant";
}

WorkWatch::Velocities velocities_of_forces(const SimulationOptions& simulation) {
  return simulation.method == "optimisation" ? WorkWatch::Velocities::of_the_end
                                             : WorkWatch::Velocities::of_each_end;
}

/// Forces by formulas and tables that change too much in a step (theory 4.32).
void judge_works(const WorkWatch& works, const SimulationOptions& simulation, RunReport& report) {
  constexpr double acceptable = 0.05, too_much = 0.25;
  const double share = works.unresolved() / report.energy_at_hand;
  if (!(share > acceptable)) return;
  const std::string text = fmt::format(
      "forces did {:.3g} J of work, {} of the energy at hand, in steps in which they change too "
      "much to say how much it is, the first at t = {:.6g} s: a formula or table is too stiff or "
      "too sudden for these steps; {} less of it, or a spring or contact in its place",
      works.unresolved(), percent(share), works.t_first(), cure(simulation));
  if (share > too_much && report.status == RunStatus::done) {
    report.status = RunStatus::failed;
    report.message = text;
  } else {
    report.run_warnings.push_back(text);
  }
}

/// Impacts whose law made energy, and the law that would not.
void warn_of_gain(const System& system, RunReport& report) {
  const GainingImpacts& gaining = report.run.gaining;
  if (gaining.count == 0) return;
  const ContactKey key = gaining.largest.key;
  const ImpactLaw law = system.info().contacts[static_cast<std::size_t>(key.pair)].law.impact;
  std::string text =
      fmt::format("{} made energy, the most, {:.3g} J, at t = {:.6g} s in {}",
                  gaining.count == 1 ? "1 impact" : fmt::format("{} impacts", gaining.count),
                  gaining.largest.energy, gaining.t, report.gaining_at);
  if (law == ImpactLaw::stronge)
    text += ": within the precision that Stronge's law is solved to";
  else
    text += fmt::format(
        ": {} law may do so where bodies slide or several contacts act together; impact: stronge "
        "does not{}",
        law == ImpactLaw::newton ? "Newton's" : "Poisson's",
        law == ImpactLaw::newton ? ", and impact: poisson does not in a single contact" : "");
  report.run_warnings.push_back(text);
}

/// Energy that contacts which are forces had at the start, where bodies overlap.
void warn_of_overlap_at_start(const RunSetup& setup, RunReport& report) {
  constexpr double acceptable = 1e-3;
  const double given = report.end.contacts - report.start.contacts;
  if (setup.simulation.method != "compliant" || !(given > acceptable * report.energy_at_hand))
    return;
  std::vector<ContactFrame> frames;
  setup.system.find_contacts(configuration(setup.system, setup.start), 0, {}, frames);
  const auto deepest = std::ranges::min_element(frames, {}, &ContactFrame::gap);
  if (deepest == frames.end()) return;
  report.run_warnings.push_back(fmt::format(
      "contacts did {:.3g} J of work on the mechanism, {} of the energy at hand: '{}' was {:.3g} m "
      "deep at the start, like a spring that is let go; begin without overlap, or with 'initial: "
      "equilibrium'",
      given, percent(given / report.energy_at_hand), setup.system.contact_name(deepest->key),
      -deepest->gap));
}

/// The warnings of assembly, but for those that the check of the model has reported.
std::vector<std::string> all_warnings(const RunSetup& setup, const RunRequest& request) {
  std::vector<std::string> all = request.warnings;
  for (const std::string& warning : setup.warnings)
    if (std::ranges::none_of(request.warnings, [&](const std::string& reported) {
          return reported.find(warning) != std::string::npos;
        }))
      all.push_back(warning);
  return all;
}

std::string describe_energy(const RunReport& report, const SimulationOptions& simulation,
                            const ActivationWatch& activations) {
  const double made = report.made_by_method();
  if (!std::isfinite(made))
    return fmt::format("at t = {:.6g} s the energy is no longer finite", report.t);
  return fmt::format(
      "at t = {:.6g} s the method itself has {} {:.3g} J, {} of the energy at hand; {}, "
      "and energy_error (now {}) lets the run go on",
      report.t, made > 0 ? "made" : "lost", std::abs(made),
      percent(std::abs(made) / report.energy_at_hand),
      describe_cause(simulation, activations, made), simulation.energy_error);
}

/// In the place of what a step that failed has met, or beside what the energies say.
void name_explosion(const FailedRun& run, const StepResult& last, RunReport& report) {
  const std::string cause = describe_explosion(run);
  if (cause.empty()) return;
  if (last.status != StepStatus::done && !report.source)
    report.message = fmt::format("the step from t = {} s of {} s failed, for numbers explode: {}",
                                 run.state.t, last.step, cause);
  else
    report.message += "; " + cause;
}

/// Of the first event that waits for a force and happens in a step with an impact.
void note_tripping_impact(const SystemInfo& info, const State& now, const StepResult& result,
                          TrippingImpact& first) {
  if (result.events.empty() || !std::isnan(first.t)) return;
  const auto hits = [&](const ContactOutcome& contact) {
    return is_of_impact(contact) &&
           !info.contacts[static_cast<std::size_t>(contact.key.pair)].compliant;
  };
  const auto impact = std::ranges::find_if(result.contacts, hits);
  if (impact == result.contacts.end()) return;
  for (const EventOutcome& event : result.events)
    if (std::isnan(first.t) && info.events[static_cast<std::size_t>(event.event)].measured)
      first = {.t = now.t, .step = result.step, .event = event.event, .key = impact->key};
}

/// That an event depends on the step (theory 4.39).
void warn_of_tripping_impact(const System& system, const TrippingImpact& first, RunReport& report) {
  if (std::isnan(first.t)) return;
  report.run_warnings.push_back(fmt::format(
      "event '{}' waits for a force and happened at t = {:.6g} s, in a step with an impact in "
      "'{}': "
      "an impact is an impulse without a force, counted here as that of a step of {:.2g} s, so "
      "that the event depends on the step; a compliant law gives impacts a force",
      system.info().events[static_cast<std::size_t>(first.event)].name, first.t,
      system.contact_name(first.key), first.step));
}

/// That the integrator was changed on the way.
void warn_of_stiffness(RunReport& report) {
  if (std::isnan(report.run.t_stiff)) return;
  report.run_warnings.push_back(fmt::format(
      "from t = {:.6g} s on the integrator was bdf instead of adams, which needed more than twice "
      "as many evaluations: contact that lasts is stiff; integrator: bdf has it from the start",
      report.run.t_stiff));
}

/// Reactions near singular positions, the first of which was at the time t.
void warn_of_singular_positions(double t, RunReport& report) {
  if (std::isnan(t)) return;
  report.run_warnings.push_back(fmt::format(
      "{} steps, the first at t = {:.6g} s, passed near singular positions of the loops: their "
      "reactions are uncertain there, whatever the step; the motion is not",
      report.run.singular_steps, t));
}

void warn_of_undefined_quantities(const RunObserver& observer, RunReport& report) {
  for (const UndefinedQuantity& quantity : observer.undefined_quantities())
    report.run_warnings.push_back(fmt::format(
        "quantity '{}' is not defined in {} row{}, the first at t = {:.6g} s, as a number divided "
        "by 0 is not: it has no value there",
        quantity.name, quantity.rows, quantity.rows == 1 ? "" : "s", quantity.t));
}

/// "; force 'push' (model.yaml:7:10) gives a number that is not finite".
std::string describe_source(const Model& model, const RunReport& report) {
  const Origin& source = *report.source;
  SourceLocation where = location_of(model, source);
  where.path.clear();
  const char* kind = source.kind == Origin::Kind::force   ? "force"
                     : source.kind == Origin::Kind::state ? "state"
                     : source.kind == Origin::Kind::event ? "event"
                                                          : "joint";
  const std::string place = where.file.empty() ? "" : fmt::format(" ({})", to_string(where));
  return fmt::format("; {} '{}'{} gives a number that is not finite", kind, source.item, place);
}

}  // namespace

RunOutcome run(const RunSetup& setup, const RunRequest& request, RunObserver& observer) {
  const double until = setup.simulation.until;
  const std::unique_ptr<Integrator> integrator = make_integrator(setup.system, setup.simulation);
  validate_run(*integrator, setup.start.t, until);
  require_step_within(setup.simulation, setup.start.t);
  validate_output(setup.output, until);
  require_few_rows(setup, integrator->equal_step());
  RunOutcome outcome{.report = {.warnings = all_warnings(setup, request),
                                .t_start = setup.start.t,
                                .start = energy_ledger(setup.system, setup.start)},
                     .description = describe(setup, request, integrator->equal_step()),
                     .end = {}};
  RunReport& report = outcome.report;
  RunProgress progress{
      .state = setup.start,
      .watch = EnergyWatch(setup.system, setup.start, setup.simulation.energy_error),
      .works = WorkWatch(setup.system, setup.start, velocities_of_forces(setup.simulation)),
      .overlaps = OverlapWatch(setup.system, setup.start),
      .reach = ReachWatch(setup.system.info(), setup.simulation, integrator->equal_step()),
      .activations =
          ActivationWatch(setup.system, setup.start, setup.simulation.initial_penetration)};
  if (!request.resume.empty()) restore(request.resume, setup.system.info(), progress);
  State& state = progress.state;
  const RecorderOptions recorded{.every = time_between_rows(setup, integrator->equal_step()),
                                 .steps = request.steps || has_automatic_steps(setup.simulation),
                                 .energy = true,
                                 .points = setup.points,
                                 .quantities = setup.output.quantities};
  observer.begin(
      {setup.system, setup.start, until, outcome.description, recorded, report.warnings, progress});
  EnergyWatch& watch = progress.watch;
  bool stopped = false, balanced = true, plausible = true, reachable = true, consistent = true;
  ContradictionWatch contradictions(setup.system);
  const bool may_contradict = setup.simulation.method == "compliant";
  const bool works_by_step = books_work_by_step(*integrator, setup.simulation);
  simulate_on(
      *integrator, state, until, progress.summary, [&](double) { return observer.due(); },
      [&](const State& now, const StepResult& result) {
        balanced = watch.accepts(now);
        progress.activations.look(now, result);
        if (works_by_step) progress.works.add(now, result.work_beside_mean, watch.at_hand());
        plausible = progress.overlaps.accepts(now, result);
        reachable = progress.reach.accepts(now, result);
        consistent = !may_contradict || contradictions.accepts(now);
        note_tripping_impact(setup.system.info(), now, result, progress.tripped);
        if (result.singular && std::isnan(progress.t_singular)) progress.t_singular = now.t;
        stopped = !observer.observe(now, result) || request.stop.stop_requested();
        return balanced && plausible && reachable && consistent && !stopped;
      });
  report.run = progress.summary;
  const bool failed = report.run.status != StepStatus::done;
  const StepResult& last = integrator->last_result();
  observer.end(state, last.status != StepStatus::done ? &last : nullptr);
  const std::optional<NotFiniteRow> not_finite = observer.not_finite();
  if (failed) {
    report.message = describe_failure(setup.system, state, last);
    report.source = last.source;
  } else if (not_finite) {
    report.message = not_finite->text;
    report.source = not_finite->source;
  }
  if (failed || not_finite)
    report.status = RunStatus::failed;
  else if (stopped && state.t < until)
    report.status = RunStatus::interrupted;
  report.t = state.t;
  report.loads = observer.loads();
  report.end = energy_ledger(setup.system, state);
  balanced = watch.accepts_now(state) && balanced;
  report.energy_at_hand = watch.at_hand();
  name_contacts(setup.system, report);
  warn_of_depth(integrator->equal_step(), report);
  for (const std::string& warning : progress.activations.warnings(setup.simulation.method))
    report.run_warnings.push_back(warning);
  warn_of_energy(setup.simulation, progress.activations, report);
  judge_works(progress.works, setup.simulation, report);
  warn_of_gain(setup.system, report);
  warn_of_overlap_at_start(setup, report);
  warn_of_tripping_impact(setup.system, progress.tripped, report);
  warn_of_stiffness(report);
  warn_of_singular_positions(progress.t_singular, report);
  warn_of_undefined_quantities(observer, report);
  if (!balanced && !failed) {
    report.status = RunStatus::failed;
    report.message = describe_energy(report, setup.simulation, progress.activations);
    constexpr double singular = 0.01;
    const std::string drives =
        describe_singular_drives(setup.system, configuration(setup.system, state), singular);
    if (!drives.empty()) report.message += "; " + drives;
  }
  if (!plausible && !failed) {
    report.status = RunStatus::failed;
    report.message = progress.overlaps.message();
  }
  if (!reachable && balanced && plausible && !failed) {
    report.status = RunStatus::failed;
    report.message = progress.reach.describe(setup.system, last, report.run);
  }
  if (!consistent && !failed) {
    report.status = RunStatus::failed;
    report.message = contradictions.message();
  }
  if (failed || not_finite || (!balanced && consistent))
    name_explosion({.setup = setup,
                    .watch = watch,
                    .state = state,
                    .step = std::max(last.step, integrator->equal_step()),
                    .made = report.made_by_method()},
                   last, report);
  outcome.end = state;
  return outcome;
}

RunOutcome run(const Model& model, const RunRequest& request, RunObserver& observer) {
  const Assembly assembly = assemble(model);
  RunRequest whole = request;
  const bool absolute = model.simulation.coordinates == Coordinates::absolute;
  whole.options.push_back({"coordinates", absolute ? "absolute" : "joint"});
  append_laws(model, whole.options);
  const RunSetup setup{.title = model.title,
                       .system = *assembly.system,
                       .start = assembly.start,
                       .simulation = model.simulation,
                       .output = model.output,
                       .points = points_of(model, assembly.system->info()),
                       .parameters = parameters_of(model),
                       .scene = build_scene(model, assembly.system->info()),
                       .warnings = assembly.report.warnings,
                       .model = &model};
  try {
    RunOutcome outcome = run(setup, whole, observer);
    if (outcome.report.source) outcome.report.message += describe_source(model, outcome.report);
    return outcome;
  } catch (const ItemError& error) {
    throw located(model, error);
  }
}

}  // namespace backlash
