// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

#include "backlash/laws/normal_force.h"

/// Regularised friction of compliant contact: a force −μ(v) N against the sliding velocity v, with
/// a coefficient that goes through zero with v (theory 9.15). None of these but LuGre holds a load
/// at rest: it creeps.
namespace backlash {

struct Frictionless {};

/// Threlfall 1978: an exponential up to the speed v_r, and level from there on, at 0.9502 μ
/// (theory 9.16).
struct Threlfall {
  double friction = 0;  ///< μ ≥ 0
  double speed = 0;     ///< v_r > 0 [m/s]
};

/// Ambrósio 2003: nothing up to v_0, a straight line up to v_1, then μ (theory 9.17).
struct Ambrosio {
  double friction = 0;      ///< μ ≥ 0
  double lower_speed = 0;   ///< v_0 ≥ 0 [m/s]
  double higher_speed = 0;  ///< v_1 > v_0 [m/s]
};

/// Bengisu and Akay 1994: a parabola up to μ_s at v_0, then an exponential fall towards μ_k
/// (theory 9.18).
struct BengisuAkay {
  double static_friction = 0;   ///< μ_s ≥ μ_k
  double kinetic_friction = 0;  ///< μ_k ≥ 0
  double speed = 0;             ///< v_0 > 0 [m/s]
  double decay = 0;             ///< ξ ≥ 0 [s/m]
};

/// The friction of contacts in ADAMS: cubic steps up to μ_s at v_s and on to μ_d at v_d
/// (theory 9.19).
struct AdamsStep {
  double static_friction = 0;   ///< μ_s ≥ 0
  double kinetic_friction = 0;  ///< μ_d ≥ 0
  double stiction_speed = 0;    ///< v_s > 0 [m/s]
  double friction_speed = 0;    ///< v_d > v_s [m/s]
};

/// Canudas de Wit, Olsson, Åström and Lischinsky 1995: bristles that bend by z, which all numbers
/// relate to the normal force, so that z stays within μ_s/σ_0 however it varies (theory 9.20).
struct LuGre {
  double static_friction = 0;   ///< μ_s ≥ μ_k
  double kinetic_friction = 0;  ///< μ_k > 0
  double stribeck_speed = 0;    ///< v_S > 0 [m/s]
  double stiffness = 0;         ///< σ_0 > 0, of the bristles per newton of normal force [1/m]
  double damping = 0;           ///< σ_1 ≥ 0, of the bristles [s/m]
  double viscosity = 0;         ///< σ_2 ≥ 0 [s/m]
};

/// All frictions. A new one is added here and in the functions below.
using FrictionForce =
    std::variant<Frictionless, Threlfall, Ambrosio, BengisuAkay, AdamsStep, LuGre>;

struct FrictionOutcome {
  double force = 0;       ///< along v, so that force · v ≤ 0 but for LuGre's springing back [N]
  double state_rate = 0;  ///< ż [m/s]
};

/// μ at the speed |v| ≥ 0, of those that have no state.
inline double coefficient(const Frictionless&, double) { return 0; }
inline double coefficient(const Threlfall& f, double speed) {
  return f.friction * -std::expm1(-3 * std::min(1.0, speed / f.speed));
}
inline double coefficient(const Ambrosio& f, double speed) {
  const double share = (speed - f.lower_speed) / (f.higher_speed - f.lower_speed);
  return f.friction * std::clamp(share, 0.0, 1.0);
}
inline double coefficient(const BengisuAkay& f, double speed) {
  const double beyond = speed - f.speed;
  if (beyond < 0) return f.static_friction * (1 - beyond * beyond / (f.speed * f.speed));
  return f.kinetic_friction +
         (f.static_friction - f.kinetic_friction) * std::exp(-f.decay * beyond);
}
inline double coefficient(const AdamsStep& f, double speed) {
  if (speed < f.stiction_speed)
    return cubic_step(speed, -f.stiction_speed, -f.static_friction, f.stiction_speed,
                      f.static_friction);
  return cubic_step(speed, f.stiction_speed, f.static_friction, f.friction_speed,
                    f.kinetic_friction);
}

template <class Friction>
FrictionOutcome outcome(const Friction& f, double velocity, double normal, double) {
  return {.force = -std::copysign(coefficient(f, std::abs(velocity)) * normal, velocity)};
}
inline FrictionOutcome outcome(const LuGre& f, double velocity, double normal, double state) {
  const double ratio = velocity / f.stribeck_speed;
  const double level = f.kinetic_friction +
                       (f.static_friction - f.kinetic_friction) * std::exp(-ratio * ratio);  // g(v)
  const double rate = velocity - f.stiffness * std::abs(velocity) / level * state;
  return {.force = -normal * (f.stiffness * state + f.damping * rate + f.viscosity * velocity),
          .state_rate = rate};
}

/// The friction at the sliding velocity v [m/s] under the normal force N ≥ 0 [N]; z [m] is the
/// state of those that have one. A contact begins with z = 0.
inline FrictionOutcome friction(const FrictionForce& law, double velocity, double normal,
                                double state) {
  if (std::holds_alternative<Frictionless>(law)) return {};
  return std::visit([&](const auto& f) { return outcome(f, velocity, normal, state); }, law);
}

/// μ of fast sliding, LuGre's without its viscosity.
double sliding_friction(const FrictionForce& law);

/// The most that the coefficient of friction is at any speed; without bound for LuGre's bristles.
inline double greatest_friction(const Frictionless&) { return 0; }
inline double greatest_friction(const Threlfall& f) { return f.friction; }
inline double greatest_friction(const Ambrosio& f) { return f.friction; }
inline double greatest_friction(const BengisuAkay& f) { return f.static_friction; }
inline double greatest_friction(const AdamsStep& f) {
  return std::max(f.static_friction, f.kinetic_friction);
}
inline double greatest_friction(const LuGre&) { return INFINITY; }
inline double greatest_friction(const FrictionForce& law) {
  return std::visit([](const auto& f) { return greatest_friction(f); }, law);
}

/// Up to this speed a contact counts as sticking: where the friction has not yet come to its level,
/// or for LuGre where it has not yet fallen from it [m/s].
inline double holding_speed(const Frictionless&) { return 0; }
inline double holding_speed(const Threlfall& f) { return f.speed; }
inline double holding_speed(const Ambrosio& f) { return f.higher_speed; }
inline double holding_speed(const BengisuAkay& f) { return f.speed; }
inline double holding_speed(const AdamsStep& f) { return f.stiction_speed; }
inline double holding_speed(const LuGre& f) { return f.stribeck_speed; }
inline double holding_speed(const FrictionForce& law) {
  return std::visit([](const auto& f) { return holding_speed(f); }, law);
}

/// How many states a contact with this friction carries: 0 or 1.
inline int friction_states(const FrictionForce& law) {
  return std::holds_alternative<LuGre>(law) ? 1 : 0;
}

/// Throw InputError unless the numbers make sense; `item` names the contact in the message.
void validate(const FrictionForce& law, std::string_view item);

}  // namespace backlash
