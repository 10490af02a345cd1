// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "runner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/moreau/moreau_options.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/results/results_folder.h"
#include "interrupt.h"
#include "progress.h"

namespace backlash::cli {
namespace {

/// Results are written at least this often, for those who look at them while the run goes on, and
/// for those whose run is killed.
constexpr double longest_wait = 2;  ///< [s] of wall time

/// Adds the options of a method to what is remembered of a run.
struct AddOptions {
  std::vector<NamedValue>& options;
  const Job& job;

  void add(const char* item, auto value) const { options.push_back({item, value}); }

  void operator()(const MoreauOptions& m) const {
    add("method", std::string("moreau"));
    add("scheme", std::string(name(m.scheme)));
    add("force_velocity", std::string(name(m.force_velocity)));
    add("solver", std::string(m.solver));
    add("step", job.step);
    add("until", job.until);
    add("every", job.recorded.every);
    add("theta", m.theta);
    add("tolerance", m.solver_options.tolerance);
    add("max_iterations", std::int64_t{m.solver_options.max_iterations});
    if (std::isfinite(m.penetration_limit)) add("penetration_limit", m.penetration_limit);
  }

  void operator()(const CompliantOptions& m) const {
    add("method", std::string("compliant"));
    add("integrator", std::string(name(m.integrator)));
    add("onset", std::string(name(m.onset)));
    if (m.integrator == OdeMethod::rk4) add("step", m.step);
    add("until", job.until);
    add("every", job.recorded.every);
    add("relative_tolerance", m.relative_tolerance);
    add("position_tolerance", m.position_tolerance);
    add("angle_tolerance", m.angle_tolerance);
    add("speed_tolerance", m.speed_tolerance);
    add("angular_speed_tolerance", m.angular_speed_tolerance);
    if (std::isfinite(m.max_step)) add("max_step", m.max_step);
    if (m.onset == Onset::procedure_2) add("max_onset_penetration", m.max_onset_penetration);
    add("alpha", m.stabilisation.alpha);
    add("beta", m.stabilisation.beta);
  }
};

RunDescription describe(const Job& job) {
  std::vector<NamedValue> options = job.options;
  std::visit(AddOptions{options, job}, job.method);
  const double interval = std::max(job.recorded.every, job.step);
  return {.title = job.title,
          .model = job.model,
          .options = options,
          .parameters = job.parameters,
          .expected_rows = std::ceil((job.until - job.state.t) / interval) + 2};
}

/// The contacts that were closed in the middle of a step that failed.
std::string closed_contacts(const System& system, const State& state, const StepResult& result) {
  Vector q = state.q;
  system.advance(state.q, state.u, 0.5 * result.step, q);
  std::vector<ContactFrame> closed;
  system.find_contacts(configuration(system, result.t_start + 0.5 * result.step, q), 0,
                       state.contacts, closed);
  std::string names;
  for (const ContactFrame& contact : closed)
    names += (names.empty() ? "" : ", ") + system.contact_name(contact.key);
  return names.empty() ? "none" : names;
}

std::string name_of_velocity(const SystemInfo& info, int i) {
  return info.velocity_names.empty() ? fmt::format("u{}", i + 1)
                                     : info.velocity_names[static_cast<std::size_t>(i)];
}

std::string describe_trouble(const StepResult& result, const System& system, const State& state) {
  std::string text = fmt::format("the step from t = {} s of {} s failed: {}", state.t, result.step,
                                 name(result.status));
  if (result.status == StepStatus::contact_not_solved)
    text +=
        fmt::format(" (closed: {}; residual {:.3g} m/s, relative {:.3g}; {} after {} iterations)",
                    closed_contacts(system, state, result), result.residual,
                    result.relative_residual, name(result.solver_status), result.iterations);
  if (result.element >= 0)
    text += fmt::format(" ({})", name_of_velocity(system.info(), result.element));
  if (result.contact) {
    const std::string contact = system.contact_name(*result.contact);
    text += result.status == StepStatus::tolerance_not_met
                ? fmt::format(" (contact in question: {})", contact)
                : fmt::format(" (gap of {})", contact);
  }
  return text;
}

/// A run that goes on: what it has recorded, and when that must be written.
class RunningJob {
 public:
  RunningJob(const Job& job, const OutputArguments& output, ResultsFolder* folder)
      : job_(job),
        recorder_(job.system, job.state, job.recorded),
        folder_(folder),
        progress_(output.quiet ? Progress::Wanted::no : Progress::Wanted::yes),
        block_(rows_per_block(job.system.info())) {
    save();
  }

  /// False: the run must end.
  bool observe(const State& state, const StepResult& result) {
    ++steps_;
    recorder_.observe(state, result);
    const bool full = (recorder_.rows() > saved_ && recorder_.rows() % block_ == 0) ||
                      recorder_.recording().events.size() > 65536 ||
                      recorder_.recording().steps.size() > 65536;
    const bool tick = ticker_.due();
    if (tick) progress_.show({job_.state.t, state.t, job_.until, steps_, ticker_.elapsed()});
    if (full || (tick && ticker_.elapsed() - saved_at_ > longest_wait)) try_to_save();
    return trouble_.empty() && !interrupted();
  }

  void finish(const State& state, const StepResult* failure) {
    progress_.clear();
    if (failure) recorder_.observe_failure(*failure);
    recorder_.finish(state);
    if (trouble_.empty()) try_to_save();
  }

  /// When the next row of output is due [s].
  double due() const { return recorder_.due() > -INFINITY ? recorder_.due() : INFINITY; }
  double elapsed() const { return ticker_.elapsed(); }
  const std::string& trouble() const { return trouble_; }

 private:
  void save() {
    if (folder_)
      folder_->write(recorder_.recording());
    else
      recorder_.recording().clear();
    saved_ = recorder_.rows();
    saved_at_ = ticker_.elapsed();
  }

  void try_to_save() {
    try {
      save();
    } catch (const InputError& error) {
      trouble_ = error.what();
    }
  }

  const Job& job_;
  Recorder recorder_;
  ResultsFolder* folder_;  ///< null: nothing is written
  Progress progress_;
  Ticker ticker_;
  long block_;           ///< rows
  long saved_ = 0;       ///< rows
  double saved_at_ = 0;  ///< [s]
  long steps_ = 0;
  std::string trouble_;  ///< of writing
};

/// Throws InputError unless the method can run the system, before anything is written.
struct RequireFitting {
  const System& system;

  void operator()(const MoreauOptions& options) const { Moreau(system, options); }
  void operator()(const CompliantOptions& options) const { Compliant(system, options); }
};

/// Runs the job with the method that was chosen.
struct RunMethod {
  const Job& job;
  RunningJob& running;
  State& state;
  RunReport& figures;

  void operator()(const MoreauOptions& options) const {
    Moreau integrator(job.system, options);
    figures.run = simulate(
        integrator, state, job.step, job.until,
        [&](const State& now, const StepResult& result) { return running.observe(now, result); });
    finish(integrator.last_result());
  }

  void operator()(const CompliantOptions& options) const {
    Compliant integrator(job.system, options);
    figures.run = simulate(
        integrator, state, job.until, [&](double) { return running.due(); },
        [&](const State& now, const StepResult& result) { return running.observe(now, result); });
    figures.evaluations = integrator.evaluations();
    finish(integrator.last_result());
  }

  void finish(const StepResult& last) const {
    const bool failed = figures.run.status != StepStatus::done;
    running.finish(state, failed ? &last : nullptr);
    if (failed) figures.message = describe_trouble(last, job.system, state);
  }
};

RunReport run(const Job& job, const OutputArguments& output, ResultsFolder* folder) {
  State state = job.state;
  RunningJob running(job, output, folder);
  RunReport figures{.t_start = state.t, .start = energy_ledger(job.system, state)};
  std::visit(RunMethod{job, running, state, figures}, job.method);
  figures.wall_time = running.elapsed();
  figures.end = energy_ledger(job.system, state);
  figures.t = state.t;
  if (!running.trouble().empty()) figures.message = running.trouble();
  if (!figures.message.empty())
    figures.status = RunStatus::failed;
  else if (interrupted())
    figures.status = RunStatus::interrupted;
  return figures;
}

/// " (… of the energy at the start)", where there was any.
std::string relative_imbalance(const RunReport& f) {
  const double start = f.start.mechanical();
  return start == 0 ? ""
                    : fmt::format(" ({:+.2g} of the energy at the start)", f.imbalance() / start);
}

std::string method_text(const MoreauOptions& m) {
  return fmt::format("Moreau {}, force velocity {}, solver {}", name(m.scheme),
                     name(m.force_velocity), m.solver);
}

std::string method_text(const CompliantOptions& m) {
  if (m.integrator == OdeMethod::rk4)
    return fmt::format("compliant, rk4 with steps of {:g} s, onset {}", m.step, name(m.onset));
  return fmt::format("compliant, {} with relative tolerance {:g}, onset {}", name(m.integrator),
                     m.relative_tolerance, name(m.onset));
}

std::string steps_text(const Job& job, const RunReport& f) {
  if (std::holds_alternative<MoreauOptions>(job.method))
    return fmt::format("{} steps of {:g} s", f.run.steps, job.step);
  return fmt::format("{} steps, {} rejected, {} evaluations of the forces", f.run.steps,
                     f.run.rejected_steps, f.evaluations);
}

void print_table(const Job& job, const RunReport& f, const OutputArguments& output,
                 const ResultsFolder* folder) {
  const auto row = [](const char* what, const std::string& value) {
    fmt::print("  {:<24}{}\n", what, value);
  };
  const double steps = static_cast<double>(std::max(1L, f.run.steps));
  const bool moreau = std::holds_alternative<MoreauOptions>(job.method);
  fmt::print("{}\n", job.title);
  row("method", std::visit([](const auto& m) { return method_text(m); }, job.method));
  for (const std::string& law : job.laws) row("law", law);
  row("time", fmt::format("{:.6g} … {:.6g} s in {}", f.t_start, f.t, steps_text(job, f)));
  row("impacts", fmt::format("{} (counted contact by contact)", f.run.impacts));
  row("largest penetration", fmt::format("{:.3g} m", f.run.largest_penetration));
  row("energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end", f.start.mechanical(),
                            f.end.mechanical()));
  row("work of contacts", fmt::format("{:.6g} J; dissipated {:.6g} J, {:.6g} J of it in impacts",
                                      f.end.contacts, f.end.contact_loss, f.end.impact_loss));
  row("energy balance",
      fmt::format("{:+.3g} J made by the method itself{}", f.imbalance(), relative_imbalance(f)));
  if (moreau) row("worst residual", fmt::format("{:.3g} (relative)", f.run.worst_residual));
  if (f.run.fallback_steps > 0)
    row("fallback", fmt::format("{} steps that the solver did not solve were solved by auto",
                                f.run.fallback_steps));
  if (f.run.warned_steps > 0)
    row("warning", fmt::format("{} contacts began deeper than the limit, at the shortest step",
                               f.run.warned_steps));
  if (f.run.imprecise_steps > 0)
    row("singular positions", fmt::format("{} steps, where loops are nearly redundant, were solved "
                                          "less precisely than asked for",
                                          f.run.imprecise_steps));
  row("wall time", fmt::format("{:.3g} s, {:.3g} µs a step with output", f.wall_time,
                               f.wall_time * 1e6 / steps));
  if (!folder) return;
  row("results", fmt::format("{}: {}", output.folder.string(), fmt::join(folder->files(), ", ")));
}

/// Ends the files. False, with a message, if that fails.
void finish_files(ResultsFolder& folder, RunReport& figures) {
  try {
    folder.finish(figures);
  } catch (const InputError& error) {
    if (figures.message.empty()) figures.message = error.what();
    figures.status = RunStatus::failed;
  }
}

}  // namespace

int run_job(Job job, const OutputArguments& output) {
  validate_run(job.state.t, std::holds_alternative<MoreauOptions>(job.method) ? job.step : 1,
               job.until);
  std::visit(RequireFitting{job.system}, job.method);
  job.recorded.steps = output.steps;
  const RunDescription description = describe(job);
  catch_interrupts();
  std::optional<ResultsFolder> folder;
  if (!output.folder.empty())
    folder.emplace(
        output.folder, job.system.info(), description,
        ResultsFolder::Options{.formats = parse_formats(output.formats),
                               .existing = output.force ? Existing::replace : Existing::keep,
                               .recorded = job.recorded});
  RunReport figures = run(job, output, folder ? &*folder : nullptr);
  if (folder) finish_files(*folder, figures);
  if (output.json)
    fmt::print("{}", summary_json(description, figures));
  else if (!output.quiet)
    print_table(job, figures, output, folder ? &*folder : nullptr);
  std::fflush(stdout);
  if (figures.status == RunStatus::failed) fmt::print(stderr, "backlash: {}\n", figures.message);
  if (figures.status == RunStatus::interrupted)
    fmt::print(stderr, "backlash: interrupted at t = {} s\n", figures.t);
  return figures.status == RunStatus::done ? exit_done : exit_failed;
}

}  // namespace backlash::cli
