// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

#include "public_headers.h"

/// How many degrees of freedom the mechanism in a file has: from the file formats to the solvers.
extern "C" int degrees_of_freedom(const char* file) {
  return backlash::assemble(backlash::read_model(file)).report.dofs;
}
