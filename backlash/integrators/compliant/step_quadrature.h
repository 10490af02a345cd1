// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "backlash/base/types.h"

namespace backlash {

/// Integrals of functions that are known at the ends of steps: those of the polynomial through the
/// last of them (theory 10.8).
class StepQuadrature {
 public:
  /// As many as the highest order of Adams' methods has.
  static constexpr int most_points = 13;

  /// Forgets all.
  void clear() { points_ = 0; }
  bool empty() const { return points_ == 0; }

  /// The values at t, the end of the next step [s].
  void add(double t, const Vector& values);
  /// Other values at the end of the last step; and none before for `count` of them from `first` on.
  void replace_last(const Vector& values, Eigen::Index first, Eigen::Index count);

  /// From one time inside of the last step to another, with the polynomial through so many points
  /// or as many as there are.
  void integrate(double from, double to, int points, Vector& result) const;
  /// The same in a step that was cut at t_end, with the values there: what lies behind, where a
  /// contact has ended, is on another curve.
  void integrate_cut(double from, double to, int points, double t_end, const Vector& values,
                     Vector& result);

  /// What the last of so many points changes in the integral of one of the first `count` functions
  /// over the last step, at most, by the length of the step.
  double error(int points, Eigen::Index count) const;

 private:
  std::size_t column(std::size_t age) const {
    return (static_cast<std::size_t>(newest_ + most_points) - age) % most_points;
  }
  double time(std::size_t age) const { return t_[column(age)]; }

  std::array<double, most_points> t_{};
  Matrix values_;  ///< one column per point
  Vector behind_;  ///< values behind a cut, meanwhile
  int newest_ = 0, points_ = 0;
};

}  // namespace backlash
