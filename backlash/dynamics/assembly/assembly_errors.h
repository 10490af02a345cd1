// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "backlash/dynamics/assembly/mechanism_builder.h"
#include "backlash/dynamics/equilibrium.h"
#include "backlash/dynamics/state.h"

/// What makes a start impossible. Each throws InputError that says where, what and how much.
namespace backlash {

/// A body that can move, with all that hangs on it, without inertia.
template <class S>
void require_inertia(const MechanismBuilder<S>& builder, const Mechanism<S>& mechanism,
                     const State& start);

/// A loop that is open where the mechanism comes closest to closing it, at q.
template <class S>
[[noreturn]] void report_open_loop(const MechanismBuilder<S>& builder,
                                   const Mechanism<S>& mechanism, const Vector& q);

/// Whether a contact of a joint with clearance is deeper than its play.
bool exceeds_play(const ContactInfo& info, double gap);

/// What to do about it.
inline constexpr std::string_view advice_on_play =
    "leave out the initial values that may give way, so that the loop closes with the others, or "
    "give them as a guess";

/// Contacts deeper than simulation.initial_penetration, or than the play of their joint; none if
/// the former is infinite.
template <class S>
void require_no_overlap(const MechanismBuilder<S>& builder, const Mechanism<S>& mechanism,
                        const State& start);

/// A drive of a coordinate that the rows before it fix; `redundant` rows say nothing new.
template <class S>
void require_effective_drives(const MechanismBuilder<S>& builder,
                              const std::vector<BilateralInfo>& redundant);

/// Speeds at the start of a model that begins in equilibrium.
void require_rest(const Model& model);

/// An equilibrium that was not found.
template <class S>
[[noreturn]] void report_no_equilibrium(const MechanismBuilder<S>& builder,
                                        const Equilibrium& reached);

}  // namespace backlash
