// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "rest_report.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace backlash::cli {

using Json = nlohmann::ordered_json;

namespace {

std::string describe_balance(const Assembly& assembly) {
  const Equilibrium& rest = assembly.report.rest->equilibrium;
  switch (rest.stability) {
    case Stability::held:
      return "held by joints, contacts and friction: nothing can move";
    case Stability::stable:
      return rest.friction_at_limit ? "stable against a push that friction does not hold"
                                    : "stable: it comes back after a small push";
    case Stability::indifferent:
      return rest.friction_at_limit ? "indifferent"
                                    : "indifferent: it stays where a small push leaves it";
    case Stability::unstable:
      break;
  }
  return fmt::format(
      "in an unstable equilibrium: it leaves along '{}'",
      assembly.system->info().velocity_names[static_cast<std::size_t>(rest.escape.value_or(0))]);
}

}  // namespace

std::string describe_stability(const Assembly& assembly) {
  const bool at_limit = assembly.report.rest->equilibrium.friction_at_limit;
  return describe_balance(assembly) +
         (at_limit ? ", with friction at its limit: the least more load sets it in motion" : "");
}

std::string_view unit_of_load(const Assembly& assembly, const ContactLoad& load) {
  const auto pair = static_cast<std::size_t>(load.key.pair);
  return assembly.system->info().contacts[pair].unit == GapUnit::metre ? "N" : "N m";
}

std::string describe_loads(const Assembly& assembly) {
  std::vector<std::string> loads;
  for (const ContactLoad& load : assembly.report.rest->equilibrium.loads)
    loads.push_back(fmt::format("{} {:.4g} {}", assembly.system->contact_name(load.key),
                                load.force[0], unit_of_load(assembly, load)));
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
          {"friction_at_limit", rest.equilibrium.friction_at_limit},
          {"coordinates", coordinates},
          {"moved", moved},
          {"loads", loads}};
}

}  // namespace backlash::cli
