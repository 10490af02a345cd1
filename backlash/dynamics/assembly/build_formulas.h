// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/assembly/mechanism_builder.h"

/// Formulas of a model, with their quantities found in the mechanism. `where` is for messages.
namespace backlash {

template <class S>
typename Formula<S>::Input input_of(const MechanismBuilder<S>& builder, const Signal& signal,
                                    const SourceLocation& where);

template <class S>
Formula<S> formula_of(const MechanismBuilder<S>& builder, const SignalExpression& source,
                      const SourceLocation& where);

/// The state variables, behind the positions of the tree.
template <class S>
void add_states(MechanismBuilder<S>& builder);

/// What events turn and set, before all that may be turned.
template <class S>
void add_switches(MechanismBuilder<S>& builder);

/// The conditions of all events, and what they switch.
template <class S>
void add_events(MechanismBuilder<S>& builder);

}  // namespace backlash
