// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/channel.h"

#include <array>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"
#include "backlash/results/quantities.h"

namespace backlash {
namespace {

struct Suffix {
  const char* name;
  const char* unit;
};

constexpr std::array plane{Suffix{"x", "m"},    Suffix{"y", "m"},    Suffix{"angle", "rad"},
                           Suffix{"vx", "m/s"}, Suffix{"vy", "m/s"}, Suffix{"omega", "rad/s"}};
constexpr std::array space{Suffix{"x", "m"},     Suffix{"y", "m"},      Suffix{"z", "m"},
                           Suffix{"qw", "-"},    Suffix{"qx", "-"},     Suffix{"qy", "-"},
                           Suffix{"qz", "-"},    Suffix{"vx", "m/s"},   Suffix{"vy", "m/s"},
                           Suffix{"vz", "m/s"},  Suffix{"wx", "rad/s"}, Suffix{"wy", "rad/s"},
                           Suffix{"wz", "rad/s"}};

/// What a coordinate or its rate is measured in, as far as the system says which of them turn.
struct CoordinateUnits {
  const char *length, *angle, *either;
};
constexpr CoordinateUnits of_positions{"m", "rad", "m or rad"};
constexpr CoordinateUnits of_velocities{"m/s", "rad/s", "m/s or rad/s"};

const char* unit_of_coordinate(const CoordinateUnits& units, const std::vector<bool>& angular,
                               int count, int i) {
  if (std::ssize(angular) != count) return units.either;
  return angular[static_cast<std::size_t>(i)] ? units.angle : units.length;
}

/// In the order of append_energies(); called as in summary.json.
constexpr std::array energies{"kinetic",    "potential",    "contact_work", "dry_friction_work",
                              "drive_work", "applied_work", "switching",    "made_by_method"};

/// Those of positions and velocities; states, which are the last of the positions, are left out.
void add_coordinates(const std::vector<std::string>& names, int count, const char* letter,
                     const CoordinateUnits& units, const std::vector<bool>& angular,
                     std::vector<Channel>& channels) {
  for (int i = 0; i < count; ++i)
    channels.push_back(
        {names.empty() ? fmt::format("{}{}", letter, i + 1) : names[static_cast<std::size_t>(i)],
         unit_of_coordinate(units, angular, count, i)});
}

}  // namespace

std::vector<Channel> state_channels(const SystemInfo& info, const RecorderOptions& recorded) {
  std::vector<Channel> channels{{"t", "s"}};
  const auto states = static_cast<int>(info.states.size());
  add_coordinates(info.position_names, info.positions - states, "q", of_positions, info.angular,
                  channels);
  for (const StateInfo& state : info.states) channels.push_back({state.name, state.unit});
  add_coordinates(info.velocity_names, info.velocities, "u", of_velocities, info.angular, channels);
  const auto add_body = [&](const std::string& body, const auto& suffixes) {
    for (const Suffix& s : suffixes)
      channels.push_back({fmt::format("{}.{}", body, s.name), s.unit});
  };
  for (const std::string& body : info.bodies)
    info.space == 2 ? add_body(body, plane) : add_body(body, space);
  constexpr std::array quantities{Suffix{"", "m"}, Suffix{"v", "m/s"}, Suffix{"a", "m/s^2"}};
  for (const RecordedPoint& point : recorded.points)
    for (const Suffix& quantity : quantities)
      for (int i = 0; i < info.space; ++i)
        channels.push_back(
            {fmt::format("{}.{}{}", point.name, quantity.name, "xyz"[i]), quantity.unit});
  for (const OutputInfo& output : info.outputs) {
    const bool open = output.unit.empty();
    channels.push_back(
        {.name = output.name, .unit = open ? "-" : output.unit, .unit_is_open = open});
  }
  if (recorded.energy)
    for (const char* name : energies) channels.push_back({fmt::format("energy.{}", name), "J"});
  append_quantity_channels(info, recorded.quantities, channels);
  return channels;
}

void append_energies(const EnergyLedger& start, const EnergyLedger& now, std::vector<double>& row) {
  row.insert(row.end(),
             {now.kinetic, now.potential, now.contacts - start.contacts, now.relays - start.relays,
              now.bilaterals - start.bilaterals, now.applied - start.applied,
              now.switching - start.switching, made_by_method(start, now)});
}

PointMotion point_motion(std::span<const BodyMotion> bodies, int dimensions,
                         const RecordedPoint& point) {
  if (point.body == -1) return {.p_W = point.p_B};
  if (point.body < 0 || point.body >= std::ssize(bodies))
    require_index(point.body, std::ssize(bodies),
                  fmt::format("point '{}': number of its body", point.name));
  const BodyMotion& m = bodies[static_cast<std::size_t>(point.body)];
  const Eigen::Quaterniond turn(m.orientation[0], m.orientation[1], m.orientation[2],
                                m.orientation[3]);
  const Vec3 p_BP_W = dimensions == 2 ? Vec3(Eigen::AngleAxisd(m.angle, Vec3::UnitZ()) * point.p_B)
                                      : Vec3(turn * point.p_B);
  return {.p_W = m.p_W + p_BP_W, .v_W = m.v_W + m.w_W.cross(p_BP_W)};
}

void append_state_row(const State& state, std::span<const BodyMotion> bodies, int dimensions,
                      std::vector<double>& row) {
  row.push_back(state.t);
  row.insert(row.end(), state.q.begin(), state.q.end());
  row.insert(row.end(), state.u.begin(), state.u.end());
  for (const BodyMotion& m : bodies)
    if (dimensions == 2)
      row.insert(row.end(), {m.p_W.x(), m.p_W.y(), m.angle, m.v_W.x(), m.v_W.y(), m.w_W.z()});
    else
      row.insert(row.end(), {m.p_W.x(), m.p_W.y(), m.p_W.z(), m.orientation[0], m.orientation[1],
                             m.orientation[2], m.orientation[3], m.v_W.x(), m.v_W.y(), m.v_W.z(),
                             m.w_W.x(), m.w_W.y(), m.w_W.z()});
}

}  // namespace backlash
