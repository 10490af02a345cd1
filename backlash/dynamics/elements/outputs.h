// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "backlash/dynamics/last_step.h"
#include "backlash/dynamics/mechanism.h"

/// What a mechanism reports of its joints: reactions, coordinates outside of the tree, and how
/// things lie in their play (theory 6.10 to 6.13).
namespace backlash {

/// What the joints do to their bodies B, one by one: the force at Q in the world's axes, and the
/// moment about Q. Of a gear or rack: the first component is what it does along the second
/// coordinate.
template <class S>
void write_reactions(const Parts<S>& parts, const LastStep& last, VectorRef values);

/// System::relay_loads().
template <class S>
void write_relay_loads(const Parts<S>& parts, const SystemInfo& info, const LastStep& step,
                       VectorRef loads);

/// What conditions of events use of the step.
template <class S>
void write_measures(const Parts<S>& parts, const LastStep& last, VectorRef measured);

/// Which corners of a slider touch the guide [paper 001, fig. 8].
enum class GuideScenario { none, one_corner, two_adjacent, two_opposite };

/// What an output belongs to: a joint or a force.
struct OutputItem {
  const std::string& name;
  Origin::Kind kind;
};

/// Calls emit(item, quantity, unit, value) for every output, in an order that depends on the parts
/// only.
using EmitOutput = std::function<void(const OutputItem&, const char*, const char*, double)>;
template <class S>
void write_outputs(const Parts<S>& parts, const SystemInfo& info, const OutputContext& context,
                   const EmitOutput& emit);

/// Fills SystemInfo::outputs, when all else is there.
template <class S>
void name_outputs(const Parts<S>& parts, SystemInfo& info);

}  // namespace backlash
