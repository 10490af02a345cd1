// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/dynamics/kernel/motion.h"

namespace backlash {

/// What else is needed for an angle: nothing in the plane; in space its axis, and two directions
/// that coincide where it is zero.
template <class S>
struct AngleMeasure;
template <>
struct AngleMeasure<Plane> {};
template <>
struct AngleMeasure<Space> {
  Vec3 axis_A = Vec3::UnitZ();                   ///< unit, on a
  Vec3 zero_A = Vec3::UnitX(), zero_B = zero_A;  ///< unit, across the axis, on a and on b
  int carried = -1;  ///< the body whose joint of the tree has this angle, which counts turns then
};

/// How far body b has rotated against body a, or moved along an axis of a, the coordinate of a
/// joint whether the joint is in the tree or closes a loop; or how far a point of b is from one of
/// a.
template <class S>
struct Coordinate {
  using Vec = typename S::Vec;
  enum class Kind { angle, displacement, distance };
  Kind kind = Kind::angle;
  int a = -1, b = -1;         ///< bodies of the tree; −1: the ground
  Vec p_AP = Vec::Zero();     ///< of lengths: where they are counted from, on a [m]
  Vec p_BQ = Vec::Zero();     ///< of lengths: the point that moves, on b [m]
  Vec axis_A = Vec::UnitX();  ///< of a displacement: unit, on a
  AngleMeasure<S> measure{};  ///< of an angle
  double zero = 0;            ///< is subtracted [rad] or [m]
};

/// Whether the coordinate goes on after a turn. In space an angle does so only in a joint of the
/// tree; others are between −π and π.
inline bool counts_turns(const Coordinate<Plane>&) { return true; }
inline bool counts_turns(const Coordinate<Space>& coordinate) {
  return coordinate.kind != Coordinate<Space>::Kind::angle || coordinate.measure.carried >= 0;
}

template <class S>
double value(const Coordinate<S>& coordinate, const Motion<S>& motion);  ///< [rad] or [m]
/// How far the coordinate is from a value it should have; by the shorter way round, where turns do
/// not count.
template <class S>
double deviation(const Coordinate<S>& coordinate, const Motion<S>& motion, double from);
template <class S>
double rate(const Coordinate<S>& coordinate, const Motion<S>& motion);  ///< [rad/s] or [m/s]
/// The rate of the rate while u̇ = 0.
template <class S>
double rate_bias(const Coordinate<S>& coordinate, const Motion<S>& motion);

/// w += factor × direction of the rate.
template <class S>
void add_direction(const Coordinate<S>& coordinate, const Motion<S>& motion, double factor,
                   VectorRef w);

/// second = ratio × first + constant: gears, rack and pinion.
template <class S>
struct CoupledCoordinates {
  Coordinate<S> first{}, second{};
  double ratio = 1;
  double constant = 0;
};

/// second − ratio × first − constant, in the unit of the second.
template <class S>
double value(const CoupledCoordinates<S>& coupling, const Motion<S>& motion);
template <class S>
double rate(const CoupledCoordinates<S>& coupling, const Motion<S>& motion);
template <class S>
double rate_bias(const CoupledCoordinates<S>& coupling, const Motion<S>& motion);
template <class S>
void add_direction(const CoupledCoordinates<S>& coupling, const Motion<S>& motion, double factor,
                   VectorRef w);

/// A force or moment along the coordinate, on b with the opposite on a.
template <class S>
void add_loads(const Coordinate<S>& coordinate, const Motion<S>& motion, double strength,
               Loads<S>& loads);
template <class S>
void add_loads(const CoupledCoordinates<S>& coupling, const Motion<S>& motion, double strength,
               Loads<S>& loads);

/// Adds what acts along a coordinate to the forces about the bodies' reference points.
template <class S>
void add_force(const Coordinate<S>& coordinate, const Motion<S>& motion, double strength,
               std::span<Wrench<S>> forces);

}  // namespace backlash
