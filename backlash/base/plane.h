// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "backlash/base/types.h"

/// Vectors of the plane; angles turn counter-clockwise [rad].
namespace backlash {

inline constexpr double full_turn = 2 * std::numbers::pi;

inline Vec2 unit_vector(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// d turned by a quarter to the left, and to the right.
inline Vec2 left_of(const Vec2& d) { return {-d.y(), d.x()}; }
inline Vec2 right_of(const Vec2& d) { return {d.y(), -d.x()}; }

/// At the x axis.
inline Vec2 mirrored(const Vec2& d) { return {d.x(), -d.y()}; }

/// a × b, and ω × d, in the plane.
inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
inline Vec2 cross(double omega, const Vec2& d) { return {-omega * d.y(), omega * d.x()}; }

}  // namespace backlash
