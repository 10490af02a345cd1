// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_formulas.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

namespace {

/// Where the cache has it: behind what the tree keeps there.
template <class S>
int place_of_state(const MechanismBuilder<S>& builder, const std::string& name) {
  const StateVariable* state = find_state(builder.model, name);
  return static_cast<int>(builder.parts.tree.cache_size() + (state - builder.model.states.data()));
}

}  // namespace

template <class S>
typename Formula<S>::Input input_of(const MechanismBuilder<S>& builder, const Signal& signal,
                                    const SourceLocation& where) {
  using Input = typename Formula<S>::Input;
  using Kind = typename Input::Kind;
  const auto of_joint = [&](Kind kind) {
    return Input{kind, coordinate_of(builder, signal.item, signal.coordinate, where)};
  };
  const auto of_body = [&](Kind kind, int component) {
    return Input{.kind = kind,
                 .body = builder.tree.find(builder.model, signal.item),
                 .component = component};
  };
  switch (signal.kind) {
    case SignalKind::time:
      return {};
    case SignalKind::joint_position:
      return of_joint(Kind::position);
    case SignalKind::joint_velocity:
      return of_joint(Kind::rate);
    case SignalKind::body_x:
      return of_body(Kind::origin, 0);
    case SignalKind::body_y:
      return of_body(Kind::origin, 1);
    case SignalKind::body_angle:
      return of_body(Kind::angle, 2);
    case SignalKind::body_vx:
      return of_body(Kind::velocity, 0);
    case SignalKind::body_vy:
      return of_body(Kind::velocity, 1);
    case SignalKind::body_omega:
      return of_body(Kind::angular_velocity, 2);
    case SignalKind::state:
      return {.kind = Kind::state, .component = place_of_state(builder, signal.item)};
  }
  return {};
}

template <class S>
Formula<S> formula_of(const MechanismBuilder<S>& builder, const SignalExpression& source,
                      const SourceLocation& where) {
  if (source.signals.size() > most_inputs)
    throw InputError(where,
                     fmt::format("a formula may use {} different quantities, this one uses {}",
                                 most_inputs, source.signals.size()));
  Formula<S> result{.expression = source.expression};
  for (const Signal& signal : source.signals)
    result.inputs.push_back(input_of(builder, signal, where));
  return result;
}

template <class S>
void add_states(MechanismBuilder<S>& builder) {
  for (const StateVariable& state : builder.model.states) {
    builder.info.states.push_back({state.name, state.unit});
    builder.info.position_names.push_back(state.name);
    builder.info.position_origins.push_back({state.name, Origin::Kind::state});
    builder.parts.states.push_back(formula_of(builder, state.rate, state.where));
  }
  const auto count = static_cast<int>(builder.model.states.size());
  builder.info.positions += count;
  builder.info.cache += count;
}

template <class S>
void add_events(MechanismBuilder<S>& builder) {
  for (const ModelEvent& event : builder.model.events) {
    EventInfo info{.name = event.name, .once = event.once, .stop = event.stop};
    Formula<S> condition;
    if (const auto* time = std::get_if<double>(&event.when))
      info.time = *time;
    else
      condition = formula_of(builder, std::get<SignalExpression>(event.when), event.where);
    for (const ForceSwitch& action : event.switches)
      info.turns.push_back({builder.find_switch(action.force), action.active});
    builder.info.events.push_back(info);
    builder.parts.conditions.push_back(condition);
  }
}

template Formula<Plane>::Input input_of(const MechanismBuilder<Plane>&, const Signal&,
                                        const SourceLocation&);
template Formula<Plane> formula_of(const MechanismBuilder<Plane>&, const SignalExpression&,
                                   const SourceLocation&);
template void add_states(MechanismBuilder<Plane>&);
template void add_events(MechanismBuilder<Plane>&);
template Formula<Space>::Input input_of(const MechanismBuilder<Space>&, const Signal&,
                                        const SourceLocation&);
template Formula<Space> formula_of(const MechanismBuilder<Space>&, const SignalExpression&,
                                   const SourceLocation&);
template void add_states(MechanismBuilder<Space>&);
template void add_events(MechanismBuilder<Space>&);

}  // namespace backlash
