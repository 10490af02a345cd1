// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/input_error.h"
#include "backlash/integrators/optimisation/program.h"

/// In the place of ipopt_solver.cpp where there is no Ipopt.
namespace backlash {

std::unique_ptr<ProgramSolver> make_ipopt_solver() {
  throw InputError(
      "method optimisation: the optimiser ipopt needs the library Ipopt, which this Backlash was "
      "built without; install it (Debian: coinor-libipopt-dev) and build anew, or choose "
      "optimiser: slsqp or the method moreau");
}

}  // namespace backlash
