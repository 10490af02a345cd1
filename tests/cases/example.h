// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/energy.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/moreau/moreau_options.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/results/event.h"
#include "support/paths.h"

/// The mechanisms of examples/, read from their files and run for a while.
namespace backlash::test {

/// A model of examples/, ready to run: `file` as "slider_crank/model.yaml".
struct Example {
  explicit Example(const std::string& file, const std::vector<std::string>& set = {},
                   Coordinates coordinates = Coordinates::joint)
      : Example(read(file, set, coordinates)) {}
  explicit Example(Model changed) : model(std::move(changed)), assembly(assemble(model)) {}

  const System& system() const { return *assembly.system; }

  BodyMotion body(const State& state, const std::string& name) const {
    return system().body_motion(configuration(system(), state.t, state.q), state.u,
                                index_of(system().info().bodies, name));
  }

  /// How far the bilateral rows are from holding [m].
  double loop_error(const State& state) const {
    Vector errors(static_cast<Eigen::Index>(system().info().bilaterals.size()));
    system().bilateral_errors(configuration(system(), state.t, state.q), errors);
    return errors.size() > 0 ? errors.cwiseAbs().maxCoeff() : 0;
  }

  /// A parameter's value, in SI.
  double operator[](const std::string& name) const {
    for (const Parameter& parameter : model.parameters)
      if (parameter.name == name) return parameter.value;
    ADD_FAILURE() << "there is no parameter " << name;
    return NAN;
  }

  ContactKey contact(const std::string& name) const {
    std::vector<ContactFrame> frames;
    system().find_contacts(configuration(system(), assembly.start), INFINITY, {}, frames);
    for (const ContactFrame& frame : frames)
      if (system().contact_name(frame.key) == name) return frame.key;
    ADD_FAILURE() << "there is no " << name;
    return {};
  }

  Model model;
  Assembly assembly;

 private:
  static Model read(const std::string& file, const std::vector<std::string>& set,
                    Coordinates coordinates) {
    std::vector<ParameterOverride> overrides;
    for (const std::string& text : set) overrides.push_back(parse_override(text));
    Model model = read_model(source_folder() + "/examples/" + file, overrides);
    model.simulation.coordinates = coordinates;
    return model;
  }

  static int index_of(const std::vector<std::string>& names, const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return static_cast<int>(i);
    ADD_FAILURE() << "there is no " << name;
    return 0;
  }
};

/// What a run left behind.
struct ExampleRun {
  State end{};
  std::vector<RecordedContact> contacts{};  ///< those that events number
  std::vector<Event> events{};
  EnergyLedger before{}, after{};
  double penetration = 0;  ///< the deepest [m]
  RunSummary summary{};

  /// What the method made by itself, as a part of the energy at the start and all work [J/J].
  double imbalance() const {
    const double turnover = std::abs(before.mechanical()) + after.contact_loss +
                            std::abs(after.bilaterals) + std::abs(after.applied) +
                            std::abs(after.relays);
    return std::abs(energy_imbalance(before, after)) / turnover;
  }

  /// Times of the events of a kind at a contact [s].
  std::vector<double> times(EventKind kind, const ContactKey& contact) const {
    std::vector<double> found;
    for (const Event& event : events)
      if (event.kind == kind && is_at(event, contact)) found.push_back(event.t);
    return found;
  }

  bool is_at(const Event& event, const ContactKey& contact) const {
    return event.contact >= 0 && contacts[static_cast<std::size_t>(event.contact)].key == contact;
  }
};

/// Runs as the file says, but for the step and the end. Every step must be done.
template <class Observer>
ExampleRun run(const Example& example, double step, double until, Observer&& observe) {
  const System& system = example.system();
  ExampleRun run{.end = example.assembly.start,
                 .before = energy_ledger(system, example.assembly.start)};
  MoreauOptions options = moreau_options(example.model.simulation.options);
  options.step = step;
  Moreau integrator(system, options);
  ContactDirectory directory(system);
  EventFinder finder;
  const auto watch = [&](const State& state, const StepResult& result) {
    finder.append(system, result, state, directory, run.events);
    observe(state, result);
  };
  run.summary = simulate(integrator, run.end, until, watch);
  EXPECT_EQ(run.summary.status, StepStatus::done)
      << name(run.summary.status) << " at t = " << run.end.t;
  run.contacts = directory.contacts();
  run.after = energy_ledger(system, run.end);
  run.penetration = run.summary.largest_penetration;
  return run;
}

inline ExampleRun run(const Example& example, double step, double until) {
  return run(example, step, until, [](const State&, const StepResult&) {});
}

/// What the file says of the method compliant.
inline CompliantOptions compliant_options(const Example& example) {
  return compliant_options(example.model.simulation.options, example.system().info());
}

/// With the method compliant, to the end or to where it fails. States are told after each step and
/// where due(t) wants them.
template <class Due, class Observer>
ExampleRun attempt(const Example& example, const CompliantOptions& options, double until, Due&& due,
                   Observer&& observe) {
  const System& system = example.system();
  ExampleRun run{.end = example.assembly.start,
                 .before = energy_ledger(system, example.assembly.start)};
  Compliant integrator(system, options);
  ContactDirectory directory(system);
  EventFinder finder;
  const auto watch = [&](const State& state, const StepResult& result) {
    finder.append(system, result, state, directory, run.events);
    return goes_on(observe, state, result);
  };
  run.summary = simulate(integrator, run.end, until, due, watch);
  run.contacts = directory.contacts();
  run.after = energy_ledger(system, run.end);
  run.penetration = run.summary.largest_penetration;
  return run;
}

/// The same; every step must be done.
template <class Observer>
ExampleRun run(const Example& example, const CompliantOptions& options, double until,
               Observer&& observe) {
  const auto never = [](double) { return INFINITY; };
  const ExampleRun run = attempt(example, options, until, never, observe);
  EXPECT_EQ(run.summary.status, StepStatus::done)
      << name(run.summary.status) << " at t = " << run.end.t;
  return run;
}

inline ExampleRun run(const Example& example, const CompliantOptions& options, double until) {
  return run(example, options, until, [](const State&, const StepResult&) {});
}

}  // namespace backlash::test
