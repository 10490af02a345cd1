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

/// "'crank.drive' and 'wheel.lock' contradict each other: no motion fulfils both": where no
/// velocity fulfils what joints, drives and locks ask for; else empty.
std::string describe_contradiction(const System& system, const Configuration& c);

/// "'slide.drive' leads the loops to a position …": drives that move hardly anything but what the
/// loops hold, less than this share of what a free coordinate of the model's size would move.
std::string describe_singular_drives(const System& system, const Configuration& c, double share);

}  // namespace backlash
