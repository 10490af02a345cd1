// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/input_error.h"
#include "backlash/integrators/optimisation/program.h"

/// In the place of slsqp_solver.cpp where there is no NLopt.
namespace backlash {

std::unique_ptr<ProgramSolver> make_slsqp_solver() {
  throw InputError(
      "method optimisation: the optimiser slsqp needs the library NLopt, which this Backlash was "
      "built without; install it (Debian: libnlopt-dev) and build anew, or choose optimiser: ipopt "
      "or "
      "the method moreau");
}

}  // namespace backlash
