// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/archive.h"
#include "backlash/dynamics/energy.h"

namespace backlash {

/// Watches whether steps are short enough for forces without a potential, those of formulas and
/// tables: what a step books as their work beside the mean of their powers at its ends (theory
/// 4.32). A formula may do any work, so that the energy balance does not see one that explodes.
class WorkWatch {
 public:
  /// At which velocities of a step forces are taken: as it goes on, or all at its end, so that they
  /// may change with the velocity as they like.
  enum class Velocities { of_each_end, of_the_end };

  WorkWatch(const System& system, const State& start,
            Velocities velocities = Velocities::of_each_end);

  /// After each step; `beside_mean`: StepResult::work_beside_mean, which says nothing of how forces
  /// change; `at_hand`: the energy at hand [J]. Looks at a step that does a good part of
  /// it, and at the one before, which may have come into a stiff force without feeling it.
  void add(const State& state, double beside_mean, double at_hand);

  double unresolved() const { return unresolved_; }  ///< work that steps are too long for [J]
  double t_first() const { return t_first_; }        ///< when the first of them began [s]

  void archive(Archive& a) { a(last_, before_, looked_, unresolved_, t_first_); }

 private:
  /// Where a step ended, and the work of that step.
  struct End {
    double t = 0;
    Vector q, u, z;
    double work = 0;

    void archive(Archive& a) { a(t, q, u, z, work); }
  };

  double power(const End& end, const Vector& u, const Vector& along);
  void look(const End& from, const End& to);

  const System& system_;
  Velocities velocities_;
  Memory memory_;
  Configuration c_;
  State state_;         ///< for looking
  End before_, last_;   ///< of the last two steps
  bool looked_ = true;  ///< at the last one
  double unresolved_ = 0;
  double t_first_ = NAN;
};

}  // namespace backlash
