// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/integrators/step_result.h"
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

struct MoreauOptions {
  std::string_view solver = "auto";  ///< a name of the solver table
  SolverOptions solver_options{.tolerance = 1e-12};
  bool fall_back = true;  ///< to the solver auto, in steps that the chosen one does not solve
  Scheme scheme = Scheme::midpoint;
  ForceVelocity force_velocity = ForceVelocity::midpoint;
  double theta = 0.5;  ///< of the θ-scheme, in [0.5, 1]: 0.5 second order, 1 most damping
  double penetration_limit = INFINITY;  ///< deeper penetration is projected to this depth [m]
  double singular_residual =
      1e-8;                        ///< relative; bilateral rows near a singular position may be off
  double drift_tolerance = 1e-12;  ///< bilateral errors are projected to this × model length
};

/// Throw InputError naming the option that makes no sense.
void validate(const MoreauOptions& options);

/// Moreau's time stepping for a System (theory 4). Keeps its workspace, so that steps after the
/// first few allocate nothing; carries nothing else from step to step: that is in State.
class Moreau {
 public:
  /// Throws InputError for options that make no sense, and for a compliant contact: Moreau's steps
  /// are for set-valued laws.
  Moreau(const System& system, const MoreauOptions& options);
  ~Moreau();
  Moreau(Moreau&&) noexcept;
  Moreau& operator=(Moreau&&) noexcept;

  /// One step of length `step` [s]. If it fails (see the status) the state stays as it was. The
  /// result is valid until the next call.
  const StepResult& step(State& state, double step);

  const StepResult& last_result() const;
  const System& system() const;
  const MoreauOptions& options() const;
  const Memory& memory() const;

  struct Workspace;

 private:
  std::unique_ptr<Workspace> work_;
};

}  // namespace backlash
