// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/plots_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"

namespace backlash {

using Json = nlohmann::ordered_json;

std::string plots_json(const std::vector<PlotSet>& sets) {
  Json json = Json::object();
  for (const PlotSet& set : sets) {
    json[set.name] = Json::array();
    for (const PlotDescription& plot : set.plots)
      json[set.name].push_back(
          {{"name", plot.name}, {"title", plot.title}, {"x", plot.x}, {"y", plot.y}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<PlotSet> parse_plots(const std::string& text) {
  try {
    std::vector<PlotSet> sets;
    const Json json = Json::parse(text);
    for (const auto& [name, plots] : json.items()) {
      PlotSet& set = sets.emplace_back(PlotSet{.name = name});
      for (const Json& plot : plots)
        set.plots.push_back({.name = plot.at("name"),
                             .title = plot.at("title"),
                             .x = plot.at("x"),
                             .y = plot.at("y")});
    }
    return sets;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("the sets of plots cannot be read: {}", error.what()));
  }
}

}  // namespace backlash
