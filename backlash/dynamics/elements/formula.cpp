// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/formula.h"

#include <algorithm>

namespace backlash {
namespace {

double component(const PlainVec2& v, int i) { return i == 0 ? v.x() : i == 1 ? v.y() : 0; }
double component(double omega, int i) { return i == 2 ? omega : 0; }
double component(const Vec3& v, int i) { return v[i]; }

double angle(double rotation) { return rotation; }
double angle(const Quaternion& rotation) { return rotation_vector(rotation).norm(); }

}  // namespace

template <class S>
double read(const typename Formula<S>::Input& input, const Motion<S>& m, double t) {
  using Kind = typename Formula<S>::Input::Kind;
  const auto origin = [&] { return typename S::Vec(S::origin(m.pose(input.body))); };
  switch (input.kind) {
    case Kind::time:
      return t;
    case Kind::position:
      return value(input.coordinate, m);
    case Kind::rate:
      return rate(input.coordinate, m);
    case Kind::origin:
      return component(origin(), input.component);
    case Kind::velocity:
      return component(m.velocity(input.body, origin()), input.component);
    case Kind::angle:
      return angle(m.rotation(input.body));
    case Kind::angular_velocity:
      return component(m.angular_velocity(input.body), input.component);
    case Kind::state:
      return m.cache[input.component];
    case Kind::gap:
    case Kind::measured:  // of conditions alone
      break;
  }
  return 0;
}

template <class S>
double evaluate(const Formula<S>& formula, const Motion<S>& motion, double t) {
  return evaluate_inputs<S>(
      formula, [&](const typename Formula<S>::Input& input) { return read<S>(input, motion, t); });
}

template <class S>
double state_derivative(const Formula<S>& formula, const Motion<S>& motion, double t, int place) {
  using Input = typename Formula<S>::Input;
  const auto is_that = [&](const Input& input) {
    return input.kind == Input::Kind::state && input.component == place;
  };
  if (std::ranges::none_of(formula.inputs, is_that)) return 0;
  return evaluate_inputs<S, Jet>(formula,
                                 [&](const Input& input) {
                                   return Jet(read<S>(input, motion, t), is_that(input) ? 1 : 0, 0);
                                 })
      .first;
}

template double read(const Formula<Plane>::Input&, const Motion<Plane>&, double);
template double evaluate(const Formula<Plane>&, const Motion<Plane>&, double);
template double state_derivative(const Formula<Plane>&, const Motion<Plane>&, double, int);
template double read(const Formula<Space>::Input&, const Motion<Space>&, double);
template double evaluate(const Formula<Space>&, const Motion<Space>&, double);
template double state_derivative(const Formula<Space>&, const Motion<Space>&, double, int);

}  // namespace backlash
