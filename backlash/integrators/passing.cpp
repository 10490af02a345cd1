// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/passing.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

constexpr double share = 1.0 / 16;  ///< of the depth that bodies may go into each other unseen

constexpr double most_angle = 0.5;  ///< that a velocity foretells [rad]

/// How a gap closes: by closing · τ + ½ bend τ² at most.
struct Closing {
  double closing, bend;  ///< [m/s], < 0: it opens; [m/s²]
};

/// The time in which a gap closes by so much.
double time_to_close(const Closing& c, double way) {
  const double root = std::sqrt(c.closing * c.closing + 2 * c.bend * way);
  if (c.closing > 0) return 2 * way / (c.closing + root);
  return c.bend > 0 ? (root - c.closing) / c.bend : INFINITY;
}

/// A contact that is near at some place of the step.
struct Near {
  double gap, rate;
  const PassingLimit& limit;
  const PassingRates& ahead;

  /// Until bodies are in each other by the share of their depth [m].
  double way() const { return std::max(0.0, gap + share * limit.depth); }
};

/// How long it takes until they can be, by their distance (theory 4.20).
double stride_by_distance(const Near& near) {
  const double speed = near.limit.speed;
  const double bend = near.limit.angular * near.ahead.speed + near.ahead.acceleration;
  return time_to_close({speed, bend}, near.way());
}

/// The same by the plane between them (theory 4.34).
double stride_by_plane(const Near& near, double rest) {
  const PassingLimit& limit = near.limit;
  if (limit.bend == INFINITY) return 0;
  const double grows = 1 + 3 * std::min(limit.angular * rest, most_angle);
  const double bend = grows * limit.bend + near.ahead.acceleration;
  return time_to_close({limit.turning - near.rate, bend}, near.way());
}

/// The contacts within reach, their velocities, and what their bodies are passed by.
std::size_t find_near(const System& system, const PassingStep& step, double reach,
                      PassingScratch& scratch) {
  scratch.frames.clear();
  system.find_contacts(step.c, reach, step.remembered, scratch.frames);
  const std::size_t count = scratch.frames.size();
  scratch.rates.resize(count);
  scratch.limits.resize(count);
  system.write_contact_velocities(step.c, step.u, scratch.frames, scratch.rates);
  system.write_passing_limits(step.c, step.u, scratch.frames, scratch.limits);
  scratch.ahead.resize(count);
  for (std::size_t k = 0; k < count; ++k) scratch.ahead[k] = {scratch.limits[k].speed, 0};
  return count;
}

/// Of a step that has been tried, from here on: how fast bodies turn and what that makes of their
/// velocities, at most, and the largest mean acceleration from here to one of its times (theory
/// 10.15).
void look_ahead(const System& system, const PassingStep& step, double reached,
                PassingScratch& scratch) {
  constexpr double between = 1.5;  // the times, where it may be larger
  const std::size_t count = scratch.frames.size();
  std::vector<PassingLimit>& later = scratch.limits_later;
  later.resize(count);
  for (std::size_t i = 0; i < step.tried->times.size() && count > 0; ++i) {
    const double time = step.tried->times[i] - reached;
    if (!(time > 0)) continue;
    const Vector& u = step.tried->velocities[i];
    system.write_passing_limits(step.c, u, scratch.frames, later);
    for (std::size_t k = 0; k < count; ++k) {
      PassingLimit& limit = scratch.limits[k];
      limit.angular = std::max(limit.angular, later[k].angular);
      limit.turning = std::max(limit.turning, later[k].turning);
      limit.bend = std::max(limit.bend, later[k].bend);
      scratch.ahead[k].speed = std::max(scratch.ahead[k].speed, later[k].speed);
    }
    scratch.gained = u - step.u;
    system.write_passing_limits(step.c, scratch.gained, scratch.frames, later);
    for (std::size_t k = 0; k < count; ++k) {
      double& acceleration = scratch.ahead[k].acceleration;
      acceleration = std::max(acceleration, between * later[k].speed / time);
    }
  }
}

/// How far a step is known to be safe, and how far it will be asked.
struct March {
  double reached = 0, end;

  double rest() const { return end - reached; }
  void end_at(double time) { end = std::min(end, time); }
};

/// Whether the step sees it anyhow: it was closed, and does not leave.
bool is_seen(const Near& near, const ContactKey& key, double rest, PassingScratch& scratch) {
  const auto known = std::ranges::lower_bound(scratch.known, key);
  if (known == scratch.known.end() || *known != key) return false;
  const double left = share * near.limit.depth;
  if (std::max(near.gap, 0.0) + near.rate * rest <= left && near.gap <= left) return true;
  if (near.gap > left) scratch.known.erase(known);  // it may come back from the other side
  return false;
}

/// Goes on to where bodies may have met, or ends the march where they did.
void march_on(const System& system, const PassingStep& step, PassingScratch& scratch,
              March& march) {
  const double reach = system.passing_reach(step.c, step.travel);
  const std::size_t count = find_near(system, step, reach, scratch);
  if (step.tried) look_ahead(system, step, march.reached, scratch);
  double stride = reach < step.travel ? step.length * reach / step.travel : INFINITY;
  for (std::size_t k = 0; k < count; ++k) {
    const ContactFrame& frame = scratch.frames[k];
    const double rate = scratch.rates[k][0];
    const bool deepens = frame.gap <= 0 && rate < 0, begins = march.reached == 0;
    const Near near{begins || !deepens ? std::max(frame.gap, 0.0) : frame.gap, rate,
                    scratch.limits[k], scratch.ahead[k]};
    if (near.limit.depth == INFINITY) continue;
    const bool seen = is_seen(near, frame.key, march.rest(), scratch);
    if (seen && !near.limit.may_jump) continue;
    const double by_distance = stride_by_distance(near), rest = march.rest();
    if (!(by_distance < rest)) continue;
    const double safe = std::max(by_distance, stride_by_plane(near, rest));
    if (!(safe < rest)) continue;
    march.end_at(std::max(march.reached, most_angle / near.limit.angular));
    if (seen || (deepens && begins)) march.end_at(march.reached + by_distance);
    if (!seen && deepens && !begins) march.end_at(march.reached);
    if (safe < stride) scratch.shortest = frame.key;
    stride = std::min(stride, safe);
  }
  march.reached = std::min(march.reached + stride, march.end);
}

}  // namespace

double safe_step(const System& system, const PassingStep& step, PassingScratch& scratch) {
  constexpr int most_places = 64;
  const double t = step.c.t;
  scratch.q = step.c.q;
  March march{.end = step.length};
  march_on(system, step, scratch, march);
  for (int k = 1; march.reached < march.end && k < most_places; ++k) {
    if (step.tried) {
      step.tried->go_to(march.reached);
    } else {
      step.c.t = t + march.reached;
      system.advance(scratch.q, step.u, march.reached, step.c.q);
      system.configure(step.c);
    }
    march_on(system, step, scratch, march);
  }
  return march.reached;
}

void find_passed(const System& system, const PassingStep& step, PassingScratch& scratch,
                 std::vector<ContactKey>& passed) {
  constexpr double share = 0.5;  // of the depth
  const std::size_t count = find_near(system, step, step.travel, scratch);
  passed.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const double gap = std::max(scratch.frames[k].gap, 0.0);
    if (gap + step.length * scratch.rates[k][0] < -share * scratch.limits[k].depth)
      passed.push_back(scratch.frames[k].key);
  }
}

}  // namespace backlash
