// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/moreau/moreau.h"

/// Steps whose length follows the motion: long where it is smooth, short where bodies meet (theory
/// 4.16 to 4.18).
namespace backlash {

/// Throw InputError naming the option of automatic steps that makes no sense.
void validate_automatic(const MoreauOptions& options);

/// The shortest step [s].
double min_step(const MoreauOptions& options);

/// How deep bodies may be in each other where they meet [m, rad].
double closing_tolerance(const Moreau::Workspace& work, const ContactInfo& contact);

}  // namespace backlash
