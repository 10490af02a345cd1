// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/base/version.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "commands.h"
#include "model_file.h"
#include "rest_report.h"

namespace backlash::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_tables(const EquilibriumArguments& a, const Model& model, const Assembly& assembly) {
  const Equilibrium& rest = assembly.report.rest->equilibrium;
  const SystemInfo& info = assembly.system->info();
  fmt::print("{}: {}\n", a.model.file.string(), model.title.empty() ? "no title" : model.title);
  fmt::print("  at rest after {} iterations, {}\n", rest.iterations, describe_stability(assembly));
  fmt::print("  {:<24}{:>18}\n", "coordinate", "at rest [m, rad]");
  for (std::size_t i = 0; i < info.position_names.size(); ++i)
    fmt::print("  {:<24}{:>18.12g}\n", info.position_names[i],
               assembly.start.q[static_cast<Eigen::Index>(i)]);
  if (info.contacts.empty()) return;
  fmt::print("  {:<24}{:>18}{:>22}{:>18}\n", "contact", "carries", "friction", "gap");
  for (const ContactLoad& load : rest.loads) {
    const std::string_view unit = unit_of_load(assembly, load);
    fmt::print("  {:<24}{:>18.10g} {:<3}{:>18.10g} {:<3}{:>14.6g} {}\n",
               assembly.system->contact_name(load.key), load.force[0], unit, load.force[1], unit,
               load.gap, name(info.contacts[static_cast<std::size_t>(load.key.pair)].unit));
  }
}

/// Where a model rests does not depend on how fast it would begin.
void stop(Model& model) {
  for (Joint& joint : model.joints)
    for (InitialCoordinate& initial : joint.initial)
      if (initial.speed) initial.speed = 0;
  for (Body& body : model.bodies)
    if (body.initial) body.initial->velocity = body.initial->angular_velocity = Vec3::Zero();
}

}  // namespace

int run_equilibrium(const EquilibriumArguments& a) {
  Model model = read_model_with(a.model);
  model.initial = InitialPositions::equilibrium;
  stop(model);
  const Assembly assembly = assemble(model);
  if (!a.json) {
    print_tables(a, model, assembly);
    return exit_done;
  }
  Json json{{"format", "backlash equilibrium"},
            {"format_version", 1},
            {"program_version", version()},
            {"title", model.title}};
  json.update(rest_json(assembly));
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  return exit_done;
}

}  // namespace backlash::cli
