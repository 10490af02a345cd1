// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/optimisation/optimisation.h"
#include "backlash/integrators/option_rows.h"

namespace backlash {

/// The options of the method optimisation, in the order in which they are listed.
const OptionRows<OptimisationOptions>& optimisation_option_rows();

/// From what was chosen. Throws InputError for what makes no sense.
OptimisationOptions optimisation_options(const Options& chosen);

}  // namespace backlash
