// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "backlash/base/arena.h"
#include "backlash/solvers/contact_problem.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {

/// `solution` holds the guess on entry (its impulse may be empty) and the answer on return.
using SolveFunction = void (*)(const ContactProblem& problem, const SolverOptions& options,
                               Arena& scratch, ContactSolution& solution);

/// How a solver treats Coulomb's law in space.
enum class SpaceFriction { disk, polyhedral };

/// What a solver works on: G as it is given, or always a matrix.
enum class DelassusForm { as_given, matrix };

struct SolverEntry {
  std::string_view name;
  SolveFunction solve;
  SpaceFriction space_friction;
  std::string_view summary;
  DelassusForm form = DelassusForm::as_given;
};

/// All solvers, one row each; the first is the default.
std::span<const SolverEntry> solver_table();

/// The solver of that name. Throws InputError, listing the names there are, if there is none.
const SolverEntry& find_solver(std::string_view name);

/// Whether a problem is small enough for a solver, as far as its size says so: one that needs a
/// matrix needs 8 n² bytes for n rows, and several of them.
bool is_within_reach(const SolverEntry& solver, const ContactProblem& problem);

/// Solve a problem by itself. Throws InputError unless problem and options make sense; the solvers
/// themselves, which a step calls, do not look.
ContactSolution solve(const SolverEntry& solver, const ContactProblem& problem,
                      const SolverOptions& options = {});

}  // namespace backlash
