// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/model/model.h"

namespace backlash {

/// Has the start remember the closest points that the user's guesses lead to, so that they keep the
/// first name. Throws InputError for a guess that there are no closest points near to, naming those
/// that there are, and for contacts that have no profile.
void follow_guesses(const Model& model, const System& system, State& start);

}  // namespace backlash
