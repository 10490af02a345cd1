// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/collect.h"

#include "backlash/base/version.h"
#include "backlash/io/results/summary.h"
#include "backlash/results/columns.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

class Collector final : public RunRecorder {
 public:
  explicit Collector(const RunWatch& watch) : watch_(watch) {}

  void begin(const RunStart& start) override {
    RunRecorder::begin(start);
    info = start.system.info();
    channels = state_channels(info, start.recorded);
  }

  bool observe(const State& state, const StepResult& result) override {
    const bool finite = RunRecorder::observe(state, result);
    return finite && (!watch_ || watch_(state.t));
  }

  SystemInfo info{};
  std::vector<Channel> channels{};

 private:
  const RunWatch& watch_;
};

ResultsTable states_table(const Recording& recording, const std::vector<Channel>& channels) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto columns = static_cast<Index>(channels.size());
  const auto rows = static_cast<Index>(recording.states.size()) / columns;
  return {.channels = channels,
          .labels = std::vector<std::vector<std::string>>(channels.size()),
          .values = Eigen::Map<const Rows>(recording.states.data(), rows, columns)};
}

/// `subjects`: names of the contacts, then of the model's events.
template <class Row>
ResultsTable table_of(const std::vector<Row>& rows, const std::vector<Column<Row>>& columns,
                      const SystemInfo& info, const std::vector<std::string>& contacts) {
  ResultsTable table;
  table.values.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column<Row>& column = columns[j];
    table.channels.push_back({column.channel.name, unit_of(column, info)});
    table.labels.push_back(labels(column.kind));
    if (column.kind == ColumnKind::contact || column.kind == ColumnKind::subject)
      table.labels.back() = contacts;
    if (column.kind == ColumnKind::subject)
      for (const EventInfo& event : info.events) table.labels.back().push_back(event.name);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double value = column.value(rows[i]);
      if (column.kind == ColumnKind::subject && value < 0)
        value = static_cast<double>(contacts.size()) - 1 - value;
      table.values(static_cast<Index>(i), static_cast<Index>(j)) = value;
    }
  }
  return table;
}

}  // namespace

CollectedRun collect_run(const Model& model, const RunWatch& watch) {
  Collector collector(watch);
  RunOutcome outcome = run(model, {}, collector);
  const Recording& recording = collector.recording();
  const SystemInfo& info = collector.info;
  std::vector<std::string> contacts;
  for (const RecordedContact& contact : recording.new_contacts) contacts.push_back(contact.name);
  Results results{.program_version = std::string(version()),
                  .status = std::string(name(outcome.report.status)),
                  .summary = summary_json(outcome.description, outcome.report),
                  .run = outcome.description,
                  .states = states_table(recording, collector.channels),
                  .contacts = table_of(recording.contacts, contact_columns(info), info, contacts),
                  .events = table_of(recording.events, event_columns(info.space), info, contacts)};
  if (!recording.steps.empty())
    results.steps = table_of(recording.steps, step_columns(), info, contacts);
  return {std::move(results), std::move(outcome.report)};
}

}  // namespace backlash
