// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "backlash/results/run_results.h"
#include "commands.h"
#include "run_table.h"
#include "table_row.h"
#include "trial_reading.h"

namespace backlash::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What a result holds, from its tables and its summary.
struct RunInfo {
  const Results& results;
  Json summary;                          ///< {} of a run that did not end by itself
  std::map<std::string, long> events{};  ///< how many of each kind
  std::vector<std::string> contacts{};   ///< that have rows
  std::vector<Channel> channels{};       ///< of states

  explicit RunInfo(const Results& run)
      : results(run), summary(Json::parse(run.summary, nullptr, false)) {
    if (!summary.is_object()) summary = Json::object();
    for (const RunEvent& event : list_events(run)) ++events[event.kind];
    for (std::size_t i = 0; i < run.contacts.channels.size(); ++i)
      if (run.contacts.channels[i].name == "contact") contacts = run.contacts.labels[i];
    channels = run.states.channels;
  }

  std::string text(const char* key) const { return summary.value(key, ""); }
  double t_start() const { return results.states.values(0, 0); }
};

template <class Values>
Json values_json(const Values& values) {
  Json json = Json::object();
  for (const NamedValue& value : values)
    std::visit([&](const auto& v) { json[value.name] = v; }, value.value);
  return json;
}

void print_info_json(const RunInfo& info) {
  Json channels = Json::array();
  for (const Channel& channel : info.channels)
    channels.push_back({{"name", channel.name}, {"unit", channel.unit}});
  const Json json{{"format", "backlash info"},
                  {"format_version", 1},
                  {"title", info.results.run.title},
                  {"status", info.results.status},
                  {"program_version", info.results.program_version},
                  {"date", info.text("date")},
                  {"command", info.text("command")},
                  {"sha256", info.summary.value("sha256", Json::object())},
                  {"t_start", info.t_start()},
                  {"t", info.results.t_end()},
                  {"rows", info.results.states.rows()},
                  {"events", info.events},
                  {"contacts", info.contacts},
                  {"channels", channels},
                  {"options", values_json(info.results.run.options)},
                  {"parameters", values_json(info.results.run.parameters)},
                  {"warnings", info.summary.value("warnings", Json::array())}};
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// If it is known.
void print_known(const char* what, const std::string& value) {
  if (!value.empty()) print_row(what, value);
}

/// "step 1e-05, until 0.1".
std::string values_text(const std::vector<NamedValue>& values) {
  std::string text;
  for (const NamedValue& value : values)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value.name, text_of(value));
  return text;
}

std::string events_text(const std::map<std::string, long>& events) {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : events) kinds.push_back(fmt::format("{} {}", count, kind));
  return kinds.empty() ? "none" : fmt::format("{}", fmt::join(kinds, ", "));
}

std::string status_text(const RunInfo& info) {
  const std::string message = info.text("message");
  if (info.results.status == "running") return "did not end by itself: it was killed, or goes on";
  return message.empty() ? info.results.status
                         : fmt::format("{}: {}", info.results.status, message);
}

void print_info(const RunInfo& info) {
  const Results& results = info.results;
  fmt::print("{}\n", results.run.title);
  print_row("status", status_text(info));
  print_known("date", info.text("date"));
  print_known("command", info.text("command"));
  print_row("program", "backlash " + results.program_version);
  const Json hashes = info.summary.value("sha256", Json::object());
  for (const auto& [file, hash] : hashes.items())
    print_row("model", fmt::format("{}, SHA-256 {}", file, hash.get<std::string>()));
  print_row("time", fmt::format("{:.6g} … {:.6g} s, {} rows", info.t_start(), results.t_end(),
                                results.states.rows()));
  print_row("events", events_text(info.events));
  print_row("contacts", info.contacts.empty() ? "none was near"
                                              : fmt::format("{}: {}", info.contacts.size(),
                                                            fmt::join(info.contacts, ", ")));
  print_known("options", values_text(results.run.options));
  print_known("parameters", values_text(results.run.parameters));
  const Json warnings = info.summary.value("warnings", Json::array());
  for (const Json& warning : warnings) print_row("warning", warning.get<std::string>());
  print_row("channels", fmt::format("{} of the motion; 'backlash plot RESULT' lists all",
                                    info.channels.size()));
}

}  // namespace

int run_info(const InfoArguments& a) {
  const Results results = read_run_after_trial(a.run);
  const RunInfo info(results);
  if (a.json)
    print_info_json(info);
  else
    print_info(info);
  return exit_done;
}

}  // namespace backlash::cli
