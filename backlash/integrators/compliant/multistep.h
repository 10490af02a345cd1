// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "backlash/integrators/compliant/advance.h"
#include "backlash/integrators/compliant/smooth_dynamics.h"

namespace backlash {

/// CVODE: steps of variable length and order, one at a time, with dense output.
class Multistep {
 public:
  Multistep(SmoothDynamics& dynamics, const CompliantOptions& options);
  ~Multistep();
  Multistep(Multistep&&) noexcept;
  Multistep& operator=(Multistep&&) noexcept;

  /// Another method; a restart must follow.
  void set_method(OdeMethod method);

  /// Forgets what was and begins at y.
  void restart(double t, const Vector& y);

  /// One step of its own choice, but not beyond `limit` [s].
  Advance advance(double limit);

  double t() const;          ///< [s]: the end of the last step
  const Vector& y() const;   ///< there
  double last_step() const;  ///< [s]
  /// Whether the last evaluation of the rates was at the end of the last step.
  bool evaluated_end() const;
  int order() const;
  long evaluations() const;  ///< of the rates, so far
  /// Lengths of the steps that were tried and rejected before the last one was accepted, or before
  /// it was given up [s].
  const std::vector<double>& rejected() const;

  /// y inside of the last step.
  void interpolate(double t, Vector& y);
  /// What the integrals gain from one time in the last step to another [s], up to t_end, where it
  /// ends or was cut.
  void integrate(double from, double to, double t_end, const Vector& y_end, Vector& gained);
  /// Without a restart, some integrals begin now.
  void begin_integrals(Eigen::Index first, Eigen::Index count);

  struct Parts;
  struct Solver;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace backlash
