// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "backlash/base/types.h"

namespace backlash {

/// A vector of the plane as two plain numbers, which a compiler keeps in registers. (Eigen reads
/// the two numbers of a Vec2 at once: where they were just written one by one, that stalls the
/// processor for longer than the arithmetic of a small mechanism takes.)
class PlainVec2 {
 public:
  constexpr PlainVec2() = default;
  constexpr PlainVec2(double x, double y) : x_(x), y_(y) {}
  PlainVec2(const Vec2& v) : x_(v.x()), y_(v.y()) {}
  PlainVec2(const PlainVec2&) = default;
  PlainVec2& operator=(const PlainVec2& v) {  // by default it would copy the two at once
    x_ = v.x_;
    y_ = v.y_;
    return *this;
  }
  operator Vec2() const { return {x_, y_}; }

  static constexpr PlainVec2 Zero() { return {}; }
  static constexpr PlainVec2 UnitX() { return {1, 0}; }
  static constexpr PlainVec2 UnitY() { return {0, 1}; }

  constexpr double x() const { return x_; }
  constexpr double y() const { return y_; }
  double dot(const PlainVec2& v) const { return x_ * v.x_ + y_ * v.y_; }
  double squaredNorm() const { return x_ * x_ + y_ * y_; }
  double norm() const { return std::sqrt(squaredNorm()); }

  PlainVec2 operator-() const { return {-x_, -y_}; }
  PlainVec2& operator+=(const PlainVec2& v) {
    x_ += v.x_;
    y_ += v.y_;
    return *this;
  }
  friend PlainVec2 operator+(const PlainVec2& a, const PlainVec2& b) {
    return {a.x_ + b.x_, a.y_ + b.y_};
  }
  friend PlainVec2 operator-(const PlainVec2& a, const PlainVec2& b) {
    return {a.x_ - b.x_, a.y_ - b.y_};
  }
  friend PlainVec2 operator*(double f, const PlainVec2& v) { return {f * v.x_, f * v.y_}; }
  friend PlainVec2 operator/(const PlainVec2& v, double f) { return {v.x_ / f, v.y_ / f}; }

 private:
  double x_ = 0, y_ = 0;
};

}  // namespace backlash
