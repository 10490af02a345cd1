// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/report/thinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backlash {
namespace {

Rows all_rows(std::size_t count) {
  Rows rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

void sort_once(Rows& rows) {
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

/// Rows where values begin or cease to be missing.
void add_borders(std::span<const double> v, Rows& rows) {
  for (std::size_t i = 1; i < v.size(); ++i)
    if (std::isnan(v[i]) != std::isnan(v[i - 1])) {
      rows.push_back(static_cast<std::uint32_t>(i - 1));
      rows.push_back(static_cast<std::uint32_t>(i));
    }
}

/// Rows at which a value is larger, or smaller, than both of its neighbours that differ from it: of
/// a plateau both ends. False, with some of them, if there are more than `most`.
bool add_extrema(std::span<const double> v, std::size_t most, Rows& rows) {
  const std::size_t limit = rows.size() + most;
  int before = 0;           // whether values rose or fell to the plateau
  std::size_t plateau = 0;  // where it begins
  for (std::size_t i = 1; i < v.size(); ++i) {
    if (std::isnan(v[i]) || std::isnan(v[i - 1])) {
      before = 0;
      plateau = i;
      continue;
    }
    const int now = (v[i] > v[i - 1]) - (v[i] < v[i - 1]);
    if (now == 0) continue;
    if (before != 0 && now != before) {
      if (rows.size() + 2 > limit) return false;
      rows.push_back(static_cast<std::uint32_t>(plateau));
      if (plateau + 1 != i) rows.push_back(static_cast<std::uint32_t>(i - 1));
    }
    before = now;
    plateau = i;
  }
  return true;
}

/// The least and the largest value of each of `buckets` equally long parts.
void add_bucket_extrema(std::span<const double> v, std::size_t buckets, Rows& rows) {
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t from = b * v.size() / buckets, to = (b + 1) * v.size() / buckets;
    std::size_t least = v.size(), largest = v.size();
    for (std::size_t i = from; i < to; ++i) {
      if (std::isnan(v[i])) continue;
      if (least == v.size() || v[i] < v[least]) least = i;
      if (largest == v.size() || v[i] > v[largest]) largest = i;
    }
    if (least == v.size()) continue;
    rows.push_back(static_cast<std::uint32_t>(least));
    rows.push_back(static_cast<std::uint32_t>(largest));
  }
}

void add_even(std::size_t count, std::size_t points, Rows& rows) {
  for (std::size_t i = 0; i < points; ++i)
    rows.push_back(static_cast<std::uint32_t>(i * (count - 1) / (points - 1)));
}

}  // namespace

ThinnedRows thinned(std::span<const double> values, const ThinningOptions& options) {
  const std::size_t count = values.size();
  if (count <= options.points || count < 4) return {.rows = all_rows(count)};
  ThinnedRows kept;
  add_borders(values, kept.rows);
  if (kept.rows.size() > options.points / 2) kept.rows.clear();  // the extrema matter more
  Rows extrema;
  kept.every_extremum = add_extrema(values, options.points / 2, extrema);
  if (kept.every_extremum)
    kept.rows.insert(kept.rows.end(), extrema.begin(), extrema.end());
  else
    add_bucket_extrema(values, std::max<std::size_t>(1, options.points / 3), kept.rows);
  add_even(count, std::max<std::size_t>(2, options.points / 4), kept.rows);
  kept.rows.insert(kept.rows.end(), options.always.begin(), options.always.end());
  sort_once(kept.rows);
  return kept;
}

Rows spread_rows(std::span<const double> t, std::span<const double> moments, std::size_t points) {
  if (t.size() <= points || t.size() < 4) return all_rows(t.size());
  Rows rows;
  const std::size_t every = 1 + 2 * moments.size() / std::max<std::size_t>(1, points / 2);
  for (std::size_t i = 0; i < moments.size(); i += every) {
    const auto after = std::ranges::lower_bound(t, moments[i]) - t.begin();
    const auto last = static_cast<std::ptrdiff_t>(t.size()) - 1;
    rows.push_back(static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, last)));
    rows.push_back(static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(after, 0, last)));
  }
  const std::size_t even = std::max<std::size_t>(2, points - rows.size());
  for (std::size_t i = 0; i < even; ++i) {  // evenly in time, where rows are not
    const double share = static_cast<double>(i) / static_cast<double>(even - 1);
    const auto at = std::ranges::lower_bound(t, t.front() + share * (t.back() - t.front()));
    rows.push_back(static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(at - t.begin(), static_cast<std::ptrdiff_t>(t.size()) - 1)));
  }
  sort_once(rows);
  return rows;
}

}  // namespace backlash
