// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/formula.h"

#include <array>

namespace backlash::planar {

double read(const Formula::Input& input, const Motion& m, double t) {
  using Kind = Formula::Input::Kind;
  const auto velocity = [&] {
    const Placement X = m.placement(input.body);
    return m.velocity(input.body, {X.x, X.y});
  };
  switch (input.kind) {
    case Kind::time:
      return t;
    case Kind::position:
      return value(input.coordinate, m);
    case Kind::rate:
      return rate(input.coordinate, m);
    case Kind::x:
      return m.placement(input.body).x;
    case Kind::y:
      return m.placement(input.body).y;
    case Kind::angle:
      return m.angle(input.body);
    case Kind::vx:
      return velocity().x();
    case Kind::vy:
      return velocity().y();
    case Kind::omega:
      return m.turning(input.body);
  }
  return 0;
}

double evaluate(const Formula& formula, const Motion& motion, double t) {
  if (formula.expression.is_constant()) return formula.expression.constant();
  std::array<double, most_inputs> values;
  const std::size_t n = formula.inputs.size();
  for (std::size_t i = 0; i < n && i < values.size(); ++i)
    values[i] = read(formula.inputs[i], motion, t);
  return formula.expression(std::span<const double>(values.data(), n));
}

}  // namespace backlash::planar
