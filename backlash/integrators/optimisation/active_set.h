// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/decompositions.h"
#include "backlash/integrators/optimisation/step_equations.h"

/// Newton's method on the equations that hold once it is known what touches and what sticks
/// (theory 12.9): it takes what an optimiser found to round-off.
namespace backlash {

/// What a box row does.
enum class BoxMode : char { between, at_lower, at_upper };

/// Which conditions hold with equality.
struct ActiveSet {
  std::vector<char> closed;    ///< of each candidate
  std::vector<BoxMode> boxes;  ///< of each box row

  bool operator==(const ActiveSet&) const = default;
};

/// Impulses below this are round-off of what the rows of a step do [N s].
inline double least_impulse(const Vector& impulses) {
  return impulses.size() > 0 ? 1e-11 * impulses.cwiseAbs().maxCoeff() : 0;
}

/// What is left of the equations and of the conditions.
struct StepErrors {
  double motion = 0;    ///< of the equations of motion: force, over the largest force and what
                        ///< the round-off of momenta is felt as
  double position = 0;  ///< errors of bilateral rows and gaps of closed contacts, over what is
                        ///< allowed (theory 12.13): at most 1
};

/// How exact a step must be.
struct ActiveSetOptions {
  double motion = 1e-12;    ///< as StepErrors
  double position = 1e-13;  ///< as a part of the model's length
  int max_iterations = 30;
  int max_changes = 40;  ///< of the active set
};

class ActiveSetNewton {
 public:
  ActiveSetNewton(StepEquations& equations, const ActiveSetOptions& options)
      : equations_(equations), options_(options) {}

  /// Solves the equations of the step with these conditions active, from a guess; of impulses that
  /// redundant rows leave open, those nearest to a reference are taken. False if they were not
  /// solved.
  bool solve(const ActiveSet& active, const Vector& reference, StepPoint& point);

  /// The same, and conditions that turn out not to hold are exchanged until all do. `point` and
  /// `active` are guesses on entry, as an optimiser found them. All contacts that touch share the
  /// load if they can, as `expected` says, what the rows did in the last step.
  bool solve_conditions(const Vector& expected, ActiveSet& active, StepPoint& point);

  /// Whether these conditions lead to a solution at which all others hold, too: as solve(), without
  /// exchange.
  bool solve_unchanged(const ActiveSet& active, const Vector& reference, StepPoint& point);

  /// How large an error or a gap may be that should be zero (theory 12.13) [m, rad].
  double allowed(Eigen::Index row) const;

  /// Whether a box row does not slip, but for round-off (theory 12.13).
  bool sticks(Eigen::Index box, const StepPoint& point) const;

  /// What solve() left.
  const StepErrors& errors() const { return errors_; }
  int iterations() const { return iterations_; }  ///< since begin()
  void begin() { iterations_ = 0; }

  /// The conditions that do not hold at a point, by name: "gap of guide.1 −1.2e-7 m".
  std::string violated(const ActiveSet& active, const StepPoint& point) const;

 private:
  void write_errors(const ActiveSet& active, const StepPoint& point);
  bool is_solved() const;
  void solve_linear(const ActiveSet& active, const Vector& reference, StepPoint& point);
  /// Velocities of a box row below this are none [m/s, rad/s].
  double crawl(Eigen::Index box, const StepPoint& point) const;
  bool exchange_until_all_hold(const Vector& reference, ActiveSet& active, StepPoint& point);
  ActiveSet all_that_touch(const ActiveSet& active, const StepPoint& point) const;
  /// Puts right what contradicts a condition; false if there is nothing.
  bool exchange(const StepPoint& point, ActiveSet& active) const;
  void fill_limits(const ActiveSet& active, StepPoint& point) const;

  StepEquations& equations_;
  ActiveSetOptions options_;
  StepErrors errors_;
  int iterations_ = 0;
  std::vector<Eigen::Index> unknown_;  ///< rows whose impulses are
  std::vector<ActiveSet> visited_;     ///< that did not hold
  Matrix K_;
  Vector right_, scale_, row_scale_;
  LeastSquares factors_{1e-11};
};

}  // namespace backlash
