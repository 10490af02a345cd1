// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_formulas.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::planar {

Formula::Input input_of(const MechanismBuilder& builder, const Signal& signal,
                        const SourceLocation& where) {
  using Kind = Formula::Input::Kind;
  const auto of_joint = [&](Kind kind) {
    return Formula::Input{kind, coordinate_of(builder, signal.item, signal.coordinate, where)};
  };
  const auto of_body = [&](Kind kind) {
    return Formula::Input{.kind = kind, .body = builder.tree.find(builder.model, signal.item)};
  };
  switch (signal.kind) {
    case SignalKind::time:
      return {};
    case SignalKind::joint_position:
      return of_joint(Kind::position);
    case SignalKind::joint_velocity:
      return of_joint(Kind::rate);
    case SignalKind::body_x:
      return of_body(Kind::x);
    case SignalKind::body_y:
      return of_body(Kind::y);
    case SignalKind::body_angle:
      return of_body(Kind::angle);
    case SignalKind::body_vx:
      return of_body(Kind::vx);
    case SignalKind::body_vy:
      return of_body(Kind::vy);
    case SignalKind::body_omega:
      return of_body(Kind::omega);
  }
  return {};
}

Formula formula_of(const MechanismBuilder& builder, const SignalExpression& source,
                   const SourceLocation& where) {
  if (source.signals.size() > most_inputs)
    throw InputError(fmt::format("{}: a formula may use {} different quantities, this one uses {}",
                                 to_string(where), most_inputs, source.signals.size()));
  Formula result{.expression = source.expression};
  for (const Signal& signal : source.signals)
    result.inputs.push_back(input_of(builder, signal, where));
  return result;
}

void add_events(MechanismBuilder& builder) {
  for (const ModelEvent& event : builder.model.events) {
    EventInfo info{.name = event.name, .once = event.once, .stop = event.stop};
    Formula condition;
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

}  // namespace backlash::planar
