// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/motion_channels.h"

#include <set>

#include "backlash/study/difference.h"

namespace backlash {
namespace {

const std::set<std::string_view> position_names{"x", "y", "z", "angle"};
const std::set<std::string_view> velocity_names{"vx", "vy", "vz", "omega", "wx", "wy", "wz"};

/// Points have no angle, and bodies in space a quaternion: both are known by what else there is.
bool of_body(const ResultsTable& states, const std::string& item) {
  return states.has(item + ".angle") || states.has(item + ".qw");
}

}  // namespace

std::vector<std::string> body_channels(const Results& results, MotionKind kind) {
  std::vector<std::string> names;
  for (const Channel& channel : results.states.channels) {
    const std::size_t dot = channel.name.rfind('.');
    if (dot == std::string::npos || !of_body(results.states, channel.name.substr(0, dot))) continue;
    const std::string_view quantity = std::string_view(channel.name).substr(dot + 1);
    if (position_names.contains(quantity) ||
        (kind == MotionKind::positions_and_velocities && velocity_names.contains(quantity)))
      names.push_back(channel.name);
  }
  return names;
}

std::vector<std::string> motion_channels(const Results& results, MotionKind kind) {
  std::vector<Series> moving;
  for (const std::string& name : body_channels(results, kind))
    moving.push_back(find_series(results, name));
  std::vector<std::string> names;
  for (const Series& series : moving)
    if (range_of(series) > least_scale(moving, series.unit)) names.push_back(series.name);
  return names;
}

}  // namespace backlash
