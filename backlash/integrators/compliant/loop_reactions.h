// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/linear.h"
#include "backlash/dynamics/system.h"
#include "backlash/integrators/compliant/compliant_options.h"
#include "backlash/integrators/loop_mobility.h"

/// What joints that close loops do to accelerations (theory 10.5), also near singular positions,
/// where their rows come to depend on each other (theory 10.9).
namespace backlash {

/// The bilateral rows of a System at one configuration.
struct LoopRows {
  explicit LoopRows(const SystemInfo& info);

  Matrix W, mass_inverse_W;
  Vector w, error;
  Vector scale;  ///< makes rows comparable, whatever their units and masses: about 1/√G_ii
  Matrix G;      ///< WᵀM⁻¹W with rows and columns scaled
};

/// All of them, with the factors M of the mass at c.
void write_loop_rows(const System& system, const Configuration& c, const Matrix& M, LoopRows& rows);

/// How far rows are from depending on each other.
struct Conditioning {
  Eigen::Index rank = 0;
  double smallest = 0;  ///< singular value of W in the metric of M⁻¹, of the largest; about
  double left = 0;      ///< the same of what is beyond the rank
};

/// b = G⁻¹b with as many independent rows as the limits allow.
Conditioning solve_loop_rows(const LoopRows& rows, const PivotLimits& limits, Arena& scratch,
                             Vector& b);

class LoopReactions {
 public:
  LoopReactions(const System& system, const Stabilisation& stabilisation);

  /// Finds how many rows are independent, at a start and along the motion from there.
  void begin(const Configuration& c, const Vector& u);

  /// Adds the rows' part to accelerations that all else makes; M: factors of the mass at c. False
  /// if the position is singular and the velocity does not say where the motion goes on.
  bool add(const Configuration& c, const Vector& u, const Matrix& M, Vector& acceleration);

  const Vector& multiplier() const { return multiplier_; }  ///< λ_B that was added
  double power() const { return power_; }                   ///< −λ_B·w̃, what drives do [W]
  Eigen::Index rank() const { return rank_; }               ///< of the rows, but where singular
  const Vector& scale() const { return here_.scale; }       ///< of the rows

  /// Whether a singular position is so near that the reactions themselves are uncertain.
  bool uncertain() const { return smallest_ < 0.03; }

  /// Whether drift is about to count: near a singular position rows are taken at the nearest place
  /// on the loops, which is farther by one over the singular value than what they are off.
  bool approaches_singular() const;

  /// Whether drift is better left alone: the rows say too little of where the loops are.
  static bool is_singular(const Conditioning& rows);

 private:
  void set_scale(const Configuration& c);
  bool place(const Configuration& c, const Vector& u, double shift);
  bool move_to_loops();
  bool add_sample(const Configuration& c, const Vector& u, double shift, double weight);
  bool add_on_loops(const Configuration& c, const Vector& u, Vector& acceleration);
  bool interpolate(const Configuration& c, const Vector& u, double shift);
  bool add_interpolated(const Configuration& c, const Vector& u, Vector& acceleration);
  bool turns(Eigen::Index i) const;
  double speed(const Vector& u) const;

  const System& system_;
  Stabilisation stabilisation_;
  Eigen::Index rank_ = 0;
  Vector multiplier_;
  double power_ = 0;
  double smallest_ = 1;  ///< singular value of the rows, of the largest

  LoopRows here_, there_;
  MobilityScratch mobility_scratch_;
  Configuration near_;  ///< on the loops, near the configuration in question
  Matrix M_near_;
  Conditioning conditioning_;  ///< of the rows there
  Vector q_next_, u_near_;
  Vector displacement_;  ///< that brought the configuration to the loops
  Vector correction_, bias_, x_;
  Vector free_, effect_;  ///< accelerations: of all else, and of the rows
};

}  // namespace backlash
