// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/equilibrium_stability.h"

#include <algorithm>

#include "backlash/base/decompositions.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr double held_part = 1 - 1e-9;  ///< of its limit, up to which friction holds for sure

/// Whether friction is at its limit that one of the moves Z slides against: the least more sets it
/// in motion. Where others hold, what one contact of several carries means nothing.
bool has_friction_at_limit(const Statics& s, const Vector& loads, const Matrix& Z) {
  constexpr double rounding = 1e-9;
  const auto slides = [&](Index row) {
    const auto w = s.rows.W.col(row);
    return Z.cols() > 0 && (Z.transpose() * w).norm() > rounding * w.norm();
  };
  Index row = 0;
  for (const Law& law : s.rows.laws) {
    const auto load = loads.segment(row, rows(law));
    const auto* coulomb = std::get_if<Coulomb>(&law);
    const auto* relay = std::get_if<Relay>(&law);
    const bool at_limit =
        coulomb ? load[0] > 0 &&
                      load.tail(coulomb->tangents).norm() >= held_part * coulomb->friction * load[0]
                : relay && relay->limit > 0 && load.norm() >= held_part * relay->limit;
    for (Index i = coulomb ? 1 : 0; at_limit && i < rows(law); ++i)
      if (slides(row + i)) return true;
    row += rows(law);
  }
  return false;
}

/// The rows that do not give way: bilateral ones, contacts that push, friction that holds.
Matrix active_rows(const Statics& s, const Vector& loads) {
  std::vector<Index> active;
  Index row = 0;
  for (const Law& law : s.rows.laws) {
    const auto load = loads.segment(row, rows(law));
    const auto* coulomb = std::get_if<Coulomb>(&law);
    const auto* relay = std::get_if<Relay>(&law);
    if (!relay && load[0] > 0) active.push_back(row);
    const bool sticks =
        coulomb && load[0] > 0 &&
        load.tail(coulomb->tangents).norm() < held_part * coulomb->friction * load[0];
    if (sticks)
      for (int i = 1; i <= coulomb->tangents; ++i) active.push_back(row + i);
    if (relay && load.norm() < held_part * relay->limit) active.push_back(row);
    row += rows(law);
  }
  const Index fixed = s.bilateral_W.cols();
  Matrix W(s.bilateral_W.rows(), fixed + static_cast<Index>(active.size()));
  W.leftCols(fixed) = s.bilateral_W;
  for (std::size_t i = 0; i < active.size(); ++i)
    W.col(fixed + static_cast<Index>(i)) = s.rows.W.col(active[i]);
  return W;
}

}  // namespace

std::string_view name(Stability stability) {
  switch (stability) {
    case Stability::held:
      return "held";
    case Stability::stable:
      return "stable";
    case Stability::indifferent:
      return "indifferent";
    case Stability::unstable:
      return "unstable";
  }
  return "";
}

Matrix free_moves(const Matrix& W) { return null_space(W, 1e-9); }

Matrix free_moves(const Statics& s, const Vector& loads) {
  return free_moves(active_rows(s, loads));
}

double fastest_rate(const Statics& s) {
  return (s.stiffness.diagonal().cwiseAbs().array() / s.mass.diagonal().array()).maxCoeff();
}

StabilityVerdict judge_stability(const Statics& s, const Vector& loads) {
  const Matrix Z = free_moves(s, loads);
  StabilityVerdict verdict{.friction_at_limit = has_friction_at_limit(s, loads, Z)};
  if (Z.cols() == 0) return verdict;
  const Matrix K = Z.transpose() * s.stiffness * Z, M = Z.transpose() * s.mass * Z;
  const double rounding = 1e-8 * std::max(fastest_rate(s), 1e-30);
  const auto [least, shape] = least_mode(K, M);
  verdict.stability = least > rounding ? Stability::stable : Stability::indifferent;
  if (least >= -rounding) return verdict;
  verdict.stability = Stability::unstable;
  verdict.escape = Z * shape;
  return verdict;
}

}  // namespace backlash
