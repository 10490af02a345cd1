// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/solver_table.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/solvers/admm.h"
#include "backlash/solvers/augmented_lagrangian.h"
#include "backlash/solvers/automatic.h"
#include "backlash/solvers/enumeration.h"
#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/interior_point.h"
#include "backlash/solvers/lemke.h"
#include "backlash/solvers/newton.h"
#include "backlash/solvers/proximal_newton.h"

namespace backlash {
namespace {

using enum SpaceFriction;
using enum DelassusForm;

constexpr std::array table{
    SolverEntry{"auto", solve_automatic, disk, "direct for small problems, with a chain of others"},
    SolverEntry{"enumeration", solve_enumeration, disk, "every combination of contact states",
                matrix},
    SolverEntry{"lemke", solve_lemke, polyhedral, "linear complementarity, by pivoting", matrix},
    SolverEntry{"gauss-seidel", solve_gauss_seidel, disk, "contact after contact, exactly"},
    SolverEntry{"augmented-lagrangian", solve_augmented_lagrangian, disk,
                "fixed point of the projections"},
    SolverEntry{"newton", solve_newton, disk, "semismooth Newton on the same equations", matrix},
    SolverEntry{"proximal-newton", solve_proximal_newton, disk,
                "the same over the contacts that push, sparse"},
    SolverEntry{"admm", solve_admm, disk, "alternating directions, one factorisation"},
    SolverEntry{"interior-point", solve_interior_point, disk,
                "from inside of the cones, for many jammed contacts"},
};

}  // namespace

std::span<const SolverEntry> solver_table() { return table; }

const SolverEntry& find_solver(std::string_view name) {
  std::vector<std::string> names;
  for (const SolverEntry& entry : table) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw InputError(fmt::format("solver '{}' does not exist; there are: {}{}", name,
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

bool is_within_reach(const SolverEntry& solver, const ContactProblem& problem) {
  constexpr Eigen::Index largest_matrix = 4000;  // rows
  return solver.form == as_given || problem.free_velocity.size() <= largest_matrix;
}

void validate(const SolverOptions& options) {
  require_positive(options.tolerance, "solver tolerance", "-");
  require_not_negative(options.round_off, "solver round-off", "-");
  require_in_range(options.max_iterations, 1, 1e9, "solver iterations", "-");
  require_in_range(options.facets, 3, 1000, "facets of the friction cone", "-");
  require_choice(options.r_factor, RFactor::adaptive, "r factor of the solver");
  if (!(options.relaxation > 0 && options.relaxation < 2))
    throw InputError(fmt::format("relaxation of the solver must lie between 0 and 2, is {}",
                                 options.relaxation));
}

ContactSolution solve(const SolverEntry& solver, const ContactProblem& problem,
                      const SolverOptions& options) {
  validate(problem);
  validate(options);
  Arena scratch;
  ContactSolution solution;
  solver.solve(problem, options, scratch, solution);
  return solution;
}

}  // namespace backlash
