// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/report/page_tables.h"

namespace backlash::page {
namespace {

using Json = nlohmann::ordered_json;
using Index = Eigen::Index;

std::span<const double> span_of(const Matrix& values, Index column) {
  return {values.col(column).data(), static_cast<std::size_t>(values.rows())};
}

Index column_of(const ResultsTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.channels, name, &Channel::name);
  return found == table.channels.end() ? -1 : found - table.channels.begin();
}

/// Channels that share their times.
class ThinnedTable {
 public:
  ThinnedTable(std::span<const double> t, const ThinningOptions& options)
      : t_(t), options_(options), used_(t.size(), false) {}

  void add(const std::string& name, const std::string& unit, std::span<const double> values) {
    ThinnedRows kept = thinned(values, options_);
    Kept& channel = channels_.emplace_back(Kept{name, unit, kept.every_extremum});
    channel.values.reserve(kept.rows.size());
    for (const std::uint32_t row : kept.rows) {
      channel.values.push_back(static_cast<float>(values[row]));
      used_[row] = true;
    }
    if (kept.rows.size() < t_.size()) channel.rows = std::move(kept.rows);
  }

  Json json(PageNumbers& numbers) const {
    std::vector<std::uint32_t> position(t_.size());
    std::vector<double> times;
    for (std::size_t i = 0; i < t_.size(); ++i) {
      position[i] = static_cast<std::uint32_t>(times.size());
      if (used_[i]) times.push_back(t_[i]);
    }
    Json channels = Json::array();
    std::size_t whole = 0;
    for (const Kept& channel : channels_) {
      Json entry{{"name", channel.name},
                 {"unit", channel.unit},
                 {"values", numbers.add(std::span<const float>(channel.values))}};
      if (channel.values.size() < times.size()) {
        std::vector<std::uint32_t> rows = channel.rows;
        for (std::uint32_t& row : rows) row = position[row];
        entry["rows"] = numbers.add_ascending(rows);
      }
      whole += channel.every_extremum ? 1 : 0;
      channels.push_back(std::move(entry));
    }
    return {{"rows", t_.size()},
            {"kept", times.size()},
            {"with_every_extremum", whole},
            {"times", numbers.add_times(times)},
            {"channels", std::move(channels)}};
  }

 private:
  struct Kept {
    std::string name, unit;
    bool every_extremum = true;
    std::vector<float> values{};
    Rows rows{};  ///< empty: all
  };
  std::span<const double> t_;
  ThinningOptions options_;
  std::vector<bool> used_;
  std::vector<Kept> channels_;
};

/// What is zero, not unknown, where a contact is not near.
bool vanishes_apart(std::string_view column) {
  return column.starts_with("impulse") || column.starts_with("force") ||
         column.starts_with("peak") || column.starts_with("impact") || column == "state";
}

/// Units of the columns where the gap is an angle.
std::string unit_of(const Channel& channel, bool angle) {
  const std::size_t both = channel.unit.find(" or ");
  if (both == std::string::npos) return channel.unit;
  return angle ? channel.unit.substr(both + 4) : channel.unit.substr(0, both);
}

void add_contacts(const Results& results, const ContactRows& rows, ThinnedTable& table) {
  const ResultsTable& contacts = results.contacts;
  const Index names = column_of(contacts, "contact"), unit = column_of(contacts, "unit");
  if (names < 0) return;
  const auto count = static_cast<std::size_t>(results.states.rows());
  std::vector<double> values;
  for (std::size_t c = 0; c < rows.contacts.size(); ++c) {
    const Rows& own = rows.contacts[c];
    if (own.empty()) continue;
    const bool angle = unit >= 0 && contacts.label("unit", own.front()) == "rad";
    for (std::size_t j = 0; j < contacts.channels.size(); ++j) {
      const Channel& channel = contacts.channels[j];
      const bool number = contacts.labels[j].empty() || channel.name == "state";
      if (!number || channel.name == "t") continue;
      values.assign(count, vanishes_apart(channel.name) ? 0 : NAN);
      const auto column = contacts.values.col(static_cast<Index>(j));
      for (const std::uint32_t i : own) values[rows.states[i]] = column[i];
      table.add(fmt::format("{}.{}", contacts.labels[at(names)][c], channel.name),
                channel.name == "state" ? "-" : unit_of(channel, angle), values);
    }
  }
}

}  // namespace

ContactRows contact_rows(const Results& results) {
  ContactRows rows;
  const ResultsTable& contacts = results.contacts;
  const Index time = column_of(contacts, "t"), name = column_of(contacts, "contact");
  if (time < 0 || name < 0) return rows;
  rows.contacts.resize(contacts.labels[at(name)].size());
  const auto t = results.states.values.col(0);
  Index row = 0;
  for (Index i = 0; i < contacts.rows(); ++i) {
    while (row + 1 < t.size() && t[row] < contacts.values(i, time)) ++row;
    rows.states.push_back(static_cast<std::uint32_t>(row));
    const auto contact = static_cast<std::size_t>(contacts.values(i, name));
    if (contact < rows.contacts.size() && t[row] == contacts.values(i, time))
      rows.contacts[contact].push_back(static_cast<std::uint32_t>(i));
  }
  return rows;
}

Json channels_json(const Results& results, const ContactRows& contacts,
                   const ThinningOptions& options, PageNumbers& numbers) {
  const ResultsTable& states = results.states;
  ThinnedTable table(span_of(states.values, 0), options);
  for (std::size_t j = 1; j < states.channels.size(); ++j)
    table.add(states.channels[j].name, states.channels[j].unit,
              span_of(states.values, static_cast<Index>(j)));
  add_contacts(results, contacts, table);
  Json tables = Json::array({table.json(numbers)});
  if (results.steps.rows() > 0) {
    const ResultsTable& steps = results.steps;
    ThinnedTable of_steps(span_of(steps.values, column_of(steps, "t")), {.points = options.points});
    for (std::size_t j = 0; j < steps.channels.size(); ++j)
      if (steps.channels[j].name != "t")
        of_steps.add("steps." + steps.channels[j].name, steps.channels[j].unit,
                     span_of(steps.values, static_cast<Index>(j)));
    tables.push_back(of_steps.json(numbers));
  }
  return tables;
}

}  // namespace backlash::page
