// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/results_file.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/io/results/plots_json.h"
#include "backlash/io/results/scene_json.h"

namespace backlash {
namespace {

constexpr int events_per_chunk = 256;

std::string path_of(const std::string& group, const std::string& name) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos)
    throw InputError(fmt::format(
        "'{}' in {} cannot be a name in results.h5: names have no '/', and at least a letter", name,
        group));
  return fmt::format("/{}/{}", group, name);
}

void describe_run(const RunDescription& run, const SystemInfo& info, Hdf5Writer& file) {
  file.attribute("/", "format", std::string("backlash results"));
  file.attribute("/", "format_version", std::int64_t{results_format_version});
  file.attribute("/", "program_version", std::string(version()));
  file.attribute("/", "title", run.title);
  file.attribute("/", "space", std::int64_t{info.space});
  file.attribute("/", "status", std::string("running"));
  file.attribute("/", "summary", std::string());  // its room is not at the end of the file
  const auto put = [&](const std::string& group, const std::vector<NamedValue>& values) {
    file.ordered_group(group);
    for (const NamedValue& value : values) file.attribute(group, value.name, value.value);
  };
  put("/options", run.options);
  put("/parameters", run.parameters);
  std::vector<std::string> names, texts;
  for (const ModelText& part : run.model) {
    names.push_back(part.file);
    texts.push_back(part.text);
  }
  file.group("/model");
  file.texts("/model/files", names);
  file.texts("/model/text", texts);
  if (!run.plots.empty()) file.text("/model/plots", plots_json(run.plots));
  if (!run.scene.empty()) file.text("/model/scene", scene_json(run.scene));
}

template <class Row>
void create_table(const std::string& group, const std::vector<Column<Row>>& columns,
                  const GrowingShape& shape, const SystemInfo& info, Hdf5Writer& file) {
  file.ordered_group("/" + group);
  for (const Column<Row>& column : columns) {
    const std::string path = path_of(group, column.channel.name);
    if (column.kind == ColumnKind::number)
      file.growing_numbers(path, shape);
    else if (column.kind == ColumnKind::contact || column.kind == ColumnKind::subject)
      file.growing_integers(path, shape);
    else
      file.growing_integers(path, shape, labels(column.kind));
    file.attribute(path, "unit", unit_of(column, info));
  }
}

/// Rows are taken some at a time, all columns of them, while they lie in the processor's cache.
template <class Row>
void append_table(const std::string& group, const std::vector<Column<Row>>& columns,
                  const std::vector<Row>& rows, std::vector<double>& values, Hdf5Writer& file) {
  if (rows.empty()) return;
  constexpr std::size_t at_once = 64;
  values.resize(std::max(values.size(), columns.size() * rows.size()));
  for (std::size_t first = 0; first < rows.size(); first += at_once) {
    const auto some = std::span(rows).subspan(first, std::min(at_once, rows.size() - first));
    for (std::size_t i = 0; i < columns.size(); ++i)
      std::ranges::transform(some, &values[i * rows.size() + first], columns[i].value);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string path = path_of(group, columns[i].channel.name);
    const auto column = std::span<const double>(values).subspan(i * rows.size(), rows.size());
    if (columns[i].kind == ColumnKind::number)
      file.append(path, column);
    else
      file.append(path, std::vector<int>(column.begin(), column.end()));
  }
}

/// What texts take in the file, at most.
std::size_t bytes_for(const std::vector<std::string>& texts) {
  constexpr std::size_t heap = 16384, entry = 64;
  std::size_t sum = texts.empty() ? 0 : heap;
  for (const std::string& text : texts) sum += entry + text.size();
  return sum;
}

/// Fewer in a run that has fewer.
std::size_t rows_per_chunk(const SystemInfo& info, const RunDescription& run) {
  const int block = rows_per_block(info);
  const bool few = run.expected_rows > 0 && run.expected_rows < block;
  return static_cast<std::size_t>(few ? std::max(16, static_cast<int>(run.expected_rows)) : block);
}

/// Of a column of the states; a longer run is given more room when it comes to it.
std::size_t expected_chunks(const RunDescription& run, std::size_t rows_per_chunk) {
  constexpr double most = 2048;
  const double chunks = std::ceil(run.expected_rows / static_cast<double>(rows_per_chunk)) + 1;
  return std::max(usual_chunks, static_cast<std::size_t>(std::min(chunks, most)));
}

}  // namespace

int rows_per_block(const SystemInfo& info) {
  constexpr std::size_t most = 4096, least = 16, bytes = std::size_t{1} << 22;
  const std::size_t row = sizeof(double) * state_channels(info).size() +
                          sizeof(ContactRow) * std::max(usual_contacts(info), std::size_t{1});
  return static_cast<int>(std::clamp(bytes / row, least, most));
}

ResultsFileWriter::ResultsFileWriter(const std::filesystem::path& file, const SystemInfo& info,
                                     const RunDescription& run, const RecorderOptions& recorded,
                                     const Layout& layout)
    : rows_per_chunk_(rows_per_chunk(info, run)),
      chunks_(layout.chunks > 0 ? layout.chunks : expected_chunks(run, rows_per_chunk_)),
      file_(file, chunks_),
      info_(info),
      recorded_(recorded),
      channels_(state_channels(info, recorded)) {
  describe_run(run, info, file_);
  const std::size_t chunk = rows_per_chunk_;
  const int block = static_cast<int>(chunk);
  const Storage storage = layout.storage;
  const auto near = static_cast<int>(std::max(usual_contacts(info), std::size_t{1}));
  const GrowingShape of_contacts{.chunk = block * near, .storage = storage, .period = near};
  const auto growth = [&](const auto& columns, std::size_t rows) {
    return Growth{.chunk = rows, .row_bytes = 8 * columns.size(), .columns = columns.size()};
  };
  states_ = growth(channels_, chunk);
  contacts_ = growth(contact_columns(info), chunk * static_cast<std::size_t>(near));
  events_ = growth(event_columns(info.space), events_per_chunk);
  names_ = {.chunk = events_per_chunk};
  steps_ = growth(step_columns(), chunk);
  file_.ordered_group("/states");
  for (const Channel& channel : channels_) {
    const std::string path = path_of("states", channel.name);
    file_.growing_numbers(path, {.chunk = block, .storage = storage});
    file_.attribute(path, "unit", channel.unit);
    if (channel.may_be_undefined) file_.attribute(path, "missing_value", missing_value);
  }
  create_table("contacts", contact_columns(info), of_contacts, info, file_);
  file_.attribute("/contacts/contact", "meaning", std::string("index into /model/contacts"));
  file_.growing_texts("/model/contacts", {.chunk = events_per_chunk});
  create_table("events", event_columns(info.space), {.chunk = events_per_chunk, .storage = storage},
               info, file_);
  file_.attribute("/events/contact", "meaning",
                  std::string("index into /model/contacts; -1 - i: entry i of /model/events"));
  std::vector<std::string> events;
  for (const EventInfo& event : info.events) events.push_back(event.name);
  file_.texts("/model/events", events);
  if (recorded.steps)
    create_table("steps", step_columns(), {.chunk = block, .storage = storage}, info, file_);
  file_.flush();  // what describes the columns lies before them
}

std::size_t ResultsFileWriter::Growth::bytes_for(std::size_t more_rows, std::size_t index) const {
  return (chunks_with(more_rows) - chunks_with(0)) * chunk * row_bytes + index * columns;
}

/// Room for rows, and for an index of each column, if it grows.
void ResultsFileWriter::reserve(const ResultsRows& rows) {
  const std::size_t index = 4096 + 64 * chunks_;
  file_.reserve(states_.bytes_for(rows.states, index) + contacts_.bytes_for(rows.contacts, index) +
                events_.bytes_for(rows.events, index) + steps_.bytes_for(rows.steps, index));
}

std::size_t ResultsFileWriter::chunks_with(const Recording& more) const {
  return std::max({states_.chunks_with(more.states.size() / channels_.size()),
                   contacts_.chunks_with(more.contacts.size()),
                   events_.chunks_with(more.events.size()),
                   recorded_.steps ? steps_.chunks_with(more.steps.size()) : 0,
                   names_.chunks_with(more.new_contacts.size())});
}

void ResultsFileWriter::append_from(const std::filesystem::path& earlier, const ResultsRows& rows) {
  const Hdf5Reader file(earlier);
  const auto append_column = [&](const std::string& path, std::uint64_t count, bool numbers) {
    const Vector column = file.leading_numbers(path);
    if (static_cast<std::uint64_t>(column.size()) < count)
      file.refuse(path, fmt::format("has {} rows, where {} were saved", column.size(), count));
    const std::span<const double> kept(column.data(), static_cast<std::size_t>(count));
    if (numbers)
      file_.append(path, kept);
    else
      file_.append(path, std::vector<int>(kept.begin(), kept.end()));
  };
  const auto append_columns = [&](const std::string& group, const auto& columns, auto count) {
    for (const auto& column : columns)
      append_column(path_of(group, column.channel.name), count, column.kind == ColumnKind::number);
  };
  reserve(rows);
  for (const Channel& channel : channels_)
    append_column(path_of("states", channel.name), rows.states, true);
  append_columns("contacts", contact_columns(info_), rows.contacts);
  append_columns("events", event_columns(info_.space), rows.events);
  if (recorded_.steps) append_columns("steps", step_columns(), rows.steps);
  states_.rows = rows.states;
  contacts_.rows = rows.contacts;
  events_.rows = rows.events;
  steps_.rows = rows.steps;
}

void ResultsFileWriter::append_contacts(std::span<const RecordedContact> contacts) {
  std::vector<std::string> names;
  for (const RecordedContact& contact : contacts) names.push_back(contact.name);
  file_.reserve(bytes_for(names));
  file_.append("/model/contacts", names);
  names_.rows += names.size();
}

/// Some columns at once, which lie side by side in memory.
void ResultsFileWriter::append_states(std::span<const double> states) {
  constexpr std::size_t at_once = 8;
  const std::size_t columns = channels_.size(), rows = states.size() / columns;
  room_.resize(std::max(room_.size(), at_once * rows));
  std::array<std::span<double>, at_once> values;
  for (std::size_t j = 0; j < at_once; ++j) values[j] = std::span(room_).subspan(j * rows, rows);
  for (std::size_t first = 0; first < columns; first += at_once) {
    const std::size_t count = std::min(at_once, columns - first);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < count; ++j) values[j][i] = states[i * columns + first + j];
    for (std::size_t j = 0; j < count; ++j) {
      const Channel& channel = channels_[first + j];
      if (channel.may_be_undefined)
        std::ranges::replace_if(
            values[j], [](double x) { return std::isnan(x); }, missing_value);
      file_.append(path_of("states", channel.name), values[j]);
    }
  }
}

void ResultsFileWriter::write(const Recording& recording) {
  const std::size_t columns = channels_.size(), rows = recording.states.size() / columns;
  const std::size_t events = recording.events.size();
  const std::size_t steps = recorded_.steps ? recording.steps.size() : 0;
  append_contacts(recording.new_contacts);
  reserve({rows, recording.contacts.size(), events, steps});
  append_states(recording.states);
  append_table("contacts", contact_columns(info_), recording.contacts, room_, file_);
  append_table("events", event_columns(info_.space), recording.events, room_, file_);
  if (recorded_.steps) append_table("steps", step_columns(), recording.steps, room_, file_);
  states_.rows += rows;
  contacts_.rows += recording.contacts.size();
  events_.rows += events;
  steps_.rows += steps;
}

void ResultsFileWriter::publish() { file_.publish(); }

void ResultsFileWriter::finish(const std::string& status, const std::string& summary) {
  constexpr std::size_t headers = 1 << 16;
  file_.reserve(headers + summary.size());
  file_.attribute("/", "status", status);
  file_.attribute("/", "summary", summary);
  file_.commit();
}

}  // namespace backlash
