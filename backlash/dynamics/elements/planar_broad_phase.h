// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/dynamics/elements/contact_element.h"

/// Contacts of planar shapes that are far from touching are found by circles around them (theory
/// 7.18): around all features of two bodies first, then around each. Other contacts, and all in
/// space, are runs of one that are never far.
namespace backlash {

/// Contacts from `first` on that concern the same two bodies.
struct ContactRun {
  std::size_t first = 0, count = 0;
  int a = -1, b = -1;
  FeatureBound A{}, B{};  ///< around all features; infinite if these are not all of shapes
};

/// All contacts, in runs that are as long as possible.
template <class S>
std::vector<ContactRun> contact_runs(const std::vector<const ContactKind<S>*>& contacts);

/// A distance [m] that the gaps of the run, or of the contact, are above, if they are far from
/// closing; else 0.
double far_apart(const ContactRun& run, const Motion<Plane>& motion);
double far_apart(const ContactRun& run, const Motion<Space>& motion);
template <class S>
double far_apart(const ContactKind<S>& contact, const Motion<S>& motion);
template <>
double far_apart<Plane>(const ContactKind<Plane>& contact, const Motion<Plane>& motion);
template <>
double far_apart<Space>(const ContactKind<Space>& contact, const Motion<Space>& motion);

}  // namespace backlash
