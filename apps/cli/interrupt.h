// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace backlash::cli {

/// From here on Ctrl-C, SIGTERM and SIGHUP do not end the program but make interrupted() true, so
/// that a run can end with what it has. A second one ends the program as usual.
void catch_interrupts();

bool interrupted();

}  // namespace backlash::cli
