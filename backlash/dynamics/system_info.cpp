// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/system.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

void require_names(std::size_t found, int expected, const std::string& what) {
  if (found != 0) require_size(static_cast<Index>(found), expected, what);
}

void require_new(const std::string& column, std::set<std::string>& columns,
                 const SystemInfo& info) {
  if (columns.insert(column).second) return;
  throw InputError(fmt::format("system '{}': two quantities are called '{}'", info.name, column));
}

/// One row acts on few blocks; the contacts of an info with many candidates on different ones.
void require_blocks(const std::vector<int>& blocks, const SystemInfo& info, const std::string& item,
                    long candidates = 1) {
  for (const int block : blocks)
    require_in_range(block, 0, static_cast<double>(info.mass_blocks.size()) - 1,
                     item + ": number of a mass block", "-");
  if (candidates > 1) return;
  require_in_range(static_cast<double>(blocks.size()), 0, std::tuple_size_v<BlockList>,
                   item + ": how many mass blocks", "-");
}

std::string prefix(const SystemInfo& info, std::string_view what) {
  return fmt::format("system '{}': {}", info.name, what);
}

void validate_sizes(const SystemInfo& info) {
  require_in_range(info.velocities, 1, 1e6, prefix(info, "number of velocities"), "-");
  require_in_range(info.positions, info.velocities + static_cast<double>(info.states.size()), 1e6,
                   prefix(info, "number of positions"), "-");
  require_in_range(info.cache, 0, 1e9, prefix(info, "size of the cache"), "-");
  require_in_range(info.space, 2, 3, prefix(info, "dimension of space"), "-");
  require_positive(info.length, prefix(info, "length"), "m");
  require_names(info.position_names.size(), info.positions, prefix(info, "position names"));
  require_names(info.velocity_names.size(), info.velocities, prefix(info, "velocity names"));
  require_names(info.angular.size(), info.velocities, prefix(info, "marks of angular velocities"));
  require_names(info.position_origins.size(), info.positions, prefix(info, "position origins"));
  require_names(info.velocity_origins.size(), info.velocities, prefix(info, "velocity origins"));
}

void validate_columns(const SystemInfo& info) {
  std::set<std::string> columns;
  for (const auto* list : {&info.position_names, &info.velocity_names})
    for (const std::string& name : *list) require_new(name, columns, info);
  for (const OutputInfo& output : info.outputs) require_new(output.name, columns, info);
}

void validate_blocks(const SystemInfo& info) {
  int first = 0;
  for (const MassBlock& block : info.mass_blocks) {
    require_in_range(block.first, first, first, prefix(info, "first velocity of a mass block"),
                     "-");
    require_in_range(block.size, 1, info.velocities - first, prefix(info, "size of a mass block"),
                     "-");
    first += block.size;
  }
  if (!info.mass_blocks.empty())
    require_size(first, info.velocities, prefix(info, "velocities of all mass blocks"));
}

void validate_contacts(const SystemInfo& info) {
  std::set<std::string> names;
  for (const ContactInfo& contact : info.contacts) {
    const std::string item = fmt::format("contact '{}'", contact.name);
    validate(contact.law, item);
    if (contact.compliant) validate(*contact.compliant, item);
    require_in_range(contact.tangents, 0, 2, item + ": number of tangents", "-");
    require_choice(contact.unit, GapUnit::radian, item + ": unit of the gap");
    if (contact.name.empty())
      throw InputError(fmt::format("system '{}': a contact has no name", info.name));
    require_blocks(contact.blocks, info, item, contact.candidates);
    if (contact.tangents == 0 && holding_friction(contact.law) > 0)
      throw InputError(fmt::format("{}: friction is {}, but the contact has no tangent rows", item,
                                   holding_friction(contact.law)));
    if (contact.tangents == 0 && contact.compliant &&
        !std::holds_alternative<Frictionless>(contact.compliant->friction))
      throw InputError(
          fmt::format("{}: it has friction, but the contact has no tangent rows", item));
    if (!names.insert(contact.name).second)
      throw InputError(
          fmt::format("system '{}': two contacts are called '{}'", info.name, contact.name));
  }
}

void validate_rows(const SystemInfo& info) {
  const auto validate_row = [&](const auto& row, const std::string& item) {
    require_positive(row.length, item + ": length", "m");
    require_blocks(row.blocks, info, item);
  };
  for (const BilateralInfo& row : info.bilaterals)
    validate_row(row, fmt::format("bilateral row '{}'", row.name));
  for (const RelayInfo& row : info.relays) {
    const std::string item = fmt::format("dry friction '{}'", row.name);
    validate_row(row, item);
    require_choice(row.law, RelayLaw::preload, item + ": law");
    require_not_negative(row.friction, item + ": coefficient", "-");
    require_static_friction(row.static_friction, row.friction, item);
  }
}

void validate_events(const SystemInfo& info) {
  for (const EventInfo& event : info.events) {
    const std::string item = fmt::format("event '{}'", event.name);
    if (event.time) require_finite(*event.time, item + ": time");
    for (const EventInfo::Turn& turn : event.turns)
      require_in_range(turn.item, 0, static_cast<double>(info.switches.size()) - 1,
                       item + ": number of a switch", "-");
    require_in_range(event.after, -1, static_cast<double>(info.events.size()) - 1,
                     item + ": number of the event before", "-");
  }
}

}  // namespace

void validate(const SystemInfo& info) {
  validate_sizes(info);
  validate_columns(info);
  validate_blocks(info);
  validate_contacts(info);
  validate_rows(info);
  validate_events(info);
}

long candidates(const SystemInfo& info) {
  long sum = 0;
  for (const ContactInfo& contact : info.contacts) sum += contact.candidates;
  return sum;
}

std::size_t usual_contacts(const SystemInfo& info) {
  constexpr long many = 256;
  return static_cast<std::size_t>(std::min(candidates(info), many));
}

}  // namespace backlash
