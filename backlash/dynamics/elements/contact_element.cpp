// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/contact_element.h"

namespace backlash {
namespace {

/// A limit on a coordinate: it has no normal, and a point only for output.
template <class S>
std::optional<ContactKinematics<S>> touch_limit(const Coordinate<S>& c, double gap,
                                                const Motion<S>& m, double reach) {
  if (gap > reach) return std::nullopt;
  ContactKinematics<S> at;
  at.p_WA = at.p_WB = m.pose(c.b).point(c.p_BQ);
  at.t_W.fill(S::Vec::Zero());
  at.gap = gap;
  return at;
}
template <class S>
std::optional<ContactKinematics<S>> touch(const Stop<S>& k, const Motion<S>& m, double reach) {
  return touch_limit(k.coordinate, k.sign * (value(k.coordinate, m) - k.limit), m, reach);
}
template <class S>
std::optional<ContactKinematics<S>> touch(const OneWay<S>& k, const Motion<S>& m, double reach) {
  return touch_limit(k.coordinate, 0, m, reach);
}
template <class S>
std::optional<ContactKinematics<S>> touch(const ToothFlank<S>& k, const Motion<S>& m,
                                          double reach) {
  return touch_limit(k.coupling.second, k.gap + k.sign * value(k.coupling, m), m, reach);
}

template <class S>
bool is_angle(const Coordinate<S>& c) {
  return c.kind == Coordinate<S>::Kind::angle;
}
template <class S>
bool is_angle(const CoupledCoordinates<S>& c) {
  return is_angle(c.second);
}

/// Calls touching(a, b) for bodies that touch, or limit(coordinates, sign) for a limit.
template <class Kind, class Touching, class Limit>
auto either(const Kind& contact, Touching&& touching, Limit&& limit) {
  return std::visit(
      [&](const auto& k) {
        if constexpr (requires { k.coupling; })
          return limit(k.coupling, k.sign);
        else if constexpr (requires { k.coordinate; })
          return limit(k.coordinate, k.sign);
        else
          return touching(k.a, k.b);
      },
      contact);
}

}  // namespace

template <class S>
std::optional<ContactKinematics<S>> touch(const ContactKind<S>& contact, const Motion<S>& motion,
                                          double reach) {
  return std::visit([&](const auto& k) { return touch(k, motion, reach); }, contact);
}

template <class S>
void write_rows(const ContactKind<S>& contact, const ContactKinematics<S>& at, const Motion<S>& m,
                MatrixRef W) {
  either(
      contact,
      [&](int a, int b) {
        const auto add = [&](const typename S::Vec& direction, Eigen::Index column) {
          m.tree.add_force(m.cache, b, at.p_WB, direction, W.col(column));
          m.tree.add_force(m.cache, a, at.p_WA, -direction, W.col(column));
        };
        add(at.n_W, 0);
        for (Eigen::Index i = 1; i < W.cols(); ++i) add(at.t_W[static_cast<std::size_t>(i - 1)], i);
      },
      [&](const auto& coordinate, double sign) { add_direction(coordinate, m, sign, W.col(0)); });
}

template <class S>
Loads<S> loads(const ContactKind<S>& contact, const ContactKinematics<S>& at, const Motion<S>& m,
               const RowForces& forces) {
  Loads<S> all;
  either(
      contact,
      [&](int a, int b) {
        typename S::Vec force = forces[0] * at.n_W;
        for (std::size_t i = 0; i < at.t_W.size(); ++i) force += forces[i + 1] * at.t_W[i];
        all.add({.body = b, .p_W = at.p_WB, .force = force});
        all.add({.body = a, .p_W = at.p_WA, .force = -force});
      },
      [&](const auto& coordinate, double sign) {
        add_loads(coordinate, m, sign * forces[0], all);
      });
  return all;
}

template <class S>
RowRates rates(const ContactKind<S>& contact, const ContactKinematics<S>& at, const Motion<S>& m) {
  return either(
      contact,
      [&](int a, int b) {
        const typename S::Vec v = m.velocity(b, at.p_WB) - m.velocity(a, at.p_WA);
        RowRates all{at.n_W.dot(v)};
        for (std::size_t i = 0; i < at.t_W.size(); ++i) all[i + 1] = at.t_W[i].dot(v);
        return all;
      },
      [&](const auto& coordinate, double sign) { return RowRates{sign * rate(coordinate, m)}; });
}

template <class S>
RowRates rate_biases(const ContactKind<S>& contact, const ContactKinematics<S>& at,
                     const Motion<S>& m) {
  return either(
      contact, [&](auto a, auto b) { return rate_biases(at, a, b, m); },
      [&](const auto& coordinate, double sign) {
        return RowRates{sign * rate_bias(coordinate, m)};
      });
}

template <class S>
bool is_angular(const ContactKind<S>& contact) {
  return either(
      contact, [](int, int) { return false; },
      [](const auto& coordinate, double) { return is_angle(coordinate); });
}

template std::optional<ContactKinematics<Plane>> touch(const ContactKind<Plane>&,
                                                       const Motion<Plane>&, double);
template void write_rows(const ContactKind<Plane>&, const ContactKinematics<Plane>&,
                         const Motion<Plane>&, MatrixRef);
template Loads<Plane> loads(const ContactKind<Plane>&, const ContactKinematics<Plane>&,
                            const Motion<Plane>&, const RowForces&);
template RowRates rates(const ContactKind<Plane>&, const ContactKinematics<Plane>&,
                        const Motion<Plane>&);
template RowRates rate_biases(const ContactKind<Plane>&, const ContactKinematics<Plane>&,
                              const Motion<Plane>&);
template bool is_angular<Plane>(const ContactKind<Plane>&);
template std::optional<ContactKinematics<Space>> touch(const ContactKind<Space>&,
                                                       const Motion<Space>&, double);
template void write_rows(const ContactKind<Space>&, const ContactKinematics<Space>&,
                         const Motion<Space>&, MatrixRef);
template Loads<Space> loads(const ContactKind<Space>&, const ContactKinematics<Space>&,
                            const Motion<Space>&, const RowForces&);
template RowRates rates(const ContactKind<Space>&, const ContactKinematics<Space>&,
                        const Motion<Space>&);
template RowRates rate_biases(const ContactKind<Space>&, const ContactKinematics<Space>&,
                              const Motion<Space>&);
template bool is_angular<Space>(const ContactKind<Space>&);

}  // namespace backlash
