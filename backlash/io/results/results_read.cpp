// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/results/plots_json.h"
#include "backlash/io/results/results_file.h"
#include "backlash/io/results/scene_json.h"

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
  if (!number || *number != results_format_version)
    file.refuse("/", fmt::format("has a format version that is not known; this program knows {}",
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
  if (file.has("/model/plots")) run.plots = parse_plots(file.text("/model/plots"));
  if (file.has("/model/scene")) run.scene = parse_scene(file.text("/model/scene"));
  return run;
}

ResultsTable read_table(const Hdf5Reader& file, const std::string& group,
                        const std::vector<std::string>& contacts) {
  ResultsTable table;
  if (!file.has(group)) return table;
  const std::vector<std::string> names = file.members(group);
  Index rows = 0;  // of the shortest column: a run may have been killed while it wrote
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::string path = group + "/" + names[j];
    table.channels.push_back({names[j], text_attribute(file, path, "unit")});
    table.labels.push_back(names[j] == "contact" ? contacts : file.names(path));
    Vector column = file.leading_numbers(path);
    if (file.has_attribute(path, "missing_value"))
      std::ranges::replace(column, missing_value, std::numeric_limits<double>::quiet_NaN());
    if (j == 0) table.values.resize(rows = column.size(), static_cast<Index>(names.size()));
    rows = std::min(rows, column.size());
    table.values.col(static_cast<Index>(j)).head(rows) = column.head(rows);
  }
  if (rows < table.values.rows()) table.values.conservativeResize(rows, Eigen::NoChange);
  return table;
}

/// Subjects are contacts, and after all of them the events of the model.
ResultsTable read_events(const Hdf5Reader& file, std::vector<std::string> contacts,
                         const std::vector<std::string>& events) {
  const auto first = static_cast<double>(contacts.size());
  contacts.insert(contacts.end(), events.begin(), events.end());
  ResultsTable table = read_table(file, "/events", contacts);
  for (std::size_t j = 0; j < table.channels.size(); ++j)
    if (table.channels[j].name == "contact")
      for (double& subject : table.values.col(static_cast<Index>(j)))
        if (subject < 0) subject = first - 1 - subject;
  return table;
}

}  // namespace

Results read_results(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  require_known_format(file);
  const std::vector<std::string> contacts = file.texts("/model/contacts");
  const std::vector<std::string> events = file.texts("/model/events");
  return {.program_version = text_attribute(file, "/", "program_version"),
          .status = text_attribute(file, "/", "status"),
          .summary = file.has_attribute("/", "summary") ? text_attribute(file, "/", "summary") : "",
          .run = read_description(file),
          .states = read_table(file, "/states", {}),
          .contacts = read_table(file, "/contacts", contacts),
          .events = read_events(file, contacts, events),
          .steps = read_table(file, "/steps", {})};
}

}  // namespace backlash
