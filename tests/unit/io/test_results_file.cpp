// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/results_file.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/results/results_folder.h"
#include "support/files.h"
#include "support/same_results.h"
#include "support/systems/space_body.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

SystemInfo two_contacts(int space) {
  SystemInfo info{.name = "s", .positions = 1, .velocities = 1};
  info.contacts = {{"left", {}, space - 1}, {"right", {}, space - 1}};
  info.contacts[1].unit = GapUnit::radian;
  info.events = {{.name = "release"}};
  info.space = space;
  return info;
}

/// Rows whose every number is different.
Recording some_rows(const SystemInfo& info, int rows) {
  Recording recording;
  for (int c = 0; c < static_cast<int>(info.contacts.size()); ++c)
    recording.new_contacts.push_back({info.contacts[static_cast<std::size_t>(c)].name, {c}});
  double next = 0.1;
  const auto number = [&] { return next *= -1.37; };
  for (int i = 0; i < rows; ++i) {
    const double t = 0.1 * i;
    recording.states.insert(recording.states.end(), {t, number(), number()});
    for (int c = 0; c < static_cast<int>(info.contacts.size()); ++c)
      recording.contacts.push_back(
          {.t = t,
           .contact = c,
           .gap = number(),
           .gamma = {number(), number(), number()},
           .impulse = {number(), number(), number()},
           .force = {number(), number(), number()},
           .peak_n = number(),
           .impact_n = number(),
           .state = static_cast<ContactState>((i + c) % 4),
           .point = {Vec3(number(), number(), number()), Vec3(number(), number(), number())},
           .unit = info.contacts[static_cast<std::size_t>(c)].unit});
    recording.events.push_back({.t = t + 0.05,
                                .kind = static_cast<EventKind>(i % 6),
                                .contact = i % 3 < 2 ? i % 3 : -1,
                                .model_event = i % 3 < 2 ? -1 : 0,
                                .gamma_n_before = number(),
                                .impulse_n = number(),
                                .point = {Vec3(number(), number(), number()), Vec3::UnitY()}});
    recording.steps.push_back(
        {.t = t, .step = 0.1, .accepted = i % 3 != 0, .iterations = i, .residual = number()});
    if (std::abs(next) > 1e200) next = 1e-200;
  }
  return recording;
}

class ResultsInSpace : public ::testing::TestWithParam<int> {};

TEST_P(ResultsInSpace, CsvAndHdf5HoldTheSameNumbersToTheBit) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(GetParam());
  ResultsFolder results(folder.path(), info, {},
                        {.formats = {}, .existing = Existing::keep, .recorded = {.steps = true}});
  for (const int rows : {1, 7, 300}) {
    Recording recording = some_rows(info, rows);
    results.write(recording);
    EXPECT_TRUE(recording.empty());
  }
  results.finish({});
  const Results read = read_results(folder / "results.h5");
  EXPECT_EQ(read.states.values.rows(), 308);
  expect_same(read.states, folder / "states.csv");
  expect_same(read.contacts, folder / "contacts.csv");
  expect_same(read.events, folder / "events.csv");
  expect_same(read.steps, folder / "steps.csv");
}

INSTANTIATE_TEST_SUITE_P(Dimensions, ResultsInSpace, ::testing::Values(2, 3));

/// A node of an index of chunks that has other nodes below it, as HDF5 makes them where it divides
/// one (HDF5 File Format Specification III.A.1): a program that is killed while it writes the parts
/// leaves a column that cannot be read.
bool has_divided_index(const std::filesystem::path& file) {
  return file_text(file).find("TREE\x01\x01") != std::string::npos;
}

/// However many rows come, also where nobody said how many: more events than 64 chunks hold.
TEST_P(ResultsInSpace, HasIndicesThatAreNeverDividedWhileTheRunGoesOn) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(GetParam());
  ResultsFolder results(folder.path(), info, {},
                        {.formats = {}, .existing = Existing::keep, .recorded = {.steps = true}});
  const int rows = 301, writes = 120;
  for (int i = 0; i < writes; ++i) {
    Recording recording = some_rows(info, rows);
    if (i > 0) recording.new_contacts.clear();
    results.write(recording);
    results.flush();
    if (i % 8 > 0) continue;
    ASSERT_FALSE(has_divided_index(folder / "results.h5")) << i;
  }
  const Results read = read_results(folder / "results.h5");
  EXPECT_EQ(read.events.values.rows(), writes * rows);
  results.finish({});
  expect_same(read_results(folder / "results.h5").states, folder / "states.csv");
  expect_same(read_results(folder / "results.h5").contacts, folder / "contacts.csv");
  expect_same(read_results(folder / "results.h5").events, folder / "events.csv");
}

/// A run that goes on with more rows than a file has room for from the start.
TEST(ResultsFile, HasRoomForAllThatARunBeganWith) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(2);
  const int rows = 20000;  // more than 64 chunks of events
  ResultsFileWriter first(folder / "results.h5", info, {}, {});
  first.write(some_rows(info, rows));
  first.publish();
  first.finish("running", "");
  Checkpoint saved{.hdf5 = first.rows()};
  ResultsFolder resumed(folder.path(), info, {}, {.formats = {.csv = false}, .resumed = &saved});
  Recording recording = some_rows(info, 1);
  resumed.write(recording);
  resumed.flush();
  EXPECT_FALSE(has_divided_index(folder / "results.h5"));
  EXPECT_EQ(read_results(folder / "results.h5").events.values.rows(), rows + 1);
}

TEST(ResultsFile, SaysWhereItComesFromAndInWhichUnits) {
  const TemporaryFolder folder;
  const RunDescription run{
      .title = "A title, ünïcode",
      .model = {{"model.yaml", "backlash: 1\n"}, {"sub/laws.yaml", ""}},
      .options = {{"solver", "lemke"}, {"step", 1e-5}, {"max_iterations", std::int64_t{7}}},
      .parameters = {{"b", 0.025}, {"a", 0.05}}};
  ResultsFileWriter writer(folder / "results.h5", two_contacts(2), run, {});
  writer.write(some_rows(two_contacts(2), 3));
  writer.publish();
  writer.finish("done", "{}");
  const Results read = read_results(folder / "results.h5");
  EXPECT_EQ(read.program_version, version());
  EXPECT_EQ(read.status, "done");
  EXPECT_EQ(read.summary, "{}");
  EXPECT_EQ(read.run.title, run.title);
  EXPECT_EQ(read.run.model, run.model);
  EXPECT_EQ(read.run.options, run.options);
  EXPECT_EQ(read.run.parameters, run.parameters);
  ASSERT_EQ(read.states.channels.size(), 3u);
  EXPECT_EQ(read.states.channels[0].unit, "s");
  for (const Channel& channel : read.contacts.channels) EXPECT_FALSE(channel.unit.empty());
  EXPECT_TRUE(read.steps.channels.empty());
}

TEST(ResultsFile, SaysOfEachContactWhetherItsGapIsALengthOrAnAngle) {
  const auto read_back = [](std::vector<GapUnit> units) {
    const TemporaryFolder folder;
    SystemInfo info = two_contacts(2);
    for (std::size_t i = 0; i < units.size(); ++i) info.contacts[i].unit = units[i];
    ResultsFileWriter writer(folder / "results.h5", info, {}, {});
    writer.write(some_rows(info, 3));
    writer.publish();
    writer.finish("done", "{}");
    return read_results(folder / "results.h5");
  };
  const Results both = read_back({GapUnit::metre, GapUnit::radian});
  for (const ResultsTable* table : {&both.contacts, &both.events})
    EXPECT_THAT(table->labels.back(), ElementsAre("m", "rad", "-"));
  const Vector units = both.contacts.column("unit");
  EXPECT_THAT(std::vector<double>(units.begin(), units.end()), ElementsAre(0, 1, 0, 1, 0, 1));
  EXPECT_EQ(both.contacts.channels[2].unit, "m or rad");
  EXPECT_EQ(both.contacts.channels[7].unit, "N or N m");
  EXPECT_EQ(both.events.channels[3].unit, "m/s or rad/s");
  EXPECT_EQ(read_back({GapUnit::metre, GapUnit::metre}).contacts.channels[2].unit, "m");
  EXPECT_EQ(read_back({GapUnit::radian, GapUnit::radian}).contacts.channels[2].unit, "rad");
}

TEST(ResultsFile, CanBeReadWhileTheRunGoesOnAsOneThatWasKilled) {
  const TemporaryFolder folder;
  ResultsFileWriter writer(folder / "results.h5", two_contacts(2), {}, {});
  writer.write(some_rows(two_contacts(2), 5));
  writer.publish();
  writer.write(some_rows(two_contacts(2), 5000));
  writer.flush();
  std::filesystem::copy_file(folder / "results.h5", folder / "copy.h5");
  const Results read = read_results(folder / "copy.h5");
  EXPECT_EQ(read.status, "running");
  EXPECT_EQ(read.states.values.rows(), 5005);
  EXPECT_EQ(read.contacts.values.rows(), 10010);
  EXPECT_EQ(read.events.values.rows(), 5005);
}

/// Chunks that are written whole are compressed at once; the first one, which grew, is not.
TEST(ResultsFile, IsCompressedWhileItIsWritten) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(2);
  const auto block = static_cast<std::size_t>(rows_per_block(info));
  ResultsFileWriter writer(folder / "results.h5", info, {}, {});
  Recording rows;
  std::vector<double> expected;
  const auto write = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const double t = 1e-3 * static_cast<double>(expected.size());
      expected.push_back(std::sin(t));
      rows.states.insert(rows.states.end(), {t, expected.back(), 0});
    }
    writer.write(rows);
    rows.clear();
  };
  write(1);
  writer.publish();  // stores the beginning of the first chunk, which stays plain
  for (const std::size_t count : {block - 1, block, 3 * block, block, block / 3}) write(count);
  writer.finish("done", "");
  EXPECT_NEAR(writer.plain_share(), 1 / (6 + 1.0 / 3), 1e-3);
  const Vector read = read_results(folder / "results.h5").states.column("q1");
  EXPECT_EQ(std::vector<double>(read.begin(), read.end()), expected);
  EXPECT_LT(std::filesystem::file_size(folder / "results.h5"),
            0.8 * 24 * static_cast<double>(expected.size()));
}

/// Rows between two flushes would otherwise be stored plain, and a short run be written twice.
TEST(ResultsFile, APartOfAChunkIsOnTheDiskAfterAFlushAndCompressedWithoutOne) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(2);
  const int rows = rows_per_block(info) / 3;
  const auto rows_on_the_disk = [&] {  // as another program sees them
    std::filesystem::copy_file(folder / "results.h5", folder / "copy.h5",
                               std::filesystem::copy_options::overwrite_existing);
    return read_results(folder / "copy.h5").states.values.rows();
  };
  for (const bool flushed : {true, false}) {
    SCOPED_TRACE(flushed);
    ResultsFileWriter writer(folder / "results.h5", info, {}, {});
    writer.publish();
    for (int k = 1; k <= 2; ++k) {
      writer.write(some_rows(info, rows));
      if (!flushed) continue;
      writer.flush();
      EXPECT_EQ(rows_on_the_disk(), k * rows);
    }
    writer.finish("done", "");
    EXPECT_EQ(writer.plain_share() > 0, flushed);
    EXPECT_EQ(rows_on_the_disk(), 2 * rows);
  }
}

TEST(ResultsFile, ADamagedEndCostsTheLastChunksOnly) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(2);
  ResultsFileWriter writer(folder / "results.h5", info, {}, {});
  for (int block = 0; block < 3; ++block) writer.write(some_rows(info, rows_per_block(info)));
  writer.publish();
  writer.finish("done", "");
  const auto size = std::filesystem::file_size(folder / "results.h5");
  ASSERT_GT(size, 500000u);
  std::filesystem::resize_file(folder / "results.h5", size - 100000);
  std::filesystem::resize_file(folder / "results.h5", size);  // zeros in their place
  EXPECT_NO_THROW(read_results(folder / "results.h5"));
}

TEST(ResultsFile, AMechanismWithoutContactsHasEmptyTables) {
  const TemporaryFolder folder;
  SystemInfo info{.name = "s", .positions = 1, .velocities = 1};
  ResultsFileWriter writer(folder / "results.h5", info, {}, {});
  Recording recording;
  recording.states = {0, 1, 2};
  writer.write(recording);
  writer.publish();
  writer.finish("done", "");
  const Results read = read_results(folder / "results.h5");
  EXPECT_EQ(read.states.values.rows(), 1);
  EXPECT_EQ(read.contacts.values.rows(), 0);
  EXPECT_EQ(read.events.values.rows(), 0);
}

TEST(ResultsFile, RefusesOtherFiles) {
  const TemporaryFolder folder;
  {
    Hdf5Writer other(folder / "other.h5");
    other.commit();
    Hdf5Writer later(folder / "later.h5");
    later.attribute("/", "format", std::string("backlash results"));
    later.attribute("/", "format_version", std::int64_t{results_format_version + 1});
    later.commit();
  }
  EXPECT_THAT([&] { read_results(folder / "other.h5"); },
              ThrowsMessage<InputError>(HasSubstr("results of Backlash")));
  EXPECT_THAT([&] { read_results(folder / "later.h5"); },
              ThrowsMessage<InputError>(HasSubstr("format version")));
  EXPECT_THAT([&] { read_results(folder / "none.h5"); },
              ThrowsMessage<InputError>(HasSubstr("no such file")));
}

TEST(ResultsFile, RefusesNamesThatWouldBeGroups) {
  const TemporaryFolder folder;
  SystemInfo info = two_contacts(2);
  info.position_names = {"a/b"};
  EXPECT_THAT([&] { ResultsFileWriter(folder / "results.h5", info, {}, {}); },
              ThrowsMessage<InputError>(HasSubstr("'a/b'")));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ResultsFolder, KeepsAnEarlierRunUntilTheNewOneHasWritten) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(2);
  Recording recording = some_rows(info, 4);
  {
    ResultsFolder first(folder.path(), info, {}, {});
    first.write(recording);
    first.finish({});
  }
  EXPECT_THAT([&] { ResultsFolder(folder.path(), info, {}, {}); },
              ThrowsMessage<InputError>(HasSubstr("--force")));
  {
    const ResultsFolder never(folder.path(), info, {},
                              {.formats = {}, .existing = Existing::replace, .recorded = {}});
  }
  EXPECT_EQ(read_results(folder / "results.h5").states.values.rows(), 4);
  EXPECT_EQ(read_csv(folder / "states.csv").size(), 5u);
}

TEST(ResultsFolder, LeavesNoFileOfTheRunThatItReplaces) {
  const TemporaryFolder folder;
  const SystemInfo info = two_contacts(2);
  Recording recording = some_rows(info, 4);
  {
    ResultsFolder first(folder.path(), info, {}, {});
    first.write(recording);
    first.finish({});
  }
  ResultsFolder second(
      folder.path(), info, {},
      {.formats = parse_formats("csv"), .existing = Existing::replace, .recorded = {}});
  recording = some_rows(info, 2);
  second.write(recording);
  EXPECT_FALSE(std::filesystem::exists(folder / "results.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder / "summary.json"));
  EXPECT_EQ(read_csv(folder / "states.csv").size(), 3u);
}

TEST(ResultsFolder, NumbersThatAreNotFiniteDoNotEnterAFileButAllThatWasBeforeThemDoes) {
  const SystemInfo info = two_contacts(2);
  const auto expect_kept = [&](const char* complaint, auto spoil) {
    const TemporaryFolder folder;
    ResultsFolder results(folder.path(), info, {}, {});
    Recording recording = some_rows(info, 771);
    const double end = recording.states[770 * 3];
    spoil(recording);
    EXPECT_THAT([&] { results.write(recording); }, ThrowsMessage<InputError>(HasSubstr(complaint)));
    results.flush();
    const Results read = read_results(folder / "results.h5");
    EXPECT_EQ(read.states.values.rows(), 770);
    EXPECT_EQ(read.contacts.values.rows(), 2 * 770);
    EXPECT_EQ(read.events.values.rows(), 770);
    EXPECT_LT(read.events.column("t").maxCoeff(), end);
    expect_same(read.states, folder / "states.csv");
    expect_same(read.contacts, folder / "contacts.csv");
    expect_same(read.events, folder / "events.csv");
  };
  expect_kept("gap of contact 'right' is inf",
              [](Recording& r) { r.contacts[1541].gap = INFINITY; });
  expect_kept("q1 is nan", [](Recording& r) { r.states[770 * 3 + 1] = NAN; });
}

TEST(ResultsFolder, RefusesFormatsThatDoNotExist) {
  EXPECT_TRUE(parse_formats("csv,hdf5").csv);
  EXPECT_FALSE(parse_formats("hdf5").csv);
  for (const char* text : {"", "xml", "csv,", "csv;hdf5"})
    EXPECT_THAT([&] { parse_formats(text); },
                ThrowsMessage<InputError>(HasSubstr("there are: csv, hdf5")));
}

TEST(Summary, HoldsTheFiguresOfTheRun) {
  RunReport figures{.status = RunStatus::failed, .message = "why", .t = 2, .wall_time = 3};
  figures.run.steps = 4;
  figures.start.kinetic = 5;
  figures.end.kinetic = 3;
  figures.end.contacts = -1;
  const auto json =
      nlohmann::json::parse(summary_json({.title = "T", .options = {{"step", 0.5}}}, figures));
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["message"], "why");
  EXPECT_EQ(json["title"], "T");
  EXPECT_EQ(json["program_version"], version());
  EXPECT_EQ(json["steps"], 4);
  EXPECT_EQ(json["t"], 2.0);
  EXPECT_EQ(json["wall_time"], 3.0);
  EXPECT_EQ(json["options"]["step"], 0.5);
  EXPECT_EQ(json["energy"]["made_by_method"], 3.0 - 5.0 - (-1.0));
}

}  // namespace
}  // namespace backlash
