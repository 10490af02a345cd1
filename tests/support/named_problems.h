// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/solvers/contact_problem.h"

/// Small problems whose solutions are known in closed form.
namespace backlash::test {

struct NamedProblem {
  std::string name;  ///< letters only, for the tests' names
  ContactProblem problem;
  Vector velocity;  ///< ξ of the solution [m/s]; unique in all of them
  Vector impulse;   ///< Λ of the solution [N s]; empty where redundant contacts share it
};

/// Each has one velocity that solves it.
std::vector<NamedProblem> solvable_problems();

/// None of these has a solution.
std::vector<NamedProblem> unsolvable_problems();

/// Two corners of the slider of paper 001 in contact: nearly dependent normals, equal tangents.
ContactProblem slider_crank_problem(double friction, const Vector& free_velocity);

}  // namespace backlash::test
