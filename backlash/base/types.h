// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <Eigen/Core>

namespace backlash {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Parts of vectors and matrices, as arguments: read-only and writable.
using VectorView = Eigen::Ref<const Vector>;
using VectorRef = Eigen::Ref<Vector>;
using MatrixView = Eigen::Ref<const Matrix>;
using MatrixRef = Eigen::Ref<Matrix>;

/// A vector or matrix in memory that somebody else owns (an Arena, a Buffer).
using VectorMap = Eigen::Map<Vector>;
using MatrixMap = Eigen::Map<Matrix>;

/// An index of Eigen's as the standard library takes it.
inline std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

}  // namespace backlash
