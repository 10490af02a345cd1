// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/read_run.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/io/results/results_folder.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Results of five rows, with a name that CSV has to quote.
class ReadRun : public ::testing::Test {
 protected:
  ReadRun() {
    const RunDescription run{
        .title = "a \"run\", of ours", .options = {{"step", 1e-4}}, .parameters = {{"c", 1e-3}}};
    SystemInfo info{.name = "s", .positions = 1, .velocities = 1};
    info.position_names = {"odd, \"name\".q"};
    info.contacts = {{"left", {}, 1}, {"right", {}, 1}};
    info.contacts[1].unit = GapUnit::radian;
    ResultsFolder results(folder_.path(), info, run,
                          {.formats = {}, .existing = Existing::keep, .recorded = {.steps = true}});
    Recording r;
    r.new_contacts = {{"left", {0}}, {"right", {1}}};
    for (int i = 0; i < 5; ++i) {
      const double t = 0.1 * i;
      r.states.insert(r.states.end(), {t, 1.0 / (3 + i), -t});
      if (i != 2)
        r.contacts.push_back(
            {.t = t, .contact = 0, .gap = 1 + t, .force = {7 + t, 0}, .point = {}});
      r.contacts.push_back({.t = t, .contact = 1, .gap = -t, .point = {}, .unit = GapUnit::radian});
      r.events.push_back(
          {.t = t, .kind = EventKind::impact, .contact = i % 2, .impulse_n = t, .point = {}});
      r.steps.push_back({.t = t, .step = 0.1, .residual = 1e-12 * i});
    }
    r.events.back().kind = EventKind::release;
    results.write(r);
    results.finish({});
  }

  TemporaryFolder folder_;
};

void expect_same_series(const Results& a, const Results& b, const std::string& name) {
  SCOPED_TRACE(name);
  const Series x = find_series(a, name), y = find_series(b, name);
  ASSERT_EQ(x.values.size(), y.values.size());
  EXPECT_EQ(x.t, y.t);
  for (Eigen::Index i = 0; i < x.values.size(); ++i)
    EXPECT_TRUE(x.values[i] == y.values[i] || (std::isnan(x.values[i]) && std::isnan(y.values[i])));
}

TEST_F(ReadRun, GivesTheSameFromTheFolderTheFileAndTheCsvFiles) {
  const Results whole = read_run(folder_.path()), file = read_run(folder_ / "results.h5");
  std::filesystem::remove(folder_ / "results.h5");
  const Results csv = read_run(folder_.path()), one = read_run(folder_ / "contacts.csv");
  EXPECT_EQ(csv.run.title, whole.run.title);
  EXPECT_EQ(csv.run.options, whole.run.options);
  EXPECT_EQ(csv.run.parameters, whole.run.parameters);
  EXPECT_EQ(csv.status, "done");
  EXPECT_EQ(csv.summary, whole.summary);
  ASSERT_EQ(list_channels(whole).size(), list_channels(csv).size());
  for (const Results* other : {&file, &csv, &one})
    for (const Channel& channel : list_channels(whole))
      expect_same_series(whole, *other, channel.name);
  const std::vector<RunEvent> a = list_events(whole), b = list_events(csv);
  ASSERT_EQ(a.size(), 5u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].contact, b[i].contact);
    EXPECT_EQ(a[i].impulse_n, b[i].impulse_n);
    EXPECT_EQ(a[i].unit, b[i].unit);
  }
}

TEST_F(ReadRun, GivesUnitsThatTheContactDecides) {
  const Results whole = read_run(folder_.path());
  std::filesystem::remove(folder_ / "results.h5");
  const Results csv = read_run(folder_.path());
  for (const Results* results : {&whole, &csv}) {
    EXPECT_EQ(find_series(*results, "left.gap").unit, "m");
    EXPECT_EQ(find_series(*results, "right.gap").unit, "rad");
    EXPECT_EQ(find_series(*results, "right.force_n").unit, "N m");
    EXPECT_EQ(find_series(*results, "steps.residual").unit, "m/s");
  }
}

TEST_F(ReadRun, LeavesOutALastLineThatAKilledRunDidNotEnd) {
  std::filesystem::remove(folder_ / "results.h5");
  std::filesystem::remove(folder_ / "summary.json");
  const std::string text = file_text(folder_ / "states.csv");
  const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t end = last_line; end < text.size(); ++end) {
    write_file(folder_ / "states.csv", text.substr(0, end));
    const Results cut = read_run(folder_.path());
    EXPECT_EQ(cut.states.rows(), 4);
    EXPECT_EQ(cut.status, "running");
    EXPECT_TRUE(cut.partial());
  }
}

TEST_F(ReadRun, SaysWhatIsWrongWithOtherInput) {
  const auto complaint = [](const std::filesystem::path& path) {
    try {
      read_run(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_THAT(complaint(folder_ / "nowhere"), HasSubstr("nowhere: there is no such file"));
  const std::string whole = file_text(folder_ / "results.h5");
  for (const double part : {0.0, 0.1, 0.5, 0.9}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    write_file(folder_ / "cut.h5", whole.substr(0, size));
    EXPECT_THAT(complaint(folder_ / "cut.h5"), HasSubstr("cut.h5")) << part;
  }
  write_file(folder_ / "picture.png", "\x89PNG\r\n");
  EXPECT_THAT(complaint(folder_ / "picture.png"), HasSubstr("picture.png"));
  std::filesystem::remove(folder_ / "results.h5");
  const std::string states = file_text(folder_ / "states.csv");
  write_file(folder_ / "states.csv", states + "0.5,x,1\n");
  EXPECT_THAT(complaint(folder_.path()),
              HasSubstr("states.csv:7: column 'odd, \"name\".q': found 'x'"));
  write_file(folder_ / "states.csv", states + "0.5,1\n");
  EXPECT_THAT(complaint(folder_.path()), HasSubstr("states.csv:7: has 2 columns, expected 3"));
  write_file(folder_ / "states.csv", states.substr(0, states.find('\n') + 1));
  EXPECT_THAT(complaint(folder_.path()), HasSubstr("the run left no row"));
  write_file(folder_ / "states.csv", "name,price\nbolt,1\n");
  EXPECT_THAT(complaint(folder_.path()), HasSubstr("is no table of a run"));
  std::filesystem::remove(folder_ / "states.csv");
  EXPECT_THAT(complaint(folder_.path()), HasSubstr("neither results.h5 nor states.csv"));
}

TEST_F(ReadRun, FillsContactsThatAreNotNear) {
  const Results whole = read_run(folder_.path());
  const Series gap = find_series(whole, "left.gap"), force = find_series(whole, "left.force_n");
  ASSERT_EQ(gap.values.size(), 5);
  EXPECT_TRUE(std::isnan(gap.values[2]));
  EXPECT_EQ(gap.values[3], 1 + 0.1 * 3);
  EXPECT_EQ(force.values[2], 0);
  EXPECT_EQ(force.values[3], 7 + 0.1 * 3);
}

TEST_F(ReadRun, FindsChannelsByPatternAndNamesTheNearest) {
  const Results whole = read_run(folder_.path());
  EXPECT_THAT(match_channels(whole, {"*.gap", "u1"}),
              ::testing::ElementsAre("left.gap", "right.gap", "u1"));
  EXPECT_THAT([&] { find_series(whole, "left.gasp"); },
              ThrowsMessage<InputError>(HasSubstr("did you mean 'left.gap'")));
  EXPECT_THAT([&] { find_series(whole, "left.nothing"); },
              ThrowsMessage<InputError>(HasSubstr("there are: left.gap, left.gamma_n")));
  EXPECT_THAT([&] { match_channels(whole, {"wheel.*"}); },
              ThrowsMessage<InputError>(HasSubstr("there are channels of: left")));
}

TEST_F(ReadRun, ListsTheEventsOfOneKind) {
  const std::vector<RunEvent> impacts = list_events(read_run(folder_.path()), "impact");
  ASSERT_EQ(impacts.size(), 4u);
  EXPECT_EQ(impacts[1].contact, "right");
  EXPECT_EQ(impacts[3].impulse_n, 0.1 * 3);
}

}  // namespace
}  // namespace backlash
