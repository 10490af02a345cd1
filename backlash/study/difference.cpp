// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/difference.h"

#include <algorithm>
#include <map>
#include <numbers>

#include "backlash/study/run_charts.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Times of both in order, each once, in the time that both have.
std::vector<double> common_times(const Series& a, const Series& b) {
  std::vector<double> times;
  if (a.t.size() == 0 || b.t.size() == 0) return times;
  const double start = std::max(a.t[0], b.t[0]);
  const double end = std::min(a.t[a.t.size() - 1], b.t[b.t.size() - 1]);
  std::set_union(a.t.begin(), a.t.end(), b.t.begin(), b.t.end(), std::back_inserter(times));
  std::erase_if(times, [&](double t) { return t < start || t > end; });
  return times;
}

/// The angle of a contact point jumps by a turn where it passes its seam.
bool wraps(const Series& series) { return series.name.ends_with("contact_angle"); }

/// Where |d| passes the limit and stays beyond it for longer than `lasting`, or to the end.
double first_lasting_excess(const Series& d, double limit, double lasting) {
  double since = NAN;
  for (Index i = 0; i < d.t.size(); ++i) {
    if (!(std::abs(d.values[i]) > limit)) {
      since = NAN;
      continue;
    }
    if (std::isnan(since)) since = d.t[i];
    if (d.t[i] - since > lasting) return since;
  }
  return since;
}

/// By the trapezoidal rule, over the time for which there are values.
double root_mean_square(const Series& d) {
  double sum = 0, time = 0;
  for (Index i = 1; i < d.t.size(); ++i) {
    const double a = d.values[i - 1], b = d.values[i], step = d.t[i] - d.t[i - 1];
    if (std::isnan(a) || std::isnan(b)) continue;
    sum += step * (a * a + a * b + b * b) / 3;
    time += step;
  }
  return time > 0 ? std::sqrt(sum / time) : NAN;
}

/// How many hard impacts of one run found a partner in the other.
struct Pairing {
  int hard = 0, matched = 0;
  double largest_shift = 0, largest_speed_difference = 0, t_first_unmatched = NAN;
};

/// The nearest that is left, of the same contact; `size()` if there is none.
std::size_t partner_of(const RunEvent& impact, const std::vector<RunEvent>& others,
                       const std::vector<bool>& taken, double within) {
  std::size_t best = others.size();
  const auto shift = [&](std::size_t j) { return std::abs(others[j].t - impact.t); };
  for (std::size_t j = 0; j < others.size(); ++j)
    if (others[j].kind == "impact" && !taken[j] && others[j].contact == impact.contact &&
        shift(j) <= within && (best == others.size() || shift(j) < shift(best)))
      best = j;
  return best;
}

Pairing pair_impacts(const std::vector<RunEvent>& own, const std::vector<RunEvent>& others,
                     double within) {
  Pairing pairing;
  std::vector<bool> taken(others.size());
  for (const RunEvent& impact : hard_impacts(own)) {
    ++pairing.hard;
    const std::size_t best = partner_of(impact, others, taken, within);
    if (best == others.size()) {
      pairing.t_first_unmatched = std::fmin(pairing.t_first_unmatched, impact.t);
      continue;
    }
    taken[best] = true;
    ++pairing.matched;
    const double a = std::abs(impact.gamma_n_before), b = std::abs(others[best].gamma_n_before);
    pairing.largest_shift = std::max(pairing.largest_shift, std::abs(others[best].t - impact.t));
    pairing.largest_speed_difference =
        std::max(pairing.largest_speed_difference, std::abs(b - a) / std::max({a, b, 1e-300}));
  }
  return pairing;
}

/// What a body that does not move has of a motion.
double round_off_of(const std::string& unit) {
  constexpr std::pair<const char*, double> sizes[] = {
      {"m", 1e-12}, {"rad", 1e-12}, {"m/s", 1e-9}, {"rad/s", 1e-9}};
  for (const auto& [name, size] : sizes)
    if (unit == name) return size;
  return 0;
}

}  // namespace

double range_of(const Series& series) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : series.values)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return low <= high ? high - low : 0;
}

double least_scale(const std::vector<Series>& channels, const std::string& unit) {
  double largest = 0;
  for (const Series& series : channels)
    if (series.unit == unit) largest = std::max(largest, range_of(series));
  return std::max(1e-9 * largest, round_off_of(unit));
}

Series difference_series(const Series& a, const Series& b) {
  Series d{.name = a.name, .unit = a.unit};
  const std::vector<double> times = common_times(a, b);
  d.t = Eigen::Map<const Vector>(times.data(), static_cast<Index>(times.size()));
  d.values.resize(d.t.size());
  for (Index i = 0; i < d.t.size(); ++i) {
    d.values[i] = value_at(b, d.t[i]) - value_at(a, d.t[i]);
    if (wraps(a)) d.values[i] = std::remainder(d.values[i], 2 * std::numbers::pi);
  }
  return d;
}

SeriesDifference difference(const Series& reference, const Series& other,
                            const DifferenceOptions& options, double least_scale) {
  const Series d = difference_series(reference, other);
  SeriesDifference found{.channel = reference.name, .unit = reference.unit};
  found.scale = std::max({range_of(reference), least_scale, 1e-300});
  if (d.t.size() == 0) return found;
  found.t_start = d.t[0];
  found.t_end = d.t[d.t.size() - 1];
  for (Index i = 0; i < d.t.size(); ++i)
    if (std::isfinite(d.values[i])) {
      if (!(std::abs(d.values[i]) <= found.max)) {
        found.max = std::abs(d.values[i]);
        found.t_max = d.t[i];
      }
      found.last = d.values[i];
    }
  found.rms = root_mean_square(d);
  found.t_disagree = first_lasting_excess(d, options.tolerance * found.scale, options.impact_time);
  return found;
}

std::vector<RunEvent> hard_impacts(const std::vector<RunEvent>& events) {
  constexpr double share = 0.01;
  std::map<std::string, double> fastest;  // for each unit
  for (const RunEvent& event : events)
    if (event.kind == "impact")
      fastest[event.unit] = std::max(fastest[event.unit], std::abs(event.gamma_n_before));
  std::vector<RunEvent> hard;
  for (const RunEvent& event : events)
    if (event.kind == "impact" && std::abs(event.gamma_n_before) >= share * fastest[event.unit])
      hard.push_back(event);
  std::ranges::stable_sort(hard, {}, &RunEvent::t);
  return hard;
}

ImpactMatch match_impacts(const std::vector<RunEvent>& reference,
                          const std::vector<RunEvent>& other, double within) {
  const Pairing a = pair_impacts(reference, other, within),
                b = pair_impacts(other, reference, within);
  return {
      .reference = a.hard,
      .other = b.hard,
      .matched_reference = a.matched,
      .matched_other = b.matched,
      .largest_shift = std::max(a.largest_shift, b.largest_shift),
      .largest_speed_difference = std::max(a.largest_speed_difference, b.largest_speed_difference),
      .t_first_unmatched = std::fmin(a.t_first_unmatched, b.t_first_unmatched)};
}

}  // namespace backlash
