// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/base/input_error.h"
#include "backlash/integrators/integrator_table.h"
#include "support/models.h"

namespace backlash::test {

/// Whether all libraries that a method needs were there when Backlash was built.
inline bool is_built(const IntegratorEntry& method) {
  try {
    method.make(*assembled("bodies: {body: {mass: 1, inertia: 1}}").system, {});
    return true;
  } catch (const InputError& error) {
    return std::string(error.what()).find("was built without") == std::string::npos;
  }
}

}  // namespace backlash::test
