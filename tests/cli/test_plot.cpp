// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/bad_call.h"
#include "cli/run_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A short run of the slider-crank that all tests here look at.
class PlotCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TemporaryFolder;
    const ProgramResult done =
        test_run::run({test_run::slider_crank, "--until", "0.03", "--quiet", "-o", results()});
    ASSERT_EQ(done.exit_code, 0) << done.err;
  }
  static void TearDownTestSuite() { delete folder; }

  static std::string results() { return *folder / "results"; }

  /// `backlash plot` of that run, or of another result.
  static ProgramResult plot(std::vector<std::string> arguments, const std::string& of = results()) {
    arguments.insert(arguments.begin(), {"plot", of});
    return run_program(program_file(), arguments);
  }

  static inline TemporaryFolder* folder = nullptr;
};

TEST_F(PlotCommand, ListsChannelsWithUnits) {
  const ProgramResult list = plot({});
  EXPECT_EQ(list.exit_code, 0);
  for (const char* line : {"\nslider.x ", "\nguide.1.gap ", "\nmain.u "})
    EXPECT_THAT(list.out, HasSubstr(line));
  EXPECT_THAT(list.out, HasSubstr(" rad/s\n"));
}

TEST_F(PlotCommand, WritesSvgWithNamesUnitsLegendAndImpacts) {
  const std::string file = *folder / "picture.svg";
  const ProgramResult done = plot({"guide.gap*", "slider.vy", "--impacts", "-o", file});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out, file + "\n");
  const std::string svg = file_text(file);
  EXPECT_THAT(svg, StartsWith("<svg xmlns="));
  for (const char* part : {">guide.gap3<", ">slider.vy [m/s]<", ">t [ms]<", ">impacts<",
                           "translational clearance", "method moreau, solver auto, step 1e-05 s"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_THAT(svg, Not(HasSubstr("the run")));
}

TEST_F(PlotCommand, DrawsOneChannelAgainstAnotherOnStandardOutput) {
  const ProgramResult done =
      plot({"slider.vy", "--against", "slider.y", "--from", "10 ms", "--equal", "-o", "-"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, StartsWith("<svg"));
  EXPECT_THAT(done.out, HasSubstr(">slider.y [mm]<"));
}

TEST_F(PlotCommand, WritesPng) {
  const std::string file = *folder / "picture.png";
  const ProgramResult done = plot({"slider.x", "--log", "y", "--size", "400x200", "-o", file});
  if (done.exit_code == 2 && done.err.find("built without librsvg") != std::string::npos)
    GTEST_SKIP() << "built without librsvg";
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const std::string png = file_text(file);
  EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1a\n"));
  ASSERT_GT(png.size(), 5000u);
  const auto width =
      (static_cast<unsigned char>(png[18]) << 8) + static_cast<unsigned char>(png[19]);
  EXPECT_EQ(width, 800);  // two pixels each
}

TEST_F(PlotCommand, DrawsTheMechanismAtSeveralTimes) {
  const ProgramResult done = plot({"--snapshots", "0,10 ms,0.02", "-o", "-"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, StartsWith("<svg"));
  for (const char* part : {">t = 0 s<", ">t = 0.01 s<", ">t = 0.02 s<"})
    EXPECT_THAT(done.out, HasSubstr(part));
  const auto one = [](const char* t) {  // without its caption
    const std::string svg = plot({"--snapshots", t, "-o", "-"}).out;
    return svg.substr(0, svg.find(">t = "));
  };
  EXPECT_EQ(one("0.01"), one("10 ms"));
  EXPECT_NE(one("0.01"), one("0.02"));
}

/// Contacts that touch are marked also at the start, where nothing has pushed yet.
TEST(Plot, MarksWhatTouchesAtTheStart) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", R"(
backlash: 1
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1}, initial: {position: [0, 0.1]}}
contacts: {foot: {between: [ball, ground.floor], law: dead}}
laws: {dead: {restitution: 0}}
simulation: {step: 1e-3, until: 0.01}
)");
  const std::string results = folder / "r";
  ASSERT_EQ(test_run::run({folder / "model.yaml", "-o", results, "--quiet"}).exit_code, 0);
  const auto picture = [&](const char* t) {
    const std::string svg =
        run_program(program_file(), {"plot", results, "--snapshots", t, "-o", "-"}).out;
    return svg.substr(0, svg.find(">t = "));
  };
  EXPECT_EQ(picture("0"), picture("0.01"));
}

TEST_F(PlotCommand, ReadsCsvFilesAlone) {
  const std::filesystem::path csv = *folder / "csv";
  std::filesystem::create_directory(csv);
  std::filesystem::copy(results() + "/states.csv", csv / "states.csv");
  const ProgramResult done = plot({"slider.x", "-o", "-"}, csv);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("slider.x [m]"));
  EXPECT_THAT(done.out, HasSubstr("the run was killed, or goes on: results end at t = 0.03 s"));
  const ProgramResult motion = plot({"--snapshots", "0", "-o", "-"}, csv);
  EXPECT_EQ(motion.exit_code, 2);
  EXPECT_THAT(motion.err, HasSubstr("hold no scene"));
}

TEST_F(PlotCommand, ShowsWhatAKilledRunLeft) {
  const std::string killed = *folder / "killed";
  RunningProgram program(program_file(),
                         {"run", test_run::slider_crank, "--until", "1000", "-o", killed});
  for (int i = 0; i < 200 && !std::filesystem::exists(killed + "/results.h5"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  program.send(SIGKILL);
  program.wait();
  const ProgramResult done = plot({"slider.x", "-o", "-"}, killed);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("the run was killed, or goes on: results end at t = "));
}

TEST_F(PlotCommand, RefusesTruncatedAndForeignFiles) {
  const std::string whole = file_text(results() + "/results.h5"), cut = *folder / "cut.h5";
  for (const double part : {0.0, 0.3, 0.8}) {
    write_file(cut, whole.substr(0, static_cast<std::size_t>(part * double(whole.size()))));
    const ProgramResult refused = plot({"slider.x", "-o", *folder / "never.svg"}, cut);
    EXPECT_EQ(refused.exit_code, 2) << part;
    EXPECT_THAT(refused.err, HasSubstr("cut.h5"));
  }
  const ProgramResult model = plot({"slider.x"}, test_run::slider_crank);
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_THAT(model.err, HasSubstr("model.yaml"));
  EXPECT_FALSE(std::filesystem::exists(*folder / "never.svg"));
}

class BadPlotCall : public PlotCommand, public ::testing::WithParamInterface<BadCall> {};

TEST_P(BadPlotCall, IsRefused) { expect_refused(plot(GetParam().arguments), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Calls, BadPlotCall,
    ::testing::Values(
        BadCall{"channel", {"slider.xx", "-o", "-"}, "did you mean 'slider.x'"},
        BadCall{"item", {"wheel.x", "-o", "-"}, "there are channels of: "},
        BadCall{"against", {"slider.x", "--against", "slider.q", "-o", "-"}, "'slider.q'"},
        BadCall{"ending", {"slider.x", "-o", "picture.pdf"}, "an .svg or a .png"},
        BadCall{"log", {"slider.x", "--log", "z", "-o", "-"}, "expected x, y or xy"},
        BadCall{"log_of_nothing",
                {"guide.tilt", "--log", "y", "--to", "1e-4", "-o", "-"},
                "no positive value"},
        BadCall{"size", {"slider.x", "--size", "400", "-o", "-"}, "as 760x300"},
        BadCall{"tiny", {"slider.x", "--size", "4x4", "-o", "-"}, "from 240x160"},
        BadCall{"time", {"slider.x", "--from", "2", "--to", "1", "-o", "-"}, "leave no time"},
        BadCall{"later",
                {"slider.x", "--from", "2", "--to", "3", "-o", "-"},
                "it goes from 0 s to 0.03 s"},
        BadCall{"outside", {"--snapshots", "0,7", "-o", "-"}, "0.03"},
        BadCall{"no_time", {"--snapshots", "0,soon", "-o", "-"}, "--snapshots"},
        BadCall{"both", {"slider.x", "--snapshots", "0", "-o", "-"}, "leave one of them out"},
        BadCall{"folder", {"slider.x", "-o", "/nowhere/picture.svg"}, "/nowhere/picture.svg"}),
    [](const auto& call) { return std::string(call.param.name); });

}  // namespace
}  // namespace backlash
