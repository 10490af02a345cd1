// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/read_run.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/printable.h"
#include "backlash/io/results/csv_read.h"
#include "backlash/io/results/results_file.h"

namespace backlash {
namespace {

using Json = nlohmann::ordered_json;

bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

std::vector<NamedValue> values_of(const Json& json) {
  std::vector<NamedValue> values;
  for (const auto& [name, value] : json.items()) {
    if (value.is_number_integer())
      values.push_back({name, value.get<std::int64_t>()});
    else if (value.is_number())
      values.push_back({name, value.get<double>()});
    else if (value.is_string())
      values.push_back({name, value.get<std::string>()});
  }
  return values;
}

/// Whether all names and texts in it are text, for JSON can spell any character.
bool holds_text(const Json& json) {
  const auto is_text = [](const std::string& text) {
    return find_not_text(text) == std::string::npos;
  };
  if (json.is_string()) return is_text(json.get_ref<const std::string&>());
  if (!json.is_structured()) return true;
  for (const auto& [key, value] : json.items())
    if (!is_text(key) || !holds_text(value)) return false;
  return true;
}

/// What summary.json says; a run that was killed has none.
void read_summary(const std::filesystem::path& file, Results& results) {
  results.status = "running";
  if (!is_there(file)) return;
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  const Json json = Json::parse(text.str(), nullptr, false);
  if (!json.is_object())
    throw InputError(fmt::format("{}: is no summary of a run: not valid JSON", file.string()));
  results.summary = text.str();
  results.status = json.value("status", "running");
  results.program_version = json.value("program_version", "");
  results.run.title = json.value("title", "");
  results.run.options = values_of(json.value("options", Json::object()));
  results.run.parameters = values_of(json.value("parameters", Json::object()));
}

/// The folder of a CSV file that a run wrote; all of them are read.
std::filesystem::path folder_of(const std::filesystem::path& csv) {
  constexpr std::array names{"states.csv", "contacts.csv", "events.csv", "steps.csv"};
  if (std::ranges::find(names, csv.filename().string()) == names.end())
    throw InputError(fmt::format("{}: is none of the CSV files that a run writes: {}", csv.string(),
                                 fmt::join(names, ", ")));
  return csv.has_parent_path() ? csv.parent_path() : ".";
}

Results read_csv_folder(const std::filesystem::path& folder) {
  Results results;
  read_summary(folder / "summary.json", results);
  results.states = read_csv_table(folder / "states.csv", CsvTable::states);
  const auto read_if_there = [&](const char* name, CsvTable kind) {
    return is_there(folder / name) ? read_csv_table(folder / name, kind) : ResultsTable{};
  };
  results.contacts = read_if_there("contacts.csv", CsvTable::contacts);
  results.events = read_if_there("events.csv", CsvTable::events);
  results.steps = read_if_there("steps.csv", CsvTable::steps);
  return results;
}

Results read_folder(const std::filesystem::path& folder) {
  if (is_there(folder / "results.h5")) return read_results(folder / "results.h5");
  if (is_there(folder / "states.csv")) return read_csv_folder(folder);
  throw InputError(fmt::format("{}: holds no results: neither results.h5 nor states.csv is in it",
                               folder.string()));
}

}  // namespace

Results read_run(const std::filesystem::path& path) {
  std::error_code ignored;
  Results results;
  if (!is_there(path))
    throw InputError(fmt::format("{}: there is no such file or folder", path.string()));
  if (std::filesystem::is_directory(path, ignored))
    results = read_folder(path);
  else if (path.extension() == ".csv")
    results = read_csv_folder(folder_of(path));
  else
    results = read_results(path);
  if (!holds_text(Json::parse(results.summary, nullptr, false)))
    throw InputError(
        fmt::format("{}: the summary of the run holds control characters", path.string()));
  if (results.states.rows() == 0)
    throw InputError(fmt::format("{}: the run left no row of its motion", path.string()));
  return results;
}

}  // namespace backlash
