// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/results/results_file.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

std::string text_attribute(const Hdf5Reader& file, const std::string& path,
                           const std::string& name) {
  const Hdf5Value value = file.attribute(path, name);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  file.refuse(path, fmt::format("has a number as attribute '{}', expected text", name));
}

void require_known_format(const Hdf5Reader& file) {
  if (!file.has_attribute("/", "format") ||
      text_attribute(file, "/", "format") != "backlash results")
    file.refuse("/", "does not say that it holds results of Backlash");
  const Hdf5Value version = file.attribute("/", "format_version");
  const auto* number = std::get_if<std::int64_t>(&version);
  if (!number || *number < 1 || *number > results_format_version)
    file.refuse("/",
                fmt::format("has a format version that is not known; this program knows 1 to {}",
                            results_format_version));
}

std::vector<NamedValue> named_values(const Hdf5Reader& file, const std::string& group) {
  std::vector<NamedValue> values;
  for (const std::string& name : file.attributes(group))
    values.push_back({name, file.attribute(group, name)});
  return values;
}

RunDescription read_description(const Hdf5Reader& file) {
  RunDescription run{.title = text_attribute(file, "/", "title"),
                     .model = {},
                     .options = named_values(file, "/options"),
                     .parameters = named_values(file, "/parameters")};
  const std::vector<std::string> names = file.texts("/model/files");
  const std::vector<std::string> texts = file.texts("/model/text");
  if (names.size() != texts.size()) file.refuse("/model", "has names and texts that do not pair");
  for (std::size_t i = 0; i < names.size(); ++i) run.model.push_back({names[i], texts[i]});
  return run;
}

/// One after another; the shortest says how many rows there are, for a run may have been killed
/// while it wrote.
struct Columns {
  std::vector<Vector> values;

  Matrix as_matrix() const {
    Index rows = values.empty() ? 0 : values.front().size();
    for (const Vector& column : values) rows = std::min(rows, column.size());
    Matrix matrix(rows, static_cast<Index>(values.size()));
    for (std::size_t j = 0; j < values.size(); ++j)
      matrix.col(static_cast<Index>(j)) = values[j].head(rows);
    return matrix;
  }
};

ResultsTable read_table(const Hdf5Reader& file, const std::string& group,
                        const std::vector<std::string>& contacts) {
  ResultsTable table;
  Columns columns;
  if (!file.has(group)) return table;
  for (const std::string& name : file.members(group)) {
    const std::string path = group + "/" + name;
    table.channels.push_back({name, text_attribute(file, path, "unit")});
    table.labels.push_back(name == "contact" ? contacts : file.names(path));
    columns.values.push_back(file.leading_numbers(path));
  }
  table.values = columns.as_matrix();
  return table;
}

/// From matrices of one row a time and one column a contact to one row for each contact and time.
ResultsTable read_contacts(const Hdf5Reader& file, const std::vector<std::string>& contacts,
                           int space) {
  ResultsTable table;
  Columns columns;
  const auto count = static_cast<Index>(contacts.size());
  const Vector times = contacts.empty() ? Vector() : file.leading_numbers("/contacts/t");
  for (const Column<ContactRow>& column : contact_columns(space)) {
    table.channels.push_back(column.channel);
    const std::string path = "/contacts/" + column.channel.name;
    table.labels.push_back({});
    if (column.kind == ColumnKind::contact) table.labels.back() = contacts;
    if (column.kind == ColumnKind::contact_state && count > 0)
      table.labels.back() = file.names(path);
    if (column.channel.name != "t" && column.kind != ColumnKind::contact) {
      columns.values.push_back(count > 0 ? file.leading_numbers(path) : Vector());
      continue;
    }
    Vector& values = columns.values.emplace_back(times.size() * count);
    for (Index i = 0; i < values.size(); ++i)
      values[i] = column.channel.name == "t" ? times[i / count] : static_cast<double>(i % count);
  }
  table.values = columns.as_matrix();
  return table;
}

}  // namespace

Vector ResultsTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) return values.col(static_cast<Index>(i));
  throw InputError(fmt::format("there is no channel '{}' in these results", name));
}

Results read_results(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  require_known_format(file);
  const Hdf5Value space = file.attribute("/", "space");
  const int dimensions = space == Hdf5Value(std::int64_t{3}) ? 3 : 2;
  const bool has_contacts = file.has("/contacts/contact");
  const std::vector<std::string> contacts =
      has_contacts ? file.texts("/contacts/contact") : std::vector<std::string>{};
  std::vector<std::string> subjects = contacts;
  if (file.has("/model/events"))
    for (const std::string& event : file.texts("/model/events")) subjects.push_back(event);
  return {.program_version = text_attribute(file, "/", "program_version"),
          .status = text_attribute(file, "/", "status"),
          .summary = file.has_attribute("/", "summary") ? text_attribute(file, "/", "summary") : "",
          .run = read_description(file),
          .states = read_table(file, "/states", {}),
          .contacts = read_contacts(file, contacts, dimensions),
          .events = read_table(file, "/events", subjects),
          .steps = read_table(file, "/steps", contacts)};
}

}  // namespace backlash
