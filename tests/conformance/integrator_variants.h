// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/energy.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/simulate.h"
#include "support/built_methods.h"

/// Every integrator of the table, with each of its choices, on every System that it can run.
namespace backlash::test {

/// A System, and how long it is run.
struct Mechanism {
  std::string name;
  std::unique_ptr<System> system;
  State start;
  double until;  ///< [s]
  double step;   ///< of methods with equal steps [s]
};

/// A method with one choice of its options.
struct Variant {
  const IntegratorEntry* method;
  Options options;

  std::string name() const {
    std::string text = method->name;
    for (const Option& option : options) text += ", " + option.key + " " + to_string(option.value);
    return text;
  }

  bool has(std::string_view key, std::string_view choice) const {
    const Option* option = find_option(options, key);
    return option && to_string(option->value) == choice;
  }

  /// Contacts of this one begin as deep as a step is long, by its own account: it is for showing
  /// that.
  bool is_crude() const { return has("onset", "none"); }

  /// Implicit Euler steps: of first order, and they damp whatever oscillates (theory 12.1).
  bool damps() const { return method->name == "optimisation"; }

  /// Chooses its steps within bounds, and not by a tolerance.
  bool has_free_steps() const { return has("step_control", "free"); }

  /// With equal steps of that length, where it has any. Procedure 1 goes back to a contact as if
  /// the velocity were constant within a step (theory 10.4): its steps are held at a hundred times
  /// that.
  Options with_step(double step) const {
    Options chosen = options;
    if (has("step", "auto")) return chosen;
    if (has("onset", "procedure-1")) set_option(chosen, "max_step", 100 * step);
    if (has_free_steps()) {
      set_option(chosen, "max_step", step);
      set_option(chosen, "min_step", step / 10);
    }
    const OptionInfo* info = find_option(method->options, "step");
    if (info && applies(*info, method->options, chosen)) set_option(chosen, "step", step);
    return chosen;
  }
};

/// Optimisations are those of the default optimiser; those of other choices, of the other one,
/// which takes a tenth of the time.
inline std::vector<Variant> variants() {
  std::vector<Variant> list;
  for (const IntegratorEntry& method : integrator_table()) {
    if (!is_built(method)) continue;
    list.push_back({&method, {}});
    Options others;
    if (find_option(method.options, "optimiser")) set_option(others, "optimiser", "slsqp");
    for (const OptionInfo& option : method.options)
      for (const std::string& choice : option.choices) {
        if (choice == option.fallback || option.key == "solver" || option.key == "optimiser")
          continue;
        list.push_back({&method, others});
        set_option(list.back().options, option.key, choice);
      }
  }
  return list;
}

/// The integrator, or null if it is not for the contacts of the mechanism; with steps of that part
/// of the mechanism's.
inline std::unique_ptr<Integrator> make(const Variant& variant, const Mechanism& m,
                                        double part = 1) {
  try {
    return variant.method->make(*m.system, variant.with_step(part * m.step));
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("its law is"), std::string::npos) << error.what();
    return nullptr;
  }
}

/// How long a mechanism is run: an optimisation takes a thousand times as long as other steps.
inline double until(const Variant& variant, const Mechanism& m) {
  constexpr int most_steps = 100;
  return variant.damps() ? std::min(m.until, m.start.t + most_steps * m.step) : m.until;
}

/// Calls check(variant, mechanism) for all that go together; each variant must have some.
template <class Check>
void for_every_pair(const std::vector<Mechanism>& all, int at_least, Check check) {
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.name());
    int run = 0;
    for (const Mechanism& m : all) {
      SCOPED_TRACE(m.name);
      if (!make(variant, m)) continue;
      check(variant, m);
      ++run;
    }
    EXPECT_GE(run, at_least);
  }
}

/// What the method gained or lost by itself up to the end, as a part of the energy that was there
/// and of all the work that was done; with steps of that part of the mechanism's.
inline double made_by_method(const Variant& variant, const Mechanism& m, double part_of_step = 1) {
  const auto integrator = make(variant, m, part_of_step);
  State state = m.start;
  const EnergyLedger before = energy_ledger(*m.system, state);
  const RunSummary summary = simulate(*integrator, state, until(variant, m));
  EXPECT_EQ(summary.status, StepStatus::done) << name(summary.status) << " at " << state.t;
  const EnergyLedger after = energy_ledger(*m.system, state);
  const double turnover = std::abs(before.mechanical()) + before.kinetic + after.kinetic +
                          after.contact_loss + std::abs(after.bilaterals) +
                          std::abs(after.applied) + std::abs(after.relays);
  return energy_imbalance(before, after) / turnover;
}

/// A method makes and loses less than that part of the energy. One that damps may lose more, as its
/// step: half of it with steps of half the length.
inline void expect_balance(const Variant& variant, const Mechanism& m, double part) {
  const double made = made_by_method(variant, m);
  EXPECT_LT(made, part);
  const bool is_small = made > -part;
  EXPECT_TRUE(is_small || variant.damps()) << made;
  if (is_small) return;
  EXPECT_GT(made_by_method(variant, m, 0.25), 0.3 * made - 0.1 * part);
}

/// A run of twice so many steps, and one that is saved half-way and goes on in another integrator:
/// those without an ODE solver's history to the same bits, others within their tolerances.
inline void expect_restart(const Variant& variant, const Mechanism& m, long half) {
  const auto whole = make(variant, m), first = make(variant, m), second = make(variant, m);
  State at_once = m.start, saved = m.start;
  const double end = until(variant, m);
  for (long k = 0; k < 2 * half && at_once.t < end; ++k)
    ASSERT_EQ(whole->step(at_once, {.until = end}).status, StepStatus::done);
  for (long k = 0; k < half && saved.t < at_once.t; ++k) first->step(saved, {.until = end});
  if (variant.method->name != "compliant") {
    while (saved.t < at_once.t) second->step(saved, {.until = end});
    EXPECT_EQ(saved.t, at_once.t);
    EXPECT_TRUE(saved.q == at_once.q && saved.u == at_once.u && saved.z == at_once.z);
  } else {
    simulate(*second, saved, at_once.t);
    EXPECT_LT((saved.q - at_once.q).norm(), 1e-5 * (1 + at_once.q.norm()));
  }
}

}  // namespace backlash::test
