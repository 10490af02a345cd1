// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/passing.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

/// How a gap closes: by closing · t + ½ bend t² at most.
struct Closing {
  double closing, bend;
};

/// The time in which a gap closes by so much.
double time_to_close(const Closing& c, double way) {
  return 2 * way / (c.closing + std::sqrt(c.closing * c.closing + 2 * c.bend * way));
}

}  // namespace

double safe_step(const System& system, const Configuration& c, const Vector& u, double step,
                 const PassingRisk& risk, std::span<const ContactKey> known,
                 PassingScratch& scratch) {
  constexpr double most_angle = 0.5;  // that gap, rate and bias foretell [rad]
  scratch.frames.clear();
  system.find_contacts(c, risk.travel, {}, scratch.frames);
  scratch.rates.resize(scratch.frames.size());
  scratch.biases.resize(scratch.frames.size());
  system.write_contact_velocities(c, u, scratch.frames, scratch.rates);
  system.write_contact_biases(c, u, scratch.frames, scratch.biases);
  const double speed = risk.travel / step;
  const double turned = std::min(risk.angle, most_angle);
  double safe = step;
  for (std::size_t k = 0; k < scratch.frames.size(); ++k) {
    const ContactFrame& frame = scratch.frames[k];
    const double depth = system.passing_depth(frame.key);
    if (depth == INFINITY || std::ranges::binary_search(known, frame.key)) continue;
    if (risk.angle > most_angle) safe = std::min(safe, most_angle / risk.angle * step);
    const Closing closing{std::max(0.0, -scratch.rates[k][0]) + turned * turned / 6 * speed,
                          std::max(0.0, -scratch.biases[k][0])};
    const double gap = std::max(frame.gap, 0.0);
    const double closed = closing.closing * step + 0.5 * closing.bend * step * step;
    if (!(closed > gap + 0.25 * depth)) continue;
    safe = std::min(safe, (gap > 0 ? time_to_close(closing, gap) : 0) + 0.25 * depth / speed);
  }
  return safe;
}

}  // namespace backlash
