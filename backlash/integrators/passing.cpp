// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/passing.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

constexpr double share = 0.125;  ///< of the depth that bodies may go into each other unseen

/// How a gap closes: by closing · t + ½ bend t² at most.
struct Closing {
  double closing, bend;
};

/// The time in which a gap closes by so much.
double time_to_close(const Closing& c, double way) {
  return 2 * way / (c.closing + std::sqrt(c.closing * c.closing + 2 * c.bend * way));
}

/// How long a step may be for one contact (theory 4.20).
double safe_length(const PassingLimit& limit, double gap, double rate, double bias, double step) {
  constexpr double most_angle = 0.5;  // that gap, rate and bias foretell [rad]
  if (!(limit.speed * step > gap + share * limit.depth)) return step;
  if (limit.may_jump) return (gap + share * limit.depth) / limit.speed;
  const double angle = limit.angular * step, turned = std::min(angle, most_angle);
  const double foretold = angle > most_angle ? most_angle / limit.angular : step;
  const Closing closing{std::max(0.0, -rate) + turned * turned / 6 * limit.speed,
                        std::max(0.0, -bias)};
  const double closed = closing.closing * foretold + 0.5 * closing.bend * foretold * foretold;
  if (!(closed > gap + share * limit.depth)) return foretold;
  const double until = gap > 0 ? time_to_close(closing, gap) : 0;
  return std::min(foretold, until + share * limit.depth / limit.speed);
}

/// The contacts that the step may reach, their velocities, and what their bodies are passed by.
std::size_t find_near(const System& system, const PassingStep& step, PassingScratch& scratch) {
  scratch.frames.clear();
  system.find_contacts(step.c, step.travel, step.remembered, scratch.frames);
  const std::size_t count = scratch.frames.size();
  scratch.rates.resize(count);
  scratch.limits.resize(count);
  system.write_contact_velocities(step.c, step.u, scratch.frames, scratch.rates);
  system.write_passing_limits(step.c, step.u, scratch.frames, scratch.limits);
  return count;
}

}  // namespace

double safe_step(const System& system, const PassingStep& step, PassingScratch& scratch) {
  const std::size_t count = find_near(system, step, scratch);
  scratch.biases.resize(count);
  system.write_contact_biases(step.c, step.u, scratch.frames, scratch.biases);
  double safe = step.length;
  for (std::size_t k = 0; k < count; ++k) {
    const ContactFrame& frame = scratch.frames[k];
    const PassingLimit& limit = scratch.limits[k];
    if (limit.depth == INFINITY) continue;
    const bool stays = scratch.rates[k][0] * step.length <= share * limit.depth;
    if (stays && !limit.may_jump && std::ranges::binary_search(scratch.known, frame.key)) continue;
    const double length = safe_length(limit, std::max(frame.gap, 0.0), scratch.rates[k][0],
                                      scratch.biases[k][0], step.length);
    if (length < safe) scratch.shortest = frame.key;
    safe = std::min(safe, length);
  }
  return safe;
}

void find_passed(const System& system, const PassingStep& step, PassingScratch& scratch,
                 std::vector<ContactKey>& passed) {
  constexpr double share = 0.5;  // of the depth
  const std::size_t count = find_near(system, step, scratch);
  passed.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const double gap = std::max(scratch.frames[k].gap, 0.0);
    if (gap + step.length * scratch.rates[k][0] < -share * scratch.limits[k].depth)
      passed.push_back(scratch.frames[k].key);
  }
}

}  // namespace backlash
