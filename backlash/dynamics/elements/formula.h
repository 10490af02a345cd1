// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
      state              ///< a state variable, which the cache has behind the tree
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

}  // namespace backlash
