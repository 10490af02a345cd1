// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/event_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr double shortest_part = 1e-3;  ///< of a step, that it is parted into

}  // namespace

EventSearch::EventSearch(const SystemInfo& info)
    : info_(info),
      any_(std::ranges::any_of(info.events, is_looked_for)),
      awaited_(info.events.size()),
      before_(Vector::Zero(static_cast<Index>(info.events.size()))),
      after_(before_) {}

void EventSearch::begin(const Vector& switching, double t, double step) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto events = static_cast<Index>(info_.events.size());
  const auto values = switching.segment(static_cast<Index>(info_.switches.size()), events);
  const auto counts = switching.segment(static_cast<Index>(info_.switches.size()) + events, events);
  for (std::size_t i = 0; i < awaited_.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const EventInfo& event = info_.events[i];
    awaited_[i] = is_looked_for(event) && !(values[k] > 0) && !(event.once && counts[k] > 0);
  }
  before_ = values;
  lower_ = upper_ = 0;
  step_ = width_ = step;
  tolerance_ = std::max(1e-9 * step, 4 * epsilon * std::abs(t));
  bisect_ = chosen_ = false;
}

bool EventSearch::happens(std::size_t event, double condition) const {
  return awaited_[event] && condition > 0;
}

/// Where the first line from a condition to the same at the other end crosses zero; halfway of one
/// that jumps.
double EventSearch::estimate() const {
  double first = upper_;
  const double middle = 0.5 * (lower_ + upper_);
  if (bisect_) return middle;
  for (std::size_t i = 0; i < awaited_.size(); ++i) {
    const double before = before_[static_cast<Index>(i)], after = after_[static_cast<Index>(i)];
    if (!happens(i, after)) continue;
    const double share = before / (before - after);
    first = std::min(first, share > 0 ? lower_ + (upper_ - lower_) * share : middle);
  }
  return first;
}

double EventSearch::next_length(const Vector& conditions, double tried) {
  if (chosen_) return tried;
  bool any = false;
  for (std::size_t i = 0; i < awaited_.size(); ++i)
    any = any || happens(i, conditions[static_cast<Index>(i)]);
  if (!any && upper_ == 0) return tried;
  if (any) {
    upper_ = tried;
    after_ = conditions;
  } else {
    lower_ = tried;
    before_ = conditions;
  }
  if (upper_ - lower_ <= tolerance_) return choose();
  bisect_ = !bisect_ && upper_ - lower_ > 0.5 * width_;
  width_ = upper_ - lower_;
  const double inside = 0.5 * tolerance_;
  return std::clamp(estimate(), lower_ + inside, upper_ - inside);
}

double EventSearch::choose() {
  chosen_ = true;
  const double least = shortest_part * step_;
  return step_ - upper_ < least ? step_ : std::max(upper_, least);
}

double EventSearch::time_of(std::size_t event) const {
  const double before = before_[static_cast<Index>(event)],
               after = after_[static_cast<Index>(event)];
  const double share = before / (before - after);
  return share > 0 && share < 1 ? lower_ + (upper_ - lower_) * share : upper_;
}

}  // namespace backlash
