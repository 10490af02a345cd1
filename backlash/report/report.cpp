// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/report/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/io/results/plots_json.h"
#include "backlash/io/results/scene_json.h"
#include "backlash/report/page_tables.h"

namespace backlash {
namespace {

using Json = nlohmann::ordered_json;

/// Where a page has its title and its data.
constexpr std::string_view data_place = "BACKLASH-DATA", title_place = "BACKLASH-TITLE";

Json values_json(const std::vector<NamedValue>& values) {
  Json json = Json::object();
  for (const NamedValue& value : values)
    std::visit([&](const auto& v) { json[value.name] = v; }, value.value);
  return json;
}

Json findings_json(const std::vector<Finding>& findings) {
  Json json = Json::array();
  for (const Finding& f : findings)
    json.push_back({{"severity", name(f.severity)},
                    {"item", f.item},
                    {"line", f.where.line},
                    {"file", f.where.file},
                    {"message", f.message},
                    {"advice", f.advice}});
  return json;
}

/// null: the run did not end by itself.
Json summary_of(const Results& results) {
  Json summary = Json::parse(results.summary, nullptr, false);
  return summary.is_discarded() ? Json() : summary;
}

Json description_json(const Results& results, const ReportOptions& options) {
  Json files = Json::array();
  for (const ModelText& text : results.run.model)
    files.push_back({{"file", text.file}, {"text", text.text}});
  return {{"title", results.run.title},
          {"program_version", version()},
          {"run_version", results.program_version},
          {"status", results.status},
          {"summary", summary_of(results)},
          {"options", values_json(results.run.options)},
          {"parameters", values_json(results.run.parameters)},
          {"files", files},
          {"findings", findings_json(options.findings)},
          {"findings_missing", options.findings_missing},
          {"shown", options.shown}};
}

/// Points of one channel, so that all of them fit.
std::size_t points_of(const Results& results, const ReportOptions& options) {
  const std::size_t channels = list_channels(results).size();
  return std::clamp<std::size_t>(options.all_points / std::max<std::size_t>(1, channels), 200,
                                 options.points);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result.push_back(c);
  return result;
}

void replace(std::string& page, std::string_view place, std::string_view text) {
  const std::size_t found = page.find(place);
  if (found == std::string::npos)
    throw InputError(fmt::format("the viewer has no place for {}", place));
  page.replace(found, place.size(), text);
}

}  // namespace

std::string report_page(const Results& results, const ReportOptions& options,
                        std::string_view viewer) {
  if (results.states.rows() == 0) throw InputError("these results have no rows");
  const std::size_t points = points_of(results, options);
  const Rows around = page::rows_around_impacts(results, points / 4);
  const page::ContactRows contacts = page::contact_rows(results);
  PageNumbers numbers;
  Json json = description_json(results, options);
  json["partial"] = results.partial();
  json["t_end"] = results.t_end();
  json["scene"] = results.run.scene.empty() ? Json() : Json::parse(scene_json(results.run.scene));
  json["plots"] = Json::parse(plots_json(results.run.plots));
  json["points"] = points;
  json["impact_rows"] = !around.empty() || page::impact_times(results).empty();
  const auto names = std::ranges::find(results.contacts.channels, "contact", &Channel::name);
  json["contacts"] = names == results.contacts.channels.end()
                         ? std::vector<std::string>{}
                         : results.contacts.labels[at(names - results.contacts.channels.begin())];
  json["frames"] = page::frames_json(results, contacts, points, numbers);
  json["tables"] =
      page::channels_json(results, contacts, {.points = points, .always = around}, numbers);
  json["events"] = page::events_json(results, numbers);
  json["intervals"] = page::intervals_json(results, contacts);
  std::string page(viewer);
  replace(page, data_place, packed(json, numbers));  // the title may say anything, so it comes last
  replace(page, title_place, escaped(results.run.title));
  return page;
}

}  // namespace backlash
