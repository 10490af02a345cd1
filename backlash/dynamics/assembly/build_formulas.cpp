// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_formulas.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {

namespace {

/// Where the cache has it: behind what the tree keeps there.
template <class S>
int place_of_state(const MechanismBuilder<S>& builder, const std::string& name) {
  const StateVariable* state = find_state(builder.model, name);
  return static_cast<int>(builder.parts.tree.cache_size() +
                          static_cast<Eigen::Index>(builder.parts.numbers.size()) +
                          (state - builder.model.states.data()));
}

/// Before the states: numbers that events set.
template <class S>
int place_of_number(const MechanismBuilder<S>& builder, const std::string& name) {
  const int item = builder.find_switch(Origin::Kind::none, name);
  const auto place = std::ranges::find(builder.parts.numbers, item) - builder.parts.numbers.begin();
  return static_cast<int>(builder.parts.tree.cache_size() + place);
}

Origin::Kind switch_kind(EventAction::Kind kind) {
  constexpr Origin::Kind kinds[] = {Origin::Kind::force, Origin::Kind::contact_pair,
                                    Origin::Kind::drive, Origin::Kind::joint, Origin::Kind::none};
  return kinds[static_cast<std::size_t>(kind)];
}

/// How an item is at the start.
SwitchInfo switch_info(const Model& model, const EventAction& action) {
  using Kind = EventAction::Kind;
  SwitchInfo info{.name = action.item, .on = true, .kind = switch_kind(action.kind)};
  if (action.kind == Kind::force) info.on = find_force(model, action.item)->active;
  if (action.kind == Kind::contact) info.on = find_contact(model, action.item)->active;
  if (action.kind == Kind::lock) info.on = false;
  if (action.kind == Kind::parameter) info.number = find_parameter(model, action.item)->value;
  return info;
}

/// The row of a joint's lock, or else of its drive.
template <class S>
int load_row(const MechanismBuilder<S>& builder, const std::string& joint,
             const SourceLocation& where) {
  const int row = builder.find_load_row(joint);
  if (row < 0)
    throw InputError(where,
                     fmt::format("joint '{0}' has no lock and no drive, whose load '{0}.load' "
                                 "is; lock it by an event, or watch '{0}.force'",
                                 joint));
  return row;
}

/// A signal that conditions of events alone may use.
template <class S>
std::optional<Measure> measure_of(const MechanismBuilder<S>& builder, const Signal& signal,
                                  const SourceLocation& where) {
  const auto joint = [&] { return builder.find_owner(*find_joint(builder.model, signal.item)); };
  const auto entry = [&] {
    return static_cast<int>(find_contact(builder.model, signal.item) -
                            builder.model.contacts.data());
  };
  switch (signal.kind) {
    case SignalKind::contact_force:
      return Measure{Measure::Kind::contact, entry()};
    case SignalKind::joint_force:
      return Measure{Measure::Kind::reaction_force, joint()};
    case SignalKind::joint_torque:
      return Measure{Measure::Kind::reaction_torque, joint()};
    case SignalKind::joint_load:
      return Measure{Measure::Kind::row, load_row(builder, signal.item, where)};
    default:
      return std::nullopt;
  }
}

/// A condition, whose forces become measures of the mechanism.
template <class S>
Formula<S> condition_of(MechanismBuilder<S>& builder, const ModelEvent& event, EventInfo& info) {
  using Input = typename Formula<S>::Input;
  const auto& source = std::get<SignalExpression>(event.when);
  Formula<S> result{.expression = source.expression};
  for (const Signal& signal : source.signals) {
    const std::optional<Measure> measure = measure_of(builder, signal, event.where);
    if (!measure) {
      result.inputs.push_back(input_of(builder, signal, event.where));
      continue;
    }
    info.measured = true;
    result.inputs.push_back(
        Input{.kind = Input::Kind::measured, .component = builder.info.measured++});
    builder.parts.measures.push_back(*measure);
  }
  return result;
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
    case SignalKind::own_length:  // of the force that the formula belongs to, who knows it
    case SignalKind::own_rate:
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
    case SignalKind::parameter:
      return {.kind = Kind::state, .component = place_of_number(builder, signal.item)};
    case SignalKind::contact_gap:
      return {.kind = Kind::gap,
              .component = static_cast<int>(find_contact(builder.model, signal.item) -
                                            builder.model.contacts.data())};
    case SignalKind::contact_force:
    case SignalKind::joint_force:
    case SignalKind::joint_torque:
    case SignalKind::joint_load:
      throw InputError(where,
                       fmt::format("'{}': forces that act while the model moves are known to "
                                   "conditions of events alone",
                                   to_string(signal)));
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
void add_switches(MechanismBuilder<S>& builder) {
  using Kind = EventAction::Kind;
  for (const ModelEvent& event : builder.model.events)
    for (const EventAction& action : event.actions) {
      const auto item = static_cast<int>(builder.info.switches.size());
      if (builder.find_switch(switch_kind(action.kind), action.item) >= 0) continue;
      builder.info.switches.push_back(switch_info(builder.model, action));
      if (action.kind == Kind::drive || action.kind == Kind::lock)  // where it was turned on
        builder.info.switches.push_back({.name = "", .kind = Origin::Kind::none, .number = 0});
      if (action.kind == Kind::parameter) builder.parts.numbers.push_back(item);
    }
  for (const ContactPair& pair : builder.model.contacts)
    if (!pair.active && builder.find_switch(Origin::Kind::contact_pair, pair.name) < 0)
      builder.info.switches.push_back(
          {.name = pair.name, .on = false, .kind = Origin::Kind::contact_pair});
  builder.info.cache += static_cast<int>(builder.parts.numbers.size());
}

template <class S>
void add_events(MechanismBuilder<S>& builder) {
  for (const ModelEvent& event : builder.model.events) {
    EventInfo info{.name = event.name, .once = event.once, .stop = event.stop};
    Formula<S> condition;
    if (const auto* time = std::get_if<double>(&event.when))
      info.time = *time;
    else if (const auto* other = std::get_if<std::string>(&event.when))
      info.after = find_event(builder.model, *other);
    else
      condition = condition_of(builder, event, info);
    for (const EventAction& action : event.actions)
      info.turns.push_back(
          {builder.find_switch(switch_kind(action.kind), action.item), action.on, action.value});
    builder.info.events.push_back(info);
    builder.parts.conditions.push_back(condition);
  }
}

template Formula<Plane>::Input input_of(const MechanismBuilder<Plane>&, const Signal&,
                                        const SourceLocation&);
template Formula<Plane> formula_of(const MechanismBuilder<Plane>&, const SignalExpression&,
                                   const SourceLocation&);
template void add_states(MechanismBuilder<Plane>&);
template void add_switches(MechanismBuilder<Plane>&);
template void add_events(MechanismBuilder<Plane>&);
template Formula<Space>::Input input_of(const MechanismBuilder<Space>&, const Signal&,
                                        const SourceLocation&);
template Formula<Space> formula_of(const MechanismBuilder<Space>&, const SignalExpression&,
                                   const SourceLocation&);
template void add_states(MechanismBuilder<Space>&);
template void add_switches(MechanismBuilder<Space>&);
template void add_events(MechanismBuilder<Space>&);

}  // namespace backlash
