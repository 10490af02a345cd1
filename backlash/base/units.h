// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/expression_code.h"

namespace backlash {

/// Powers of kg, m, s, rad, cycle and A that make a quantity. Angles are distinguished from plain
/// numbers, and cycles (Hz) from both, so that 50 Hz is never taken for 50 rad/s.
struct Dimension {
  double kg = 0, m = 0, s = 0, rad = 0, cycle = 0, A = 0;
  bool operator==(const Dimension&) const = default;
};

Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, double exponent);

namespace dimensions {
inline constexpr Dimension none{}, mass{.kg = 1}, length{.m = 1}, time{.s = 1}, angle{.rad = 1},
    area{.m = 2}, velocity{.m = 1, .s = -1}, acceleration{.m = 1, .s = -2},
    angular_velocity{.s = -1, .rad = 1}, frequency{.s = -1, .cycle = 1},
    force{.kg = 1, .m = 1, .s = -2}, torque{.kg = 1, .m = 2, .s = -2}, stiffness{.kg = 1, .s = -2},
    torsional_stiffness{.kg = 1, .m = 2, .s = -2, .rad = -1}, damping{.kg = 1, .s = -1},
    torsional_damping{.kg = 1, .m = 2, .s = -1, .rad = -1}, inertia{.kg = 1, .m = 2},
    density{.kg = 1, .m = -3}, rate{.s = -1};
}  // namespace dimensions

/// Whether a value found may stand where another is expected: equal up to radians, which are
/// written or left out as users like; but a pure angle is no plain number.
bool fits(const Dimension& found, const Dimension& expected);

/// "length", "angular velocity", …; for one without a name its SI unit.
std::string dimension_name(const Dimension& dimension);

/// "m", "N/m", "kg m^2/s", …; empty for plain numbers.
std::string si_unit(const Dimension& dimension);

/// "a length", "an angle", "a plain number", …
std::string dimension_phrase(const Dimension& dimension);

struct Unit {
  double factor = 1;  ///< SI value of one such unit
  Dimension dimension{};
  std::size_t length = 0;  ///< characters read
};

/// The unit at the beginning of the text: names joined by spaces, '*', '/', '^' and parentheses; a
/// '*' or '/' with spaces about it, or before a name that is no unit, ends it. Throws InputError,
/// with the nearest name, if no unit stands there.
Unit read_unit(std::string_view text);

/// The dimension of what a formula computes, or nothing where bare numbers leave it open (they are
/// SI values of whatever is expected). `tags` are the dimensions that literals refer to by their
/// index, `variables` those of the variables. Throws ExpressionError where unlike things are added,
/// compared, or given to a function of plain numbers.
std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const std::optional<Dimension>> variables);

/// Name and meaning of the basic units, for the reference.
struct UnitName {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool prefixes;  ///< n, u, m, c, d, k, M and G may stand before it
};
std::span<const UnitName> unit_table();

}  // namespace backlash
