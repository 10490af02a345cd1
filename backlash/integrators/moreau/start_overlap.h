// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/integrators/moreau/workspace.h"

namespace backlash {

/// Books what the projection of the step has added to the energy: of the first step of a run that
/// begins with overlaps apart from what the method makes (theory 4.42).
void book_projection(Moreau::Workspace& work, State& state);

}  // namespace backlash
