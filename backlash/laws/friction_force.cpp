// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/friction_force.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

struct Named {
  std::string_view name;
  double value;
};

void require_above(Named higher, Named lower, std::string_view unit, std::string_view item) {
  if (higher.value > lower.value) return;
  throw InputError(fmt::format("{}: {} must be above {}, {} {}, is {}", item, higher.name,
                               lower.name, lower.value, unit, higher.value));
}

/// Of a friction that falls from a static to a kinetic value.
void require_falling(double static_friction, double kinetic_friction, std::string_view item) {
  if (static_friction >= kinetic_friction) return;
  throw InputError(
      fmt::format("{}: static friction must not be below the kinetic friction, {}, is {}", item,
                  kinetic_friction, static_friction));
}

void require_numbers(const Frictionless&, std::string_view) {}
void require_numbers(const Threlfall& f, std::string_view item) {
  require_not_negative(f.friction, fmt::format("{}: friction", item), "-");
  require_positive(f.speed, fmt::format("{}: speed of the friction", item), "m/s");
}
void require_numbers(const Ambrosio& f, std::string_view item) {
  require_not_negative(f.friction, fmt::format("{}: friction", item), "-");
  require_not_negative(f.lower_speed, fmt::format("{}: lower speed of the friction", item), "m/s");
  require_positive(f.higher_speed, fmt::format("{}: higher speed of the friction", item), "m/s");
  require_above({"higher speed of the friction", f.higher_speed}, {"the lower one", f.lower_speed},
                "m/s", item);
}
void require_numbers(const BengisuAkay& f, std::string_view item) {
  require_not_negative(f.static_friction, fmt::format("{}: static friction", item), "-");
  require_not_negative(f.kinetic_friction, fmt::format("{}: kinetic friction", item), "-");
  require_falling(f.static_friction, f.kinetic_friction, item);
  require_positive(f.speed, fmt::format("{}: speed of the friction", item), "m/s");
  require_not_negative(f.decay, fmt::format("{}: decay of the friction", item), "s/m");
}
void require_numbers(const AdamsStep& f, std::string_view item) {
  require_not_negative(f.static_friction, fmt::format("{}: static friction", item), "-");
  require_not_negative(f.kinetic_friction, fmt::format("{}: kinetic friction", item), "-");
  require_positive(f.stiction_speed, fmt::format("{}: stiction speed", item), "m/s");
  require_positive(f.friction_speed, fmt::format("{}: friction speed", item), "m/s");
  require_above({"friction speed", f.friction_speed}, {"the stiction speed", f.stiction_speed},
                "m/s", item);
}
void require_numbers(const LuGre& f, std::string_view item) {
  require_not_negative(f.static_friction, fmt::format("{}: static friction", item), "-");
  require_positive(f.kinetic_friction, fmt::format("{}: kinetic friction", item), "-");
  require_falling(f.static_friction, f.kinetic_friction, item);
  require_positive(f.stribeck_speed, fmt::format("{}: Stribeck speed", item), "m/s");
  require_positive(f.stiffness, fmt::format("{}: stiffness of the bristles", item), "1/m");
  require_not_negative(f.damping, fmt::format("{}: damping of the bristles", item), "s/m");
  require_not_negative(f.viscosity, fmt::format("{}: viscosity", item), "s/m");
}

double sliding(const Frictionless&) { return 0; }
double sliding(const Threlfall& f) { return coefficient(f, f.speed); }
double sliding(const Ambrosio& f) { return f.friction; }
double sliding(const BengisuAkay& f) { return f.kinetic_friction; }
double sliding(const AdamsStep& f) { return f.kinetic_friction; }
double sliding(const LuGre& f) { return f.kinetic_friction; }

}  // namespace

double sliding_friction(const FrictionForce& law) {
  return std::visit([](const auto& f) { return sliding(f); }, law);
}

void validate(const FrictionForce& law, std::string_view item) {
  std::visit([&](const auto& f) { require_numbers(f, item); }, law);
}

}  // namespace backlash
