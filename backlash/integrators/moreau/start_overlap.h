// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {

/// Whether contacts begin to act with this step of its own accord: it is the first of a run, or
/// events turned some on after the one before.
bool contacts_begin(const Moreau::Workspace& work, const State& state);

/// Books what the projection of the step has added to the energy: of one with which contacts begin
/// that overlap apart from what the method makes (theory 4.42).
void book_projection(Moreau::Workspace& work, State& state);

}  // namespace backlash
