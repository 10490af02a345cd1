// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "backlash/integrators/step_result.h"

namespace backlash {

/// The time that is told of an event, whose condition was `before` at the last look and is `now`.
using TimeOfEvent = std::function<double(const EventInfo&, double before, double now)>;

/// Makes those events happen whose conditions have become positive, in the order of the model
/// (theory 4.8): into the result, into `switching` (Memory::switching(), with the conditions of the
/// last look) and into the switches of `end`, which is configured where the conditions hold. False
/// if there are none.
bool make_events_happen(const System& system, const Vector& conditions, Vector& switching,
                        Configuration& end, StepResult& result, const TimeOfEvent& when);

}  // namespace backlash
