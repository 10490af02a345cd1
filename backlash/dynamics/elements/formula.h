// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/dynamics/kernel/coordinate.h"

namespace backlash {

/// A formula whose variables are read off the motion.
template <class S>
struct Formula {
  /// What one variable is.
  struct Input {
    enum class Kind {
      time,
      position,          ///< of a coordinate
      rate,              ///< of a coordinate
      origin,            ///< of a body's frame, in the world [m]
      velocity,          ///< of that point [m/s]
      angle,             ///< of a body in the plane [rad]
      angular_velocity,  ///< in the plane the component 2 [rad/s]
      state,    ///< a state variable or a number that events set: behind the tree in the cache
      gap,      ///< of a contact, in conditions of events alone [m]
      measured  ///< Configuration::measured, likewise
    };
    Kind kind = Kind::time;
    Coordinate<S> coordinate{};
    int body = -1;
    int component = 0;  ///< of a vector: 0, 1, 2 for x, y, z; of the cache: where the state is
  };
  Expression expression{};
  std::vector<Input> inputs{};
};

/// Most variables that a formula may have.
inline constexpr std::size_t most_inputs = 16;

/// What an input is now.
template <class S>
double read(const typename Formula<S>::Input& input, const Motion<S>& motion, double t);

template <class S>
double evaluate(const Formula<S>& formula, const Motion<S>& motion, double t);

/// Its derivative by the state variable that has this place in the cache.
template <class S>
double state_derivative(const Formula<S>& formula, const Motion<S>& motion, double t, int place);

/// With inputs as read_input(input) gives them: numbers, or Jets for a derivative.
template <class S, class Number = double, class ReadInput>
Number evaluate_inputs(const Formula<S>& formula, const ReadInput& read_input) {
  if (formula.expression.is_constant()) return formula.expression.constant();
  std::array<Number, most_inputs> values;
  const std::size_t n = formula.inputs.size();
  for (std::size_t i = 0; i < n && i < values.size(); ++i)
    values[i] = read_input(formula.inputs[i]);
  return formula.expression(std::span<const Number>(values.data(), n));
}

}  // namespace backlash
