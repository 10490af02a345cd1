// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string example(const std::string& name) {
  return BACKLASH_SOURCE_DIR "/examples/" + name + "/model.yaml";
}

ProgramResult check(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "check");
  return run_program(BACKLASH_PROGRAM, arguments);
}

TEST(CheckCommand, FindsNoErrorInAnyExample) {
  for (const auto& entry : std::filesystem::directory_iterator(BACKLASH_SOURCE_DIR "/examples")) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path().string());
    const ProgramResult result = check({example(entry.path().filename())});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("\n0 errors, 0 warnings, "));
    EXPECT_THAT(result.out, HasSubstr("degrees of freedom"));
  }
}

TEST(CheckCommand, FindsNothingInAnyTemplate) {
  const TemporaryFolder folder;
  std::istringstream lines(run_program(BACKLASH_PROGRAM, {"new"}).out);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' ')), file = folder / (name + ".yaml");
    SCOPED_TRACE(name);
    ASSERT_EQ(run_program(BACKLASH_PROGRAM, {"new", "--template", name, "-o", file}).exit_code, 0);
    const ProgramResult result = check({file});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, EndsWith("\n0 errors, 0 warnings, 0 notes\n"));
  }
}

TEST(CheckCommand, NamesPlaceSeverityItemAndCure) {
  const ProgramResult result = check({example("parallelogram")});
  EXPECT_THAT(result.out, HasSubstr("0 by counting (Grübler), 1 by the rank of the constraints"));
  EXPECT_THAT(result.out, HasSubstr(example("parallelogram") + ":27:6: note: constraint 'F."));
  EXPECT_THAT(result.out, HasSubstr("\n    none needed for the motion"));
  EXPECT_THAT(result.out, EndsWith("\n0 errors, 0 warnings, 1 note\n"));
}

TEST(CheckCommand, EndsWithCodeTwoForAModelThatCannotRun) {
  const std::string ball = example("bouncing_ball");
  EXPECT_EQ(check({ball, "--set", "height=0 m"}).exit_code, 0);
  const ProgramResult result = check({ball, "--set", "height=-5 mm"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr(": error: contact 'bounce': overlaps by 0.005 m at the start"));
  EXPECT_THAT(result.out, HasSubstr("1 error,"));
}

TEST(CheckCommand, PrintsJsonWhateverTheModelIs) {
  const auto json = nlohmann::json::parse(check({example("four_bar"), "--json"}).out);
  EXPECT_TRUE(json["can_run"]);
  EXPECT_EQ(json["assembly"]["freedoms"], 1);
  EXPECT_EQ(json["assembly"]["loops"].size(), 1u);
  EXPECT_TRUE(json["findings"].empty());
  const ProgramResult broken = check({example("four_bar"), "--set", "rocker_length=5 m", "--json"});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_FALSE(nlohmann::json::parse(broken.out)["can_run"]);
  const ProgramResult unread = check({"no_such_model.yaml", "--json"});
  EXPECT_EQ(unread.exit_code, 2);
  EXPECT_THAT(nlohmann::json::parse(unread.out)["findings"][0]["message"].get<std::string>(),
              HasSubstr("no_such_model.yaml"));
}

TEST(CheckCommand, DrawsTheMechanism) {
  const TemporaryFolder folder;
  const std::string file = folder / "slider.svg";
  const ProgramResult result = check({example("slider_crank"), "--draw", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string svg = file_text(file);
  EXPECT_THAT(svg, StartsWith("<svg "));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  for (const char* words : {"crank", "rod", "slider", "main", "big", "small", "guide", "guide.1",
                            "guide.4", "nose", "x [mm]", "y [mm]"})
    EXPECT_THAT(svg, HasSubstr(std::string(">") + words + "</text>"));
}

TEST(CheckCommand, RefusesPicturesThatAreNoneOrCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string precious = folder / "model.yaml";
  write_file(precious, "precious");
  const ProgramResult other = check({example("four_bar"), "--draw", precious});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr(".svg"));
  EXPECT_EQ(file_text(precious), "precious");
  const ProgramResult nowhere = check({example("four_bar"), "--draw", "/dev/null/x.svg"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("/dev/null/x.svg"));
}

TEST(CheckCommand, RefusesWhatIsNoModel) {
  const ProgramResult result = check({BACKLASH_PROGRAM});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("backlash: "));
}

}  // namespace
}  // namespace backlash
