// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/integrators/compliant/compliant_options.h"
#include "backlash/integrators/integrator.h"

namespace backlash {

/// Contacts as forces, integrated with steps that follow them (theory 10). A step ends where the
/// integrator ends one, where something happens, or at the latest where the caller wants to know
/// the state; that does not change the steps of the integrator.
///
/// What a multistep method remembers of its last steps is not in State: a run that goes on from a
/// saved State begins it anew, and agrees within the tolerances.
class Compliant final : public Integrator {
 public:
  Compliant(const System& system, const CompliantOptions& options);
  ~Compliant() override;
  Compliant(Compliant&&) noexcept;
  Compliant& operator=(Compliant&&) noexcept;

  /// To the end of the next step, or to where the state is due, whichever is first.
  const StepResult& step(State& state, const StepLimits& limits) override;

  const StepResult& last_result() const override;
  const System& system() const override;
  double equal_step() const override;
  const CompliantOptions& options() const;
  long evaluations() const;  ///< of all forces, so far

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace backlash
