// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

/// Formulas of a model, with their quantities found in the mechanism. `where` is for messages.
namespace backlash::planar {

Formula::Input input_of(const MechanismBuilder& builder, const Signal& signal,
                        const SourceLocation& where);

Formula formula_of(const MechanismBuilder& builder, const SignalExpression& source,
                   const SourceLocation& where);

/// The conditions of all events, and what they switch.
void add_events(MechanismBuilder& builder);

}  // namespace backlash::planar
