// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/summary.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "backlash/base/version.h"
#include "backlash/io/results/results_file.h"
#include "backlash/io/results/sha256.h"

namespace backlash {
namespace {

using Json = nlohmann::ordered_json;

Json values_json(const std::vector<NamedValue>& values) {
  Json json = Json::object();
  for (const NamedValue& value : values)
    std::visit([&](const auto& v) { json[value.name] = v; }, value.value);
  return json;
}

Json files_json(const std::vector<ModelText>& model) {
  Json json = Json::array();
  for (const ModelText& part : model) json.push_back(part.file);
  return json;
}

Json energy_json(const RunReport& f) {
  return {{"start", f.start.mechanical()},
          {"end", f.end.mechanical()},
          {"made_by_method", f.made_by_method()},
          {"at_hand", f.energy_at_hand},
          {"kinetic", f.end.kinetic},
          {"potential", f.end.potential},
          {"contact_work", f.end.contacts},
          {"contact_loss", f.end.contact_loss},
          {"impact_loss", f.end.impact_loss},
          {"dry_friction_work", f.end.relays},
          {"drive_work", f.end.bilaterals},
          {"applied_work", f.end.applied},
          {"projection", f.end.projections},
          {"switching", f.end.switching}};
}

std::vector<std::string> all_warnings(const RunReport& f) {
  std::vector<std::string> all = f.warnings;
  all.insert(all.end(), f.run_warnings.begin(), f.run_warnings.end());
  return all;
}

/// null: there was no impact.
Json hardest_json(const RunReport& f) {
  const HardestImpact& hardest = f.run.hardest;
  if (std::isnan(hardest.t)) return nullptr;
  return {{"t", hardest.t},
          {"contact", f.hardest_at},
          {"unit", f.hardest_unit == GapUnit::metre ? "m" : "rad"},
          {"speed", hardest.speed},
          {"impulse", hardest.impulse},
          {"energy_loss", hardest.energy}};
}

/// null: no contact of a joint with play was inside of its play's circle or walls.
Json deepest_json(const RunReport& f) {
  const DeepestContact& deepest = f.run.deepest;
  if (std::isnan(deepest.t)) return nullptr;
  return {{"t", deepest.t},
          {"contact", f.deepest_at},
          {"depth", deepest.depth},
          {"of_play", deepest.of_play}};
}

/// null: the motion determines all forces.
Json undetermined_json(const RunReport& f) {
  if (std::isnan(f.run.undetermined.t)) return nullptr;
  return {{"t", f.run.undetermined.t}, {"contact", f.undetermined_at}};
}

/// null: no impact made energy.
Json gaining_json(const RunReport& f) {
  const GainingImpacts& gaining = f.run.gaining;
  if (gaining.count == 0) return nullptr;
  return {{"count", gaining.count},
          {"t", gaining.t},
          {"contact", f.gaining_at},
          {"energy", gaining.largest.energy}};
}

/// So that one can see whether a file has changed since: `sha256sum` prints the same.
Json hashes_json(const std::vector<ModelText>& model) {
  Json json = Json::object();
  for (const ModelText& part : model) json[part.file] = sha256(part.text);
  return json;
}

Json peak_json(const PeakLoad& peak, std::string_view unit) {
  if (std::isnan(peak.t)) return nullptr;
  return {{"value", peak.value}, {"unit", unit}, {"t", peak.t}};
}

/// Of the joints, or of the set-valued forces.
Json joints_json(const RunLoads& loads, Origin::Kind kind) {
  Json json = Json::object();
  for (const JointLoad& load : loads.joints) {
    if (load.kind != kind) continue;
    Json& joint = json[load.joint];
    switch (load.reaction) {
      case ReactionKind::none:
      case ReactionKind::drive_torque:
      case ReactionKind::drive_force:
        json.erase(load.joint);
        break;
      case ReactionKind::full:
        joint = {{"force", peak_json(load.force, "N")}, {"torque", peak_json(load.torque, "N m")}};
        break;
      case ReactionKind::torque:
        joint = {{"torque", peak_json(load.force, "N m")}};
        break;
      case ReactionKind::force:
        joint = {{"force", peak_json(load.force, "N")}};
        break;
      case ReactionKind::tension:
        joint = {{"tension", peak_json(load.force, "N")}};
        break;
    }
  }
  return json;
}

Json drives_json(const RunLoads& loads) {
  Json json = Json::object();
  for (const DriveLoad& drive : loads.drives) {
    const bool linear = drive.unit == GapUnit::metre;
    const char *const load = linear ? "force" : "torque", *const unit = linear ? "N" : "N m";
    json[drive.joint] = {{load, peak_json(drive.load, unit)},
                         {std::string("mean_") + load, drive.mean_load()},
                         {"power", peak_json(drive.power, "W")},
                         {"mean_power", drive.mean_power()},
                         {"work", drive.work}};
  }
  return json;
}

/// null: no contact pushed, but in impacts.
Json contact_load_json(const PeakContact& contact, std::string_view unit) {
  Json json = peak_json(contact.force, unit);
  if (!json.is_null()) json["contact"] = contact.contact;
  return json;
}

Json loads_json(const RunLoads& loads) {
  return {{"joints", joints_json(loads, Origin::Kind::joint)},
          {"forces", joints_json(loads, Origin::Kind::force)},
          {"drives", drives_json(loads)},
          {"contact", contact_load_json(loads.contact, "N")},
          {"angular_contact", contact_load_json(loads.angular_contact, "N m")}};
}

}  // namespace

std::string summary_json(const RunDescription& description, const RunReport& f) {
  const Json json{
      {"format", "backlash summary"},
      {"format_version", results_format_version},
      {"program_version", version()},
      {"title", description.title},
      {"date", description.provenance.date},
      {"command", description.provenance.command},
      {"files", files_json(description.model)},
      {"sha256", hashes_json(description.model)},
      {"status", name(f.status)},
      {"message", f.message},
      {"warnings", all_warnings(f)},
      {"t_start", f.t_start},
      {"t", f.t},
      {"steps", f.run.steps},
      {"impacts", f.run.impacts},
      {"small_bounces", {{"count", f.run.small_bounces}, {"energy_loss", f.run.small_bounce_loss}}},
      {"hardest_impact", hardest_json(f)},
      {"impacts_that_made_energy", gaining_json(f)},
      {"largest_penetration", f.run.largest_penetration},
      {"largest_angular_penetration", f.run.largest_angular_penetration},
      {"deepest_in_play", deepest_json(f)},
      {"undetermined_forces", undetermined_json(f)},
      {"worst_residual", f.run.worst_residual},
      {"solver_iterations", f.run.solver_iterations},
      {"imprecise_steps", f.run.imprecise_steps},
      {"jammed_steps", f.run.jammed_steps},
      {"singular_steps", f.run.singular_steps},
      {"fallback_steps", f.run.fallback_steps},
      {"rejected_steps", f.run.rejected_steps},
      {"smallest_step", f.run.steps > 0 ? f.run.smallest_step : 0.0},
      {"largest_step", f.run.largest_step},
      {"warned_steps", f.run.warned_steps},
      {"evaluations", f.run.evaluations},
      {"energy", energy_json(f)},
      {"peak_loads", loads_json(f.loads)},
      {"wall_time", f.wall_time},
      {"options", values_json(description.options)},
      {"parameters", values_json(description.parameters)}};
  // A name that is not valid UTF-8 is written with replacement characters.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace backlash
