// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <vector>

#include "backlash/base/types.h"

namespace backlash {

/// A vector or matrix that keeps its memory when it shrinks: a step may resize it as contacts come
/// and go without allocating. Otherwise it behaves as an Eigen map of itself.
template <class Plain>
class Buffer : public Eigen::Map<Plain> {
  using Base = Eigen::Map<Plain>;

 public:
  Buffer() : Base(nullptr, 0, Plain::ColsAtCompileTime == 1 ? 1 : 0) {}
  Buffer(const Buffer& other) : Buffer() { copy(other); }
  Buffer(Buffer&& other) noexcept : Buffer() { take(std::move(other)); }
  template <class Derived>
  Buffer(const Eigen::MatrixBase<Derived>& values) : Buffer() {  // NOLINT: implicit as in Eigen
    copy(values.derived());
  }

  Buffer& operator=(const Buffer& other) {
    if (this != &other) copy(other);
    return *this;
  }
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) take(std::move(other));
    return *this;
  }
  template <class Derived>
  Buffer& operator=(const Eigen::MatrixBase<Derived>& values) {
    copy(values.derived());
    return *this;
  }

  /// So that a later resize to as many entries allocates nothing.
  void reserve(Eigen::Index entries) {
    const auto needed = static_cast<std::size_t>(entries);
    if (needed <= memory_.size()) return;
    memory_.resize(needed);
    remap(this->rows(), this->cols());
  }
  /// The entries are undefined afterwards, unless the size is the same.
  void resize(Eigen::Index rows, Eigen::Index cols = 1) {
    const auto needed = static_cast<std::size_t>(rows * cols);
    if (needed > memory_.size()) memory_.resize(needed);
    remap(rows, cols);
  }

 private:
  void remap(Eigen::Index rows, Eigen::Index cols) {
    new (static_cast<Base*>(this)) Base(memory_.data(), rows, cols);
  }
  template <class Values>
  void copy(const Values& values) {
    resize(values.rows(), values.cols());
    Base::operator=(values);
  }
  void take(Buffer&& other) {
    const Eigen::Index rows = other.rows(), cols = other.cols();
    memory_ = std::move(other.memory_);
    remap(rows, cols);
    other.memory_.clear();
    other.remap(0, Plain::ColsAtCompileTime == 1 ? 1 : 0);
  }

  std::vector<double> memory_;
};

using VectorBuffer = Buffer<Vector>;
using MatrixBuffer = Buffer<Matrix>;

}  // namespace backlash
