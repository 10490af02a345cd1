// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <nlopt.h>

#include "backlash/integrators/optimisation/program.h"

/// Sequential quadratic programming, by NLopt's SLSQP [Kraft 1994]. The relaxation of the pairs is
/// driven to zero in a few solutions, each from where the last one ended.
namespace backlash {
namespace {

std::string_view words(nlopt_result result) {
  switch (result) {
    case NLOPT_FORCED_STOP:
      return "a number is not finite";
    case NLOPT_ROUNDOFF_LIMITED:
      return "round-off limits the progress";
    case NLOPT_MAXEVAL_REACHED:
      return "too many iterations";
    case NLOPT_OUT_OF_MEMORY:
      return "not enough memory";
    case NLOPT_INVALID_ARGS:
      return "the start lies outside of the bounds";
    case NLOPT_FAILURE:
      return "the quadratic programs have no solution";
    default:
      return "ended";
  }
}

struct SqpWork {
  StepProgram* program = nullptr;
  nlopt_opt optimiser = nullptr;
  double relaxation = 0;
  int evaluations = 0;

  bool evaluate(const double* x) {
    if (program->evaluate(x)) return true;
    nlopt_force_stop(optimiser);
    return false;
  }
};

double sqp_objective(unsigned n, const double* x, double* gradient, void* data) {
  auto& work = *static_cast<SqpWork*>(data);
  ++work.evaluations;
  if (!work.evaluate(x)) return HUGE_VAL;
  if (gradient) Eigen::Map<Vector>(gradient, n) = work.program->gradient();
  return work.program->objective();
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void sqp_equalities(unsigned m, double* values, unsigned n, const double* x, double* gradient,
                    void* data) {
  auto& work = *static_cast<SqpWork*>(data);
  Eigen::Map<Vector> c(values, m);
  c.setZero();
  if (!work.evaluate(x)) return;
  c = work.program->equality_values();
  if (gradient) Eigen::Map<RowMajor>(gradient, m, n) = work.program->equality_jacobian();
}

void sqp_products(unsigned m, double* values, unsigned n, const double* x, double* gradient,
                  void* data) {
  const auto& work = *static_cast<SqpWork*>(data);
  if (gradient) std::fill(gradient, gradient + std::size_t{m} * n, 0.0);
  for (unsigned i = 0; i < m; ++i) {
    const auto [first, second] = work.program->pairs()[i];
    values[i] = x[first] * x[second] - work.relaxation;
    if (!gradient) continue;
    gradient[std::size_t{i} * n + static_cast<std::size_t>(first)] = x[second];
    gradient[std::size_t{i} * n + static_cast<std::size_t>(second)] = x[first];
  }
}

class SlsqpSolver final : public ProgramSolver {
 public:
  ProgramResult solve(StepProgram& program, const ProgramOptions& options, Vector& x) override {
    ProgramResult result;
    const Vector start = x;
    for (double relaxation = options.warm ? 1e-4 : 1e-1;; relaxation *= 1e-2) {
      relaxation = std::max(relaxation, options.relaxation);
      result = solve_relaxed(program, options, relaxation, x, result.iterations);
      if (!x.allFinite()) x = start;
      if (relaxation == options.relaxation) return result;
    }
  }

 private:
  static ProgramResult solve_relaxed(StepProgram& program, const ProgramOptions& options,
                                     double relaxation, Vector& x, int before) {
    const auto n = static_cast<unsigned>(program.variables());
    const auto m = static_cast<unsigned>(program.equalities());
    const auto pairs = static_cast<unsigned>(program.pairs().size());
    nlopt_opt optimiser = nlopt_create(NLOPT_LD_SLSQP, n);
    SqpWork work{&program, optimiser, relaxation};
    Vector lower(n), upper(n);
    for (Eigen::Index i = 0; i < lower.size(); ++i) {
      lower[i] = program.lower_bound(i);
      upper[i] = program.upper_bound(i);
      x[i] = std::clamp(x[i], lower[i], upper[i]);
    }
    nlopt_set_lower_bounds(optimiser, lower.data());
    nlopt_set_upper_bounds(optimiser, upper.data());
    nlopt_set_min_objective(optimiser, sqp_objective, &work);
    const Vector exact = Vector::Constant(std::max(m, pairs), options.tolerance);
    nlopt_add_equality_mconstraint(optimiser, m, sqp_equalities, &work, exact.data());
    nlopt_add_inequality_mconstraint(optimiser, pairs, sqp_products, &work, exact.data());
    nlopt_set_ftol_rel(optimiser, options.tolerance);
    nlopt_set_xtol_rel(optimiser, options.tolerance);
    nlopt_set_maxeval(optimiser, options.max_iterations);
    double value = 0;
    const nlopt_result status = nlopt_optimize(optimiser, x.data(), &value);
    nlopt_destroy(optimiser);
    return {status > 0 && status != NLOPT_MAXEVAL_REACHED, before + work.evaluations,
            words(status)};
  }
};

}  // namespace

std::unique_ptr<ProgramSolver> make_slsqp_solver() { return std::make_unique<SlsqpSolver>(); }

}  // namespace backlash
