// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/scene_at.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// A place between two rows.
struct Between {
  Index row = 0, next = 0;
  double share = 0;  ///< of the next one
  Index nearest() const { return share < 0.5 ? row : next; }
};

Between find_rows(const Vector& times, double t) {
  if (times.size() == 0) throw InputError("these results have no rows");
  const double first = times[0], last = times[times.size() - 1];
  const double slack = 1e-9 * std::max(std::abs(first), std::abs(last));
  if (!(first - slack <= t && t <= last + slack))
    throw InputError(fmt::format("t = {} s lies outside of the run, which goes from {} s to {} s",
                                 t, first, last));
  const auto after = std::upper_bound(times.begin(), times.end(), t) - times.begin();
  const Index row = std::max<Index>(0, after - 1), next = std::min<Index>(after, times.size() - 1);
  const double span = times[next] - times[row];
  return {row, next, span > 0 ? std::clamp((t - times[row]) / span, 0.0, 1.0) : 0};
}

/// Reads columns of the states.
struct StateReader {
  const ResultsTable& states;
  Between at;

  bool has(const std::string& name) const {
    return std::ranges::find(states.channels, name, &Channel::name) != states.channels.end();
  }
  double value(const std::string& name) const {
    const auto found = std::ranges::find(states.channels, name, &Channel::name);
    if (found == states.channels.end())
      throw InputError(fmt::format("these results lack the channel '{}' of their scene", name));
    const auto column = states.values.col(found - states.channels.begin());
    return (1 - at.share) * column[at.row] + at.share * column[at.next];
  }
};

Pose3 pose_of(const std::string& body, const StateReader& read) {
  Pose3 pose;
  pose.p = {read.value(body + ".x"), read.value(body + ".y"), 0};
  if (read.has(body + ".angle")) {
    const double angle = read.value(body + ".angle");
    pose.R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
    return pose;
  }
  pose.p.z() = read.value(body + ".z");
  const Eigen::Quaterniond q(read.value(body + ".qw"), read.value(body + ".qx"),
                             read.value(body + ".qy"), read.value(body + ".qz"));
  pose.R = q.normalized().toRotationMatrix();
  return pose;
}

std::vector<SceneTouch> touches_at(const ResultsTable& contacts, double t) {
  std::vector<SceneTouch> touches;
  if (contacts.values.rows() == 0) return touches;
  const auto index = [&](std::string_view name) -> Index {
    const auto found = std::ranges::find(contacts.channels, name, &Channel::name);
    return found == contacts.channels.end() ? -1 : found - contacts.channels.begin();
  };
  const Index time = index("t"), contact = index("contact"), gap = index("gap"),
              state = index("state"), px = index("px"), py = index("py"), pz = index("pz"),
              nx = index("nx"), ny = index("ny"), nz = index("nz");
  if (std::min({time, contact, gap, state, px, py, nx, ny}) < 0) return touches;
  const auto times = contacts.values.col(time);
  const auto first = std::lower_bound(times.begin(), times.end(), t) - times.begin();
  for (Index i = first; i < times.size() && times[i] == t; ++i) {
    const auto row = contacts.values.row(i);
    const auto& names = contacts.labels[at(contact)];
    const auto number = static_cast<std::size_t>(row[contact]);
    touches.push_back({.name = number < names.size() ? names[number] : "",
                       .p_W = {row[px], row[py], pz < 0 ? 0 : row[pz]},
                       .n_W = {row[nx], row[ny], nz < 0 ? 0 : row[nz]},
                       .gap = row[gap],
                       .state = static_cast<ContactState>(static_cast<int>(row[state]))});
  }
  return touches;
}

}  // namespace

SceneState scene_at(const Results& results, double t) {
  const Vector times = results.states.column("t");
  const StateReader read{results.states, find_rows(times, t)};
  SceneState state{.t = t};
  for (const SceneBody& body : results.run.scene.bodies)
    state.poses.push_back(pose_of(body.name, read));
  state.touches = touches_at(results.contacts, times[read.at.nearest()]);
  return state;
}

}  // namespace backlash
