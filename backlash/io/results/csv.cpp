// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/csv.h"

#include <cmath>
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

/// Names with their units, which every program reads without being told: "slider.x [m]".
std::string header(const std::vector<Channel>& channels) {
  std::string text;
  for (const Channel& channel : channels)
    fmt::format_to(
        std::back_inserter(text), "{}{}", text.empty() ? "" : ",",
        field(channel.unit.empty() ? channel.name
                                   : fmt::format("{} [{}]", channel.name, channel.unit)));
  text.push_back('\n');
  return text;
}

template <class Row>
std::string header(const std::vector<Column<Row>>& columns, const SystemInfo& info) {
  std::vector<Channel> channels;
  for (const Column<Row>& column : columns)
    channels.push_back(
        {column.channel.name, column.kind == ColumnKind::number ? unit_of(column, info) : ""});
  return header(channels);
}

/// What the contacts and the events of the model are called, as fields.
struct Names {
  const std::vector<std::string>& contacts;
  const std::vector<std::string>& events;

  std::string_view subject(int i) const {
    return i >= 0 ? contacts[static_cast<std::size_t>(i)]
                  : events[static_cast<std::size_t>(-1 - i)];
  }
};

/// To the file, before the text has left the processor's cache.
void append_if_long(TextBuffer& text, PartFile& file) {
  if (text.size() < CsvWriter::text_at_once) return;
  file.append(text.text());
  text.clear();
}

template <class Row>
void append_rows(const std::vector<Row>& rows, const std::vector<Column<Row>>& columns,
                 const Names& names, TextBuffer& text, PartFile& file) {
  std::vector<std::vector<std::string>> words;
  for (const Column<Row>& column : columns) words.push_back(labels(column.kind));
  text.clear();
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = columns[i].value(row);
      const char after = i + 1 < columns.size() ? ',' : '\n';
      if (columns[i].kind == ColumnKind::number) {
        text.put(value, after);
        continue;
      }
      text.put(words[i].empty() ? names.subject(static_cast<int>(value))
                                : std::string_view(words[i][static_cast<std::size_t>(value)]));
      text.put(after);
    }
    append_if_long(text, file);
  }
  file.append(text.text());
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& folder, const SystemInfo& info,
                     std::size_t columns, bool steps)
    : info_(info),
      columns_(columns),
      states_(folder / "states.csv"),
      contacts_(folder / "contacts.csv"),
      events_(folder / "events.csv") {
  for (const EventInfo& event : info.events) event_names_.push_back(field(event.name));
  if (steps) steps_.emplace(folder / "steps.csv");
}

CsvWriter::CsvWriter(const std::filesystem::path& folder, const SystemInfo& info,
                     const RecorderOptions& recorded)
    : CsvWriter(folder, info, state_channels(info, recorded).size(), recorded.steps) {
  states_.append(header(state_channels(info, recorded)));
  contacts_.append(header(contact_columns(info), info));
  events_.append(header(event_columns(info.space), info));
  if (steps_) steps_->append(header(step_columns(), info));
}

CsvWriter::CsvWriter(const std::filesystem::path& folder, const SystemInfo& info,
                     const RecorderOptions& recorded, const CsvSizes& earlier)
    : CsvWriter(folder, info, state_channels(info, recorded).size(), recorded.steps) {
  states_.append_from(folder / "states.csv", earlier.states);
  contacts_.append_from(folder / "contacts.csv", earlier.contacts);
  events_.append_from(folder / "events.csv", earlier.events);
  if (steps_) steps_->append_from(folder / "steps.csv", earlier.steps);
}

CsvSizes CsvWriter::sizes() const {
  return {states_.size(), contacts_.size(), events_.size(), steps_ ? steps_->size() : 0};
}

void CsvWriter::write(const Recording& recording) {
  text_.clear();
  const double* x = recording.states.data();
  for (std::size_t rows = recording.states.size() / columns_; rows > 0; --rows) {
    for (std::size_t i = 1; i <= columns_; ++i, ++x) {
      const char after = i < columns_ ? ',' : '\n';
      if (std::isnan(*x))
        text_.put(after);  // what is not defined has an empty field
      else
        text_.put(*x, after);
    }
    append_if_long(text_, states_);
  }
  states_.append(text_.text());
  for (const RecordedContact& contact : recording.new_contacts)
    contact_names_.push_back(field(contact.name));
  const Names names{contact_names_, event_names_};
  append_rows(recording.contacts, contact_columns(info_), names, text_, contacts_);
  append_rows(recording.events, event_columns(info_.space), names, text_, events_);
  if (steps_) append_rows(recording.steps, step_columns(), names, text_, *steps_);
}

void CsvWriter::publish() {
  states_.publish();
  contacts_.publish();
  events_.publish();
  if (steps_) steps_->publish();
}

}  // namespace backlash
