// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/model/model.h"
#include "commands.h"

namespace backlash::cli {

/// What the command line says goes before what the model says; options of the model that it leaves
/// without a use are put aside. Throws InputError for those of the command line that have none.
void apply(const SimulationArguments& arguments, SimulationOptions& simulation,
           OutputOptions& output);

}  // namespace backlash::cli
