// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// Solves a tridiagonal system with equal off-diagonals, in place (Thomas).
void solve_tridiagonal(std::vector<double> diagonal, const std::vector<double>& off,
                       std::vector<double>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = off[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * off[i - 1];
    x[i] -= factor * x[i - 1];
  }
  for (std::size_t i = n; i-- > 0;)
    x[i] = (x[i] - (i + 1 < n ? off[i] * x[i + 1] : 0)) / diagonal[i];
}

double secant(const Table& t, std::size_t i) {
  return (t.y[i + 1] - t.y[i]) / (t.x[i + 1] - t.x[i]);
}

/// y″ at the points of the spline without curvature at its ends.
std::vector<double> natural_curvature(const Table& t) {
  const std::size_t n = t.x.size();
  std::vector<double> curvature(n, 0.0);
  if (n < 3) return curvature;
  std::vector<double> diagonal, off, x;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    diagonal.push_back(2 * (t.x[i + 1] - t.x[i - 1]));
    off.push_back(t.x[i + 1] - t.x[i]);
    x.push_back(6 * (secant(t, i) - secant(t, i - 1)));
  }
  solve_tridiagonal(std::move(diagonal), off, x);
  std::copy(x.begin(), x.end(), curvature.begin() + 1);
  return curvature;
}

/// y″ at the points of the closed spline; the cyclic corner by Sherman and Morrison's formula.
std::vector<double> periodic_curvature(const Table& t) {
  const std::size_t n = t.x.size() - 1;  // unknowns; the last point is the first
  if (n < 3) return std::vector<double>(n + 1, 0.0);
  const auto width = [&](std::size_t i) { return t.x[i % n + 1] - t.x[i % n]; };
  std::vector<double> diagonal(n), off(n), x(n), z(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = 2 * (width(i + n - 1) + width(i));
    off[i] = width(i);
    x[i] = 6 * (secant(t, i) - secant(t, (i + n - 1) % n));
  }
  const double corner = off[n - 1], pivot = -diagonal[0];
  diagonal[n - 1] -= corner * corner / pivot;
  diagonal[0] -= pivot;
  z[0] = pivot;
  z[n - 1] = corner;
  solve_tridiagonal(diagonal, off, x);
  solve_tridiagonal(diagonal, off, z);
  const double factor = (x[0] + corner * x[n - 1] / pivot) / (1 + z[0] + corner * z[n - 1] / pivot);
  for (std::size_t i = 0; i < n; ++i) x[i] -= factor * z[i];
  x.push_back(x[0]);
  return x;
}

}  // namespace

void validate(const Table& table, std::string_view item) {
  require_size(static_cast<Eigen::Index>(table.y.size()), static_cast<Eigen::Index>(table.x.size()),
               fmt::format("{}: the values of the table", item));
  if (table.x.size() < 2)
    throw InputError(
        fmt::format("{}: a table needs 2 points or more, has {}", item, table.x.size()));
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    require_finite(table.x[i], fmt::format("{}: point {} of the table", item, i + 1));
    require_finite(table.y[i], fmt::format("{}: value {} of the table", item, i + 1));
    if (i > 0 && !(table.x[i - 1] < table.x[i]))
      throw InputError(fmt::format("{}: the table's points must increase; {} follows {}", item,
                                   table.x[i], table.x[i - 1]));
  }
  require_finite(table.x.back() - table.x.front(), fmt::format("{}: the table's width", item));
  if (table.extension == Extension::periodic && table.y.front() != table.y.back())
    throw InputError(
        fmt::format("{}: a periodic table must end with the value that it begins with; "
                    "it begins with {} and ends with {}",
                    item, table.y.front(), table.y.back()));
}

TableFunction::TableFunction(Table table) : table_(std::move(table)) {
  validate(table_, "table");
  if (table_.interpolation == Interpolation::linear)
    curvature_.assign(table_.x.size(), 0.0);
  else if (table_.extension == Extension::periodic)
    curvature_ = periodic_curvature(table_);
  else
    curvature_ = natural_curvature(table_);
}

Jet TableFunction::jet(double x) const {
  const std::vector<double>&xs = table_.x, &ys = table_.y;
  const double first = xs.front(), last = xs.back();
  if (table_.extension == Extension::periodic)
    x -= std::floor((x - first) / (last - first)) * (last - first);
  const double inside = std::clamp(x, first, last);
  const auto above = std::upper_bound(xs.begin() + 1, xs.end() - 1, inside);
  const auto i = static_cast<std::size_t>(above - xs.begin()) - 1;
  const double h = xs[i + 1] - xs[i], b = (inside - xs[i]) / h, a = 1 - b;
  const double ya = curvature_[i], yb = curvature_[i + 1];
  const Jet here{
      a * ys[i] + b * ys[i + 1] + ((a * a * a - a) * ya + (b * b * b - b) * yb) * h * h / 6,
      (ys[i + 1] - ys[i]) / h + ((1 - 3 * a * a) * ya + (3 * b * b - 1) * yb) * h / 6,
      a * ya + b * yb};
  if (inside == x) return here;
  if (table_.extension == Extension::linear)
    return {here.value + here.first * (x - inside), here.first, 0};
  return here.value;
}

}  // namespace backlash
