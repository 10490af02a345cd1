// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/csv.h"

#include <iterator>

#include <fmt/format.h>

namespace backlash {
namespace {

/// A name as a field (RFC 4180): quoted if it would be taken for several otherwise.
std::string field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted(1, '"');
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  quoted.push_back('"');
  return quoted;
}

std::string header(const std::vector<Channel>& channels) {
  std::string text;
  for (const Channel& channel : channels)
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", field(channel.name));
  text.push_back('\n');
  return text;
}

template <class Row>
std::string header(const std::vector<Column<Row>>& columns) {
  std::vector<Channel> channels;
  for (const Column<Row>& column : columns) channels.push_back(column.channel);
  return header(channels);
}

template <class Row>
std::string rows_as_text(const std::vector<Row>& rows, const std::vector<Column<Row>>& columns,
                         const SystemInfo& info) {
  std::vector<std::vector<std::string>> names;
  for (const Column<Row>& column : columns) {
    names.push_back(labels(column.kind, info));
    for (std::string& name : names.back()) name = field(name);
  }
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = columns[i].value(row);
      if (columns[i].kind == ColumnKind::number)
        fmt::format_to(out, "{}", value);
      else
        text += names[i][static_cast<std::size_t>(value)];
      text += i + 1 < columns.size() ? ',' : '\n';
    }
  return text;
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& folder, const SystemInfo& info,
                     const RecorderOptions& recorded)
    : info_(info),
      states_(folder / "states.csv"),
      contacts_(folder / "contacts.csv"),
      events_(folder / "events.csv") {
  const std::vector<Channel> channels = state_channels(info, recorded.points);
  columns_ = channels.size();
  states_.append(header(channels));
  contacts_.append(header(contact_columns(info.space)));
  events_.append(header(event_columns(info.space)));
  if (recorded.steps) steps_.emplace(folder / "steps.csv").append(header(step_columns()));
}

void CsvWriter::write(const Recording& recording) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < recording.states.size(); ++i)
    fmt::format_to(out, "{}{}", recording.states[i], (i + 1) % columns_ == 0 ? '\n' : ',');
  states_.append(text);
  contacts_.append(rows_as_text(recording.contacts, contact_columns(info_.space), info_));
  events_.append(rows_as_text(recording.events, event_columns(info_.space), info_));
  if (steps_) steps_->append(rows_as_text(recording.steps, step_columns(), info_));
}

void CsvWriter::publish() {
  states_.publish();
  contacts_.publish();
  events_.publish();
  if (steps_) steps_->publish();
}

}  // namespace backlash
