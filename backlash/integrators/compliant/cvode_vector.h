// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nvector/nvector_serial.h>

namespace backlash {

/// A vector for CVODE, and for all that it makes of it: SUNDIALS' serial one, with loops of our own
/// for what a step asks for. Those of the library are not optimised on every system (Debian's are
/// not), and take several times as long. Null if there is no memory.
N_Vector new_cvode_vector(sunindextype size, SUNContext context);

}  // namespace backlash
