// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/static_scales.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backlash/dynamics/statics.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// A configuration in which everything has moved a little.
Vector moved(const System& system, const Vector& q) {
  constexpr double little = 0.05;  // [rad], and of the model's length
  const SystemInfo& info = system.info();
  Vector change(info.velocities), next = q;
  for (Index i = 0; i < change.size(); ++i) {
    const bool angular = !info.angular.empty() && info.angular[at(i)];
    change[i] = little * (angular ? 1 : info.length) * (1 + 0.1 * static_cast<double>(i % 7));
  }
  system.advance(q, change, 1, next);
  return next;
}

/// Rows that are the same at both: of joints, and normals of rigid contacts.
std::vector<Vector> constant_rows(const Statics& here, const Statics& there) {
  std::vector<Vector> found;
  for (Index k = 0; k < here.bilateral_W.cols(); ++k)
    if (here.bilateral_W.col(k) == there.bilateral_W.col(k))
      found.emplace_back(here.bilateral_W.col(k));
  Index row = 0;
  for (std::size_t i = 0; i < here.rigid.size(); ++i) {
    Index other = 0;
    for (std::size_t k = 0; k < there.rigid.size(); ++k) {
      if (here.rigid[i].key == there.rigid[k].key &&
          here.rows.W.col(row) == there.rows.W.col(other))
        found.emplace_back(here.rows.W.col(row));
      other += rows(there.rows.laws[k]);
    }
    row += rows(here.rows.laws[i]);
  }
  return found;
}

/// Angles that a row makes faster than another coordinate may move faster by as much.
bool raise_scales(const Vector& row, const std::vector<bool>& angular, Vector& scales) {
  constexpr double least_raise = 1.0001, most = 1e6;
  bool raised = false;
  for (Index i = 0; i < row.size(); ++i) {
    if (row[i] == 0 || !angular[at(i)]) continue;
    double scale = scales[i];
    for (Index j = 0; j < row.size(); ++j)
      if (j != i && row[j] != 0) scale = std::max(scale, std::abs(row[j] / row[i]) * scales[j]);
    raised = raised || scale > least_raise * scales[i];
    scales[i] = std::min(scale, most);
  }
  return raised;
}

}  // namespace

Vector static_scales(const System& system, const State& start) {
  const SystemInfo& info = system.info();
  Vector scales = Vector::Constant(info.velocities, info.length);
  if (info.angular.empty()) return scales;
  for (Index i = 0; i < scales.size(); ++i)
    if (info.angular[at(i)]) scales[i] = 1;
  Statics here{}, there{};
  here.c = there.c = configuration(system, start);
  write_forces(system, start.q, info.length, here);
  write_forces(system, moved(system, start.q), 2 * info.length, there);
  const std::vector<Vector> couplings = constant_rows(here, there);
  for (Index pass = 0; pass < scales.size(); ++pass) {
    bool raised = false;
    for (const Vector& row : couplings) raised = raise_scales(row, info.angular, scales) || raised;
    if (!raised) break;
  }
  return scales;
}

}  // namespace backlash
