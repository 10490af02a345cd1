// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/pushing_drives.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "backlash/base/decompositions.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Rows γ = Wᵀu + w of unit directions: those of the contacts' normals, then bilateral ones.
struct Rows {
  Matrix W;
  Vector w;
  Index contacts = 0;
};

Rows rows_of(const System& system, const Configuration& c, std::span<const ContactFrame> closed) {
  const SystemInfo& info = system.info();
  const auto m = static_cast<Index>(closed.size()), b = static_cast<Index>(info.bilaterals.size());
  Rows rows{Matrix::Zero(info.velocities, m + b), Vector::Zero(m + b), m};
  for (Index i = 0; i < m; ++i) {
    const ContactFrame& frame = closed[static_cast<std::size_t>(i)];
    const Index count = 1 + info.contacts[static_cast<std::size_t>(frame.key.pair)].tangents;
    Matrix W = Matrix::Zero(info.velocities, count);
    Vector w = Vector::Zero(count);
    system.write_contact_rows(c, frame, W, w);
    rows.W.col(i) = W.col(0);
    rows.w[i] = w[0];
  }
  system.bilateral_rows(c, rows.W.rightCols(b), rows.w.tail(b));
  for (Index i = 0; i < m + b; ++i) {
    const double size = rows.W.col(i).norm();
    if (!(size > 0)) continue;
    rows.W.col(i) /= size;
    rows.w[i] /= size;
  }
  return rows;
}

/// By how much rows are missed at the velocity that misses them least: contacts that would close
/// on, and all others (Newton's method on the sum of squares, which is piecewise quadratic).
Vector missed(const Rows& rows) {
  constexpr int most = 50;
  Vector u = Vector::Zero(rows.W.rows()), missed = Vector::Zero(rows.w.size());
  for (int k = 0; k < most; ++k) {
    const Vector gamma = rows.W.transpose() * u + rows.w;
    Matrix active = rows.W.transpose();
    Vector right = -rows.w;
    for (Index i = 0; i < gamma.size(); ++i) {
      const bool counts = i >= rows.contacts || gamma[i] < 0 || k == 0;
      missed[i] = counts ? gamma[i] : 0;
      if (counts) continue;
      active.row(i).setZero();
      right[i] = 0;
    }
    const Vector next = LeastSquares(active).solve(right);
    if ((next - u).norm() <= 1e-12 * (1 + u.norm()) && k > 0) break;
    u = next;
  }
  return missed;
}

/// "'a', 'b' and 'c'"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return text;
}

}  // namespace

std::string describe_contradiction(const System& system, const Configuration& c) {
  const SystemInfo& info = system.info();
  const Rows rows = rows_of(system, c, {});
  const double felt = 1e-6 * rows.w.lpNorm<Eigen::Infinity>();
  if (!(felt > 0)) return {};
  const Vector error = missed(rows);
  std::vector<std::string> names;
  bool driven = false;
  for (Index i = 0; i < error.size(); ++i) {
    const BilateralInfo& row = info.bilaterals[static_cast<std::size_t>(i)];
    if (!(std::abs(error[i]) > felt) || !(is_driven(row) || row.name.ends_with(".lock"))) continue;
    driven = driven || is_driven(row);
    names.push_back(row.name);
  }
  if (!driven) return {};
  if (names.size() == 1)
    return fmt::format("{} asks for a motion that the joints do not have", listed(names));
  return fmt::format("{} contradict each other: no motion fulfils {}", listed(names),
                     names.size() == 2 ? "both" : "all of them");
}

std::string describe_singular_drives(const System& system, const Configuration& c, double share) {
  const SystemInfo& info = system.info();
  const auto n = static_cast<Index>(info.bilaterals.size());
  Matrix W = Matrix::Zero(info.velocities, n);
  Vector w = Vector::Zero(n);
  system.bilateral_rows(c, W, w);
  for (std::size_t k = 0; k < info.angular.size(); ++k)  // angles as ways on the model's size
    if (info.angular[k]) W.row(static_cast<Index>(k)) /= info.length;
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) {
    const BilateralInfo& row = info.bilaterals[static_cast<std::size_t>(i)];
    if (!is_driven(row) || w[i] == 0) continue;
    Matrix others = W;
    others.col(i).setZero();
    const Vector left = W.col(i) - others * LeastSquares(others).solve(W.col(i));
    const double size = row.unit == GapUnit::radian ? info.length : 1;
    if (size * left.norm() < share) names.push_back(row.name);
  }
  if (names.empty()) return {};
  return fmt::format(
      "{} {} the loops to a position where they are stretched or folded, beyond which there is "
      "none "
      "that fulfils the joints",
      listed(names), names.size() == 1 ? "leads" : "lead");
}

std::string describe_pushing_drives(const System& system, const Configuration& c,
                                    std::span<const ContactFrame> closed) {
  const SystemInfo& info = system.info();
  const Rows rows = rows_of(system, c, closed);
  const double felt = 1e-6 * rows.w.lpNorm<Eigen::Infinity>();
  const Vector error = missed(rows);
  std::string drives, contacts;
  const auto append = [&](std::string& names, const std::string& name) {
    names += (names.empty() ? "" : ", ") + name;
  };
  for (Index i = 0; i < error.size(); ++i) {
    if (!(std::abs(error[i]) > felt)) continue;
    if (i < rows.contacts) {
      append(contacts, system.contact_name(closed[static_cast<std::size_t>(i)].key));
    } else {
      const BilateralInfo& row = info.bilaterals[static_cast<std::size_t>(i - rows.contacts)];
      if (row.origin.kind == Origin::Kind::drive) append(drives, fmt::format("'{}'", row.name));
    }
  }
  if (drives.empty() || contacts.empty()) return {};
  return fmt::format("{} pushes against the closed contacts {}, and nothing there can give way",
                     drives, contacts);
}

}  // namespace backlash
