// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/dynamics/elements/contact_element.h"

/// Contacts of shapes that are far from touching are found by circles around them (theory 7.18):
/// around all features of two bodies first, then around each.
namespace backlash::planar {

/// Contacts from `first` on that concern the same two bodies.
struct ContactRun {
  std::size_t first = 0, count = 0;
  int a = -1, b = -1;
  FeatureBound A{}, B{};  ///< around all features; infinite if these are not all of shapes
};

/// All contacts, in runs that are as long as possible.
std::vector<ContactRun> contact_runs(const std::vector<const ContactKind*>& contacts);

/// A distance [m] that the gaps of the run, or of the contact, are above, if they are far from
/// closing; else 0.
double far_apart(const ContactRun& run, const Motion& motion);
double far_apart(const ShapeContact& contact, const Motion& motion);

}  // namespace backlash::planar
