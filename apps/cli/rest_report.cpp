// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "rest_report.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace backlash::cli {

using Json = nlohmann::ordered_json;

std::string describe_stability(const Assembly& assembly) {
  const Equilibrium& rest = assembly.report.rest->equilibrium;
  switch (rest.stability) {
    case Stability::held:
      return "held by joints, contacts and friction: nothing can move";
    case Stability::stable:
      return "stable: it comes back after a small push";
    case Stability::indifferent:
      return "indifferent: it stays where a small push leaves it";
    case Stability::unstable:
      break;
  }
  return fmt::format(
      "in an unstable equilibrium: it leaves along '{}'",
      assembly.system->info().velocity_names[static_cast<std::size_t>(rest.escape.value_or(0))]);
}

std::string describe_loads(const Assembly& assembly) {
  std::vector<std::string> loads;
  for (const ContactLoad& load : assembly.report.rest->equilibrium.loads)
    loads.push_back(
        fmt::format("{} {:.4g} N", assembly.system->contact_name(load.key), load.force[0]));
  return loads.empty() ? "none" : fmt::format("{}", fmt::join(loads, ", "));
}

Json rest_json(const Assembly& assembly) {
  const StaticStart& rest = *assembly.report.rest;
  const SystemInfo& info = assembly.system->info();
  Json loads = Json::array(), moved = Json::array(), coordinates = Json::object();
  for (const ContactLoad& load : rest.equilibrium.loads)
    loads.push_back({{"contact", assembly.system->contact_name(load.key)},
                     {"force_n", load.force[0]},
                     {"force_t", load.force[1]},
                     {"gap", load.gap},
                     {"unit", name(info.contacts[static_cast<std::size_t>(load.key.pair)].unit)}});
  for (const Adjustment& change : rest.moved)
    moved.push_back({{"coordinate", change.coordinate}, {"from", change.from}, {"to", change.to}});
  for (std::size_t i = 0; i < info.position_names.size(); ++i)
    coordinates[info.position_names[i]] = assembly.start.q[static_cast<Eigen::Index>(i)];
  return {{"iterations", rest.equilibrium.iterations},
          {"stable", !rest.equilibrium.escape.has_value()},
          {"stability", name(rest.equilibrium.stability)},
          {"coordinates", coordinates},
          {"moved", moved},
          {"loads", loads}};
}

}  // namespace backlash::cli
