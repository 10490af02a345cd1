// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/optimisation/step_equations.h"

/// The step as a nonlinear program with complementarity constraints (theory 12.6): what optimisers
/// see. All quantities are scaled so that they are of the order of one, whatever the step.
namespace backlash {

/// Two variables that are not negative, and of which one is zero.
struct ComplementaryPair {
  Eigen::Index first = 0, second = 0;
};

/// The step's length as a variable.
struct FreeLength {
  bool is_free = false;
  double shortest = 0, longest = 0;  ///< [s]
  double preference = 1e-3;          ///< κ of theory 12.7: what a long step is worth
  double guess = 0;                  ///< where to begin: ends where bodies first meet [s]
};

/// A place in a sparse matrix.
struct MatrixEntry {
  Eigen::Index row = 0, column = 0;
  bool operator==(const MatrixEntry&) const = default;
};

class StepProgram {
 public:
  explicit StepProgram(StepEquations& equations) : equations_(equations) {}

  /// The program of the equations as they are, around a motion that fulfils them without some of
  /// the contacts; `impulses` is what its rows are expected to do [N s].
  void begin(const StepPoint& reference, const Vector& impulses, const FreeLength& length);

  Eigen::Index variables() const { return variables_; }
  Eigen::Index equalities() const { return equalities_; }
  const std::vector<ComplementaryPair>& pairs() const { return pairs_; }
  /// Variables from here on, but not the bilateral ones, are not negative.
  double lower_bound(Eigen::Index variable) const { return lower_bound_[variable]; }
  double upper_bound(Eigen::Index variable) const { return upper_bound_[variable]; }
  /// Where to begin.
  const Vector& start() const { return start_; }

  /// Evaluates at x what the functions below give. False if something is not finite.
  bool evaluate(const double* x);
  double objective() const { return objective_; }
  const Vector& gradient() const { return gradient_; }
  const Vector& equality_values() const { return c_; }
  const Matrix& equality_jacobian() const { return J_; }
  /// Of the objective and of the gaps and errors, with their multipliers; what the equations of
  /// motion curve is left out (theory 12.6).
  void write_hessian(double objective_factor, const double* multipliers, Matrix& H);
  /// Which entries of the Jacobian, and of the Hessian's lower triangle with the products of the
  /// pairs, may differ from zero.
  const std::vector<MatrixEntry>& jacobian_pattern() const { return jacobian_pattern_; }
  const std::vector<MatrixEntry>& hessian_pattern() const { return hessian_pattern_; }

  /// What x means.
  void read(const double* x, Vector& u, Vector& impulses) const;
  double length(const double* x) const;
  /// How far a pair is from complementarity, over its scale.
  double largest_product(const double* x) const;

 private:
  void place_variables();
  void write_jacobian_pattern();
  void write_hessian_pattern();
  void append_variables(Eigen::Index first, Eigen::Index count);
  void set_scales(const Vector& impulses);
  void write_start(const Vector& impulses);
  void write_constraints(const double* x);
  void write_jacobian();
  void write_objective(const double* x);
  void add_length_curvature(double objective_factor, Matrix& H) const;
  double objective_unit() const;
  double impulse_scale(Eigen::Index row) const { return energy_ / mobility_[row]; }

  StepEquations& equations_;
  FreeLength length_;
  Eigen::Index variables_ = 0, equalities_ = 0;
  Eigen::Index n_ = 0, contacts_ = 0, bilaterals_ = 0, boxes_ = 0;
  Eigen::Index force_ = 0, gap_ = 0, bilateral_ = 0;  ///< first variable of each kind
  Eigen::Index above_ = 0, below_ = 0, up_ = 0, down_ = 0, length_at_ = -1;
  std::vector<ComplementaryPair> pairs_;
  std::vector<MatrixEntry> jacobian_pattern_, hessian_pattern_;
  std::vector<Eigen::Index> dense_;  ///< variables of a dense block, while a pattern is written
  double energy_ = 1;                ///< E: root of an energy [√J]
  double longest_ = 0;               ///< h that gaps are scaled with [s]
  Vector inertia_;                   ///< √M_ii
  Vector mobility_;                  ///< √G_rr
  Vector value_scale_;               ///< of gaps, errors and velocities
  StepPoint reference_;
  Vector lower_bound_, upper_bound_, start_, x_;
  double objective_ = 0;
  Vector gradient_, c_, u_, impulses_, acceleration_, contact_force_, contact_impulses_;
  Matrix J_, factors_, change_, box_gradient_;
};

/// How an optimiser ended.
struct ProgramResult {
  bool solved = false;
  int iterations = 0;
  std::string_view status = "";  ///< in words
};

struct ProgramOptions {
  double relaxation = 1e-8;  ///< τ: products of pairs are at most this in the end
  double tolerance = 1e-8;
  int max_iterations = 200;
  bool warm = true;  ///< the start is near the solution
  bool free_length = false;

  bool operator==(const ProgramOptions&) const = default;
};

/// A method for programs. x is the start on entry and the best point on return.
class ProgramSolver {
 public:
  virtual ~ProgramSolver() = default;
  virtual ProgramResult solve(StepProgram& program, const ProgramOptions& options, Vector& x) = 0;
};

/// Interior points, and sequential quadratic programming. Throw InputError, saying what is missing,
/// where Backlash was built without the library.
std::unique_ptr<ProgramSolver> make_ipopt_solver();
std::unique_ptr<ProgramSolver> make_slsqp_solver();

}  // namespace backlash
