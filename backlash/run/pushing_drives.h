// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/state.h"

namespace backlash {

/// "'ram.drive' pushes against the closed contacts floor, jaw, and nothing can give way": where no
/// velocity fulfils what joints and drives ask for and leaves these contacts closed or opens them;
/// else empty.
std::string describe_pushing_drives(const System& system, const Configuration& c,
                                    std::span<const ContactFrame> closed);

}  // namespace backlash
