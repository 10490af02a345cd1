// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

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

/// Where outputs go: their values one after the other, or all that is known of them to a function
/// of item, quantity, unit and value.
class OutputSink {
 public:
  using Function = std::function<void(const OutputItem&, const char*, const char*, double)>;

  explicit OutputSink(VectorRef values) : next_(values.data()) {}
  explicit OutputSink(Function function) : function_(std::move(function)) {}

  void put(const OutputItem& item, const char* quantity, const char* unit, double value) {
    if (next_)
      *next_++ = value;
    else
      function_(item, quantity, unit, value);
  }

 private:
  double* next_ = nullptr;
  Function function_;
};

/// Puts every output into the sink, in an order that depends on the parts only.
template <class S>
void write_outputs(const Parts<S>& parts, const SystemInfo& info, const OutputContext& context,
                   OutputSink& sink);

/// Fills SystemInfo::outputs, when all else is there.
template <class S>
void name_outputs(const Parts<S>& parts, SystemInfo& info);

}  // namespace backlash
