// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "backlash/integrators/integrator.h"

namespace backlash {

/// Who chooses the length of a step.
enum class StepControl {
  fixed,  ///< all are equal
  free    ///< the optimiser, within bounds (theory 12.7)
};

/// What optimises.
enum class Optimiser {
  ipopt,  ///< interior points
  slsqp   ///< sequential quadratic programming
};

/// What happens when bodies meet.
enum class Impacts {
  law,     ///< they bounce by the restitution of their law (theory 12.10)
  plastic  ///< they do not bounce, as paper 002 has it
};

/// What of the last step a step begins with.
enum class WarmStart {
  active_set,  ///< what touched and stuck: if that holds again, Newton's method alone
               ///< (theory 12.18)
  point        ///< forces, from which the optimiser begins, in every step with contacts
};

struct OptimisationOptions {
  double step = 1e-4;  ///< of fixed steps [s]
  StepControl step_control = StepControl::fixed;
  double min_step = 1e-4;  ///< of free steps [s]
  double max_step = 1e-3;  ///< of free steps [s]
  Optimiser optimiser = Optimiser::ipopt;
  WarmStart warm_start = WarmStart::active_set;
  Impacts impacts = Impacts::law;
  double relaxation = 1e-8;  ///< τ: scaled products of gaps and forces, when the optimiser ends
  double tolerance = 1e-8;   ///< of the optimiser, on its scaled conditions
  int max_iterations = 200;  ///< of the optimiser
  double step_preference = 1e-3;  ///< κ: what a long step is worth beside least constraint
  double max_steps = 1e7;         ///< that may be left to the end of a run
};

/// Throw InputError naming the option that makes no sense.
void validate(const OptimisationOptions& options);

/// The implicit Euler step as an optimisation with complementarity constraints (paper 002, theory
/// 12), for models with smooth gaps. A run that goes on from a saved State goes on to the same
/// bits.
class Optimisation final : public Integrator {
 public:
  /// Throws InputError for options that make no sense, for contacts whose law it does not have, and
  /// for an optimiser that Backlash was built without.
  Optimisation(const System& system, const OptimisationOptions& options);
  ~Optimisation() override;
  Optimisation(Optimisation&&) noexcept;
  Optimisation& operator=(Optimisation&&) noexcept;

  const StepResult& step(State& state, const StepLimits& limits) override;
  const StepResult& last_result() const override;
  const System& system() const override;
  double equal_step() const override;

  struct Workspace;

 private:
  std::unique_ptr<Workspace> work_;
};

std::string_view name(StepControl control);
std::string_view name(Optimiser optimiser);
std::string_view name(WarmStart start);
std::string_view name(Impacts impacts);

}  // namespace backlash
