// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/elements/constraint.h"
#include "backlash/dynamics/elements/contact_element.h"
#include "backlash/dynamics/elements/force_element.h"
#include "backlash/dynamics/elements/relay_element.h"
#include "backlash/dynamics/kernel/planar_variation.h"

/// How the elements of a planar mechanism change along a direction (theory 12.8): each adds its
/// forces on the bodies and their changes.
namespace backlash {

Varied vary(const Formula<Plane>& formula, const VariedMotion& varied, double t);

void add(const ForceKind<Plane>& force, const VariedMotion& varied, double t,
         const VariedForces& sum);

/// What rows do with given multipliers [N] or [N m], which do not change.
void add_row(const Constraint<Plane>& constraint, const VariedMotion& varied, double force,
             const VariedForces& sum);
void add_row(const CoordinateRelay<Plane>& relay, const VariedMotion& varied, double force,
             const VariedForces& sum);
void add_rows(const ContactKind<Plane>& contact, const ContactKinematics<Plane>& at,
              const VariedMotion& varied, const RowForces& forces, const VariedForces& sum);

}  // namespace backlash
