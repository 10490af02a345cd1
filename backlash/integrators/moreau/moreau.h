// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <memory>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/integrators/integrator.h"
#include "backlash/solvers/solver_table.h"

namespace backlash {

/// At which velocity the forces of a midpoint step are evaluated (theory 4.2).
enum class ForceVelocity {
  start,    ///< h(q_M, u_A), as papers 000 and 001 print it: first order
  midpoint  ///< h(q_M, u_M) with u_M predicted: second order in free flight
};

enum class Scheme {
  midpoint,  ///< explicit in the forces (theory 4.1)
  theta      ///< implicit in the forces, for stiff ones (theory 4.5)
};

/// How contacts enter a midpoint step.
enum class ContactScheme {
  lasting,  ///< by their velocity at its end: second order while contact lasts (theory 4.11)
  original  ///< by their directions at its middle, as papers 000 and 001 print it (theory 4.1)
};

struct MoreauOptions {
  double step = 1e-4;                ///< [s]
  std::string_view solver = "auto";  ///< a name of the solver table
  SolverOptions solver_options{.tolerance = 1e-12, .round_off = 4};
  bool fall_back =
      true;  ///< in steps that the solver does not solve: to auto, to less (theory 4.29)
  Scheme scheme = Scheme::midpoint;
  ContactScheme contact_scheme = ContactScheme::lasting;
  ForceVelocity force_velocity = ForceVelocity::midpoint;
  double theta = 0.5;  ///< of the θ-scheme, in [0.5, 1]: 0.5 second order, 1 most damping
  double penetration_limit = INFINITY;  ///< deeper penetration is projected to this depth [m]
  double singular_residual = 1e-8;      ///< relative; rows that are nearly redundant may be off
  double drift_tolerance = 1e-12;       ///< bilateral errors are projected to this × model length
  bool automatic_step = false;          ///< steps of the length that the motion needs (theory 4.16)
  double step_tolerance = 1e-7;         ///< of automatic steps: error of one × model length
  double max_step = 1e-3;               ///< of automatic steps [s]
  double min_step = 0;                  ///< of automatic steps [s]; 0: step_tolerance × max_step
  double max_steps = 1e8;               ///< that may be left to the end of a run
};

/// Throw InputError naming the option that makes no sense.
void validate(const MoreauOptions& options);

/// Moreau's time stepping for a System (theory 4), with steps of equal length or of the length that
/// the motion needs. A run that goes on from a saved State goes on to the same bits.
class Moreau final : public Integrator {
 public:
  /// Throws InputError for options that make no sense, and for a compliant contact: Moreau's steps
  /// are for set-valued laws.
  Moreau(const System& system, const MoreauOptions& options);
  ~Moreau() override;
  Moreau(Moreau&&) noexcept;
  Moreau& operator=(Moreau&&) noexcept;

  /// Of the length of the options, or as long as their tolerance allows; shorter before the end of
  /// the run, and before the time of an event, which is met exactly (theory 4.8).
  const StepResult& step(State& state, const StepLimits& limits) override;

  /// One step of another length [s]; a template, so that step(state, {}) is the one above.
  template <std::floating_point Length>
  const StepResult& step(State& state, Length length) {
    return step_by(state, length);
  }

  const StepResult& last_result() const override;
  const System& system() const override;
  double equal_step() const override;
  const MoreauOptions& options() const;
  const Memory& memory() const;

  struct Workspace;

 private:
  void prepare(State& state) const;
  const StepResult& step_by(State& state, double length);
  const StepResult& step_automatically(State& state, const StepLimits& limits);
  const StepResult& take_step(State& state, double length, double t_end);
  const StepResult& explained(State& state, const StepResult& result);
  /// The step, which leaves the state as it is; false, with the status, if it fails.
  bool try_step(const State& state, double length, double t_end);
  bool end_at_event(const State& state, double& length, double t_end);
  void commit(State& state, double length);

  std::unique_ptr<Workspace> work_;
};

}  // namespace backlash
