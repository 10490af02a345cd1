// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <nlohmann/json.hpp>

#include "backlash/report/page_tables.h"

namespace backlash::page {
namespace {

using Json = nlohmann::ordered_json;
using Index = Eigen::Index;

constexpr std::array in_plane_pose{".x", ".y", ".angle"};
constexpr std::array in_space_pose{".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};

/// Columns of the states, one after another for each body of the scene. Empty if one is missing.
std::vector<Index> pose_columns(const Results& results, std::size_t& width) {
  std::vector<Index> columns;
  const auto& channels = results.states.channels;
  const auto add = [&](const std::string& body, const auto& suffixes) {
    width = suffixes.size();
    for (const char* suffix : suffixes) {
      const auto found = std::ranges::find(channels, body + suffix, &Channel::name);
      if (found == channels.end()) return false;
      columns.push_back(found - channels.begin());
    }
    return true;
  };
  for (const SceneBody& body : results.run.scene.bodies) {
    const bool plane = results.states.has(body.name + ".angle");
    if (!(plane ? add(body.name, in_plane_pose) : add(body.name, in_space_pose))) return {};
  }
  return columns;
}

/// Contacts at the frames: for each frame those that have a row at its time.
Json contacts_of(const Results& results, const ContactRows& rows, const Rows& frames,
                 PageNumbers& numbers) {
  constexpr std::array columns{"px", "py", "nx", "ny", "gap", "state", "force_n", "force_t"};
  const ResultsTable& table = results.contacts;
  std::vector<Index> at;
  for (const char* name : columns) {
    const auto found = std::ranges::find(table.channels, name, &Channel::name);
    if (found == table.channels.end()) return nullptr;
    at.push_back(found - table.channels.begin());
  }
  const Vector contact = table.column("contact");
  std::vector<std::uint32_t> first, ids;
  std::vector<float> values;
  std::size_t i = 0;
  for (const std::uint32_t frame : frames) {
    first.push_back(static_cast<std::uint32_t>(ids.size()));
    while (i < rows.states.size() && rows.states[i] < frame) ++i;
    for (; i < rows.states.size() && rows.states[i] == frame; ++i) {
      ids.push_back(static_cast<std::uint32_t>(contact[static_cast<Index>(i)]));
      for (const Index column : at)
        values.push_back(static_cast<float>(table.values(static_cast<Index>(i), column)));
    }
  }
  first.push_back(static_cast<std::uint32_t>(ids.size()));
  return {{"columns", columns},
          {"first", numbers.add_ascending(first)},
          {"contact", numbers.add(std::span<const std::uint32_t>(ids))},
          {"values", numbers.add(std::span<const float>(values))}};
}

/// Fewer frames of mechanisms with many bodies or contacts.
std::size_t frame_count(const Results& results, std::size_t points) {
  constexpr double most_numbers = 1.5e6, most_contacts = 4e5;
  const double rows = static_cast<double>(results.states.rows());
  const double bodies = static_cast<double>(results.run.scene.bodies.size());
  const double contacts = static_cast<double>(results.contacts.rows()) / rows;
  const double most =
      std::min(most_numbers / std::max(1.0, 3 * bodies), most_contacts / std::max(1.0, contacts));
  return std::min(points, static_cast<std::size_t>(std::max(400.0, most)));
}

/// A time in which a contact stuck or slid.
struct Interval {
  std::size_t contact = 0;
  std::string state{};
  double from = 0, to = 0;  ///< [s]
};

/// What the contact does since the row, in words of the events.
bool begins(std::string_view kind) { return kind == "rest" || kind == "stick" || kind == "slip"; }

/// Times of events that begin or end an interval, for each contact.
std::map<std::string, std::vector<double>> changes_of(const Results& results) {
  std::map<std::string, std::vector<double>> changes;
  for (const RunEvent& event : list_events(results))
    if (begins(event.kind) || event.kind == "release") changes[event.contact].push_back(event.t);
  return changes;
}

/// The first change in (from, to], else `to`.
double change_between(const std::vector<double>& changes, double from, double to) {
  const auto found = std::ranges::upper_bound(changes, from);
  return found != changes.end() && *found <= to ? *found : to;
}

const std::vector<std::string>& labels_of(const ResultsTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.channels, name, &Channel::name);
  return table.labels[at(found - table.channels.begin())];
}

/// Finds the intervals of one contact from its states in the rows, and from the times of the events
/// between them.
struct IntervalFinder {
  std::size_t contact;
  const Vector& t;              ///< of the rows [s]
  std::vector<double> changes;  ///< [s]
  std::vector<Interval> found{};
  std::string word{};      ///< of the interval that goes on; empty: none does
  double from = 0;         ///< where it began [s]
  std::uint32_t last = 0;  ///< row

  void add(std::uint32_t row, std::string_view state) {
    if (row > last + 1) close(change_between(changes, t[last], t[last + 1]));  // not near between
    if (state != word) {
      const double change = change_between(changes, t[last], t[row]);
      close(change);
      if (state == "stick" || state == "slip") {
        word = state;
        from = change;
      }
    }
    last = row;
  }
  void end() { close(t[last]); }

 private:
  void close(double to) {
    if (!word.empty()) found.push_back({contact, word, from, to});
    word.clear();
  }
};

}  // namespace

std::vector<double> impact_times(const Results& results) {
  std::vector<double> times;
  for (const RunEvent& event : list_events(results, "impact")) times.push_back(event.t);
  std::ranges::sort(times);
  return times;
}

Rows rows_around_impacts(const Results& results, std::size_t most) {
  const Vector t = results.states.column("t");
  const std::vector<double> times = impact_times(results);
  Rows rows;
  if (2 * times.size() > most) return rows;
  for (const double time : times) {
    const auto after = std::lower_bound(t.begin(), t.end(), time) - t.begin();
    rows.push_back(static_cast<std::uint32_t>(std::max<Index>(0, after - 1)));
    rows.push_back(static_cast<std::uint32_t>(std::min<Index>(after, t.size() - 1)));
  }
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Json frames_json(const Results& results, const ContactRows& contacts, std::size_t points,
                 PageNumbers& numbers) {
  std::size_t width = 3;
  const std::vector<Index> columns = pose_columns(results, width);
  if (columns.empty()) return nullptr;
  const Vector t = results.states.column("t");
  const Rows frames =
      spread_rows({t.data(), at(t.size())}, impact_times(results), frame_count(results, points));
  std::vector<double> times, poses;
  for (const std::uint32_t row : frames) times.push_back(t[row]);
  for (const Index column : columns)  // one after another: they compress better
    for (const std::uint32_t row : frames) poses.push_back(results.states.values(row, column));
  return {{"count", frames.size()},
          {"width", width},
          {"times", numbers.add(std::span<const double>(times))},
          {"poses", numbers.add(std::span<const double>(poses))},
          {"contacts", contacts_of(results, contacts, frames, numbers)}};
}

Json events_json(const Results& results, PageNumbers& numbers) {
  const ResultsTable& table = results.events;
  Json json{{"count", table.rows()}, {"columns", Json::object()}};
  if (table.rows() == 0) return json;
  for (std::size_t j = 0; j < table.channels.size(); ++j) {
    const auto column = table.values.col(static_cast<Index>(j));
    Json entry{{"unit", table.channels[j].unit}};
    if (table.labels[j].empty()) {
      entry["values"] = numbers.add(std::span<const double>(column.data(), at(column.size())));
    } else {
      std::vector<std::uint32_t> words;
      for (const double value : column)
        words.push_back(static_cast<std::uint32_t>(std::max(0.0, value)));
      entry["values"] = numbers.add(std::span<const std::uint32_t>(words));
      entry["labels"] = table.labels[j];
    }
    json["columns"][table.channels[j].name] = std::move(entry);
  }
  return json;
}

Json intervals_json(const Results& results, const ContactRows& rows) {
  constexpr std::size_t most = 20000;
  const ResultsTable& table = results.contacts;
  if (table.rows() == 0 || !table.has("state")) return Json::array();
  const Vector t = results.states.column("t"), states = table.column("state");
  const std::vector<std::string>& names = labels_of(table, "contact");
  const std::vector<std::string>& words = labels_of(table, "state");
  const auto changes = changes_of(results);
  std::vector<Interval> intervals;
  for (std::size_t c = 0; c < rows.contacts.size() && intervals.size() < most; ++c) {
    const auto found = changes.find(names[c]);
    IntervalFinder finder{c, t, found == changes.end() ? std::vector<double>{} : found->second};
    for (const std::uint32_t i : rows.contacts[c]) {
      const auto state = static_cast<std::size_t>(states[i]);
      finder.add(rows.states[i],
                 state < words.size() ? std::string_view(words[state]) : std::string_view());
    }
    finder.end();
    intervals.insert(intervals.end(), finder.found.begin(), finder.found.end());
  }
  std::ranges::stable_sort(intervals, {}, &Interval::from);
  Json json = Json::array();
  for (const Interval& i : intervals)
    json.push_back({{"contact", i.contact}, {"state", i.state}, {"from", i.from}, {"to", i.to}});
  return json;
}

}  // namespace backlash::page
