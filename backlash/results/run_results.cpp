// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/run_results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// −1: there is none.
Index find_column(const ResultsTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.channels, name, &Channel::name);
  return found == table.channels.end() ? -1 : found - table.channels.begin();
}

/// Columns of the contacts that are channels: numbers, but for the time.
bool is_contact_channel(const ResultsTable& contacts, std::size_t column) {
  return contacts.labels[column].empty() && contacts.channels[column].name != "t";
}

std::span<const std::string> contact_names(const Results& results) {
  const Index column = find_column(results.contacts, "contact");
  if (column < 0) return {};
  return results.contacts.labels[static_cast<std::size_t>(column)];
}

/// In which unit the gap of each contact is; empty of one without rows.
std::vector<std::string> gap_units(const Results& results) {
  std::vector<std::string> units(contact_names(results).size());
  if (!results.contacts.has("unit")) return units;
  const Vector number = results.contacts.column("contact");
  for (Index i = 0; i < number.size(); ++i)
    if (std::string& unit = units.at(static_cast<std::size_t>(number[i])); unit.empty())
      unit = results.contacts.label("unit", i);
  return units;
}

/// "m or rad" of one contact: the one that its gap decides.
std::string unit_for(const std::string& unit, const std::string& gap) {
  const std::size_t between = unit.find(" or ");
  if (between == std::string::npos) return unit;
  if (gap == "m") return unit.substr(0, between);
  return gap == "rad" ? unit.substr(between + 4) : unit;
}

/// What acts only where two bodies are near.
bool vanishes_apart(std::string_view column) {
  return column.starts_with("impulse") || column.starts_with("force") ||
         column.starts_with("peak") || column.starts_with("impact");
}

Series contact_series(const Results& results, std::size_t contact, Index column,
                      const std::string& name) {
  const ResultsTable& table = results.contacts;
  const Channel& channel = table.channels[static_cast<std::size_t>(column)];
  const Vector number = table.column("contact"), at = table.column("t");
  Series series{.name = name,
                .unit = unit_for(channel.unit, gap_units(results)[contact]),
                .t = results.states.column("t")};
  series.values.setConstant(series.t.size(), vanishes_apart(channel.name) ? 0 : NAN);
  Index row = 0;
  for (Index i = 0; i < number.size(); ++i) {
    if (number[i] != static_cast<double>(contact)) continue;
    while (row < series.t.size() && series.t[row] < at[i]) ++row;
    if (row < series.t.size() && series.t[row] == at[i])
      series.values[row] = table.values(i, column);
  }
  return series;
}

constexpr std::string_view of_steps = "steps.";

/// The channels of a body, joint or contact.
std::vector<std::string> members_of(const std::string& item, const std::vector<Channel>& channels) {
  std::vector<std::string> members;
  for (const Channel& channel : channels)
    if (channel.name.starts_with(item + ".")) members.push_back(channel.name);
  return members;
}

std::string item_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

[[noreturn]] void refuse_channel(const Results& results, const std::string& name) {
  const std::vector<Channel> channels = list_channels(results);
  std::vector<std::string> names;
  for (const Channel& channel : channels) names.push_back(channel.name);
  std::string text =
      fmt::format("there is no channel '{}' in these results{}", name, did_you_mean(name, names));
  std::vector<std::string> near = members_of(item_of(name), channels);
  if (near.empty()) {
    std::set<std::string> items;
    for (const std::string& known : names) items.insert(item_of(known));
    text += fmt::format("; there are channels of: {}", fmt::join(items, ", "));
  } else {
    constexpr std::size_t most = 24;
    const bool more = near.size() > most;
    near.resize(std::min(near.size(), most));
    text += fmt::format("; there are: {}{}", fmt::join(near, ", "), more ? ", …" : "");
  }
  throw InputError(text);
}

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= name.size(); ++i)
    if (matches(rest, name.substr(i))) return true;
  return false;
}

}  // namespace

bool ResultsTable::has(std::string_view name) const { return find_column(*this, name) >= 0; }

Vector ResultsTable::column(std::string_view name) const {
  const Index column = find_column(*this, name);
  if (column >= 0) return values.col(column);
  throw InputError(fmt::format("there is no channel '{}' in these results", name));
}

std::string ResultsTable::label(std::string_view name, Index row) const {
  const Index column = find_column(*this, name);
  if (column < 0) return {};
  const std::vector<std::string>& words = labels[static_cast<std::size_t>(column)];
  const double value = values(row, column);
  return value >= 0 && value < static_cast<double>(words.size())
             ? words[static_cast<std::size_t>(value)]
             : std::string();
}

double Results::t_end() const {
  return states.rows() == 0 ? NAN : states.values(states.rows() - 1, 0);
}

std::vector<Channel> list_channels(const Results& results) {
  std::vector<Channel> all = results.states.channels;
  const std::vector<std::string> units = gap_units(results);
  for (std::size_t c = 0; c < units.size(); ++c)
    for (std::size_t j = 0; j < results.contacts.channels.size(); ++j)
      if (const Channel& channel = results.contacts.channels[j];
          is_contact_channel(results.contacts, j))
        all.push_back({fmt::format("{}.{}", contact_names(results)[c], channel.name),
                       unit_for(channel.unit, units[c])});
  for (const Channel& channel : results.steps.channels)
    if (channel.name != "t")
      all.push_back({fmt::format("{}{}", of_steps, channel.name), channel.unit});
  return all;
}

Series find_series(const Results& results, const std::string& name) {
  if (const Index column = find_column(results.states, name); column >= 0)
    return {name, results.states.channels[static_cast<std::size_t>(column)].unit,
            results.states.column("t"), results.states.values.col(column)};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) refuse_channel(results, name);
  const std::string item = name.substr(0, dot), quantity = name.substr(dot + 1);
  const std::span<const std::string> contacts = contact_names(results);
  const auto contact = std::ranges::find(contacts, item);
  const Index of_contact = find_column(results.contacts, quantity);
  if (contact != contacts.end() && of_contact >= 0 &&
      is_contact_channel(results.contacts, static_cast<std::size_t>(of_contact)))
    return contact_series(results, static_cast<std::size_t>(contact - contacts.begin()), of_contact,
                          name);
  const Index of_step = name.starts_with(of_steps) ? find_column(results.steps, quantity) : -1;
  if (of_step >= 0)
    return {name, results.steps.channels[static_cast<std::size_t>(of_step)].unit,
            results.steps.column("t"), results.steps.values.col(of_step)};
  refuse_channel(results, name);
}

std::vector<std::string> match_channels(const Results& results,
                                        const std::vector<std::string>& patterns) {
  const std::vector<Channel> channels = list_channels(results);
  std::vector<std::string> names;
  for (const std::string& pattern : patterns) {
    const std::size_t before = names.size();
    for (const Channel& channel : channels)
      if (matches(pattern, channel.name)) names.push_back(channel.name);
    if (names.size() == before) refuse_channel(results, pattern);
  }
  return names;
}

std::vector<RunEvent> list_events(const Results& results, std::string_view kind) {
  const ResultsTable& table = results.events;
  std::vector<RunEvent> events;
  if (table.rows() == 0) return events;
  const std::array<Vector, 6> numbers{
      table.column("t"),         table.column("gamma_n_before"), table.column("gamma_n_after"),
      table.column("impulse_n"), table.column("impulse_t"),      table.column("energy_loss")};
  for (Index i = 0; i < table.rows(); ++i) {
    RunEvent event{.t = numbers[0][i],
                   .kind = table.label("kind", i),
                   .contact = table.label("contact", i),
                   .gamma_n_before = numbers[1][i],
                   .gamma_n_after = numbers[2][i],
                   .impulse_n = numbers[3][i],
                   .impulse_t = numbers[4][i],
                   .energy_loss = numbers[5][i],
                   .unit = table.label("unit", i)};
    if (kind.empty() || event.kind == kind) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace backlash
