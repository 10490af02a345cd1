// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <mutex>

#include <IpStdCInterface.h>

#include "backlash/base/decompositions.h"
#include "backlash/integrators/optimisation/program.h"

/// Interior points, by Ipopt [Wächter and Biegler 2006].
namespace backlash {
namespace {

using IpoptIndex = ::Index;

std::string_view words(ApplicationReturnStatus status) {
  switch (status) {
    case Solve_Succeeded:
    case User_Requested_Stop:
      return "solved";
    case Solved_To_Acceptable_Level:
      return "solved to the acceptable level only";
    case Infeasible_Problem_Detected:
      return "the constraints seem to contradict each other";
    case Search_Direction_Becomes_Too_Small:
      return "the search direction became too small";
    case Diverging_Iterates:
      return "the iterates diverge";
    case Feasible_Point_Found:
      return "a feasible point was found, no optimum";
    case Maximum_Iterations_Exceeded:
      return "too many iterations";
    case Restoration_Failed:
      return "no feasible point was found";
    case Error_In_Step_Computation:
      return "the linear equations of an iteration could not be solved";
    case Not_Enough_Degrees_Of_Freedom:
      return "more equations than variables";
    case Invalid_Number_Detected:
      return "a number is not finite";
    default:
      return "an error inside of Ipopt";
  }
}

/// What the callbacks work on. Rows: the equalities, then the products of the pairs.
struct Work {
  StepProgram* program = nullptr;
  Matrix hessian{};
  int iterations = 0;
  double enough = 0;  ///< violation of the constraints at which there is no more to be found

  Eigen::Index equalities() const { return program->equalities(); }
  std::size_t pairs() const { return program->pairs().size(); }
};

Work& work_of(UserDataPtr data) { return *static_cast<Work*>(data); }

Bool objective(IpoptIndex, Number* x, Bool, Number* value, UserDataPtr data) {
  StepProgram& program = *work_of(data).program;
  if (!program.evaluate(x)) return FALSE;
  *value = program.objective();
  return TRUE;
}

Bool gradient(IpoptIndex n, Number* x, Bool, Number* values, UserDataPtr data) {
  StepProgram& program = *work_of(data).program;
  if (!program.evaluate(x)) return FALSE;
  Eigen::Map<Vector>(values, n) = program.gradient();
  return TRUE;
}

Bool constraints(IpoptIndex, Number* x, Bool, IpoptIndex, Number* values, UserDataPtr data) {
  const Work& work = work_of(data);
  if (!work.program->evaluate(x)) return FALSE;
  const Eigen::Index m = work.equalities();
  Eigen::Map<Vector>(values, m) = work.program->equality_values();
  for (std::size_t i = 0; i < work.pairs(); ++i) {
    const auto [first, second] = work.program->pairs()[i];
    values[m + static_cast<Eigen::Index>(i)] = x[first] * x[second];
  }
  return TRUE;
}

/// Of a sparse matrix, places or values, one after the other.
void write_places(const std::vector<MatrixEntry>& pattern, IpoptIndex* rows, IpoptIndex* columns) {
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    rows[k] = static_cast<IpoptIndex>(pattern[k].row);
    columns[k] = static_cast<IpoptIndex>(pattern[k].column);
  }
}
void write_entries(const std::vector<MatrixEntry>& pattern, const Matrix& A, Number* values) {
  for (std::size_t k = 0; k < pattern.size(); ++k) values[k] = A(pattern[k].row, pattern[k].column);
}

/// The equalities' entries, then two for each pair.
Bool jacobian(IpoptIndex, Number* x, Bool, IpoptIndex, IpoptIndex, IpoptIndex* rows,
              IpoptIndex* columns, Number* values, UserDataPtr data) {
  const Work& work = work_of(data);
  const std::vector<MatrixEntry>& pattern = work.program->jacobian_pattern();
  std::size_t k = pattern.size();
  if (!values) {
    write_places(pattern, rows, columns);
    for (std::size_t i = 0; i < work.pairs(); ++i) {
      const auto [first, second] = work.program->pairs()[i];
      for (const Eigen::Index variable : {first, second}) {
        rows[k] = static_cast<IpoptIndex>(work.equalities()) + static_cast<IpoptIndex>(i);
        columns[k++] = static_cast<IpoptIndex>(variable);
      }
    }
    return TRUE;
  }
  if (!work.program->evaluate(x)) return FALSE;
  write_entries(pattern, work.program->equality_jacobian(), values);
  for (const auto& [first, second] : work.program->pairs()) {
    values[k++] = x[second];
    values[k++] = x[first];
  }
  return TRUE;
}

Bool hessian(IpoptIndex, Number* x, Bool, Number factor, IpoptIndex, Number* multipliers, Bool,
             IpoptIndex, IpoptIndex* rows, IpoptIndex* columns, Number* values, UserDataPtr data) {
  Work& work = work_of(data);
  const std::vector<MatrixEntry>& pattern = work.program->hessian_pattern();
  if (!values) {
    write_places(pattern, rows, columns);
    return TRUE;
  }
  if (!work.program->evaluate(x)) return FALSE;
  Matrix& H = work.hessian;
  work.program->write_hessian(factor, multipliers, H);
  for (std::size_t i = 0; i < work.pairs(); ++i) {
    const auto [first, second] = work.program->pairs()[i];
    const double product = multipliers[work.equalities() + static_cast<Eigen::Index>(i)];
    H(first, second) += product;
    H(second, first) += product;
  }
  write_entries(pattern, H, values);
  return TRUE;
}

/// Where the motion determines the forces, the objective is the same for all that is feasible
/// (theory 12.6): its multipliers, which redundant contacts leave open, are not waited for.
Bool watch(IpoptIndex, IpoptIndex iteration, Number, Number violation, Number, Number, Number,
           Number, Number, Number, IpoptIndex, UserDataPtr data) {
  work_of(data).iterations = iteration;
  return violation > work_of(data).enough || iteration == 0 ? TRUE : FALSE;
}

/// A problem of Ipopt's, which costs more to make than to solve: kept for all steps with the same
/// bounds and the same places of what is not zero.
struct KeptProblem {
  Vector lower{}, upper{}, g_upper{};
  std::vector<MatrixEntry> jacobian{}, hessian{};
  ProgramOptions options{};
  IpoptProblem problem = nullptr;
};

/// Ipopt's linear solver, MUMPS, has variables of the process: of all threads one may be in there.
std::mutex& entrance() {
  static std::mutex mutex;
  return mutex;
}

class IpoptSolver final : public ProgramSolver {
 public:
  ~IpoptSolver() override {
    const std::lock_guard alone(entrance());
    for (const KeptProblem& kept : kept_) FreeIpoptProblem(kept.problem);
  }

  ProgramResult solve(StepProgram& program, const ProgramOptions& options, Vector& x) override {
    const std::lock_guard alone(entrance());
    work_.program = &program;
    work_.iterations = 0;
    work_.enough = options.free_length ? -1 : options.tolerance;
    const IpoptProblem problem = problem_for(program, options);
    const auto n = program.variables();
    multipliers_.setZero(bounds_.g_upper.size());
    at_lower_.setZero(n);
    at_upper_.setZero(n);
    const double barrier = options.warm ? warm_barrier : cold_barrier;
    for (Eigen::Index i = 0; i < n; ++i)
      if (std::isfinite(program.lower_bound(i))) at_lower_[i] = barrier / std::max(x[i], barrier);
    if (options.warm && options.free_length) estimate_multipliers(program, x);
    double value = 0;
    const ApplicationReturnStatus status =
        IpoptSolve(problem, x.data(), nullptr, &value, multipliers_.data(), at_lower_.data(),
                   at_upper_.data(), &work_);
    return {status == Solve_Succeeded || status == User_Requested_Stop ||
                status == Solved_To_Acceptable_Level,
            work_.iterations, words(status)};
  }

 private:
  static constexpr double warm_barrier = 1e-5, cold_barrier = 0.1;
  static constexpr std::size_t most_kept = 64;

  /// Multipliers that fit the start: y with the least ‖D (∇f + ∇cᵀ y)‖, D the distances from the
  /// bounds, and what is left at the bounds (theory 12.11). Steps that choose their length take
  /// half as many iterations with them; others, whose length has no multiplier, more.
  void estimate_multipliers(StepProgram& program, const Vector& x) {
    if (!program.evaluate(x.data())) return;
    const Eigen::Index n = program.variables(), equalities = program.equalities();
    const std::vector<ComplementaryPair>& pairs = program.pairs();
    Matrix gradients = Matrix::Zero(n, multipliers_.size());
    gradients.leftCols(equalities) = program.equality_jacobian().transpose();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Eigen::Index column = equalities + static_cast<Eigen::Index>(i);
      gradients(pairs[i].first, column) = x[pairs[i].second];
      gradients(pairs[i].second, column) = x[pairs[i].first];
    }
    constexpr double nearest = 1e-8;  // of a start on its bound
    Vector below(n), above(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      below[i] = std::max(x[i] - program.lower_bound(i), nearest);
      above[i] = std::max(program.upper_bound(i) - x[i], nearest);
    }
    const Vector D = below.cwiseMin(above).cwiseMin(1);
    const Matrix weighted = D.asDiagonal() * gradients;
    multipliers_ = LeastSquares(weighted).solve(-D.cwiseProduct(program.gradient()));
    multipliers_.tail(multipliers_.size() - equalities) =
        multipliers_.tail(multipliers_.size() - equalities).cwiseMax(0);
    const Vector left = program.gradient() + gradients * multipliers_;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (std::isfinite(below[i]))
        at_lower_[i] = std::max(left[i], warm_barrier / std::max(below[i], warm_barrier));
      if (std::isfinite(above[i]))
        at_upper_[i] = std::max(-left[i], warm_barrier / std::max(above[i], warm_barrier));
    }
  }

  void write_bounds(const StepProgram& program, const ProgramOptions& options) {
    constexpr double infinite = 2e19;
    const auto pairs = static_cast<Eigen::Index>(program.pairs().size());
    bounds_.lower.resize(program.variables());
    bounds_.upper.resize(program.variables());
    for (Eigen::Index i = 0; i < program.variables(); ++i) {
      bounds_.lower[i] = std::max(program.lower_bound(i), -infinite);
      bounds_.upper[i] = std::min(program.upper_bound(i), infinite);
    }
    bounds_.g_upper.setZero(program.equalities() + pairs);
    bounds_.g_upper.tail(pairs).setConstant(options.relaxation);
    bounds_.jacobian = program.jacobian_pattern();
    bounds_.hessian = program.hessian_pattern();
    bounds_.options = options;
  }

  IpoptProblem problem_for(const StepProgram& program, const ProgramOptions& options) {
    write_bounds(program, options);
    for (const KeptProblem& kept : kept_)
      if (kept.lower.size() == bounds_.lower.size() &&
          kept.g_upper.size() == bounds_.g_upper.size() && kept.lower == bounds_.lower &&
          kept.upper == bounds_.upper && kept.g_upper == bounds_.g_upper &&
          kept.jacobian == bounds_.jacobian && kept.hessian == bounds_.hessian &&
          kept.options == options)
        return kept.problem;
    if (kept_.size() == most_kept) {
      FreeIpoptProblem(kept_.front().problem);
      kept_.erase(kept_.begin());
    }
    kept_.push_back(bounds_);
    kept_.back().problem = make_problem(program, options);
    return kept_.back().problem;
  }

  IpoptProblem make_problem(const StepProgram& program, const ProgramOptions& options) {
    const auto n = static_cast<IpoptIndex>(program.variables());
    const auto equalities = static_cast<IpoptIndex>(program.equalities());
    const auto pairs = static_cast<IpoptIndex>(program.pairs().size());
    Vector g_lower = Vector::Zero(equalities + pairs);
    g_lower.tail(pairs).setConstant(-2e19);
    const IpoptProblem problem = CreateIpoptProblem(
        n, bounds_.lower.data(), bounds_.upper.data(), equalities + pairs, g_lower.data(),
        bounds_.g_upper.data(), static_cast<IpoptIndex>(bounds_.jacobian.size()) + 2 * pairs,
        static_cast<IpoptIndex>(bounds_.hessian.size()), 0, objective, constraints, gradient,
        jacobian, hessian);
    set_options(problem, options);
    SetIntermediateCallback(problem, watch);
    return problem;
  }

  static void set_options(IpoptProblem problem, const ProgramOptions& options) {
    const auto number = [&](const char* key, double value) {
      AddIpoptNumOption(problem, const_cast<char*>(key), value);
    };
    const auto text = [&](const char* key, const char* value) {
      AddIpoptStrOption(problem, const_cast<char*>(key), const_cast<char*>(value));
    };
    AddIpoptIntOption(problem, const_cast<char*>("print_level"), 0);
    AddIpoptIntOption(problem, const_cast<char*>("max_iter"), options.max_iterations);
    text("sb", "yes");
    number("tol", options.tolerance);
    number("constr_viol_tol", options.tolerance);
    number("bound_relax_factor", 0);
    text("nlp_scaling_method", "none");
    text("mu_strategy", "adaptive");
    if (!options.free_length) text("mu_oracle", "loqo");  // fewer linear solutions an iteration
    if (!options.warm) return;
    text("warm_start_init_point", "yes");
    number("mu_init", warm_barrier);
    number("warm_start_bound_push", 1e-6);
    number("warm_start_mult_bound_push", 1e-8);
  }

  Work work_;
  KeptProblem bounds_;  ///< of the program that is to be solved
  std::vector<KeptProblem> kept_;
  Vector multipliers_, at_lower_, at_upper_;
};

}  // namespace

std::unique_ptr<ProgramSolver> make_ipopt_solver() { return std::make_unique<IpoptSolver>(); }

}  // namespace backlash
